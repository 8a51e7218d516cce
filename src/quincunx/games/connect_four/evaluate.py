"""Connect Four for search: stones near the middle belong to more lines."""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.games.connect_four.rules import COLUMNS, PITCH, ROWS, State, Terms

WORTH = table([3, 4, 5, 7, 5, 4, 3])  # of a column: about the lines that run through it


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    balance = 0
    for column in range(COLUMNS):
        for row in range(ROWS):
            cell = column * PITCH + row
            balance += WORTH[column] * ((s.stones[seat] >> cell & 1) - (s.stones[1 - seat] >> cell & 1))
    return -balance if terms.misere else balance


@rule
def rank(terms: Terms, s: State, seat: int, action: int) -> int:
    return WORTH[action]
