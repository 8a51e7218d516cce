"""The flight recorder: what a program was told, what it answered, what it wrote to stderr, and what that took.

A file of lines of JSON, the first about the match, then one for every question to a program; it is written as the match
goes on, so that a match that was cut off has left its traces, too. The replay page shows it beside the board.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self

import msgspec

from quincunx.core.words import Refused, Words
from quincunx.match import MatchRecord, replay

if TYPE_CHECKING:
    from quincunx.players.programs.program import Program

FORMAT = 1
ENDING = ".flight.jsonl"
UNKNOWN = -1  # how many actions stand, of whoever plays elsewhere: see `completed`
LONGEST = 200_000  # characters of one message that are kept

UNWRITABLE = Words("Le journal {} ne peut pas être écrit ({}).", "The log {} cannot be written ({}).")


class Head(msgspec.Struct, tag_field="kind", tag="flight"):
    """What match it is."""

    game: str
    start_digest: str
    seats: list[str]  # the players, as the record names them
    format: int = FORMAT


class Turn(msgspec.Struct, tag_field="kind", tag="turn"):
    """One question to a program. Times are milliseconds."""

    seat: int
    after: int  # how many actions stood when it was asked
    at: int  # since the match began
    told: str
    said: list[str] = []
    refused: list[str] = []  # what was wrong with its answers, but for the last
    notes: str = ""  # on stderr
    wall: float = 0.0
    cpu: float = 0.0
    trouble: str = ""  # why it lost the match, or its turn
    allowed: int = 0  # what its clock had left when it was asked


class FlightRecorder:
    """Keeps turns; without a file, none. One that `goes_on` adds to what is there: a server may be started again."""

    def __init__(self, file: Path | None = None, goes_on: bool = False) -> None:
        self._path = file
        self._goes_on = goes_on
        self._file: BinaryIO | None = None

    @property
    def on(self) -> bool:
        return self._path is not None

    def begin(self, head: Head) -> None:
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("ab" if self._goes_on else "wb", buffering=0)
        except OSError as error:
            raise Refused("unwritable_folder", UNWRITABLE.format(self._path, error.strerror)) from None
        if not self._file.tell():
            self._file.write(msgspec.json.encode(head) + b"\n")

    def keep(self, turn: Turn) -> None:
        if self._file is not None:
            self._file.write(msgspec.json.encode(turn) + b"\n")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Notebook:
    """Notes each question to one program; it is kept when it is over, with the next one at the latest."""

    def __init__(self, recorder: FlightRecorder, seat: int, program: Program) -> None:
        self._recorder, self._seat, self._program = recorder, seat, program
        self._began = perf_counter()
        self._turn: Turn | None = None

    @property
    def is_open(self) -> bool:
        return self._turn is not None

    def ask(self, after: int) -> None:
        """It was asked, or has said already what it does next."""
        self.end()
        if self._recorder.on:
            at, allowed = round(1000 * (perf_counter() - self._began)), round(1000 * self._program.allowed)
            self._turn = Turn(self._seat, after, at, text_of(self._program.told), allowed=allowed)

    def hear(self, line: bytes) -> None:
        if self._turn is not None:
            self._turn.said.append(text_of(line))
            self._measure(self._turn)

    def _measure(self, turn: Turn) -> None:
        if self._program.process is not None:
            wall, cpu = self._program.used()
            turn.wall, turn.cpu = round(1000 * wall, 3), round(1000 * cpu, 3)

    def refuse(self, words: Words) -> None:
        if self._turn is not None:
            self._turn.refused.append(words.en)

    def end(self, trouble: str = "") -> None:
        turn, self._turn = self._turn, None
        if turn is None:
            return
        if trouble:
            self._measure(turn)
        if self._program.process is not None:
            turn.notes = self._program.notes()
        turn.trouble = trouble
        self._recorder.keep(turn)


def completed(data: bytes, record: MatchRecord) -> bytes:
    """The file of a match that was played elsewhere, with what only its record knows: who played, from where, and how
    many actions stood at each question. An answer that was taken is the next action of its seat."""
    head, turns = read_flight(data)
    if not turns:
        return data
    mine = [number for number, (seat, _) in enumerate(replay(record).standing) if seat == turns[0].seat]
    numbers = iter([*mine, *[len(mine) and mine[-1] + 1] * len(turns)])
    number = next(numbers)
    for turn in turns:
        turn.after = number
        if len(turn.said) > len(turn.refused) and not turn.trouble:
            number = next(numbers)
    head.start_digest, head.seats = record.start_digest, [seat.player for seat in record.seats]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (head, *turns))


def free_file(folder: Path, name: str) -> Path:
    """The first one of this name and a number that is not there."""
    files = (folder / f"{name}-{number:05}{ENDING}" for number in count())
    return next(file for file in files if not file.exists())


def text_of(message: bytes) -> str:
    """A message as it is kept."""
    text = message.decode(errors="replace")
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def read_flight(data: bytes) -> tuple[Head, list[Turn]]:
    """A file of the recorder, as far as it goes: its last line may be cut off."""
    lines = data.split(b"\n")
    head = msgspec.json.decode(lines[0], type=Head)
    turns = []
    for line in lines[1:-1]:
        turns.append(msgspec.json.decode(line, type=Turn))
    return head, turns
