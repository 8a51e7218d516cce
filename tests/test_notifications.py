"""What one process tells another of a match may be lost, doubled, late or without its entries: what is stored is the
truth, and whoever hears of it stands there in the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from quincunx.core.contract import PUBLIC
from quincunx.games import load
from quincunx.match.record import Entry, Played
from quincunx.match.referee import Referee
from quincunx.server import matches as module
from quincunx.server.matches import LiveMatches
from quincunx.store import Notification, Standing, Stored, StoredMatch, StoredSeat, Unavailable, damaged
from quincunx.store.news import joined

GAME = load("connect_four", "interpreted")
LONG = 12  # entries of the match


def a_match() -> tuple[StoredMatch, list[Entry]]:
    world, random, entries = GAME.new(), Random(3), list[Entry]()
    start, digest = GAME.position(world), GAME.position_digest(world)
    for n in range(LONG):
        seat, action = GAME.turn(world), random.choice(GAME.legal(world))
        text = GAME.text(world, seat, action)
        GAME.apply(world, seat, action)
        entries.append(Played(seat, text, n, GAME.position_digest(world)))
    seats = tuple(StoredSeat("person", name) for name in ("Ada", "Bob"))
    options = GAME.new().options
    version = GAME.card.version
    stored = StoredMatch(
        "m", GAME.card.id, version, options, start, digest, seats, created=0, began=0, status="playing"
    )
    return stored, entries


STORED, ENTRIES = a_match()
TEXTS = [msgspec.json.encode(entry).decode() for entry in ENTRIES]


class Shelf:
    """A store that another process writes."""

    shared = True

    def __init__(self) -> None:
        self.written = 0
        self.reads = 0
        self.told: asyncio.Queue[Notification] = asyncio.Queue()

    def clock(self) -> int:
        return LONG

    async def match(self, id: str) -> StoredMatch:
        return STORED

    async def rematch_of(self, id: str) -> None:
        return None

    async def entries(self, id: str, after: int = 0) -> list[Stored]:
        self.reads += 1
        await asyncio.sleep(0)
        return [Stored(n + 1, entry, None) for n, entry in enumerate(ENTRIES[: self.written])][after:]

    async def notifications(self) -> AsyncIterator[Notification]:
        while True:
            yield await self.told.get()


class Screen:
    wants_board = False

    def __init__(self) -> None:
        self.numbers: list[int] = []

    def send(self, update: bytes) -> None:
        self.numbers.append(msgspec.json.decode(update)["n"])


async def settle() -> None:
    for _ in range(60):
        await asyncio.sleep(0)


TOLD = st.tuples(st.integers(1, LONG), st.integers(0, 4), st.integers(0, 3))


@settings(deadline=None)
@given(st.lists(TOLD, max_size=25), st.lists(st.integers(0, 24), max_size=6))
def test_whatever_becomes_of_notifications_a_process_stands_where_the_match_does(
    told: list[tuple[int, int, int]], held: list[int]
) -> None:
    """Each up to an entry, with so many entries in it, after so many turns of the loop; some come while somebody is
    about to append."""

    async def run() -> None:
        shelf: Any = Shelf()
        matches = LiveMatches(shelf, lambda id: GAME)
        following = asyncio.create_task(matches.follow())
        live = await matches.get("m")
        assert live is not None
        screen = Screen()
        live.feed(PUBLIC).show(screen, live.publication(), None)
        live.feed(PUBLIC).subscribe(screen, has=True)
        for n, (seq, carried, turns) in enumerate(told):
            shelf.written = max(shelf.written, seq)
            shelf.told.put_nowait(Notification("m", seq, tuple(TEXTS[max(0, seq - carried) : seq])))
            if n in held:
                async with live.lock:
                    await settle()
            for _ in range(turns):
                await asyncio.sleep(0)
            assert live.match.entries == ENTRIES[: live.seq]
        await settle()
        assert live.seq == max((seq for seq, *_ in told), default=0)
        assert live.match.entries == ENTRIES[: live.seq]
        assert screen.numbers == sorted(set(screen.numbers))
        following.cancel()

    asyncio.run(run())


def test_entries_that_are_told_and_follow_are_not_read() -> None:
    async def run() -> None:
        shelf: Any = Shelf()
        matches = LiveMatches(shelf, lambda id: GAME)
        following = asyncio.create_task(matches.follow())
        live = await matches.get("m")
        assert live is not None
        reads, shelf.written = shelf.reads, LONG
        for seq in range(1, LONG + 1):
            shelf.told.put_nowait(Notification("m", seq, (TEXTS[seq - 1],)))
        await settle()
        assert (live.seq, shelf.reads) == (LONG, reads)
        following.cancel()

    asyncio.run(run())


def test_what_is_told_while_a_match_is_read_is_heard() -> None:
    async def run() -> None:
        shelf: Any = Shelf()
        matches = LiveMatches(shelf, lambda id: GAME)
        following = asyncio.create_task(matches.follow())
        loading = asyncio.create_task(matches.get("m"))
        while shelf.reads == 0:
            await asyncio.sleep(0)
        found = [*ENTRIES[: shelf.written]]
        shelf.written = 1
        shelf.told.put_nowait(Notification("m", 1, (TEXTS[0],)))
        live = await loading
        await settle()
        assert found == [] and live is not None and live.seq == 1
        following.cancel()

    asyncio.run(run())


def test_who_is_refused_has_heard_all_that_has_arrived() -> None:
    """The other's move is on its way when ours comes: it is taken from what was told, and ours is right then."""

    async def run() -> None:
        shelf: Any = Shelf()
        matches = LiveMatches(shelf, lambda id: GAME)
        following = asyncio.create_task(matches.follow())
        live = await matches.get("m")
        assert live is not None
        reads, shelf.written, asked = shelf.reads, 1, list[int]()

        def question(referee: Referee, at: int) -> Any:
            asked.append(referee.match.length)
            return [] if referee.match.length else referee.submit(1, "a", at, lambda: 0)

        shelf.told.put_nowait(Notification("m", 1, (TEXTS[0],)))
        assert await matches.ask(live, question) is None
        assert (asked, shelf.reads) == ([0, 1], reads)
        following.cancel()

    asyncio.run(run())


