"""Ratings from many results: what each player is worth in Elo, with `anchor` at 0, and how sure that is.

The most likely ratings are looked for (Bradley and Terry), so a clear win counts for what it says and no more: that
somebody is at least so much stronger. Results that say nothing about a player leave it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np

from quincunx.tournament.score import SURE

SCALE = 400 / log(10)  # Elo for each unit of the logistic curve
DOUBT = 0.05  # a drawn match of this weight in every result: without it a clean sweep has no most likely rating
STEPS, LONGEST = 200, 2.0


class Result(NamedTuple):
    """`upper` scored so much (0 to 1) against `lower` in so many matches."""

    upper: str
    lower: str
    score: float
    matches: int


class Rating(NamedTuple):
    elo: float
    error: float  # half of the 95 % interval


def rate(results: Sequence[Result], anchor: str) -> dict[str, Rating]:
    names = _linked([each for each in results if each.matches], anchor)
    known = [each for each in results if each.matches and each.upper in names and each.lower in names]
    place = {name: n for n, name in enumerate(names)}  # the anchor is the first
    ratings = np.zeros(len(names))
    for _ in range(STEPS):
        slope, bend = _derivatives(known, place, ratings)
        if len(names) == 1:
            break
        step = np.linalg.solve(bend[1:, 1:], slope[1:])
        step *= min(1.0, LONGEST / max(float(np.abs(step).max()), 1e-12))
        ratings[1:] += step
        if float(np.abs(step).max()) < 1e-9:
            break
    _, bend = _derivatives(known, place, ratings)
    spread = np.zeros(len(names))
    if len(names) > 1:
        spread[1:] = np.sqrt(np.diag(np.linalg.inv(bend[1:, 1:])))
    return {name: Rating(SCALE * float(ratings[n]), SURE * SCALE * float(spread[n])) for name, n in place.items()}


def _derivatives(results: Sequence[Result], place: dict[str, int], ratings: Any) -> tuple[Any, Any]:
    """Of the likelihood: which way it rises, and how it bends."""
    slope, bend = np.zeros(len(place)), np.zeros((len(place), len(place)))
    for each in results:
        a, b = place[each.upper], place[each.lower]
        matches = each.matches + DOUBT
        wins = each.score * each.matches + DOUBT / 2
        likely = 1 / (1 + np.exp(ratings[b] - ratings[a]))
        pull, weight = wins - matches * likely, matches * likely * (1 - likely)
        slope[a] += pull
        slope[b] -= pull
        bend[[a, b], [a, b]] += weight
        bend[[a, b], [b, a]] -= weight
    return slope, bend


def _linked(results: Sequence[Result], anchor: str) -> list[str]:
    """Who can be compared with the anchor, it first."""
    names = [anchor]
    for name in names:  # it grows while it is read
        for each in results:
            for one, other in ((each.upper, each.lower), (each.lower, each.upper)):
                if one == name and other not in names:
                    names.append(other)
    return names
