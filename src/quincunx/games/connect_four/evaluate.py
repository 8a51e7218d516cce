"""Connect Four for search: which cells would complete a four, and what follows from that.

Four stones in a row win, so all that counts is read off masks of cells: where a side would win, where the next stones
fall. Misère knows no such shortcuts: there the same evaluation counts the other way round.
"""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.core.hints import NOISY
from quincunx.games.connect_four.rules import CELLS, COLUMNS, PITCH, ROWS, State, Terms

WORTH = table([3, 4, 5, 7, 5, 4, 3])  # of a column: about the lines that run through it
BOTTOM = sum(1 << column * PITCH for column in range(COLUMNS))
BOARD = BOTTOM * ((1 << ROWS) - 1)
INNER, MIDDLE, CENTRE = (sum(0x3F << c * PITCH for c in columns) for columns in ((1, 2, 3, 4, 5), (2, 3, 4), (3,)))
ODD_ROWS = BOTTOM * 0b010101  # the first, the third and the fifth
THREAT, KEPT = 12, 18  # of a cell that would win; more if it is likely to be one's own in the end


@rule
def in_line(stones: int, step: int) -> int:
    """The cells that would complete a four in one direction, taken or not."""
    pair = stones << step & stones << 2 * step
    found = pair & (stones << 3 * step | stones >> step)
    pair = stones >> step & stones >> 2 * step
    return found | pair & (stones << step | stones >> 3 * step)


@rule
def winning(stones: int, taken: int) -> int:
    """The empty cells, reachable or not, that would complete a four."""
    up = stones << 1 & stones << 2 & stones << 3
    found = up | in_line(stones, PITCH) | in_line(stones, PITCH - 1) | in_line(stones, PITCH + 1)
    return found & BOARD & ~taken


@rule
def reachable(taken: int) -> int:
    """Where the next stone can come to rest."""
    return taken + BOTTOM & BOARD


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    balance = standing(s, seat) - standing(s, 1 - seat)
    return -balance if terms.misere else balance


@rule
def standing(s: State, seat: int) -> int:
    """Stones by their columns, and threats: when only they are left, seat 0 fills odd rows and seat 1 even ones."""
    stones, threats = s.stones[seat], winning(s.stones[seat], s.stones[0] | s.stones[1])
    columns = 3 * stones.bit_count() + (stones & INNER).bit_count() + (stones & MIDDLE).bit_count()
    kept = threats & ODD_ROWS if seat == 0 else threats & ~ODD_ROWS
    return columns + 2 * (stones & CENTRE).bit_count() + THREAT * threats.bit_count() + KEPT * kept.bit_count()


@rule
def rank(terms: Terms, s: State, seat: int, action: int) -> int:
    return WORTH[action]


@rule
def rank_all(terms: Terms, s: State, seat: int, out: list[int], n: int, marks: list[int]) -> None:
    """By how many threats there are afterwards, then by column. All of them are called noisy: that this order was wrong
    elsewhere, in the same column, says nothing about this position."""
    mine, taken = s.stones[seat], s.stones[0] | s.stones[1]
    for k in range(n):
        stone = reachable(taken) & 0x7F << out[k] * PITCH
        threats = winning(mine | stone, taken | stone).bit_count()
        if winning(mine, taken) & stone:
            threats = 9
        marks[k] = NOISY + WORTH[out[k]] + 100 * (9 - threats if terms.misere else threats)


@rule
def noisy_actions(terms: Terms, s: State, seat: int, out: list[int], marks: list[int]) -> int:
    """An action that wins, if there is one."""
    taken = s.stones[0] | s.stones[1]
    wins = 0 if terms.misere else winning(s.stones[seat], taken) & reachable(taken)
    if wins == 0:
        return 0
    out[0], marks[0] = (wins.bit_length() - 1) // PITCH, NOISY + 1000
    return 1


@rule
def in_check(terms: Terms, s: State, seat: int) -> bool:
    taken = s.stones[0] | s.stones[1]
    return terms.misere == 0 and winning(s.stones[1 - seat], taken) & reachable(taken) != 0


@rule
def consider(terms: Terms, s: State, seat: int, out: list[int], n: int) -> int:
    """What wins at once, or else what does not lose at once, if there is any."""
    if terms.misere:
        return n
    cells, kept = sound_cells(s.stones[seat], s.stones[1 - seat]), 0
    for k in range(n):
        if cells & 0x7F << out[k] * PITCH:
            out[kept] = out[k]
            kept += 1
    return kept


@rule
def sound_cells(mine: int, theirs: int) -> int:
    """Where a stone wins; or takes the cell where they would win; and is not below another such cell."""
    taken = mine | theirs
    cells, threats = reachable(taken), winning(theirs, taken)
    if winning(mine, taken) & cells:
        return winning(mine, taken) & cells
    if threats & cells:
        cells &= threats
    safe = cells & ~(threats >> 1)
    return safe if safe else cells


@rule
def plies_left(terms: Terms, s: State) -> int:
    return CELLS - s.count
