"""Garden Tensions: how likely fights, poison and humans turn out one way or the other.

Of all the dice that lead to the same outcome, one throw stands for them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

from quincunx.games.garden.chance import ODDS_OF_HUMANS, attackers, chance_outcome, faces
from quincunx.games.garden.hexes import CELLS
from quincunx.games.garden.state import CROWD, FIGHT, FOOTSTEP, LUNCH, SWEETS, TICK, State, Terms

MOST = 1 + CELLS + 2 + 1  # what humans do: nothing, a footstep, one of two lunches, sweets
DIE = 6


def odds(terms: Terms, s: State) -> list[tuple[int, float]]:
    if s.waiting == FIGHT:
        found = _fight((attackers(terms, s), faces(s, s.source)), (s.crowd[s.target], faces(s, s.target)))
    elif s.waiting == TICK:
        found = _poison(s.crowd[s.target])
    else:
        found = _humans(terms, s)
    return [(action, float(chance)) for action, chance in found.items() if chance]


def _throw(n: int, face: int) -> int:
    """So many dice that all show the same."""
    return sum(face << 4 * k for k in range(n))


@cache
def _sums(n: int, sides: int) -> dict[int, Fraction]:
    """How likely each sum of so many dice is."""
    if n == 0:
        return {0: Fraction(1)}
    found: dict[int, Fraction] = {}
    for total, chance in _sums(n - 1, sides).items():
        for face in range(1, sides + 1):
            found[total + face] = found.get(total + face, Fraction(0)) + chance / sides
    return found


@cache
def _fight(ours: tuple[int, int], theirs: tuple[int, int]) -> dict[int, Fraction]:
    """How many dice of how many sides each has; who attacks wins with the larger sum."""
    won = sum(p * q for a, p in _sums(*ours).items() for b, q in _sums(*theirs).items() if a > b)
    best = _throw(*ours) | _throw(theirs[0], 1) << 4 * CROWD
    worst = _throw(ours[0], 1) | _throw(*theirs) << 4 * CROWD
    return {best: Fraction(won), worst: 1 - Fraction(won)}


@cache
def _poison(crowd: int) -> dict[int, Fraction]:
    """Who throws less than the poison's die dies."""
    found = {}
    for dead in range(crowd + 1):
        dice = DIE | (_throw(dead, 1) | _throw(crowd - dead, DIE) << 4 * dead) << 4
        found[dice] = sum(
            (Fraction(comb(crowd, dead) * below**dead * (DIE - below) ** (crowd - dead), DIE ** (crowd + 1)))
            for below in range(DIE)
        )
    return {dice: Fraction(chance) for dice, chance in found.items()}


def _humans(terms: Terms, s: State) -> dict[int, Fraction]:
    found = {0: 1 - Fraction(1, ODDS_OF_HUMANS)}
    each = Fraction(1, 3 * ODDS_OF_HUMANS)
    done = [(FOOTSTEP << 8 | cell, each / CELLS) for cell in range(CELLS)]
    done += [(LUNCH << 8 | place, each / 2) for place in range(2)] + [(SWEETS << 8, each)]
    for action, chance in done:
        outcome = chance_outcome(terms, s, action)
        found[outcome] = found.get(outcome, Fraction(0)) + chance
    return found
