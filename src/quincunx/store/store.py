"""The store: matches, their seats and entries. Setups, leases, contests, classrooms and people have doors of their own.

    async with Store.open("matches.db") as store:
        await store.create(match)
        match await store.append(match.id, 0, entries, client_move_id):
            case Appended(last_seq): …       # durable: now it may be acknowledged
            case Conflict(last_seq): …       # somebody was faster: read the entries, ask the referee again
            case Duplicate(seq): …           # sent twice: acknowledge it again

It keeps what it is given and knows no rules. Times are milliseconds since 1970; those of matches do not jump (uptime).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from operator import itemgetter
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    Text,
    Update,
    and_,
    case,
    cast,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from quincunx.core.words import Refused, Words
from quincunx.match.record import Entry, Outcome
from quincunx.store import schema
from quincunx.store.administration import Administration
from quincunx.store.appends import appending, rows_of
from quincunx.store.classrooms import Classrooms
from quincunx.store.contests import Contests
from quincunx.store.database import TROUBLE, complete, connect, unavailable
from quincunx.store.deletion import Deletion
from quincunx.store.entrants import Booking, Entrants
from quincunx.store.leases import Leases
from quincunx.store.news import Notification
from quincunx.store.notifications import Notifications
from quincunx.store.openings import Openings
from quincunx.store.people import People
from quincunx.store.ratings import Ratings
from quincunx.store.remarks import Remarks
from quincunx.store.seeks import Seeks
from quincunx.store.setups import Setups
from quincunx.store.shapes import (
    WAITING,
    Answer,
    SeatKind,
    Standing,
    Status,
    Stored,
    StoredMatch,
    StoredSeat,
    check_id,
    damaged,
)
from quincunx.store.sqlite_file import Claim
from quincunx.store.sqlite_line import SqliteLine
from quincunx.store.studies import Studies
from quincunx.store.uptime import UptimeClock, file_of, time_of
from quincunx.store.writer import Writer

matches, seats = schema.matches, schema.seats

PAGE = 100  # matches in a list, at most
PORTION = 250  # entries that are read at once: more, and everybody would wait
WRITTEN = 100  # and written at once: moves wait for a few of these
SEAT = ("number", "kind", "name", "player", "token_hash", "person")
_SEATS = msgspec.json.Decoder(list[tuple[int, SeatKind, str, str, str | None, str | None]])
HIDDEN = {"status": "open", "outcome": None, "public": False, "code": None}  # a match that is not written yet


class Store:
    """An open database. Any number of stores, in any number of processes, may have the same one open."""

    def __init__(self, engine: AsyncEngine, clock: UptimeClock | None = None, line: SqliteLine | None = None) -> None:
        self._engine = engine
        self.shared = line is not None or engine.dialect.name != "sqlite"  # with other processes that write
        self.clock = clock or UptimeClock()  # by which matches are played
        self.list_version = 0  # another one whenever a list of matches would be another
        self._notifications = Notifications(engine)
        self._writer = Writer(engine, self._notifications.notify, self._notifications.notify_neighbours, line)
        ways = self._reading, self._writer
        self.setups, self.studies, self.openings = Setups(*ways), Studies(*ways), Openings(*ways)
        self.contests, self.entrants, self.classrooms = Contests(*ways), Entrants(*ways), Classrooms(*ways)
        self.people, self.ratings = People(*ways), Ratings(*ways)
        self.seeks, self.remarks = Seeks(*ways), Remarks(*ways)
        self.leases = Leases(self._writer, engine.dialect.name)
        self.administration, self.deletion = Administration(*ways), Deletion(*ways)

    @classmethod
    @asynccontextmanager
    async def open(cls, address: str, alone: bool = False, writer: str | None = None) -> AsyncIterator[Store]:
        """A path, `sqlite:///path` or `postgresql://…`. Refused if it cannot be opened, or is too new; `alone`: also if
        it is a file that another server has. `writer`: the socket of the process that writes it for several."""
        url = complete(address)
        file = str(url.database) if url.get_backend_name() == "sqlite" else None
        line = await SqliteLine.open(file, writer) if file and writer else None
        engine = await connect(url, prepared=line is not None)
        try:
            claim = Claim(file) if alone and file and not line else None
            begin = time_of(file) if file else None  # commands beside a server go by its time
            clock = UptimeClock(file_of(file) if claim and file else None, begin=line.told if line else begin)
            store = cls(engine, clock, line)
            if line:
                line.serve(store._notifications.hear, clock)
            beating = asyncio.create_task(store.clock.run())
            try:
                yield store
            finally:
                beating.cancel()
                store.clock.close()
                await store._writer.close()
                await store._notifications.close()
                if claim:
                    claim.release()
        finally:
            await engine.dispose()

    # -- entries -------------------------------------------------------------------------------------------------

    async def append(
        self,
        match: str,
        after_seq: int,
        entries: Sequence[Entry],
        client_move_id: str | None = None,
        *,
        status: Status | None = None,
        outcome: Outcome | None = None,
    ) -> Answer:
        """Writes entries as `after_seq + 1` and on, all or none, with what becomes of the match (an outcome ends it).

        It returns when they are durable. A `client_move_id` that the match has seen is a Duplicate, whatever the rest.
        """
        append = appending(match, after_seq, entries, client_move_id, status, outcome)
        answer = await self._writer.append(*append)
        self.list_version += append.change is not None
        return answer

    async def entries(self, match: str, after_seq: int = 0) -> list[Stored]:
        table = schema.entries
        query = select(table.c.seq, table.c.payload, table.c.client_move_id).where(table.c.match == match)
        query = query.order_by(table.c.seq).limit(PORTION)
        found: list[Stored] = []
        last: int | None = after_seq
        async with self._reading() as connection:
            while last is not None:
                try:
                    rows = (await connection.execute(query.where(table.c.seq > last))).all()
                except msgspec.DecodeError:
                    raise damaged("?") from None
                found += [Stored(*row) for row in rows]
                last = found[-1].seq if len(rows) == PORTION else None
        for seq, stored in enumerate(found, after_seq + 1):
            if stored.seq != seq:
                raise damaged(seq)
        return found

    async def entries_text(self, match: str) -> bytes:
        """All of them as one JSON array, for those who work elsewhere: here nobody waits for its making."""
        table = schema.entries
        query = select(table.c.seq, cast(table.c.payload, Text).label("payload")).where(table.c.match == match)
        rows = query.order_by(table.c.seq).subquery()
        together = func.group_concat if self._engine.dialect.name == "sqlite" else func.string_agg
        whole = select(func.count(), func.max(rows.c.seq), together(rows.c.payload, ","))
        async with self._reading() as connection:
            count, last, text = (await connection.execute(whole)).one()
        if count and count != last:
            raise damaged("?")
        return f"[{text or ''}]".encode()

    async def last_seq(self, match: str) -> int:
        """How far a match has come, without reading it."""
        table = schema.entries
        async with self._reading() as connection:
            last = (await connection.execute(select(func.max(table.c.seq)).where(table.c.match == match))).scalar()
        return last or 0

    async def knows_move(self, match: str, client_move_id: str) -> bool:
        """Was a move of this id written? What a file says that is gone counts for nothing."""
        await self._writer.ready()
        table = schema.entries
        query = select(table.c.seq).where(table.c.match == match, table.c.client_move_id == client_move_id)
        async with self._reading() as connection:
            return (await connection.execute(query)).first() is not None

    def notifications(self) -> AsyncIterator[Notification]:
        """What others append, as it happens: other processes (PostgreSQL), other stores of this process (SQLite)."""
        return self._notifications.listen()

    # -- matches and seats ---------------------------------------------------------------------------------------

    async def create(
        self, match: StoredMatch, entries: Sequence[Entry] = (), booking: Booking | None = None
    ) -> StoredMatch:
        """Writes a new match, with the entries it begins with: dice, what a fork keeps, or all of one that is over; and
        that it is a bout of an arena.

        It is open while a seat is, or is kept for somebody who has not come."""
        for id in (match.id, match.code, match.rematch_of):
            if id is not None:
                check_id(id)
        is_open = any(seat.kind in WAITING for seat in match.seats)
        if match.status != "over":
            match = msgspec.structs.replace(match, status="open" if is_open else "playing", outcome=None)
        match = msgspec.structs.replace(match, began=None if is_open else self.clock())

        def work(connection: Connection) -> None:
            connection.execute(insert(matches), _row(match) | (HIDDEN if len(entries) > WRITTEN else {}))
            sitting = [{"match": match.id, "number": number} | _row(seat) for number, seat in enumerate(match.seats)]
            if sitting:
                connection.execute(insert(seats), sitting)
            if entries:
                connection.execute(insert(schema.entries), rows_of(match.id, 0, entries[:WRITTEN], None))
            if booking:
                booking.write(connection)

        try:
            await self._writer.do(booking.contest if booking else match.id, work, match.rematch_of)
            if len(entries) > WRITTEN:
                await self._add(match, entries)
        except IntegrityError:
            words = Words(
                "Cet identifiant, ce code ou cette revanche existe déjà.", "This id, code or rematch exists already."
            )
            raise Refused("taken", words) from None
        self.list_version += 1
        return match

    async def _add(self, match: StoredMatch, entries: Sequence[Entry]) -> None:
        """The other entries of a new match, in portions: others are not to wait for all of them. It is shown in the
        end; until then nobody knows its id."""
        for done in range(WRITTEN, len(entries), WRITTEN):
            rows = rows_of(match.id, done, entries[done : done + WRITTEN], None)
            await self._writer.do(match.id, partial(_insert, rows))
        shown = {name: value for name, value in _row(match).items() if name in HIDDEN}
        statement = update(matches).where(matches.c.id == match.id).values(shown)
        await self._writer.do(match.id, lambda connection: connection.execute(statement))

    async def match(self, id: str) -> StoredMatch | None:
        return await self._one(matches.c.id == id)

    async def by_code(self, code: str) -> StoredMatch | None:
        return await self._one(matches.c.code == code)

    async def by_token(self, token_hash: str) -> tuple[str, int] | None:
        """The match and the seat that somebody holds; of several, which rematches make, the latest."""
        held = select(seats.c.match, seats.c.number).join(matches, matches.c.id == seats.c.match)
        latest = held.where(seats.c.token_hash == token_hash).order_by(matches.c.created.desc()).limit(1)
        async with self._reading() as connection:
            row = (await connection.execute(latest)).first()
            return None if row is None else (str(row[0]), int(row[1]))

    async def rematch_of(self, id: str) -> StoredMatch | None:
        """The match that followed another one."""
        return await self._one(matches.c.rematch_of == id)

    async def standings(self, ids: Sequence[str]) -> dict[str, Standing]:
        """Of many matches at once, without those that are gone."""
        rows, said, after = schema.entries, schema.remarks, matches.alias()
        last = select(func.max(rows.c.seq)).where(rows.c.match == matches.c.id).scalar_subquery()
        remark = select(func.max(said.c.number)).where(said.c.match == matches.c.id).scalar_subquery()
        rematch = select(after.c.id).where(after.c.rematch_of == matches.c.id).scalar_subquery()
        query = self._select([*matches.c, last.label("last"), rematch.label("rematch"), remark.label("remark")])
        found = {}
        for begin in range(0, len(ids), PAGE):
            some = matches.c.id.in_(ids[begin : begin + PAGE])
            async with self._reading() as connection:
                for row in await connection.execute(query.where(some, matches.c.status != "deleted")):
                    found[row.id] = Standing(_stored(row), row.last or 0, row.rematch, row.remark or 0)
        return found

    async def claim_seat(
        self,
        match: str,
        number: int,
        name: str,
        token_hash: str,
        kind: SeatKind = "person",
        *,
        person: str | None = None,
        now: int | None = None,
    ) -> bool:
        """Takes an open seat, if it is still open. Whoever takes the last one begins the match."""
        began = self.clock() if now is None else now

        def work(connection: Connection) -> bool:
            # Two who take the last two seats must see each other: they wait here (PostgreSQL; SQLite has one writer)
            locked = select(matches.c.id).where(matches.c.id == match, matches.c.status == "open")
            if connection.execute(locked.with_for_update(key_share=True)).first() is None:
                return False
            free = and_(seats.c.match == match, seats.c.kind == "open", seats.c.number == number)
            values = {"kind": kind, "name": name, "token_hash": token_hash, "person": person}
            taken = connection.execute(update(seats).where(free).values(values))
            connection.execute(_begin(match, began))
            return taken.rowcount == 1

        claimed = await self._writer.do(match, work, match)
        self.list_version += 1
        return claimed

    async def arrive(self, match: str, numbers: Sequence[int], *, now: int | None = None) -> None:
        """Those for whom these seats were kept have come. Whoever comes last begins the match."""
        began = self.clock() if now is None else now

        def work(connection: Connection) -> None:
            connection.execute(select(matches.c.id).where(matches.c.id == match).with_for_update(key_share=True))
            kept = and_(seats.c.match == match, seats.c.kind == "awaited", seats.c.number.in_(numbers))
            whom = case((seats.c.player.in_(("person", "program")), seats.c.player), else_="computer")
            connection.execute(update(seats).where(kept).values(kind=whom))
            connection.execute(_begin(match, began))

        await self._writer.do(match, work, match)
        self.list_version += 1

    async def list_matches(
        self,
        status: Status | None = None,
        game: str | None = None,
        *,
        public_only: bool = True,
        limit: int = 50,
        before: str | None = None,
    ) -> list[StoredMatch]:
        """The newest first, without their starts, which may be long; `before` is the last id of the page before."""
        columns = [literal("").label("start") if column.name == "start" else column for column in matches.c]
        query = self._select(columns).order_by(matches.c.created.desc(), matches.c.id.desc())
        query = query.where(matches.c.status != "deleted")
        if status:
            query = query.where(matches.c.status == status)
        if status == "open":  # for somebody, not only until those who belong there have come
            query = query.where(exists().where(seats.c.match == matches.c.id, seats.c.kind == "open"))
        if game:
            query = query.where(matches.c.game == game)
        if public_only:
            query = query.where(matches.c.public)
        if before is not None:
            other = matches.alias()
            then = select(other.c.created).where(other.c.id == before).scalar_subquery()
            same = and_(matches.c.created == then, matches.c.id < before)
            query = query.where(or_(matches.c.created < then, same))
        found = []
        async with self._reading() as connection:
            for row in await connection.execute(query.limit(max(1, min(limit, PAGE)))):
                found.append(_stored(row))
                await asyncio.sleep(0)  # each may have a hundred seats
        return found

    async def timed_with_computers(self) -> list[str]:
        """Matches under way with a clock and a computer. Whether it is its turn, the referee knows."""
        sits = exists().where(seats.c.match == matches.c.id, seats.c.kind == "computer")
        query = select(matches.c.id, matches.c.clock).where(matches.c.status == "playing", sits)
        async with self._reading() as connection:
            rows = await connection.execute(query.order_by(matches.c.created))
            return [id for id, clock in rows if clock.kind != "none"]

    # -- inside --------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.connect() as connection:
                yield connection
        except TROUBLE as error:
            raise unavailable(error) from error

    async def _one(self, condition: Any) -> StoredMatch | None:
        async with self._reading() as connection:
            query = self._select(matches.c).where(condition, matches.c.status != "deleted")
            row = (await connection.execute(query)).first()
            return None if row is None else _stored(row)

    def _select(self, columns: Iterable[ColumnElement[Any]]) -> Select[Any]:
        """Of matches, the seats in one text: a match may have a hundred, and a row costs more than what is in it."""
        lite = self._engine.dialect.name == "sqlite"
        seat = (func.json_array if lite else func.json_build_array)(*seats.c[SEAT])
        together = (func.json_group_array if lite else func.json_agg)(seat)
        sitting = select(cast(together, Text)).where(seats.c.match == matches.c.id).scalar_subquery()
        return select(*columns, sitting.label("seats"))


def _insert(rows: list[dict[str, Any]], connection: Connection) -> None:
    connection.execute(insert(schema.entries), rows)


def _stored(row: Row[Any]) -> StoredMatch:
    fields = dict(row._mapping)
    sitting = sorted(_SEATS.decode(fields.pop("seats") or "[]"), key=itemgetter(0))
    fields = {name: fields[name] for name in StoredMatch.__struct_fields__ if name != "seats"}
    return StoredMatch(seats=tuple(StoredSeat(*seat[1:]) for seat in sitting), **fields)


def _row(struct: StoredMatch | StoredSeat) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__ if name != "seats"}


def _begin(match: str, began: int) -> Update:
    """Begins a match in which nobody is waited for any more."""
    waits = exists().where(seats.c.match == match, seats.c.kind.in_(WAITING))
    query = update(matches).where(matches.c.id == match, matches.c.status == "open", ~waits)
    return query.values(status="playing", began=began)
