"""Every screen of the pages, ready to be looked at: by people (`make screenshots`) and by axe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import httpx
from playwright.sync_api import Page, Request

from contest_scenes import NEW, OVER, RUNNING, fill, in_store
from quincunx.games import cards, load
from quincunx.puzzles.lesson import lessons
from quincunx.puzzles.puzzle import shelf
from test_server import Client, Server

ADA, BOB = {"kind": "here", "name": "Ada"}, {"kind": "here", "name": "Blaise"}
LONG = 60_000
OPTIONS: dict[str, dict[str, Any]] = {  # a board with something on it
    "chartichaud": {"width": 9, "height": 7, "turns": 40},
    "casus_belli": {"seats": 2, "width": 13, "height": 13, "placement": 0},
}
OPENING: dict[str, str] = {"khet": "classic"}

Visit = Callable[[Page], None]

# a page that always moves may never be idle on a busy machine, and one that nobody draws has no frames
IDLE = """() => new Promise((done) => {
  setTimeout(done, 2000);
  requestIdleCallback(() => requestAnimationFrame(() => setTimeout(done, 20)), { timeout: 1000 });
})"""


@contextmanager
def quiet_after(page: Page) -> Iterator[None]:
    """Waits at the end until the page has all that it asked for, has nothing left to do, and asks for nothing more.

    Playwright's "networkidle" is half a second in which nothing happens, on every screen.
    Whoever waits for too long is told for what."""
    asked: list[Request] = []
    waiting: list[Request] = []

    def ask(request: Request) -> None:
        asked.append(request)
        waiting.append(request)

    def answer(request: Request) -> None:
        if request in waiting:
            waiting.remove(request)

    page.on("request", ask)
    page.on("requestfinished", answer)
    page.on("requestfailed", answer)
    try:
        yield
        before, end = -1, monotonic() + LONG / 1000
        while before != len(asked) or waiting:
            before = len(asked)
            page.evaluate(IDLE)
            assert monotonic() < end, [request.url for request in waiting or asked]
    finally:
        page.remove_listener("request", ask)
        page.remove_listener("requestfinished", answer)
        page.remove_listener("requestfailed", answer)


DIALOG = "[role=dialog], [role=alertdialog]"


def opened(before: Visit, button: str, wanted: str) -> Visit:
    """A screen after one more click."""

    def visit(page: Page) -> None:
        before(page)
        page.locator(button).first.click()
        page.locator(wanted).first.wait_for(timeout=LONG)

    return visit


class Screens:
    """Makes what the screens need on a server, once."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.games = [card.id for card in cards()]
        self.matches = {game: self._some_moves(game) for game in self.games}
        self.over = {game: self._over(game) for game in self.games}
        computer = {"kind": "computer", "player": "level:2"}
        self.placing = server.make(
            "casus_belli", ADA, computer, setup="pit", options={"seats": 2}
        )  # as one click makes it
        self.open = server.make("khet", ADA, {"kind": "open"}, public=True)
        self.shared = server.make("chartichaud", ADA, BOB, options=OPTIONS["chartichaud"])
        self._watched()
        self.arena = self._arena()
        self.key = self._somebody()
        in_store(server.database, fill)

    def _some_moves(self, game: str) -> dict[str, Any]:
        """A match that is not over: computers break ties by lot, and six moves at random may end one."""
        for moves in range(6, 0, -1):
            made = self.server.make(game, ADA, {"kind": "computer", "player": "greedy"}, options=OPTIONS.get(game, {}))
            client = self.server.sit(made["id"], made["seats"][0]["token"])
            on = all(self._reply(client, n) for n in range(moves)) and self._may_act(client)
            client.connection.close()
            if on:
                return made
        raise AssertionError(f"{game} is over after one move")

    def _may_act(self, client: Client) -> bool:
        while not client.now()["legal"] and not client.now()["outcome"]:
            client.receive()
        return not client.now()["outcome"]

    def _reply(self, client: Client, n: int) -> bool:
        if not self._may_act(client):
            return False
        legal, before = client.now()["legal"], client.now()["n"]
        client.play(f"m{n}", 0, legal[(7 * n + 3) % len(legal)])
        while client.now()["n"] == before:
            client.receive()
        return True

    def _watched(self) -> None:
        """A public match that is over, for the list of records."""
        two = [{"kind": "computer", "player": player} for player in ("greedy", "random")]
        client = self.server.sit(self.server.make("connect_four", *two, public=True)["id"])
        while not client.now()["outcome"]:
            client.receive()
        client.connection.close()

    def _somebody(self) -> str:
        """With friends, favourites, ratings and a history; the key that they are known by."""
        keys = [f"{name}{'0' * 28}" for name in ("a1", "b2", "c3")]
        names = ("Ada Lovelace", "Blaise", "Charles-Alexandre")

        def ask(key: str, path: str, body: dict[str, Any]) -> Any:
            found = httpx.post(self.server.url(path), json=body, headers={"X-Owner": key}, timeout=60)
            assert found.status_code in (200, 201), found.text
            return found.json()

        codes = [ask(key, "/api/people", {"name": name})["friend_code"] for key, name in zip(keys, names, strict=True)]
        for code in codes[1:]:
            ask(keys[0], "/api/people/me/friends", {"code": code})
        ask(keys[0], "/api/people/me/favourites", {"game": "khet", "setup": "imhotep"})
        clock = {"kind": "fischer", "base": 600_000, "turn": 10_000}
        for n, game in enumerate(("khet", "connect_four", "khet")):
            wanted = {"game": game, "seats": [ADA, {"kind": "open"}], "clock": clock, "rated": True}
            made = ask(keys[0], "/api/matches", wanted)
            held = ask(keys[1], f"/api/matches/{made['id']}/join", {"name": "x"})
            clients = [self.server.sit(made["id"], key) for key in keys[:2]]
            loser, seat = (clients[0], made["seats"][0]["seat"]) if n == 1 else (clients[1], held["seat"])
            loser.send(type="ask", seat=seat, what="resign")
            while not loser.now()["outcome"]:
                loser.receive()
            for client in clients:
                client.connection.close()
        return keys[0]

    def _as_somebody(self, path: str, wanted: str) -> Visit:
        """In a browser that is theirs, until it is left."""

        def visit(page: Page) -> None:
            with quiet_after(page):
                page.goto(self.server.url("/join"))
                page.evaluate(
                    "([key, name]) => { localStorage['quincunx.owner'] = JSON.stringify(key);"
                    " localStorage['quincunx.person'] = JSON.stringify(name) }",
                    [self.key, "Ada Lovelace"],
                )
                page.goto(self.server.url(path))
                page.locator(wanted).first.wait_for(timeout=LONG)
                page.evaluate("localStorage.removeItem('quincunx.person')")

        return visit

    def _arena(self) -> str:
        """One that is open, with computers that wait for programs."""
        wanted = {"game": "khet", "name": "The arena of Khet", "turn": 5, "computers": ["level:1", "greedy"]}
        found = httpx.post(self.server.url("/api/arenas"), json=wanted, timeout=60)
        assert found.status_code == 201, found.text
        return str(found.json()["id"])

    def _over(self, game: str) -> dict[str, Any]:
        """A match of two greedy computers, played here and brought as a record."""
        from quincunx.match import encode
        from quincunx.tournament import Series, play_one

        short = {"garden": {"rounds": 8}, "casus_belli": {"seats": 2, "width": 11, "height": 11, "turns": 21}}
        options = short.get(game, {"turns": 30} if game == "cultist" else OPTIONS.get(game, {}))
        record = encode(
            play_one(Series(game, ("greedy", "greedy"), options=options, seed=3, gear="compiled"), 0).record
        )
        headers = {"Content-Type": "application/json"}
        found = httpx.post(self.server.url("/api/records"), content=record, headers=headers, timeout=60)
        assert found.status_code == 201, found.text
        made: dict[str, Any] = found.json()
        return made

    def midway(self, game: str, at: int) -> Visit:
        """A match that goes on from the middle of the one that is over."""
        seats = [ADA, {"kind": "computer", "player": "greedy"}]
        address = self.server.url(f"/api/matches/{self.over[game]['id']}/fork")
        found = httpx.post(address, json={"at": at, "seats": seats}, timeout=60)
        assert found.status_code == 201, found.text
        return self._match(found.json())

    def all(self) -> dict[str, Visit]:
        plain = self.plain()
        return plain | self._behind(plain)

    def _behind(self, screens: dict[str, Visit]) -> dict[str, Visit]:
        """What stands behind one more click on a screen."""
        asking = opened(screens["match-khet"], ".more > button", ".menu")
        return {
            "settings": opened(screens["join"], "header button:has(.lucide-settings-2)", DIALOG),
            "fork": opened(screens["replay-khet"], "button:has(.lucide-git-fork)", DIALOG),
            "rules-beside": opened(screens["match-khet"], ".bar button:has(.lucide-book-open)", "aside h1, aside h2"),
            "resign": opened(asking, ".menu button:has(.lucide-flag)", DIALOG),
            "placing": opened(self._match(self.placing), "aside .champions button", "[role=grid]"),
        }

    def plain(self) -> dict[str, Visit]:
        """Every screen that has an address."""
        screens: dict[str, Visit] = {
            "home": self._at("/", "grid, svg, article"),
            "join": self._at("/join", "input"),
            "records": self._at("/records", "h1"),
            "puzzles": self._at("/puzzles", "ol"),
            "unknown-puzzle": self._at("/puzzles/nothing", "h1"),
            "nowhere": self._at("/nowhere", "h1"),
            "unknown-match": self._at("/match/ZZZZZZ", "h1"),
            "join-match": self._at(f"/match/{self.open['code']}", "form"),
        }
        screens["contests"] = self._at("/contests", "li")
        screens["unknown-contest"] = self._at("/contest/nothing", "h1")
        screens["contest-arena"] = self._at(f"/contest/{self.arena}", "tbody tr")
        screens["class"] = self._at("/class", "form")
        screens["me-new"] = self._at("/me", "form")
        screens["me"] = self._as_somebody("/me", "li.card")
        screens["lobby"] = self._as_somebody("/lobby", "form")
        screens["watch"] = self._at("/watch", "h1")
        screens["classroom"] = self._at("/classroom", "h1")
        for plan in (OVER, RUNNING, NEW):
            screens[f"contest-{plan.game}"] = self._at(f"/contest/{plan.id}", "tbody tr")
        screens["studies"] = self._at("/study", "main li")
        for game in (each for each in self.games if load(each, "interpreted").card.open):
            screens[f"study-{game}"] = self._at(f"/study/match/{self.over[game]['id']}#at=6", "[role=grid]")
        for game in self.games:
            screens[f"new-{game}"] = self._at(f"/new/{game}", "form")
            screens[f"rules-{game}"] = self._at(f"/rules/{game}", "h1")
            screens[f"match-{game}"] = self._match(self.matches[game])
            screens[f"replay-{game}"] = self._at(f"/replay/{self.over[game]['id']}", "input[type=range], [role=slider]")
            screens[f"result-{game}"] = self._at(f"/match/{self.over[game]['id']}", "#result")
            screens[f"learn-{game}"] = self._at(f"/learn/{game}", "main")
            for lesson in lessons(game)[:1]:
                screens[f"lesson-{game}"] = self._at(f"/learn/{game}/{lesson.id}", ".coach")
            for puzzle in shelf(game)[:1]:
                screens[f"puzzle-{game}"] = self._at(f"/puzzles/{game}/{puzzle.id}", "[role=grid]")
            if load(game, "interpreted").setups:
                screens[f"editor-{game}"] = self._at(f"/editor/{game}", "main")
        screens["invite"] = self._match(self.open)
        screens["hand-over"] = self._shared(self.shared)
        return screens

    def _at(self, path: str, wanted: str) -> Visit:
        def visit(page: Page) -> None:
            page.goto("about:blank")  # from one place on a page to another, what was opened there would stay open
            with quiet_after(page):
                page.goto(self.server.url(path))
                page.locator(wanted).first.wait_for(timeout=LONG)

        return visit

    def _match(self, made: dict[str, Any]) -> Visit:
        held = made["seats"][0]
        return self._at(f"/match/{made['id']}#seat={held['seat']}&token={held['token']}", "[role=grid]")

    def _shared(self, made: dict[str, Any]) -> Visit:
        """Both seats on one screen."""
        links = [f"/match/{made['id']}#seat={held['seat']}&token={held['token']}" for held in made["seats"]]

        def visit(page: Page) -> None:
            for link in links:
                page.goto(self.server.url(link))
                page.wait_for_function("() => !location.hash")
            page.reload()
            page.locator("main section button").wait_for(timeout=LONG)

        return visit
