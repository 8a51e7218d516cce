"""A stranger's first ten minutes, in French on a phone: pictures in build/stranger, to be looked at one by one.

python tools/stranger.py         home → a lesson → a match against level 2 → its analysis → a puzzle → a friend joins by
                                 the code, opens the friend's link, and is invited to a second match
python tools/stranger.py docs    the same, and the pictures that the documents show, in docs/pictures

Nobody is told anything but what the page says: everything is done by tapping what can be seen, which fails where
something else covers it, and by typing what was sent: an address, a friend's link, a code.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import count
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

from browser import FLAGS, LONG, _find, _install  # noqa: E402
from quincunx.games import load  # noqa: E402
from quincunx.puzzles.puzzle import find  # noqa: E402
from quincunx.puzzles.showing import asked as question  # noqa: E402
from test_server import Server  # noqa: E402

FOLDER = ROOT / "build" / "stranger"
PICTURES = ROOT / "docs" / "pictures"
STRIPS = {  # in the documents: three pictures beside each other
    "stranger-1": ("ada-home", "ada-lesson-3-set-down", "ada-match-3"),
    "stranger-2": ("ada-analysis", "ada-puzzle-right", "blaise-an-invitation"),
}
WIDTH, GAP, QUALITY = 300, 12, 68  # of a picture in a strip
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
        self.page.get_by_role(role, name=name).first.tap()  # type: ignore[arg-type]

    def touch(self, place: str) -> None:
        """Of what has no name, as the cells of a board."""
        self.page.locator(place).first.tap()

    def home(self) -> None:
        self.tap("Quincunx", "link")

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
        lay(phone, square + how if how in "+-" else f"{square}-{how}")
        phone.picture(f"lesson-{step}-set-down")
        phone.tap("Feu")
        expect(phone.page.locator(".say")).not_to_have_text(before, timeout=LONG)


def play(phone: Phone) -> None:
    phone.home()
    phone.picture("home-again")
    phone.tap("Jouer contre l’ordinateur : Puissance 4")
    phone.page.wait_for_url("**/match/*")
    for turn, column in enumerate(COLUMNS * 3):
        over = phone.page.locator("#result")
        phone.page.wait_for_function(
            "() => document.querySelector('#result') || document.querySelector('h1')?.textContent.includes('vous')"
        )
        if over.count():
            break
        phone.touch(f'[role=gridcell][data-cell="{column},0"]')
        if turn in (0, 3):
            phone.picture(f"match-{turn}")
        phone.page.wait_for_timeout(900)
    phone.page.locator("#result").wait_for()
    phone.picture("the-end")


def study(phone: Phone) -> None:
    phone.tap("Analyser", "link")
    phone.page.wait_for_url("**/replay/**")
    phone.picture("replay")
    phone.page.locator(".slip strong").wait_for()  # the engine has thought, and shows the first mistake
    phone.picture("analysis")


def solve(phone: Phone) -> None:
    """A wrong try first, then the hint, then the answer: all by tapping."""
    phone.tap("Problèmes", "link")
    phone.page.locator("a[href$='/puzzles/khet']").wait_for()
    phone.picture("puzzles")
    with phone.page.expect_request("**/api/games/khet/puzzles/*") as asked:
        phone.touch("a[href$='/puzzles/khet']")
    phone.page.locator("[role=grid]").wait_for()
    phone.picture("puzzle")
    puzzle = find("khet", asked.value.url.rpartition("/")[2])
    wrong = next(text for text in question(load("khet"), puzzle).legal if text[2:] in "+-" and text != puzzle.answer)
    lay(phone, wrong)
    phone.picture("puzzle-set-down")
    phone.tap("Feu")
    phone.page.get_by_role("button", name="Réessayer").wait_for()
    phone.picture("puzzle-wrong")
    phone.tap("Réessayer")
    phone.tap("Indice")
    phone.page.get_by_text("Regardez ici.").first.wait_for()
    phone.picture("puzzle-hint")
    lay(phone, puzzle.answer)
    phone.tap("Feu")
    phone.page.get_by_role("button", name="Problème suivant").wait_for()
    phone.picture("puzzle-right")
    with phone.page.expect_request("**/api/games/khet/puzzles/*") as asked:  # the first try counts: another one
        phone.tap("Problème suivant")
    phone.page.get_by_role("button", name="Indice").wait_for()
    lay(phone, find("khet", asked.value.url.rpartition("/")[2]).answer)
    phone.tap("Feu")
    phone.page.get_by_role("button", name="Problème suivant").wait_for()
    phone.tap("Problèmes", "link")
    phone.page.get_by_text("1 jour de suite").first.wait_for()
    phone.picture("streak")


def lay(phone: Phone, action: str) -> None:
    """An action of Khet is laid on the board, not fired yet."""
    square, how = action[:2], action[2:]
    phone.touch(f'[data-square="{square}"]')
    if how in "+-":
        phone.tap("Tourner à droite" if how == "+" else "Tourner à gauche")
    else:
        phone.touch(f'[data-square="{how[1:]}"]')


def befriend(phone: Phone, friend: Phone) -> None:
    """Both say who they are, one opens the other's link, and is invited to a match."""
    for each, name in ((phone, "Ada"), (friend, "Blaise")):
        each.tap("Moi", "link")
        each.page.get_by_label("Votre nom").fill(name)
        each.picture("who-are-you")
        each.tap("C’est moi")
        each.page.get_by_role("heading", name="Mes amis").wait_for()
    phone.picture("me")
    link = phone.page.get_by_label("Votre lien d’ami").input_value()
    friend.page.goto(link)
    friend.page.get_by_text("Vous et Ada êtes amis.").first.wait_for()
    friend.picture("friends")
    phone.home()
    phone.tap("Moi", "link")
    phone.tap("Inviter à jouer", "link")
    phone.page.get_by_role("button", name="Inviter Blaise").wait_for()
    phone.picture("lobby")
    phone.tap("Inviter Blaise")
    phone.page.get_by_text("Nous cherchons…").first.wait_for()
    phone.picture("invited")
    friend.home()
    friend.page.get_by_role("link", name="Accepter").wait_for()
    friend.picture("an-invitation")
    friend.tap("Accepter", "link")
    for each in (friend, phone):
        each.page.wait_for_url("**/match/*")
        each.page.locator("[role=grid]").wait_for()
        each.picture("together")


