"""Studies: positions and variations that somebody wants to keep, by a start and a tree of actions on it.

A study stands by itself: the match that it began with may go. Who knows its id may look at it; only its owner, by the
hash of a word that they keep, changes it.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
from sqlalchemy import delete, func, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.core.options import Value
from quincunx.core.words import Refused, Words
from quincunx.store import schema
from quincunx.store.setups import check_name
from quincunx.store.writer import Writer

studies = schema.studies
MOST_LISTED = 500


class StoredStudy(msgspec.Struct, frozen=True):
    id: str
    owner: str
    game: str
    rules: int
    name: str
    options: dict[str, Value]
    start: str
    match: str | None
    tree: str
    created: int
    changed: int


class Studies:
    """The studies of a store."""

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer

    async def create(
        self, owner: str, name: str, game: str, rules: int, options: dict[str, Value], start: str, match: str | None,
        tree: str,
    ) -> StoredStudy:  # fmt: skip
        now = time.time_ns() // 1_000_000
        id, name = secrets.token_urlsafe(12), check_name(name)
        study = StoredStudy(id, owner, game, rules, name, options, start, match, tree, now, now)
        row = {field: getattr(study, field) for field in study.__struct_fields__}
        await self._writer.do(id, lambda connection: connection.execute(insert(studies), row))
        return study

    async def get(self, id: str) -> StoredStudy:
        async with self._reading() as connection:
            row = (await connection.execute(select(studies).where(studies.c.id == id))).first()
        if row is None:
            raise _no_study()
        return StoredStudy(**row._mapping)

    async def list(self, owner: str, texts: bool = False) -> list[StoredStudy]:
        """Theirs, the last changed first; `texts`: with their trees and starts."""
        columns = [c if texts or c.name not in ("tree", "start") else literal("").label(c.name) for c in studies.c]
        query = select(*columns).where(studies.c.owner == owner).order_by(studies.c.changed.desc()).limit(MOST_LISTED)
        async with self._reading() as connection:
            return [StoredStudy(**row._mapping) for row in await connection.execute(query)]

    async def count(self, owner: str) -> tuple[int, int]:
        """How many there are of an owner, and of all."""
        query = select(func.count().filter(studies.c.owner == owner), func.count()).select_from(studies)
        async with self._reading() as connection:
            mine, everybodys = (await connection.execute(query)).one()
            return mine, everybodys

    async def change(self, id: str, name: str | None, tree: str | None) -> StoredStudy:
        values: dict[str, Any] = {} if name is None else {"name": check_name(name)}
        values |= {} if tree is None else {"tree": tree}
        values["changed"] = time.time_ns() // 1_000_000
        statement = update(studies).where(studies.c.id == id).values(**values)
        await self._writer.do(id, lambda connection: connection.execute(statement))
        return await self.get(id)

    async def delete(self, id: str) -> None:
        statement = delete(studies).where(studies.c.id == id)
        await self._writer.do(id, lambda connection: connection.execute(statement))


def _no_study() -> Refused:
    return Refused("no_such_study", Words("Cette étude n’existe pas.", "There is no such study."))
