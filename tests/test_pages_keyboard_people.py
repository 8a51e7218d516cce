"""The pages that one comes back to, with the keyboard alone: who one is, the lobby, puzzles, matches to watch, a study.

Nothing is clicked and no address is typed: one goes from page to page with Tab and Enter, and what has the focus shows
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Page, expect

from browser import Screen, Visitor
from quincunx.puzzles.puzzle import find
from test_server import HERE, Server

pytestmark = pytest.mark.slow

MOST_STOPS = 120  # of the key Tab
FOCUSED = """() => {
  const on = document.activeElement;
  if (!on || on === document.body) return null;
  const label = on.labels?.[0]?.textContent ?? '';
  const named = on.getAttribute('aria-label') ?? (label || on.textContent);
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(on);
  const ringed = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
    || on.getAttribute('role') === 'gridcell'; // boards draw their own ring
  const { width, height, top, bottom } = on.getBoundingClientRect();
  const seen = width * height > 4 && bottom > 0 && top < innerHeight;
  return { name: named.replace(/\\s+/g, ' ').trim(), ringed, seen };
}"""


@pytest.fixture(scope="module")
def server(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("server"))
    started.start()
    yield started
    started.kill()


def tab_to(page: Page, name: str) -> None:
    """Tab until something of that name has the focus; every stop on the way is on the screen and shows it."""
    passed = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            continue  # around the end of the page
        assert focused["ringed"] and focused["seen"], focused
        if focused["name"].startswith(name):
            return
        passed.append(focused["name"])
    raise AssertionError(f"Tab does not reach {name}: {passed}")


def enter(page: Page, name: str) -> None:
    tab_to(page, name)
    page.keyboard.press("Enter")


def at(page: Page, path: str) -> None:
    page.wait_for_function("(path) => location.pathname.startsWith(path)", arg=path)


def test_a_name_and_an_opponent(server: Server, visitor: Visitor) -> None:
    ada = visitor().open(server, "/")
    ada.sees("What shall we play?")
    enter(ada.page, "Me")
    tab_to(ada.page, "Your name")
    ada.page.keyboard.type("Ada")
    ada.page.keyboard.press("Enter")
    ada.sees("My friends")
    enter(ada.page, "Find an opponent")
    at(ada.page, "/lobby")
    tab_to(ada.page, "Game")
    ada.page.keyboard.press("k")  # of a list, by its first letter
    expect(ada.page.get_by_label("Game")).to_have_value("khet")
    enter(ada.page, "Look for an opponent")
    ada.sees("Looking…")
    enter(ada.page, "Stop")
    expect(ada.page.get_by_role("button", name="Look for an opponent")).to_be_visible()


def test_a_puzzle(server: Server, visitor: Visitor) -> None:
    ada = visitor().open(server, "/")
    ada.sees("What shall we play?")
    enter(ada.page, "Puzzles")
    at(ada.page, "/puzzles")
    ada.sees("Puzzle of the day")
    with ada.page.expect_request("**/api/games/khet/puzzles/*") as asked:
        tab_to(ada.page, "Solve")  # that of the day
        enter_khet(ada)
    puzzle = find("khet", urlparse(asked.value.url).path.rpartition("/")[2])
    ada.types(puzzle.answer)
    expect(ada.page.get_by_role("button", name="Next puzzle")).to_be_focused()
    with ada.page.expect_request("**/api/games/khet/puzzles/*"):
        ada.page.keyboard.press("Enter")
    ada.sees(ada.page.get_by_role("button", name="Hint"))  # till the next puzzle comes the last one stands there
    enter(ada.page, "Hint")
    ada.sees("Look here.")
    enter(ada.page, "Show the solution")
    expect(ada.page.get_by_role("button", name="Next puzzle")).to_be_focused()


def enter_khet(screen: Screen) -> None:
    """The puzzles of Khet are the first of all."""
    enter(screen.page, "Solve")
    at(screen.page, "/puzzles/khet")


def test_a_match_to_watch(server: Server, visitor: Visitor) -> None:
    made = server.make("connect_four", HERE, {**HERE, "name": "Bob"}, public=True)
    ada = visitor().open(server, "/watch")
    enter(ada.page, "Watch: Connect Four")
    at(ada.page, f"/match/{made['id']}")
    expect(ada.page.get_by_role("grid")).to_be_visible()


def test_a_study(server: Server, visitor: Visitor) -> None:
    ada = visitor().open(server, "/study")
    ada.sees("A new study")
    with ada.page.expect_response("**/api/positions") as placed:
        enter(ada.page, "Usual start")
    at(ada.page, "/study/game/")
    legal = placed.value.json()["legal"][0]["action"]
    moves = ada.page.locator(".moves .move")
    expect(moves).to_have_count(1)
    ada.types(legal)
    expect(moves).to_have_count(2)
    ada.page.keyboard.press("ArrowLeft")
    expect(moves.first).to_have_attribute("aria-current", "step")
    tab_to(ada.page, "Next move")
    ada.page.keyboard.press("Enter")
    tab_to(ada.page, "Draw")
    ada.page.keyboard.press("Space")
    expect(ada.page.get_by_role("button", name="Draw", exact=True)).to_have_attribute("aria-pressed", "true")
    enter(ada.page, "Keep this study")
    at(ada.page, "/study/")
    expect(ada.page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
