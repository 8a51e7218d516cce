"""The house without a server: matches are played, kept, and come back; levels are those of the server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from base64 import b64decode
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import quincunx
from quincunx.games import cards, load
from quincunx.offline.page import Page, begin
from quincunx.offline.table import Kept, Table
from quincunx.offline.thinking import Job, Thought, job_of
from quincunx.players.distracted import SEEN, attention, overlooks
from quincunx.players.fingerprint import sources
from quincunx.players.simple import RandomPlayer

EVERY_GAME = [card.id for card in cards()]


class Found:
    def __init__(self, action: int, chance: float | None) -> None:
        self.action, self.chance = str(action), chance


class Browser:
    """What a page and its engine are to the house: what it keeps, what is told, and a player who knows nothing."""

    def __init__(self, kept: dict[str, str] | None = None, chance: float | None = 0.5) -> None:
        self.kept = {} if kept is None else kept
        self.jobs: list[dict[str, Any]] = []
        self.told: dict[int, list[dict[str, Any]]] = {}
        self.chance = chance
        self.page: Page = begin(json.dumps(self.kept), self.think, self.kept.__setitem__, self.tell)

    async def think(self, text: str) -> Found:
        job = json.loads(text)
        self.jobs.append(job)
        told = kept_of(self.kept, job["game"])
        game = load(job["game"], "interpreted")
        view = game.observation_from_bytes(dict(told.stored.options), job["seat"], b64decode(job["view"]))
        return Found(RandomPlayer(game, 1).choose(view), self.chance)

    def tell(self, line: int, text: str) -> None:
        self.told.setdefault(line, []).append(json.loads(text))

    async def asks(self, method: str, path: str, body: object = None, **query: object) -> Any:
        said = json.dumps({name: str(value) for name, value in query.items()})
        status, answer = await self.page.ask(method, path, said, "" if body is None else json.dumps(body))
        assert status == 200, answer
        return json.loads(answer)

    async def begins(self, game: str, *players: str) -> str:
        """A match of the usual length: `me`, or a level; one player for the rest of the seats."""
        shown = next(each for each in await self.asks("GET", "/api/games") if each["card"]["id"] == game)
        usual: dict[str, Any] = next((length for length in shown["lengths"] if length.get("usual")), {})
        start = {"setup": usual.get("setup"), "options": usual.get("options", {})}
        seats = (await self.asks("POST", f"/api/games/{game}/preview", start))["seats"]
        wanted = [players[min(n, len(players) - 1)] for n in range(seats)]
        sitting = [
            {"kind": "here", "name": f"P{n}"} if who == "me" else {"kind": "computer", "player": who}
            for n, who in enumerate(wanted)
        ]
        made = await self.asks("POST", "/api/matches", {"game": game, "seats": sitting, "seed": 3, **start})
        return str(made["id"])

    def sits(self, line: int, id: str, *seats: int, **hello: object) -> None:
        assert self.page.sit(line, id)
        self.says(line, type="hello", tokens=[f"seat-{seat}" for seat in seats], last=0, **hello)

    def says(self, line: int, **word: object) -> None:
        self.page.hear(line, json.dumps(word))

    def heard(self, line: int, kind: str) -> list[dict[str, Any]]:
        return [word for word in self.told[line] if word["type"] == kind]


def kept_of(kept: dict[str, str], game: str) -> Kept:
    found = [msgspec.json.decode(text, type=Kept) for text in kept.values()]
    return next(each for each in found if each.stored.game == game)


async def until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0)


def alone(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_match_is_played_kept_and_comes_back(game: str) -> None:
    async def work() -> None:
        browser = Browser()
        id = await browser.begins(game, "me", "level:5")
        browser.sits(1, id, 0)
        table: Table = browser.page._house._tables[id]
        for n in range(3):
            await until(lambda: 0 in table.live.to_act or table.live.match.over)
            if table.live.match.over:
                break
            browser.says(1, type="play", id=f"m{n}", seat=0, action=table.live.match.legal(0)[0])
            assert browser.heard(1, "accepted")[-1]["id"] == f"m{n}"
        assert not browser.heard(1, "refused")
        await until(lambda: bool(browser.jobs))
        assert all(job["sources"] == sources(game) and job["seat"] == 1 for job in browser.jobs)

        again = Browser(browser.kept)
        again.sits(7, id, 0)
        (update,) = again.heard(7, "update")
        assert update["observer"] == 0 and update["seats"][1]["player"] == "level:5"
        position = load(game, "interpreted").position
        assert position(again.page._house._tables[id].live.match.world) == position(table.live.match.world)

    alone(work)


def test_a_move_that_is_sent_again_is_played_once() -> None:
    async def work() -> None:
        browser = Browser()
        id = await browser.begins("connect_four", "me", "level:1")
        browser.sits(1, id, 0)
        browser.says(1, type="play", id="a", seat=0, action="d")
        table: Table = browser.page._house._tables[id]
        await until(lambda: table.live.match.length == 2)
        again = Browser(browser.kept)
        again.sits(1, id, 0)
        again.says(1, type="play", id="a", seat=0, action="d")
        assert again.heard(1, "accepted") and again.page._house._tables[id].live.match.length == 2

    alone(work)


def test_what_is_no_move_is_answered() -> None:
    """A take-back needs nobody's consent; a computer takes a draw where it is not ahead; a rematch turns the seats."""

    async def work() -> None:
        for chance, offered in ((0.4, "draw"), (0.9, None)):
            browser = Browser(chance=chance)
            id = await browser.begins("connect_four", "me", "level:1")
            browser.sits(1, id, 0)
            table: Table = browser.page._house._tables[id]
            browser.says(1, type="play", id="a", seat=0, action="d")
            await until(lambda table=table: table.live.match.length == 2)  # type: ignore[misc]
            browser.says(1, type="ask", seat=0, what="take_back")
            assert table.live.match.length == 0
            browser.says(1, type="ask", seat=0, what="draw")
            await until(lambda table=table: not table.live.referee.draw_offers or table.live.match.over)  # type: ignore[misc]
            outcome = table.live.match.outcome
            assert (outcome.reason if outcome else None) == offered
        browser.says(1, type="ask", seat=0, what="resign")
        made = await browser.asks("POST", f"/api/matches/{id}/rematch", {"tokens": []})
        assert [held["seat"] for held in made["seats"]] == [1]
        frames = (await browser.asks("GET", f"/api/matches/{id}/replay", seat=0))["frames"]
        assert len(frames) == 1  # what was taken back is not shown

    alone(work)


