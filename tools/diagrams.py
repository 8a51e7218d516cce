"""The pictures of docs/technical: boards as the page components draw them, taken by Chromium from web/gallery.html.

python tools/diagrams.py [picture …]        all of them by default; needs the packages of web/ and a Chromium

A scene is a game that tools/frames.py plays, one of its frames, and what a person would do to see more.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from pages import WEB, install, where_node
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "technical" / "pictures"
HEAVIEST = 60_000  # bytes of a picture

CULTIST = (
    "............./..xx.x.x.xx../..x.......x../............./..x.......x../..xx.x.x.xx../............. "
    "0L10@0,3 1L7@11,3 0c10@4,2 0c6@1,2 n10@3,0 0c8@3,4 n10@4,4 n10@1,6 1c10@8,4 1c4@7,2 n10@11,2 n10@8,0 "
    "1c9@6,4 n10@11,6 turn=22"
)
GARDEN = (
    "gf1=A2 gw2=A1 sm1 ms2 ms1=B1 / gs1=A3 gm2=A5f2 sky=A2 sf1=B2p2 mw2=B4 mm1=B1 / gf2=A3 sw1=A4 barbecue=A1 sm2=B3i1 "
    "pool=B2 sw1=B1 gf2=B3 / mm1 mw2=A2 sf1=B1h candy=B2 gm2=B1 gs1 / ms1 ms2 sm1=A3 gw2=B5 gf1=B1 "
    "| A stock=0 points=8 food=4 metal=6 stone=3 wood=2 | B stock=1 points=5 food=5 metal=0 stone=1 wood=4 "
    "| turn=20 player=A phase=conquest used=- dice=-"
)
CASUS_BELLI = (
    "18x13 8,6 2/32 6.0 18_/_7.2F7._/_.F4.#2.#4.F._/_5.2#2.2#5._/_4.T6.T4._/_2.3#6.3#2._/_.2~3.2H6.~._/_2.3#6.3#2._"
    "/_4.T6.T4._/_5.2#2.2#5._/_.F4.#2.#4.F._/_7.2F7._/18_ 0.0 "
    "2|-|-|3,6:E:10:0:3:3,6:-|8,9:N:7:0:0:3,6:-|5,4:E:9:0:0:3,6:- "
    "1|-|-|13,6:W:10:0:0:13,6:-|8,6:S:8:0:0:13,6:-|11,4:W:10:0:0:13,6:- "
    "0|-|-|8,2:S:10:0:0:8,2:-|14,9:N:10:0:0:8,2:-|16,11:W:10:0:0:8,2:-"
)


class Scene(NamedTuple):
    game: str
    played: tuple[str, ...]  # for tools/frames.py
    frame: int = 0
    act: Callable[[Page], None] = lambda page: None
    taken: str = "svg:has([role=gridcell])"  # what the picture shows
    width: int = 900


def press(cell: str) -> Callable[[Page], None]:
    return lambda page: page.locator(cell).first.dispatch_event("click")


def over(first: str, then: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        press(first)(page)
        page.locator(then).first.hover(force=True)

    return act


def layer(name: str) -> Callable[[Page], None]:
    """One layer of the garden; of the cells under it only where they are."""
    hidden = f'g[data-layer]:not([data-layer="{name}"]):not([data-layer="cells"]) {{ opacity: 0 }}'
    pale = 'g[data-layer="cells"] { opacity: 0.2 } g[data-layer="cells"] > g { opacity: 0 }' if name != "cells" else ""

    def act(page: Page) -> None:
        press('[data-cell="c2"]')(page)
        page.add_style_tag(content=hidden + pale)

    return act


SCENES = {
    "khet-beams": Scene("khet", ("--actions", "0")),
    "khet-choice": Scene("khet", ("--actions", "0"), act=press('[data-square="E4"]')),
    "cultist-shot": Scene(
        "cultist",
        ("--actions", "0", "--position", CULTIST),
        act=over('[data-cell="4,2"]', '[data-cell="8,4"]'),
    ),
    "chartichaud-fog": Scene("chartichaud", ("--actions", "150", "--seed", "4"), 150),
    "garden-cells": Scene("garden", ("--actions", "0", "--position", GARDEN), act=layer("cells")),
    "garden-creatures": Scene("garden", ("--actions", "0", "--position", GARDEN), act=layer("creatures")),
    "garden-information": Scene("garden", ("--actions", "0", "--position", GARDEN), act=layer("information")),
    "casus_belli-cones": Scene("casus_belli", ("--actions", "0", "--position", CASUS_BELLI)),
}


@contextmanager
def gallery() -> Iterator[str]:
    """The pages as they are in web/, served to this computer."""
    install(dev=False)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [where_node()[0], "node_modules/vite/bin/vite.js", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen([*command, "--strictPort", "--logLevel", "error"], cwd=WEB)
    try:
        for _ in range(600):
            with socket.socket() as knock:
                if knock.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/gallery.html"
    finally:
        process.terminate()
        process.wait()


def take(page: Page, address: str, name: str, scene: Scene) -> None:
    subprocess.run([sys.executable, "tools/frames.py", scene.game, *scene.played], cwd=ROOT, check=True)
    page.set_viewport_size({"width": scene.width + 420, "height": 900})
    page.goto(f"{address}?game={scene.game}&frame={scene.frame}&eye={eye(scene)}", wait_until="networkidle")
    page.locator(scene.taken).wait_for()
    scene.act(page)
    page.wait_for_timeout(400)  # until everything has come to rest: only the picture waits for it
    page.add_script_tag(path=WEB / "gallery" / "picture.js")
    file = PICTURES / f"{name}.svg"
    file.write_text(page.locator(scene.taken).evaluate("svg => picture(svg)"), encoding="utf-8")
    weight = file.stat().st_size
    print(f"{file.name}: {weight} bytes", flush=True)
    if weight > HEAVIEST:
        raise SystemExit(f"{file.name} has {weight} bytes, more than {HEAVIEST}.")


def eye(scene: Scene) -> str:
    return scene.played[scene.played.index("--eye") + 1] if "--eye" in scene.played else "0"


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("There is no Chromium here.")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with gallery() as address, sync_playwright() as theatre:
        browser = theatre.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(locale="en", reduced_motion="reduce")
        for name in sys.argv[1:] or SCENES:
            take(page, address, name, SCENES[name])
        browser.close()


if __name__ == "__main__":
    main()
