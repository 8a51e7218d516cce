"""An arena on a real server that is killed at random moments, with real programs in it that its authors started:
nothing is lost, nothing counts twice, and the programs go on by themselves."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from postgres import Cluster
from quincunx.match import replay
from quincunx.store import Store
from quincunx.tournament.playing import unpacked
from quincunx.tournament.results import Result
from test_server import SOURCES, Server

pytestmark = pytest.mark.slow  # left out of `make check`

KILLS = int(os.environ.get("QUINCUNX_KILLS", "2"))
SOON = 240.0  # seconds: who missed a meeting on a busy machine is asked again later and later
BOT = """
import json, random, sys, time
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "update" and said["legal"] and said["outcome"] is None:
        time.sleep(float(sys.argv[1]))
        play = {"type": "play", "id": str(said["n"]), "seat": said["observer"], "action": random.choice(said["legal"])}
        print(json.dumps(play), flush=True)
"""


class Program:
    """`quincunx bot --arena`, as its author starts it."""

    def __init__(self, folder: Path, address: str, name: str, thinks: float = 0.0) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        file = folder / "bot.py"
        file.write_text(BOT)
        command = [sys.executable, "-m", "quincunx", "bot", "--arena", address, "--name", name, "--lang", "en"]
        env = {**os.environ, "PYTHONPATH": SOURCES, "QUINCUNX_BOTS": str(folder / "bots.json"), "COLUMNS": "200"}
        with self.log.open("wb") as out:
            self.process = subprocess.Popen(
                [*command, "--", sys.executable, str(file), str(thinks)], stdout=out, stderr=subprocess.STDOUT, env=env
            )

    @property
    def said(self) -> str:
        return self.log.read_text()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def wait_for(condition: Callable[[], object], seconds: float = SOON) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.05)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    running.start()
    yield running
    running.kill()


def make_arena(server: Server, **more: Any) -> str:
    made = httpx.post(server.url("/api/arenas"), json={"game": "connect_four", "turn": 5.0, **more}, timeout=60)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def now(server: Server, id: str) -> dict[str, Any]:
    page: dict[str, Any] = httpx.get(server.url(f"/api/contests/{id}"), timeout=60).json()["now"]
    return page


def table(server: Server, id: str) -> Counter[str]:
    return Counter({line["name"]: line["matches"] for line in now(server, id)["lines"]})


async def examined(database: str, id: str) -> list[Result]:
    """Everything in the store agrees; the results in the order in which they were written."""
    async with Store.open(database) as store:
        found: list[Result] = []
        async for row in store.contests.results(id):
            result = msgspec.json.decode(row.result, type=Result)
            assert row.seq == len(found) + 1 and (row.pairing, row.number) == (result.pairing, 0)
            found.append(result)
            record = unpacked(await store.contests.record(id, row.pairing, 0) or b"")
            assert replay(record).over
        assert (await store.contests.get(id)).results == len(found)
        counted = {result.pairing: result for result in found}
        assert len(counted) == len(found)
        running = {bout.pairing for bout in await store.entrants.under_way(id)}
        bouts = await store.entrants.of_round(id, 0)
        assert [bout.pairing for bout in bouts] == list(range(len(bouts)))
        for bout in bouts:
            match = await store.match(bout.match)
            assert match is not None and tuple(seat.name for seat in match.seats) == bout.players
            if bout.pairing in counted:
                assert match.outcome is not None and tuple(match.outcome.ranks) == counted[bout.pairing].ranks
            else:  # it goes on, or it is known why it does not count
                assert bout.pairing in running or (match.outcome and match.outcome.reason == "abort")
        playing = Counter(name for bout in bouts if bout.pairing in running for name in bout.players)
        assert all(count == 1 for name, count in playing.items() if not name.startswith("level"))
        return found


def _all_have_played_on(server: Server, id: str, programs: list[Program], before: Counter[str]) -> bool:
    after = table(server, id)
    return all(after[each.name] > before[each.name] for each in programs)


def test_a_server_that_is_killed_again_and_again_loses_nothing_and_its_programs_go_on(
    server: Server, tmp_path: Path
) -> None:
    id = make_arena(server, computers=["level:1"])
    dice = random.Random(time.time_ns())
    programs = [Program(tmp_path, server.url(f"/contest/{id}"), name) for name in ("Fox", "Owl", "Hen")]
    known: list[Result] = []
    try:
        wait_for(lambda: all(table(server, id)[each.name] >= 1 for each in programs))
        for _ in range(KILLS):
            time.sleep(dice.uniform(0.0, 1.5))
            told = now(server, id)["seq"]
            time.sleep(dice.uniform(0.0, 0.2))
            server.kill()
            found = asyncio.run(examined(server.database, id))
            assert len(found) >= told and found[: len(known)] == known
            known = found
            server.start()
            wait_for(partial(_all_have_played_on, server, id, programs, table(server, id)))
            assert all(each.process.poll() is None for each in programs), [each.said for each in programs]
    finally:
        for each in programs:
            each.stop()
    server.kill()
    found = asyncio.run(examined(server.database, id))
    assert found[: len(known)] == known
    reasons = Counter(result.reason for result in found)
    assert set(reasons) <= {"played", "time_out"} and reasons["time_out"] <= KILLS  # who was thinking when it fell
    server.start()


def test_of_two_servers_on_one_database_either_may_be_killed(tmp_path: Path, postgres: Cluster) -> None:
    """Programs of both meet; those of the one that was killed come back to it, the others go on meanwhile."""
    servers = [Server(tmp_path), Server(tmp_path / "two")]
    (tmp_path / "two").mkdir()
    database, dice = postgres.database(), random.Random(time.time_ns())
    for each in servers:
        each.database_url = database
        each.start()
    id = make_arena(servers[0])
    names = ("Fox", "Owl", "Hen", "Elk")
    programs = [Program(tmp_path, servers[n % 2].url(f"/contest/{id}"), name) for n, name in enumerate(names)]
    try:
        wait_for(lambda: all(table(servers[0], id)[each.name] >= 1 for each in programs))
        for _ in range((KILLS + 1) // 2):
            time.sleep(dice.uniform(0.0, 1.5))
            dying = dice.choice(servers)
            (staying,) = set(servers) - {dying}
            dying.kill()
            theirs = programs[servers.index(staying) :: 2]
            wait_for(partial(_all_have_played_on, staying, id, theirs, table(staying, id)))
            dying.start()
            wait_for(partial(_all_have_played_on, staying, id, programs, table(staying, id)))
            assert all(each.process.poll() is None for each in programs), [each.said for each in programs]
        home = {name: n % 2 for n, name in enumerate(names)}
        wait_for(lambda: any(home[met["one"]] != home[met["two"]] for met in now(staying, id)["meetings"]))
    finally:
        for program in programs:
            program.stop()
        for server in servers:
            server.kill()
    asyncio.run(examined(database, id))


def test_a_program_that_is_interrupted_ends_its_match_and_one_that_must_go_resigns(
    server: Server, tmp_path: Path
) -> None:
    id = make_arena(server, turn=600.0)
    fox, owl = [Program(tmp_path, server.url(""), name) for name in ("Fox", "Owl")]
    slug: Program | None = None
    try:
        wait_for(lambda: table(server, id)["Fox"] >= 2)
        fox.process.send_signal(signal.SIGINT)
        assert fox.process.wait(SOON) == 0 and "last one" in fox.said and "is in the arena: 1500" in fox.said
        assert "Won: " in fox.said or "Lost: " in fox.said or "Drawn: " in fox.said
        wait_for(lambda: not now(server, id)["playing"])
        assert not any(result.troubles for result in asyncio.run(examined(server.database, id)))
        slug = Program(tmp_path, server.url(""), "Slug", thinks=300.0)
        wait_for(lambda: now(server, id)["playing"] and "is in the arena" in slug.said)
        match = now(server, id)["playing"][0]["match"]
        wait_for(lambda: httpx.get(server.url(f"/api/matches/{match}")).json()["status"] == "playing")
        slug.process.send_signal(signal.SIGINT)
        wait_for(lambda: "Ctrl-C again" in slug.said)
        slug.process.send_signal(signal.SIGINT)
        assert slug.process.wait(SOON) == 130
        wait_for(lambda: table(server, id)["Slug"] == 1)
        last = asyncio.run(examined(server.database, id))[-1]
        assert last.reason == "resign" and last.ranks[last.players.index("Slug")] == 2
    finally:
        for each in (fox, owl, slug):
            if each is not None:
                each.stop()


def test_who_may_not_play_is_told_why(server: Server, tmp_path: Path) -> None:
    nowhere = Program(tmp_path, server.url(""), "Fox")
    assert nowhere.process.wait(SOON) == 2 and "No arena is open" in nowhere.said
    id = make_arena(server, name="One")
    fox = Program(tmp_path, server.url(f"/contest/{id[:5]}"), "Fox")
    try:
        wait_for(lambda: "is in the arena" in fox.said)
        other = tmp_path / "elsewhere"
        other.mkdir()
        thief = Program(other, server.url(f"/contest/{id}"), "Fox")
        assert thief.process.wait(SOON) == 2 and "is taken in this arena" in thief.said
        make_arena(server, name="Two")
        unclear = Program(tmp_path, server.url(""), "Fox")
        assert unclear.process.wait(SOON) == 2 and "Several arenas are open" in unclear.said
        twin = Program(tmp_path, server.url(f"/contest/{id}"), "Fox")
        assert fox.process.wait(SOON) == 2 and "connected elsewhere" in fox.said
        assert httpx.post(server.url(f"/api/arenas/{id}/close")).status_code == 200
        assert twin.process.wait(SOON) == 2 and "is closed" in twin.said
    finally:
        fox.stop()
