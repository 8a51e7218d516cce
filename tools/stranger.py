"""A stranger's first ten minutes, in French on a phone: pictures in build/stranger, to be looked at one by one.

python tools/stranger.py         home → a lesson → a match against level 2 → its analysis → a friend joins by the code

Nobody is told anything but what the page says: everything is done by tapping what can be seen.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import count
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

from browser import FLAGS, LONG, _find, _install  # noqa: E402
from test_server import Server  # noqa: E402

FOLDER = ROOT / "build" / "stranger"
LESSON = [("H4", "+"), ("F4", "-"), ("D3", "D4")]  # Khet's lesson: a turn, red's mistake, a swap
COLUMNS = (3, 2, 4, 3, 1, 5, 0, 6, 3, 4, 2, 5)  # of a person who does not think much


class Phone:
    """What one person sees, and taps."""

    numbers = count(1)

    def __init__(self, browser: Browser, server: Server, who: str) -> None:
        size = {"width": 390, "height": 844}
        context = browser.new_context(locale="fr-FR", viewport=size, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
        self.page: Page = context.new_page()
        self.page.set_default_timeout(LONG)
        self.server, self.who = server, who

    def open(self, path: str) -> None:
        self.page.goto(self.server.url(path))

    def tap(self, name: str, role: str = "button") -> None:
        self.page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]

    def picture(self, what: str) -> None:
        self.page.wait_for_timeout(400)  # what moves has come to rest
        self.page.screenshot(path=FOLDER / f"{next(self.numbers):02d}-{self.who}-{what}.png")


def learn(phone: Phone) -> None:
    phone.open("/")
    phone.tap("Apprendre en deux minutes : Khet", "link")
    steps = iter(LESSON)
    for step in count(1):
        phone.page.locator("[aria-live=polite] .say").wait_for()
        phone.picture(f"lesson-{step}")
        if phone.page.get_by_role("link", name="Une vraie partie").count():
            return
        if phone.page.get_by_role("button", name="Suivant").count():
            phone.tap("Suivant")
            continue
        before = phone.page.locator(".say").inner_text()
        square, how = next(steps)
        phone.page.wait_for_timeout(2500)  # the beam is told
        phone.page.locator(f'[data-square="{square}"]').dispatch_event("click")
        if how in "+-":
            phone.tap("Tourner à droite" if how == "+" else "Tourner à gauche")
        else:
            phone.page.locator(f'[data-square="{how}"]').dispatch_event("click")
        phone.picture(f"lesson-{step}-set-down")
        phone.tap("Feu")
        expect(phone.page.locator(".say")).not_to_have_text(before, timeout=LONG)


def play(phone: Phone) -> None:
    phone.open("/")
    phone.picture("home-again")
    phone.tap("Jouer contre l’ordinateur : Puissance 4")
    phone.page.wait_for_url("**/match/*")
    for turn, column in enumerate(COLUMNS * 3):
        cell = phone.page.locator(f'[role=gridcell][data-cell="{column},0"]').first
        over = phone.page.locator("#result")
        phone.page.wait_for_function(
            "() => document.querySelector('#result') || document.querySelector('h1')?.textContent.includes('vous')"
        )
        if over.count():
            break
        cell.dispatch_event("click")
        if turn in (0, 3):
            phone.picture(f"match-{turn}")
        phone.page.wait_for_timeout(900)
    phone.page.locator("#result").wait_for()
    phone.picture("the-end")


def study(phone: Phone) -> None:
    phone.page.get_by_role("link", name="Analyser").first.click()
    phone.page.wait_for_url("**/replay/**")
    phone.picture("replay")
    phone.page.wait_for_timeout(8000)  # an engine thinks
    phone.picture("analysis")


def invite(phone: Phone, friend: Phone) -> None:
    phone.open("/new/khet")
    phone.picture("new")
    phone.page.get_by_text("À distance").first.click()
    phone.picture("new-far")
    phone.page.locator("form button.primary, form [type=submit]").last.click()
    phone.page.wait_for_url("**/match/*")
    phone.picture("waiting")
    code = phone.page.evaluate("() => document.body.innerText.match(/\\b[A-Z]{6}\\b/)?.[0]")
    friend.open("/join")
    friend.picture("join")
    friend.page.locator("input").last.fill(code)
    friend.page.keyboard.press("Enter")
    friend.page.wait_for_url("**/match/*")
    friend.page.get_by_label("Votre nom").fill("Blaise")
    friend.picture("sit-down")
    friend.tap("Jouer")
    friend.page.locator("[role=grid]").wait_for()
    friend.picture("at-the-table")
    phone.picture("the-friend-is-there")


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    server = Server(Path(tempfile.mkdtemp()))
    server.start()
    try:
        with sync_playwright() as playing:
            browser = playing.chromium.launch(executable_path=_find() or _install(), args=FLAGS)
            ada, blaise = Phone(browser, server, "ada"), Phone(browser, server, "blaise")
            ada.open("/")
            ada.page.locator("[role=img] svg").first.wait_for()
            ada.picture("home")
            learn(ada)
            play(ada)
            study(ada)
            invite(ada, blaise)
            browser.close()
    finally:
        server.kill()


if __name__ == "__main__":
    main()
