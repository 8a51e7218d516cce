"""How many positions of Connect Four are proven in a second: `python benchmarks/solving.py [--positions N]`.

Positions after 12 to 20 random actions, N of each length, the same in every run. Proven: the search came to a win, to a
loss, or to a draw at a depth that covers the board. A second is one of the processor, which a busy machine disturbs
less; a search ends after so many nodes that it has had more than that.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import thread_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from quincunx.games import Game, World, load
from quincunx.players.alphabeta import AlphaBetaPlayer
from quincunx.players.budget import Budget

PLIES = range(12, 21)
MOST_NODES = 12_000_000


def positions(game: Game, plies: int, n: int) -> Iterator[World]:
    """Random ones that are not over."""
    dice, found = Random(plies), 0
    while found < n:
        world = game.new()
        for _ in range(plies):
            if not game.over(world):
                game.apply(world, game.turn(world), dice.choice(game.legal(world)))
        if not game.over(world):
            found += 1
            yield world


def main() -> None:
    parser = ArgumentParser(description="How many positions of Connect Four are proven in a second.")
    parser.add_argument("--positions", type=int, default=40, metavar="N", help="of each length (40)")
    wanted = parser.parse_args()
    game = load("connect_four", "compiled")
    player = AlphaBetaPlayer(game, 1, Budget(nodes=MOST_NODES))
    print("plies  proven in 1 s  proven at all  seconds, median and slowest")
    quick = 0
    for plies in PLIES:
        found = [think(player, game, world) for world in positions(game, plies, wanted.positions)]
        seconds = [spent for _, spent in found]
        in_time = sum(proven and spent <= 1 for proven, spent in found)
        shares = f"{in_time / len(found):13.0%}  {sum(proven for proven, _ in found) / len(found):13.0%}"
        print(f"{plies:5}  {shares}  {median(seconds):.3f}  {max(seconds):.2f}", flush=True)
        quick += in_time
    print(f"  all  {quick / wanted.positions / len(PLIES):13.1%}")


def think(player: AlphaBetaPlayer, game: Game, world: World) -> tuple[bool, float]:
    """Is it proven, and how long did that take? As if it were the first thought."""
    player.begin(1)
    begin = thread_time()
    player.choose(game.view(world, game.turn(world)))
    return player.info.proven, thread_time() - begin


if __name__ == "__main__":
    main()
