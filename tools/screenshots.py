"""Pictures of every screen at 390 and 1440 px, light and dark, in build/screenshots: to be looked at one by one.

python tools/screenshots.py [NAME …]      only screens whose name begins so
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from playwright.sync_api import sync_playwright  # noqa: E402
from rich.progress import track  # noqa: E402

from browser import FLAGS, _find, _install  # noqa: E402
from screens import Screens  # noqa: E402
from test_server import Server  # noqa: E402

SIZES = {390: 844, 1440: 900}


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
                context = browser.new_context(
                    viewport={"width": width, "height": SIZES[width]}, locale="fr-FR", reduced_motion="reduce",
                    color_scheme="dark" if theme == "dark" else "light",
                )  # fmt: skip
                page = context.new_page()
                for name, visit in screens.items():
                    visit(page)
                    page.wait_for_timeout(400)
                    page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
                context.close()
            browser.close()
    finally:
        server.kill()
    print(f"{len(screens) * len(kinds)} pictures in {folder.relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