def invite(phone: Phone, friend: Phone) -> None:
    phone.home()
    phone.touch("a[href$='/new/khet']")
    phone.page.wait_for_url("**/new/khet")
    phone.picture("new")
    phone.page.get_by_text("À distance").first.tap()
    phone.picture("new-far")
    phone.page.locator("form button.primary, form [type=submit]").last.tap()
    phone.page.wait_for_url("**/match/*")
    phone.picture("waiting")
    code = phone.page.evaluate("() => document.body.innerText.match(/\\b[A-Z]{6}\\b/)?.[0]")
    friend.open("/")
    friend.tap("Rejoindre", "link")
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


def for_the_documents() -> None:
    for name, shown in STRIPS.items():
        found = [Image.open(next(FOLDER.glob(f"*-{each}.png"))) for each in shown]
        small = [one.resize((WIDTH, one.height * WIDTH // one.width), Image.Resampling.LANCZOS) for one in found]
        strip = Image.new("RGB", ((WIDTH + GAP) * len(small) - GAP, small[0].height), "white")
        for n, one in enumerate(small):
            strip.paste(one, (n * (WIDTH + GAP), 0))
        strip.save(PICTURES / f"{name}.webp", quality=QUALITY, method=6)


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
            solve(ada)
            invite(ada, blaise)
            befriend(ada, blaise)
            browser.close()
    finally:
        server.kill()


if __name__ == "__main__":
    main()
    if sys.argv[1:] == ["docs"]:
        for_the_documents()
