"""Players that search: `minimax`, `exact` and `mcts`. Each allocates its room once and thinks in it.

While it thinks, a flag in that room is the only thing that others touch: a clock or `cancel` sets it, from another
thread, and the search, which looks at it before every action, comes back with the best so far.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from time import perf_counter
from typing import Any

from quincunx.core import contract
from quincunx.games import Game, Outlook, World
from quincunx.players.budget import WITHOUT_END, Budget, alarm
from quincunx.players.line import read, tree_line, write
from quincunx.players.player import Info, Player, silent
from quincunx.search import alphabeta, mcts, minimax

DEFAULT_DEPTH = {"minimax": 2, "exact": 4}
TABLE = 1 << 18  # entries
NODES = 1 << 19  # of a tree
THOUGHTS = 30_000  # that a table tells apart
EVERY = 0.2  # seconds between two reports of MCTS
FIRST_SLICE = 8  # rounds before MCTS knows how fast it is


class Searching(Player):
    """What all of them share: a budget, a clock, and the flag that ends a thought."""

    def __init__(self, game: Game, seed: int, budget: Budget, flags: list[Any]) -> None:
        super().__init__()
        self.game = game
        self.budget = budget
        self._flags = flags
        self._rang = False
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self._random = self.game.random(seed)
        self._cancelled = False

    def cancel(self) -> None:
        self._cancelled = True
        self._stop()

    def choose(self, outlook: Outlook) -> int:
        self._rang = False
        self._began = perf_counter()
        self.info = Info()
        limits = [limit for limit in (self.budget.time, self.most_seconds) if limit is not None]
        try:
            with alarm(min(limits, default=None), self._ring):
                return self._choose(outlook)
        finally:
            self._cancelled = False

    @abstractmethod
    def _choose(self, outlook: Outlook) -> int: ...

    def _ring(self) -> None:
        self._rang = True
        self._stop()

    def _stop(self) -> None:
        write(self.game, self._flags, "stop", 1)

    def _hurry(self) -> bool:
        return self._rang or self._cancelled

    def _raise_flag_again(self) -> None:
        """The room was made ready, its flag with it; whoever rang before that is heard now."""
        if self._hurry():
            self._stop()

    def _tell(self, info: Info) -> None:
        self.info = info
        self.report(info)

    def _longer(self, line: tuple[str, ...]) -> tuple[str, ...]:
        """The line told before, if this is only its beginning: the table forgets, and a thought may end in a hurry."""
        told = self.info.line
        return told if told[: len(line)] == line else line

    def _passed(self) -> float:
        return perf_counter() - self._began

    def _capped(self) -> bool:
        """Did the cap end the thought, and not its own budget?"""
        own = self.budget.time
        return self._rang and self.most_seconds is not None and (own is None or self.most_seconds < own)


class _Deepening(Searching):
    """What minimax and alpha-beta share: a stack of states, one depth after the other."""

    def __init__(self, game: Game, seed: int, budget: Budget) -> None:
        if budget == Budget():
            budget = Budget(depth=DEFAULT_DEPTH[self.name])
        self._deepest = min(budget.depth or minimax.DEEPEST, minimax.DEEPEST)
        self._stack = game.gear.rows(contract.State, self._deepest + 1)
        self._moves = game.gear.grid(self._deepest + 1, game.rules.MAX_LEGAL)
        self._thought = game.gear.rows(minimax.Thought, 1)
        self._silent = game.log(contract.NOBODY, silent=True)
        super().__init__(game, seed, budget, self._thought)

    def _choose(self, outlook: Outlook) -> int:
        world = self.game.imagine(outlook, self._random)
        self._stack[0] = world.rows[0]
        thought = minimax.Thought()
        thought.seat, thought.most_nodes = outlook.seat, self.budget.most_nodes
        self._thought[0] = self.game.rows(thought)[0]
        self._raise_flag_again()
        best = self.game.legal(world, outlook.seat)[0]
        for depth in range(1, self._deepest + 1):
            worth = self._think(outlook.terms, depth)
            thought = self.game.plain(minimax.Thought, self._thought)
            if thought.stop and not (self._keeps_unfinished() and worth > -alphabeta.INFINITE):
                break
            best = thought.best
            line = () if self.report is silent else self._longer(self._line(world, best, depth))
            self.info = Info(thought.nodes, depth, float(worth), self._passed(), line)
            if thought.stop:
                break
            self.report(self.info)
        if thought.stop:
            self._tell(replace(self.info, nodes=thought.nodes, seconds=self._passed(), capped=self._capped()))
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
        return self._search(terms[0], self._stack, self._moves, self._thought[0], self._silent[0], depth, 0)

    def _line(self, world: World, best: int, depth: int) -> tuple[str, ...]:
        return (self.game.text(world, self.game.turn(world), best),)  # it remembers no more


class ExactPlayer(_Deepening):
    """Minimax's answer, to the number, from far fewer positions: what other searches are held against.

    With a narrow window it only says on which side of it the worth lies, and is quicker.
    """

    name = "exact"

    def __init__(
        self,
        game: Game,
        seed: int,
        budget: Budget,
        window: tuple[int, int] = (-alphabeta.INFINITE, alphabeta.INFINITE),
    ) -> None:
        super().__init__(game, seed, budget)
        self._window = window
        self._search = game.gear.bind(alphabeta.alphabeta)
        self._marks = game.gear.grid(self._deepest + 1, game.rules.MAX_LEGAL)
        self._thoughts = THOUGHTS

    def _choose(self, outlook: Outlook) -> int:
        if self._thoughts == THOUGHTS:  # their numbers begin anew, and so does the table
            size = TABLE if self.game.gear.compiled else TABLE >> 6
            self._table = self.game.gear.rows(alphabeta.Entry, size)
            self._thoughts = 0
        self._thoughts += 1
        self._habits = self.game.gear.rows(alphabeta.Habits, 1)
        write(self.game, self._habits, "thought", self._thoughts)
        return super()._choose(outlook)

    def _keeps_unfinished(self) -> bool:
        return True  # the best action of the depth before is looked at first

    def _think(self, terms: list[Any], depth: int) -> int:
        return self._search(
            terms[0], self._stack, self._moves, self._marks, self._table, self._thought[0], self._habits[0],
            self._silent[0], *self._window, depth, 0,
        )  # fmt: skip

    def _line(self, world: World, best: int, depth: int) -> tuple[str, ...]:
        return (self.game.text(world, self.game.turn(world), best),)


class MctsPlayer(Searching):
    """Many games played on from here in thought."""

    name = "mcts"

    def __init__(self, game: Game, seed: int, budget: Budget, **habits: float) -> None:
        """`habits` are fields of mcts.Tree, where they are not those of the game."""
        budget = Budget(simulations=1000) if budget == Budget() else budget
        gear, hints = game.gear, game.hints
        self._habits: dict[str, float] = {
            "longest": hints.longest,
            "turns": hints.look_ahead,
            "edge": hints.edge,
            "eager": hints.eager,
            "exploration": hints.exploration,
            "trust": hints.trust,
            "alone": game.card.simultaneous,
            "certain": game.card.open,
            **habits,
        }
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

    def _choose(self, outlook: Outlook) -> int:
        most = min(self.budget.most_simulations, self.budget.most_nodes)
        self._plant(self._tree, self._nodes, self._slots, outlook.seat)
        for name, habit in self._habits.items():
            write(self.game, self._tree, name, habit)
        write(self.game, self._tree, "most_rounds", most)
        self._raise_flag_again()
        told, rounds, portion = self._passed(), 0, WITHOUT_END if self.report is silent else FIRST_SLICE
        while (best := self._think(outlook, rounds + portion)) < 0:
            now, done = self._passed(), read(self.game, self._tree, 0, "rounds") - rounds
            rounds += done
            portion = min(8 * portion, max(1, int(EVERY * rounds / now)))
            if now - told >= EVERY:
                told = now
                self._tell(self._told(outlook))
        self._tell(replace(self._told(outlook, best), capped=self._capped()))
        return best

    def _think(self, outlook: Outlook, pause: int) -> int:
        """Goes on for some rounds; the action when all are done, less than 0 before."""
        write(self.game, self._tree, "pause", min(pause, WITHOUT_END))
        return self._search(
            outlook.terms, outlook.rows, self._rows, self._random,
            self._tree, self._nodes, self._slots, self._out, self._marks, self._silent,
        )  # fmt: skip

    def _told(self, outlook: Outlook, chosen: int | None = None) -> Info:
        world = self.game.imagine(outlook, dice := self.game.random(0))  # not ours: to be heard changes nothing
        first = self._offered(world, outlook.seat) if chosen is None else [chosen]
        node, _ = self._child(0, first)
        visits, value, proven = (read(self.game, self._nodes, node, name) for name in ("visits", "value", "proven"))
        line: tuple[str, ...] = ()
        if self.report is not silent:
            line = self._longer(
                tree_line(self.game, world, outlook.seat, first, self._offered, self._child, dice, self._hurry)
            )
        rounds = read(self.game, self._tree, 0, "rounds")
        worth = (1 + proven) / 2 if proven else value / visits if visits else None
        return Info(rounds, len(line), worth, self._passed(), line)

    def _offered(self, world: World, seat: int) -> list[int]:
        return list(self._out[: self._offers(world.terms, world.rows, seat, self._out)])

    def _child(self, node: int, actions: list[int]) -> tuple[int, int]:
        """The most visited node below one, among those that these actions lead to, and its action; or (0, 0)."""
        self._out[: len(actions)] = actions
        child = self._most_visited(self._nodes, self._slots, node, self._out, len(actions))
        return child, read(self.game, self._nodes, child, "action") if child else 0
