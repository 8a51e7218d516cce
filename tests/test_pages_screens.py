"""Every screen, by day on a wide window and by night on a narrow one: axe finds nothing, no text is small, nothing
sticks out or is cut off. `make screens` looks at every size by day and by night, and at what opens on a screen.
And what every board has in common with the panel beside it: it turns round, and it shows what is advised."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from browser import Visitor
from contest_scenes import RUNNING
from looks import faults
from screens import Screens
from test_server import Server

pytestmark = pytest.mark.slow

Theme = Literal["light", "dark"]

AXE = Path(__file__).parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
WIDE: list[ViewportSize] = [{"width": 1440, "height": 900}, {"width": 1280, "height": 720}]
NARROW: list[ViewportSize] = [{"width": 390, "height": 844}, {"width": 844, "height": 390}]


@pytest.fixture(scope="module")
def screens(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screens]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield Screens(running)
    running.kill()


THEMES: list[Theme] = ["light", "dark"]


ALL = os.environ.get("QUINCUNX_SCREENS") == "all"  # then each language has the windows that the other one has otherwise

LACKING = {"nowhere", "unknown-match", f"contest-{RUNNING.game}"}  # what there is not, or a match without its record


@pytest.mark.parametrize(
    "sizes, language, theme",
    [(NARROW if ALL else WIDE, "en-GB", "light"), (WIDE if ALL else NARROW, "fr-FR", "dark")],
)
def test_every_screen(
    screens: Screens, visitor: Visitor, sizes: list[ViewportSize], language: str, theme: Theme
) -> None:
    if not AXE.exists():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("axe-core is not installed: make web")
    screen = visitor(language)
    found: dict[str, Any] = {}
    themes = THEMES if ALL else [theme]
    for name, visit in (screens.all() if ALL else screens.plain()).items():
        screen.page.emulate_media(color_scheme=themes[0])
        screen.page.set_viewport_size(sizes[0])
        visit(screen.page)
        found[name] = [fault for theme in themes for fault in accused(screen.page, theme)]
        for size in sizes:
            screen.page.set_viewport_size(size)
            found[name] += [f"{size['width']} × {size['height']}: {fault}" for fault in faults(screen.page)]
        found[name] += [word for word in screen.complaints if name not in LACKING or "404" not in word]
        screen.complaints.clear()
    wrong = {name: faults for name, faults in found.items() if faults}
    assert wrong == {}, json.dumps(wrong, indent=1, ensure_ascii=False)


def accused(page: Page, theme: Theme) -> list[str]:
    """What axe finds."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(f"() => document.documentElement.dataset.theme === '{theme}'")
    page.evaluate(AXE.read_text())
    found = page.evaluate("async () => (await axe.run({ resultTypes: ['violations'] })).violations")
    return [f"{theme}: {one['id']}: {one['nodes'][0]['html'][:160]}" for one in found]


PLACES = """() => {
  const middle = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const grid = document.querySelector('[role=grid]');
  const cells = [...grid.querySelectorAll('[role=gridcell]')];
  return [middle(grid), Object.fromEntries(cells.map((cell) => [cell.ariaLabel, middle(cell)]))];
}"""


def test_a_board_turned_round_turns(screens: Screens, visitor: Visitor) -> None:
    page = visitor().page
    for game in screens.games:
        screens.all()[f"replay-{game}"](page)
        (x, y), before = page.evaluate(PLACES)
        page.keyboard.press("f")
        button = page.get_by_role("button", name="Turn the board")
        if game == "connect_four":  # a rack has no other side
            assert button.count() == 0 and page.evaluate(PLACES)[1] == before
            continue
        expect(button).to_have_attribute("aria-pressed", "true")
        after = page.evaluate(PLACES)[1]
        moved = {cell: (2 * x - before[cell][0], 2 * y - before[cell][1]) for cell in before}
        assert after and {cell: pytest.approx(moved[cell], abs=3) for cell in after} == after, game
        button.click()
        assert page.evaluate(PLACES)[1] == before, game


