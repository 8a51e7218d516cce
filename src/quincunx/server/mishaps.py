"""Why an entrant lost before the end of a match, in a sentence without details: those are in its record."""

from __future__ import annotations

from quincunx.core.words import Words
from quincunx.match.failures import FAILURES

SENTENCES = {
    "time_out": Words("Son temps était écoulé.", "Its time ran out."),
    "resign": Words("Il a abandonné.", "It resigned."),
    "absent": Words("Il n’était plus là.", "It was not there any more."),
    "deaf": Words(
        "Le programme n’a pas lu son message de bienvenue à temps.", "The program did not read its welcome in time."
    ),
    "exited": Words("Le programme s’est arrêté.", "The program ended."),
    "killed": Words("Le système a arrêté le programme.", "The system ended the program."),
    "flood": Words(
        "Le programme écrit trop : une réponse tient en une ligne.",
        "The program writes too much: an answer is one line.",
    ),
    "processes": Words("Le programme a lancé trop de processus.", "The program started too many processes."),
    "memory": Words("Le programme occupe trop de mémoire.", "The program uses too much memory."),
    "not_started": Words("Le programme ne démarre pas.", "The program does not start."),
    "refused": Words(
        "Plusieurs réponses d’un même tour ont été refusées.", "Several answers of one turn were refused."
    ),
    "invalid": Words("Une réponse n’était pas permise.", "An answer was not allowed."),
    "no_isolation": Words(
        "Le serveur ne peut plus isoler les fichiers envoyés.", "The server cannot isolate uploaded files any more."
    ),
    "no_such_upload": Words("Le fichier envoyé n’est plus là.", "The uploaded file is gone."),
}
UNKNOWN = Words("Il a quitté la partie avant la fin.", "It left the match before the end.")


def sentence_for(code: str) -> Words:
    return SENTENCES.get(code) or FAILURES.get(code, UNKNOWN)
