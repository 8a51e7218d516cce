"""Openings: in each position that public matches went through, what was played and how those matches ended.

A match is counted once, when it is over: its row in `explored` and what it adds are written in one transaction, whoever
does it. Only numbers are kept; a match that is deleted later stays counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.store import schema
from quincunx.store.writer import Writer

openings, explored, matches = schema.openings, schema.explored, schema.matches


class Tally(NamedTuple):
    """How often an action was played, by how it ended."""

    action: str
    first: int
    drawn: int
    second: int


class Step(NamedTuple):
    position: str  # the digest before the action
    action: str


class Openings:
    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer

    async def at(self, game: str, position: str) -> list[Tally]:
        """The most frequent first."""
        query = select(openings.c.action, openings.c.first, openings.c.drawn, openings.c.second).where(
            openings.c.game == game, openings.c.position == position
        )
        async with self._reading() as connection:
            found = [Tally(*row) for row in await connection.execute(query)]
        return sorted(found, key=lambda tally: (-sum(tally[1:]), tally.action))

    async def unread(self, game: str, most: int) -> list[str]:
        """Public matches that are over and not counted yet."""
        over = (matches.c.status == "over", matches.c.public, matches.c.game == game)
        counted = select(explored.c.match).where(explored.c.match == matches.c.id).exists()
        query = select(matches.c.id).where(*over, ~counted).limit(most)
        async with self._reading() as connection:
            return list((await connection.execute(query)).scalars())

    async def count(self, match: str, game: str, steps: Sequence[Step], winner: int | None) -> None:
        """What a match adds; `winner`: 0, 1, or None for a draw. Without steps it is only noted as seen."""
        await self._writer.do(match, lambda connection: _count(connection, match, game, steps, winner))


def _count(connection: Connection, match: str, game: str, steps: Sequence[Step], winner: int | None) -> None:
    insert: Any = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    noted = connection.execute(insert(explored).values(match=match).on_conflict_do_nothing())
    if not noted.rowcount:  # another process was faster
        return
    column = "drawn" if winner is None else ("first", "second")[winner]
    added = {"first": 0, "drawn": 0, "second": 0, column: 1}
    for step in sorted(set(steps)):  # in one order, so that two who write wait for each other and never both
        row = insert(openings).values(game=game, position=step.position, action=step.action, **added)
        more = {column: openings.c[column] + 1}
        connection.execute(row.on_conflict_do_update(index_elements=["game", "position", "action"], set_=more))
