"""Our side of the contest: the rules under the templates of search, and the façade."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from benchmarks.contest import CLOCK, SECONDS, Figures, Missing

from quincunx.core.contract import CHANCE, NOBODY, State
from quincunx.games import Game, GearName, World, load
from quincunx.players import Player
from quincunx.search import walk
from quincunx.search.perft import count_leaves

ENDLESS = 1 << 40  # no limit to the length of a random game


@dataclass(frozen=True)
class Start:
    """Where games begin: the default preset and map, or other ones."""

    id: str
    setup: str | None = None
    options: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        return " ".join([self.id, self.setup or "", *(f"{name}={value}" for name, value in self.options)])

    def new(self, game: Game) -> World:
        options: dict[str, Any] = dict(self.options)
        return game.new(setup=self.setup, **options)


class Room:
    """Random games, with arrays of their own to work in: one a thread."""

    def __init__(self, start: Start, seed: int = 1, gear: GearName = "compiled") -> None:
        self.game = load(start.id, gear)
        self.world = start.new(self.game)
        self._games = self.game.gear.bind(walk.random_games)
        self._random = self.game.random(seed)
        self._log = self.game.log(NOBODY, silent=True)
        self._out = self.game.gear.ints(self.game.rules.MAX_LEGAL)
        self.state = self.game.gear.rows(State, 1)
        self._seals = seals(self.game.terms(self.world)) if start.id == "casus_belli" else 0

    def play(self, games: int) -> int:
        """How many moves so many games took; the last one ends in `state`."""
        w = self.world
        return self._games(w.terms, w.rows, games, ENDLESS, self._random, self.state, self._out, self._log)

    def rates(self, seconds: float = SECONDS) -> Figures:
        """Whole games, many at once where they are short."""
        moves, played, games, begin, clock = 0, 0, 1, time.thread_time(), time.perf_counter()
        while (now := time.perf_counter()) - clock < seconds:
            moves += self.play(games)
            played += games
            if time.perf_counter() - now < seconds / 40:
                games *= 2
        spent, passed = time.thread_time() - begin, time.perf_counter() - clock
        return {
            "moves/s": moves / spent,
            "orders/s": (moves - played * self._seals) / spent,
            "games/s": played / spent,
            "moves/s" + CLOCK: moves / passed,
        }


def seals(terms: Any) -> int:
    """How many actions of a whole Casus Belli match are no orders: every seat seals once a turn, or once a phase."""
    phases = terms.turns + (terms.turns - terms.placement if terms.moves_first else 0)
    return int(terms.seats * phases)


def checksum(id: str, games: int, seed: int) -> dict[str, int]:
    """The moves of so many games, and the CRC of every byte of their final states."""
    room, steps, crc = Room(Start(id), seed), 0, 0
    for _ in range(games):
        steps += room.play(1)
        crc = zlib.crc32(cast(Any, room.state).tobytes(), crc)
    return {"steps": steps, "crc": crc}


@dataclass
class Playouts:
    """Random games: on one core, or in so many threads at once."""

    start: Start
    threads: int = 1
    gear: GearName = "compiled"

    @property
    def name(self) -> str:
        threads = f" in {self.threads} threads" if self.threads > 1 else ""
        return f"quincunx {self.start.name} {self.gear} playouts{threads}"

    @property
    def cores(self) -> int:
        return self.threads

    def prepare(self) -> None:
        if self.threads > (os.cpu_count() or 1):
            raise Missing(f"there are not {self.threads} cores")
        self._rooms = [Room(self.start, seed, self.gear) for seed in range(1, self.threads + 1)]
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
    make: Callable[[Game], Player]
    unit: str
    which: str = ""
    cores: int = 1

    @property
    def name(self) -> str:
        return f"quincunx {self.id} {self.which} {self.unit}"

    def prepare(self) -> None:
        game = load(self.id, "compiled")
        world = game.new()
        self._player, self._observation = self.make(game), game.view(world, game.turn(world))
        self.choose()

    def choose(self) -> dict[str, int]:
        """What a search counts, and what it finds, each time as if it were the first."""
        self._player.begin(1)
        best = self._player.choose(self._observation)
        return {"nodes": self._player.info.nodes, "value": int(self._player.info.value or 0), "best": best}

    def measure(self) -> Figures:
        nodes, begin, clock = 0, time.thread_time(), time.perf_counter()
        while time.thread_time() - begin < SECONDS:
            nodes += self.choose()["nodes"]
        passed = time.perf_counter() - clock
        return {self.unit: nodes / (time.thread_time() - begin), self.unit + CLOCK: nodes / passed}


@cache
def in_the_middle(start: Start) -> tuple[Game, World]:
    """Half of a game of the playout policy, and as many actions more as it takes until a seat is to act."""
    game = load(start.id)
    play, out, log = game.gear.bind(walk.playout), game.gear.ints(game.rules.MAX_LEGAL), game.log(NOBODY, silent=True)

    def played(world: World, random: Any, actions: int) -> int:
        return play(world.terms[0], world.rows[0], actions, True, random[0], out, log[0])

    half = played(start.new(game), game.random(5), ENDLESS) // 2
    world, random = start.new(game), game.random(5)
    played(world, random, half)
    while game.turn(world) == CHANCE:
        played(world, random, 1)
    if game.over(world):
        raise Missing(f"{start.name} is over after {half} actions")
    return game, world


@dataclass
class Call:
    """One call of the façade from Python, in the middle of a game; `make` takes game and world."""

    name: str
    start: Start
    make: Callable[[Game, World], Callable[[], object]]
    gear: GearName = "compiled"
    cores: int = 1

    def prepare(self) -> None:
        plain, world = in_the_middle(self.start)
        game = load(self.start.id, self.gear)
        self._call = self.make(game, game.from_bytes(world.options, plain.to_bytes(world)))

    def measure(self) -> Figures:
        call, calls, begin = self._call, 0, time.thread_time()
        while time.thread_time() - begin < SECONDS / 4:
            for _ in range(100):
                call()
            calls += 100
        return {"µs": (time.thread_time() - begin) / calls * 1e6}
