"""Compiling a game and its searches ahead of time, in a process of its own: whoever waits is not held up.

    python -m quincunx.players.warming khet cultist

prints one line a compiled part: `game done total name`. `warm` starts that process and passes the lines on.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import NamedTuple

from quincunx.core import cache, entries
from quincunx.games import GearName, load, package
from quincunx.games.facade import gear_of
from quincunx.search import alphabeta, greedy, mcts, minimax, walk

TEMPLATES = (
    walk.random_games,
    walk.perft_from,
    greedy.think_greedy,
    minimax.think_minimax,
    alphabeta.think_alphabeta,
    mcts.plant,
    mcts.think_mcts,
)


class Step(NamedTuple):
    game: str
    done: int
    total: int
    name: str


def is_warm(id: str) -> bool:
    """Is everything that a computer player needs in the cache?"""
    gear = load(id, "interpreted").gear
    return all(cache.holds(gear.plan(part).name) for part in _parts())


def warm(ids: Sequence[str], gear: GearName = "compiled") -> Iterator[Step]:
    """Compiles games in another process and tells how far it is."""
    command = [sys.executable, "-m", "quincunx.players.warming", gear, *ids]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            game, done, total, name = line.split()
            yield Step(game, int(done), int(total), name)
    if process.returncode:
        raise RuntimeError(f"Expected {' '.join(ids)} to compile but the compiler ended with {process.returncode}")


def _parts() -> list[FunctionType]:
    doors = [f for f in vars(entries).values() if isinstance(f, FunctionType) and f.__module__ == entries.__name__]
    return [*doors, *(template for template in TEMPLATES if isinstance(template, FunctionType))]


def _compile(id: str, gear: GearName) -> None:
    parts = _parts()
    bound = gear_of(package(id), gear)
    for done, part in enumerate(parts, 1):
        bound.bind(part)
        print(id, done, len(parts), part.__name__, flush=True)


if __name__ == "__main__":
    chosen: GearName = sys.argv[1]  # type: ignore[assignment]
    for each in sys.argv[2:]:
        _compile(each, chosen)
    cache.sweep()
