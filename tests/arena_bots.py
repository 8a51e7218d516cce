"""Programs in an arena, for tests: without sockets, in the loop of the test, with the sessions that sockets have."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec

from quincunx.match.changes import patched
from quincunx.players.workers import Workers
from quincunx.server.arena import Arena
from quincunx.server.arena_session import ArenaSession
from quincunx.server.arenas import Arenas
from quincunx.server.attendance import Attendance
from quincunx.server.clocks import Clocks
from quincunx.server.computers import Computers
from quincunx.server.contests import LiveContests
from quincunx.server.limits import Limits
from quincunx.server.lobby import Lobby
from quincunx.server.matches import LiveMatches
from quincunx.server.outbox import Outbox
from quincunx.server.programs import Programs
from quincunx.server.session import Session
from quincunx.server.shapes import NewArena
from quincunx.store import Store
from quincunx.tournament.playing import unpacked
from quincunx.tournament.results import Result
from stores import Stores

WAITING = ("open", "awaited")
PATIENCE = 60.0  # seconds, for what comes soon
FOUR = NewArena("connect_four", turn=5.0)


class House:
    """A server process without its doors."""

    def __init__(self, store: Store, workers: Workers) -> None:
        self.store = store
        self.matches = LiveMatches(store)
        self.attendance = Attendance(Clocks(self.matches), Computers(self.matches, workers, Programs()))
        self.arenas = Arenas(Lobby(store, self.matches), self.attendance, workers, lambda game: True)
        self._following = asyncio.create_task(self.matches.follow())

    async def close(self) -> None:
        self._following.cancel()
        await self.arenas.close()
        await self.attendance.close()

    async def die(self) -> None:
        """It is gone without a word."""
        for task in self.arenas._running.values():
            task.cancel()
        self._following.cancel()
        await asyncio.gather(*self.arenas._running.values(), return_exceptions=True)


@asynccontextmanager
async def house(store: Store) -> AsyncIterator[House]:
    async with Workers(1, shared=True) as workers:
        made = House(store, workers)
        try:
            yield made
        finally:
            await made.close()


class Bot:
    """Plays at random, one match after the other."""

    def __init__(self, of: House, arena: Arena, name: str, key: str | None = None) -> None:
        self.house, self.arena, self.name = of, arena, name
        self.key = key or f"a key of {name}".ljust(16, "-")
        self.heard: list[dict[str, Any]] = []
        self.comes = True  # to the matches that it is told of
        self.longest: int | None = None  # actions, after which it leaves its match for good
        self.playing: dict[str, asyncio.Task[None]] = {}
        self.session = ArenaSession(arena, Outbox(later, self._hear), Limits().near)

    async def enter(self, ready: int | None = 1) -> Bot:
        await self.say(type="enter", name=self.name, key=self.key)
        if ready is not None:
            await self.say(type="ready", matches=ready)
        return self

    async def say(self, **word: Any) -> None:
        await self.session.receive(msgspec.json.encode(word).decode())

    def said(self, kind: str) -> list[dict[str, Any]]:
        return [word for word in self.heard if word["type"] == kind]

    def leave(self) -> None:
        """Its computer is switched off."""
        self.session.close()
        for task in self.playing.values():
            task.cancel()

    def _hear(self, *texts: bytes) -> bool:
        for text in texts:
            word = msgspec.json.decode(text)
            self.heard.append(word)
            if word["type"] == "sit" and self.comes and word["match"] not in self.playing:
                self.playing[word["match"]] = asyncio.create_task(self._play(word["match"], word["token"]))
        return True

    async def _play(self, match: str, token: str) -> None:
        live = await self.house.matches.get(match)
        assert live is not None
        words: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        def hear(*texts: bytes) -> bool:
            for text in texts:
                words.put_nowait(msgspec.json.decode(text))
            return True

        session = Session(self.house.matches, live, later, Limits().near, hear)
        session.on_hello = lambda: self.house.attendance.attend(live)
        try:
            await session.receive(msgspec.json.encode({"type": "hello", "tokens": [token]}).decode())
            await self._choose(session, words)
        finally:
            session.close()

    async def _choose(self, session: Session, words: asyncio.Queue[dict[str, Any]]) -> None:
        now: dict[str, Any] = {}
        sent = ""
        for number in range(10_000):
            word = await words.get()
            if word["type"] == "update":
                now = word
            elif word["type"] == "changed":
                now = patched(now, word)
            elif word["type"] in ("accepted", "refused") and word.get("id") == sent:
                sent = ""
            if not now or now["outcome"] is not None:
                if now:
                    return
                continue
            (seat,) = session.seats
            if self.longest is not None and number > self.longest:
                return
            if not sent and words.empty() and seat in now["to_act"] and _begun(now):
                sent = f"{self.name.encode().hex()}{number}"
                action = random.choice(now["legal"])
                play = {"type": "play", "id": sent, "seat": seat, "action": action}
                await session.receive(msgspec.json.encode(play).decode())


def _begun(now: dict[str, Any]) -> bool:
    return not any(seat["kind"] in WAITING for seat in now["seats"])


async def later(text: str) -> None:
    raise AssertionError("there is nothing to wait for")


async def until(condition: Any, seconds: float = PATIENCE) -> None:
    """Asks again and again; a coroutine or a value."""
    async with asyncio.timeout(seconds):
        while True:
            found = condition()
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return
            await asyncio.sleep(0.02)


async def left(bots: list[Bot]) -> None:
    for bot in bots:
        bot.leave()
    for bot in bots:
        for task in bot.playing.values():
            with suppress(asyncio.CancelledError):
                await task


def told(stores: Stores, story: Callable[[House], Awaitable[None]]) -> None:
    """In one server process."""

    async def main() -> None:
        async with house(stores.one) as of:
            await story(of)

    stores.run(main())


async def results(store: Store, arena: Arena) -> list[Result]:
    """All of them, each with the record of its match."""
    found = []
    async for row in store.contests.results(arena.id):
        result = msgspec.json.decode(row.result, type=Result)
        data = await store.contests.record(arena.id, row.pairing, row.number)
        assert data is not None and (row.pairing, row.number) == (result.pairing, result.game)
        record = unpacked(data)
        assert record.outcome is not None and tuple(record.outcome.ranks) == result.ranks
        assert tuple(seat.name for seat in record.seats) == result.players
        found.append(result)
    return found


async def check_all(store: Store, arena: Arena) -> list[Result]:
    """Every match that is over counts once, no other does."""
    found = await results(store, arena)
    assert len({result.pairing for result in found}) == len(found)
    running = {bout.pairing for bout in await store.entrants.under_way(arena.id)}
    assert not running & {result.pairing for result in found}
    return found


async def shown(store: Store, arena: Arena) -> dict[str, Any]:
    live = await LiveContests(store).get(arena.id)
    await live.refresh()
    page: dict[str, Any] = msgspec.json.decode(live.page)
    return page
