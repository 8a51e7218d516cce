"""What people at a table say to each other. It passes through the store so that it reaches whoever is connected to
another process, and is forgotten after a few minutes: it is no part of a match or of its record."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import msgspec
from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.store.database import database_time
from quincunx.store.schema import matches, remarks
from quincunx.store.writer import Writer

FRESH = 15_000  # milliseconds in which one may still be heard,
KEPT = 600_000  # and after which it is gone


class Remark(msgspec.Struct, frozen=True):
    number: int
    seat: int
    phrase: str | None
    text: str


class Remarks:
    """The remarks of a store."""

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer

    async def say(self, match: str, seat: int, phrase: str | None, text: str) -> None:
        """Other processes are told that there is something new of the match."""

        def work(connection: Connection) -> None:
            now = database_time(connection)
            connection.execute(select(matches.c.id).where(matches.c.id == match).with_for_update(key_share=True))
            last = connection.execute(select(func.max(remarks.c.number)).where(remarks.c.match == match)).scalar()
            row = {"match": match, "number": (last or 0) + 1, "seat": seat, "phrase": phrase, "text": text, "at": now}
            connection.execute(insert(remarks), row)
            connection.execute(delete(remarks).where(remarks.c.at < now - KEPT))

        await self._writer.do(match, work, match)

    async def since(self, match: str, number: int) -> list[Remark]:
        """What was said after that, not long ago."""
        columns = [remarks.c[name] for name in Remark.__struct_fields__]
        async with self._reading() as connection:
            fresh = await connection.run_sync(database_time) - FRESH
            query = select(*columns).where(remarks.c.match == match, remarks.c.number > number, remarks.c.at > fresh)
            return [Remark(*row) for row in await connection.execute(query.order_by(remarks.c.number))]
