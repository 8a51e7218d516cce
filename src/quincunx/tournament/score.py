"""What a series says about two players: the score with its 95 % interval, and the difference in Elo.

Starts are played in pairs, once from each chair, so the pair is what is independent: the interval is made from the
spread of the pairs' scores (0, ¼, ½, ¾ or 1), which is narrower than counting each match for itself, and honest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log, log10, sqrt

SCALE = 400 / log(10)  # Elo for each unit of the logistic curve
SURE = 1.96  # standard deviations on either side of 95 %


@dataclass(frozen=True)
class Score:
    """Of the first player; wins count 1, draws ½."""

    mean: float
    low: float
    high: float
    pairs: int
    spread: float  # the variance of a pair

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in rating, with its interval."""
        return elo(self.mean), elo(self.low), elo(self.high)


def score_of(pairs: Sequence[float], sure: float = SURE) -> Score:
    """`pairs`: what the first player made of each pair of matches, from 0 to 1; `sure`: standard deviations."""
    return weighed(Counter(pairs), sure)


def weighed(counts: Mapping[float, int], sure: float = SURE) -> Score:
    """The same from how many pairs scored what."""
    n = sum(counts.values())
    total = sum(score * many for score, many in counts.items())
    # Two pseudo-pairs, a win and a loss: a few equal results prove little
    near = (total + 1) / (n + 2)
    spread = (sum(many * (p - near) ** 2 for p, many in counts.items()) + (1 - near) ** 2 + near**2) / (n + 2)
    if n == 0:
        return Score(0.5, 0.0, 1.0, 0, spread)
    mean, half = total / n, sure * sqrt(spread / n)
    return Score(mean, max(0.0, mean - half), min(1.0, mean + half), n, spread)


def elo(score: float) -> float:
    """The difference in rating at which this score is expected."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else -400 * log10(1 / score - 1)
