"""The difference in Elo after a sequential test, with its 95 % interval: whoever stops at a good moment has seen a good
score, so the plain score flatters.

While a test runs, its llr moves about as a particle does that drifts (by the true difference) and trembles, between
two walls. For every drift it is known how likely the particle ends at which wall, and how soon. Ends are put in order:
at the lower wall soon, at it late, at the upper one late, at it soon. The estimate is the drift for which half of all
ends would come before the one that was seen (median-unbiased); the interval goes from the drift for which all but 2.5 %
do to the one for which 2.5 % do (Siegmund's ordering).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, exp, expm1, pi, sqrt

import msgspec
import numpy as np

from quincunx.tournament.score import elo, weighed


class Estimate(msgspec.Struct, frozen=True):
    """In Elo; infinite where nothing but wins, or nothing but losses, was seen."""

    elo: float
    low: float
    high: float


def running(counts: Sequence[int], worth: Sequence[float]) -> Estimate:
    """Of a test that goes on, or of matches whose number was fixed: the plain score."""
    return Estimate(*weighed(dict(zip(worth, counts, strict=True))).elo)


def stopped(
    counts: Sequence[int],
    worth: Sequence[float],
    means: tuple[float, float],
    bounds: tuple[float, float],
    llr: float,
) -> Estimate:
    """Of a test that ended with this llr; `means`: the expected scores between which it decided."""
    score = weighed(dict(zip(worth, counts, strict=True)))
    gap, variance = means[1] - means[0], max(score.spread, 1e-6)
    tremble, pairs = gap**2 / variance, score.pairs  # of the llr, with each pair
    below, above = max(-bounds[0], -llr), max(bounds[1], llr)

    def before(drift: float) -> float:
        """The share of ends that come before this one."""
        if llr > 0:
            return 1 - _ends(above, below, -drift, tremble, pairs)
        return _ends(below, above, drift, tremble, pairs)

    step = sqrt(tremble / pairs)
    found = (_solve(before, share, llr / pairs, step) for share in (0.5, 0.975, 0.025))
    # What was seen, moved by as much as the stop flatters it: far from both means the llr says less than the score
    scores = (score.mean + (drift - llr / pairs) * variance / gap for drift in found)
    return Estimate(*(elo(each) for each in scores))


def _ends(near: float, far: float, away: float, tremble: float, time: int) -> float:
    """How likely the wall at the distance `near` is reached within this time, and before the one at `far` on the other
    side; `away`: the drift away from it."""
    width, pull = near + far, 2 * away / tremble
    if abs(pull * width) < 1e-9:
        ever = far / width
    elif pull > 0:
        ever = exp(-pull * near) * expm1(-pull * far) / expm1(-pull * width)
    else:
        ever = expm1(pull * far) / expm1(pull * width)
    many = ceil(3 * width / sqrt(tremble * time)) + 5
    n = np.arange(1, many + 1)
    rate = away**2 / (2 * tremble) + (n * pi / width) ** 2 * tremble / 2
    waves = n * pi * tremble / width**2 * np.sin(n * pi * near / width) / rate
    later = float((waves * np.exp(-away * near / tremble - rate * time)).sum())
    return min(1.0, max(0.0, ever - later))


def _solve(falling: Callable[[float], float], share: float, about: float, step: float) -> float:
    """Where a function that falls takes this value."""
    low, high = about - step, about + step
    while falling(low) < share and high - low < 100 * step:
        low -= step
    while falling(high) > share and high - low < 100 * step:
        high += step
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > share else (low, middle)
    return (low + high) / 2
