"""What a program may use, and the ways in which it can fail; sentences for them are in match/failures.py."""

from __future__ import annotations

from dataclasses import dataclass

from quincunx.core.words import Refused
from quincunx.match.failures import FAILURES

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

    def __init__(self, code: str, *detail: object, notes: str = "") -> None:
        """A refusal among the details is told in its words, and kept by its code."""
        told = [each.words if isinstance(each, Refused) else each for each in detail]
        self.words = FAILURES[code].format(*told)
        super().__init__(self.words.en)
        self.code = code
        self.detail = tuple(each.code if isinstance(each, Refused) else str(each) for each in detail)
        self.notes = notes  # the last that it wrote to stderr

    @property
    def reason(self) -> str:
        """For a log."""
        notes = " | ".join(self.notes.split("\n"))
        return f"{self.code}: {self.words.en}" + (f" stderr: {notes}" if notes else "")
