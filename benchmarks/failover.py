"""How long those who play and watch notice it when a process of a server is killed, or all are replaced in turn.

    make failover                    # SQLite; two and four processes
    make failover ARGS="--database postgresql://… --processes 2"

Every match has two clients that play, a move each fifth of a second, and others that watch. Who loses
the connection comes back as the pages do (web/src/lib/match/socket.ts: 0.3 to 0.5 s later, then twice as long). The
silence of a client is the longest time without an update, from before the kill until four seconds after it; the lag of
a watcher the time from when the one who played sees a position to when the watcher does, on whichever process it is.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import SplitResult

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1]))

from quincunx.loadtest import host
from quincunx.loadtest.clients import percentile
from quincunx.loadtest.rest import ask
from quincunx.match.changes import patched

MATCHES, WATCHERS = 20, 3
EVERY = 0.2  # seconds between two moves
WINDOW = 4.0  # seconds that are looked at after a kill
FIRST_WAIT, LONGEST_WAIT = 0.4, 10.0
LOST = (OSError, WebSocketException, TimeoutError)


class Match:
    def __init__(self, id: str, tokens: list[str]) -> None:
        self.id, self.tokens = id, tokens
        self.seen: dict[int, float] = {}  # when who plays saw each position first
        self.played = 0
        self.over = False


class Client:
    """One socket of a match; with tokens it plays."""

    def __init__(self, address: str, match: Match, tokens: list[str]) -> None:
        self._address, self.match, self._tokens = address, match, tokens
        self.heard: list[float] = [perf_counter()]
        self.seen: dict[int, float] = {}
        self._shown: dict[str, Any] = {}
        self.losses = 0
        self._unanswered: dict[str, Any] | None = None

    async def live(self) -> None:
        tries = 0
        while True:
            with suppress(*LOST):
                async with connect(f"{self._address}/ws/{self.match.id}", max_size=None) as line:
                    tries = 0
                    await self._talk(line)
            self.losses += 1
            await asyncio.sleep(min(LONGEST_WAIT, FIRST_WAIT * 2**tries) * random.uniform(0.75, 1.25))
            tries += 1

    async def _talk(self, line: ClientConnection) -> None:
        await line.send(msgspec.json.encode({"type": "hello", "tokens": self._tokens}).decode())
        if self._unanswered:
            await self._send(line)
        async for data in line:
            word = msgspec.json.decode(data)
            if word["type"] == "accepted" and self._unanswered and word["id"] == self._unanswered["id"]:
                self.match.played += 1
                self._unanswered = None
            elif word["type"] == "refused" and self._unanswered and word["id"] == self._unanswered["id"]:
                self._unanswered = None  # it was played, and this client was told so by an update
            elif word["type"] in ("update", "changed"):
                self._shown = word if word["type"] == "update" else patched(self._shown, word)
                self._see()
            await self._go_on(line)

    def _see(self) -> None:
        self.heard.append(perf_counter())
        self.match.over |= self._shown["outcome"] is not None
        position = hash(msgspec.json.encode([self._shown["shown"], self._shown["to_act"]]))
        (self.match.seen if self._tokens else self.seen).setdefault(position, self.heard[-1])

    def lags(self) -> list[float]:
        return [at - self.match.seen[position] for position, at in self.seen.items() if position in self.match.seen]

    async def _go_on(self, line: ClientConnection) -> None:
        now = self._shown
        if self._tokens and self._unanswered is None and now and now["legal"]:
            await asyncio.sleep(EVERY)
            number, action = self.match.played, random.choice(now["legal"])
            self._shown = {**now, "legal": []}  # until the next update
            self._unanswered = {"type": "play", "id": f"m{number}", "seat": now["observer"], "action": action}
            await self._send(line)

    async def _send(self, line: ClientConnection) -> None:
        await line.send(msgspec.json.encode(self._unanswered).decode())

    def silence(self, since: float) -> float:
        times = [*(at for at in self.heard if at >= since - 1.0), perf_counter()]
        return max((b - a for a, b in pairwise(times)), default=perf_counter() - since)


async def measure(address: SplitResult, processes: int) -> None:
    await host.compiled(address, "khet")
    supervisor = host.supervisor(address)
    print(f"{processes} processes", flush=True)
    await _look(address, "nothing happens", supervisor, 0)
    for victim in host.children(supervisor):
        await _look(address, f"process {victim} is killed", victim, signal.SIGKILL)
    await _look(address, "a rolling restart", supervisor, signal.SIGHUP, 2.0 * processes)


async def _sit(address: SplitResult) -> list[Client]:
    seats = [{"kind": "here", "name": name} for name in ("Ada", "Bob")]
    made = (await ask(address, "POST", "/api/matches", {"game": "khet", "seats": seats})).read()
    match = Match(made["id"], [held["token"] for held in made["seats"]])
    where = address.geturl().replace("http", "ws")
    playing = [Client(where, match, [token]) for token in match.tokens]
    return [*playing, *(Client(where, match, []) for _ in range(WATCHERS))]


async def _look(address: SplitResult, what: str, process: int, by: int, more: float = 0.0) -> None:
    """With new matches each time: random ones do not last."""
    clients = [client for _ in range(MATCHES) for client in await _sit(address)]
    living = [asyncio.create_task(client.live()) for client in clients]
    await asyncio.sleep(1.5)
    before, since = [client.losses for client in clients], perf_counter()
    os.kill(process, by)
    await asyncio.sleep(WINDOW + more)
    told = []
    for which, lost in (("lost the connection", True), ("kept it", False)):
        pairs = [(client, client.losses > losses) for client, losses in zip(clients, before, strict=True)]
        times = [client.silence(since) for client, did in pairs if did == lost and not client.match.over]
        if times:
            told.append(f"{len(times)} {which}: silence {median(times):.2f} s (median), {max(times):.2f} s (longest)")
    lags = sorted(1000 * lag for client in clients for lag in client.lags())
    told.append(f"a watcher's lag p50 {median(lags):.1f} ms, p99 {percentile(lags, 0.99):.1f} ms" if lags else "no lag")
    print(f"  {what}: " + "; ".join(told), flush=True)
    for task in living:
        task.cancel()
    await asyncio.gather(*living, return_exceptions=True)


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--database")
    asked.add_argument("--processes", type=int, nargs="*", default=[2, 4])
    given = asked.parse_args()
    for processes in given.processes:
        with (
            tempfile.TemporaryDirectory() as folder,
            host.quincunx(given.database or str(Path(folder, "matches.db")), processes) as address,
        ):
            asyncio.run(measure(address, processes))


if __name__ == "__main__":
    main()
