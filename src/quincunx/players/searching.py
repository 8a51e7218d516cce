"""Players that search: `minimax`, `alphabeta` and `mcts`. Each allocates its room once and thinks in it."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from quincunx.core import contract
from quincunx.games import Game, Outlook
from quincunx.players.budget import Budget, alarm
from quincunx.players.player import Info
from quincunx.search import alphabeta, mcts, minimax

DEFAULT_DEPTH = {"minimax": 2, "alphabeta": 4}
TABLE = 1 << 18  # entries
NODES = 1 << 18  # of a tree
LOOK_AHEAD = 2000  # actions of a playout, where a game does not say


def _stop(game: Game, rows: list[Any]) -> None:
    """What an alarm does: search looks at the flag before every action."""
    if game.gear.compiled:
        rows["stop"][0] = 1  # type: ignore[call-overload]
    else:
        rows[0].stop = 1


class _Deepening:
    """What minimax and alpha-beta share: a stack of states, one depth after the other."""

    name: str

    def __init__(self, game: Game, seed: int, budget: Budget) -> None:
        if budget == Budget():
            budget = Budget(depth=DEFAULT_DEPTH[self.name])
        self.game = game
        self.budget = budget
        self.info = Info()
        self._random = game.random(seed)
        self._deepest = min(budget.depth or minimax.DEEPEST, minimax.DEEPEST)
        self._stack = game.gear.rows(contract.State, self._deepest + 1)
        self._moves = game.gear.grid(self._deepest + 1, game.rules.MAX_LEGAL)
        self._thought = game.gear.rows(minimax.Thought, 1)
        self._silent = game.log(contract.NOBODY, silent=True)

    def choose(self, outlook: Outlook) -> int:
        world = self.game.imagine(outlook, self._random)
        self._stack[0] = world.rows[0]
        thought = minimax.Thought()
        thought.seat, thought.most_nodes = outlook.seat, self.budget.most_nodes
        self._thought[0] = self.game.rows(thought)[0]
        best = self.game.legal(world, outlook.seat)[0]
        began = perf_counter()
        with alarm(self.budget.time, lambda: _stop(self.game, self._thought)):
            for depth in range(self._first_depth(), self._deepest + 1):
                worth = self._think(outlook.terms, depth)
                known = self.game.plain(minimax.Thought, self._thought)
                if known.stop and not (self._keeps_unfinished() and worth > -alphabeta.INFINITE):
                    break
                best = known.best
                self.info = Info(known.nodes, depth, float(worth), perf_counter() - began)
                if known.stop:
                    break
        return best

    def _first_depth(self) -> int:
        raise NotImplementedError

    def _keeps_unfinished(self) -> bool:
        raise NotImplementedError

    def _think(self, terms: list[Any], depth: int) -> int:
        raise NotImplementedError


class MinimaxPlayer(_Deepening):
    """Every line to the same depth."""

    name = "minimax"

    def __init__(self, game: Game, seed: int, budget: Budget) -> None:
        super().__init__(game, seed, budget)
        self._search = game.gear.bind(minimax.minimax)

    def _first_depth(self) -> int:
        return 1 if self.budget.depth is None else self._deepest

    def _keeps_unfinished(self) -> bool:
        return False

    def _think(self, terms: list[Any], depth: int) -> int:
        return self._search(terms[0], self._stack, self._moves, self._thought[0], self._silent[0], depth, 0)


class AlphaBetaPlayer(_Deepening):
    """The same answer from far fewer positions, so that it sees further."""

    name = "alphabeta"

    def __init__(self, game: Game, seed: int, budget: Budget, exact: bool = False) -> None:
        super().__init__(game, seed, budget)
        self._search = game.gear.bind(alphabeta.alphabeta)
        self._marks = game.gear.grid(self._deepest + 1, game.rules.MAX_LEGAL)
        self._table = game.gear.rows(alphabeta.Entry, TABLE if game.gear.compiled else TABLE >> 6)
        self._exact = exact
        self._thoughts = 0
        self._habits = game.gear.rows(alphabeta.Habits, 1)

    def choose(self, outlook: Outlook) -> int:
        self._thoughts = self._thoughts % 30_000 + 1
        habits = alphabeta.Habits()
        habits.thought, habits.exact = self._thoughts, int(self._exact)
        self._habits[0] = self.game.rows(habits)[0]
        return super().choose(outlook)

    def _first_depth(self) -> int:
        return 1

    def _keeps_unfinished(self) -> bool:
        return True  # the best action of the depth before is looked at first

    def _think(self, terms: list[Any], depth: int) -> int:
        return self._search(
            terms[0], self._stack, self._moves, self._marks, self._table, self._thought[0], self._habits[0],
            self._silent[0], -alphabeta.INFINITE, alphabeta.INFINITE, depth, 0,
        )  # fmt: skip


class MctsPlayer:
    """Many games played on from here in thought."""

    name = "mcts"

    def __init__(self, game: Game, seed: int, budget: Budget, exploration: float = 1.0) -> None:
        self.game = game
        self.budget = Budget(simulations=1000) if budget == Budget() else budget
        self.info = Info()
        self._exploration = exploration
        self._random = game.random(seed)
        gear = game.gear
        size = min(NODES if gear.compiled else NODES >> 3, 2 * self.budget.most_simulations + 2)
        self._search, self._plant = gear.bind(mcts.think_mcts), gear.bind(mcts.plant)
        self._tree, self._nodes = gear.rows(mcts.Tree, 1), gear.rows(mcts.Node, size)
        self._slots = gear.ints(1 << (2 * size).bit_length())
        self._rows = gear.rows(contract.State, 1)
        self._out = gear.ints(game.rules.MAX_LEGAL)
        self._silent = game.log(contract.NOBODY, silent=True)

    def choose(self, outlook: Outlook) -> int:
        most = min(self.budget.most_simulations, self.budget.most_nodes)
        longest = getattr(self.game.rules, "LOOK_AHEAD", LOOK_AHEAD)
        self._plant(self._tree, self._slots, outlook.seat, most, longest, self._exploration)
        began = perf_counter()
        with alarm(self.budget.time, lambda: _stop(self.game, self._tree)):
            best = self._search(
                outlook.terms, outlook.rows, self._rows, self._random,
                self._tree, self._nodes, self._slots, self._out, self._silent,
            )  # fmt: skip
        rounds = self.game.plain(mcts.Tree, self._tree).rounds
        self.info = Info(rounds, 0, None, perf_counter() - began)
        return best
