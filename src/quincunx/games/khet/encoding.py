"""Khet for learning: a plane for each kind of piece and way it looks, and ten numbers a square.

The board is turned by half for red: each side has its own sphinx at the bottom right. A number is square * 10 + what:
0..7 a step (N NE E SE S SW W NW), 8 a turn clockwise, 9 counter-clockwise.
"""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.core.structure import i8, i32
from quincunx.games.khet.evaluate import repetitions
from quincunx.games.khet.notation import square_name
from quincunx.games.khet.rules import (
    ANUBIS,
    CLOCKWISE,
    COUNTER,
    HEIGHT,
    PHARAOH,
    PYRAMID,
    SCARAB,
    SPHINX,
    SQUARES,
    WIDTH,
    State,
    Terms,
)

VERSION = 1
_KINDS = (  # planes of one side: kind, facing as its owner sees it (-1: any), name; a sphinx has two ways to look
    (PHARAOH, -1, "pharaoh"),
    (SPHINX, 0, "sphinx along its column"),
    (SPHINX, 1, "sphinx along its row"),
    *((PYRAMID, facing, f"pyramid {way}") for facing, way in enumerate(("NE", "SE", "SW", "NW"))),
    *((ANUBIS, facing, f"anubis {way}") for facing, way in enumerate("NESW")),
    (SCARAB, 0, "scarab \\"),
    (SCARAB, 1, "scarab /"),
)
PLANES = tuple(f"{side} {name}" for side in ("mine", "theirs") for _, _, name in _KINDS)
SCALARS = ("quiet turns", "times this position was there before", "draws", "pharaoh rotates")
WHATS = COUNTER + 1
NAMES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW", "clockwise", "counter-clockwise")


def _plane(seat: int, piece: int) -> int:
    """Where a seat sees a piece (colour << 5 | kind << 2 | facing); -1 if there is no such piece."""
    side, kind, facing = int(piece >> 5 != seat), piece >> 2 & 7, piece & 3
    if kind == SPHINX or kind == SCARAB:
        facing &= 1  # half a turn leaves them as they look
    elif seat == 1:
        facing = facing + 2 & 3
    for k, (of, way, _) in enumerate(_KINDS):
        if of == kind and way in (-1, facing):
            return side * len(_KINDS) + k
    return -1


PLANE = table([[_plane(seat, piece) for piece in range(64)] for seat in range(2)])


def size(terms: Terms) -> tuple[int, int]:
    return HEIGHT, WIDTH


def actions(terms: Terms) -> int:
    return SQUARES * WHATS


def name(terms: Terms, number: int) -> str:
    return f"{square_name(number // WHATS)} {NAMES[number % WHATS]}"


@rule
def encode(terms: Terms, view: State, seat: int, planes: list[i8], scalars: list[i32]) -> None:
    for square in range(SQUARES):
        piece = view.board[square]
        if piece:
            planes[PLANE[seat][piece] * SQUARES + (SQUARES - 1 - square if seat else square)] = 1
    scalars[0], scalars[1] = view.quiet, repetitions(terms, view)
    scalars[2], scalars[3] = terms.draws, terms.pharaoh_rotates


@rule
def number_of(terms: Terms, s: State, seat: int, action: int) -> int:
    square, what = action >> 4, action & 15
    if seat == 0:
        return square * WHATS + what
    return (SQUARES - 1 - square) * WHATS + (what ^ 4 if what < CLOCKWISE else what)


@rule
def action_of(terms: Terms, s: State, seat: int, number: int) -> int:
    square, what = number // WHATS, number % WHATS
    if seat == 0:
        return square << 4 | what
    return SQUARES - 1 - square << 4 | (what ^ 4 if what < CLOCKWISE else what)
