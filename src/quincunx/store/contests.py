"""Contests: plans, results with their records, and claims. It keeps what it is given and knows neither games nor rules.

Results are only ever added to, under contest, pairing and number: of two who played the same match, one is kept. Who
writes a contest locks its row, so results have a `seq` without gaps, in the order in which they can be seen: whoever
knows all up to one asks for those after it, and misses none.

A claim says which matches a runner plays now. Nobody's clock is compared with another's (leases.py): a runner renews
its claim, and one whose claim stays the same for SILENCE, by the watcher's own clock, is gone; so is one of whom the
watcher knows that it ended. What it held is free again.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager

import msgspec
from sqlalchemy import Connection, Select, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.core.words import Refused, Words
from quincunx.store import schema
from quincunx.store.writer import Writer

contests, results, claims = schema.contests, schema.results, schema.claims

SILENCE = 8.0  # seconds
PORTION = 1000  # results that are read at once

Match = tuple[int, int]  # pairing and number
_MATCHES = msgspec.json.Decoder(list[Match])

NO_CONTEST = Words("Aucun concours ne s’appelle {}.", "No contest is called {}.")


class StoredContest(msgspec.Struct, frozen=True):
    id: str
    name: str
    game: str
    plan: str
    created: int
    results: int = 0
    finished: int | None = None


class StoredResult(msgspec.Struct, frozen=True):
    pairing: int
    number: int
    result: str  # JSON
    place: str = ""
    at: int = 0
    seq: int = 0
    record: bytes | None = None


class Step(msgspec.Struct, frozen=True):
    """What a runner learns when it writes: results that it has not seen, and what it may play next."""

    news: list[StoredResult]  # without records
    taken: list[Match]


class Instant(msgspec.Struct, frozen=True):
    """How a contest stands, in brief: cheap to ask again and again."""

    results: int  # the last `seq`
    finished: int | None
    playing: list[Match]  # what runners hold now


Choice = Callable[[Sequence[StoredResult], set[Match]], list[Match]]  # the news, what others hold → what to take; in
# SQLite it is asked in another thread, while who asked waits


class Rivals:
    """Claims of other runners, and since when each has stayed the same."""

    def __init__(self, is_gone: Callable[[str], bool] = lambda runner: False) -> None:
        self._seen: dict[str, tuple[int, float]] = {}
        self._is_gone = is_gone

    def holds(self, runner: str, renewal: int) -> bool:
        now = time.monotonic()
        before, since = self._seen.get(runner, (renewal, now))
        self._seen[runner] = (renewal, since if before == renewal else now)
        return not self._is_gone(runner) and now - self._seen[runner][1] < SILENCE


class Contests:
    """The contests of a store."""

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer
        self.made = 0  # contests by this process: whoever keeps a list must make it anew

    async def create(self, id: str, name: str, game: str, plan: str) -> StoredContest:
        """Once, however many do so."""
        row = {"id": id, "name": name, "game": game, "plan": plan, "created": time.time_ns() // 1_000_000, "results": 0}

        def work(connection: Connection) -> None:
            new = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
            connection.execute(new(contests).values(row).on_conflict_do_nothing())

        await self._writer.do(id, work)
        self.made += 1
        return await self.get(id)

    async def get(self, id: str) -> StoredContest:
        """By its id, or by the beginning of it that no other has."""
        beginning = contests.c.id.startswith(id, autoescape=True)
        async with self._reading() as connection:
            rows = (await connection.execute(select(contests).where(beginning).limit(2))).all()
        found = await self.known(id) or (StoredContest(**rows[0]._mapping) if len(rows) == 1 and id else None)
        if found is None:
            raise Refused("no_such_contest", NO_CONTEST.format(id))
        return found

    async def known(self, id: str) -> StoredContest | None:
        """By its whole id."""
        async with self._reading() as connection:
            found = (await connection.execute(select(contests).where(contests.c.id == id))).first()
            return None if found is None else StoredContest(**found._mapping)

    async def latest(self, limit: int = 100) -> list[StoredContest]:
        """The newest first."""
        query = select(contests).order_by(contests.c.created.desc(), contests.c.id).limit(limit)
        async with self._reading() as connection:
            return [StoredContest(**row._mapping) for row in await connection.execute(query)]

    async def unfinished(self) -> list[StoredContest]:
        """Those that go on, the oldest first."""
        query = select(contests).where(contests.c.finished.is_(None)).order_by(contests.c.created, contests.c.id)
        async with self._reading() as connection:
            return [StoredContest(**row._mapping) for row in await connection.execute(query)]

    async def delete(self, id: str) -> None:
        def work(connection: Connection) -> None:
            of_arenas = (schema.entrants, schema.bouts, schema.presence)
            of_classes = (schema.rounds, schema.uploads, schema.class_contests)
            for table in (claims, results, *of_arenas, *of_classes):
                connection.execute(delete(table).where(table.c.contest == id))
            connection.execute(delete(contests).where(contests.c.id == id))

        await self._writer.do(id, work)

    # -- running -------------------------------------------------------------------------------------------------

    async def advance(
        self,
        id: str,
        runner: str,
        played: Sequence[StoredResult],
        seen: int,
        holding: Sequence[Match],
        choose: Choice,
        rivals: Rivals,
    ) -> Step:
        """Writes what a runner has played, tells it what all have since `seen`, and lets it take more. `holding`: what
        it took before and has not played yet."""
        at = time.time_ns() // 1_000_000

        def work(connection: Connection) -> Step:
            last = lock(connection, id)
            news = _after(connection, id, seen) if last > seen else []
            if new := insert_results(connection, id, played, last, at):
                connection.execute(update(contests).where(contests.c.id == id).values(results=new[-1].seq))
                news += new
            held = _held(connection, id, runner, rivals)
            taken = choose(news, held)
            _claim(connection, id, runner, [*holding, *taken])
            return Step(news, taken)

        return await self._writer.do(id, work)

    async def leave(self, id: str, runner: str, finished: bool) -> None:
        """A runner ends."""

        def work(connection: Connection) -> None:
            connection.execute(delete(claims).where(claims.c.contest == id, claims.c.runner == runner))
            if finished:
                now = time.time_ns() // 1_000_000
                over = update(contests).where(contests.c.id == id, contests.c.finished.is_(None))
                connection.execute(over.values(finished=now))

        await self._writer.do(id, work)

    # -- reading -------------------------------------------------------------------------------------------------

    async def results(self, id: str, after: int = 0) -> AsyncIterator[StoredResult]:
        """In the order in which they were written, without their records."""
        while True:
            async with self._reading() as connection:
                rows = await connection.run_sync(_after, id, after, PORTION)
            for row in rows:
                yield row
            if len(rows) < PORTION:
                return
            after = rows[-1].seq

    async def record(self, id: str, pairing: int, number: int) -> bytes | None:
        """Compressed, as it was given; None if that match was not played, or its record not kept."""
        query = select(results.c.record).where(
            results.c.contest == id, results.c.pairing == pairing, results.c.number == number
        )
        async with self._reading() as connection:
            found = (await connection.execute(query)).scalar()
            return None if found is None else bytes(found)

    async def playing(self, id: str) -> list[Match]:
        """What runners hold, those that are gone included."""
        async with self._reading() as connection:
            rows = await connection.execute(select(claims.c.matches).where(claims.c.contest == id))
            return [match for (text,) in rows for match in _MATCHES.decode(text)]

    async def instant(self, id: str, rivals: Rivals) -> Instant:
        """Claims of those who are gone do not count."""
        known = select(contests.c.results, contests.c.finished).where(contests.c.id == id)
        held = select(claims.c.runner, claims.c.matches, claims.c.renewal).where(claims.c.contest == id)
        async with self._reading() as connection:
            row = (await connection.execute(known)).first()
            rows = (await connection.execute(held.order_by(claims.c.runner))).all()
        if row is None:
            raise Refused("no_such_contest", NO_CONTEST.format(id))
        playing = [
            match for who, text, renewal in rows if rivals.holds(who, renewal) for match in _MATCHES.decode(text)
        ]
        return Instant(row.results, row.finished, playing)


# -- statements -----------------------------------------------------------------------------------------------------

_SHOWN = [column for column in results.c if column.name not in ("contest", "record")]


def lock(connection: Connection, id: str) -> int:
    """The last seq. Others who write this contest wait (PostgreSQL; SQLite has one writer)."""
    last = (connection.execute(select(contests.c.results).where(contests.c.id == id).with_for_update())).scalar()
    if last is None:
        raise Refused("no_such_contest", NO_CONTEST.format(id))
    return int(last)


def insert_results(
    connection: Connection, id: str, played: Sequence[StoredResult], last: int, at: int
) -> list[StoredResult]:
    """Those that were new, as they are read."""
    known: set[Match] = set()
    for pairing in {row.pairing for row in played}:
        numbers = [row.number for row in played if row.pairing == pairing]
        query = select(results.c.pairing, results.c.number).where(
            results.c.contest == id, results.c.pairing == pairing, results.c.number.between(min(numbers), max(numbers))
        )
        known |= {(row[0], row[1]) for row in connection.execute(query)}
    new = {(row.pairing, row.number): row for row in played if (row.pairing, row.number) not in known}
    rows = [
        {"contest": id, "seq": seq, "at": row.at or at, "pairing": row.pairing, "number": row.number,
         "result": row.result, "place": row.place, "record": row.record}
        for seq, row in enumerate(new.values(), last + 1)
    ]  # fmt: skip
    if rows:
        connection.execute(insert(results), rows)
    return [
        StoredResult(row.pairing, row.number, row.result, row.place, row.at or at, seq)
        for seq, row in enumerate(new.values(), last + 1)
    ]


def _after(connection: Connection, id: str, seen: int, limit: int | None = None) -> list[StoredResult]:
    query: Select[tuple[object, ...]] = select(*_SHOWN).where(results.c.contest == id, results.c.seq > seen)
    rows = connection.execute(query.order_by(results.c.seq).limit(limit))
    return [StoredResult(**row._mapping) for row in rows]


def _held(connection: Connection, id: str, runner: str, rivals: Rivals) -> set[Match]:
    """What others hold. Claims of those who are gone, go."""
    query = select(claims.c.runner, claims.c.matches, claims.c.renewal).where(claims.c.contest == id)
    held: set[Match] = set()
    for other, text, renewal in (connection.execute(query.where(claims.c.runner != runner))).all():
        if rivals.holds(other, renewal):
            held |= set(_MATCHES.decode(text))
        else:
            connection.execute(delete(claims).where(claims.c.contest == id, claims.c.runner == other))
    return held


def _claim(connection: Connection, id: str, runner: str, matches: Sequence[Match]) -> None:
    row = {"contest": id, "runner": runner, "matches": schema.to_json(matches), "renewal": secrets.randbits(48)}
    new = (sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert)(claims).values(row)
    again = {name: new.excluded[name] for name in ("matches", "renewal")}
    connection.execute(new.on_conflict_do_update(index_elements=[claims.c.contest, claims.c.runner], set_=again))
