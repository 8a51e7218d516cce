"""What a net sees of Khet: each piece, as it looks, on its square. Red sees the board turned by half (encoding.py)."""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.games.khet.encoding import PLANE, PLANES
from quincunx.games.khet.rules import SQUARES, State, Terms

VERSION = 1
INPUTS = len(PLANES) * SQUARES
MOST = 26


@rule
def looks(terms: Terms, s: State) -> int:
    return s.player


@rule
def inputs(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    n = 0
    for square in range(SQUARES):
        piece = s.board[square]
        if piece:
            out[n] = PLANE[seat][piece] * SQUARES + (SQUARES - 1 - square if seat else square)
            n += 1
    return n
