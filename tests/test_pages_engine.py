"""The engine in the page and the study board, in a real browser: it thinks there, or on the server where it cannot; a
game with secrets has none; what is tried out, drawn and named is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser import Visitor
from quincunx.core.contract import CHANCE
from quincunx.games import cards, load
from test_server import HERE, Server
from test_server_lobby import BOB, SMALL, play, resign

pytestmark = pytest.mark.slow

BLUNDER = "adadaea"  # Red, who stands well, does not see with its third stone that Yellow has three in a column
BUILT = Path(__file__).parent.parent / "src" / "quincunx" / "server" / "pages" / "assets"


@pytest.fixture(scope="module")
def server(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="module")
def over(server: Server) -> str:
    made = server.make("connect_four", HERE, BOB, public=True)
    play(server, made, BLUNDER)
    return str(made["id"])


def asked(page: Page) -> list[str]:
    """The addresses that a page asks for from now on, without their hosts and hashes of files."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url.partition("/")[2].partition("/")[2].partition("/")[2]))
    return found


def test_engines_are_built_for_the_games_without_secrets_and_for_no_others(pages: None) -> None:
    built = {file.name.partition("-")[0] for file in BUILT.glob("*.wasm")}
    assert built == {card.id for card in cards() if card.open}
    assert {Path(f"{file}.br").is_file() for file in BUILT.glob("*.wasm")} == {True}


def test_the_engine_thinks_along_in_the_page_until_it_is_switched_off(
    server: Server, visitor: Visitor, over: str
) -> None:
    ada = visitor("fr-FR").open(server, f"/replay/{over}")
    urls = asked(ada.page)
    ada.page.get_by_role("button", name="Fin").click()
    ada.page.get_by_role("button", name="Coup précédent").click()  # Yellow has three in column a
    switch = ada.page.get_by_role("switch", name="Moteur")
    switch.check()
    engine = ada.page.get_by_role("region", name="Moteur")
    expect(engine.locator(".best")).to_have_text("a")
    expect(engine.locator(".how")).to_contain_text("c’est certain")
    expect(engine.get_by_role("img")).to_have_attribute("aria-label", re.compile("100"))
    expect(ada.page.locator(".board-arrows > *").first).to_be_attached()
    assert any(url.endswith(".wasm") for url in urls) and not any("/thought" in url for url in urls)
    switch.uncheck()
    expect(engine.locator(".how")).to_have_count(0)
    expect(ada.page.locator(".board-arrows > *")).to_have_count(0)


def test_where_the_page_cannot_think_the_server_does(server: Server, visitor: Visitor, over: str) -> None:
    ada = visitor()
    ada.page.add_init_script("delete window.WebAssembly")
    ada.open(server, f"/replay/{over}")
    urls = asked(ada.page)
    ada.page.get_by_role("button", name="End").click()
    ada.page.get_by_role("button", name="Previous move").click()
    ada.page.get_by_role("switch", name="Engine").check()
    engine = ada.page.get_by_role("region", name="Engine")
    expect(engine.locator(".best")).to_have_text("a")
    expect(engine.locator(".how")).to_contain_text("on the server")
    assert not any(url.endswith(".wasm") for url in urls)


def test_a_match_is_analysed_in_the_page(server: Server, visitor: Visitor, over: str) -> None:
    ada = visitor().open(server, f"/replay/{over}")
    urls = asked(ada.page)
    ada.press("Analyse the match")
    slip = ada.page.get_by_label("Mistakes of the match").get_by_role("button", name="move 6")
    slip.click()
    expect(ada.page.locator(".slip")).to_contain_text(re.compile("Blunder.*e.*Better was.*a"))
    assert not any("/analysis" in url for url in urls)


