"""Players that hardly think: `random` and `greedy`."""

from __future__ import annotations

from quincunx.core import contract
from quincunx.core.random import Random, below, seeded
from quincunx.games import Game, Outlook
from quincunx.players.player import Info
from quincunx.search.greedy import think_greedy


class RandomPlayer:
    """Any legal action, all equally likely."""

    name = "random"

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.info = Info()
        self._random = game.random(seed)
        self._choice = seeded(seed)

    def choose(self, outlook: Outlook) -> int:
        legal = self.game.legal(self.game.imagine(outlook, self._random), outlook.seat)
        return legal[below(self._choice, len(legal))]


class GreedyPlayer:
    """The action after which it stands best, without a thought for the answer."""

    name = "greedy"

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.info = Info()
        self._think = game.gear.bind(think_greedy)
        self._random = game.gear.rows(Random, 2)
        self._random[0] = game.random(seed)[0]
        self._rows = game.gear.rows(contract.State, 2)
        self._out = game.gear.ints(game.rules.MAX_LEGAL)
        self._silent = game.log(contract.NOBODY, silent=True)

    def choose(self, outlook: Outlook) -> int:
        self._rows[0] = self.game.imagine(outlook, self._random).rows[0]
        return self._think(outlook.terms, self._rows, outlook.seat, self._random, self._out, self._silent)
