"""Finding puzzles: positions in which one action is clearly better than every other, and stays so on a longer look.

Found with some effort, verified with four times as much, and by `make puzzles` with ten times that: each time the
engine must choose the answer, and the best of its rivals must stay clearly behind. How clearly, in chances to win,
depends on how sharp the engine is: alpha-beta proves, simulation estimates.

The grade of a puzzle is how much search finds it: the least effort from which on the engine chooses the answer, and how
many other actions look better at first sight.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import log2
from typing import Any, NamedTuple

from quincunx.core.options import Value
from quincunx.games import Game, Observation, World
from quincunx.players.analysis import adviser
from quincunx.players.player import silent
from quincunx.players.roster import make
from quincunx.puzzles.judging import LEAST, Judge, Worth, share
from quincunx.puzzles.puzzle import Goal, Puzzle, id_of

DEEPER = 4  # times the effort that found it, to verify it
FEWEST = {"alphabeta": 8, "mcts": 4}  # choices, or half of all that a game can have
CLEAR = {"alphabeta": 0.25, "mcts": 0.12}  # chances to win between the answer and the best of the others;
CLEAR_SEALED = 0.5  # where all decide at once, of a point
FEW_WORLDS = 3  # for a first glance
LOST, EVEN = 0.15, 0.62
APART = 6  # positions of one match between two puzzles
A_MATCH = 2  # puzzles at most
EASY = 900  # a rating below which one sees it at first sight
SHARE_OF_A_KIND = 0.2  # at most
LONGEST_LINE = 7


class Terms(NamedTuple):
    """How a game's puzzles are found."""

    engine: str
    effort: int  # nodes or simulations
    clear: float
    fewest: int


