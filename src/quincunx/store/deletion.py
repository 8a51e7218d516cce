"""Matches that go: those that are over and old (retention), and those that the administrator deletes.

    over ──mark──▶ deleted ──erase, a portion at a time──▶ gone

A match that is marked exists for nobody any more; what is left of it is erased in small portions, so that no move waits
for a long match. If the process ends meanwhile, the next one goes on with what is marked.

Other rows may need a match: the next one of a chain of rematches, a contest's. Whatever table refers to matches, and is
no part of them, keeps it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.core.words import Refused, Words
from quincunx.store.administration import tell
from quincunx.store.schema import entries, leases, matches, metadata, seats
from quincunx.store.writer import NO_MATCH, Writer

MARKED = 20  # matches at once
ERASED = 200  # entries at once: a move waits for so much at most
PAUSE = 0.02  # seconds between two portions
PARTS = (entries, leases, seats)

PLAYING = Words(
    "Cette partie se joue encore : terminez-la d’abord (quincunx admin end {}).",
    "This match is still being played: end it first (quincunx admin end {}).",
)
NEEDED = Words(
    "Un tournoi a encore besoin de cette partie : supprimez d’abord le tournoi.",
    "A contest still needs this match: delete the contest first.",
)


class Deletion:
    """How matches leave a store."""

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer

    async def delete(self, match: str) -> None:
        """One match, by order; not one that is being played, or that a contest needs."""

        def work(connection: Connection) -> None:
            status = connection.execute(
                select(matches.c.status).where(matches.c.id == match).with_for_update()
            ).scalar()
            if status is None or status == "deleted":
                raise Refused("no_such_match", NO_MATCH)
            if status == "playing":
                raise Refused("running", PLAYING.format(match))
            connection.execute(update(matches).where(matches.c.rematch_of == match).values(rematch_of=None))
            if not _mark([match], None, connection):
                raise Refused("needed", NEEDED)
            tell(connection, "deleted", match)

        await self._writer.do(match, work)
        await self._erase()

    async def prune(self, before: int, spare: Callable[[str], bool] = lambda match: False) -> int:
        """Deletes the matches that ended before then and that nothing needs, but those that `spare` names. How many."""
        await self._erase()  # what an earlier process left
        count, found = 0, -1
        while found:  # the last of a chain of rematches goes first; then the one before it may
            found = 0
            async for portion in self._old(before):
                ids = [id for id in portion if not spare(id)]
                found += len(await self._writer.do("", partial(_mark, ids, before)))
                await self._erase()
            count += found
        return count

    async def _old(self, before: int) -> AsyncIterator[list[str]]:
        """Ids, in portions, the oldest first."""
        at, last = -1, ""
        while True:
            after = or_(matches.c.created > at, and_(matches.c.created == at, matches.c.id > last))
            query = select(matches.c.created, matches.c.id).where(after, *_goes(before))
            async with self._reading() as connection:
                rows = (await connection.execute(query.order_by(matches.c.created, matches.c.id).limit(MARKED))).all()
            if not rows:
                return
            at, last = rows[-1]
            yield [id for _, id in rows]

    async def _erase(self) -> None:
        while await self._writer.do("", _erase_some):
            await asyncio.sleep(PAUSE)


def _goes(before: int) -> Iterator[ColumnElement[bool]]:
    """Of matches: over since then at least, and needed by nothing. `created` is there for the index."""
    mine = select(entries.c.at).where(entries.c.match == matches.c.id)
    last = mine.order_by(entries.c.seq.desc()).limit(1).scalar_subquery()  # by the key, however long the match is
    yield matches.c.status == "over"
    yield matches.c.created < before
    yield func.coalesce(matches.c.began, matches.c.created) + func.coalesce(last, 0) < before
    yield ~_needed()


def _needed() -> ColumnElement[bool]:
    """Does a row of any table refer to a match, and is no part of it?"""
    found = []
    for table in metadata.tables.values():
        for column in table.c:
            if table not in PARTS and any(key.column is matches.c.id for key in column.foreign_keys):
                other = table.alias()
                found.append(exists(select(1).select_from(other).where(other.c[column.name] == matches.c.id)))
    return or_(*found)


def _mark(ids: list[str], before: int | None, connection: Connection) -> list[str]:
    """Those that go: what was true when they were looked for must still be, once nobody else may change it."""
    connection.execute(select(matches.c.id).where(matches.c.id.in_(ids)).order_by(matches.c.id).with_for_update())
    conditions = [~_needed()] if before is None else list(_goes(before))
    found = list(connection.execute(select(matches.c.id).where(matches.c.id.in_(ids), *conditions)).scalars())
    nobodys = {"status": "deleted", "public": False, "code": None, "rematch_of": None}
    connection.execute(update(matches).where(matches.c.id.in_(found)).values(nobodys))
    return found


def _erase_some(connection: Connection) -> bool:
    """A portion of what is marked. Is there more?"""
    marked = select(matches.c.id).where(matches.c.status == "deleted").order_by(matches.c.id).limit(MARKED)
    ids, left = list(connection.execute(marked.with_for_update()).scalars()), ERASED
    for id in ids:
        mine = entries.c.match == id
        last = connection.execute(select(func.max(entries.c.seq)).where(mine)).scalar() or 0
        left -= connection.execute(delete(entries).where(mine, entries.c.seq > last - left)).rowcount
        if left <= 0:
            return True
        for table in PARTS:
            connection.execute(delete(table).where(table.c.match == id))
        connection.execute(update(matches).where(matches.c.rematch_of == id).values(rematch_of=None))  # made meanwhile
        connection.execute(delete(matches).where(matches.c.id == id))
    return len(ids) == MARKED
