"""Records of matches of contests: as files, as reels, and as matches of this server.

A reel is a match in some pictures, for those who watch a contest: worked out once for all of them. A match that is in
here is over, so there is no fog, or, where a game cannot do without, it is seen through the winner's eyes. Seeds stay
here while the contest goes on: who knows them knows starts and dice to come.
"""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from collections import OrderedDict
from hashlib import sha256

from msgspec import UNSET

from quincunx.core.contract import PUBLIC
from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.match import MatchRecord, encode
from quincunx.match.wire import write
from quincunx.server.contest_news import LiveContest, public_names
from quincunx.server.contests import LiveContests
from quincunx.server.frames import LONGEST_PAGE, standing, walk
from quincunx.server.match_shapes import Replayed
from quincunx.server.process_pool import Run
from quincunx.server.records import take_in
from quincunx.server.starting import OTHER_RULES
from quincunx.store import Store
from quincunx.tournament.playing import unpacked

MOST_KEPT = 32 * 2**20  # bytes of reels, those that were not wanted for longest go first
MOST_FRAMES = 240  # of a reel
NO_RECORD = Words("Cette partie n’a pas encore été jouée.", "This match has not been played yet.")

Wanted = tuple[str, int, int, int, bool]  # contest, pairing, number, frames, board


class ContestRecords:
    def __init__(self, store: Store, contests: LiveContests, run: Run) -> None:
        self._store = store
        self._contests = contests
        self._run = run
        self._kept: OrderedDict[Wanted, bytes] = OrderedDict()
        self._size = 0
        self._under_way: dict[Wanted, asyncio.Task[bytes]] = {}

    async def file(self, id: str, pairing: int, number: int) -> bytes:
        """As it stands in a file."""
        live, data = await self._read(id, pairing, number)
        return await self._run(filed, data, live.called, await live.is_over())

    async def reel(self, id: str, pairing: int, number: int, frames: int, board: bool) -> bytes:
        wanted = (await self._contests.get(id)).id, pairing, number, frames, board
        if wanted in self._kept:
            self._kept.move_to_end(wanted)
            return self._kept[wanted]
        if wanted not in self._under_way:
            work = asyncio.create_task(self._make(wanted))
            self._under_way[wanted] = work
            work.add_done_callback(lambda done: (self._under_way.pop(wanted), done.cancelled() or done.exception()))
        return await asyncio.shield(self._under_way[wanted])

    async def open(self, id: str, pairing: int, number: int) -> str:
        """The match as one of this server, to replay, analyse and play on from: once, however many ask for it."""
        live, data = await self._read(id, pairing, number)
        own = match_id(live.id, pairing, number)
        if await self._store.match(own) is None:
            record = await self._run(filed, data, live.called, await live.is_over())
            try:
                await take_in(self._store, self._run, record, False, own)
            except Refused as refused:
                if refused.code != "taken":  # somebody else was faster
                    raise
        return own

    async def _read(self, id: str, pairing: int, number: int) -> tuple[LiveContest, bytes]:
        live = await self._contests.get(id)
        data = await self._store.contests.record(live.id, pairing, number)
        if data is None:
            raise Refused("no_such_match", NO_RECORD)
        return live, data

    async def _make(self, wanted: Wanted) -> bytes:
        id, pairing, number, frames, board = wanted
        live, data = await self._read(id, pairing, number)
        made = await self._run(reeled, data, live.called, frames, board)
        self._kept[wanted] = made
        self._size += len(made)
        while self._size > MOST_KEPT and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])
        return made


def match_id(contest: str, pairing: int, number: int) -> str:
    digest = sha256(f"{contest}/{pairing}/{number}".encode()).digest()
    return urlsafe_b64encode(digest[:12]).decode()


# -- in other processes ---------------------------------------------------------------------------------------------


def filed(data: bytes, called: dict[str, str], over: bool) -> bytes:
    """For everybody to read."""
    record = _named(unpacked(data), called)
    if not over:
        record.seed = None
        for seat in record.seats:
            seat.seed = UNSET
    return encode(record)


def _named(record: MatchRecord, called: dict[str, str]) -> MatchRecord:
    """No command lines."""
    for seat in record.seats:
        seat.name = called.get(seat.name, seat.name)
        seat.player = next(iter(public_names([seat.player]).values()))
    return record


def reeled(data: bytes, called: dict[str, str], frames: int, board: bool) -> bytes:
    """At most so many frames of a match, as far apart as it takes, the last one always."""
    record = _named(unpacked(data), called)
    game = load(record.game)
    if record.rules != game.card.version:
        raise Refused("other_rules", OTHER_RULES)
    played, eye = standing(record.entries), PUBLIC
    if game.card.fog and not game.unveils and record.outcome is not None:  # the public would see next to nothing
        eye = record.outcome.ranks.index(1)
    shown = list(walk(record, played, spread(len(played) + 1, frames), eye, board, everything=eye == PUBLIC))
    while len(shown) > 1 and sum(len(write(frame)) for frame in shown) > LONGEST_PAGE:
        shown = shown[(len(shown) + 1) % 2 :: 2]  # the last one stays
    names = tuple(seat.name for seat in record.seats)
    return write(Replayed(len(played) + 1, names, record.options, record.outcome, tuple(shown), eye))


def spread(total: int, most: int) -> list[int]:
    """Numbers of frames from 0 to the last one, as evenly as it goes."""
    if most == 1:
        return [total - 1]
    if total <= most:
        return list(range(total))
    return [k * (total - 1) // (most - 1) for k in range(most)]
