"""What a game costs before its first move: compiled with its searches, and taken from the cache.

Both by the clock on the wall, from the start of a process to its end, as whoever waits counts; beside it the seconds of
the processor, children included, which a busy machine disturbs less.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.contest import CLOCK, Figures

from quincunx.games import load

PROCESSOR = "s (processor)"


@dataclass
class Compile:
    """`quincunx warm GAME` with an empty cache: the game and its searches."""

    id: str
    cores: int = 0

    @property
    def name(self) -> str:
        return f"quincunx warm {self.id}, empty cache"

    def prepare(self) -> None:
        pass

    def measure(self) -> Figures:
        with tempfile.TemporaryDirectory(prefix="quincunx-cache-") as folder:
            return timed([sys.executable, "-m", "quincunx", "warm", self.id], {"QUINCUNX_CACHE": folder})


PLAYERS = """
import sys
from quincunx.games import load
from quincunx.players import make
game = load(sys.argv[1], "compiled")
for player in sys.argv[2:]:
    make(player, game)
"""


@dataclass
class FromCache:
    """A process that loads a game and makes every computer player for it; the code is in the cache already."""

    id: str
    cores: int = 0

    @property
    def name(self) -> str:
        return f"quincunx {self.id} and its players, from the cache"

    def prepare(self) -> None:
        timed([sys.executable, "-m", "quincunx", "warm", self.id])
        card = load(self.id, "interpreted").card
        self._players = ["greedy", "mcts", *([] if card.fog or card.simultaneous else ["alphabeta", "minimax"])]
        self.measure()

    def measure(self) -> Figures:
        return timed([sys.executable, "-c", PLAYERS, self.id, *self._players])


def timed(command: Sequence[str], environment: dict[str, str] | None = None) -> Figures:
    """What a process takes, with those that it starts."""
    clock, before = time.perf_counter(), os.times()
    subprocess.run(command, env=os.environ | (environment or {}), stdout=subprocess.DEVNULL, check=True)
    passed, after = time.perf_counter() - clock, os.times()
    spent = after.children_user - before.children_user + after.children_system - before.children_system
    return {"s" + CLOCK: passed, PROCESSOR: spent}
