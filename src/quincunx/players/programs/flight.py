"""The flight recorder: what a program was told, what it answered, what it wrote to stderr, and what that took.

A file of lines of JSON, the first about the match, then one for every question to a program; it is written as the match
goes on, so that a match that was cut off has left its traces, too. The replay page shows it beside the board.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from quincunx.core.words import Refused, Words

FORMAT = 1
ENDING = ".flight.jsonl"
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
    """Keeps turns; without a file, none."""

    def __init__(self, file: Path | None = None) -> None:
        self._path = file
        self._file: BinaryIO | None = None

    @property
    def on(self) -> bool:
        return self._path is not None

    def begin(self, head: Head) -> None:
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("wb", buffering=0)
        except OSError as error:
            raise Refused("unwritable_folder", UNWRITABLE.format(self._path, error.strerror)) from None
        self._file.write(msgspec.json.encode(head) + b"\n")

    def keep(self, turn: Turn) -> None:
        if self._file is not None:
            self._file.write(msgspec.json.encode(turn) + b"\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()


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
