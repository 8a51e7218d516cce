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

APART = """() => {
  const board = document.querySelector('.garden svg');
  const row = document.createElement('div');
  row.id = 'apart';
  row.style.cssText = 'display:flex;position:absolute;top:0;left:0;width:1080px;background:var(--page, #fff);z-index:9';
  for (const name of ['cells', 'creatures', 'information']) {
    const copy = board.cloneNode(true);
    copy.style.cssText = 'width:360px;height:300px';
    for (const layer of copy.querySelectorAll('[data-layer]')) {
      if (layer.dataset.layer !== name) layer.style.opacity = layer.dataset.layer === 'cells' ? 0.18 : 0;
    }
    copy.querySelector('[role=grid]')?.remove();
    row.append(copy);
  }
  board.parentElement.append(row);
}"""


class Scene(NamedTuple):
    game: str
    played: tuple[str, ...]  # for tools/frames.py
    frame: int
    taken: str = "#app svg >> nth=0"  # what the picture shows
    act: Callable[[Page], None] = lambda page: None
    width: int = 640


def press(cell: str) -> Callable[[Page], None]:
    return lambda page: page.locator(f'[data-cell="{cell}"]').first.click(force=True)


def over(first: str, then: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        press(first)(page)
        page.locator(f'[data-cell="{then}"]').first.hover(force=True)

    return act


def apart(page: Page) -> None:
    page.evaluate(APART)


SCENES = {
    "khet-beams": Scene("khet", ("--actions", "1"), 0),
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
    page.locator("#app svg").first.wait_for()
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
