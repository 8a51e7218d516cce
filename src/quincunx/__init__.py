"""Quincunx: one place to play, program and study turn-based strategy games.

>>> import quincunx
>>> match = quincunx.Match("khet", setup="classic")
>>> match.play("H2-G1").turn
1
"""

from quincunx.core.words import Refused, Words
from quincunx.games import Game, Outlook, World, cards, load
from quincunx.match import Match

__version__ = "0.1.0"  # the one place where it stands
__all__ = ["Game", "Match", "Outlook", "Refused", "Words", "World", "__version__", "cards", "load"]
