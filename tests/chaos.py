"""Clients play while server processes are killed with SIGKILL at random instants, and started again.

    python tests/chaos.py --kills 1000                      # SQLite; PostgreSQL with one and two server processes
    python tests/chaos.py --kills 50 --only postgresql-2

Every client writes down what it sent and what was acknowledged. In the end the records are compared with those notes:
each acknowledged move stands in its record once, in its place, nothing else does, and every match goes on.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from quincunx.match import Played, decode, replay

GAMES = {  # name: seats, and what else the match is made with
    "khet": ([{"kind": "here", "name": "Ada"}, {"kind": "here", "name": "Bob"}], {}),
    "garden": ([{"kind": "here", "name": "Ada"}, {"kind": "here", "name": "Bob"}], {}),
    "chartichaud": (
        [{"kind": "here", "name": "Ada"}, {"kind": "here", "name": "Bob"}],
        {"options": {"width": 8, "height": 6}},
    ),
    "connect_four": ([{"kind": "here", "name": "Ada"}, {"kind": "computer", "player": "greedy"}], {}),
}
LOST = (OSError, WebSocketException, httpx.HTTPError, TimeoutError)
PATIENCE = 60.0  # seconds without an answer after which a match does not go on
PLANS = (("sqlite", 1), ("postgresql", 1), ("postgresql", 2))  # kind of database, server processes: a file has one


class Process:
    """A server on a port of its own, which it keeps when it is started again."""

    def __init__(self, database: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._database = database
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        command = [sys.executable, "-m", "quincunx", "serve", "--port", str(self.port), "--database", self._database]
        self._process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": "src", "QUINCUNX_LAN": "127.0.0.2"},
        )
        async with asyncio.timeout(PATIENCE), httpx.AsyncClient() as asking:
            while True:
                try:
                    await asking.get(self.url("/api/matches"), timeout=5)
                    return
                except httpx.HTTPError:
                    assert self._process.poll() is None, "the server does not start"
                    await asyncio.sleep(0.02)

    def kill(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"


@dataclass
class Table:
    """One match, and what its clients were told was stored."""

    id: str
    tokens: dict[int, str]
    acknowledged: dict[int, list[str]] = field(default_factory=dict)
    over: bool = False


class Player:
    """Holds one seat of one match, over any server that answers."""

    def __init__(self, table: Table, seat: int, servers: list[Process], choose: random.Random) -> None:
        self.table, self.seat, self._servers, self._choose = table, seat, servers, choose
        self._numbers = count()
        self._unanswered: tuple[str, str] | None = None  # id and action: sent again until somebody answers
        table.acknowledged[seat] = []

    async def play(self, enough: asyncio.Event) -> None:
        while self._unanswered or not (self.table.over or enough.is_set()):
            server = self._choose.choice(self._servers)
            try:
                async with connect(f"ws://127.0.0.1:{server.port}/ws/{self.table.id}", max_size=None) as socket:
                    await self._talk(socket, enough)
            except LOST:
                await asyncio.sleep(0.02)

    async def _talk(self, socket: ClientConnection, enough: asyncio.Event) -> None:
        await socket.send(msgspec.json.encode({"type": "hello", "tokens": [self.table.tokens[self.seat]]}).decode())
        if self._unanswered:
            await self._send(socket)
        while self._unanswered or not (self.table.over or enough.is_set()):
            async with asyncio.timeout(PATIENCE if self._unanswered else 1.0):
                word = msgspec.json.decode(await socket.recv())
            await self._hear(socket, word, enough)

    async def _hear(self, socket: ClientConnection, word: dict[str, Any], enough: asyncio.Event) -> None:
        if word["type"] in ("accepted", "refused") and self._unanswered and word["id"] == self._unanswered[0]:
            if word["type"] == "accepted":
                self.table.acknowledged[self.seat].append(self._unanswered[1])
            self._unanswered = None
        elif word["type"] == "update":
            self.table.over = word["outcome"] is not None
            if word["legal"] and self._unanswered is None and not enough.is_set():
                self._unanswered = f"m{next(self._numbers)}", self._choose.choice(word["legal"])
                await self._send(socket)

    async def _send(self, socket: ClientConnection) -> None:
        assert self._unanswered is not None
        id, action = self._unanswered
        await socket.send(msgspec.json.encode({"type": "play", "id": id, "seat": self.seat, "action": action}).decode())


@dataclass
class Report:
    kills: int = 0
    matches: int = 0
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list)


async def _make(server: Process, game: str) -> Table:
    seats, more = GAMES[game]
    async with httpx.AsyncClient() as asking:
        while True:
            try:
                made = await asking.post(server.url("/api/matches"), json={"game": game, "seats": seats, **more})
                assert made.status_code == 201, made.text
                held = made.json()
                return Table(held["id"], {each["seat"]: each["token"] for each in held["seats"]})
            except httpx.HTTPError:
                await asyncio.sleep(0.05)


async def _one_after_the_other(
    game: str, servers: list[Process], choose: random.Random, enough: asyncio.Event, tables: list[Table]
) -> None:
    """Matches of one game, a new one when one is over."""
    while not enough.is_set():
        table = await _make(choose.choice(servers), game)
        tables.append(table)
        players = [Player(table, seat, servers, choose) for seat in table.tokens]
        await asyncio.gather(*(player.play(enough) for player in players))


@asynccontextmanager
async def _running(database: str, number: int) -> AsyncIterator[list[Process]]:
    servers = [Process(database) for _ in range(number)]
    try:
        for server in servers:
            await server.start()
        yield servers
    finally:
        for server in servers:
            if server._process is not None:
                server.kill()


async def torment(
    database: str, servers: int, kills: int, seed: int, told: Callable[[int], None] = lambda kills: None
) -> Report:
    """Kills `kills` times, and then compares."""
    choose, report, enough = random.Random(seed), Report(), asyncio.Event()
    found: list[Table] = []
    async with _running(database, servers) as processes:
        playing = [
            asyncio.create_task(_one_after_the_other(game, processes, choose, enough, found))
            for game in GAMES
            for _ in range(2)
        ]
        while report.kills < kills:
            await _some_moves(found, choose)
            victim = choose.choice(processes)
            victim.kill()
            report.kills += 1
            told(report.kills)
            await victim.start()
        await asyncio.sleep(1)
        enough.set()
        async with asyncio.timeout(2 * PATIENCE):
            await asyncio.gather(*playing)
        for table in found:
            await _compare(processes, table, report)
    report.matches = len(found)
    return report


async def _some_moves(tables: list[Table], choose: random.Random) -> None:
    """A while with something going on in it: some moves, and then any instant of the next ones."""
    until = _told(tables) + choose.randrange(1, 40)
    async with asyncio.timeout(PATIENCE):
        while _told(tables) < until:
            await asyncio.sleep(0.002)
    await asyncio.sleep(choose.uniform(0.0, 0.03))


def _told(tables: list[Table]) -> int:
    return sum(len(notes) for table in tables for notes in table.acknowledged.values())


async def _compare(servers: list[Process], table: Table, report: Report) -> None:
    """The record against the notes; and one more move, if the match is not over."""
    if not table.over:
        await _goes_on(servers, table, report)
    async with httpx.AsyncClient(timeout=PATIENCE) as asking:
        if not table.over:  # the record of a match with secrets is given when it is over
            socket = await connect(f"ws://127.0.0.1:{servers[0].port}/ws/{table.id}", max_size=None)
            seat, token = next(iter(table.tokens.items()))
            await socket.send(msgspec.json.encode({"type": "hello", "tokens": [token]}).decode())
            await socket.send(msgspec.json.encode({"type": "ask", "seat": seat, "what": "resign"}).decode())
            async with asyncio.timeout(PATIENCE):
                while (word := msgspec.json.decode(await socket.recv()))["type"] != "update" or not word["outcome"]:
                    pass
            await socket.close()
        record = decode((await asking.get(servers[-1].url(f"/api/matches/{table.id}/record"))).content)
    replay(record)  # every digest is looked at
    for seat, notes in table.acknowledged.items():
        stands = [entry.action for entry in record.entries if isinstance(entry, Played) and entry.seat == seat]
        report.acknowledged += len(notes)
        if stands != notes:
            report.faults.append(f"{record.game} {table.id}, seat {seat}: {len(notes)} told, {len(stands)} stand")


async def _goes_on(servers: list[Process], table: Table, report: Report) -> None:
    before = _told([table])
    enough = asyncio.Event()
    notes = {seat: list(texts) for seat, texts in table.acknowledged.items()}
    players = [Player(table, seat, servers, random.Random(1)) for seat in table.tokens]
    for player in players:
        player._numbers = count(1_000_000)
        table.acknowledged[player.seat] = notes[player.seat]
    playing = [asyncio.create_task(player.play(enough)) for player in players]
    try:
        async with asyncio.timeout(PATIENCE):
            while _told([table]) == before and not table.over:
                await asyncio.sleep(0.01)
    except TimeoutError:
        report.faults.append(f"{table.id} does not go on")
    enough.set()
    await asyncio.gather(*playing)


@contextmanager
def databases(which: str) -> Iterator[str]:
    if which == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "matches.db")
    else:
        from postgres import cluster

        with cluster() as server:
            yield server.database()


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--kills", type=int, default=1000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--only", choices=[f"{kind}-{n}" for kind, n in PLANS])
    given = asked.parse_args()
    plans = [(kind, n) for kind, n in PLANS if given.only in (None, f"{kind}-{n}")]
    bad, kills = False, given.kills // len(plans)
    for kind, servers in plans:

        def told(so_far: int, plan: str = f"{kind}, {servers} server process(es)") -> None:
            if so_far % 10 == 0:
                print(f"{plan}: {so_far} of {kills} kills", file=sys.stderr, flush=True)

        with databases(kind) as database:
            report = asyncio.run(torment(database, servers, kills, given.seed, told))
        bad |= bool(report.faults)
        print(
            f"{kind}, {servers} server process(es): {report.kills} kills, {report.matches} matches, "
            f"{report.acknowledged} acknowledged moves, {len(report.faults)} faults {report.faults}",
            flush=True,
        )
    sys.exit(bad)


if __name__ == "__main__":
    main()
