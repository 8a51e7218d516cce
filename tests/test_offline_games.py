"""The games that need no server, in Chromium: from a folder of files, then without a network at all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import icons
import msgspec
import offline
import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import expect

from browser import LONG, Screen, Visitor
from quincunx.core.contract import CHANCE
from quincunx.games import cards, load
from quincunx.match import Match, Played, Seat
from quincunx.offline.table import LARGEST, Kept
from quincunx.players import make
from test_pages_screens import accused

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
EVERY_GAME = [card.id for card in cards()]
KEPT = "() => Object.entries(localStorage).filter(([key]) => key.startsWith('quincunx.offline.match.'))"
MORE = """([key, n]) => {
  const text = localStorage.getItem(key);
  return JSON.parse(text.slice(text.indexOf(' '))).entries.length > n;
}"""
PREFIX = "quincunx.offline.match."
POSITIONS = 3  # in which a level is compared with the server's


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".mjs": "text/javascript"}

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def hosted() -> Iterator[str]:
    """The folder as any host would serve it."""
    host = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(offline.FOLDER)))
    Thread(target=host.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{host.server_port}/index.html?lang=en"
    host.shutdown()
    host.server_close()


@pytest.fixture(scope="module")
def site(offline_games: None) -> Iterator[str]:
    with hosted() as address:
        yield address


def begins(screen: Screen, site: str, game: str, level: int) -> None:
    screen.page.goto(f"{site}#/new/{game}")
    against = screen.page.locator("form select", has=screen.page.locator("option[value='level:8']")).first
    against.select_option(f"level:{level}")
    screen.press("Begin")
    expect(screen.page.get_by_label("Move in notation")).to_be_visible()


def kept(screen: Screen, game: str) -> Kept:
    """The match of a game as this browser keeps it."""
    texts = [text.partition(" ")[2] for _, text in screen.page.evaluate(KEPT)]
    found = [msgspec.json.decode(text, type=Kept) for text in texts]
    return next(each for each in found if each.stored.game == game)


def answered(screen: Screen, game: str, times: int = 1) -> Kept:
    """The match after what the reader has to do until the computer has chosen so often, or the match is over."""
    for _ in range(60):
        now = kept(screen, game)
        match = followed(now, len(now.entries))
        if match.over or sum(isinstance(entry, Played) and entry.seat == 1 for entry in now.entries) >= times:
            return now
        if 0 in {seat for seat in range(len(now.stored.seats)) if match.game.to_act(match.world, seat)}:
            screen.types(match.legal(0)[0])
        screen.page.wait_for_function(MORE, arg=[PREFIX + now.stored.id, len(now.entries)])
    raise AssertionError("the computer did not act")


def followed(of: Kept, entries: int) -> Match:
    game, stored = load(of.stored.game, "compiled"), of.stored
    seats = [Seat(seat.name, seat.player) for seat in stored.seats]
    match = Match.unplayed(game, stored.start, seats, stored.seed, dict[str, Any](stored.options))
    for entry in of.entries[:entries]:
        match.take(entry)
    return match


def expect_server_would(of: Kept) -> None:
    """Each choice of a computer is what our own player chooses from the same view and seed."""
    game = load(of.stored.game, "compiled")
    checked = 0
    for k, entry in enumerate(of.entries):
        if not isinstance(entry, Played) or entry.seat == CHANCE or of.stored.seats[entry.seat].kind != "computer":
            continue
        match = followed(of, k)
        player = make(of.stored.seats[entry.seat].player, game)
        player.begin((of.seeds[entry.seat] + match.length) & LARGEST)
        chosen = player.choose(game.view(match.world, entry.seat))
        assert game.text(match.world, entry.seat, chosen) == entry.action
        checked += 1
    assert checked


def test_all_games_are_played_without_a_network(site: str, visitor: Visitor) -> None:
    """After one match all of it is here; then each game at its highest level answers as on a server."""
    screen = visitor("en-GB", 1440)
    begins(screen, site, "connect_four", 3)
    expect_server_would(answered(screen, "connect_four"))
    screen.page.wait_for_function("() => document.documentElement.dataset.kept === 'kept'")
    screen.page.context.set_offline(True)
    screen.page.reload()  # it comes back where one left
    expect(screen.page.get_by_label("Move in notation")).to_be_enabled()
    for game in EVERY_GAME:
        screen.page.evaluate("() => Object.keys(localStorage).forEach((key) => localStorage.removeItem(key))")
        begins(screen, site, game, 8)
        expect_server_would(answered(screen, game, POSITIONS))


def test_two_pages_do_not_overwrite_each_other(site: str, visitor: Visitor) -> None:
    """Who comes second waits for the first to leave, and goes on from there; what was forgotten stays so."""
    screen = visitor("en-GB", 1440)
    begins(screen, site, "connect_four", 1)
    second = screen.page.context.new_page()
    second.set_default_timeout(LONG)
    second.goto(screen.page.url)
    expect(second.get_by_text("open in another tab")).to_be_visible()
    played = answered(screen, "connect_four")
    screen.page.goto(f"{site}#/")
    expect(second.get_by_text("open in another tab")).to_be_hidden()
    expect(second.get_by_label("Move in notation")).to_be_enabled()
    assert kept(screen, "connect_four").entries == played.entries
    screen.press("Forget")
    expect(second.get_by_label("Move in notation")).to_be_hidden()
    assert screen.page.evaluate(KEPT) == []


def test_it_can_be_put_on_a_telephone(site: str) -> None:
    """The icons that the manifest and the page name are there, in the size that they say, as they were drawn."""
    folder = offline.FOLDER
    named = {each["src"]: each["sizes"] for each in json.loads((folder / "manifest.webmanifest").read_text())["icons"]}
    touch = re.findall(r'apple-touch-icon" href="\./([^"]+)"', (folder / "index.html").read_text())
    named |= dict.fromkeys(touch, "180x180")
    assert set(icons.SIZES) | {"icon.svg"} == set(named)
    for name in icons.SIZES:
        there = Image.open(folder / name).convert("RGBA")
        assert "{}x{}".format(*there.size) == named[name]
        away = ImageChops.difference(there, icons.drawn(name).convert("RGBA"))
        assert max(ImageStat.Stat(away).mean) < 1, "python tools/icons.py"  # a library may round otherwise


def test_nobody_but_this_folder_is_asked(site: str, visitor: Visitor) -> None:
    screen = visitor("fr-FR", 390)
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(request.url))
    begins_at = site.partition("index.html")[0]
    screen.page.goto(site.replace("lang=en", "lang=fr"))
    screen.sees("Jouer ici")
    assert accused(screen.page, "light") == []
    screen.page.get_by_role("button", name="Khet").first.click()
    screen.sees(screen.page.get_by_role("heading", name="À vous"))
    assert accused(screen.page, "light") == []
    screen.press("Partie")
    screen.press("Abandonner")
    screen.press("Oui")
    screen.press("Revanche")  # the seats turn: the computer begins
    expect(screen.page.get_by_role("button", name="Revanche")).to_be_hidden()
    screen.sees(screen.page.get_by_role("heading", name="À vous"))
    screen.page.goto(site)
    screen.sees("My matches in progress")
    assert asked and all(address.startswith(begins_at) for address in asked)


def test_all_of_it_is_light(site: str) -> None:
    assert offline.weigh(offline.FOLDER) <= offline.MOST
    shell = json.loads((offline.FOLDER / "sw.js").read_text("utf-8").split("const ALL = ")[1].split(";\n")[0])
    assert {file.relative_to(offline.FOLDER).as_posix() for file in offline.FOLDER.rglob("*") if file.is_file()} - {
        "sw.js"
    } == set(shell)
