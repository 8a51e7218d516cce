"""The page of a contest in a browser: it moves by itself, shows matches, and can be projected."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import ViewportSize, expect

from browser import Screen, Visitor
from contest_scenes import NEW, OVER, RUNNING, create, fill, in_store, play, write
from looks import faults
from quincunx.cli.tournament import links_of
from quincunx.store import Store
from quincunx.tournament.plan import Plan
from quincunx.tournament.report import Link
from quincunx.tournament.results import Result
from test_pages_screens import AXE, NARROW, WIDE, Theme, accused
from test_server import Server

pytestmark = pytest.mark.slow

THEMES: list[Theme] = ["light", "dark"]
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
MOVING = Plan("connect_four", ("greedy", "random", "level:1"), name="Moving", matches=4)


@pytest.fixture(scope="module")
def server(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    try:
        in_store(running.database, _fill)
        yield running
    finally:
        running.kill()


async def _fill(store: Store) -> None:
    await fill(store)
    await create(store, MOVING)
    await play(store, MOVING, (0, 0))


def _forgive(screen: Screen) -> None:
    """Results that were merely written have no records."""
    screen.complaints = [word for word in screen.complaints if "404" not in word]


@pytest.mark.parametrize("language", ["fr-FR", "en-GB"])
def test_every_size_in_both_languages(server: Server, visitor: Visitor, language: str) -> None:
    screen = visitor(language)
    found: dict[str, list[str]] = {}
    paths = ["/contests", *(f"/contest/{plan.id}{end}" for plan in (OVER, RUNNING, NEW) for end in ("", "/projector"))]
    for path in paths:
        screen.page.emulate_media(color_scheme="light")
        screen.page.set_viewport_size(WIDE[0])
        screen.open(server, path)
        screen.page.locator("tbody tr, main li").first.wait_for()
        screen.page.wait_for_load_state("networkidle")
        if AXE.exists():
            themes = THEMES[1:] if path.endswith("projector") else THEMES
            found[path] = [fault for theme in themes for fault in accused(screen.page, theme)]
        for size in (*WIDE, *NARROW, PROJECTOR):
            screen.page.set_viewport_size(size)
            said = [f"{size['width']} × {size['height']}: {fault}" for fault in faults(screen.page)]
            if path.endswith("projector") and size == PROJECTOR:
                said += screen.page.evaluate(
                    "() => document.documentElement.scrollHeight > innerHeight ? ['it scrolls'] : []"
                )
            found.setdefault(path, []).extend(said)
    _forgive(screen)
    wrong = {path: faults for path, faults in found.items() if faults}
    assert wrong == {}, json.dumps(wrong, indent=1, ensure_ascii=False)


def test_a_result_moves_the_table_without_a_reload(server: Server, visitor: Visitor) -> None:
    screen = visitor(motion=True)
    page = screen.open(server, f"/contest/{MOVING.id}").page
    names = page.locator("tbody .name")
    expect(names.last).to_have_text("Greedy")
    sat = [("greedy", "random"), ("random", "greedy")]
    new = [Result(1, n, sat[n % 2], ((1, 2), (2, 1))[n % 2]) for n in range(4)]
    in_store(server.database, lambda store: write(store, MOVING.id, *new))
    expect(names.first).to_have_text("Greedy")
    expect(page.get_by_text("5 matches of 12")).to_be_visible()
    expect(page.get_by_role("img", name="Board of the match").first).to_be_visible()  # of the one that has a record
    _forgive(screen)


def test_a_contest_that_is_over_says_who_won_and_its_matches_can_be_replayed(server: Server, visitor: Visitor) -> None:
    screen = visitor()
    page = screen.open(server, f"/contest/{OVER.id}").page
    winner = page.locator("tbody .name").first.inner_text()
    screen.sees(f"{winner} wins the tournament")
    expect(page.locator("main [role=img] svg").first).to_be_visible()
    page.get_by_role("button", name="Replay this match").click()
    page.wait_for_url("**/replay/*")
    expect(page.locator("input[type=range], [role=slider]").first).to_be_visible()


def test_the_link_that_a_report_has_leads_to_the_replay(server: Server, visitor: Visitor) -> None:
    async def linked(store: Store) -> None:
        contest = await store.contests.get(OVER.id)
        links.append(links_of(contest, None, server.url("/")))

    links: list[Link] = []
    in_store(server.database, linked)
    address = links[0](Result(1, 1, ("greedy", "random"), (1, 2)))
    assert address is not None
    screen = visitor()
    page = screen.open(server, address.removeprefix(server.url(""))).page
    page.wait_for_url("**/replay/*")
    expect(page.locator("input[type=range], [role=slider]").first).to_be_visible()
    page = screen.open(server, f"/contest/{NEW.id}/0-7").page
    screen.sees("This match has not been played yet.")
    _forgive(screen)


def test_the_projector_is_bare_dark_and_can_be_left(server: Server, visitor: Visitor) -> None:
    screen = visitor()
    page = screen.open(server, f"/contest/{RUNNING.id}").page
    page.get_by_role("button", name="Projector").click()
    page.wait_for_url("**/projector")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("navigation")).to_have_count(0)
    page.get_by_role("link", name="Leave the projector").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("navigation")).to_have_count(1)
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    _forgive(screen)


def test_home_links_to_contests_and_an_unknown_one_says_so(server: Server, visitor: Visitor) -> None:
    screen = visitor()
    page = screen.open(server, "/").page
    page.get_by_role("link", name="Tournaments").click()
    page.get_by_role("link", name="Show, Coupe d’automne").click()
    expect(page.locator("h1")).to_have_text("Coupe d’automne")
    screen.open(server, "/contest/nothing").sees("There is no such tournament")
