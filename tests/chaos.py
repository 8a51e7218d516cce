"""Clients play while processes of a server are killed with SIGKILL at random instants, and started again: those that
serve, the one that writes a SQLite file, now and then all of them.

    python tests/chaos.py                                    # 10,000 kills; goes on where the log says that it stood
    python tests/chaos.py --kills 50 --only sqlite-2 --no-log

Every client writes down what it sent and what was acknowledged. In the end the records are compared with those notes:
each acknowledged move stands in its record once, in its place, nothing else does, and every match goes on. Somebody who
only watches each match has seen its end.
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
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import msgspec
from msgspec.structs import replace
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
SEEN = 20.0  # seconds after the end in which those who watch must have seen it
ALL = 0.01  # of the kills hit all processes at once
PLANS = [(kind, processes) for kind in ("sqlite", "postgresql") for processes in (0, 1, 2, 4)]  # 0: no supervisor
ROUND = 50  # kills on one database, after which all is compared, and noted
LOG = Path(__file__).parent.parent / "benchmarks" / "chaos.json"


class Server:
    """One server on a port of its own: `--processes` of them under a supervisor, or one process without (0)."""

    def __init__(self, database: str, processes: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._database = database
        self._processes = processes
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        command = [sys.executable, "-m", "quincunx", "serve", "--port", str(self.port), "--database", self._database]
        command += ["--processes", str(self._processes)] if self._processes else []
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

    async def lose(self, choose: random.Random) -> None:
        """Any of its processes is killed; now and then all of them, and it is started again."""
        if self._processes and choose.random() > ALL:
            os.kill(choose.choice(await self.children()), signal.SIGKILL)
        else:
            self.kill()
            await self.start()

    async def children(self) -> list[int]:
        """The processes that it serves with, and the one that writes, once all of them are there."""
        assert self._process is not None
        expected = self._processes + ("://" not in self._database)
        async with asyncio.timeout(PATIENCE):
            while True:
                told = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
                if len(told.split()) == expected:
                    return [int(word) for word in told.split()]
                await asyncio.sleep(0.005)

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
    watching: asyncio.Task[None] | None = None


class Player:
    """Holds one seat of one match, over whichever process answers."""

    def __init__(self, table: Table, seat: int, server: Server, choose: random.Random) -> None:
        self.table, self.seat, self._server, self._choose = table, seat, server, choose
        self._numbers = count()
        self._unanswered: tuple[str, str] | None = None  # id and action: sent again until somebody answers
        table.acknowledged[seat] = []

    async def play(self, enough: asyncio.Event) -> None:
        while self._unanswered or not (self.table.over or enough.is_set()):
            try:
                async with connect(f"ws://127.0.0.1:{self._server.port}/ws/{self.table.id}", max_size=None) as socket:
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


async def _watch(table: Table, server: Server) -> None:
    """Until the match is over, on whichever process the connection is, and as long as that one lives: who watches does
    not come back to hear what it was not told."""
    while True:
        try:
            where = f"ws://127.0.0.1:{server.port}/ws/{table.id}"
            async with connect(where, max_size=None, ping_interval=None) as socket:
                await socket.send(msgspec.json.encode({"type": "hello", "tokens": []}).decode())
                while not msgspec.json.decode(await socket.recv()).get("outcome"):
                    pass
                return
        except LOST:
            await asyncio.sleep(0.02)


@dataclass
class Report:
    kills: int = 0
    matches: int = 0
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list)


async def _make(server: Server, game: str) -> Table:
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
    game: str, server: Server, choose: random.Random, enough: asyncio.Event, tables: list[Table]
) -> None:
    """Matches of one game, a new one when one is over."""
    while not enough.is_set():
        table = await _make(server, game)
        table.watching = asyncio.create_task(_watch(table, server))
        tables.append(table)
        players = [Player(table, seat, server, choose) for seat in table.tokens]
        await asyncio.gather(*(player.play(enough) for player in players))


@asynccontextmanager
async def running(database: str, processes: int) -> AsyncIterator[Server]:
    server = Server(database, processes)
    try:
        await server.start()
        yield server
    finally:
        if server._process is not None:
            server.kill()


async def torment(
    database: str, processes: int, kills: int, seed: int, told: Callable[[int], None] = lambda kills: None
) -> Report:
    """Kills `kills` times, and then compares."""
    choose, report, enough = random.Random(seed), Report(), asyncio.Event()
    found: list[Table] = []
    async with running(database, processes) as server:
        playing = [
            asyncio.create_task(_one_after_the_other(game, server, choose, enough, found))
            for game in GAMES
            for _ in range(2)
        ]
        while report.kills < kills:
            await _some_moves(found, choose)
            await server.lose(choose)
            report.kills += 1
            told(report.kills)
        await _some_moves(found, choose)
        enough.set()
        async with asyncio.timeout(2 * PATIENCE):
            await asyncio.gather(*playing)
        for table in found:
            await _compare(server, table, report)
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


async def _compare(server: Server, table: Table, report: Report) -> None:
    """The record against the notes; and one more move, if the match is not over."""
    if not table.over:
        await _goes_on(server, table, report)
    async with httpx.AsyncClient(timeout=PATIENCE) as asking:
        if not table.over:  # the record of a match with secrets is given when it is over
            socket = await connect(f"ws://127.0.0.1:{server.port}/ws/{table.id}", max_size=None)
            seat, token = next(iter(table.tokens.items()))
            await socket.send(msgspec.json.encode({"type": "hello", "tokens": [token]}).decode())
            await socket.send(msgspec.json.encode({"type": "ask", "seat": seat, "what": "resign"}).decode())
            async with asyncio.timeout(PATIENCE):
                while (word := msgspec.json.decode(await socket.recv()))["type"] != "update" or not word["outcome"]:
                    pass
            await socket.close()
        record = decode((await asking.get(server.url(f"/api/matches/{table.id}/record"))).content)
    await _was_watched(table, report)
    replay(record)  # every digest is looked at
    for seat, notes in table.acknowledged.items():
        stands = [entry.action for entry in record.entries if isinstance(entry, Played) and entry.seat == seat]
        report.acknowledged += len(notes)
        if stands != notes:
            report.faults.append(f"{record.game} {table.id}, seat {seat}: {len(notes)} told, {len(stands)} stand")


async def _was_watched(table: Table, report: Report) -> None:
    assert table.watching is not None
    try:
        await asyncio.wait_for(table.watching, SEEN)
    except TimeoutError:
        report.faults.append(f"{table.id}: who watches does not see the end")


async def _goes_on(server: Server, table: Table, report: Report) -> None:
    before = _told([table])
    enough = asyncio.Event()
    notes = {seat: list(texts) for seat, texts in table.acknowledged.items()}
    players = [Player(table, seat, server, random.Random(1)) for seat in table.tokens]
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
def databases() -> Iterator[Callable[[str], str]]:
    """New ones, of the kind that is asked for."""
    with ExitStack() as stack:
        clusters: list[Any] = []

        def new(kind: str) -> str:
            if kind == "sqlite":
                return str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "matches.db")
            if not clusters:
                from postgres import cluster

                clusters.append(stack.enter_context(cluster()))
            return str(clusters[0].database())

        yield new


class Ran(msgspec.Struct):
    """Some of the kills: of what, when and where."""

    commit: str
    day: str
    machine: str
    kills: int = 0

    @classmethod
    def here(cls) -> Ran:
        root = LOG.parent.parent
        sys.path.append(str(root))
        from benchmarks.machine import processor

        asked = ["git", "-C", str(root), "rev-parse", "--short", "HEAD"]
        commit = subprocess.run(asked, capture_output=True, text=True).stdout.strip()
        return cls(commit, date.today().isoformat(), f"{processor()}, {os.cpu_count()} cores")


class Noted(msgspec.Struct):
    """Of one plan, in the log."""

    kills: int = 0
    matches: int = 0
    acknowledged: int = 0
    faults: list[str] = msgspec.field(default_factory=list)
    seconds: float = 0.0
    runs: list[Ran] = msgspec.field(default_factory=list)  # rows from before this was noted have none

    def add(self, report: Report, seconds: float, here: Ran) -> None:
        self.kills += report.kills
        self.matches += report.matches
        self.acknowledged += report.acknowledged
        self.faults += report.faults
        self.seconds = round(self.seconds + seconds, 1)
        same = [run for run in self.runs if replace(run, kills=0) == here]
        if not same:
            self.runs += (same := [replace(here)])
        same[0].kills += report.kills


def _plan(name: str, kills: int, noted: dict[str, Noted], log: Path | None) -> None:
    """Rounds until so many are noted."""
    kind, _, processes = name.partition("-")
    so_far, here = noted.setdefault(name, Noted()), Ran.here()
    with databases() as new_database:
        while so_far.kills < kills:
            began, number = time.monotonic(), min(ROUND, kills - so_far.kills)
            report = asyncio.run(torment(new_database(kind), int(processes), number, seed=so_far.kills))
            so_far.add(report, time.monotonic() - began, here)
            if log:
                log.with_suffix(".part").write_bytes(msgspec.json.format(msgspec.json.encode(noted)) + b"\n")
                os.replace(log.with_suffix(".part"), log)
            print(
                f"{name}: {so_far.kills} of {kills} kills in {so_far.seconds:.0f} s, {so_far.matches} matches, "
                f"{so_far.acknowledged} acknowledged moves, {len(so_far.faults)} faults {so_far.faults}",
                flush=True,
            )


def main() -> None:
    names = [f"{kind}-{processes}" for kind, processes in PLANS]
    asked = argparse.ArgumentParser()
    asked.add_argument("--kills", type=int, default=10_000, help="in all, those of earlier runs included")
    asked.add_argument("--only", choices=names)
    asked.add_argument("--fresh", action="store_true", help="forget earlier runs")
    asked.add_argument("--no-log", action="store_true")
    given = asked.parse_args()
    log = None if given.no_log else LOG
    kept = log is not None and log.exists() and not given.fresh
    noted = msgspec.json.decode(LOG.read_bytes(), type=dict[str, Noted]) if kept else {}
    wanted = [name for name in names if given.only in (None, name)]
    for name in wanted:
        _plan(name, -(-given.kills // len(wanted)), noted, log)
    sys.exit(any(noted[name].faults for name in wanted))


if __name__ == "__main__":
    main()