def test_a_hint_is_thought_out_in_the_page(server: Server, visitor: Visitor) -> None:
    made = server.make("connect_four", HERE, {"kind": "computer", "player": "random"})
    ada = visitor().sit(made["id"], *made["seats"], server=server)
    urls = asked(ada.page)
    ada.press("Hint")
    expect(ada.page.locator(".advice code")).to_have_text(re.compile("^[a-g]$"))  # however long it had
    assert any(url.endswith("/outlook") for url in urls) and not any(url.endswith("/hint") for url in urls)


def test_where_the_page_cannot_think_a_hint_comes_from_the_server(server: Server, visitor: Visitor) -> None:
    made = server.make("connect_four", HERE, {"kind": "computer", "player": "random"})
    ada = visitor()
    ada.page.add_init_script("delete window.WebAssembly")
    ada.sit(made["id"], *made["seats"], server=server)
    urls = asked(ada.page)
    ada.press("Hint")
    expect(ada.page.locator(".advice code")).to_have_text(re.compile("^[a-g]$"))
    assert any(url.endswith("/hint") for url in urls) and not any(url.endswith(".wasm") for url in urls)


def test_of_a_game_with_secrets_there_is_no_engine_and_nothing_to_feed_one(server: Server, visitor: Visitor) -> None:
    made = server.make("chartichaud", HERE, BOB, options=SMALL)
    resign(server, made)
    ada = visitor().open(server, f"/replay/{made['id']}")
    urls = asked(ada.page)
    ada.sees(ada.page.get_by_role("button", name="Analyse the match"))
    expect(ada.page.get_by_role("switch", name="Engine")).to_have_count(0)
    expect(ada.page.get_by_role("link", name="Study")).to_have_count(0)
    ada.press("Analyse the match")
    expect(ada.page.locator(".slip")).to_be_attached()
    assert not any(url.endswith(".wasm") or "/positions" in url or "/outlook" in url for url in urls)


# -- the study board ------------------------------------------------------------------------------------------------


def cell(page: Page, name: str) -> Any:
    return page.locator(f'[data-name="{name}"]')


def drag(page: Page, one: str, other: str, button: Any) -> None:
    for name, does in ((one, page.mouse.down), (other, page.mouse.up)):
        box = cell(page, name).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        does(button=button)


def types(page: Page, action: str, played: int) -> None:
    notation = page.get_by_label("Move in notation")
    expect(notation).to_be_enabled()
    notation.fill(action)
    notation.press("Enter")
    expect(page.locator(".moves .move")).to_have_count(played)


