"""Garden Tensions for search: what both clans hold, and what the exact odds of the dice say about each border.

ODDS[weapons * 6 + attacker's dice][defender's dice] is the chance that the attacker wins, in 65536ths; weapons is
0 none forged, 1 the defender's, 2 the attacker's, 3 both.
"""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.core.hints import Hints
from quincunx.core.random import Random, below
from quincunx.games.garden.hexes import CELLS, NEIGHBOUR
from quincunx.games.garden.land import zones
from quincunx.games.garden.state import (
    CANDY,
    CROWD,
    END,
    FIGHT,
    FORGE,
    FREE,
    IMMOBILISE,
    MOVE,
    PILLAGE,
    PLACE,
    PRICE,
    REINFORCEMENT,
    SKY,
    State,
    Terms,
)

ONE = 1 << 16


def ways(dice: int, sides: int) -> list[int]:
    """How many throws of so many dice give each sum."""
    counts = [1]
    for _ in range(dice):
        longer = [0] * (len(counts) + sides)
        for total, count in enumerate(counts):
            for face in range(1, sides + 1):
                longer[total + face] += count
        counts = longer
    return counts


def chance_to_win(ours: int, our_sides: int, theirs: int, their_sides: int) -> tuple[int, int]:
    """Throws in which our sum is strictly greater, of all throws."""
    good = sum(
        a * b for x, a in enumerate(ways(ours, our_sides)) for y, b in enumerate(ways(theirs, their_sides)) if x > y
    )
    return good, our_sides**ours * their_sides**theirs


def _odds() -> list[list[int]]:
    rows = []
    for weapons in range(4):
        for ours in range(CROWD + 1):
            row = []
            for theirs in range(CROWD + 1):
                good, all_throws = chance_to_win(ours, 9 if weapons & 2 else 6, theirs, 9 if weapons & 1 else 6)
                row.append((good * ONE + all_throws // 2) // all_throws)
            rows.append(row)
    return rows


ODDS = table(_odds())

HINTS = Hints(look_ahead=4, edge=600, exploration=0.3)

WEIGHTS = (  # name, value, and the range that a tuner may try
    ("cell", 72, 40, 300),
    ("creature", 49, 10, 120),
    ("stocked", 30, 5, 100),  # a creature that is still to be placed
    ("point", 3, 0, 80),  # of conquest
    ("good", 6, 0, 20),  # one of a resource
    ("zone", 422, 0, 900),
    ("special", 185, 0, 300),  # what a special cell is worth besides
    ("amount", 13, 0, 40),  # for each resource that a cell gives a turn
)
WEIGHT = table([value for _, value, _, _ in WEIGHTS])
W_CELL, W_CREATURE, W_STOCKED, W_POINT, W_GOOD, W_ZONE, W_SPECIAL, W_AMOUNT = range(len(WEIGHTS))


@rule
def odds(terms: Terms, s: State, source: int, target: int) -> int:
    """The chance that the creatures of `source` beat those of `target`, in 65536ths."""
    weapons = (2 if s.forged[source] else 0) + (1 if s.forged[target] else 0)
    return ODDS[weapons * (CROWD + 1) + s.crowd[source] - terms.moving][s.crowd[target]]


@rule
def worth(terms: Terms, s: State, cell: int) -> int:
    """What its owner would lose with the cell; poison makes it worth less."""
    base = WEIGHT[W_CELL] + (WEIGHT[W_SPECIAL] if PRICE[terms.ground[cell]] else WEIGHT[W_AMOUNT] * terms.amount[cell])
    creatures = WEIGHT[W_CREATURE] * s.crowd[cell]
    return base + (creatures * 2 // 3 if 0 < s.condition[cell] <= 3 else creatures)


@rule
def danger(terms: Terms, s: State, cell: int) -> int:
    """The best chance that a neighbour of the other clan has to take the cell, in 65536ths."""
    owner = s.owner[cell]
    best = 0
    for k in range(6):
        near = NEIGHBOUR[cell][k]
        if near >= 0 and s.owner[near] == 1 - owner and s.crowd[near] >= 2 and s.stuck[near] == 0:
            best = max(best, odds(terms, s, near, cell))
    return best


@rule
def holdings(terms: Terms, s: State, seat: int) -> int:
    """Belongings of a seat, its cells at what is left of them on average after the other's best attack on each."""
    total = (
        WEIGHT[W_STOCKED] * s.stock[seat]
        + WEIGHT[W_POINT] * min(16, s.points[seat])
        + WEIGHT[W_ZONE] * zones(terms, s, seat)
    )
    for kind in range(4):
        total += WEIGHT[W_GOOD] * min(12, s.goods[seat][kind])
    for cell in range(CELLS):
        if s.owner[cell] == seat:
            # one attack is made at once, of the many that threaten the one who waits
            risk = danger(terms, s, cell) >> (3 if s.player == seat else 2)
            total += worth(terms, s, cell) * (ONE - risk) >> 16
    return total


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    balance = holdings(terms, s, seat) - holdings(terms, s, 1 - seat)
    if s.waiting == FIGHT:  # what the dice will bring on average
        won = odds(terms, s, s.source, s.target)
        gain = worth(terms, s, s.target) + WEIGHT[W_CELL] + WEIGHT[W_POINT]
        stake = WEIGHT[W_CREATURE] * (s.crowd[s.source] - 1) + WEIGHT[W_POINT]
        mean = (won * gain - (ONE - won) * stake) >> 16
        balance += mean if s.player == seat else -mean
    return max(-9999, min(9999, balance))


@rule
def rank(terms: Terms, s: State, seat: int, action: int) -> int:
    kind, a, b = action >> 16, action >> 8 & 255, action & 255
    if kind == END:
        return 300
    if kind == CANDY:
        return 950
    if kind == PLACE:
        before = danger(terms, s, b) * 200 >> 16
        return 300 + before + 40 * a + (200 if at_border(s, seat, b) else 0)
    if kind == MOVE or kind == SKY:
        special = 150 if PRICE[terms.ground[b]] else 0
        if s.owner[b] == FREE:
            return 700 + special
        return min(1000, (odds(terms, s, a, b) * 850 >> 16) + special)
    if kind == FORGE:
        return 350 + 40 * s.crowd[b]
    if kind == PILLAGE:
        return 550 + (150 if s.crowd[b] == 1 else 0)
    if kind == IMMOBILISE and s.stuck[b]:
        return 200
    return min(1000, 600 + 60 * s.crowd[b])


@rule
def at_border(s: State, seat: int, cell: int) -> bool:
    """Does a cell of somebody else, or of nobody, touch it?"""
    for k in range(6):
        near = NEIGHBOUR[cell][k]
        if near >= 0 and s.owner[near] != seat:
            return True
    return False


@rule
def policy(terms: Terms, s: State, seat: int, out: list[int], n: int, random: Random) -> int:
    """The most promising of three that are drawn: quick, lively, and seldom absurd."""
    best = below(random, n)
    for _ in range(2 if s.phase == REINFORCEMENT else 3):
        other = below(random, n)
        if rank(terms, s, seat, out[other]) > rank(terms, s, seat, out[best]):
            best = other
    return best


@rule
def turns_played(terms: Terms, s: State) -> int:
    return s.turns
