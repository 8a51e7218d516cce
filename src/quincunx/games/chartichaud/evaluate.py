"""Chartichaud for search: points, work for civilians, soldiers that can win, and what the next enemy turn may cost.

A playout plays every useful action, in an order of its own, and then ends the turn: harvest first, civilians to free
gold, soldiers in one body to whom they can beat.
"""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.core.hints import Hints
from quincunx.core.random import Random, below
from quincunx.core.structure import i64, ints
from quincunx.games.chartichaud.grid import (
    BUILDING,
    CIVILIAN,
    EAST,
    MILITARY,
    NORTH,
    PITCH,
    SOUTH,
    STEP,
    WEST,
    State,
    Terms,
    borders,
    buildings,
    count,
    has,
    military,
    price,
)
from quincunx.games.chartichaud.rules import END, HARVEST, MAKE, MOVE, clash

HINTS = Hints(
    look_ahead=32, edge=600, eager=4, exploration=0.2, trust=2.0
)  # what a soldier made early pays, it pays late

WEIGHTS = (  # name, value, and the range that a tuner may try; ten are a point
    ("gold", 3, 0, 10),  # in the purse, of the first thirty
    ("building", 100, 0, 300),  # the first one
    ("crowd", 40, 0, 120),  # taken off for each civilian too many
    ("risk", 5, 0, 20),  # taken off for each gold that units cost which the enemy may beat
    ("civilian", 10, 0, 60),
    ("soldier", 35, 0, 120),
    ("house", 20, 0, 80),  # every building
    ("dig", 33, 0, 100),  # a civilian on gold
    ("seam", 12, 0, 40),  # and for each gold there
    ("walk", 43, 10, 100),  # one beside free gold
    ("hunt", 20, 0, 60),  # a soldier beside whom it can beat
)
WEIGHT = table([value for _, value, _, _ in WEIGHTS])
W_GOLD, W_BUILDING, W_CROWD, W_RISK, W_CIVILIAN, W_SOLDIER, W_HOUSE, W_DIG, W_SEAM, W_WALK, W_HUNT = range(len(WEIGHTS))

USEFUL = 400  # the rank from which a playout takes an action
FAR = 99
LATE = 60  # turns before the end in which gold and units lose their worth


# -- where to go -----------------------------------------------------------------------------------------------------


@rule
def nearest(terms: Terms, wanted: list[i64], taken: list[i64], heed: int, cell: int) -> int:
    """The nearest wanted cell, or -1; if heed is -1 and not 0, one that is not taken."""
    x, y = cell % PITCH, cell // PITCH
    best, found = FAR, -1
    for away in range(max(y, terms.height - 1 - y) + 1):
        if away >= best:
            break
        for side in range(2 if away else 1):
            v = y - away if side == 0 else y + away
            if not 0 <= v < terms.height:
                continue
            row = wanted[v] & ~(taken[v] & heed)
            right, left = row >> x, row & (1 << x) - 1
            if right:
                ahead = (right & -right).bit_length() - 1
                if away + ahead < best:
                    best, found = away + ahead, v * PITCH + x + ahead
            if left:
                behind = x - (left.bit_length() - 1)
                if away + behind < best:
                    best, found = away + behind, v * PITCH + x - behind
    return found


@rule
def nearest_enemy(terms: Terms, s: State, seat: int, cell: int) -> int:
    return nearest(terms, s.occupied[1 - seat], s.occupied[seat], 0, cell)


