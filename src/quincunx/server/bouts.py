"""The matches of an arena that are under way, seen to until each has its result.

    open      somebody has not come: after GRACE the match is called off, and does not count
    playing   who is gone for AWAY, from the match and from the arena, has lost it
    over      its result is written, once, with its record

All of it is worked out from the store: whoever takes an arena up, after a crash or beside another process, does the
same. Times of absence begin anew then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from functools import partial

import msgspec

from quincunx.core.words import Refused
from quincunx.match.record import Entry, Happened, Outcome, Played
from quincunx.match.referee import Referee, Ruling
from quincunx.players.programs.limits import Trouble
from quincunx.server.attendance import Attendance
from quincunx.server.frames import read_entries
from quincunx.server.live import LiveMatch
from quincunx.server.lobby import NO_MATCH
from quincunx.server.logs import log
from quincunx.server.matches import LiveMatches
from quincunx.server.process_pool import run_here
from quincunx.server.records import SHORT
from quincunx.store import StoredMatch
from quincunx.store.contests import StoredResult
from quincunx.store.entrants import StoredBout
from quincunx.store.shapes import WAITING
from quincunx.tournament.playing import packed, place, troubles
from quincunx.tournament.results import Result

GRACE = 30.0  # seconds in which those whose match was made have to come to it
ROTTEN = ("no_such_match", "other_rules", "damaged")  # a match that cannot be played on, nor read
AWAY = 60.0  # seconds after which one who has left its match has lost it


class _Followed:
    """One match."""

    def __init__(self, bout: StoredBout, live: LiveMatch) -> None:
        self.bout = bout
        self.live = live
        self.since = time.monotonic()
        self.away: dict[int, float] = {}  # since when


class Bouts:
    """Those of one arena."""

    def __init__(self, matches: LiveMatches, attendance: Attendance, on_change: Callable[[], None]) -> None:
        self._matches = matches
        self._attendance = attendance
        self._on_change = on_change
        self._followed: dict[str, _Followed] = {}

    async def see_to(self, running: Sequence[StoredBout], here: Collection[str]) -> list[str]:
        """All that have not ended. `here`: who is in the arena. Who did not come to a match that is called off for it,
        is named."""
        absent: list[str] = []
        for bout in running:
            try:
                absent += await self._see_to(bout, here)
            except Refused as refused:
                log.warning("bout.left", match=bout.match, code=refused.code)
                if refused.code in ROTTEN:
                    await self._matches.store.entrants.end(bout, None)
        return absent

    async def _see_to(self, bout: StoredBout, here: Collection[str]) -> list[str]:
        followed = self._followed.get(bout.match) or await self._take_up(bout)
        if followed.live.match.over:
            await self._end(followed)
        elif followed.live.stored.status == "open":
            return await self._wait_for_all(followed)
        else:
            await self._wait_for_return(followed, here)
        return []

    def close(self) -> None:
        for followed in self._followed.values():
            followed.live.listeners.discard(self._heard)
        self._followed.clear()

    def _heard(self, live: LiveMatch) -> None:
        """A match went on; only its end matters here."""
        if live.match.over:
            self._on_change()

    async def _take_up(self, bout: StoredBout) -> _Followed:
        live = await self._matches.get(bout.match)
        if live is None:
            raise Refused("no_such_match", NO_MATCH)
        followed = self._followed[bout.match] = _Followed(bout, live)
        live.listeners.add(self._heard)
        self._attendance.attend(live)
        return followed

    # -- waiting -------------------------------------------------------------------------------------------------

    async def _wait_for_all(self, followed: _Followed) -> list[str]:
        """Nobody's clock runs yet."""
        live, seats = followed.live, followed.live.stored.seats
        missing = [seat.name for seat in seats if seat.kind in WAITING]
        if time.monotonic() - followed.since < GRACE:
            return []

        def call_off(referee: Referee, at: int) -> Ruling:
            return [] if live.stored.status != "open" else [Happened("abort", at, reason="absent")]

        await self._matches.ask(live, call_off)
        return missing if live.match.over else []

    async def _wait_for_return(self, followed: _Followed, here: Collection[str]) -> None:
        live, now = followed.live, time.monotonic()
        for seat, sits in enumerate(live.stored.seats):
            if sits.token_hash is None or sits.name in here or live.is_present(seat) or seat in live.match.gone:
                followed.away.pop(seat, None)
            elif now - followed.away.setdefault(seat, now) >= AWAY:
                await self._matches.ask(live, partial(_lose, seat))

    # -- results -------------------------------------------------------------------------------------------------

    async def _end(self, followed: _Followed) -> None:
        store, bout = self._matches.store, followed.bout
        stored = await store.match(bout.match)
        if stored is None or stored.outcome is None:
            return  # the store has not heard of it yet
        entries = await store.entries_text(bout.match)
        run = run_here if len(entries) < SHORT else self._matches.run
        result: StoredResult | None = None
        if stored.outcome.reason != "abort":
            result = msgspec.msgpack.decode(await run(finished, stored, entries, bout), type=StoredResult)
        await store.entrants.end(bout, result)
        followed.live.listeners.discard(self._heard)
        del self._followed[bout.match]
        self._on_change()


def _lose(seat: int, referee: Referee, at: int) -> Ruling:
    why = Trouble("absent", round(AWAY))
    return referee.forfeit(seat, why.code, at, why.detail)


def finished(stored: StoredMatch, entries: bytes, bout: StoredBout) -> bytes:
    """What is written of a match that is over."""
    record = stored.record(read_entries(entries))
    outcome: Outcome = record.outcome  # type: ignore[assignment]
    seconds, choices = efforts(record.entries, len(bout.players))
    result = Result(
        bout.pairing, 0, bout.players, tuple(outcome.ranks), reason=outcome.reason, seconds=seconds, choices=choices,
        troubles=troubles(record, len(bout.players)),
    )  # fmt: skip
    text = msgspec.json.encode(result).decode()
    return msgspec.msgpack.encode(StoredResult(bout.pairing, 0, text, place(), record=packed(record)))


def efforts(entries: Sequence[Entry], seats: int) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Seconds and actions of each seat: from one entry to the next, time is that of who acts. Where several think at
    once, this is less than each has used."""
    spent, chosen, before = [0] * seats, [0] * seats, 0
    for entry in entries:
        if isinstance(entry, Played) and entry.seat >= 0:
            spent[entry.seat] += max(0, entry.at - before)
            chosen[entry.seat] += 1
        before = max(before, entry.at)
    return tuple(each / 1000 for each in spent), tuple(chosen)
