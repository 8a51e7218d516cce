"""What somebody who solves a puzzle is shown: the position before a try, and what comes of an action on the board.

An open game goes on with the reply that was found when the puzzle was mined; dice fall as they most likely do. Where a
game has fog or sealed orders, the turn is ended for everybody, so that one sees what the action did.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from quincunx.core.contract import CHANCE
from quincunx.core.options import Value
from quincunx.games import Game, World
from quincunx.puzzles.puzzle import Goal, Puzzle

MOST_SHOWN = 12  # actions


class Scene(Struct, frozen=True):
    """The board after an action, through the eyes of the seat that solves."""

    seat: int  # who acted; -1: the dice
    action: str
    shown: object  # the game's own struct
    story: tuple[object, ...]


class Asked(Struct, frozen=True):
    """A puzzle as it is set: nothing in it tells the answer."""

    id: str
    rating: int
    goal: Goal
    seat: int  # who is to move, and whose eyes
    seats: int
    options: dict[str, Value]
    shown: object
    legal: tuple[str, ...]
    estimate: bool  # dice or fog: the answer is the action with the best chance


class Judged(Struct, frozen=True):
    """What comes of a try."""

    right: bool
    scenes: tuple[Scene, ...]
    chances: tuple[int, int] | None = None  # in hundredths, where they are known: after this action; after the answer,
    # or if this is the answer, after the best of the others


class Solution(Struct, frozen=True):
    answer: str
    scenes: tuple[Scene, ...]
    chances: tuple[int, int]  # in hundredths: after the answer, and after the best of the others


def asked(game: Game, puzzle: Puzzle) -> Asked:
    world, seat = puzzle.world(game), puzzle.seat
    shown = game.show(game.view(world, seat))
    legal = tuple(game.texts(world, seat, game.legal(world, seat)))
    return Asked(
        puzzle.id, puzzle.rating, puzzle.goal, seat, game.seats(world), world.options, shown, legal, bool(puzzle.worths)
    )  # fmt: skip


def judged(game: Game, puzzle: Puzzle, text: str) -> Judged:
    """Refused if it may not be played."""
    world = puzzle.world(game)
    action = game.parse(world, puzzle.seat, text)
    refusal = game.check(world, puzzle.seat, action)
    if refusal:
        raise refusal
    right = action == game.parse(world, puzzle.seat, puzzle.answer)
    scenes, chances = tuple(_scenes(game, puzzle, world, action, right)), None
    listed = game.legal(puzzle.world(game), puzzle.seat)
    if puzzle.worths and action in listed and (worth := puzzle.worths[listed.index(action)]) >= 0:
        chances = worth, round(100 * puzzle.chances[right])
    return Judged(right, scenes, chances)


def solution(game: Game, puzzle: Puzzle) -> Solution:
    world = puzzle.world(game)
    action = game.parse(world, puzzle.seat, puzzle.answer)
    best, second = (round(100 * chance) for chance in puzzle.chances)
    return Solution(puzzle.answer, tuple(_scenes(game, puzzle, world, action, True)), (best, second))


def _scenes(game: Game, puzzle: Puzzle, world: World, action: int, right: bool) -> Iterator[Scene]:
    listed = game.legal(world, puzzle.seat)
    turn = game.number(world, 0)
    yield scene(game, world, puzzle.seat, puzzle.seat, action)
    if not game.card.open:
        yield from _turn_ended(game, world, puzzle.seat, turn)
        return
    while game.turn(world) == CHANCE:
        likely = max(game.odds(world), key=lambda outcome: outcome[1])[0]
        yield scene(game, world, puzzle.seat, CHANCE, likely)
    texts = puzzle.line if right else ()
    if not right and puzzle.replies:
        texts = (puzzle.replies.split("|")[listed.index(action)],)
    for text in texts:
        if text and not game.over(world):
            seat = game.turn(world)
            yield scene(game, world, puzzle.seat, seat, game.parse(world, seat, text))


def _turn_ended(game: Game, world: World, eye: int, turn: int) -> Iterator[Scene]:
    """What a run-out clock would play, for everybody, until the turn is over."""
    for _ in range(MOST_SHOWN):
        seat = game.turn(world)
        if game.over(world) or game.number(world, 0) != turn or (not game.card.simultaneous and seat != eye):
            return
        action = game.fallback(world, seat)
        if action is None:
            return
        yield scene(game, world, eye, seat, action)


def scene(game: Game, world: World, eye: int, seat: int, action: int) -> Scene:
    """Plays an action, and shows what comes of it."""
    text = game.text(world, seat, action)
    story = game.apply_and_tell(world, seat, action, eye)
    return Scene(seat, text, game.show(game.view(world, eye)), tuple(story))
