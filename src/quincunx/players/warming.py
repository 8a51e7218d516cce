"""Compiling games ahead of time. A process compiles what it needs and does not find in the cache, when it needs it:
first the rules, a search when a player asks for it. All of a game at once costs less, and whoever must not be held up
lets another process fill the cache:

    python -m quincunx.players.warming khet
"""

from __future__ import annotations

import os
import sys
from typing import Any

from quincunx.core import cache, hints
from quincunx.games import GearName, load, package
from quincunx.games.facade import DOORS
from quincunx.games.folder import gear_of
from quincunx.search import alphabeta, greedy, history, mcts, minimax, walk

FOR_EVERY_GAME = (greedy.think_greedy, mcts.plant, mcts.think_mcts, mcts.most_visited, mcts.offers)
# elsewhere compiled when asked for
FOR_OPEN_GAMES = (minimax.minimax, history.begin_search, alphabeta.aspiration_search, hints.plies_left)


def parts(id: str) -> list[Any]:
    """The doors of the rules, and the searches."""
    if not package(id).CARD.open:
        return [*DOORS, walk.random_games, *FOR_EVERY_GAME]
    return [*DOORS, walk.random_games, walk.perft, *FOR_EVERY_GAME, *FOR_OPEN_GAMES]


def is_warm(id: str) -> bool:
    """Is everything that a computer player needs in the cache?"""
    return load(id, "interpreted").gear.holds(parts(id))


def warm(id: str, gear: GearName = "compiled") -> None:
    """Compiles a game and its searches, unless the cache holds them."""
    gear_of(package(id), gear).bind_all(parts(id))


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(15)  # whoever plays meanwhile comes first, and whoever thinks
    warm(sys.argv[1])
    cache.sweep()
