"""Connect Four as a client sees it, and the story of a turn."""

from __future__ import annotations

import msgspec

from quincunx.core.board import Board, Cell, Event
from quincunx.core.words import Words
from quincunx.games.connect_four.notation import LETTERS, STONES, cell_name, stone_at
from quincunx.games.connect_four.rules import COLUMNS, FELL, ROWS, State, Terms


class Shown(msgspec.Struct, frozen=True):
    columns: tuple[tuple[int, ...], ...]  # seats of the stones of each column, from the bottom
    count: int
    lined_up: bool


class Fell(Event, frozen=True, tag="fell"):
    """A stone came to rest."""


class LinedUp(Event, frozen=True, tag="lined_up"):
    """Four in a row."""


def show(terms: Terms, view: State, seat: int) -> Shown:
    columns = tuple(
        tuple(stone for row in range(ROWS) if (stone := stone_at(view, column, row)) >= 0) for column in range(COLUMNS)
    )
    return Shown(columns, view.count, bool(view.lined_up))


def board(terms: Terms, view: State, seat: int) -> Board:
    cells = tuple(
        tuple(_cell(stone_at(view, column, row)) for column in range(COLUMNS)) for row in range(ROWS - 1, -1, -1)
    )
    return Board(columns=tuple(LETTERS), rows=tuple("654321"), cells=cells)


def _cell(stone: int) -> Cell:
    return Cell(STONES[stone], "●", owner=stone) if stone >= 0 else Cell()


def tell(terms: Terms, observer: int, events: list[int]) -> list[Event]:
    return [_event(event >> 8, cell_name(event & 255)) for event in events]


def _event(kind: int, cell: str) -> Event:
    if kind == FELL:
        return Fell(words=Words("Un jeton tombe en {}.", "A stone falls to {}.").format(cell), cells=(cell,))
    return LinedUp(
        words=Words("Quatre jetons alignés par {} !", "Four in a row through {}!").format(cell), cells=(cell,)
    )
