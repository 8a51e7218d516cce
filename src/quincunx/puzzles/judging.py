"""What actions are worth to a seat: its chance to win, or the points of a turn, by what it can know.

In an open game an action is played on the board itself, and the engine thinks on from there; every outcome of dice
counts as much as it is likely. Under fog it is played in worlds imagined from the seat's view, the same for all. Where
all decide at once, the orders of the others are imagined with the world, and an action is worth how far it brings its
seat ahead by the end of the turn, in points: what comes after that is anybody's guess.

The best of many rivals is found by successive halving: all of them are looked at a little, then the better half of them
twice as long, until two are left. Effort is counted in nodes or simulations, never in time: the same effort says the
same on every machine.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from quincunx.core.contract import CHANCE
from quincunx.games import Game, Observation, World, levels
from quincunx.players import make
from quincunx.players.analysis import chance
from quincunx.players.player import Player
from quincunx.search import mcts

WORLDS = 12  # imagined for each action where there are secrets
LEAST = 16  # nodes or simulations of one look
FEWEST_WORLDS, MOST_WORLDS, A_WORLD = 3, 100, 80  # where all decide at once; as many as this goes into an effort
A_TURN = 5  # decisions of another seat in such a turn, about
MANY = 100  # actions: where more are listed, only those that the engine considers are rivals


class Worth(NamedTuple):
    """Of an action: the seat's chance to win after it (where all decide at once, the points that it gains by it), and
    what the other side would answer, or -1."""

    action: int
    chance: float
    reply: int = -1


def share(effort: int, rivals: int, left: int = 2) -> int:
    """Of an effort for so many rivals, what one of those that are left gets. The answer gets as much as the last two:
    simulation thinks better of what it has looked at for longer."""
    rounds = max(1, (rivals - 1).bit_length())
    return max(LEAST, effort // rounds // min(left, rivals))


class Judge:
    def __init__(self, game: Game) -> None:
        self.game = game
        self._engine = levels(game.card.id)[-1].player
        self._thinker = lru_cache(maxsize=24)(self._made)
        self._worlds: dict[tuple[int, bytes, int], World] = {}
        game.gear.bind_all([mcts.think_mcts, mcts.plant, mcts.most_visited, mcts.offers])
        self._offers = game.gear.bind(mcts.offers)
        self._out = game.gear.ints(game.rules.MAX_LEGAL)

    def _made(self, effort: int) -> Player:
        settings = f"nodes={effort},table=4,contempt=0" if self._engine == "alphabeta" else f"simulations={effort}"
        return make(f"{self._engine}:{settings}", self.game)

    def _think(self, seen: Observation, effort: int, seed: int = 0) -> tuple[int, float]:
        player = self._thinker(max(LEAST, effort))
        player.begin(seed)
        action = player.choose(seen)
        return action, chance(self._engine, player.info.value)

    def engine_choice(self, seen: Observation, effort: int) -> int:
        """What the engine would play."""
        return self._think(seen, effort)[0]

    def choice(self, seen: Observation, effort: int, seed: int = 0) -> int:
        """What the engine would play; where all decide at once, what brings most by the end of the turn."""
        if not self.game.card.simultaneous:
            return self._think(seen, effort, seed)[0]
        actions = self.choices(seen)
        each = share(effort, len(actions))
        return max(actions, key=lambda action: self.worth(seen, action, each, seed).chance)

    def worth(self, seen: Observation, action: int, effort: int, seed: int = 0, worlds: int = WORLDS) -> Worth:
        """Of an action that may be played; `seed` chooses the worlds that are imagined."""
        if self.game.card.open:
            return self._after(self.game.imagine(seen, self.game.random(seed)), seen.seat, action, effort, seed)
        if self.game.card.simultaneous:
            worlds = max(FEWEST_WORLDS, min(MOST_WORLDS, effort // A_WORLD))
        found = []
        for k in range(worlds):
            world = self.game.clone(self._imagined(seen, MOST_WORLDS * seed + k, effort // worlds))
            if self.game.check(world, seen.seat, action) is None:
                found.append(self._after(world, seen.seat, action, effort // worlds, seed))
        return Worth(action, sum(each.chance for each in found) / max(1, len(found)))

    def _imagined(self, seen: Observation, seed: int, effort: int) -> World:
        """One of the worlds of a view; where all decide at once, with the orders of the others given and sealed."""
        key = seen.seat, self.game.observation_to_bytes(seen), seed
        world = self._worlds.pop(key, None) or self._drawn(seen, seed, effort)
        self._worlds[key] = world
        if len(self._worlds) > 2 * MOST_WORLDS:
            del self._worlds[next(iter(self._worlds))]
        return world

    def _drawn(self, seen: Observation, seed: int, effort: int) -> World:
        game, world = self.game, self.game.imagine(seen, self.game.random(seed))
        if game.card.simultaneous:
            for other in range(game.seats(world)):
                while other != seen.seat and game.to_act(world, other):
                    game.apply(world, other, self._think(game.view(world, other), effort // A_TURN, seed)[0])
        return world

    def _after(self, world: World, seat: int, action: int, effort: int, seed: int) -> Worth:
        turn, before = self.game.number(world, 0), self._margin_of(world, seat)
        self.game.apply(world, seat, action)
        if self.game.card.simultaneous:
            return Worth(action, float(self._gained(world, seat, turn) - before))
        if self.game.turn(world) != CHANCE:
            return Worth(action, *self._standing(world, seat, effort, seed))
        total = 0.0
        for outcome, likely in self.game.odds(world):
            then = self.game.clone(world)
            self.game.apply(then, CHANCE, outcome)
            random = self.game.random(seed)
            while self.game.turn(then) == CHANCE:  # dice upon dice are thrown once
                self.game.apply(then, CHANCE, self.game.roll(then, random))
            total += likely * self._standing(then, seat, effort, seed)[0]
        return Worth(action, total)

    def _standing(self, world: World, seat: int, effort: int, seed: int) -> tuple[float, int]:
        """The chance of a seat, and the action of whoever acts next if that is another one."""
        game = self.game
        if game.over(world):
            others = game.scores(world)
            mine = others.pop(seat)
            return sum(0.5 + 0.5 * ((mine > its) - (mine < its)) for its in others) / len(others), -1
        if game.to_act(world, seat):
            return self._think(game.view(world, seat), effort, seed)[1], -1
        action, theirs = self._think(game.view(world, game.turn(world)), effort, seed)
        return 1 - theirs, action

    def choices(self, seen: Observation) -> list[int]:
        """What is worth a look: everything, or where that is a great deal what the engine considers."""
        world = self.game.imagine(seen, self.game.random(0))
        listed = self.game.legal(world, seen.seat)
        if len(listed) <= MANY:
            return listed
        return self.game.memory.numbers(self._out, self._offers(world.terms, world.rows, seen.seat, self._out))

    def scores_at_once(self, seen: Observation) -> bool:
        """Is there one action that brings more than every other by the end of this turn, if nobody else does anything?
        Where turns are sealed by all, nothing else is worth a long look."""
        margins = sorted((self._margin(seen, action) for action in self.choices(seen)), reverse=True)
        return margins[0] > margins[1]

    def _margin(self, seen: Observation, action: int) -> int:
        world = self.game.imagine(seen, self.game.random(0))
        turn = self.game.number(world, 0)
        self.game.apply(world, seen.seat, action)
        return self._gained(world, seen.seat, turn)

    def _gained(self, world: World, seat: int, turn: int) -> int:
        """How far a seat is ahead when the turn is over."""
        self._end_turn(world, turn)
        return self._margin_of(world, seat)

    def _margin_of(self, world: World, seat: int) -> int:
        scores = self.game.scores(world)
        return scores.pop(seat) - max(scores)

    def _end_turn(self, world: World, turn: int) -> None:
        """Whoever has not finished leaves it at that."""
        game = self.game
        while not game.over(world) and game.number(world, 0) == turn:
            seat = game.turn(world)
            given = game.fallback(world, seat)
            if given is None:
                break
            game.apply(world, seat, given)

    def rivals(self, seen: Observation, answer: int, effort: int, seed: int = 0, worlds: int = WORLDS) -> list[Worth]:
        """All other actions, the best first; `effort` is spent on all of them together."""
        field = [Worth(action, 1.0) for action in self.choices(seen) if action != answer]
        most = len(field)
        done: list[Worth] = []
        while field:
            each = share(effort, most, len(field))
            looks = (self.worth(seen, one.action, each, seed, worlds) for one in field)
            field = sorted(looks, key=lambda one: -one.chance)
            if len(field) <= 2:
                break
            half = (len(field) + 1) // 2
            done = field[half:] + done
            field = field[:half]
        return sorted(field + done, key=lambda one: -one.chance)
