"""Setups that people made: starting positions and maps, by name, as the text that their game reads.

An exported setup is that text and nothing more, so that `quincunx play --setup file` takes it. What a game does not
accept is never stored. A setup is its owner's until it is shared: who asks for one says whose eyes see it.
"""

from __future__ import annotations

import secrets
import time
import unicodedata
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from operator import attrgetter

from sqlalchemy import delete, func, insert, literal, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.core.words import Refused, Words, expected
from quincunx.games import load
from quincunx.store import schema
from quincunx.store.shapes import StoredSetup
from quincunx.store.writer import Work, Writer

setups = schema.setups

LONGEST_NAME = 60
LONGEST_TEXT = 200_000
MOST_LISTED = 500
INVISIBLE = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control and formatting characters, halves of characters, line breaks


class Setups:
    """The setups of a store."""

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer
        self.judge: Callable[[str, str], Awaitable[str]] = _judge  # a server lets another process do it

    async def create(self, game: str, name: str, text: str, owner: str = "", shared: bool = False) -> StoredSetup:
        text = await self.judge(game, text)
        now = time.time_ns() // 1_000_000
        setup = StoredSetup(secrets.token_urlsafe(9), game, check_name(name), text, owner, now, now, shared)
        row = {field: getattr(setup, field) for field in setup.__struct_fields__}
        await self._write(setup.id, lambda connection: connection.execute(insert(setups), row))
        return setup

    async def save(self, id: str, text: str) -> StoredSetup:
        """Another text under the same name."""
        setup = await self.get(id)
        return await self._change(id, text=await self.judge(setup.game, text))

    async def rename(self, id: str, name: str) -> StoredSetup:
        return await self._change(id, name=check_name(name))

    async def share(self, id: str, shared: bool) -> StoredSetup:
        return await self._change(id, shared=shared)

    async def delete(self, id: str) -> None:
        statement = delete(setups).where(setups.c.id == id)
        gone: int = await self._writer.do(id, lambda connection: connection.execute(statement).rowcount)
        if not gone:
            raise _no_setup()

    async def get(self, id: str) -> StoredSetup:
        async with self._reading() as connection:
            row = (await connection.execute(select(setups).where(setups.c.id == id))).first()
        if row is None:
            raise _no_setup()
        return StoredSetup(**row._mapping)

    async def seen(self, id: str, owner: str) -> StoredSetup:
        """The same for whoever has this hash: one that is somebody else's and not shared does not exist for them."""
        setup = await self.get(id)
        if not setup.shared and (not owner or setup.owner != owner):
            raise _no_setup()
        return setup

    async def list(self, game: str | None = None, owner: str | None = None, *, texts: bool = True) -> list[StoredSetup]:
        """All, or a game's; with an owner, what they may see: their own, and the shared ones that changed last.
        Without `texts`, which may be long, those are empty."""
        columns = [column if texts or column.name != "text" else literal("").label("text") for column in setups.c]
        query = select(*columns)
        if game:
            query = query.where(setups.c.game == game)
        if owner is not None:
            mine = (setups.c.owner == owner) & (setups.c.owner != "")
            query = (
                query.where(setups.c.shared | mine).order_by(mine.desc(), setups.c.changed.desc()).limit(MOST_LISTED)
            )
        async with self._reading() as connection:
            found = [StoredSetup(**row._mapping) for row in await connection.execute(query)]
        return sorted(found, key=attrgetter("game", "name"))

    async def count(self, owner: str) -> tuple[int, int]:
        """How many there are of an owner, and of all."""
        query = select(func.count().filter(setups.c.owner == owner), func.count()).select_from(setups)
        async with self._reading() as connection:
            mine, everybodys = (await connection.execute(query)).one()
            return mine, everybodys

    async def export(self, id: str) -> bytes:
        """The file that `take_in` reads."""
        return (await self.get(id)).text.encode() + b"\n"

    async def take_in(self, game: str, name: str, file: bytes, owner: str = "") -> StoredSetup:
        """Imports a file in UTF-8, as editors of any system write it."""
        try:
            text = file.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise expected(Words("un texte en UTF-8", "a text in UTF-8"), file[:20]) from None
        return await self.create(game, name, text, owner)

    async def _change(self, id: str, **values: str | bool) -> StoredSetup:
        now = time.time_ns() // 1_000_000
        statement = update(setups).where(setups.c.id == id).values(changed=now, **values)
        await self._write(id, lambda connection: connection.execute(statement))
        return await self.get(id)

    async def _write(self, id: str, work: Work) -> None:
        try:
            await self._writer.do(id, work)
        except IntegrityError:
            words = Words("Vous avez déjà une position de ce nom.", "You already have a setup of this name.")
            raise Refused("name_taken", words, "name") from None


def check_name(name: str) -> str:
    """The name without spaces around it; equal-looking ways to write it are made one."""
    name = unicodedata.normalize("NFC", name.strip(" \u00a0"))
    if not 1 <= len(name) <= LONGEST_NAME or any(unicodedata.category(sign) in INVISIBLE for sign in name):
        wanted = Words(
            "un nom de 1 à 60 caractères, sans caractère de contrôle",
            "a name of 1 to 60 characters, no control characters",
        )
        raise expected(wanted, name)
    return name


def check_text(game: str, text: str) -> str:
    """The text with plain line ends, if the game begins a match from it."""
    if len(text) > LONGEST_TEXT:
        raise expected(Words("au plus {} caractères", "at most {} characters").format(LONGEST_TEXT), len(text))
    if any(unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\t\r\n" for sign in text):
        raise expected(Words("un texte sans caractère de contrôle", "a text without control characters"), text[:40])
    text = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
    rules = load(game, "interpreted")
    rules.from_setup({}, text)
    return text


async def _judge(game: str, text: str) -> str:
    return check_text(game, text)


def _no_setup() -> Refused:
    return Refused("no_such_setup", Words("Cette position n’existe pas.", "There is no such setup."))
