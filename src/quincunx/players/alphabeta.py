"""The player that searches with alpha-beta: `alphabeta:time=1,threads=2`.

It deepens until its budget is used, a win is certain, or there is nothing to choose. Its table is kept from one move of
a match to the next. Threads search the same position with a table in common: each finds there what the others found.

  threads    how many search; more than one, and the choice depends on their luck
  table      megabytes of memory for positions
  contempt   what a draw costs, in the units of the game's evaluation: against weaker players a draw is a loss
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from quincunx.core import contract, hints
from quincunx.core.layout import size
from quincunx.games import Game, Observation, World
from quincunx.players.beside import beside
from quincunx.players.budget import WITHOUT_END, Budget
from quincunx.players.line import read, table_line, write
from quincunx.players.player import Info, silent
from quincunx.players.searching import Searching
from quincunx.search import alphabeta, history, transposition
from quincunx.search.value import WIN

DEFAULT_DEPTH = 4  # where no budget is given
DEEPEST = 64
MEGABYTES = 32
INTERPRETED_ENTRIES = 1 << 12
CONTEMPT = 15


def depths(left: int, deepest: int) -> Iterator[int]:
    """One after the other; where the game ends soon enough, from two thirds of what is left of it to all of it."""
    for depth in range(1, deepest + 1):
        if left <= deepest and 3 * depth > 2 * left:
            yield left
            return
        yield depth


class _Room:
    """Where one thread works."""

    def __init__(self, game: Game) -> None:
        gear, plies = game.gear, history.MAX_PLY + 1
        self.stack = gear.rows(contract.State, plies)
        self.moves, self.marks = (gear.grid(plies, game.rules.MAX_LEGAL) for _ in range(2))
        self.search = gear.rows(history.Worker, 1)
        self.silent = game.log(contract.NOBODY, silent=True)


class AlphaBetaPlayer(Searching):
    name = "alphabeta"

    def __init__(
        self, game: Game, seed: int, budget: Budget, threads: int = 1, table: int = MEGABYTES, contempt: int = CONTEMPT
    ) -> None:
        budget = Budget(depth=DEFAULT_DEPTH) if budget == Budget() else budget
        self._deepest = min(budget.depth or DEEPEST, DEEPEST)
        game.gear.bind_all([alphabeta.aspiration_search, history.begin_search, hints.plies_left])
        self._search = game.gear.bind(alphabeta.aspiration_search)
        self._begin_search, self._plies_left = game.gear.bind(history.begin_search), game.gear.bind(hints.plies_left)
        self._rooms = [_Room(game) for _ in range(threads)]
        entries = (table << 20) // size(transposition.Entry) if game.gear.compiled else INTERPRETED_ENTRIES
        self._size, self._age, self._contempt = 1 << entries.bit_length() - 1, transposition.AGES, contempt
        super().__init__(game, seed, budget, self._rooms[0].search)

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._since = self._age + 1

    def _stop(self) -> None:
        for room in self._rooms:
            write(self.game, room.search, "stop", 1)

    def _choose(self, observation: Observation) -> int:
        self._grow_older()
        world = self.game.imagine(observation, self._random)
        actions = self.game.legal(world, observation.seat)
        for room in self._rooms:
            self._make_ready(room, world, observation.seat, actions[0])
        self._raise_flag_again()
        helpers = [partial(self._help, observation.terms, k) for k in range(1, len(self._rooms))]
        with beside(helpers, self._stop):
            self._deepen(observation.terms, world, self._deepest if len(actions) > 1 else 1)
            self._stop()
        return int(read(self.game, self._rooms[0].search, 0, "best"))

    def _grow_older(self) -> None:
        """Entries know the search that wrote them; when its numbers are used up, they and the table begin anew."""
        if self._age >= transposition.AGES:
            self._table = self.game.gear.rows(transposition.Entry, self._size)
            self._age, self._since = 0, 1
        self._age += 1

    def _make_ready(self, room: _Room, world: World, seat: int, first: int) -> None:
        most = WITHOUT_END if self.budget.nodes is None else self.budget.nodes // len(self._rooms)
        room.stack[0] = self.game.clone(world).rows[0]
        self._begin_search(room.search, seat, first, most, self._deadline, self._age, self._since, self._contempt)

    def _think(self, terms: list[Any], room: _Room, guess: int, depth: int) -> int:
        return self._search(
            terms[0], room.stack, room.moves, room.marks, self._table, room.search[0], room.silent[0],
            guess, depth,
        )  # fmt: skip

    def _deepen(self, terms: list[Any], world: World, deepest: int) -> None:
        room, value = self._rooms[0], 0
        left = self._plies_left(terms[0], room.stack[0])
        for depth in depths(left, deepest):
            value = self._think(terms, room, value, depth)
            stopped = read(self.game, room.search, 0, "stop")
            nodes = sum(read(self.game, each.search, 0, "nodes") for each in self._rooms)
            if stopped and depth == 1:
                self._tell(Info(nodes, seconds=self._passed(), capped=self._capped()))
                break
            best = read(self.game, room.search, 0, "best")
            line = () if self.report is silent else self._longer(self._line(world, best, depth))
            covered = depth >= left and not stopped  # nothing was left out: what is no win and no loss is a draw
            proven = covered or value >= WIN or (value <= -WIN and not stopped)
            told = 0.0 if covered and abs(value) < WIN else float(value)
            self._tell(Info(nodes, depth, told, self._passed(), line, proven, bool(stopped) and self._capped()))
            if stopped or covered or abs(value) >= WIN + history.MAX_PLY - depth:  # nothing quicker is left to be found
                break

    def _help(self, terms: list[Any], k: int) -> None:
        room, value = self._rooms[k], 0
        for depth in depths(self._plies_left(terms[0], room.stack[0]), self._deepest):
            if depth > k % 2:  # every other one is a depth ahead
                value = self._think(terms, room, value, depth)
            if read(self.game, room.search, 0, "stop"):
                break

    def _line(self, world: World, best: int, depth: int) -> tuple[str, ...]:
        return table_line(self.game, world, self._expected, best, depth, self._hurry)

    def _expected(self, key: int) -> int:
        for place in (key & self._size - 1, key & self._size - 1 ^ 1):
            check, action, found = (read(self.game, self._table, place, name) for name in ("check", "action", "found"))
            if check ^ action ^ found == key and transposition.age_of(found) >= self._since:
                return int(action) if found & 3 == transposition.EXACT else history.NO_ACTION
        return history.NO_ACTION
