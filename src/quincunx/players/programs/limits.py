"""What a program may use, and the ways in which it can fail; each failure has a code and a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from quincunx.core.words import Words

LINE = 1 << 20  # bytes of one answer
UNASKED = 4 << 20  # bytes of answers that nobody has asked for
NOTES = 64 << 10  # bytes of stderr that are kept for each turn
LAST_WORDS = 400  # characters of stderr that a reason quotes


@dataclass(frozen=True)
class Limits:
    """Of one program. `turn` and `start` are seconds by the wall clock."""

    turn: float = 5.0  # for one turn, however many actions it is
    start: float = 10.0  # more for the first answer of a process: some languages are slow to start
    memory: int = 1 << 30  # bytes of each of its processes
    processes: int = 64  # it and all that it starts
    file_size: int = 64 << 20  # bytes of a file that it writes
    refusals: int = 3  # actions of one turn that are not legal: with the last of them it loses
    isolate: bool = False  # without network, and with everything else read-only


class Trouble(Exception):
    """What a program did that ends its match: `late` is the clock's affair, all others are forfeits."""

    def __init__(self, code: str, words: Words, notes: str = "") -> None:
        super().__init__(words.en)
        self.code = code
        self.words = words
        self.notes = notes  # the last that it wrote to stderr

    @property
    def reason(self) -> str:
        """For the record."""
        notes = " | ".join(self.notes.split("\n"))
        return f"{self.code}: {self.words.en}" + (f" stderr: {notes}" if notes else "")


LATE = Words("Le programme n’a pas répondu à temps.", "The program did not answer in time.")
CLOSED = Words("Le programme a fermé sa sortie.", "The program closed its output.")
EXITED = Words("Le programme s’est arrêté (code {}).", "The program ended (exit code {}).")
KILLED = Words("Le programme a été arrêté par le signal {}.", "The program was ended by signal {}.")
FLOOD = Words(
    "Le programme écrit trop : une réponse tient en une ligne de {} octets au plus.",
    "The program writes too much: an answer is one line of at most {} bytes.",
)
TOO_MANY = Words("Le programme a lancé plus de {} processus.", "The program started more than {} processes.")
TOO_LARGE = Words("Le programme occupe plus de {} Mo de mémoire.", "The program uses more than {} MB of memory.")
NOT_STARTED = Words("Le programme {} ne démarre pas ({}).", "The program {} does not start ({}).")
GARBAGE = Words("Réponse illisible : {}.", "Unreadable answer: {}.")
REFUSED = Words(
    "{} réponses refusées dans un tour ; la dernière : {} ({})", "{} answers refused in one turn; the last one: {} ({})"
)
INVALID = Words("Réponse interdite : {} ({})", "Invalid answer: {} ({})")