@rule
def distance(one: int, other: int) -> int:
    return abs(one % PITCH - other % PITCH) + abs(one // PITCH - other // PITCH)


@rule
def way(start: int, end: int) -> int:
    """The direction of a walk: along the longer side first, so that all who start here keep together."""
    right, down = end % PITCH - start % PITCH, end // PITCH - start // PITCH
    if abs(right) >= abs(down):
        return EAST if right > 0 else WEST
    return SOUTH if down > 0 else NORTH


@rule
def soldiers_around(terms: Terms, s: State, seat: int, cell: int) -> int:
    """How many soldiers of a seat stand on a cell or beside it: so many can be there in the next turn."""
    soldiers = military(s.units[seat][cell])
    for direction in range(4):
        if borders(terms, cell, direction):
            soldiers += military(s.units[seat][cell + STEP[direction]])
    return soldiers


@rule
def is_safe(terms: Terms, s: State, seat: int, cell: int) -> bool:
    return clash(soldiers_around(terms, s, 1 - seat, cell), military(s.units[seat][cell])) <= 0


@rule
def workers_wanted(s: State) -> int:
    return 3 + s.lodes // 2


# -- how promising an action looks -----------------------------------------------------------------------------------


@rule
def rank(terms: Terms, s: State, seat: int, action: int) -> int:
    verb, kind, direction, cell = action >> 16, action >> 14 & 3, action >> 12 & 3, action & 0xFFF
    if action == END:
        return 100
    if verb == HARVEST:
        return 900
    if verb == MAKE:
        return rank_new(terms, s, seat, kind)
    if kind == MILITARY:
        return rank_march(s, seat, cell, direction, nearest_enemy(terms, s, seat, cell))
    return rank_walk(terms, s, seat, cell, direction)


@rule
def rank_new(terms: Terms, s: State, seat: int, kind: int) -> int:
    """A first building, workers for half of the gold, a soldier for every three; late in the match only soldiers.

    A soldier that is wanted is saved for: early ones find civilians that nobody guards.
    """
    left = terms.turns - s.turns
    own, other = s.forces[seat], s.forces[1 - seat]
    if kind == BUILDING:
        if buildings(own) == 0:
            return 800 if left > LATE // 2 else 50
        return 450 if s.purse[seat] > 25 + 15 * buildings(own) and left > LATE else 50
    short = count(own, CIVILIAN) < workers_wanted(s) and left > LATE // 3
    weak = military(own) < max(military(other), count(own, CIVILIAN) // 3)
    if kind == CIVILIAN:
        return 700 if short and not weak else 50
    return 720 if weak else 50 if short else 500


@rule
def rank_walk(terms: Terms, s: State, seat: int, cell: int, direction: int) -> int:
    """A civilian flees what it cannot stand, or goes to the nearest gold that nobody works on."""
    to = cell + STEP[direction]
    if not is_safe(terms, s, seat, to):
        return 0
    if not is_safe(terms, s, seat, cell):
        return 650
    if s.gold[cell] and not has(s.reaped[cell // PITCH], cell % PITCH):
        return 0
    target = nearest(terms, s.ore, s.occupied[seat], -1, cell)
    if target < 0:
        return 50
    return 500 if distance(to, target) < distance(cell, target) else 0


@rule
def rank_march(s: State, seat: int, cell: int, direction: int, target: int) -> int:
    """Soldiers attack what they can beat with all who stand here or there already, and walk towards it."""
    to = cell + STEP[direction]
    strength = military(s.units[seat][cell]) + military(s.units[seat][to])
    if s.units[1 - seat][to]:
        return 850 if clash(strength, military(s.units[1 - seat][to])) > 0 else 0
    if target < 0 or target == cell or clash(strength, military(s.units[1 - seat][target])) <= 0:
        return 20
    return 480 if way(cell, target) == direction else 10


@rule
def policy(terms: Terms, s: State, seat: int, out: list[int], n: int, random: Random) -> int:
    """What is best made; else the first useful action from a random one on; END, which is listed first, if none is."""
    best, promise = 0, USEFUL - 1
    for k in range(1, n):
        if out[k] >> 16 == MAKE:
            here = rank_new(terms, s, seat, out[k] >> 14 & 3)
            if here > promise:
                best, promise = k, here
    if best:
        return best
    k = below(random, n)
    for _ in range(n):
        if rank(terms, s, seat, out[k]) >= USEFUL:
            return k
        k = k + 1 if k + 1 < n else 0
    return 0


@rule
def noisy(terms: Terms, s: State, seat: int, action: int) -> bool:
    """Is it a step into a fight?"""
    verb, cell = action >> 16, action & 0xFFF
    return verb == MOVE and s.units[1 - seat][cell + STEP[action >> 12 & 3]] != 0


# -- how well a seat stands ------------------------------------------------------------------------------------------


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    return standing(terms, s, seat) - standing(terms, s, 1 - seat)


@rule
def standing(terms: Terms, s: State, seat: int) -> int:
    """Ten times the points that a side has and may expect; fights that wait for the end of the turn are fought."""
    if s.loser:
        return -5000 if s.loser == seat + 1 else 5000
    life = min(LATE, terms.turns - s.turns)
    hopes = WEIGHT[W_GOLD] * min(30, s.purse[seat]) + max(0, min(100, s.purse[seat]) - 30)
    value = 10 * s.points[seat]
    crowd = count(s.forces[seat], CIVILIAN) - 3 - terms.width * terms.height // 12
    hopes -= WEIGHT[W_CROWD] * max(0, crowd)
    claimed = ints(PITCH)  # gold that has a civilian, or one on the way
    for y in range(terms.height):
        claimed[y] = s.occupied[seat][y]
    for k in range(terms.height):
        y = k if seat == 1 else terms.height - 1 - k  # from the front home: who is far out claims first
        bits = s.occupied[seat][y]
        while bits:
            low = bits & -bits
            bits ^= low
            cell = y * PITCH + low.bit_length() - 1
            word = s.units[seat][cell]
            enemy = s.units[1 - seat][cell]
            if enemy and military(word) + military(enemy):
                value += spoils(s, seat, word, enemy)
                word = survivors(s, seat, word, enemy)
            if word == 0:
                continue
            hopes += prospects(terms, s, seat, cell, word, claimed)
            danger = soldiers_around(terms, s, 1 - seat, cell) if enemy == 0 else 0
            if danger and clash(danger, military(word)) > 0:
                value -= WEIGHT[W_RISK] * price(word)
    if buildings(s.forces[seat]):
        hopes += WEIGHT[W_BUILDING]
    return value + hopes * life // LATE


@rule
def survivors(s: State, seat: int, word: int, enemy: int) -> int:
    """What a side keeps of a fight at the end of this turn."""
    attacks = s.turns & 1 == seat
    left = clash(military(word), military(enemy)) if attacks else -clash(military(enemy), military(word))
    return 0 if left <= 0 else word - (military(word) - left << 13)


@rule
def spoils(s: State, seat: int, word: int, enemy: int) -> int:
    """Ten times the points of the attacker."""
    if s.turns & 1 != seat:
        return 0
    left = clash(military(word), military(enemy))
    return 10 * price(enemy) if left > 0 else 100 * (military(enemy) + left)


@rule
def prospects(terms: Terms, s: State, seat: int, cell: int, word: int, claimed: list[int]) -> int:
    """What units may still earn: a civilian on gold or near free gold, soldiers near whom they can beat."""
    hired = count(word, CIVILIAN)
    value = WEIGHT[W_CIVILIAN] * hired + WEIGHT[W_SOLDIER] * military(word) + WEIGHT[W_HOUSE] * buildings(word)
    if hired and s.gold[cell]:
        value += WEIGHT[W_DIG] + WEIGHT[W_SEAM] * min(8, s.gold[cell])  # each gold counts less here than harvested
        hired -= 1
    for _ in range(min(3, hired)):
        target = nearest(terms, s.ore, claimed, -1, cell)
        if target < 0:
            break
        claimed[target // PITCH] |= 1 << target % PITCH
        value += max(10, WEIGHT[W_WALK] - 2 * distance(cell, target))
    if military(word):
        target = nearest_enemy(terms, s, seat, cell)
        strength = soldiers_around(terms, s, seat, cell)
        if target >= 0 and clash(strength, military(s.units[1 - seat][target])) > 0:
            value += military(word) * max(0, WEIGHT[W_HUNT] - distance(cell, target))
    return value


@rule
def turns_played(terms: Terms, s: State) -> int:
    return s.turns


@rule
def consider(terms: Terms, s: State, seat: int, out: list[int], n: int) -> int:
    """What is useful, all that can be made, and all steps of soldiers; the end of the turn when nothing is useful."""
    kept, useful = 0, False
    for k in range(1, n):
        promise = rank(terms, s, seat, out[k])
        useful |= promise >= USEFUL
        if promise >= USEFUL or out[k] >> 16 == MAKE or (out[k] >> 14 == MOVE << 2 | MILITARY and promise > 0):
            out[kept] = out[k]
            kept += 1
    if not useful:
        out[kept] = END
        kept += 1
    return kept
