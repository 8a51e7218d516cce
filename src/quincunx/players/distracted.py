"""A player that sometimes overlooks things, as people do.

Now and then it sees only a few of its actions, as if the rest of the board were covered, and takes the one of them that
looks best at once. Otherwise it thinks as it always does. So a beginner blunders, but seldom plays nonsense.
"""

from __future__ import annotations

from quincunx.core.random import Random, below, seeded
from quincunx.games import Game, Observation
from quincunx.players.player import Info, Player
from quincunx.players.simple import GreedyPlayer

SEEN = 20  # of a hundred actions


def attention(seed: int) -> Random:
    """What says, choice after choice, whether it looks at everything."""
    return seeded(seed ^ 0x5EED)


def overlooks(attention: Random, mistakes: int) -> bool:
    """Of a hundred choices, so many."""
    return below(attention, 100) < mistakes


class Distracted(Player):
    def __init__(self, game: Game, seed: int, thinker: Player, mistakes: int) -> None:
        """`mistakes` of a hundred choices are made without looking at everything."""
        super().__init__()
        self._thinker = thinker
        self._careless = GreedyPlayer(game, seed, SEEN)
        self._mistakes = mistakes
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self._attention = attention(seed)
        self._careless.begin(seed)
        self._thinker.begin(seed)

    def cancel(self) -> None:
        self._thinker.cancel()

    def choose(self, observation: Observation) -> int:
        if overlooks(self._attention, self._mistakes):
            self.info = Info()
            return self._careless.choose(observation)
        self._thinker.report, self._thinker.most_seconds = self.report, self.most_seconds
        action = self._thinker.choose(observation)
        self.info = self._thinker.info
        return action
