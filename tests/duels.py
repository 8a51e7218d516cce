"""Sequential tests by the thousand: pairs drawn with a known mean, the same llr as one test uses, all at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from quincunx.tournament.sprt import Sprt, llr, outcomes, score_at


@dataclass(frozen=True)
class Duels:
    """What became of each test."""

    upper: Any  # was elo1 taken?
    pairs: Any
    counts: Any  # of the outcomes, when it ended
    open: int  # how many were not done in the end


def pair_odds(elo: float, draws: float = 0.4, alike: float = 0.2, many: int = 5) -> Any:
    """Of the outcomes of a pair, the worst first: matches end in a draw so often, where it leaves the mean as it is;
    with the odds `alike` the chair decides, and the pair is shared; or of those of one match."""
    mean = score_at(elo)
    drawn = draws * 2 * min(mean, 1 - mean)
    one = np.array([1 - mean - drawn / 2, drawn, mean - drawn / 2])
    if many == 3:
        return one
    two = np.convolve(one, one)
    # Of pairs that were won twice and lost twice, the same number is shared instead: the mean stays
    moved = alike * min(two[0], two[4])
    return two + np.array([-moved, 0, 2 * moved, 0, -moved])


def sequential_tests(
    sprt: Sprt, odds: Any, number: int, luck: np.random.Generator, most: int = 200_000, skip: bool = True
) -> Duels:
    """`skip`: a test whose llr cannot have come to a bound yet is not looked at, which changes nothing but the time."""
    counts = np.zeros((number, len(odds)))
    upper, pairs, due = np.zeros(number, dtype=bool), np.zeros(number, dtype=int), np.ones(number, dtype=int)
    playing, ladder = np.arange(number), np.cumsum(odds)[:-1]
    (low, high), (mean0, mean1), worth = sprt.bounds, sprt.means, np.array(outcomes(len(odds)))
    variance = odds @ (worth - odds @ worth) ** 2
    farthest = 2 * (mean1 - mean0) * np.abs(worth - (mean0 + mean1) / 2).max() / variance  # twice what a pair can say
    for pair in range(1, most + 1):
        came = np.searchsorted(ladder, luck.random(len(playing)))
        counts[playing, came] += 1
        looked = playing[due[playing] <= pair] if skip else playing
        if not len(looked):
            continue
        ratio = llr(counts[looked], mean0, mean1)
        over = (ratio <= low) | (ratio >= high)
        upper[looked], pairs[looked] = ratio >= high, pair
        due[looked] = pair + np.maximum(1, np.minimum(ratio - low, high - ratio) / farthest).astype(int)
        if over.any():
            due[looked[over]] = 0
            playing = playing[due[playing] > 0]
        if not len(playing):
            break
    return Duels(upper, pairs, counts, len(playing))
