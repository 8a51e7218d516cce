"""Lessons: every position can be read, every move may be played, and each ends in puzzles that are shipped."""

from __future__ import annotations

import pytest
from settled import IDS as GAMES

from quincunx.core.board import Board
from quincunx.core.words import Refused
from quincunx.games import load
from quincunx.puzzles.lesson import lesson_shown, lessons
from quincunx.puzzles.puzzle import find
from test_typography import WRONG

ALL = [(game, lesson.id) for game in GAMES for lesson in lessons(game)]


def names(board: Board) -> set[str]:
    """Of the cells: 3,4 or E5 by columns and rows; b2 by the place in its row, where columns are no letters."""
    found = {f"{x},{y}" for x in board.columns for y in board.rows} | {x + y for x in board.columns for y in board.rows}
    return found | {f"{y}{n + 1}" for y, row in zip(board.rows, board.cells, strict=True) for n in range(len(row))}


@pytest.mark.parametrize("id", GAMES)
def test_there_are_three_to_five(id: str) -> None:
    assert 3 <= len(lessons(id)) <= 5
    assert len({lesson.id for lesson in lessons(id)}) == len(lessons(id))


@pytest.mark.parametrize("id, lesson", ALL)
def test_a_lesson_can_be_played_through(id: str, lesson: str) -> None:
    """The one who learns sees each move of it, and the cells that are pointed at are cells of the board."""
    game, book = load(id), lessons(id).find(lesson)
    shown = lesson_shown(game, book)
    cells = names(book.world(game).view(book.eye).board())
    for step, told in zip(book.steps, shown.steps, strict=True):
        assert len(told.scenes) == bool(step.play) + len(step.then)
        assert set(step.cells) <= cells, step.say.en
        assert step.say.fr and step.say.en and step.say.fr != step.say.en
        assert all(scene.story for scene in told.scenes)
    assert any(step.play for step in book.steps)


@pytest.mark.parametrize("id, lesson", ALL)
def test_it_ends_in_puzzles(id: str, lesson: str) -> None:
    puzzles = lessons(id).find(lesson).puzzles
    assert 2 <= len(set(puzzles)) == len(puzzles) <= 3
    assert all(find(id, puzzle) for puzzle in puzzles)


@pytest.mark.parametrize("id", GAMES)
def test_french_is_set_as_french_is(id: str) -> None:
    said = [w.fr for book in lessons(id) for w in (book.title, book.about, *(step.say for step in book.steps))]
    assert [text for text in said if WRONG.search(text)] == []


def test_an_unknown_lesson_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        lessons("khet").find("nothing")
    assert refused.value.code == "no_such_lesson"
