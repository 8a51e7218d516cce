"""Seeks: who looks for an opponent, for which game, clock and stakes. One for each person.

A seek says again and again that its maker is still there; one that has said nothing for a while counts no more,
whichever process heard it. All times are those of the database's clock: no clock is compared with another. Two seeks
become a match in the transaction that makes it: of several who want the same opponent, one gets them. Both are told of
it until they have come to it: an answer may be lost on its way, and who asks again must not find somebody else.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.core.words import Refused, Words
from quincunx.match.clock import ClockRule
from quincunx.store import schema
from quincunx.store.database import database_time, new_row
from quincunx.store.entrants import Booking
from quincunx.store.people import NO_PERSON
from quincunx.store.writer import Writer

seeks, people, ratings = schema.seeks, schema.people, schema.ratings
matches, seats = schema.matches, schema.seats

SILENCE = 10_000  # milliseconds after which somebody has left
MOST_LISTED = 200
GONE = Words("Cette personne ne cherche plus d’adversaire.", "This person does not look for an opponent any more.")


class Wanted(msgspec.Struct, frozen=True):
    game: str
    clock: ClockRule
    rated: bool
    friend: str | None = None  # only this person will do


class Seek(msgspec.Struct, frozen=True):
    """Somebody who is there and waits."""

    person: str
    name: str
    key_hash: str
    wanted: Wanted
    waited: int  # milliseconds
    mu: float | None  # their rating in that game; none: they are new
    sigma: float | None


class Seeks:
    """The seeks of a store."""

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer

    async def say(self, person: str, wanted: Wanted) -> str | None:
        """Somebody looks for an opponent, or still does. The match, if one was found to which they have not come."""
        row = msgspec.structs.asdict(wanted)
        mine = seeks.c.person == person

        def work(connection: Connection) -> str | None:
            now = database_time(connection)
            known = connection.execute(select(seeks).where(mine).with_for_update()).first()
            if known is not None and known.match is not None:
                if known.seen > now - SILENCE and connection.execute(_awaited(person, known.match)).first():
                    connection.execute(update(seeks).where(mine).values(seen=now))
                    return str(known.match)
                connection.execute(delete(seeks).where(mine))  # they play it, or had left before they heard of it
                known = None
            if known is None:
                new = new_row(connection, seeks).values(row | {"person": person, "since": now, "seen": now})
                connection.execute(new.on_conflict_do_nothing())  # said twice at once: to two processes
                connection.execute(delete(seeks).where(seeks.c.seen < now - 100 * SILENCE))
                return None
            same = all(getattr(known, name) == value for name, value in row.items()) and known.seen > now - SILENCE
            since = known.since if same else now
            connection.execute(update(seeks).where(mine).values(row | {"since": since, "seen": now}))
            return None

        try:
            return await self._writer.do(f"seek {person}", work)
        except IntegrityError:  # forgotten a moment ago
            raise Refused("no_person", NO_PERSON) from None

    async def leave(self, person: str) -> None:
        statement = delete(seeks).where(seeks.c.person == person)
        await self._writer.do(f"seek {person}", lambda connection: connection.execute(statement))

    async def all(self) -> list[Seek]:
        """Who is there and waits, the longest first."""
        same = (ratings.c.person == seeks.c.person) & (ratings.c.game == seeks.c.game)
        columns = (people.c.name, people.c.key_hash, ratings.c.mu, ratings.c.sigma)
        query = select(seeks, *columns).join(people, people.c.id == seeks.c.person).outerjoin(ratings, same)
        async with self._reading() as connection:
            now = await connection.run_sync(database_time)
            there = query.where(seeks.c.match.is_(None), seeks.c.seen > now - SILENCE)
            rows = (await connection.execute(there.order_by(seeks.c.since).limit(MOST_LISTED))).all()
        return [
            Seek(
                row.person, row.name, row.key_hash, Wanted(row.game, row.clock, row.rated, row.friend),
                max(0, now - row.since), row.mu, row.sigma,
            )
            for row in rows
        ]  # fmt: skip

    def pairing(self, match: str, one: Seek, two: Seek) -> Booking:
        """For `Store.create`: `one` has found `two`, who hears it when they ask again. Refused if either has left, or
        met another."""
        both = (one.person, two.person)

        def work(connection: Connection) -> None:
            now = database_time(connection)
            query = select(seeks).where(seeks.c.person.in_(both)).order_by(seeks.c.person).with_for_update()
            wants = {row.person: row for row in connection.execute(query)}
            for each in (one, two):
                row = wants.get(each.person)
                if row is None or row.match is not None or row.seen <= now - SILENCE:
                    raise Refused("seek_gone", GONE)
                if Wanted(row.game, row.clock, row.rated, row.friend) != each.wanted:
                    raise Refused("seek_gone", GONE)
            connection.execute(update(seeks).where(seeks.c.person.in_(both)).values(match=match))

        return Booking(f"seek {min(both)}", work, [])


def _awaited(person: str, match: str) -> Select[Any]:
    """Their seat in a match, as long as it is kept for them."""
    query = select(seats.c.number).join(matches, matches.c.id == seats.c.match)
    return query.where(
        seats.c.match == match, seats.c.person == person, seats.c.kind == "awaited", matches.c.status == "open"
    )
