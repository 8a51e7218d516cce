"""What a game costs before its first move: its rules compiled, all of it compiled, and taken from the cache.

From the start of a process to its end, by the clock and in seconds of the processor, children included, which a busy
machine disturbs less.
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

PROCESSOR = "s (processor)"


FIRST_MOVE = """
import sys
from quincunx import load
game = load(sys.argv[1], "compiled")
world = game.new()
game.apply(world, game.turn(world), game.legal(world)[0])
"""


@dataclass
class Rules:
    """A process that plays a first move, with an empty cache: the rules alone are compiled."""

    id: str
    cores: int = 0

    @property
    def name(self) -> str:
        return f"quincunx {self.id}, first move, empty cache"

    def prepare(self) -> None:
        pass

    def measure(self) -> Figures:
        return with_empty_cache([sys.executable, "-c", FIRST_MOVE, self.id])


@dataclass
class Whole:
    """The game and its searches, with an empty cache: what `quincunx warm` does, without the command around it."""

    id: str
    cores: int = 0

    @property
    def name(self) -> str:
        return f"quincunx {self.id}, all of it, empty cache"

    def prepare(self) -> None:
        pass

    def measure(self) -> Figures:
        return with_empty_cache([sys.executable, "-m", "quincunx.players.warming", self.id])


@dataclass
class FirstMove:
    """A process that plays a first move; the code is in the cache already."""

    id: str
    cores: int = 0

    @property
    def name(self) -> str:
        return f"quincunx {self.id}, first move, from the cache"

    def prepare(self) -> None:
        self.measure()

    def measure(self) -> Figures:
        return timed([sys.executable, "-c", FIRST_MOVE, self.id])


def with_empty_cache(command: Sequence[str]) -> Figures:
    with tempfile.TemporaryDirectory(prefix="quincunx-cache-") as folder:
        return timed(command, {"QUINCUNX_CACHE": folder})


def timed(command: Sequence[str], environment: dict[str, str] | None = None) -> Figures:
    """What a process takes, with those that it starts. Python keeps its bytecode, as it does where it is installed."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    clock, before = time.perf_counter(), os.times()
    subprocess.run(command, env=surroundings | (environment or {}), stdout=subprocess.DEVNULL, check=True)
    passed, after = time.perf_counter() - clock, os.times()
    spent = after.children_user - before.children_user + after.children_system - before.children_system
    return {"s" + CLOCK: passed, PROCESSOR: spent}
