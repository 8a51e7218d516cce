"""Puzzles and lessons in a real browser: a wrong try is answered on the board, a right one is praised and counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browser import Visitor
from quincunx.games import load
from quincunx.puzzles.lesson import lessons
from quincunx.puzzles.puzzle import Puzzle, shelf
from quincunx.puzzles.showing import asked
from test_server import Server

pytestmark = pytest.mark.slow

RATING = "() => JSON.parse(localStorage['quincunx.puzzles']).games"


@pytest.fixture(scope="module")
def server(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


def other(game: str, puzzle: Puzzle) -> str:
    """A wrong try that the other side answers."""
    replies = puzzle.replies.split("|") if puzzle.replies else []
    legal = asked(load(game), puzzle).legal
    return next(
        text for n, text in enumerate(legal) if text != puzzle.answer and (not replies or replies[n]) and text != "end"
    )


@pytest.mark.parametrize("game", ("khet", "garden", "casus_belli"))
def test_a_wrong_try_is_answered_and_a_right_one_goes_on(server: Server, visitor: Visitor, game: str) -> None:
    puzzle = shelf(game)[4]
    screen = visitor()
    screen.open(server, f"/puzzles/{game}/{puzzle.id}")
    before = screen.page.get_by_role("heading", level=1).inner_text()
    screen.types(other(game, puzzle))
    screen.sees("Not that one.")
    after_wrong = screen.page.evaluate(RATING)[game]
    assert (after_wrong["tried"], after_wrong["solved"]) == (1, 0) and after_wrong["rating"] < 1000
    screen.press("Try again")
    screen.types(puzzle.answer)
    expect(screen.page.get_by_role("button", name="Next puzzle")).to_be_focused()
    assert screen.page.evaluate(RATING)[game] == after_wrong  # the first try counts
    screen.page.keyboard.press("Enter")
    expect(screen.notation).to_be_enabled()
    assert before and screen.page.get_by_role("heading", level=1).inner_text()


def test_a_hint_points_and_the_solution_is_shown(server: Server, visitor: Visitor) -> None:
    puzzle = shelf("khet")[10]
    screen = visitor()
    screen.open(server, f"/puzzles/khet/{puzzle.id}")
    screen.press("Hint")
    screen.sees("Look here.")
    screen.press("Show the solution")
    screen.sees(f"The solution: {puzzle.answer}.")
    assert screen.page.evaluate(RATING)["khet"]["solved"] == 0


def test_a_solved_puzzle_begins_a_streak_and_the_one_of_the_day_is_noted(server: Server, visitor: Visitor) -> None:
    puzzle = shelf("khet")[7]
    screen = visitor()
    screen.open(server, f"/puzzles/khet/{puzzle.id}")
    screen.types(puzzle.answer)
    expect(screen.page.get_by_role("button", name="Next puzzle")).to_be_focused()
    screen.open(server, "/puzzles")
    screen.sees("1 day in a row")
    screen.sees("1 solved of 1 tried")
    screen.page.get_by_role("link", name="Solve it", exact=True).click()
    screen.sees("Puzzle of the day")
    screen.press("Show the solution")
    expect(screen.page.get_by_role("button", name="Next puzzle")).to_be_focused()
    screen.open(server, "/puzzles")
    screen.sees("Tried today already. The next one comes tomorrow.")


@pytest.mark.parametrize("game, lesson", [("khet", "shield"), ("chartichaud", "count"), ("casus_belli", "together")])
def test_a_lesson_is_played_through_and_ends_in_puzzles(
    server: Server, visitor: Visitor, game: str, lesson: str
) -> None:
    book = lessons(game).find(lesson)
    screen = visitor()
    screen.open(server, f"/learn/{game}/{lesson}")
    for step in book.steps:
        screen.sees(step.say.en)
        if step.play:
            screen.types(step.play)
        else:
            screen.press("Next", exact=True)
    screen.press("And now, 3 puzzles")
    screen.sees("Puzzle 1 of 3")
    screen.open(server, "/puzzles")
    expect(screen.page.get_by_label("finished").first).to_be_visible()
