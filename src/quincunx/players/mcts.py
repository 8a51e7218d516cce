"""The player of Monte Carlo tree search: many games played on from here in thought: `mcts:time=1,threads=2`.

Several threads grow one tree (search/mcts.py says how); then the choice depends on their luck.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from quincunx.core import contract
from quincunx.core.random import Random
from quincunx.games import Game, Observation, World
from quincunx.players.beside import beside
from quincunx.players.budget import WITHOUT_END, Budget
from quincunx.players.line import read, tree_line, write
from quincunx.players.player import Info, silent
from quincunx.players.searching import Searching
from quincunx.search import mcts

NODES = 1 << 19  # of a tree
EVERY = 0.2  # seconds between two reports
FIRST_SLICE = 8  # rounds before it knows how fast it is
APART, LARGEST = 0x9E3779B97F4A7C15, (1 << 63) - 1  # between the seeds of two threads; a seed


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


class _Room:
    """Where one thread works."""

    random: list[Random]

    def __init__(self, game: Game) -> None:
        gear = game.gear
        self.tree, self.rows = gear.rows(mcts.Tree, 1), gear.rows(contract.State, 2)
        self.out, self.marks = gear.ints(game.rules.MAX_LEGAL), gear.ints(game.rules.MAX_LEGAL)
        self.silent = game.log(contract.NOBODY, silent=True)


class MctsPlayer(Searching):
    name = "mcts"

    def __init__(self, game: Game, seed: int, budget: Budget, threads: int = 1, **habits: float) -> None:
        """`habits` replace those of the game."""
        budget = Budget(simulations=1000) if budget == Budget() else budget
        gear = game.gear
        self._habits = {**habits_of(game), **habits}
        gear.bind_all([mcts.think_mcts, mcts.plant, mcts.most_visited, mcts.offers])
        self._search, self._plant = gear.bind(mcts.think_mcts), gear.bind(mcts.plant)
        self._most_visited, self._offers = gear.bind(mcts.most_visited), gear.bind(mcts.offers)
        self._most = min(budget.most_simulations, budget.most_nodes)
        size = min(NODES if gear.compiled else NODES >> 3, 2 * self._most + 2)
        self._nodes, self._slots = gear.rows(mcts.Node, size), gear.ints(1 << (2 * size).bit_length())
        self._rooms = [_Room(game) for _ in range(min(threads, self._most))]
        self._tree, self._out = self._rooms[0].tree, self._rooms[0].out
        super().__init__(game, seed, budget, self._tree)

    def begin(self, seed: int) -> None:
        super().begin(seed)
        for k, room in enumerate(self._rooms):
            room.random = self.game.random(seed + k * APART & LARGEST) if k else self._random

    def _stop(self) -> None:
        for room in self._rooms:
            write(self.game, room.tree, "stop", 1)

    def _choose(self, observation: Observation) -> int:
        for k in range(len(self._rooms)):
            self._make_ready(k, observation.seat)
        self._raise_flag_again()
        helpers = [partial(self._think, observation, room, WITHOUT_END) for room in self._rooms[1:]]
        with beside(helpers, self._stop):
            best = self._grow(observation)
        if helpers:
            best = self._tried_most(observation)
        self._tell(replace(self._told(observation, best), capped=self._capped()))
        return best

    def _make_ready(self, k: int, seat: int) -> None:
        tree, threads = self._rooms[k].tree, len(self._rooms)
        self._plant(tree, self._nodes, self._slots, seat, self._deadline)
        rounds = self._most // threads + (k < self._most % threads)
        most = (len(self._nodes) - 1) // threads
        shares = {"most_rounds": rounds, "threads": threads, "most_nodes": most, "before": k * most}
        for name, value in {**self._habits, **shares}.items():
            write(self.game, tree, name, value)

    def _grow(self, observation: Observation) -> int:
        """The first tree, with a word now and then about how it goes."""
        told, rounds, portion = self._passed(), 0, WITHOUT_END if self.report is silent else FIRST_SLICE
        while (best := self._think(observation, self._rooms[0], rounds + portion)) < 0:
            now, done = self._passed(), read(self.game, self._tree, 0, "rounds") - rounds
            rounds += done
            portion = min(8 * portion, max(1, int(EVERY * rounds / now)))
            if now - told >= EVERY:
                told = now
                self._tell(self._told(observation))
        return best

    def _think(self, observation: Observation, room: _Room, pause: int) -> int:
        """Goes on for some rounds; the action when all are done, less than 0 before."""
        write(self.game, room.tree, "pause", min(pause, WITHOUT_END))
        return self._search(
            observation.terms, observation.rows, room.rows, room.random,
            room.tree, self._nodes, self._slots, room.out, room.marks, room.silent,
        )  # fmt: skip

    def _tried_most(self, observation: Observation) -> int:
        """What the first thread chose may be out of date once the last one is done."""
        offered = self._offered(self.game.imagine(observation, self._random), observation.seat)
        node, action = self._child(0, offered)
        return action if node else offered[0]

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
        rounds = sum(read(self.game, room.tree, 0, "rounds") for room in self._rooms)
        value = (1 + proven) / 2 if proven else value / visits if visits else None
        return Info(rounds, len(line), value, self._passed(), line, proven != 0)

    def _offered(self, world: World, seat: int) -> list[int]:
        return list(self._out[: self._offers(world.terms, world.rows, seat, self._out)])

    def _child(self, node: int, actions: list[int]) -> tuple[int, int]:
        """The most visited node below one, among those that these actions lead to, and its action; or (0, 0)."""
        self._out[: len(actions)] = actions
        child = self._most_visited(self._nodes, self._slots, node, self._out, len(actions))
        return child, read(self.game, self._nodes, child, "action") if child else 0
