"""Arenas over real sockets: who may open one and enter it, sixty programs at once, and what a page is told."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_later
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from contest_scenes import create, in_store
from quincunx.cli.bot import find_arena
from quincunx.core.words import Refused
from quincunx.match.changes import patched
from quincunx.store import Store
from quincunx.tournament.plan import Plan
from test_arena_durable import make_arena, now
from test_server import SOURCES, Server

pytestmark = pytest.mark.slow  # left out of `make check`

MANY = 60
SOON = 120.0  # seconds


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


def socket_of(server: Server, id: str) -> str:
    return f"ws://127.0.0.1:{server.port}/ws/arena/{id}"


class Program:
    """A client of an arena that plays at random."""

    def __init__(self, server: Server, id: str, name: str) -> None:
        self.address, self.id, self.name = f"ws://127.0.0.1:{server.port}/ws", id, name
        self.scored: list[dict[str, Any]] = []
        self.playing = 0
        self.most = 0  # matches at once

    async def run(self, enough: int) -> None:
        async with connect_later(f"{self.address}/arena/{self.id}", compression=None) as arena:
            await arena.send(json.dumps({"type": "enter", "name": self.name, "key": f"{self.name:-<20}"}))
            await arena.send(json.dumps({"type": "ready"}))
            async with asyncio.TaskGroup() as matches:
                while len(self.scored) < enough:
                    said = json.loads(await arena.recv())
                    assert said["type"] in ("entered", "sit", "scored"), said
                    if said["type"] == "sit":
                        matches.create_task(self._play(said))
                    elif said["type"] == "scored":
                        self.scored.append(said)
                await arena.send(json.dumps({"type": "ready", "matches": 0}))

    async def _play(self, sit: dict[str, Any]) -> None:
        self.playing += 1
        self.most = max(self.most, self.playing)
        async with connect_later(f"{self.address}/{sit['match']}", compression=None, max_size=None) as socket:
            await socket.send(json.dumps({"type": "hello", "tokens": [sit["token"]]}))
            await _random_moves(socket, self.name)
        self.playing -= 1


async def _random_moves(socket: ClientConnection, name: str) -> None:
    now: dict[str, Any] = {}
    seat, sent = -1, 0
    async for data in socket:
        said = json.loads(data)
        if said["type"] == "welcome":
            (seat,) = said["yours"]
        elif said["type"] == "update":
            now = said
        elif said["type"] == "changed":
            now = patched(now, said)
        if now and now["outcome"] is not None:
            return
        begun = now and not any(each["kind"] == "awaited" for each in now["seats"])
        if begun and said["type"] in ("update", "changed") and seat in now["to_act"]:
            sent += 1
            play = {"type": "play", "id": f"{name}{sent}", "seat": seat, "action": random.choice(now["legal"])}
            await socket.send(json.dumps(play))


def test_sixty_programs_at_once(server: Server) -> None:
    id = make_arena(server)
    programs = [Program(server, id, f"p{n}") for n in range(MANY)]

    async def all_of_them() -> None:
        async with asyncio.timeout(SOON):
            await asyncio.gather(*(each.run(2) for each in programs))

    asyncio.run(all_of_them())
    assert all(each.most == 1 for each in programs)
    page = now(server, id)
    assert page["meetings"] == [] and len(page["lines"]) == MANY  # too many for a cross table
    assert sum(line["matches"] for line in page["lines"]) == 2 * page["seq"] >= 2 * MANY
    places = [(line["place"], line["rating"]["value"]) for line in page["lines"]]
    assert [place for place, _ in places] == list(range(1, MANY + 1))
    answer = httpx.get(server.url("/api/contests")).json()
    assert (answer[0]["id"], answer[0]["format"], answer[0]["players"]) == (id, "arena", MANY)
    listed = httpx.get(server.url("/api/matches")).json()
    assert listed == []  # matches of people are not drowned in those of programs


def test_a_page_is_told_who_is_there_and_what_can_be_watched(server: Server) -> None:
    id = make_arena(server, turn=60.0, computers=["random"])
    with (
        connect(f"ws://127.0.0.1:{server.port}/ws/contests/{id}") as page,
        connect(socket_of(server, id)) as fox,
    ):
        first = json.loads(page.recv(timeout=SOON))
        assert [(line["name"], line["kind"], line["present"]) for line in first["now"]["lines"]] == [
            ("random", "computer", True)
        ]
        fox.send(json.dumps({"type": "enter", "name": "Fox", "key": "k" * 20}))
        assert json.loads(fox.recv(timeout=SOON))["type"] == "entered"
        fox.send(json.dumps({"type": "ready"}))
        sit = json.loads(fox.recv(timeout=SOON))
        while not (news := json.loads(page.recv(timeout=SOON)))["playing"]:
            pass
        assert news["playing"][0]["match"] == sit["match"] and set(sit["players"]) == {"Fox", "random"}
        watched = server.sit(sit["match"])
        assert watched.welcome["yours"] == [] and watched.now()["observer"] == -2 and not watched.welcome["code"]
        fox.close()
        lines: dict[str, Any] = {}
        while lines.get("Fox", {}).get("present", True):
            lines |= {line["name"]: line for line in json.loads(page.recv(timeout=SOON))["lines"]}
        shown = httpx.get(server.url(f"/api/contests/{id}"), timeout=60)
        assert sit["token"] not in shown.text and "k" * 20 not in shown.text


def test_only_this_computer_opens_and_closes_arenas(server: Server) -> None:
    id = make_arena(server)
    before = len(httpx.get(server.url("/api/contests")).json())
    elsewhere = {"X-Forwarded-For": "192.0.2.7"}
    for path, body in (("/api/arenas", {"game": "connect_four"}), (f"/api/arenas/{id}/close", {})):
        refused = httpx.post(server.url(path), json=body, headers=elsewhere)
        assert refused.status_code == 403 and refused.json()["code"] == "not_here"
        other = httpx.post(server.url(path), json=body, headers={"Origin": "http://evil.example"})
        assert other.status_code == 403 and other.json()["code"] == "other_site"
    assert len(httpx.get(server.url("/api/contests")).json()) == before and now(server, id)["finished"] is None
    assert httpx.post(server.url(f"/api/arenas/{id}/close")).json() == {"id": id}
    assert httpx.post(server.url(f"/api/arenas/{id}/close")).status_code == 409
    assert httpx.post(server.url("/api/arenas/nothing/close")).status_code == 404


def test_an_arena_is_found_behind_a_hundred_newer_contests(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    id = make_arena(server, name="Steadfast")

    async def fill(store: Store) -> None:
        for n in range(101):
            await create(store, Plan("connect_four", ("random", "greedy"), name=f"Newer {n}"))

    in_store(server.database, fill)
    assert id not in {each["id"] for each in httpx.get(server.url("/api/contests?limit=100")).json()}
    open_ones = httpx.get(server.url("/api/contests?limit=100&arenas=true")).json()
    assert id in {each["id"] for each in open_ones} and {each["format"] for each in open_ones} == {"arena"}
    base = server.url("")
    assert find_arena(base, id)["id"] == find_arena(base, "steadfast")["id"] == id
    for where in (["--server", base], ["--database", server.database]):
        command = [sys.executable, "-m", "quincunx", "arena", "list", *where]
        listed = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"COLUMNS": "200"})
        assert id in listed.stdout, listed.stderr
    assert httpx.post(server.url(f"/api/arenas/{id}/close")).status_code == 200
    assert find_arena(base, id)["id"] == id  # the arena itself says that it is closed
    with pytest.raises(Refused, match="No arena is open"):
        find_arena(base, "nowhere")


@pytest.mark.parametrize("id, code", [("nothing", "no_such_contest"), ("%25", "no_such_contest")])
def test_where_there_is_no_arena_one_is_told_so(server: Server, id: str, code: str) -> None:
    with connect(socket_of(server, id)) as socket:
        assert json.loads(socket.recv(timeout=SOON))["code"] == code


def test_a_page_of_another_site_enters_nothing_and_nonsense_is_refused(server: Server) -> None:
    id = make_arena(server)
    with pytest.raises(InvalidStatus):
        connect(socket_of(server, id), additional_headers={"Origin": "http://evil.example"}).__enter__()
    with connect(socket_of(server, id)) as socket:
        for nonsense in (
            "",
            "[]",
            "{}",
            '{"type":"hello"}',
            '{"type":"enter","name":"a","key":"b","more":1}',
            "[" * 9000,
        ):
            socket.send(nonsense)
            assert json.loads(socket.recv(timeout=SOON))["code"] == "unreadable"
        socket.send('{"type":"ready"}')
        assert json.loads(socket.recv(timeout=SOON))["code"] == "not_entered"
        socket.send('{"type":"ping"}')
        assert json.loads(socket.recv(timeout=SOON))["type"] == "pong"


# -- commands -------------------------------------------------------------------------------------------------------


def quincunx(*words: str, language: str = "en") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "quincunx", "--lang", language, *words]
    env = os.environ | {"PYTHONPATH": SOURCES, "PYTHONIOENCODING": "utf-8", "COLUMNS": "150"}
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=env, timeout=SOON)


@pytest.mark.parametrize("running", [True, False])
def test_an_arena_is_opened_listed_and_closed_with_the_server_or_without(
    server: Server, tmp_path: Path, running: bool
) -> None:
    where = ("--server", server.url("")) if running else ("--database", str(tmp_path / "m.db"))
    wanted = ("connect_four", "--name", "Foire", "--time", "1", "--computers", "level:1,random")
    made = quincunx("arena", "new", *wanted, *where, language="fr")
    assert made.returncode == 0 and "L’arène est ouverte\u00a0: foire-" in made.stdout, made.stderr
    id = next(word for word in made.stdout.split() if word.startswith("foire-"))
    command = made.stdout.splitlines()[-1]
    assert command.startswith("quincunx bot --arena http://") and f"/contest/{id} --name NOM" in command
    assert ("Aucun serveur ne tourne" in made.stdout) != running
    listed = quincunx("arena", "list", *where).stdout
    (line,) = [line for line in listed.splitlines() if id in line]
    assert "Foire" in line and "Connect Four" in line and " 2 " in line
    closed = quincunx("arena", "close", id[:-2], *where)
    assert (closed.returncode, closed.stdout) == (0, f"The arena {id} is closed.\n")
    again = quincunx("arena", "close", id, *where)
    assert (again.returncode, again.stderr) == (2, "This arena is closed.\n")
    slow = quincunx("arena", "new", "khet", "--time", "1", "--computers", "level:8", *where)
    assert slow.returncode == 2 and slow.stderr.startswith("level:8 thinks for about 5 s a move")
