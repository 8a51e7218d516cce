"""Quincunx: one place to play, program and study turn-based strategy games.

>>> import quincunx
>>> match = quincunx.Match("khet", setup="classic")
>>> match.play("H2-G1").turn
1

Seats are 0, 1, …; in the place of one stand `CHANCE` (-1), who throws the dice, `PUBLIC` (-2), who watches without a
seat, and `NOBODY` (-3), whose turn it is when the game is over.
"""

from quincunx.core.contract import CHANCE, NOBODY, PUBLIC
from quincunx.core.words import Refused, Words
from quincunx.games import Game, Observation, World, cards, load
from quincunx.match import Match

__version__ = "0.1.0"  # the one place where it stands
__all__ = [
    "CHANCE",
    "NOBODY",
    "PUBLIC",
    "Game",
    "Match",
    "Observation",
    "Refused",
    "Words",
    "World",
    "__version__",
    "cards",
    "load",
]
