"""A picture of a board that any client can draw without knowing the game: a grid of short texts; events, and ripples.

Terminals draw it as it is; pages have a component of their own for most games and this one for all others.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from quincunx.core.words import Words


class Cell(msgspec.Struct, frozen=True):
    text: str = ""  # in the game's notation
    owner: int = -1  # the seat whose colour it has
    ground: str = ""  # "" plain, "reserved0" of seat 0, "wall", "unknown", or another word of the game
    strong: bool = False  # the piece that matters most
    glyph: str = ""  # one or two characters that look better than the text, where there are any


class Board(msgspec.Struct, frozen=True):
    columns: tuple[str, ...]  # names, from left to right
    rows: tuple[str, ...]  # names, from top to bottom
    cells: tuple[tuple[Cell, ...], ...]  # one tuple a row
    notes: tuple[Words, ...] = ()  # what else there is to know: resources, counters
    hexagonal: bool = False  # rows are shifted by half a cell so that they centre


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """One thing that happened, as a seat saw it; each game adds kinds with fields of their own."""

    words: Words  # a clause, without the side whose doing it is: "anubis G8–F7"
    cells: tuple[str, ...] = ()  # where, in the game's notation
    turn: int = 0  # in which turn, as the game counts them from 1; 0 until the façade fills it in
    by: int = -1  # the seat whose doing it is; -1: the dice, or all at once
    line: Literal["always", "once", "never"] = "always"  # of the list that people read: never what only a drawing needs


class Ripple(NamedTuple):
    """What an action changes, where a game can say that without a look through every eye.

    All but its own seat, or that seat too (`own`), are shown nothing else than before but `shown`: fields of what
    `show` gives, before and after. They are told of it what the public is. Who is still to act may do what it could.
    """

    shown: dict[str, tuple[Any, Any]]
    own: bool