def terms_of(game: Game) -> Terms:
    engine = adviser(game.card).partition(":")[0]
    clear = CLEAR_SEALED if game.card.simultaneous else CLEAR[engine]
    return Terms(engine, game.effort, clear, min(FEWEST[engine], (game.rules.MAX_LEGAL + 1) // 2))


class Look(NamedTuple):
    """What an effort shows of a position."""

    answer: Worth
    rivals: list[Worth]  # the best first

    @property
    def gap(self) -> float:
        return self.answer.chance - self.rivals[0].chance


class Miner:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.judge = Judge(game)
        self.terms = terms_of(game)

    def look(self, seen: Observation, answer: int, effort: int, seed: int) -> Look | None:
        """None: the engine would play something else."""
        if self.judge.choice(seen, effort, seed) != answer:
            return None
        rivals = self.judge.rivals(seen, answer, effort, seed)
        return Look(self.judge.worth(seen, answer, share(effort, len(rivals)), seed), rivals)

    def find(self, world: World) -> tuple[int, Look] | None:
        """The answer of a position that is a puzzle, found and looked at again."""
        seat, effort = self.game.turn(world), self.terms.effort
        seen = self.game.view(world, seat)
        if len(self.judge.choices(seen)) < self.terms.fewest:
            return None
        if self.game.card.simultaneous and not self.judge.scores_at_once(seen):
            return None
        answer = self.judge.choice(seen, effort // 4)
        glance = self.judge.rivals(seen, answer, effort // 4, worlds=FEW_WORLDS)
        worth = self.judge.worth(seen, answer, share(effort // 4, len(glance)), worlds=FEW_WORLDS)
        if worth.chance - glance[0].chance < self.terms.clear:
            return None
        answer = self.judge.choice(seen, effort)
        found = None
        for times, seed in ((1, 0), (DEEPER, 1)):
            look = self.look(seen, answer, times * effort, seed)
            if look is None or look.gap < self.terms.clear:
                return None
            found = answer, look
        return found

    def holds(self, puzzle: Puzzle, times: int = 10) -> Look | None:
        """Is it one, looked at with so many times the effort that verified it? None if it is not."""
        world = puzzle.world(self.game)
        answer = self.game.parse(world, puzzle.seat, puzzle.answer)
        look = self.look(self.game.view(world, puzzle.seat), answer, times * DEEPER * self.terms.effort, 2)
        return look if look is not None and look.gap >= self.terms.clear / 2 else None

    # -- what is kept of it --------------------------------------------------------------------------------------

    def puzzle(self, world: World, answer: int, look: Look, options: dict[str, Value], source: int) -> Puzzle:
        game, seat = self.game, self.game.turn(world)
        position = game.position(world)
        best, second = look.answer.chance, look.rivals[0].chance
        line, proven = self._line(world, answer)
        goal: Goal = "win" if proven and best == 1 else "best"
        if second <= LOST and best <= EVEN and not game.card.simultaneous:
            goal = "save"
        return Puzzle(
            id_of(game.card.id, position, options), position, seat, game.text(world, seat, answer),
            self.grade(game.view(world, seat), answer), goal, (round(best, 3), round(second, 3)), options,
            line, self._replies(world, look), self._worths(world, look), source,
        )  # fmt: skip

    def grade(self, seen: Observation, answer: int) -> int:
        steps, effort, found = 0, LEAST, 0
        while effort <= DEEPER * self.terms.effort:
            if self.judge.engine_choice(seen, effort) != answer:
                found = steps + 1
            steps, effort = steps + 1, 4 * effort
        mine = self.judge.worth(seen, answer, LEAST).chance
        others = [self.judge.worth(seen, a, LEAST).chance for a in self.judge.choices(seen) if a != answer]
        sight = sum(each >= mine for each in others)
        return round(700 + 200 * found + 70 * log2(1 + sight) + 25 * log2(len(others)))

    def _line(self, world: World, answer: int) -> tuple[tuple[str, ...], bool]:
        """How it goes on, and whether the win is proven."""
        if self.terms.engine != "alphabeta":
            return (), False
        game, seat = self.game, self.game.turn(world)
        player = make(f"alphabeta:nodes={DEEPER * self.terms.effort},contempt=0", game)
        player.report = lambda info: None  # somebody listens: the line is worked out
        player.choose(game.view(world, seat))
        player.report = silent
        line = player.info.line[:LONGEST_LINE]
        first = game.text(world, seat, answer)
        return (line[1:] if line and line[0] == first else ()), player.info.proven

    def _worths(self, world: World, look: Look) -> tuple[int, ...]:
        """Where dice or fog leave nothing to refute: the chances after each action that is listed, in hundredths."""
        if self.terms.engine == "alphabeta":
            return ()
        known = {worth.action: round(100 * worth.chance) for worth in (*look.rivals, look.answer)}
        return tuple(known.get(action, -1) for action in self.game.legal(world))

    def _replies(self, world: World, look: Look) -> str:
        """To each action that is listed; nothing where it is not the other side that goes on."""
        if self.terms.engine != "alphabeta":
            return ""
        game, seat = self.game, self.game.turn(world)
        known = {worth.action: worth.reply for worth in (*look.rivals, look.answer)}
        told = []
        for action in game.legal(world):
            then = game.clone(world)
            game.apply(then, seat, action)
            reply = known.get(action, -1)
            told.append(game.text(then, game.turn(then), reply) if reply >= 0 else "")
        return "|".join(told)


def kind_of(game: Game, puzzle: Puzzle) -> str:
    """Of which there shall not be too many: what is seen at first sight; where turns are made of many small actions,
    the same action somewhere else (`harvest`, `move civilian east`)."""
    if game.card.open:
        return "easy" if puzzle.rating < EASY else ""
    return re.sub(r"\d+,\d+", "", puzzle.answer)


def mine(
    game: Game, have: Sequence[Puzzle], wanted: int, enough: Callable[[], bool], worlds: Iterator[tuple[int, World]]
) -> Iterator[Puzzle | int]:
    """Puzzles as they are found, and in between the number of the match that is looked through: above 0, a seed."""
    miner = Miner(game)
    known = {puzzle.position for puzzle in have}
    kinds, most = Counter(kind_of(game, puzzle) for puzzle in have), max(5, SHARE_OF_A_KIND * wanted)
    found, last = len(have), set[str]()
    match, here, since = None, 0, 0
    for number, world in worlds:
        if found >= wanted or enough():
            return
        if number != match:
            match, here, since, last = number, 0, APART, set()
            yield match
        since += 1
        if here >= A_MATCH or since < APART:
            continue
        again: dict[str, Any] = {name: value for name, value in world.options.items() if value != _default(game, name)}
        world = game.new(position=game.position(world), **again)
        result = miner.find(world)
        if result is None:
            continue
        puzzle = miner.puzzle(world, *result, again, max(0, number))
        since = 0
        kind = kind_of(game, puzzle)
        if puzzle.position in known or puzzle.answer in last or (kind and kinds[kind] >= most):
            continue
        kinds[kind] += 1
        here, found = here + 1, found + 1
        last.add(puzzle.answer)
        known.add(puzzle.position)
        yield puzzle


def _default(game: Game, name: str) -> Value:
    return next(option.default for option in game.options if option.name == name)
