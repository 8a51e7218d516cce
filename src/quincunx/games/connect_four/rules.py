"""Connect Four: stones fall into seven columns of six; four in a row win.

     a   b   c   d   e   f   g        a cell is a bit, seven bits a column, the top one always empty,
6    5  12  19  26  33  40  47        so that lines do not run over from one column into the next
5    4  11  18  25  32  39  46
4    3  10  17  24  31  38  45        the stones of a seat are one number of 49 bits
3    2   9  16  23  30  37  44
2    1   8  15  22  29  36  43        an action is a column: 0..6
1    0   7  14  21  28  35  42
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core import contract
from quincunx.core.contract import NOBODY, NONSENSE, NOT_TO_ACT, Log, tell
from quincunx.core.engine import rule
from quincunx.core.structure import i8, i64

COLUMNS, ROWS = 7, 6
PITCH = ROWS + 1  # from a cell to its right neighbour
CELLS = COLUMNS * ROWS

MAX_LEGAL = COLUMNS
LISTS_ALL = True

COLUMN_FULL = 3  # a refusal

FELL, LINED_UP = 1, 2  # events: kind << 8 | cell


class Terms(contract.Terms):
    misere: i8  # who lines up four loses


class State(contract.State):
    stones: Annotated[list[i64], 2]
    count: i8  # of stones; seat 0 plays the even ones
    lined_up: i8  # does the last player have four in a row?


View = State


@rule
def turn(terms: Terms, s: State) -> int:
    return NOBODY if s.lined_up or s.count == CELLS else s.count & 1


@rule
def legal(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    taken = s.stones[0] | s.stones[1]
    n = 0
    for column in range(COLUMNS):
        out[n] = column  # the next one takes its place if it is full: a branch would cost more
        n += 1 - (taken >> column * PITCH + ROWS - 1 & 1)
    return n


@rule
def check(terms: Terms, s: State, seat: int, action: int) -> int:
    if turn(terms, s) != seat:
        return NOT_TO_ACT
    if not 0 <= action < COLUMNS:
        return NONSENSE
    taken = s.stones[0] | s.stones[1]
    return COLUMN_FULL if taken >> action * PITCH + ROWS - 1 & 1 else 0


@rule
def apply(terms: Terms, s: State, seat: int, action: int, log: Log) -> None:
    taken = s.stones[0] | s.stones[1]
    stone = taken + (1 << action * PITCH) & ~taken & 0x7F << action * PITCH  # the lowest empty cell of the column
    s.stones[seat] |= stone
    s.count += 1
    s.lined_up = int(four(s.stones[seat]))
    if log.count < len(log.events):  # a silent log does not ask where the stone came to rest
        tell(log, FELL << 8 | cell_of(stone, action))
        if s.lined_up:
            tell(log, LINED_UP << 8 | cell_of(stone, action))


@rule
def cell_of(stone: int, column: int) -> int:
    cell = column * PITCH
    while stone >> cell > 1:
        cell += 1
    return cell


@rule
def four(stones: int) -> bool:
    """Are there four in a row: up, across, or on a diagonal?"""
    up = stones & stones >> 1
    across = stones & stones >> PITCH
    rising = stones & stones >> PITCH + 1
    falling = stones & stones >> PITCH - 1
    return (up & up >> 2 | across & across >> 2 * PITCH | rising & rising >> 2 * PITCH + 2) != 0 or (
        falling & falling >> 2 * PITCH - 2
    ) != 0


@rule
def score(terms: Terms, s: State, seat: int) -> int:
    """1 for the winner, -1 for the loser, 0 otherwise."""
    if s.lined_up == 0:
        return 0
    last = s.count - 1 & 1
    return 1 if (seat == last) != (terms.misere == 1) else -1


@rule
def key(terms: Terms, s: State) -> int:
    """No two positions share it: the stones of the one who is to move, and a bit above the top stone of each column."""
    taken = s.stones[0] | s.stones[1]
    return s.stones[s.count & 1] + taken + 0x40810204081