COLOURS = """() => {
  const last = getComputedStyle(document.querySelector('[data-last]')).stroke;
  const hint = document.querySelector('.board-arrows > :last-child');
  return [last, getComputedStyle(hint)[hint.localName === 'circle' ? 'stroke' : 'fill']];
}"""


def test_what_is_advised_stands_beside_the_board_and_on_it(screens: Screens, visitor: Visitor) -> None:
    page = visitor().page
    page.set_viewport_size(WIDE[1])
    screens.all()["match-khet"](page)
    panel = page.locator("aside.panel").bounding_box()
    page.get_by_role("button", name="Hint", exact=True).click()
    advice = page.locator(".advice")
    expect(advice.get_by_role("button", name="Play it")).to_be_visible()
    arrow = page.locator(".board-arrows > *").first
    expect(arrow).to_be_visible()
    board, strip, drawn = page.locator("[role=grid]").bounding_box(), advice.bounding_box(), arrow.bounding_box()
    assert board and strip and drawn and page.locator("aside.panel").bounding_box() == panel  # nothing jumped
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(f"() => document.documentElement.dataset.theme === '{theme}'")
        last, hint = page.evaluate(COLOURS)
        assert last != hint and "none" not in (last, hint)
    assert strip["y"] + strip["height"] <= board["y"] and board["y"] - strip["y"] - strip["height"] < 60
    assert board["x"] <= drawn["x"] and drawn["x"] + drawn["width"] <= board["x"] + board["width"]
    page.keyboard.press("Escape")
    expect(advice).to_have_count(0)
    expect(arrow).to_have_count(0)


def test_mistakes_are_in_sight_and_a_better_move_is_an_arrow(screens: Screens, visitor: Visitor) -> None:
    page = visitor().page
    page.set_viewport_size(WIDE[0])
    screens.all()["replay-khet"](page)
    page.get_by_role("button", name="Analyse the match").click()
    mistakes = page.get_by_role("list", name="Mistakes of the match").get_by_role("button")
    expect(mistakes.first).to_be_visible()
    expect(page.locator("figcaption [role=status]")).to_have_count(0)  # it is done
    assert page.get_by_role("list", name="Accuracy").get_by_role("listitem").count() == 2
    for size in [*WIDE, *reversed(NARROW)]:
        page.set_viewport_size(size)
        expect(mistakes.first).to_be_visible()
        mistakes.first.scroll_into_view_if_needed()
        assert mistakes.first.bounding_box()["height"] >= 32  # type: ignore[index]
        assert not faults(page)
    number = int(mistakes.first.inner_text().split()[-1])
    mistakes.first.click()
    before = page.locator(".count", has_text=f"{number - 1} / ")  # where it could have been played
    expect(before).to_be_visible()
    expect(page.locator(".board-arrows > *").first).to_be_visible()
    played = page.locator(".slip .played").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator("h2.move code")).to_have_text(played)


def test_three_champions_are_in_sight_in_a_low_window(screens: Screens, visitor: Visitor) -> None:
    page = visitor().page
    page.set_viewport_size(WIDE[1])
    screens.all()["match-casus_belli"](page)
    within = "(each) => each.getBoundingClientRect().bottom <= each.closest('.scroll').getBoundingClientRect().bottom"
    champions = page.locator("aside .champions li").all()
    assert [champion.evaluate(within) for champion in champions] == [True] * 3


WALKS = """() => addEventListener('transitionrun', ({ propertyName, target }) => {
  if (propertyName === 'transform' && target.matches('.figure')) window.walked = (window.walked ?? 0) + 1;
})"""


def test_nobody_walks_when_a_board_is_stood_upright(screens: Screens, visitor: Visitor) -> None:
    page = visitor(motion=True).page
    page.set_viewport_size(NARROW[0])
    page.add_init_script(f"({WALKS})()")
    screens.all()["match-cultist"](page)
    page.wait_for_function("() => document.querySelector('.upright .figure')")
    assert page.evaluate("() => window.walked ?? 0") == 0
