"""How well players keep their time: moves at so many milliseconds, and how much longer each took.

    python benchmarks/think_time.py --moves 300                   the strongest players, Khet and Cultist
    python benchmarks/think_time.py --moves 20 --games garden --players mcts minimax

Wall time tells what an opponent waits, and on a busy machine it tells how busy the machine is; CPU time tells what the
player used beyond its budget. The moves are made in this process, by players that are listened to as a server does.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import perf_counter, process_time

from quincunx.core.contract import CHANCE, NOBODY
from quincunx.games import Game, World, load
from quincunx.players import Player, make

LATE, SHARE = 0.3, 0.999  # of its time that a move may take longer, and what part of all moves must keep to it
MOST_CPU = 20  # milliseconds beyond the budget, always


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


def row(values: list[float]) -> str:
    values = sorted(values)
    return "".join(f"{values[min(len(values) - 1, int(len(values) * share))]:8.1f}" for share in (0, 0.5, 0.9, 1))


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
    chosen = options.parse_args()
    print(f"milliseconds beyond {1000 * chosen.time:.0f}, of {chosen.moves} moves: least, median, 9 in 10, most")
    print(f"{'':24}{'wall':>20}{'CPU':>32}{'in time':>22}   (bar: {100 * SHARE:.1f} %, CPU at most {MOST_CPU} beyond)")
    for id in chosen.games:
        for spec in chosen.players:
            wall, cpu = overshoots(id, spec, chosen.time, chosen.moves)
            print(f"{id:14}{spec:10}{row(wall)}{row(cpu)}{verdict(wall, cpu, chosen.time)}", flush=True)


if __name__ == "__main__":
    main()
