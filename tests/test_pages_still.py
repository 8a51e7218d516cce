"""A law over all boards: whatever is offered, sent, told or waited for, the board keeps its place and its size."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser import Visitor
from test_pages import GAMES, SHORT, current, server  # noqa: F401  (a fixture)
from test_pages_keyboard import Curious
from test_server import Server

pytestmark = pytest.mark.slow

READY = "() => document.fonts.ready.then(() => new Promise((done) => requestIdleCallback(done)))"
PLACES = """() => {
  const found = (which) => document.querySelector(`.stage ${which}`);
  const board = found('.frame') ?? found('.field') ?? found('[role=grid]').closest('svg');
  window.places = new Set();
  const look = () => {
    const { left, top, right, bottom } = board.getBoundingClientRect();
    window.places.add([left, top + scrollY, right, bottom + scrollY].map(Math.round).join());
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 720)], ids=lambda size: f"{size[0]}×{size[1]}")
@pytest.mark.parametrize("game", GAMES)
def test_a_board_keeps_still(server: Server, visitor: Visitor, game: str, size: tuple[int, int]) -> None:  # noqa: F811
    seats = {"kind": "here", "name": "Ada"}, {"kind": "computer", "player": "random"}
    made = server.make(game, *seats, options=SHORT.get(game, {}), seed=1)
    ada = visitor("fr-FR", size[0], motion=True, height=size[1]).sit(made["id"], *made["seats"], server=server)
    oracle, curious = server.sit(made["id"], made["seats"][0]["token"]), Curious(game)
    curious._script.clear()
    notation = ada.page.get_by_label("Coup en notation")
    expect(notation).to_be_enabled()
    ada.page.evaluate(READY)
    ada.page.evaluate(PLACES)
    for _ in range(4):
        notation.fill(curious.choose(current(oracle)["legal"]))
        notation.press("Enter")
        expect(notation).to_have_value("")
        while not (now := current(oracle))["legal"] and not now["outcome"]:
            oracle.receive()
        if now["outcome"]:
            break
        ada.page.keyboard.press("Escape")
        expect(notation).to_be_enabled()
    places = ada.page.evaluate("() => [...window.places]")
    assert len(places) == 1, places


def test_a_board_keeps_still_whatever_is_said_under_it(server: Server, visitor: Visitor) -> None:  # noqa: F811
    """Khet's lesson on a phone: what is set down is foretold, in one line or in two."""
    ada = visitor("fr-FR", 390, height=844).open(server, "/learn/khet")
    say = ada.page.locator(".say")
    expect(say).to_be_visible()
    ada.page.evaluate(READY)
    ada.page.evaluate(PLACES)
    for square, how in (("H4", "Tourner à droite"), ("F4", "Tourner à gauche"), ("D3", "D4")):
        while ada.page.get_by_role("button", name="Suivant").count():
            before = say.inner_text()
            ada.press("Suivant")
            expect(say).not_to_have_text(before)
        before = say.inner_text()
        ada.page.locator(f'[data-square="{square}"]').dispatch_event("click")
        if len(how) == 2:
            ada.page.locator(f'[data-square="{how}"]').dispatch_event("click")
            ada.sees("La pyramide rouge est détruite")
        else:
            ada.press(how)
            ada.sees("Le rayon s’éteint")
        ada.press("Feu")
        expect(say).not_to_have_text(before)
    places = ada.page.evaluate("() => [...window.places]")
    assert len(places) == 1, places
