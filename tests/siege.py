"""An ordinary client plays while others besiege the server: `make siege`.

    python tests/siege.py                        # every attack, each against a fresh server
    python tests/siege.py --only previews        # those whose name has the word
    python tests/siege.py --write                # and the table goes into docs/technical/server.md

The ordinary client plays moves of matches that are open, and asks a level 1 for its answer, before an attack and under
it. The bars: its moves take at most three times as long as before (p99) and never more than 100 ms (p99), level 1
answers within 2 s, the server and its processes have at most one and a half times the memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from sieges import ATTACKS, HERE, Attack, make

ROOT = Path(__file__).parents[1]
QUIET, SIEGE, SETTLE = 5.0, 12.0, 1.0  # seconds; those after which the server has noticed the attack
PAUSE = 0.01  # seconds between two ordinary moves
TIMES, MOST_MS, MOST_ANSWER, GROWTH = 3.0, 100.0, 2.0, 1.5  # the bars
FLOOR_MS = 5.0  # a quiet p99 below it counts as this much: what a scheduler does by itself is no harm
TABLES, COMPUTERS = 110, 12  # matches that the ordinary client has open, with a friend and with level 1
BETWEEN = "<!-- siege -->"


class Row(msgspec.Struct):
    attack: str
    quiet_p50: float  # milliseconds of an ordinary move
    quiet_p99: float
    p50: float
    p99: float
    answer: float  # seconds, the slowest of level 1
    quiet_memory: float  # megabytes of the server and its processes
    memory: float
    answers: dict[str, int]  # that the attackers got

    def misses(self) -> list[str]:
        bars = {
            "p99": self.p99 <= min(MOST_MS, TIMES * max(FLOOR_MS, self.quiet_p99)),
            "level 1": self.answer <= MOST_ANSWER,
            "memory": self.memory <= GROWTH * self.quiet_memory,
        }
        return [name for name, kept in bars.items() if not kept]


# -- the server -----------------------------------------------------------------------------------------------------


class Server:
    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = folder

    def start(self) -> None:
        command = [sys.executable, "-m", "quincunx", "serve", "--port", str(self.port)]
        with (self._folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--database", str(self._folder / "matches.db")],
                stdout=subprocess.DEVNULL,
                stderr=log,
                env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "QUINCUNX_LAN": "127.0.0.2"},
            )

    def wait(self) -> None:
        """Until every game is compiled: that is another load."""
        while True:
            with suppress(httpx.HTTPError):
                if set(httpx.get(f"{self.url}/api/server", timeout=5).json()["compiling"].values()) == {"ready"}:
                    return
            assert self.process.poll() is None, "the server does not start"
            time.sleep(0.1)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def megabytes(self) -> float:
        """Of the server and its processes: what is shared counts once."""
        return sum(_megabytes(pid) for pid in _family(self.process.pid))


def _family(pid: int) -> Iterator[int]:
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in task.read_text().split():
                yield from _family(int(child))


def _megabytes(pid: int) -> float:
    with suppress(OSError):
        found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
        return int(found[1]) / 1024 if found else 0.0
    return 0.0


@contextmanager
def besieged(attack: Attack) -> Iterator[tuple[Server, dict[str, Any]]]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            server.wait()
            things = attack.prepare(server.url)
            yield server, things
        finally:
            server.stop()
            trace = [line for line in (Path(folder) / "log").read_text().splitlines() if "race" in line]
            if trace:
                print(f"  {attack.name}: {len(trace)} traces in the log: {trace[0][:1000]}", file=sys.stderr)


# -- the ordinary client --------------------------------------------------------------------------------------------


class Table:
    """A match that is open, and how to play in it."""

    def __init__(self, link: ClientConnection, seats: dict[int, str]) -> None:
        self.link, self._seats, self._numbers = link, seats, iter(range(10_000))
        self.update: dict[str, Any] = {}

    async def hello(self) -> None:
        await self._send(type="hello", tokens=list(self._seats.values()))
        await self._until("update")

    @property
    def over(self) -> bool:
        return self.update["outcome"] is not None

    async def move(self) -> float:
        """Milliseconds until a move was acknowledged."""
        seat = self.update["to_act"][0]
        began = time.perf_counter()
        action = random.choice(self.update["legal"])
        await self._send(type="play", id=f"m{next(self._numbers)}", seat=seat, action=action)
        await self._until("accepted")
        took = time.perf_counter() - began
        await self._until("update")
        return 1000 * took

    async def answer(self) -> float:
        """Seconds until the computer has answered a move."""
        await self.move()
        began = time.perf_counter()
        while not self.over and self.update["to_act"][0] not in self._seats:
            await self._until("update")
        return time.perf_counter() - began

    async def _send(self, **word: Any) -> None:
        await self.link.send(msgspec.json.encode(word).decode())

    async def _until(self, kind: str) -> None:
        while True:
            word = msgspec.json.decode(await self.link.recv())
            if word["type"] == "update":
                self.update = word
            if word["type"] == kind:
                return
            assert word["type"] != "refused", word


@asynccontextmanager
async def ordinary(server: Server) -> AsyncIterator[tuple[list[Table], list[Table]]]:
    """Matches that are open before anything happens: with a friend on one computer, and with level 1."""
    level = {"kind": "computer", "player": "level:1"}
    wanted = [("connect_four", [HERE, HERE])] * TABLES + [("khet", [HERE, level])] * COMPUTERS
    tables = []
    for game, seats in wanted:
        made = make(server.url, game, seats)
        link = await connect(f"ws://127.0.0.1:{server.port}/ws/{made['id']}", max_size=None)
        tables.append(Table(link, {held["seat"]: held["token"] for held in made["seats"]}))
        await tables[-1].hello()
    try:
        yield tables[:TABLES], tables[TABLES:]
    finally:
        await asyncio.gather(*(table.link.close() for table in tables), return_exceptions=True)


async def play(tables: list[Table], seconds: float) -> list[float]:
    """How long moves take; matches that are over are left."""
    until, took = time.monotonic() + seconds, []
    while time.monotonic() < until:
        while tables[0].over:
            tables.pop(0)
        try:
            async with asyncio.timeout(60):
                took.append(await tables[0].move())
        except TimeoutError:
            return [*took, 60_000.0]
        await asyncio.sleep(PAUSE)
    return took


async def challenge(tables: list[Table], seconds: float) -> float:
    """The slowest answer of a level 1."""
    until, slowest = time.monotonic() + seconds, 0.0
    while time.monotonic() < until:
        table = next(table for table in tables if not table.over)
        try:
            async with asyncio.timeout(30):
                slowest = max(slowest, await table.answer())
        except TimeoutError:
            return 30.0
        await asyncio.sleep(0.5)
    return slowest


async def weigh(server: Server, seconds: float) -> float:
    most, until = 0.0, time.monotonic() + seconds
    while time.monotonic() < until:
        most = max(most, await asyncio.to_thread(server.megabytes))
        await asyncio.sleep(0.5)
    return most


def percentile(took: list[float], share: float) -> float:
    return sorted(took)[min(len(took) - 1, int(share * len(took)))]


# -- the siege ------------------------------------------------------------------------------------------------------


async def run(attack: Attack) -> Row:
    with besieged(attack) as (server, things):
        if attack.restart:
            server.stop()
            server.start()
            server.wait()
        async with ordinary(server) as (friends, computers):
            calm, _, before = await asyncio.gather(
                play(friends, QUIET), challenge(computers, QUIET), weigh(server, QUIET)
            )
            command = [sys.executable, str(Path(__file__).with_name("sieges.py")), attack.name, str(server.port)]
            attackers = subprocess.Popen([*command, str(SIEGE + SETTLE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert attackers.stdin is not None
            attackers.stdin.write(json.dumps(things).encode())
            attackers.stdin.close()
            attackers.stdin = None
            try:
                await asyncio.sleep(SETTLE)
                took, answer, after = await asyncio.gather(
                    play(friends, SIEGE), challenge(computers, SIEGE), weigh(server, SIEGE)
                )
            finally:
                told = await asyncio.to_thread(_last_words, attackers)
    quiet, loud = [[percentile(times, share) for share in (0.5, 0.99)] for times in (calm, took)]
    return Row(attack.name, quiet[0], quiet[1], loud[0], loud[1], answer, before, after, told)


def _last_words(attackers: subprocess.Popen[bytes]) -> dict[str, int]:
    try:
        told, _ = attackers.communicate(timeout=60)
        return msgspec.json.decode(told or b"{}", type=dict[str, int])
    except subprocess.TimeoutExpired:
        attackers.kill()
        return {}


def table(rows: list[Row]) -> str:
    lines = [
        "| attack | quiet p50 / p99, ms | under attack p50 / p99, ms | level 1, s | memory, MB | bars |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        misses = row.misses()
        marks = "kept" if not misses else "**missed: " + ", ".join(misses) + "**"
        lines.append(
            f"| {row.attack} | {row.quiet_p50:.1f} / {row.quiet_p99:.1f} | {row.p50:.1f} / {row.p99:.1f} "
            f"| {row.answer:.2f} | {row.quiet_memory:.0f} → {row.memory:.0f} | {marks} |"
        )
    return "\n".join(lines)


def write(rows: list[Row]) -> None:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    from machine import machine, versions  # type: ignore[import-not-found]

    told = {"machine": machine(), "versions": versions(), "rows": msgspec.to_builtins(rows)}
    (ROOT / "benchmarks/siege.json").write_text(json.dumps(told, indent=1) + "\n")
    page = ROOT / "docs/technical/server.md"
    head, _, tail = page.read_text().split(BETWEEN)
    page.write_text(f"{head}{BETWEEN}\n\n{table(rows)}\n\n{BETWEEN}{tail}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="attacks whose name has this")
    parser.add_argument("--write", action="store_true", help="into the docs")
    asked = parser.parse_args()
    rows = []
    for attack in ATTACKS:
        if asked.only in attack.name:
            rows.append(asyncio.run(run(attack)))
            print(table(rows[-1:]).splitlines()[-1], rows[-1].answers, flush=True)
    print("\n" + table(rows))
    if asked.write:
        write(rows)
    return int(any(row.misses() for row in rows))


if __name__ == "__main__":
    sys.exit(main())
