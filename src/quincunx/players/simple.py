"""Players that hardly think: `random` and `greedy`, and those that a game brings along."""

from __future__ import annotations

import pickle

from quincunx.core import contract
from quincunx.core.random import Random, below, seeded
from quincunx.games import Game, Observation
from quincunx.players.player import Player
from quincunx.search.greedy import think_greedy


class RandomPlayer(Player):
    """Any legal action, all equally likely."""

    name = "random"

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__()
        self.game = game
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self._random = self.game.random(seed)
        self._choice = seeded(seed)

    def choose(self, observation: Observation) -> int:
        legal = self.game.legal(self.game.imagine(observation, self._random), observation.seat)
        return legal[below(self._choice, len(legal))]


class OwnPlayer(Player):
    """A player that a game brings along: it looks at the plain view, and may remember its plans."""

    def __init__(self, game: Game, seed: int, name: str) -> None:
        super().__init__()
        self.game = game
        self.name = name
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self._player = self.game.opponents[self.name][0](seed)

    def choose(self, observation: Observation) -> int:
        terms, view = self.game.terms(observation), self.game.plain(self.game.rules.View, observation.rows)
        return int(self._player.choose(terms, view, observation.seat))

    def memory(self) -> bytes:
        return pickle.dumps(self._player)

    def recall(self, memory: bytes) -> None:
        self._player = pickle.loads(memory)


class GreedyPlayer(Player):
    """The action after which it stands best, without a thought for the answer. `seen` in a hundred it looks at."""

    name = "greedy"

    def __init__(self, game: Game, seed: int, seen: int = 100) -> None:
        super().__init__()
        self.game = game
        self._seen = seen
        self._think = game.gear.bind(think_greedy)
        self._random = game.gear.rows(Random, 2)
        self._rows = game.gear.rows(contract.State, 2)
        self._out = game.gear.ints(game.rules.MAX_LEGAL)
        self._silent = game.log(contract.NOBODY, silent=True)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self._random[0] = self.game.random(seed)[0]

    def choose(self, observation: Observation) -> int:
        self._rows[0] = self.game.imagine(observation, self._random).rows[0]
        return self._think(
            observation.terms, self._rows, observation.seat, self._random, self._out, self._silent, self._seen
        )
