"""The line of a server process to the one that writes its SQLite file (sqlite_process.py).

It takes the place of the thread that appends (sqlite_appender.py), and offers the same: `append` and `run`. If the
writer ends in the middle of something, a new one is there soon, and is asked again. That is safe: appends have their
place in a match, so what was written before is found to be, and nothing is written twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, cast

from quincunx.core.words import Refused
from quincunx.store.database import UNOPENED
from quincunx.store.news import Notification, joined
from quincunx.store.schema import to_json
from quincunx.store.sqlite_appender import Change, Result, Row, SqliteAppender, Work
from quincunx.store.sqlite_words import Append, Ask, Done, Frames, GiveBack, Grant, Hello, News, Word, frame
from quincunx.store.uptime import UptimeClock

PATIENCE = 10.0  # seconds without a writer after which the database does not answer
NO_WRITER = "the process that writes the file does not answer"
PAUSE = 0.01  # seconds between attempts to reach it


class SqliteLine(SqliteAppender):
    spreads = True  # others hear of what is appended

    def __init__(self, file: str, path: str) -> None:
        super().__init__(file)
        self._path = path
        self._numbers = count()
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._wire: asyncio.Transport | None = None
        self._there = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None
        self._hear: Callable[[list[Notification] | None], None] = lambda news: None
        self._clock: UptimeClock | None = None
        self.told = 0  # what time it is, says the writer

    @classmethod
    async def open(cls, file: str, path: str) -> SqliteLine:
        """It is there when the writer has greeted: then the tables are up to date."""
        line = cls(file, path)
        line._keeping = asyncio.create_task(line._keep())
        try:
            await line._connected()
            return line
        except OSError as error:
            await line.close()
            raise Refused("no_database", UNOPENED.format(error)) from None

    def serve(self, hear: Callable[[list[Notification] | None], None], clock: UptimeClock) -> None:
        """`hear` is told what others write (None: look at all), and the clock goes by the writer's."""
        self._hear, self._clock = hear, clock

    async def close(self) -> None:
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.wait([self._keeping])
        if self._wire is not None:
            self._wire.close()
        await super().close()

    def check(self) -> None:
        if not self._there.is_set():
            raise OSError(NO_WRITER)

    async def ready(self) -> None:
        await self._connected()

    async def append(self, rows: Sequence[Row], changes: Sequence[Change]) -> bool:
        text, news = to_json(rows)[1:-1].encode(), _news(rows)
        done: Done = await self._ask_writer(lambda id: Append(id, text, len(rows), list(changes), news))
        if done.trouble:
            raise OSError(done.trouble)
        return done.clean

    async def run(self, work: Work) -> Result:
        """In the thread here, when nobody else writes."""
        grant: Grant = await self._ask_writer(Ask)
        news: list[Notification] = []
        try:
            answers, news = await super().run(work)
            return answers, news
        finally:
            await self._give_back(GiveBack(grant.id, news))

    async def _give_back(self, word: GiveBack) -> None:
        """Also to a writer that has come since: others must hear of it."""
        with suppress(OSError):
            await self._connected()
            self._send(word)

    # -- the line ------------------------------------------------------------------------------------------------

    async def _ask_writer(self, word: Callable[[int], Word]) -> Any:
        while True:
            await self._connected()
            id = next(self._numbers)
            answer = self._asked[id] = asyncio.get_running_loop().create_future()
            try:
                self._send(word(id))
                return await answer
            except ConnectionResetError:  # the writer ended; the next one is asked
                continue
            finally:
                self._asked.pop(id, None)

    async def _connected(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._there.wait()
        except TimeoutError:
            raise OSError(NO_WRITER) from None

    def _send(self, word: Word) -> None:
        if self._wire is None:
            raise ConnectionResetError
        self._wire.write(frame(word))

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            ended: asyncio.Future[None] = loop.create_future()
            with suppress(OSError):
                await loop.create_unix_connection(lambda: _Wire(self, ended), self._path)  # noqa: B023
                await ended
            await asyncio.sleep(PAUSE)

    def connected(self, wire: asyncio.Transport) -> None:
        wire.write(frame(Hello(self._clock() if self._clock else 0)))
        self._wire = wire

    def take(self, word: Word) -> None:
        if isinstance(word, Done | Grant):
            answer = self._asked.get(word.id)
            if answer is not None and not answer.done():
                answer.set_result(word)
            elif isinstance(word, Grant):  # who asked is gone
                self._send(GiveBack(word.id, []))
        elif isinstance(word, News):
            self._hear(word.news)
        elif isinstance(word, Hello):
            self.told = word.clock
            if self._clock:
                self._clock.follow(word.clock)
            if not self._there.is_set():
                self._there.set()
                self._hear(None)

    def lost(self) -> None:
        self._wire = None
        self._there.clear()
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(ConnectionResetError())


def _news(rows: Sequence[Row]) -> list[Notification]:
    news: dict[str, Notification] = {}
    for match, seq, _, text, *_ in rows:
        each = Notification(match, seq, (text,))
        news[match] = joined(news[match], each) if match in news else each
    return list(news.values())


class _Wire(asyncio.Protocol):
    def __init__(self, line: SqliteLine, ended: asyncio.Future[None]) -> None:
        self._line, self._ended, self._frames = line, ended, Frames()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line.connected(cast(asyncio.Transport, transport))

    def data_received(self, data: bytes) -> None:
        for word in self._frames.feed(data):
            self._line.take(word)

    def connection_lost(self, error: Exception | None) -> None:
        self._line.lost()
        if not self._ended.done():
            self._ended.set_result(None)
