"""Notifications: other processes are told that a match went on (news.py). They may be lost or doubled; what is stored
is the truth.

PostgreSQL: NOTIFY inside the transaction that appends, so that one arrives if and only if its entries are there, and
LISTEN on a connection of its own. SQLite: from store to store inside this process, and from process to process through
the one that writes the file (sqlite_process.py).
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from quincunx.store.database import TROUBLE
from quincunx.store.news import Notification, joined

CHANNEL = "quincunx_entries"
LONGEST = 7900  # bytes that a NOTIFY carries, a little less
BEAT = 15.0  # seconds of silence after which a connection must show that it lives
PAUSES = (0.1, 5.0)  # seconds between attempts to connect again: the first, the longest
LOOK_AGAIN = Notification(None, 0)

_Page = tuple[str, list[tuple[str, int, tuple[msgspec.Raw, ...]]]]  # whose, and matches with their entries
_read = msgspec.json.Decoder(_Page).decode


class Mailbox:
    """Notifications that wait to be read: one of each match, so that a slow reader is not buried."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[str | None, Notification] = {}
        self._filled = asyncio.Event()
        self._closed = False

    def put(self, notification: Notification) -> None:
        known = self._waiting.get(notification.match)
        self._waiting[notification.match] = joined(known, notification) if known else notification
        self._filled.set()

    def put_from_anywhere(self, notification: Notification) -> None:
        """A neighbour may live in the loop of another thread."""
        with suppress(RuntimeError):  # that loop is closed
            self._loop.call_soon_threadsafe(self.put, notification)

    def close(self) -> None:
        self._closed = True
        self._filled.set()

    async def take(self) -> Notification | None:
        """The next one; None when the store is closed."""
        await self._filled.wait()
        if self._closed:
            return None
        notification = self._waiting.pop(next(iter(self._waiting)))
        if not self._waiting:
            self._filled.clear()
        return notification


class Notifications:
    """What one store sends to others, and receives from them."""

    _neighbours: dict[str, list[Notifications]] = {}  # stores of this process, by SQLite file

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._origin = secrets.token_hex(6)
        self._mailboxes: list[Mailbox] = []
        self._listening: set[asyncio.Task[None]] = set()
        self._file = os.path.realpath(str(engine.url.database)) if engine.dialect.name == "sqlite" else None
        if self._file:
            self._neighbours.setdefault(self._file, []).append(self)

    async def close(self) -> None:
        for mailbox in self._mailboxes:
            mailbox.close()
        for task in list(self._listening):
            await self._stop(task)
        if self._file:
            self._neighbours[self._file].remove(self)

    def notify(self, connection: Connection, news: Sequence[Notification]) -> None:
        """Inside the transaction."""
        if self._file is None:
            for text in _pages(self._origin, news):
                connection.execute(select(func.pg_notify(CHANNEL, text)))

    def notify_neighbours(self, news: Sequence[Notification]) -> None:
        """After the commit."""
        for other in self._neighbours.get(self._file, []) if self._file else []:
            if other is not self:
                for mailbox in other._mailboxes:
                    for each in news:
                        mailbox.put_from_anywhere(each)

    def hear(self, news: Sequence[Notification] | None) -> None:
        """From another process, over the line to the writer; None: look at all."""
        for mailbox in self._mailboxes:
            for each in [LOOK_AGAIN] if news is None else news:
                mailbox.put(each)

    async def listen(self) -> AsyncIterator[Notification]:
        """What others appended. It begins, and goes on after a lost connection, with the one to look at all."""
        mailbox = Mailbox()
        self._mailboxes.append(mailbox)
        listening = None
        if self._file:
            mailbox.put(LOOK_AGAIN)
        else:
            listening = asyncio.create_task(self._listen(mailbox))
            self._listening.add(listening)
        try:
            while notification := await mailbox.take():
                yield notification
        finally:
            self._mailboxes.remove(mailbox)
            if listening:
                await self._stop(listening)

    async def _stop(self, listening: asyncio.Task[None]) -> None:
        self._listening.discard(listening)
        listening.cancel()
        await asyncio.wait([listening])

    async def _listen(self, mailbox: Mailbox) -> None:
        pause = PAUSES[0]
        while True:
            try:
                async with self._engine.connect() as connection:
                    try:
                        raw = (await connection.get_raw_connection()).driver_connection
                        pause = PAUSES[0]
                        await self._receive(raw, mailbox)
                    finally:
                        await connection.invalidate()  # it listens: nobody else should get it
            except TROUBLE:
                await asyncio.sleep(pause)
                pause = min(2 * pause, PAUSES[1])

    async def _receive(self, raw: Any, mailbox: Mailbox) -> None:
        """Until the connection is lost."""
        lost = asyncio.Event()

        def received(connection: Any, pid: int, channel: str, text: str) -> None:
            try:
                origin, news = _read(text)
            except msgspec.DecodeError:  # of a server of another version
                return mailbox.put(LOOK_AGAIN)
            if origin != self._origin:
                for match, seq, entries in news:
                    mailbox.put(Notification(match, seq, tuple(bytes(each).decode() for each in entries)))

        raw.add_termination_listener(lambda _: lost.set())
        await raw.add_listener(CHANNEL, received)
        mailbox.put(LOOK_AGAIN)
        while not lost.is_set():
            try:
                async with asyncio.timeout(BEAT):
                    await lost.wait()
            except TimeoutError:
                await raw.execute("SELECT 1", timeout=BEAT)
        raise ConnectionResetError("The connection that listens is lost.")


def _pages(origin: str, news: Iterable[Notification]) -> Iterator[str]:
    """`["origin",[["match",seq,[entry,…]],…]]`, in texts that NOTIFY takes. Of entries for which there is no room, it
    is told how far they go."""
    words: list[bytes] = []
    room = LONGEST
    for each in news:
        word = _word(each)
        if len(word) > LONGEST // 2:
            word = _word(Notification(each.match, each.seq))
        if len(word) >= room and words:
            yield _page(origin, words)
            words, room = [], LONGEST
        words.append(word)
        room -= len(word) + 1
    if words:
        yield _page(origin, words)


def _word(news: Notification) -> bytes:
    return msgspec.json.encode((news.match, news.seq, [msgspec.Raw(text.encode()) for text in news.texts]))


def _page(origin: str, words: Sequence[bytes]) -> str:
    return f'["{origin}",[{b",".join(words).decode()}]]'
