"""Lessons: some steps on one position, each with a sentence or two and perhaps a move that the reader plays.

They stand in lessons.json of a game's folder. `play` is what the reader plays, `then` what others or the dice do after
it; all of it is checked against the rules, and shown through the eyes of one seat.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from quincunx.core.contract import CHANCE
from quincunx.core.options import Value
from quincunx.core.words import Refused, Words
from quincunx.games import Game, World
from quincunx.puzzles.puzzle import folder_of
from quincunx.puzzles.showing import Scene, scene

FILE = "lessons.json"
NO_LESSON = Words("Cette leçon n’existe pas.", "There is no such lesson.")


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    say: Words
    cells: tuple[str, ...] = ()  # to point at
    play: str = ""
    then: tuple[str, ...] = ()


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    title: Words
    about: Words  # what one will be able to do, in one sentence
    steps: tuple[Step, ...]
    puzzles: tuple[str, ...]  # it ends in
    position: str = ""  # or
    setup: str = ""
    seed: int = 0
    options: dict[str, Value] = {}
    eye: int = 0

    def world(self, game: Game) -> World:
        start: dict[str, Any] = {"position": self.position} if self.position else {"setup": self.setup or None}
        return game.new(**{**self.options, **start, "seed": self.seed})


class LessonListed(msgspec.Struct, frozen=True):
    id: str
    title: Words
    about: Words


class StepShown(msgspec.Struct, frozen=True):
    """The board before a step, and after each action of it."""

    say: Words
    cells: tuple[str, ...]
    play: str
    seat: int  # who is to play, or -1
    shown: object
    scenes: tuple[Scene, ...]


class LessonShown(msgspec.Struct, frozen=True):
    id: str
    title: Words
    about: Words
    eye: int
    seats: int
    options: dict[str, Value]
    steps: tuple[StepShown, ...]
    puzzles: tuple[str, ...]


class Lessons(tuple[Lesson, ...]):
    """Those of a game, in their order."""

    @property
    def listed(self) -> tuple[LessonListed, ...]:
        return tuple(LessonListed(each.id, each.title, each.about) for each in self)

    def find(self, id: str) -> Lesson:
        found = next((each for each in self if each.id == id), None)
        if found is None:
            raise Refused("no_such_lesson", NO_LESSON)
        return found


@cache
def lessons(game: str) -> Lessons:
    file = folder_of(game) / FILE
    found = msgspec.json.decode(file.read_bytes(), type=tuple[Lesson, ...]) if file.is_file() else ()
    return Lessons(found)


def lesson_shown(game: Game, lesson: Lesson) -> LessonShown:
    """Refused where a move of it may not be played."""
    world = lesson.world(game)
    seats, options, steps = game.seats(world), world.options, []
    for step in lesson.steps:
        shown, seat = game.show(game.view(world, lesson.eye)), game.turn(world) if step.play else CHANCE
        texts = (step.play, *step.then) if step.play else step.then
        scenes = tuple(_played(game, world, lesson.eye, text) for text in texts)
        steps.append(StepShown(step.say, step.cells, step.play, seat, shown, scenes))
    return LessonShown(lesson.id, lesson.title, lesson.about, lesson.eye, seats, options, tuple(steps), lesson.puzzles)


def _played(game: Game, world: World, eye: int, text: str) -> Scene:
    seat = game.turn(world)
    action = game.parse(world, seat, text)
    refusal = game.check(world, seat, action)
    if refusal:
        raise refusal
    return scene(game, world, eye, seat, action)
