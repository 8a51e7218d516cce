"""What an engine thinks of every move of a match: how the seat stood, how it stands after its move, and a better one.

A move is judged by what its seat knew when it made it, and by nothing else. The engine thinks about the seat's view;
then the move is played on worlds imagined from that view, and the engine thinks again for whoever acts next there. In
an open game without dice that world is the true one, and the second thought is the first one about the next move.

Values are put on one scale, the chance to win: 0 lost, ½ even, 1 won. By how much it drops, a move is a mistake or a
blunder. Who thinks, and in which process, is the caller's affair: `ask` is handed a view and returns an opinion.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from math import exp, log
from typing import Literal, NamedTuple

from msgspec import Struct

from quincunx.core.card import Card
from quincunx.core.contract import CHANCE
from quincunx.core.levels import Level
from quincunx.games import Game, Observation, World, levels
from quincunx.players.player import Info
from quincunx.players.roster import make
from quincunx.search.value import WIN

MISTAKE, BLUNDER = 0.10, 0.25  # what the chance to win drops by
STEEP = 400.0  # in an evaluation, ten to one
WORLDS = 3  # imagined for one move where there are secrets or dice
REMEMBERED = 4  # opinions

Mark = Literal["", "mistake", "blunder"]


class Opinion(NamedTuple):
    action: int
    info: Info


Ask = Callable[[Observation], Opinion]


class Verdict(Struct, frozen=True):
    """About one move."""

    n: int  # how many actions stand after it: the number of its frame in a replay
    seat: int
    action: str
    best: str  # what the engine would have played
    line: tuple[str, ...]  # and how it expects the game to go on then
    before: float  # the seat's chance to win with the best action
    after: float | None  # with its own; None where nobody can say: of three or more, another is to act
    mark: Mark
    depth: int
    nodes: int


def adviser(card: Card, seconds: float | None = 1.0, nodes: int | None = None) -> str:
    """Whoever plays this kind of game best, with so much to think."""
    name = levels(card.id)[-1].player
    return Level(name, nodes).spec if nodes is not None else f"{name}:time={seconds}"


def chance(player: str, value: float | None) -> float:
    """A value, in the units of the player that found it, as the chance to win."""
    if value is None:
        return 0.5
    if player.startswith("mcts"):
        return max(0.0, min(1.0, value))
    if abs(value) >= WIN:
        return 1.0 if value > 0 else 0.0
    return 1 / (1 + exp(max(-600.0, min(600.0, -log(10) * value / STEEP))))


def mark_of(before: float, after: float | None) -> Mark:
    drop = 0.0 if after is None else before - after
    return "blunder" if drop >= BLUNDER else "mistake" if drop >= MISTAKE else ""


def thinker(player: str, game: Game) -> Ask:
    """Thinks here and now, the same each time about the same view."""
    made = make(player, game)
    made.report = lambda info: None  # somebody listens: lines are worked out

    def ask(observation: Observation) -> Opinion:
        made.begin(0)
        return Opinion(made.choose(observation), made.info)

    return ask


def analyse(
    world: World, played: Iterable[tuple[int, str]], player: str, ask: Ask, seat: int | None = None
) -> Iterator[Verdict]:
    """Every move, or those of one seat, one after the other. `world` is the start, `played` seats and texts."""
    game, world = world.game, world.game.clone(world)
    analyst = _Analyst(game, player, ask)
    for n, (who, text) in enumerate(played, 1):
        action = game.parse(world, who, text)
        if who != CHANCE and seat in (None, who):
            yield analyst.judge(world, n, who, action)
        game.apply(world, who, action)


class _Analyst:
    def __init__(self, game: Game, player: str, ask: Ask) -> None:
        self._game = game
        self._player = player
        self._ask = ask
        self._said: OrderedDict[tuple[int, bytes], Opinion] = OrderedDict()

    def judge(self, world: World, n: int, seat: int, action: int) -> Verdict:
        game, observation = self._game, self._game.view(world, seat)
        best, info = self._opinion(observation)
        before = chance(self._player, info.value)
        after = before if action == best else self._after(observation, action, n)
        texts = game.texts(world, seat, [action, best])
        return Verdict(
            n, seat, texts[0], texts[1], info.line, before, after, mark_of(before, after), info.depth, info.nodes
        )

    def _opinion(self, observation: Observation) -> Opinion:
        key = observation.seat, self._game.observation_to_bytes(observation)
        found = self._said.pop(key, None) or self._ask(observation)
        self._said[key] = found
        if len(self._said) > REMEMBERED:
            self._said.popitem(last=False)
        return found

    def _after(self, observation: Observation, action: int, n: int) -> float | None:
        """The chance of a seat that plays an action, in the worlds that it can think of."""
        game, chances = self._game, list[float]()
        for k in range(1 if game.card.plain else WORLDS):
            random = game.random(WORLDS * n + k)
            world = game.imagine(observation, random)
            if game.check(world, observation.seat, action) is not None:  # it could not be played in this world
                continue
            game.apply(world, observation.seat, action)
            while game.turn(world) == CHANCE:
                game.apply(world, CHANCE, game.roll(world, random))
            found = self._chance(world, observation.seat)
            if found is not None:
                chances.append(found)
        return sum(chances) / len(chances) if chances else None

    def _chance(self, world: World, seat: int) -> float | None:
        game = self._game
        if game.over(world):
            scores = game.scores(world)
            mine = scores.pop(seat)
            return sum(1.0 if mine > theirs else 0.5 if mine == theirs else 0.0 for theirs in scores) / len(scores)
        if game.to_act(world, seat):
            return chance(self._player, self._opinion(game.view(world, seat)).info.value)
        if game.seats(world) > 2:
            return None
        return 1 - chance(self._player, self._opinion(game.view(world, game.turn(world))).info.value)
