"""Why a seat failed that a program or a computer held: a code and details for the record, a sentence for people.

    {"event": "forfeit", "seat": 1, "reason": "exited", "detail": ["3"], "notes": "KeyError: 'shown'"}
    Red forfeits the match. The program ended (exit code 3).

Records speak no language; older ones have a whole English sentence as their reason, which is read back here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from quincunx.core.words import Words

NOT_STARTED = Words("Le programme {} ne démarre pas ({}).", "The program {} does not start ({}).")
FAILURES = {
    "late": Words("Le programme n’a pas répondu à temps.", "The program did not answer in time."),
    "deaf": Words(
        "Le programme n’a pas lu son message de bienvenue en {} s.", "The program did not read its welcome within {} s."
    ),
    "closed": Words("Le programme a fermé sa sortie.", "The program closed its output."),
    "exited": Words("Le programme s’est arrêté (code {}).", "The program ended (exit code {})."),
    "killed": Words("Le programme a été arrêté par le signal {}.", "The program was ended by signal {}."),
    "flood": Words(
        "Le programme écrit trop : une réponse tient en une ligne de {} octets au plus.",
        "The program writes too much: an answer is one line of at most {} bytes.",
    ),
    "processes": Words("Le programme a lancé plus de {} processus.", "The program started more than {} processes."),
    "memory": Words("Le programme occupe plus de {} Mo de mémoire.", "The program uses more than {} MB of memory."),
    "not_started": NOT_STARTED,
    "refused": Words(
        "{} réponses refusées dans un tour ; la dernière : {} ({})",
        "{} answers refused in one turn; the last one: {} ({})",
    ),
    "invalid": Words("Réponse interdite : {} ({})", "Invalid answer: {} ({})"),
    "absent": Words("Le programme est resté absent {} s.", "The program was away for {} s."),
    "no_action": Words("Aucune action n’est venue.", "No action came."),
}
ANSWERS = {  # why an answer was refused, where no game says so
    "garbage": Words("illisible", "unreadable"),
    "unreadable": Words("illisible", "unreadable"),
}


def sentence(reason: str, detail: Sequence[str], refusals: Mapping[str, Words]) -> Words | None:
    """In words, or None if there are none for it; `refusals` says what a game calls what it does not take."""
    code, _, rest = reason.partition(": ")
    words = FAILURES.get(code)
    if words is None:
        return None
    if rest:  # an older record
        found = re.match(re.escape(words.en).replace(r"\{\}", "(.*)"), rest, re.DOTALL)
        if found is None:
            return Words(rest, rest)
        detail = found.groups()
    if len(detail) != words.en.count("{}"):
        return None
    known = {**ANSWERS, **{code: _clause(words) for code, words in refusals.items()}}
    last = [known.get(text, text) for text in detail[-1:]] if code in ("refused", "invalid") else list(detail[-1:])
    return words.format(*detail[:-1], *last)


def _clause(words: Words) -> Words:
    """As it stands in brackets."""
    return Words(words.fr.rstrip("."), words.en.rstrip("."))
