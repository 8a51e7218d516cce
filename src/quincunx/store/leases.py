"""Leases: which process thinks for a computer's seat. One may at a time; after a crash another takes over.

Nobody's clock is compared with another's: every renewal changes a number, and whoever wants the lease has to see the
same number for so long, by its own monotonic clock, before it takes it; or to know that who held it has ended.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, delete, or_, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from quincunx.store.schema import leases
from quincunx.store.writer import Writer

SILENCE = 8_000  # milliseconds after which another process takes over; who thinks longer renews
MOST_RIVALS = 4096  # leases of others that are watched


class Rival(NamedTuple):
    """Another worker that holds a lease, and since when nothing was heard of it."""

    worker: str
    renewal: int
    since: int


class Leases:
    """The leases of a store."""

    def __init__(self, writer: Writer, dialect: str) -> None:
        self._writer = writer
        self._dialect = dialect
        self._rivals: dict[tuple[str, int], Rival] = {}
        self.is_gone: Callable[[str], bool] = lambda worker: False  # is it known that another worker has ended?

    async def take(
        self, match: str, seat: int, seq: int, worker: str, *, for_ms: int = SILENCE, now: int | None = None
    ) -> bool:
        """May this worker think for a seat? Again for the same worker is a renewal.

        `seq` is the last entry when the game began to wait for the seat: a lease for an earlier turn counts no more.
        """
        at = time.monotonic_ns() // 1_000_000 if now is None else now
        rival = self._rivals.get((match, seat))
        silent = rival is not None and (at - rival.since >= for_ms or self.is_gone(rival.worker))
        statement = _take(self._dialect, match, seat, seq, worker, rival if silent else None)
        mine = and_(leases.c.match == match, leases.c.seat == seat)

        def work(connection: Connection) -> tuple[str, int] | None:
            if connection.execute(statement).first() is not None:
                return None
            found = connection.execute(select(leases.c.worker, leases.c.until).where(mine)).first()
            return (found.worker, found.until) if found else ("", 0)

        try:
            holder = await self._writer.do(match, work)
        except IntegrityError:  # no such match
            return False
        if holder is None:
            self._rivals.pop((match, seat), None)
            return True
        if rival is None or (rival.worker, rival.renewal) != holder:
            self._rivals[match, seat] = Rival(*holder, at)
            while len(self._rivals) > MOST_RIVALS:
                del self._rivals[next(iter(self._rivals))]
            if self.is_gone(holder[0]):
                return await self.take(match, seat, seq, worker, for_ms=for_ms, now=now)
        return False

    async def release(self, match: str, seat: int, worker: str) -> None:
        """Gives a lease back, if this worker still has it."""
        mine = and_(leases.c.match == match, leases.c.seat == seat, leases.c.worker == worker)
        await self._writer.do(match, lambda connection: connection.execute(delete(leases).where(mine)))


def _take(dialect: str, match: str, seat: int, seq: int, worker: str, silent: Rival | None) -> Any:
    """Takes the row if it is free, ours, of an earlier turn, or of one that has been silent."""
    number = secrets.randbits(48)  # one that was never there before
    row = {"match": match, "seat": seat, "seq": seq, "worker": worker, "until": number}
    statement = (sqlite if dialect == "sqlite" else postgresql).insert(leases).values(row)
    ours = [leases.c.worker == worker, leases.c.seq < seq]
    if silent is not None:
        ours.append(and_(leases.c.worker == silent.worker, leases.c.until == silent.renewal))
    return statement.on_conflict_do_update(
        index_elements=[leases.c.match, leases.c.seat],
        set_={name: statement.excluded[name] for name in ("seq", "worker", "until")},
        where=or_(*ours),
    ).returning(leases.c.seq)
