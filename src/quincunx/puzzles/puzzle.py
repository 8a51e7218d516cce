"""A puzzle, and the shelf of those that a game ships: puzzles.jsonl in its folder, one puzzle a line.

A position is what `Game.position` prints. Where a game has fog, who solves it is shown the seat's view of that position
and no more; the answer is best over the worlds that the seat can imagine.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import msgspec

from quincunx.core.options import Value
from quincunx.core.words import Refused, Words
from quincunx.games import Game, World, package

FILE = "puzzles.jsonl"
LONGEST_ID = 8

Goal = Literal["win", "save", "best"]

NO_PUZZLE = Words("Ce problème n’existe pas.", "There is no such puzzle.")


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str  # of the position and the options
    position: str
    seat: int  # who is to find the answer
    answer: str
    rating: int  # how much search it takes to find: as much as an opponent of this rating
    goal: Goal  # a proven win; the only action that does not lose; or the one that is clearly best
    chances: tuple[float, float]  # to win, after the answer and after the best of the others
    options: dict[str, Value] = {}  # those that are not the default
    line: tuple[str, ...] = ()  # how it goes on after the answer, where no dice fall and nothing is hidden
    replies: str = ""  # to each action, in the order in which they are listed; separated by |
    worths: tuple[int, ...] = ()  # of each action, in that order, where dice or fog allow no reply; -1: not looked at
    source: int = 0  # the seed of the match that it is from; 0: a record
    held: int = 0  # so many times the effort that verified it, and it held; `quincunx puzzles verify --prune` notes it

    def world(self, game: Game) -> World:
        options: dict[str, Any] = {**self.options}
        return game.new(position=self.position, **options)


def id_of(game: str, position: str, options: dict[str, Value]) -> str:
    told = f"{game} {position} {sorted(options.items())}"
    return sha256(told.encode()).hexdigest()[:LONGEST_ID]


def folder_of(game: str) -> Path:
    return Path(str(package(game).__file__)).parent


def file_of(game: str) -> Path:
    return folder_of(game) / FILE


def read(file: Path) -> list[Puzzle]:
    """Those of a file; none if there is no such file."""
    if not file.is_file():
        return []
    return [msgspec.json.decode(line, type=Puzzle) for line in file.read_bytes().splitlines() if line]


def line_of(puzzle: Puzzle) -> str:
    return msgspec.json.encode(puzzle).decode() + "\n"


@cache
def shelf(game: str) -> tuple[Puzzle, ...]:
    """What a game ships, the easy ones first."""
    return tuple(sorted(read(file_of(game)), key=lambda each: (each.rating, each.id)))


def find(game: str, id: str) -> Puzzle:
    found = next((each for each in shelf(game) if each.id == id), None)
    if found is None:
        raise Refused("no_such_puzzle", NO_PUZZLE)
    return found
