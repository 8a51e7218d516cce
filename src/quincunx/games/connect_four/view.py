"""Connect Four as a client sees it, and the story of a turn."""

from __future__ import annotations

import msgspec

from quincunx.core.board import Board, Cell, Event
from quincunx.core.words import Words
from quincunx.games.connect_four.notation import LETTERS, STONES, cell_name, stone_at
from quincunx.games.connect_four.rules import CELLS, COLUMNS, FELL, PITCH, ROWS, State, Terms, turn

ALIKE = True  # every observer is shown and told the same
COUNTED = ("count", 1)  # turns that are over, and how many of them make one for the story


class Shown(msgspec.Struct, frozen=True):
    columns: tuple[tuple[int, ...], ...]  # seats of the stones of each column, from the bottom
    count: int
    lined_up: bool
    line: tuple[str, ...]  # the cells of four in a row, of all such lines
    player: int  # who is to act, -3 when the game is over


class Fell(Event, frozen=True, tag="fell"):
    """A stone came to rest."""


class LinedUp(Event, frozen=True, tag="lined_up"):
    """Four in a row."""


def show(terms: Terms, view: State, seat: int) -> Shown:
    columns = tuple([_column(view, column) for column in range(COLUMNS)])
    line = _line(view.stones[view.count - 1 & 1]) if view.lined_up else ()
    return Shown(columns, view.count, bool(view.lined_up), line, turn(terms, view))


def _line(stones: int) -> tuple[str, ...]:
    """The cells of every four in a row, if there is one."""
    found = 0
    for way in (1, PITCH, PITCH + 1, PITCH - 1):
        ends = stones & stones >> way & stones >> 2 * way & stones >> 3 * way
        found |= ends | ends << way | ends << 2 * way | ends << 3 * way
    return tuple(cell_name(cell) for cell in range(CELLS + COLUMNS) if found >> cell & 1)


def _column(view: State, column: int) -> tuple[int, ...]:
    """From the bottom up to the first empty cell."""
    red = view.stones[1] >> column * PITCH
    height = ((view.stones[0] | view.stones[1]) >> column * PITCH & (1 << ROWS) - 1).bit_length()
    return tuple([red >> row & 1 for row in range(height)])


def ending(terms: Terms, s: State) -> Words:
    """Why it is over."""
    if not s.lined_up:
        return Words("La grille est pleine, sans quatre jetons alignés.", "The board is full, and nobody has four.")
    if (s.count - 1) & 1:
        return Words("Rouge aligne quatre jetons.", "Red has four in a row.")
    return Words("Jaune aligne quatre jetons.", "Yellow has four in a row.")


def board(terms: Terms, view: State, seat: int) -> Board:
    cells = tuple(
        tuple(_cell(stone_at(view, column, row)) for column in range(COLUMNS)) for row in range(ROWS - 1, -1, -1)
    )
    return Board(columns=tuple(LETTERS), rows=tuple("654321"), cells=cells)


def _cell(stone: int) -> Cell:
    return Cell(STONES[stone], stone, glyph="●") if stone >= 0 else Cell()


def tell(terms: Terms, observer: int, events: list[int]) -> list[Event]:
    return [_event(event >> 8, cell_name(event & 255)) for event in events]


def _event(kind: int, cell: str) -> Event:
    if kind == FELL:
        return Fell(words=Words("jeton en {}", "disc on {}").format(cell), cells=(cell,))
    return LinedUp(
        words=Words("quatre jetons alignés par {} !", "four in a row through {}!").format(cell), cells=(cell,)
    )
