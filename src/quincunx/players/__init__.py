"""Who can hold a seat.

>>> from quincunx.games import load
>>> from quincunx.players import make
>>> game = load("connect_four")
>>> player = make("alphabeta:depth=4", game, seed=1)
>>> game.text(world := game.new(), 0, player.choose(game.view(world, 0)))
'd'
"""

from quincunx.players.player import Info, Player
from quincunx.players.roster import KINDS, make, settings

__all__ = ["KINDS", "Info", "Player", "make", "settings"]
