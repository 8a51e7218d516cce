"""Compiling a game and its searches ahead of time, in processes of their own: whoever waits is not held up.

    python -m quincunx.players.warming compiled khet 0 1

compiles the first half of Khet's parts, its rules, and prints the name of each; then half 1, its searches. `warm`
starts a process for each half and tells how far they are: what both need is compiled twice, and still it takes little
more than half the time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from queue import SimpleQueue
from threading import Thread
from types import FunctionType
from typing import NamedTuple, cast

from quincunx.core import cache, entries
from quincunx.games import GearName, load, package
from quincunx.games.facade import gear_of
from quincunx.search import deep, greedy, mcts, memory, minimax, walk

FOR_EVERY_GAME = (greedy.think_greedy, mcts.plant, mcts.think_mcts, mcts.most_visited, mcts.offers)
FOR_OPEN_GAMES = (minimax.minimax, memory.begin_thought, deep.deepen)  # elsewhere compiled when asked for


class Step(NamedTuple):
    game: str
    done: int
    total: int
    name: str


def is_warm(id: str) -> bool:
    """Is everything that a computer player needs in the cache?"""
    gear = load(id, "interpreted").gear
    return all(cache.holds(gear.plan(part).name) for part in parts(id))


def parts(id: str) -> list[FunctionType]:
    """What there is to compile."""
    return [part for half in _halves(id) for part in half]


def warm(ids: Sequence[str], gear: GearName = "compiled") -> Iterator[Step]:
    """Compiles games in other processes, two for a game, and tells how far they are."""
    for id in ids:
        done, total = 0, len(parts(id))
        with ExitStack() as stack:
            compilers = [stack.enter_context(_compiler(id, gear, half)) for half in (0, 1)]
            for name in _lines_of(compilers):
                done += 1
                yield Step(id, done, total, name)
        if any(process.returncode for process in compilers):
            raise RuntimeError(f"Expected {id} to compile but its compiler ended with an error")
    cache.sweep()


def _compiler(id: str, gear: GearName, half: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "quincunx.players.warming", gear, id, str(half)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _lines_of(processes: Sequence[subprocess.Popen[str]]) -> Iterator[str]:
    """What they print, as it comes."""
    lines: SimpleQueue[str | None] = SimpleQueue()

    def listen(process: subprocess.Popen[str]) -> None:
        for line in process.stdout or ():
            lines.put(line.strip())
        lines.put(None)

    for process in processes:
        Thread(target=listen, args=(process,), daemon=True).start()
    for _ in processes:
        yield from iter(lines.get, None)


def _halves(id: str) -> tuple[list[FunctionType], list[FunctionType]]:
    """The doors of the rules with the plainest templates, and the searches."""
    card = package(id).CARD
    plain = (walk.random_games, walk.perft) if card.open else (walk.random_games,)
    searches = FOR_OPEN_GAMES + FOR_EVERY_GAME if card.open else FOR_EVERY_GAME
    doors = [f for f in vars(entries).values() if isinstance(f, FunctionType) and f.__module__ == entries.__name__]
    return [*doors, *cast(tuple[FunctionType, ...], plain)], [*cast(tuple[FunctionType, ...], searches)]


def _compile(id: str, gear: GearName, half: int) -> None:
    bound = gear_of(package(id), gear)
    for part in _halves(id)[half]:
        bound.bind(part)
        print(part.__name__, flush=True)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(15)  # whoever plays meanwhile comes first, and whoever thinks
    for half in map(int, sys.argv[3:]):
        _compile(sys.argv[2], cast(GearName, sys.argv[1]), half)
