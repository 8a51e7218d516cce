"""What a net sees of Garden Tensions: who stands where, how safe it is there, and what both clans have.

The garden is turned by half for player B, as in encoding.py. Of two sides mine comes first. Inputs, by their number:

    (side * 5 + creatures - 1) * 29 + cell               of each cell that somebody holds
    SOIL     (side * 7 + ground) * 5 + creatures - 1      the same, by what the cell is
    RISK     (side * 8 + danger) * 2 + special            in what danger it is, from 0 to 7
    STATE    side * 4 + 0 poisoned, 1 shielded, 2 stuck, 3 forged
    GOODS    (side * 4 + resource) * 13 + amount          12 = and more
    INCOME   (side * 4 + resource) * 13 + amount a turn
    STOCK    side * 10 + creatures to be placed
    POINTS   side * 17 + points of conquest
    HELD     side * 30 + cells;  CROWDS side * 40 + creatures / 2;  ZONES side * 4 + zones
    CLAN     mine * 4 + theirs
    TIME     rounds left, in eight steps;  PHASE conquest or reinforcement
"""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.core.structure import ints
from quincunx.games.garden.encoding import turned
from quincunx.games.garden.evaluate import danger
from quincunx.games.garden.hexes import CELLS
from quincunx.games.garden.land import zones
from quincunx.games.garden.state import CROWD, FREE, GROUNDS, PRICE, PROTECTED, State, Terms

VERSION = 1
RECIPE = {"habits": {"edge": 250, "turns": 1}}
SOIL = 2 * CROWD * CELLS
RISK = SOIL + 2 * GROUNDS * CROWD
STATE = RISK + 2 * 8 * 2
GOODS = STATE + 2 * 4
INCOME = GOODS + 2 * 4 * 13
STOCK = INCOME + 2 * 4 * 13
POINTS = STOCK + 2 * 10
HELD = POINTS + 2 * 17
CROWDS = HELD + 2 * 30
ZONES = CROWDS + 2 * 40
CLAN = ZONES + 2 * 4
TIME = CLAN + 16
PHASE = TIME + 8
INPUTS = PHASE + 2
MOST = 5 * CELLS + 2 * (4 + 4 + 5) + 3
STEPS = table([0, 1, 2, 3, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7])


@rule
def looks(terms: Terms, s: State) -> int:
    return s.player


@rule
def inputs(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    n, income = 0, ints(8)
    for cell in range(CELLS):
        owner, ground, crowd = s.owner[cell], terms.ground[cell], s.crowd[cell] - 1
        if owner == FREE or crowd < 0:
            continue
        side = 0 if owner == seat else 1
        income[side * 4 + terms.resource[cell]] += terms.amount[cell]
        out[n] = (side * CROWD + crowd) * CELLS + turned(seat, cell)
        out[n + 1] = SOIL + (side * GROUNDS + ground) * CROWD + crowd
        out[n + 2] = RISK + (side * 8 + min(7, danger(terms, s, cell) * 8 >> 16)) * 2 + (PRICE[ground] > 0)
        n += 3
        if s.condition[cell]:
            out[n] = STATE + side * 4 + (s.condition[cell] == PROTECTED)
            n += 1
        if s.stuck[cell]:
            out[n] = STATE + side * 4 + 2
            n += 1
        if s.forged[cell]:
            out[n] = STATE + side * 4 + 3
            n += 1
    for side in range(2):
        n = belongings(terms, s, seat if side == 0 else 1 - seat, side, income, out, n)
    out[n] = CLAN + terms.clan[seat] * 4 + terms.clan[1 - seat]
    out[n + 1] = TIME + STEPS[min(20, (2 * terms.rounds - s.turns) // 4)]
    out[n + 2] = PHASE + s.phase
    return n + 3


@rule
def belongings(terms: Terms, s: State, who: int, side: int, income: list[int], out: list[int], n: int) -> int:
    for resource in range(4):
        at = (side * 4 + resource) * 13
        out[n + resource] = GOODS + at + min(12, s.goods[who][resource])
        out[n + 4 + resource] = INCOME + at + min(12, income[side * 4 + resource])
    out[n + 8] = STOCK + side * 10 + min(9, s.stock[who])
    out[n + 9] = POINTS + side * 17 + min(16, s.points[who])
    out[n + 10] = HELD + side * 30 + s.cells[who]
    out[n + 11] = CROWDS + side * 40 + min(39, s.creatures[who] // 2)
    out[n + 12] = ZONES + side * 4 + zones(terms, s, who)
    return n + 13
