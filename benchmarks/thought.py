"""What four times the thought is worth in Connect Four, from starts that nobody has won (benchmarks/thought.py).

    python benchmarks/thought.py --nodes 200 2000 --pairs 40

After a dozen random actions nearly every position is won by force, and whoever sits on the right chair wins however
little the other thinks. So starts are drawn at random and solved, and only those are played that are a draw with best
play: there the better player can win from both chairs. Every start is played from both. A position that is not solved
with a million nodes is left out, and counted: a few of them would take most of the time.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.solving import positions

from quincunx.games import World, load
from quincunx.players.alphabeta import AlphaBetaPlayer
from quincunx.players.budget import Budget
from quincunx.tournament.score import Score, score_of
from quincunx.tournament.series import Series, pair_score

GAME, PLIES, TIMES = "connect_four", 14, 4
TRIED = 100_000  # positions at most
MOST_NODES = 1_000_000  # of a proof


def balanced(found: Counter[str], plies: int = PLIES) -> Iterator[World]:
    """Positions after random actions that are proven to be draws; `found` counts those that are not, too."""
    game = load(GAME, "compiled")
    player = AlphaBetaPlayer(game, 1, Budget(nodes=MOST_NODES))
    for world in positions(game, plies, TRIED):
        player.begin(1)
        player.choose(game.view(world, game.turn(world)))
        kind = ("draw" if player.info.value == 0 else "decided") if player.info.proven else "unsolved"
        found[kind] += 1
        if kind == "draw":
            yield world


def worth(starts: list[World], nodes: int) -> Score:
    """Of `nodes` times four against `nodes`."""
    pairs = []
    for seed, start in enumerate(starts):
        position = start.game.position(start)
        players = (f"alphabeta:nodes={TIMES * nodes}", f"alphabeta:nodes={nodes}")
        series = Series(GAME, players, seed=seed, position=position, records=False)
        pairs.append(pair_score(series, {bout.number: bout.outcome for bout in series.run()}, 0))
    return score_of(pairs)


def main() -> None:
    parser = ArgumentParser(description="What four times the thought is worth in Connect Four, from balanced starts.")
    parser.add_argument("--nodes", type=int, nargs="+", default=[50, 200, 2000], metavar="N")
    parser.add_argument("--pairs", type=int, default=40, metavar="N", help="starts, each from both chairs (40)")
    wanted = parser.parse_args()
    found = Counter[str]()
    starts = list(islice(balanced(found), wanted.pairs))
    rejects = f"{found['decided']} were decided, {found['unsolved']} not solved with {MOST_NODES:,} nodes"
    print(f"{found.total()} positions: {found['draw']} draws; left out: {rejects}", flush=True)
    for nodes in wanted.nodes:
        score = worth(starts, nodes)
        print(f"{nodes} → {TIMES * nodes}: {score.mean:.1%} ({score.low:.1%}–{score.high:.1%}) of {score.pairs} pairs")


if __name__ == "__main__":
    main()
