"""Connect Four for learning: two planes of stones, and a column is its own number.

y 0 is row 6, the top; x 0 is column a. The stones of the seat that looks come first.
"""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.core.structure import i8, i32
from quincunx.games.connect_four.rules import CELLS, COLUMNS, PITCH, ROWS, State, Terms

VERSION = 1
PLANES = ("mine", "theirs")
SCALARS = ("misere",)


def size(terms: Terms) -> tuple[int, int]:
    return ROWS, COLUMNS


def actions(terms: Terms) -> int:
    return COLUMNS


def name(terms: Terms, number: int) -> str:
    return "abcdefg"[number]


@rule
def encode(terms: Terms, view: State, seat: int, planes: list[i8], scalars: list[i32]) -> None:
    mine, theirs = view.stones[seat], view.stones[1 - seat]
    for y in range(ROWS):
        for x in range(COLUMNS):
            cell = x * PITCH + ROWS - 1 - y
            planes[y * COLUMNS + x] = mine >> cell & 1
            planes[CELLS + y * COLUMNS + x] = theirs >> cell & 1
    scalars[0] = terms.misere


@rule
def number_of(terms: Terms, s: State, seat: int, action: int) -> int:
    return action


@rule
def action_of(terms: Terms, s: State, seat: int, number: int) -> int:
    return number


@rule
def write_mask(terms: Terms, s: State, seat: int, out: list[int], mask: list[i8]) -> None:
    taken = s.stones[0] | s.stones[1]
    for column in range(COLUMNS):
        mask[column] = 1 - (taken >> column * PITCH + ROWS - 1 & 1)
