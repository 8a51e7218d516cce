"""Stories in a real browser with motion on, against a computer that answers at once: what one sees comes in the order
in which it happened, the last move is marked wherever one comes from, the end covers nothing, no key press is lost."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser import Visitor
from test_pages import server  # noqa: F401  (a fixture)
from test_server import Server

pytestmark = pytest.mark.slow

WATCH = """() => {
  window.seen = [];
  const note = (what) => window.seen.at(-1) === what || window.seen.push(what);
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (target.closest('.figure')) note('piece');
      for (const node of addedNodes) if (node.matches?.('.live')) note('beam');
    }
  }).observe(document.querySelector('.khet svg'),
    { subtree: true, childList: true, attributes: true, attributeFilter: ['style'] });
  window.said = new Set();
  const main = document.querySelector('main');
  new MutationObserver(() => {
    for (const { textContent } of main.querySelectorAll('.status h1, .khet [role=status]'))
      window.said.add(textContent.trim());
  }).observe(main, { subtree: true, childList: true, characterData: true });
}"""
MARKED = "() => [...document.querySelectorAll('[data-last]')].map((mark) => mark.dataset.last)"


def last_move(updates: list[dict[str, Any]]) -> list[str]:
    return list(told(updates)[-1]["cells"])


def test_replies_that_come_at_once_are_told_in_order(server: Server, visitor: Visitor) -> None:  # noqa: F811
    made = server.make("khet", {"kind": "here", "name": "Ada"}, {"kind": "computer", "player": "random"}, public=True)
    ada = visitor(motion=True).sit(made["id"], *made["seats"], server=server)
    oracle = server.sit(made["id"], made["seats"][0]["token"])
    expect(ada.notation).to_be_enabled()
    ada.page.evaluate(WATCH)
    played = 0
    for _ in range(3):
        ada.notation.fill(next(action for action in oracle.now()["legal"] if len(action) == len("E4-E3")))
        ada.page.keyboard.press("Enter")
        played += 2
        while len(told(oracle.updates)) < played or not oracle.now()["legal"]:
            oracle.receive()
        ada.page.wait_for_function("() => window.seen.length > 3")
        expect(ada.notation).to_be_enabled()
        assert ada.page.evaluate("() => window.seen.splice(0)")[:4] == ["piece", "beam"] * 2
        assert ada.page.evaluate(MARKED) == last_move(oracle.updates)
    said = ada.page.evaluate("() => [...window.said]")
    assert {"Your turn", "Random to play"} <= {*said} and not any(word.startswith("Ada") for word in said), said
    for page in (came_back(ada.page), visitor().open(server, f"/match/{made['id']}").page):
        expect(page.locator("[data-last]").first).to_be_visible()
        assert page.evaluate(MARKED) == last_move(oracle.updates)
    oracle.send(type="ask", seat=0, what="resign")
    ada.sees("Ada resigned.")
    expect(ada.page.locator("[data-line]").last).to_be_in_viewport()  # the result takes its room, not the last words
    board, result = (ada.page.locator(part).bounding_box() for part in (".stage", "section.result"))
    assert board and result and result["x"] >= board["x"] + board["width"]  # it stands beside
    presses(ada.page)


def told(updates: list[dict[str, Any]]) -> list[Any]:
    return [event for update in updates for event in update["story"] if event["kind"] in ("moved", "turned")]


def came_back(page: Page) -> Page:
    page.reload()
    return page


def presses(page: Page) -> None:
    """Five presses are five moves, however fast they come, and wherever one has clicked."""
    page.get_by_role("link", name="Replay", exact=True).click()
    slider = page.get_by_role("slider", name="Move")
    expect(slider).to_have_value("0")
    page.locator(".stage").click()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("5 / 6")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("3 / 6")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_text("6 / 6")).to_be_visible()
    expect(page.locator("[data-last]").first).to_be_attached()
    page.keyboard.press("Home")
    expect(page.get_by_text("0 / 6")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
