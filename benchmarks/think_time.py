"""How well players keep their time: moves at so many milliseconds, and how much longer each took.

    python benchmarks/think_time.py --moves 20 --time 0.1

Wall time tells what an opponent waits, and on a busy machine it tells how busy the machine is; CPU time tells what the
player used beyond its budget. Players are listened to, as a server does.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import perf_counter, process_time

from quincunx.core.contract import CHANCE, NOBODY
from quincunx.games import Game, World, cards, load
from quincunx.players import Player, make


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
        outlook = game.view(world, game.turn(world))
        began, used = perf_counter(), process_time()
        player.choose(outlook)
        wall.append(1000 * (perf_counter() - began - seconds))
        cpu.append(1000 * (process_time() - used - seconds))
    return wall, cpu


def row(values: list[float]) -> str:
    values = sorted(values)
    return "".join(f"{values[min(len(values) - 1, int(len(values) * share))]:8.1f}" for share in (0, 0.5, 0.9, 1))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--moves", type=int, default=20)
    options.add_argument("--time", type=float, default=0.1)
    options.add_argument("--games", nargs="*", default=[card.id for card in cards()])
    chosen = options.parse_args()
    print(f"milliseconds beyond {1000 * chosen.time:.0f}, of {chosen.moves} moves: least, median, 9 in 10, most")
    print(f"{'':36}{'wall':>20}{'CPU':>32}")
    for id in chosen.games:
        for spec in ("minimax", "alphabeta", "mcts"):
            wall, cpu = overshoots(id, spec, chosen.time, chosen.moves)
            print(
                f"{id:14}{spec:10}{(load(id).gear.compiled and 'compiled') or 'plain':10}{row(wall)}{row(cpu)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
