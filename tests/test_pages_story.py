"""The story in a real browser: people's words, what was taken back leaves it, and Khet's beam before one fires."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browser import Visitor
from test_pages import ADA, BOB
from test_server import COMPUTER, Server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


def test_the_story_tells_moves_and_forgets_what_was_taken_back(server: Server, visitor: Visitor) -> None:
    made = server.make("khet", ADA, COMPUTER)
    screen = visitor()
    screen.sit(made["id"], *made["seats"], server=server)
    story = screen.page.get_by_role("region", name="The story")
    screen.types("H2-G1")
    expect(story).to_contain_text("1. Silver")
    expect(story).to_contain_text("2. Red")
    assert story.get_by_role("button").all_inner_texts()[:2] == ["Pyramid H2–G1", "The beam dies on J8"]
    screen.press("Take back")
    expect(story).to_contain_text("Nothing yet")
    heard = screen.page.locator(".unseen[role=log]")
    expect(heard).to_contain_text("Taken back: 1. Silver: pyramid H2–G1; the beam dies on J8.")
    screen.types("H2-H1")
    expect(story).to_contain_text("1. Silver")
    assert story.get_by_role("button").all_inner_texts()[0] == "Pyramid H2–H1"
    expect(heard).not_to_contain_text("Taken back")


def test_a_piece_that_is_set_down_shows_the_coming_beam(server: Server, visitor: Visitor) -> None:
    made = server.make("khet", ADA, BOB)
    screen = visitor()
    screen.sit(made["id"], *made["seats"], server=server)
    page = screen.page
    expect(screen.notation).to_be_enabled()
    for square in ("H2", "G1"):
        page.locator(f"[data-square={square}]").click()
    expect(page.locator(".beam.coming")).to_be_visible()
    screen.sees("The beam dies on J8. Fire ends your turn.")
    page.keyboard.press("Escape")
    expect(page.locator(".beam.coming")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".target")).to_have_count(0)
    start, end = (page.locator(f"[data-square={square}]").bounding_box() for square in ("H2", "G2"))
    assert start and end
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    expect(page.locator(".target")).to_have_count(6)  # while it is dragged, too: where it may go
    page.mouse.up()
    expect(page.locator(".beam.coming")).to_be_visible()


@pytest.mark.parametrize("scrolled", [0, 10_000], ids=["at the board", "far below"])
def test_how_it_ended_comes_into_sight_on_a_phone(server: Server, visitor: Visitor, scrolled: int) -> None:
    """Cultist's board stands upright there, as high as the screen."""
    made = server.make("cultist", ADA, BOB, options={"turns": 6})
    screen = visitor("en-GB", 390, height=844).sit(made["id"], *made["seats"], server=server)
    expect(screen.notation).to_be_enabled()
    screen.page.evaluate("to => window.scrollTo(0, to)", scrolled)
    clients = [server.sit(made["id"], held["token"]) for held in made["seats"]]
    for turn in range(6):
        assert clients[turn % 2].play(f"t{turn}", turn % 2, "WAIT")["type"] == "accepted"
    for what in (screen.page.locator("#result"), screen.page.get_by_role("link", name="Home", exact=True)):
        expect(what).to_be_in_viewport(ratio=1)
    bar = screen.page.get_by_role("button", name="Turn the board").bounding_box()
    link = screen.page.get_by_role("link", name="Home", exact=True).bounding_box()
    assert bar and link and link["y"] + link["height"] <= bar["y"]
