"""The contests that somebody looks at, and the list of all."""

from __future__ import annotations

import time
from collections import OrderedDict

import msgspec

from quincunx.server.arena_news import LiveArena
from quincunx.server.contest_news import LiveContest
from quincunx.server.shapes import ContestListed
from quincunx.store import Store
from quincunx.store.contests import StoredContest
from quincunx.tournament.plan import Plan

FRESH = 1.0  # seconds for which a list is kept
MOST = 16  # contests that are kept though nobody watches


class LiveContests:
    """Those that somebody looks at, or has looked at lately."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[str, LiveContest] = OrderedDict()
        self._lists: dict[
            tuple[int, bool], tuple[float, int, bytes]
        ] = {}  # until when, and after how many were made here

    async def get(self, id: str) -> LiveContest:
        """By its id, or the beginning of it that no other has. Refused if there is none."""
        live = self._kept.pop(id, None)
        if live is None:
            stored = await self._store.contests.get(id)
            live = self._kept.pop(stored.id, None) or _live(self._store, stored)
        self._kept[live.id] = live
        idle = [id for id, each in self._kept.items() if not each.watched]
        for old in idle[: len(idle) - MOST] if len(idle) > MOST else ():
            del self._kept[old]
        return live

    async def listed(self, limit: int, arenas: bool = False) -> bytes:
        """The newest first; or only arenas that are open."""
        until, of, text = self._lists.get((limit, arenas), (0.0, 0, b""))
        made = self._store.contests.made
        if time.monotonic() > until or of != made:
            text = msgspec.json.encode(await listed(self._store, limit, arenas))
            self._lists[limit, arenas] = time.monotonic() + FRESH, made, text
        return text

    async def close(self) -> None:
        for live in self._kept.values():
            await live.close()


async def listed(store: Store, limit: int, arenas: bool = False) -> list[ContestListed]:
    """The newest first; or only arenas that are open, which any number of newer contests must not hide."""
    latest = (await open_arenas(store))[: -limit - 1 : -1] if arenas else await store.contests.latest(limit)
    entrants = await store.entrants.counts([each.id for each in latest])
    return [_listed(each, entrants.get(each.id, 0)) for each in latest]


async def open_arenas(store: Store) -> list[StoredContest]:
    """The oldest first."""
    return [each for each in await store.contests.unfinished() if is_arena(each)]


def is_arena(stored: StoredContest) -> bool:
    return msgspec.json.decode(stored.plan, type=Plan).format == "arena"


def _live(store: Store, stored: StoredContest) -> LiveContest:
    return (LiveArena if is_arena(stored) else LiveContest)(store, stored)


def _listed(stored: StoredContest, entrants: int) -> ContestListed:
    plan = msgspec.json.decode(stored.plan, type=Plan)
    return ContestListed(
        stored.id, stored.name, stored.game, plan.format, entrants or len(plan.players), stored.results, stored.created,
        stored.finished,
    )  # fmt: skip
