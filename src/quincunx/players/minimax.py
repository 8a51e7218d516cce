"""Players that give minimax's value, one depth after the other: `minimax`, the reference, and the quicker `exact`."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any

from quincunx.core import contract
from quincunx.games import Game, Observation, World
from quincunx.players.budget import Budget
from quincunx.players.line import write
from quincunx.players.player import Info, silent
from quincunx.players.searching import Searching
from quincunx.search import exact, minimax
from quincunx.search.watch import wind

DEFAULT_DEPTH = {"minimax": 2, "exact": 4}
TABLE = 1 << 18  # positions
SEARCHES = 30_000  # that a table tells apart


class _Deepening(Searching):
    """What both share: a stack of states, one depth after the other."""

    def __init__(self, game: Game, seed: int, budget: Budget) -> None:
        if budget == Budget():
            budget = Budget(depth=DEFAULT_DEPTH[self.name])
        self._deepest = min(budget.depth or minimax.DEEPEST, minimax.DEEPEST)
        self._stack = game.gear.rows(contract.State, self._deepest + 1)
        self._moves = game.gear.grid(self._deepest + 1, game.rules.MAX_LEGAL)
        self._found = game.gear.rows(minimax.Search, 1)
        self._silent = game.log(contract.NOBODY, silent=True)
        super().__init__(game, seed, budget, self._found)

    def _choose(self, observation: Observation) -> int:
        world = self.game.imagine(observation, self._random)
        self._stack[0] = world.rows[0]
        found = minimax.Search()
        found.seat, found.most_nodes = observation.seat, self.budget.most_nodes
        wind(found.watch, self._deadline)
        self._found[0] = self.game.rows(found)[0]
        self._raise_flag_again()
        best = self.game.legal(world, observation.seat)[0]
        for depth in range(1, self._deepest + 1):
            value = self._think(observation.terms, depth)
            found = self.game.plain(minimax.Search, self._found)
            if found.stop and not (self._keeps_unfinished() and value > -exact.INFINITE):
                break
            best = found.best
            line = () if self.report is silent else self._longer(self._line(world, best, depth))
            self.info = Info(found.nodes, depth, float(value), self._passed(), line)
            if found.stop:
                break
            self.report(self.info)
        if found.stop:
            self._tell(replace(self.info, nodes=found.nodes, seconds=self._passed(), capped=self._capped()))
        return best

    @abstractmethod
    def _keeps_unfinished(self) -> bool: ...

    @abstractmethod
    def _think(self, terms: list[Any], depth: int) -> int: ...

    @abstractmethod
    def _line(self, world: World, best: int, depth: int) -> tuple[str, ...]: ...


class MinimaxPlayer(_Deepening):
    """Every line to the same depth."""

    name = "minimax"

    def __init__(self, game: Game, seed: int, budget: Budget) -> None:
        super().__init__(game, seed, budget)
        self._search = game.gear.bind(minimax.minimax)

    def _keeps_unfinished(self) -> bool:
        return False

    def _think(self, terms: list[Any], depth: int) -> int:
        return self._search(terms[0], self._stack, self._moves, self._found[0], self._silent[0], depth, 0)

    def _line(self, world: World, best: int, depth: int) -> tuple[str, ...]:
        return (self.game.text(world, self.game.turn(world), best),)  # it remembers no more


class ExactPlayer(_Deepening):
    """Minimax's answer, to the number, from far fewer positions: what other searches are held against.

    With a narrow window it only says on which side of it the value lies, and is quicker.
    """

    name = "exact"

    def __init__(
        self,
        game: Game,
        seed: int,
        budget: Budget,
        window: tuple[int, int] = (-exact.INFINITE, exact.INFINITE),
    ) -> None:
        super().__init__(game, seed, budget)
        self._window = window
        self._search = game.gear.bind(exact.exact)
        self._marks = game.gear.grid(self._deepest + 1, game.rules.MAX_LEGAL)
        self._searches = SEARCHES

    def _choose(self, observation: Observation) -> int:
        if self._searches == SEARCHES:  # their numbers begin anew, and so does the table
            size = TABLE if self.game.gear.compiled else TABLE >> 6
            self._table = self.game.gear.rows(exact.Entry, size)
            self._searches = 0
        self._searches += 1
        self._history = self.game.gear.rows(exact.History, 1)
        write(self.game, self._history, "search", self._searches)
        return super()._choose(observation)

    def _keeps_unfinished(self) -> bool:
        return True  # the best action of the depth before is looked at first

    def _think(self, terms: list[Any], depth: int) -> int:
        return self._search(
            terms[0], self._stack, self._moves, self._marks, self._table, self._found[0], self._history[0],
            self._silent[0], *self._window, depth, 0,
        )  # fmt: skip

    def _line(self, world: World, best: int, depth: int) -> tuple[str, ...]:
        return (self.game.text(world, self.game.turn(world), best),)
