"""A newcomer who knows nothing but a link: plays a match, writes a bot and enters a contest by what the site says.

python tools/newcomer.py         with pictures of the pages on the way, in French, in build/newcomer, to be looked at

Commands and code are read from the pages that the server hands out under /docs, and typed as they stand there; only
what a page cannot know is put in, as a person would: where the server is, and what the contest is called.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

import httpx  # noqa: E402

FOLDER = ROOT / "build" / "newcomer"
START = "/docs/"  # the link that they were given
SHOWN = "http://127.0.0.1:8765"  # where the pages say that the server is
PATIENCE = 120  # seconds that anything may take on a busy machine


class Lost(Exception):
    """What a page did not say, or what it said and does not work."""


class Page(HTMLParser):
    """What a reader sees of a page: its blocks of code, the commands in its sentences, and where its links lead."""

    def __init__(self, address: str, html: str) -> None:
        super().__init__()
        self.address = address
        self.blocks: list[tuple[str, str]] = []
        self.links: list[tuple[str, str]] = []
        self._code: str | None = None
        self._link: str | None = None
        self._text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        said = dict(attributes)
        if tag == "code":
            self._code, self._text = said.get("class") or "inline", ""
        elif tag == "a" and said.get("href"):
            self._link, self._text = said["href"], ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "code" and self._code is not None:
            self.blocks.append((self._code, self._text))
            self._code = None
        elif tag == "a" and self._link is not None:
            self.links.append((" ".join(self._text.split()), urljoin(self.address, self._link)))
            self._link = None

    def handle_data(self, data: str) -> None:
        self._text += data

    def block(self, kind: str, holding: str) -> str:
        return next((text for what, text in self.blocks if what == kind and holding in text), "") or self._lost(holding)

    def link(self, text: str) -> str:
        return next((address for said, address in self.links if said == text), "") or self._lost(text)

    def _lost(self, what: str) -> str:
        raise Lost(f"{self.address} does not show “{what}”")


Look = Callable[[str, str], None]  # at an address, under a name


class Newcomer:
    """One person, at a terminal in an empty folder, with the site open beside it."""

    def __init__(self, server: str, database: str, folder: Path, look: Look = lambda address, name: None) -> None:
        from quincunx.core import cache

        self.server, self.look, self.here = server, look, folder
        home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "QUINCUNX_BOTS": str(folder / "bots.json")}
        path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
        self.environment = {**os.environ, **home, "PATH": path, "LANG": "fr_FR.UTF-8", "LC_ALL": "fr_FR.UTF-8"}
        self.environment |= {"QUINCUNX_CACHE": str(cache.root()), "QUINCUNX_DATABASE": database}
        self.environment |= {"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "200"}
        _install(folder / "bin")

    def read(self, address: str, name: str) -> Page:
        answer = httpx.get(urldefrag(address).url, follow_redirects=True, timeout=PATIENCE)
        if answer.status_code != 200:
            raise Lost(f"{address} answers {answer.status_code}")
        self.look(address, name)
        return Page(str(answer.url), answer.text)

    def types(self, line: str, keys: str = "") -> str:
        """A command of a page; what it says."""
        words = shlex.split(line, comments=True)
        if words[0] == "cd":
            self.here /= words[1]
            return ""
        ran = subprocess.run(
            words, cwd=self.here, env=self.environment, input=keys, capture_output=True, text=True, timeout=PATIENCE * 2
        )
        if ran.returncode:
            raise Lost(f"{line}: exit code {ran.returncode}\n{ran.stdout[-1000:]}{ran.stderr[-1000:]}")
        return ran.stdout

    def starts(self, line: str) -> subprocess.Popen[str]:
        words = shlex.split(line, comments=True)
        return subprocess.Popen(
            words, cwd=self.here, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )


def _install(folder: Path) -> None:
    """`pip install .` was done: there is a command, and the Python that it runs in."""
    folder.mkdir(parents=True)
    (folder / "python3").symlink_to(sys.executable)
    command = folder / "quincunx"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m quincunx "$@"\n')
    command.chmod(0o755)


# -- the way ---------------------------------------------------------------------------------------------------------


def walk(person: Newcomer) -> dict[str, Any]:
    """From the link to a rated place in a contest; returns the contest's line about the bot."""
    person.read(urljoin(person.server, START), "which-language")
    first = person.read(urljoin(person.server, "/docs/fr/index.html"), "first")
    playing = person.read(first.link("Démarrer et jouer"), "playing")
    play(person, playing)
    bots = person.read(first.link("De rien à un bot qui joue, en cinq minutes"), "bots")
    write_a_bot(person, bots)
    return enter_a_contest(person, bots)


