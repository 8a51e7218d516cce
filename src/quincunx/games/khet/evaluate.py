"""Khet for search: what is left of both sides, and how far the pharaoh is from the open."""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.games.khet.rules import NEIGHBOUR, PHARAOH, SQUARES, State, Terms

WORTH = table([0, 0, 0, 100, 120, 0, 0, 0])  # by kind; scarabs, sphinxes and the pharaoh are never lost for nothing
GUARD = 8  # for each square beside a pharaoh through which no beam comes straight at it


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    balance = 0
    for square in range(SQUARES):
        piece = s.board[square]
        if piece == 0:
            continue
        worth = WORTH[piece >> 2 & 7]
        if piece >> 2 & 7 == PHARAOH:
            for side in range(0, 8, 2):
                beside = NEIGHBOUR[square][side]
                if beside < 0 or s.board[beside]:
                    worth += GUARD
        balance += worth if piece >> 5 == seat else -worth
    return balance
