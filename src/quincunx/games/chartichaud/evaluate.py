"""Chartichaud for search: points, work for civilians, soldiers that can win, and what the next enemy turn may cost.

A playout plays every useful action, in an order of its own, and then ends the turn: orders.py.
"""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.core.hints import Hints
from quincunx.core.structure import ints
from quincunx.games.chartichaud.grid import (
    CIVILIAN,
    PITCH,
    State,
    Terms,
    buildings,
    count,
    military,
    price,
)
from quincunx.games.chartichaud.orders import LATE, distance, nearest, nearest_enemy, soldiers_around
from quincunx.games.chartichaud.orders import consider as consider
from quincunx.games.chartichaud.orders import noisy as noisy
from quincunx.games.chartichaud.orders import policy as policy
from quincunx.games.chartichaud.orders import rank as rank
from quincunx.games.chartichaud.rules import clash

HINTS = Hints(look_ahead=16, edge=600, eager=4, exploration=0.2, trust=2.0)

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
