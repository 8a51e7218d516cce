"""The same player with two sets of weights: which one does better?

A process compiles the game twice, once for each side, with weights that can be changed afterwards: that takes seconds,
once, however many sets are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import pairwise

from quincunx.games import Game, GearName, package
from quincunx.players import make
from quincunx.tournament.pool import pool
from quincunx.tournament.series import Series, draw_opening, play_on, points_of_first


@cache
def _sides(game: str, gear: GearName) -> tuple[Game, Game]:
    own = [value for _, value, _, _ in Game(package(game), "interpreted").weights]
    return Game(package(game), gear, own), Game(package(game), gear, own)


def duel(series: Series, one: list[int], two: list[int], numbers: range) -> list[float]:
    """What `one` makes of each pair of these matches, from 0 to 1. Both players of the series are the same."""
    sides = _sides(series.game, series.gear)
    for side, weights in zip(sides, (one, two), strict=True):
        side.weigh(weights)
    points: list[float] = []
    for number in numbers:
        match = series.start(number)
        draw_opening(match, series, number)
        chairs = series.chairs(number)
        play_on(match, [make(series.players[who], sides[who], series.seed + 1000 * number + who) for who in chairs])
        assert match.outcome is not None
        points.append(points_of_first(series, match.outcome, number))
    return [(first + second) / 2 for first, second in zip(points[::2], points[1::2], strict=True)]


class Arena:
    """Processes for duels."""

    def __init__(self, processes: ProcessPoolExecutor, jobs: int) -> None:
        self._processes = processes
        self._jobs = jobs

    def duel(self, series: Series, one: list[int], two: list[int]) -> list[float]:
        ends = [2 * (series.games // 2 * k // self._jobs) for k in range(self._jobs + 1)]
        parts = [range(*each) for each in pairwise(ends)]
        n = len(parts)
        found = self._processes.map(duel, [series] * n, [one] * n, [two] * n, parts)
        return [pair for part in found for pair in part]


@contextmanager
def arena(jobs: int) -> Iterator[Arena]:
    with pool(jobs) as processes:
        yield Arena(processes, jobs)