class Shelves(Shelf):
    """Several matches of the same entries, some of which cannot be read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []
        self.damaged, self.away = set[str](), set[str]()  # away: once

    async def match(self, id: str) -> StoredMatch:
        return replace(STORED, id=id)

    async def entries(self, id: str, after: int = 0) -> list[Stored]:
        self.read.append(id)
        if id in self.damaged:
            raise damaged(1)
        if id in self.away:
            self.away.discard(id)
            raise Unavailable
        return await super().entries(id, after)

    async def standings(self, ids: list[str]) -> dict[str, Standing]:
        return {id: Standing(replace(STORED, id=id), 0 if id == "still" else self.written, None, 0) for id in ids}


def test_where_anything_may_have_happened_no_match_waits_for_another_and_only_the_new_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One is damaged, one cannot be read at first, one has not gone on, and the last is sound."""
    monkeypatch.setattr(module, "AGAIN", 0.0)

    async def run() -> None:
        shelf: Any = Shelves()
        matches = LiveMatches(shelf, lambda id: GAME)
        following = asyncio.create_task(matches.follow())
        ids = ["broken", "away", "still", "sound"]
        lives = {id: await matches.get(id) for id in ids}
        shelf.read.clear()
        shelf.written, shelf.damaged, shelf.away = 3, {"broken"}, {"away"}
        shelf.told.put_nowait(Notification(None, 0))
        for _ in range(5):
            await settle()
        assert {id: live.seq for id, live in lives.items() if live} == {"broken": 0, "away": 3, "still": 0, "sound": 3}
        assert sorted(shelf.read) == ["away", "away", "broken", "sound"]
        following.cancel()

    asyncio.run(run())


PIECE = st.tuples(st.integers(1, LONG), st.integers(0, LONG)).map(
    lambda each: Notification("m", each[0], tuple(TEXTS[max(0, each[0] - each[1]) : each[0]]))
)


@given(PIECE, PIECE, st.integers(0, LONG))
def test_two_that_are_joined_tell_nothing_else_and_no_less_of_the_newest(
    one: Notification, other: Notification, seq: int
) -> None:
    both = joined(one, other)
    assert both == joined(other, one) and both.seq == max(one.seq, other.seq)
    assert both.beyond(seq) in ([], ENTRIES[seq : both.seq])
    newest = max(one, other, key=lambda each: each.seq)
    assert both.beyond(seq) or not newest.beyond(seq)


def test_where_more_than_entries_is_new_all_is_read() -> None:
    assert joined(Notification("m", 0), Notification("m", 3, ("x",))) == Notification("m", 0)
