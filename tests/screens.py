"""Every screen of the pages, ready to be looked at: by people (`make screenshots`) and by axe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import Page

from quincunx.games import cards, load
from test_server import Client, Server

ADA, BOB = {"kind": "here", "name": "Ada"}, {"kind": "here", "name": "Blaise"}
LONG = 60_000
OPTIONS: dict[str, dict[str, Any]] = {  # a board with something on it
    "chartichaud": {"width": 9, "height": 7, "turns": 40},
    "casus_belli": {"seats": 2, "width": 13, "height": 13, "placement": 0},
}
OPENING: dict[str, str] = {"khet": "classic"}

Visit = Callable[[Page], None]


class Screens:
    """Makes what the screens need on a server, once."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.games = [card.id for card in cards()]
        self.matches = {game: self._some_moves(game, 12) for game in self.games}
        self.over = {game: self._over(game) for game in self.games}
        self.open = server.make("khet", ADA, {"kind": "open"}, public=True)
        self.shared = server.make("chartichaud", ADA, BOB, options=OPTIONS["chartichaud"])
        self._watched()

    def _some_moves(self, game: str, moves: int) -> dict[str, Any]:
        made = self.server.make(game, ADA, {"kind": "computer", "player": "greedy"}, options=OPTIONS.get(game, {}))
        client = self.server.sit(made["id"], made["seats"][0]["token"])
        for n in range(moves):
            if not self._reply(client, n):
                break
        client.connection.close()
        return made

    def _reply(self, client: Client, n: int) -> bool:
        while not client.now()["legal"] and not client.now()["outcome"]:
            client.receive()
        if client.now()["outcome"] or n > 5:
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
        screens: dict[str, Visit] = {
            "home": self._at("/", "grid, svg, article"),
            "join": self._at("/join", "input"),
            "records": self._at("/records", "h1"),
            "nowhere": self._at("/nowhere", "h1"),
            "unknown-match": self._at("/match/ZZZZZZ", "h1"),
            "join-match": self._at(f"/match/{self.open['code']}", "form"),
        }
        for game in self.games:
            screens[f"new-{game}"] = self._at(f"/new/{game}", "form")
            screens[f"rules-{game}"] = self._at(f"/rules/{game}", "h1")
            screens[f"match-{game}"] = self._match(self.matches[game])
            screens[f"replay-{game}"] = self._at(f"/replay/{self.over[game]['id']}", "input[type=range], [role=slider]")
            screens[f"result-{game}"] = self._at(f"/match/{self.over[game]['id']}", "#result")
            screens[f"learn-{game}"] = self._at(f"/learn/{game}", "main")
            if load(game, "interpreted").setups:
                screens[f"editor-{game}"] = self._at(f"/editor/{game}", "main")
        screens["invite"] = self._match(self.open)
        screens["hand-over"] = self._shared(self.shared)
        return screens

    def _at(self, path: str, wanted: str) -> Visit:
        def visit(page: Page) -> None:
            page.goto(self.server.url(path))
            page.locator(wanted).first.wait_for(timeout=LONG)
            page.wait_for_load_state("networkidle")

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