def play(person: Newcomer, page: Page) -> None:
    """The match that the page offers without a browser: a move each, as the terminal suggests, then enough."""
    page.block("sh", "quincunx serve --open")
    command = page.block("inline", "quincunx play")
    said = person.types(command, "quitter\n")
    move = re.search(r"par exemple (\S+), ou", " ".join(said.split()))
    if move is None:
        raise Lost(f"{command} does not say how a move is typed: {said[:500]}")
    said = person.types(command, f"{move[1]}\nabandon\n")
    if "abandon" not in said.lower():
        raise Lost(f"{command}: {said[-500:]}")


def write_a_bot(person: Newcomer, page: Page) -> None:
    for line in page.block("sh", "quincunx new-bot").splitlines():
        if not line.startswith("pip "):
            person.types(line)
    idea = person.here / "idea.py"
    text = idea.read_text("utf-8")
    idea.write_text(text[: text.index("def choose")] + page.block("python", "def choose"), "utf-8")
    for line in page.block("sh", "quincunx check-bot").splitlines():
        person.types(line)


def enter_a_contest(person: Newcomer, bots: Page) -> dict[str, Any]:
    tournaments = person.read(bots.link("arène"), "tournaments")
    line = tournaments.block("sh", "quincunx arena new").splitlines()[0].partition("#")[0]
    opened = person.types(f"{line} --server {person.server}")
    contest = re.search(r"/contest/([\w-]+)", opened)
    if contest is None:
        raise Lost(f"quincunx arena new does not say how one comes in: {opened}")
    line = bots.block("text", "quincunx bot --arena").strip().replace(SHOWN, person.server).replace("ARENE", contest[1])
    playing = person.starts(line)
    try:
        found = _rated(person.server, contest[1], "Fox", playing)
        person.look(urljoin(person.server, f"/contest/{contest[1]}"), "contest")
    finally:
        playing.send_signal(signal.SIGINT)
        playing.communicate(timeout=PATIENCE)
    return found


def _rated(server: str, contest: str, name: str, playing: subprocess.Popen[str]) -> dict[str, Any]:
    """As soon as the contest's table has a result of the bot."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if playing.poll() is not None:
            raise Lost(f"the bot has left: {playing.stdout.read() if playing.stdout else ''}")
        table = httpx.get(f"{server}/api/contests/{contest}", timeout=PATIENCE).json()["now"]["lines"]
        for line in table:
            if line["name"] == name and line["matches"]:
                return dict(line)
        time.sleep(0.3)
    raise Lost(f"{name} was never rated: {table}")


# -- with pictures ---------------------------------------------------------------------------------------------------


def main() -> int:
    from playwright.sync_api import sync_playwright

    from browser import FLAGS, LONG, _find, _install
    from test_server import Server

    FOLDER.mkdir(parents=True, exist_ok=True)
    server = Server(Path(tempfile.mkdtemp()))
    server.start()
    numbers = count(1)
    try:
        with sync_playwright() as playing:
            browser = playing.chromium.launch(executable_path=_find() or _install(), args=FLAGS)
            contexts = {
                width: browser.new_context(locale="fr-FR", viewport={"width": width, "height": 844})
                for width in (390, 1280)
            }

            def look(address: str, name: str) -> None:
                number = next(numbers)
                for width, context in contexts.items():
                    page = context.new_page()
                    page.goto(address, timeout=LONG)
                    page.wait_for_timeout(1500)  # what moves has come to rest
                    page.screenshot(path=FOLDER / f"{number:02d}-{name}-{width}.png")
                    page.close()

            try:
                print(walk(Newcomer(server.url(""), server.database, Path(tempfile.mkdtemp()), look)))
            except Lost as lost:
                print(lost, file=sys.stderr)
                return 1
            browser.close()
    finally:
        server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