def test_under_fog_a_line_is_told_its_seats_only() -> None:
    async def work() -> None:
        browser = Browser()
        id = await browser.begins("casus_belli", "me", "level:1")
        browser.sits(1, id, 0, eye=1)
        browser.says(1, type="look", seat=1)
        assert {word["observer"] for word in browser.told[1] if "observer" in word} == {0}
        assert browser.heard(1, "refused")

    alone(work)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_level_is_asked_for_as_it_is_defined(game: str) -> None:
    loaded = load(game, "interpreted")
    world = loaded.new(seed=5)
    world = world.roll(5)
    seat = world.turn
    for level in loaded.levels:
        jobs: list[Job] = [job_of(loaded.view(world, seat), level, seed) for seed in range(60)]
        for seed, job in enumerate(jobs):
            careless = level.mistakes > 0 and overlooks(attention(seed), level.mistakes)
            assert (job.player, job.budget) == (("greedy", SEEN) if careless else (level.player, level.budget))
        share = sum(job.player == "greedy" for job in jobs) / len(jobs)
        assert abs(share - level.mistakes / 100) < 0.25


BARE = """
import asyncio, json, sys

sys.path += sys.argv[1:]
from quincunx.offline.page import begin

async def think(job):
    await asyncio.sleep(3600)

async def work():
    page = begin("{}", think, lambda id, text: None, lambda line, text: None)
    async def ask(method, path, body, **query):
        status, answer = await page.ask(method, path, json.dumps(query), json.dumps(body))
        assert status == 200, answer
        return json.loads(answer)
    for game in await ask("GET", "/api/games", None):
        seats = [{"kind": "here", "name": "A"}, {"kind": "computer", "player": "level:1"}]
        options = {"seats": 2} if any(option["name"] == "seats" for option in game["options"]) else {}
        made = await ask("POST", "/api/matches", {"game": game["card"]["id"], "seats": seats, "options": options})
        assert page.sit(1, made["id"])
        page.hear(1, json.dumps({"type": "hello", "tokens": ["seat-0"], "last": 0}))
        page.hear(1, json.dumps({"type": "ask", "seat": 0, "what": "resign"}))
        await ask("GET", f"/api/matches/{made['id']}/replay", None, seat="0")
        await ask("POST", f"/api/matches/{made['id']}/rematch", {"tokens": []})
        print(game["card"]["id"])

asyncio.run(work())
"""


def test_it_needs_what_the_browser_has(tmp_path: Path) -> None:
    """Python's own library and msgspec: no NumPy, no compiler, no database, no web framework."""
    (tmp_path / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    command = [sys.executable, "-I", "-S", "-c", BARE, str(Path(quincunx.__file__).parent.parent), str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert sorted(run.stdout.split()) == sorted(EVERY_GAME)


def test_a_computer_that_stops_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What an engine of other rules answers is refused; whoever looks is told, and what was played stays."""

    async def work() -> None:
        browser = Browser()
        id = await browser.begins("connect_four", "me", "level:1")
        browser.sits(1, id, 0)
        table: Table = browser.page._house._tables[id]

        async def nonsense(job: Job) -> Thought:
            return Thought("99")

        monkeypatch.setattr(table, "_think", nonsense)
        browser.says(1, type="play", id="a", seat=0, action="d")
        await until(lambda: bool(browser.heard(1, "refused")))
        (told,) = browser.heard(1, "refused")
        assert told["code"] == "stopped" and "ordinateur" in told["words"]["fr"]
        assert len(kept_of(browser.kept, "connect_four").entries) == 1

    alone(work)
    assert "Refused" in capsys.readouterr().err


def test_what_was_forgotten_is_not_kept_again() -> None:
    async def work() -> None:
        browser = Browser()
        id = await browser.begins("connect_four", "me", "level:1")
        browser.sits(1, id, 0)
        table: Table = browser.page._house._tables[id]
        del browser.kept[id]
        browser.page.learn(id, None)
        table.ask(lambda referee, at: referee.submit(0, 3, at, lambda: 0))
        assert browser.kept == {} and not browser.page.sit(2, id)

    alone(work)


def test_a_match_goes_on_where_another_page_has_left_it() -> None:
    async def work() -> None:
        here = Browser()
        id = await here.begins("connect_four", "me")
        there = Browser(dict(here.kept))
        here.sits(1, id, 0, 1)
        here.page.leave(1)
        assert not here.page._house._tables  # nobody looks: no computer thinks
        there.sits(1, id, 0, 1)
        there.says(1, type="play", id="a", seat=0, action="d")
        here.page.learn(id, there.kept[id])
        here.sits(2, id, 0, 1)
        assert here.page._house._tables[id].live.match.length == 1

    alone(work)
