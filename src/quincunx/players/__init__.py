"""Who can hold a seat.

>>> from quincunx.games import load
>>> from quincunx.players import make
>>> game = load("connect_four")
>>> player = make("alphabeta:depth=4", game, seed=1)
>>> game.text(world := game.new(), 0, player.choose(game.view(world, 0)))
'd'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quincunx.players.player import Info, Player
    from quincunx.players.roster import KINDS, make, settings

__all__ = ["KINDS", "Info", "Player", "make", "settings"]


def __getattr__(name: str) -> Any:
    """All who can sit, programs among them, are loaded by whoever lets one sit down: in a page no program can."""
    if name in __all__:
        return getattr(import_module(f"{__name__}.{'player' if name in ('Info', 'Player') else 'roster'}"), name)
    raise AttributeError(name)
