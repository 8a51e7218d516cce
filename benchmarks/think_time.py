"""How well players keep their time: moves at so many milliseconds, and how much longer each took.

    python benchmarks/think_time.py --moves 300                   the strongest players, Khet and Cultist
    python benchmarks/think_time.py --moves 20 --games garden --players mcts minimax
    python benchmarks/think_time.py --moves 300 --time 0.01 --busy    with a process that is never done on every core

Wall time tells what an opponent waits, and on a busy machine it tells how busy the machine is; CPU time tells what the
player used beyond its budget. The moves are made in this process, by players that are listened to as a server does.
`make bench` has a row for each of some budgets, always on a busy machine (`Kept`).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.contest import CLOCK, Figures

from quincunx.core.contract import CHANCE, NOBODY
from quincunx.games import Game, World, load
from quincunx.players import Player, make

LATE, SHARE = 0.3, 0.999  # of its time that a move may take longer, and what part of all moves must keep to it
MOST_CPU = 20  # milliseconds beyond the budget, always


TURNS = 60  # moves of a measurement
MEDIAN, WORST = "ms late, median" + CLOCK, "ms late, 99 in 100"
SPIN = (
    "import time\nend = time.monotonic() + 120\nwhile time.monotonic() < end: pass"  # ends by itself, whatever happens
)


def positions(game: Game, player: Player) -> Iterator[World]:
    """A match of the player against itself, without end."""
    for seed in range(1 << 30):
        world, dice = game.new(seed=seed), game.random(seed)
        while (seat := game.turn(world)) != NOBODY:
            if seat == CHANCE:
                action = game.roll(world, dice)
            else:
                yield world
                action = player.choose(game.view(world, seat))
            game.apply(world, seat, action)


def overshoots(id: str, spec: str, seconds: float, moves: int) -> tuple[list[float], list[float]]:
    """Milliseconds beyond the budget, of wall time and of CPU time."""
    game = load(id)
    player, guide = make(f"{spec}:time={seconds}", game), make("random", game)
    player.report = lambda info: None
    wall, cpu = [], []
    for world, _ in zip(positions(game, guide), range(moves), strict=False):
        observation = game.view(world, game.turn(world))
        began, used = perf_counter(), process_time()
        player.choose(observation)
        wall.append(1000 * (perf_counter() - began - seconds))
        cpu.append(1000 * (process_time() - used - seconds))
    return wall, cpu


@contextmanager
def busy() -> Iterator[None]:
    """Meanwhile every core has a process that is never done, each in a session of its own: as those of others are."""
    with ExitStack() as stack:
        for _ in range(os.cpu_count() or 1):
            spinning = stack.enter_context(subprocess.Popen([sys.executable, "-c", SPIN], start_new_session=True))
            stack.callback(spinning.kill)
        yield


@dataclass
class Kept:
    """How late the moves of a player come while the machine is busy."""

    id: str
    spec: str
    seconds: float
    cores: int = 0

    @property
    def name(self) -> str:
        return f"quincunx {self.id} {self.spec}:time={self.seconds}"

    def prepare(self) -> None:
        overshoots(self.id, self.spec, self.seconds, 1)

    def measure(self) -> Figures:
        with busy():
            wall, _ = overshoots(self.id, self.spec, self.seconds, TURNS)
        return {MEDIAN: quantile(wall, 0.5), WORST: quantile(wall, 0.99)}


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def row(values: list[float]) -> str:
    return "".join(f"{quantile(values, share):8.1f}" for share in (0, 0.5, 0.9, 1))


def verdict(wall: list[float], cpu: list[float], seconds: float) -> str:
    """How many moves came in time, and the worst use of the processor."""
    kept = sum(late <= 1000 * LATE * seconds for late in wall) / len(wall)
    met = kept >= SHARE and max(cpu) <= MOST_CPU
    return f"{100 * kept:9.2f} % {'met' if met else 'MISSED'}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--moves", type=int, default=10_000, help="of each player (10,000)")
    options.add_argument("--time", type=float, default=0.1, help="seconds a move (0.1)")
    options.add_argument("--games", nargs="*", default=["khet", "cultist"], help="(khet cultist)")
    options.add_argument("--players", nargs="*", default=["alphabeta"], help="minimax, alphabeta, mcts (alphabeta)")
    options.add_argument("--busy", action="store_true", help="with a process that is never done on every core")
    chosen = options.parse_args()
    print(f"milliseconds beyond {1000 * chosen.time:.0f}, of {chosen.moves} moves: least, median, 9 in 10, most")
    print(f"{'':24}{'wall':>20}{'CPU':>32}{'in time':>22}   (bar: {100 * SHARE:.1f} %, CPU at most {MOST_CPU} beyond)")
    for id in chosen.games:
        for spec in chosen.players:
            with busy() if chosen.busy else ExitStack():
                wall, cpu = overshoots(id, spec, chosen.time, chosen.moves)
            print(f"{id:14}{spec:10}{row(wall)}{row(cpu)}{verdict(wall, cpu, chosen.time)}", flush=True)


if __name__ == "__main__":
    main()
