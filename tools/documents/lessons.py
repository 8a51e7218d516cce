"""The lessons of a game as a page of the site, in both languages: what its lessons.json says, with a board for each
move."""

from __future__ import annotations

from collections.abc import Iterator

from quincunx.core.options import Value
from quincunx.games import Game, World, cards, load, package
from quincunx.puzzles.lesson import Lesson, lessons

FOLDER = "learn/"
WORDS = {
    "fr": ("Leçons\u00a0: {}", "Chaque leçon tient en quelques pas, avec des coups à voir sur le plateau."),
    "en": ("Lessons: {}", "Each lesson is a few steps, with moves to see on the board."),
}


def names() -> list[str]:
    """The pages that there are, of our own games: others may be installed here."""
    ours = [card.id for card in cards() if package(card.id).__name__.startswith("quincunx.")]
    return [f"{FOLDER}{id}" for id in ours if lessons(id)]


def page(name: str, language: str) -> str:
    game = load(name.removeprefix(FOLDER), "interpreted")
    title, about = WORDS[language]
    lines = [f"# {title.format(getattr(game.card.name, language))}", "", about, ""]
    for lesson in lessons(game.card.id):
        lines += _lesson(game, lesson, language)
    return "\n".join(lines)


def _lesson(game: Game, lesson: Lesson, language: str) -> Iterator[str]:
    yield from (f"## {getattr(lesson.title, language)}", "", f"*{getattr(lesson.about, language)}*", "")
    world = lesson.world(game)
    for step in lesson.steps:
        yield from (getattr(step.say, language), "")
        played = [text for text in (step.play, *step.then) if text]
        if played:
            yield from _board(game, world, lesson.eye, played)
            for text in played:
                world.play(text)


def _board(game: Game, world: World, eye: int, played: list[str]) -> Iterator[str]:
    options = " ".join(f"{name}={_said(value)}" for name, value in world.options.items())
    yield from ("```board", f"game: {game.card.id}", f"position: {world.position}", f"options: {options}")
    yield from (f"eye: {eye}", f"play: {'; '.join(played)}", "```", "")


def _said(value: Value) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
