"""An arena in a browser: a program enters by the command of the page, plays on live boards, and stands in the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, ViewportSize, expect

from browser import Visitor
from kit_bots import SLOW, fetch_kit, running
from looks import faults
from test_pages_screens import AXE, NARROW, WIDE, accused
from test_server import Server

pytestmark = pytest.mark.slow

PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}


@pytest.fixture(scope="module")
def server(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("server"))
    started.start()
    yield started
    started.kill()


def test_a_program_enters_and_is_watched(server: Server, visitor: Visitor, tmp_path: Path) -> None:
    wanted = {"game": "connect_four", "name": "The pit", "turn": 5, "computers": ["random", "greedy"]}
    id = httpx.post(server.url("/api/arenas"), json=wanted, timeout=60).json()["id"]
    screen = visitor()
    page = screen.open(server, "/contests").page
    expect(page.get_by_text("open arena · Connect Four · 2 players")).to_be_visible()
    page.get_by_role("link", name="Show, The pit").click()
    screen.sees("Nobody is playing just now. The next match will appear here.")
    page.get_by_label("Its name in the table").fill("Fox & Co")
    with running(
        page.locator("code").inner_text(), fetch_kit(server, "connect_four", tmp_path, SLOW.format(seconds=0.1))
    ):
        expect(page.get_by_role("row", name="here Fox & Co")).to_be_visible()
        live = page.get_by_role("list", name="Matches under way").get_by_role("link")
        expect(live.first).to_contain_text("Fox & Co")
        expect(live.first.locator("svg").first).to_be_visible()
        expect(page.locator("tbody tr", has_text="Fox & Co")).to_contain_text("±")  # one is over
        said = _looked_at(screen.page, server, id)
        assert said == {}, json.dumps(said, indent=1, ensure_ascii=False)
        page.get_by_role("list", name="Matches under way").get_by_role("link").first.click()
        page.wait_for_url("**/match/*")
        expect(page.locator("[role=grid]")).to_be_visible()
    screen.open(server, f"/contest/{id}")
    expect(page.get_by_role("row", name="away Fox & Co")).to_be_visible()
    screen.complaints = [word for word in screen.complaints if "404" not in word]


def _looked_at(page: Page, server: Server, id: str) -> dict[str, list[str]]:
    """What is wrong with its page, and with the one for a projector, while it is played."""
    found: dict[str, list[str]] = {}
    for path in (f"/contest/{id}/projector", f"/contest/{id}"):
        page.goto(server.url(path))
        page.locator("tbody tr").first.wait_for()
        found[path] = accused(page, "dark" if path.endswith("projector") else "light") if AXE.exists() else []
        for size in (*NARROW, *WIDE, PROJECTOR):
            page.set_viewport_size(size)
            found[path] += [f"{size['width']} × {size['height']}: {fault}" for fault in faults(page)]
        if path.endswith("projector") and page.evaluate("() => document.documentElement.scrollHeight > innerHeight"):
            found[path].append("it scrolls")
    return {path: said for path, said in found.items() if said}
