"""Cultist for search: units and their HP, who may be shot or converted next, and how far the leaders have to walk."""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.games.cultist.grid import RANGE, distance
from quincunx.games.cultist.rules import (
    CONVERT,
    MOVE,
    NEUTRAL,
    SHOOT,
    UNITS,
    State,
    Terms,
    struck,
)

UNIT, HP, LEADER = 300, 12, 150  # a unit, each of its HP, what a leader is worth besides
WALK = 6  # for each cell between a leader and the nearest unit that it can convert
BARED = 5  # for each HP that the best enemy shot would take
DOOMED = 90  # for a unit that a shot would kill, or a leader convert


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    return strength(terms, s, seat) - strength(terms, s, 1 - seat)


@rule
def strength(terms: Terms, s: State, seat: int) -> int:
    total = 0
    for unit in range(UNITS):
        if s.owner[unit] == seat and s.hp[unit]:
            total += UNIT + HP * s.hp[unit] - danger(terms, s, seat, unit)
            if unit < 2:
                total += LEADER - WALK * walk(s, seat, s.cell[unit])
    return total


@rule
def danger(terms: Terms, s: State, seat: int, unit: int) -> int:
    """What the worst that the enemy can do to a unit at once is worth."""
    cell = s.cell[unit]
    enemy = 1 - seat
    if unit >= 2 and s.hp[enemy] and distance(cell, s.cell[enemy]) == 1:
        return DOOMED
    worst = 0
    for other in range(2, UNITS):
        if s.owner[other] == enemy and s.hp[other]:
            damage = RANGE + 1 - distance(cell, s.cell[other])
            if damage > worst and struck(terms, s, s.cell[other], cell) == cell:
                worst = damage
    return DOOMED if worst >= s.hp[unit] else BARED * worst


@rule
def walk(s: State, seat: int, cell: int) -> int:
    """How far the nearest neutral is, or else the nearest enemy cultist; 0 if nobody is left to convert."""
    nearest = 0
    for owner in range(NEUTRAL, -1, -1):
        if owner == seat or nearest:
            continue
        for unit in range(2, UNITS):
            if s.owner[unit] == owner and s.hp[unit]:
                far = distance(cell, s.cell[unit])
                if nearest == 0 or far < nearest:
                    nearest = far
    return nearest


@rule
def rank(terms: Terms, s: State, seat: int, action: int) -> int:
    """Conversions, deadly shots, other shots by what they take, steps of the leader towards a convert."""
    verb, unit, target = action >> 12, action >> 8 & 15, action & 255
    if verb == CONVERT:
        return 900 if s.owner[target] == NEUTRAL else 1000
    if verb == SHOOT:
        start, aim = s.cell[unit], s.cell[target]
        damage = RANGE + 1 - distance(start, aim)
        if s.owner[target] != 1 - seat or struck(terms, s, start, aim) != aim:
            return 0
        return 800 if damage >= s.hp[target] else 500 + 30 * damage
    if verb == MOVE:
        if unit >= 2:
            return 200
        return 300 + 50 * (walk(s, seat, s.cell[unit]) - walk(s, seat, target))
    return 10


@rule
def noisy(terms: Terms, s: State, seat: int, action: int) -> bool:
    """Who belongs to whom changes, or somebody dies."""
    return rank(terms, s, seat, action) >= 800
