"""Pictures of every screen at 390 and 1440 px, light and dark, in build/screenshots: to be looked at one by one.

python tools/screenshots.py [NAME …]      only screens whose name begins so
python tools/screenshots.py docs          the few that the documents show, in docs/pictures
python tools/screenshots.py moving        and the one that moves
"""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402
from rich.progress import track  # noqa: E402

from browser import FLAGS, _find, _install  # noqa: E402
from screens import Screens  # noqa: E402
from test_server import Server  # noqa: E402

SIZES = {390: 844, 1440: 900}
FINE = 75  # of 100: how finely a picture of the documents is kept
SHOWN = {  # in the documents: how many actions stand, width, theme; the home page has none
    "home": (None, 1440, "light"),
    "chartichaud": (260, 1440, "light"),
    "garden-phone": (30, 390, "dark"),
    "khet-phone": (12, 390, "light"),
}


def for_the_documents() -> None:
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    server = Server(Path(tempfile.mkdtemp()))
    server.start()
    try:
        screens = Screens(server)
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=_find() or _install(), args=FLAGS)
            for name, (at, width, theme) in SHOWN.items():
                page = _page(browser, width, theme, "en-GB")
                (screens.all()["home"] if at is None else screens.midway(name.removesuffix("-phone"), at))(page)
                page.wait_for_timeout(1500)  # the computer answers
                shot = Image.open(BytesIO(page.screenshot(type="png"))).convert("RGB")
                shot.save(folder / f"{name}.webp", quality=FINE, method=6)
                page.context.close()
            browser.close()
    finally:
        server.kill()


def moving() -> None:
    """Some moves of Khet as a picture that moves, for the README."""
    server = Server(Path(tempfile.mkdtemp()))
    server.start()
    frames: list[Image.Image] = []
    try:
        screens = Screens(server)
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=_find() or _install(), args=FLAGS)
            page = browser.new_page(viewport={"width": 1000, "height": 760}, color_scheme="light", locale="en-GB")
            screens.all()["replay-khet"](page)
            page.get_by_role("button", name="Play", exact=True).click()
            for _ in range(60):
                shot = page.locator("[role=grid]").screenshot(type="png")
                frames.append(Image.open(BytesIO(shot)).convert("RGB").resize((400, 323)))
                page.wait_for_timeout(60)
            browser.close()
    finally:
        server.kill()
    first, *rest = frames
    to = ROOT / "docs" / "pictures" / "khet.webp"
    first.save(to, save_all=True, append_images=rest, duration=120, loop=0, quality=30, method=6)


def _page(browser: Browser, width: int, theme: str, language: str) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": SIZES[width]}, locale=language, reduced_motion="reduce",
        color_scheme="dark" if theme == "dark" else "light",
    )  # fmt: skip
    return context.new_page()


def main(wanted: list[str]) -> None:
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(Path(tempfile.mkdtemp()))
    server.start()
    try:
        screens = {n: v for n, v in Screens(server).all().items() if not wanted or n.startswith(tuple(wanted))}
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=_find() or _install(), args=FLAGS)
            kinds = [(width, theme) for width in SIZES for theme in ("light", "dark")]
            for width, theme in track(kinds, "Screenshots"):
                page = _page(browser, width, theme, "fr-FR")
                for name, visit in screens.items():
                    visit(page)
                    page.wait_for_timeout(400)
                    page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
                page.context.close()
            browser.close()
    finally:
        server.kill()
    print(f"{len(screens) * len(kinds)} pictures in {folder.relative_to(ROOT)}")


if __name__ == "__main__":
    special = {"docs": for_the_documents, "moving": moving}
    special.get(" ".join(sys.argv[1:]), lambda: main(sys.argv[1:]))()
