"""Appends into SQLite, a whole batch in one statement, which is a transaction by itself, in a thread of its own.

After every statement Python's lock must be won back from a busy event loop, which costs more than the statement: so
there is one, unless a match is over. It takes clean batches only, in which every append goes on where its match stands;
of any other nothing is written, and the writer goes the long way, which knows what was wrong.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from sqlalchemy import Connection

from quincunx.store.database import PATIENCE, SQLITE, sqlite_writing
from quincunx.store.news import Notification
from quincunx.store.schema import to_json

T = TypeVar("T")
Result = tuple[dict[Any, Any], list[Notification]]  # answers, and what others are to hear
Work = Callable[[Connection], Result]
Row = tuple[str, int, str, str, int, str | None, int]  # of `entries`, and the `seq` after which its append begins
Change = tuple[str, str | None, str]  # status, outcome, match

_COLUMNS = ", ".join(f"json_extract(value, '$[{n}]')" for n in range(1, 6))
_APPEND = f"""
    INSERT INTO entries (match, seq, kind, payload, at, client_move_id)
    SELECT CASE WHEN typeof(json_extract(value, '$[4]')) = 'integer' AND (json_extract(value, '$[6]') = 0 OR EXISTS (
        SELECT 1 FROM entries AS e WHERE e.match = json_extract(value, '$[0]') AND e.seq = json_extract(value, '$[6]')))
    THEN json_extract(value, '$[0]') END, {_COLUMNS} FROM json_each(?)
"""  # a number of more than 64 bits would be written as another one; an entry of no match is refused, and all with it
_CHANGE = "UPDATE matches SET status = ?, outcome = ? WHERE id = ?"


class AppendConnection:
    """A connection for appends, in one thread."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def append(self, rows: str, changes: Sequence[Change]) -> bool:
        """`rows` as JSON. True: all of them are durable; False: none was written."""
        connection = self._connection or self._open()
        try:
            if not changes:
                connection.execute(_APPEND, (rows,))
                return True
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_APPEND, (rows,))
            connection.executemany(_CHANGE, changes)
            connection.execute("COMMIT")
            return True
        except sqlite3.IntegrityError:  # a row that is there, a move that is known, a match that is not
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            return False
        except sqlite3.Error:
            self.close()  # whatever state it is in, nothing uncommitted is left of it
            raise

    def _open(self) -> sqlite3.Connection:
        self._connection = sqlite3.connect(self._path, PATIENCE, isolation_level=None)
        for line in SQLITE.strip().splitlines():
            self._connection.execute(line.strip())
        return self._connection

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            connection.close()


class SqliteAppender:
    """One thread, and what it writes with: a connection for appends, and one for the rest."""

    spreads = False  # whoever writes tells the others

    def __init__(self, path: str) -> None:
        self._connection = AppendConnection(path)
        self._engine = sqlite_writing(path)
        self._works: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._thread = Thread(target=self._go_on, name="sqlite appender", daemon=True)
        self._thread.start()

    async def append(self, rows: Sequence[Row], changes: Sequence[Change]) -> bool:
        """True: all of them are durable; False: none was written."""
        text = to_json(rows)
        return await self._in_thread(lambda: self._connection.append(text, changes))

    async def run(self, work: Work) -> Result:
        """Any other work, in a transaction: all of it in the thread, for each step from one thread to another and back
        takes longer than most statements."""
        return await self._in_thread(lambda: self._run(work))

    def check(self) -> None:
        """An OSError if it could not write now."""

    async def ready(self) -> None:
        """Waits until it can write, and has an OSError if that takes too long."""

    async def close(self) -> None:
        await self._in_thread(self._connection.close)
        await self._in_thread(self._engine.dispose)
        self._works.put(None)
        self._thread.join()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._works.put((work, answer))
        return await answer

    # -- in the thread -------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        while (asked := self._works.get()) is not None:
            work, answer = asked
            try:
                tell, result = answer.set_result, work()
            except BaseException as error:
                tell, result = answer.set_exception, error
            with suppress(RuntimeError):  # nobody is there any more
                answer.get_loop().call_soon_threadsafe(_tell, answer, tell, result)

    def _run(self, work: Work) -> Result:
        with self._engine.begin() as connection:
            return work(connection)


def _tell(answer: asyncio.Future[Any], tell: Callable[[Any], None], result: Any) -> None:
    if not answer.done():
        tell(result)


def row(columns: dict[str, Any], after: int) -> Row:
    names = ("match", "seq", "kind", "payload", "at", "client_move_id")
    match, seq, kind, payload, at, move = (columns[name] for name in names)
    return match, seq, kind, to_json(payload), at, move, after
