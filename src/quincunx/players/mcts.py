"""The player of Monte Carlo tree search: many games played on from here in thought."""

from __future__ import annotations

from dataclasses import replace

from quincunx.core import contract
from quincunx.games import Game, Observation, World
from quincunx.players.budget import WITHOUT_END, Budget
from quincunx.players.line import read, tree_line, write
from quincunx.players.player import Info, silent
from quincunx.players.searching import Searching
from quincunx.search import mcts

NODES = 1 << 19  # of a tree
EVERY = 0.2  # seconds between two reports
FIRST_SLICE = 8  # rounds before it knows how fast it is


def habits_of(game: Game) -> dict[str, float]:
    """How a tree of this game is grown: fields of mcts.Tree."""
    hints = game.hints
    return {
        "longest": hints.longest,
        "turns": hints.look_ahead,
        "edge": hints.edge,
        "eager": hints.eager,
        "exploration": hints.exploration,
        "trust": hints.trust,
        "alone": game.card.simultaneous,
        "certain": game.card.open,
    }


class MctsPlayer(Searching):
    name = "mcts"

    def __init__(self, game: Game, seed: int, budget: Budget, **habits: float) -> None:
        """`habits` replace those of the game."""
        budget = Budget(simulations=1000) if budget == Budget() else budget
        gear = game.gear
        self._habits = {**habits_of(game), **habits}
        size = min(NODES if gear.compiled else NODES >> 3, 2 * budget.most_simulations + 2)
        gear.bind_all([mcts.think_mcts, mcts.plant, mcts.most_visited, mcts.offers])
        self._search, self._plant = gear.bind(mcts.think_mcts), gear.bind(mcts.plant)
        self._most_visited, self._offers = gear.bind(mcts.most_visited), gear.bind(mcts.offers)
        self._tree, self._nodes = gear.rows(mcts.Tree, 1), gear.rows(mcts.Node, size)
        self._slots = gear.ints(1 << (2 * size).bit_length())
        self._rows = gear.rows(contract.State, 2)
        self._out, self._marks = gear.ints(game.rules.MAX_LEGAL), gear.ints(game.rules.MAX_LEGAL)
        self._silent = game.log(contract.NOBODY, silent=True)
        super().__init__(game, seed, budget, self._tree)

    def _choose(self, observation: Observation) -> int:
        most = min(self.budget.most_simulations, self.budget.most_nodes)
        self._plant(self._tree, self._nodes, self._slots, observation.seat)
        for name, habit in self._habits.items():
            write(self.game, self._tree, name, habit)
        write(self.game, self._tree, "most_rounds", most)
        self._raise_flag_again()
        told, rounds, portion = self._passed(), 0, WITHOUT_END if self.report is silent else FIRST_SLICE
        while (best := self._think(observation, rounds + portion)) < 0:
            now, done = self._passed(), read(self.game, self._tree, 0, "rounds") - rounds
            rounds += done
            portion = min(8 * portion, max(1, int(EVERY * rounds / now)))
            if now - told >= EVERY:
                told = now
                self._tell(self._told(observation))
        self._tell(replace(self._told(observation, best), capped=self._capped()))
        return best

    def _think(self, observation: Observation, pause: int) -> int:
        """Goes on for some rounds; the action when all are done, less than 0 before."""
        write(self.game, self._tree, "pause", min(pause, WITHOUT_END))
        return self._search(
            observation.terms, observation.rows, self._rows, self._random,
            self._tree, self._nodes, self._slots, self._out, self._marks, self._silent,
        )  # fmt: skip

    def _told(self, observation: Observation, chosen: int | None = None) -> Info:
        world = self.game.imagine(observation, dice := self.game.random(0))  # not ours: to be heard changes nothing
        first = self._offered(world, observation.seat) if chosen is None else [chosen]
        node, _ = self._child(0, first)
        visits, value, proven = (read(self.game, self._nodes, node, name) for name in ("visits", "value", "proven"))
        line: tuple[str, ...] = ()
        if self.report is not silent:
            line = self._longer(
                tree_line(self.game, world, observation.seat, first, self._offered, self._child, dice, self._hurry)
            )
        rounds = read(self.game, self._tree, 0, "rounds")
        value = (1 + proven) / 2 if proven else value / visits if visits else None
        return Info(rounds, len(line), value, self._passed(), line, proven != 0)

    def _offered(self, world: World, seat: int) -> list[int]:
        return list(self._out[: self._offers(world.terms, world.rows, seat, self._out)])

    def _child(self, node: int, actions: list[int]) -> tuple[int, int]:
        """The most visited node below one, among those that these actions lead to, and its action; or (0, 0)."""
        self._out[: len(actions)] = actions
        child = self._most_visited(self._nodes, self._slots, node, self._out, len(actions))
        return child, read(self.game, self._nodes, child, "action") if child else 0
