"""Our side of the contest: the compiled rules under the templates of search, the façade, and what compiling costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from benchmarks.contest import CLOCK, SECONDS, Figures, Missing

from quincunx.core.contract import NOBODY, State
from quincunx.core.random import below, seeded
from quincunx.games import Game, load
from quincunx.players.searching import AlphaBetaPlayer, MctsPlayer
from quincunx.search import walk
from quincunx.search.perft import count_leaves

ENDLESS = 1 << 40  # no limit to the length of a random game


class Room:
    """Random games of a compiled game, with arrays of their own to work in: one a thread."""

    def __init__(self, id: str, seed: int = 1) -> None:
        self.game = load(id, "compiled")
        self._games = self.game.gear.bind(walk.random_games)
        self._world = self.game.new()
        self._random = self.game.random(seed)
        self._log = self.game.log(NOBODY, silent=True)
        self._out = self.game.gear.ints(self.game.rules.MAX_LEGAL)
        self.state = self.game.gear.rows(State, 1)

    def play(self, games: int) -> int:
        """How many moves so many games took; the last one ends in `state`."""
        w = self._world
        return self._games(w.terms, w.rows, games, ENDLESS, self._random, self.state, self._out, self._log)

    def rates(self, seconds: float = SECONDS, games: int = 200) -> Figures:
        moves, played, begin, clock = 0, 0, time.thread_time(), time.perf_counter()
        while time.perf_counter() - clock < seconds:
            moves += self.play(games)
            played += games
        spent, passed = time.thread_time() - begin, time.perf_counter() - clock
        return {"moves/s": moves / spent, "games/s": played / spent, "moves/s" + CLOCK: moves / passed}


def checksum(id: str, games: int, seed: int) -> dict[str, int]:
    """The moves of so many games, and the CRC of every byte of their final states."""
    room, steps, crc = Room(id, seed), 0, 0
    for _ in range(games):
        steps += room.play(1)
        crc = zlib.crc32(cast(Any, room.state).tobytes(), crc)
    return {"steps": steps, "crc": crc}


@dataclass
class Playouts:
    """Random games: on one core, or in so many threads at once."""

    id: str
    threads: int = 1

    @property
    def name(self) -> str:
        return f"quincunx {self.id} playouts" + (f" in {self.threads} threads" if self.threads > 1 else "")

    @property
    def cores(self) -> int:
        return self.threads

    def prepare(self) -> None:
        if self.threads > (os.cpu_count() or 1):
            raise Missing(f"there are not {self.threads} cores")
        self._rooms = [Room(self.id, seed) for seed in range(1, self.threads + 1)]
        self.measure()

    def measure(self) -> Figures:
        with ThreadPoolExecutor(self.threads) as pool:
            rates = list(pool.map(Room.rates, self._rooms))
        return {unit: sum(rate[unit] for rate in rates) for unit in rates[0]}


@dataclass
class Perft:
    id: str
    depth: int
    cores: int = 1

    @property
    def name(self) -> str:
        return f"quincunx {self.id} perft {self.depth}"

    def prepare(self) -> None:
        game = load(self.id, "compiled")
        count_leaves(game, game.new(), 1)

    def leaves(self) -> int:
        game = load(self.id, "compiled")
        return count_leaves(game, game.new(), self.depth)

    def measure(self) -> Figures:
        leaves, begin = 0, time.thread_time()
        while time.thread_time() - begin < SECONDS:
            leaves += self.leaves()
        return {"leaves/s": leaves / (time.thread_time() - begin)}


@dataclass
class Thinking:
    """A computer player that thinks about the start again and again; `unit` is what it counts."""

    id: str
    make: Callable[[Game], AlphaBetaPlayer | MctsPlayer]
    unit: str
    cores: int = 1

    @property
    def name(self) -> str:
        return f"quincunx {self.id} {self.unit}"

    def prepare(self) -> None:
        game = load(self.id, "compiled")
        world = game.new()
        self._player, self._outlook = self.make(game), game.view(world, game.turn(world))
        self.choose()

    def choose(self) -> dict[str, int]:
        """What a search counts, and what it finds."""
        best = self._player.choose(self._outlook)
        return {"nodes": self._player.info.nodes, "worth": int(self._player.info.worth or 0), "best": best}

    def measure(self) -> Figures:
        nodes, begin = 0, time.thread_time()
        while time.thread_time() - begin < SECONDS:
            nodes += self.choose()["nodes"]
        return {self.unit: nodes / (time.thread_time() - begin)}


@dataclass
class Call:
    """One call of the façade from Python, in the middle of a random game; `make` takes game and world."""

    name: str
    id: str
    gear: Any
    make: Callable[[Game, Any], Callable[[], object]]
    cores: int = 1

    def prepare(self) -> None:
        game = load(self.id, self.gear)
        world, random = game.new(), seeded(5)
        for _ in range(10):
            actions = game.legal(world)
            game.apply(world, game.turn(world), actions[below(random, len(actions))])
        self._call = self.make(game, world)

    def measure(self) -> Figures:
        call, calls, begin = self._call, 0, time.thread_time()
        while time.thread_time() - begin < SECONDS / 4:
            for _ in range(100):
                call()
            calls += 100
        return {"µs": (time.thread_time() - begin) / calls * 1e6}


COMPILE = """
import time
begin = time.process_time()
import json, sys
from quincunx.games import load
from quincunx.search import walk
load(sys.argv[1], "compiled").gear.bind(walk.random_games)
print(json.dumps({"s": time.process_time() - begin}))
"""


@dataclass
class Compile:
    """From the first import to a compiled game that can be played and searched, in a process of its own."""

    id: str
    cached: bool
    cores: int = 1

    @property
    def name(self) -> str:
        return f"quincunx {self.id} {'from the cache' if self.cached else 'compiled anew'}"

    def prepare(self) -> None:
        if self.cached:
            self._folder = tempfile.TemporaryDirectory(prefix="quincunx-cache-")
            self._start(self._folder.name)

    def measure(self) -> Figures:
        with self._cache() as folder:
            return self._start(folder)

    @contextmanager
    def _cache(self) -> Iterator[str]:
        if self.cached:
            yield self._folder.name
        else:
            with tempfile.TemporaryDirectory(prefix="quincunx-cache-") as folder:
                yield folder

    def _start(self, folder: str) -> Figures:
        environment = os.environ | {"QUINCUNX_CACHE": folder}
        command = [sys.executable, "-c", COMPILE, self.id]
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        figures: dict[str, float] = json.loads(done.stdout)
        return figures
