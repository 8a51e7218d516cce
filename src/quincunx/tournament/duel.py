"""The same player with two sets of weights: which one does better?

Weights are constants of the compiled code, so a new set is compiled first, which takes seconds; each set is compiled by
one process, into a cache that is thrown away in the end, and then several processes play. Processes end after one task:
machine code is never unloaded.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from quincunx.core import cache
from quincunx.games import Game, package
from quincunx.players import make
from quincunx.tournament.series import Series, draw_opening, play_on, points_of_first


def with_weights(series: Series, weights: list[int]) -> Game:
    return Game(package(series.game), series.gear, weights)


def duel(series: Series, one: list[int], two: list[int], numbers: range) -> list[float]:
    """What `one` makes of each pair of these matches, from 0 to 1. Both players of the series are the same."""
    games = [with_weights(series, weights) for weights in (one, two)]
    points: list[float] = []
    for number in numbers:
        match = series.start(number)
        draw_opening(match, series, number)
        chairs = series.chairs(number)
        play_on(match, [make(series.players[who], games[who], series.seed + 1000 * number + who) for who in chairs])
        points.append(points_of_first(series, match.record(), number))
    return [(first + second) / 2 for first, second in zip(points[::2], points[1::2], strict=True)]


class Arena:
    """Processes for duels."""

    def __init__(self, pool: ProcessPoolExecutor, jobs: int) -> None:
        self._pool = pool
        self._jobs = jobs

    def duel(self, series: Series, one: list[int], two: list[int]) -> list[float]:
        list(self._pool.map(_compile, [series, series], [one, two]))
        ends = [2 * (series.games // 2 * k // self._jobs) for k in range(self._jobs + 1)]
        parts = [range(*each) for each in pairwise(ends)]
        n = len(parts)
        found = self._pool.map(duel, [series] * n, [one] * n, [two] * n, parts)
        return [pair for part in found for pair in part]


@contextmanager
def arena(game: str, jobs: int) -> Iterator[Arena]:
    with TemporaryDirectory(prefix="quincunx-") as folder:
        _copy_code(game, Path(folder))
        spawn = get_context("spawn")
        with ProcessPoolExecutor(jobs, spawn, _compile_into, (folder,), max_tasks_per_child=1) as pool:
            yield Arena(pool, jobs)


def _copy_code(game: str, folder: Path) -> None:
    """What does not depend on weights need not be compiled again."""
    there = folder / cache.folder().relative_to(cache.root())
    there.mkdir(parents=True)
    for file in cache.folder().glob(f"{game}.*"):
        copyfile(file, there / file.name)


def _compile_into(folder: str) -> None:
    os.environ["QUINCUNX_CACHE"] = folder


def _compile(series: Series, weights: list[int]) -> None:
    make(series.players[0], with_weights(series, weights))
    series.start(0)