def test_variations_and_drawings_are_kept_and_read_by_others(server: Server, visitor: Visitor, over: str) -> None:
    ada = visitor()
    ada.open(server, f"/replay/{over}")
    ada.page.get_by_role("link", name="Study").click()
    moves = ada.page.locator(".moves")
    expect(moves.locator(".move")).to_have_count(8)  # the start, and all that was played
    moves.get_by_role("button").nth(5).click()
    types(ada.page, "a", 9)  # Red sees it this time
    ada.page.get_by_label("Name of this variation").fill("Better")
    ada.page.get_by_label("Name of this variation").press("Tab")
    expect(moves.locator("em")).to_have_text("Better")
    drag(ada.page, "a4", "d3", "right")
    expect(ada.page.locator('[data-mine="a4 d3"]')).to_be_attached()
    ada.press("Draw", exact=True)
    drag(ada.page, "g1", "g1", "left")  # with the pencil no stone falls
    expect(ada.page.locator('[data-mine="g1"]')).to_be_attached()
    ada.press("Draw", exact=True)
    cell(ada.page, "b2").focus()
    ada.page.keyboard.press("m")
    ada.page.keyboard.press("ArrowRight")
    ada.page.keyboard.press("m")
    expect(ada.page.locator('[data-mine="b2 c2"]')).to_be_attached()
    types(ada.page, "c", 10)
    types(ada.page, "c", 11)
    ada.press("Delete this move and what follows")
    expect(moves.locator(".move")).to_have_count(10)
    ada.press("Keep this study")
    ada.page.wait_for_url("**/study/*")
    expect(ada.page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    types(ada.page, "b", 11)  # kept by itself from here on
    with ada.page.expect_response(lambda response: response.request.method == "PUT"):
        pass
    expect(ada.page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    bob = visitor("fr-FR", 390, height=844)
    bob.page.goto(ada.page.url)
    expect(bob.page.locator(".moves .move")).to_have_count(11)
    bob.page.locator(".moves li .move").first.click()
    expect(bob.page.locator('[data-mine="a4 d3"]')).to_be_attached()
    expect(bob.page.get_by_role("button", name="Garder une copie")).to_be_visible()


class Finger:
    """What a finger does on the glass, as the browser hears of it."""

    def __init__(self, page: Page) -> None:
        self.page, self._glass = page, page.context.new_cdp_session(page)

    def _touch(self, kind: str, *cells: str) -> None:
        points = []
        for number, name in enumerate(cells):
            box = cell(self.page, name).bounding_box()
            points.append({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": number})
        self._glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def down(self, *cells: str) -> None:
        self._touch("touchStart", *cells)

    def over(self, *cells: str) -> None:
        self._touch("touchMove", *cells)

    def up(self) -> None:
        self._touch("touchEnd")


def test_a_finger_draws_while_the_pencil_is_out_and_plays_when_it_is_not(server: Server, visitor: Visitor) -> None:
    ada = visitor(width=390, height=844, phone=True).open(server, "/study/game/connect_four")
    finger = Finger(ada.page)
    drawn = ada.page.locator("polygon[data-mine], circle[data-mine]")
    ada.press("Draw", exact=True)
    top = ada.page.evaluate("scrollY")
    finger.down("b2")
    expect(ada.page.locator('[data-mine="b2"]')).to_be_attached()  # one sees what one draws
    finger.over("d4")
    expect(ada.page.locator('[data-mine="b2 d4"]')).to_be_attached()
    finger.over("b6")
    finger.up()
    expect(ada.page.locator('[data-mine="b2 b6"]')).to_be_attached()
    expect(drawn).to_have_count(1)
    assert ada.page.evaluate("scrollY") == top  # it drew, and did not scroll
    finger.down("e3")
    finger.up()
    expect(ada.page.locator('[data-mine="e3"]')).to_be_attached()
    finger.down("a1")
    finger.down("a1", "g6")  # a second finger takes the stroke back
    finger.up()
    expect(drawn).to_have_count(2)
    finger.down("e3")
    finger.up()  # the same once more rubs it out
    expect(ada.page.locator('[data-mine="e3"]')).to_have_count(0)
    expect(ada.page.locator(".moves .move")).to_have_count(1)  # no stone fell
    ada.press("Draw", exact=True)
    cell(ada.page, "d1").tap()
    expect(ada.page.locator(".moves .move")).to_have_count(2)


def towards_dice() -> list[str]:
    """What is played in Garden Tensions until dice fall."""
    game = load("garden")
    world, line, choose = game.new(seed=1), list[str](), Random(3)
    while (seat := game.turn(world)) != CHANCE:
        line.append(choose.choice(game.texts(world, seat, game.legal(world))))
        game.apply(world, seat, game.parse(world, seat, line[-1]))
    return line


def test_dice_of_a_study_say_what_one_wants(server: Server, visitor: Visitor) -> None:
    ada = visitor().open(server, "/study/game/garden#seed=1")
    moves, line = ada.page.locator(".moves .move"), towards_dice()
    expect(moves).to_have_count(1)
    for n, action in enumerate(line, 2):
        types(ada.page, action, n)
    outcome = ada.page.locator(".dice [data-outcome]").last
    expect(outcome).to_contain_text("the dice: 1 + 1 = 2 against 6")
    outcome.click()
    expect(moves).to_have_count(len(line) + 2)
    expect(moves.last).to_have_text("11/6")
