"""Appends into SQLite, a whole batch in one statement and one commit, in a thread of its own.

Between two statements Python's lock must be won back from a busy event loop, which costs more than the statement: so
there are three of them however many appends there are. It takes clean batches only, in which every append goes on where
its match stands; of any other nothing is written, and the writer goes the long way, which knows what was wrong.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from quincunx.store.database import PATIENCE, SQLITE
from quincunx.store.schema import to_json

Row = tuple[str, int, str, str, int, str | None, int]  # of `entries`, and the `seq` after which its append begins
Change = tuple[str, str | None, str]  # status, outcome, match

_COLUMNS = ", ".join(f"json_extract(value, '$[{n}]')" for n in range(6))
_APPEND = f"""
    INSERT INTO entries (match, seq, kind, payload, at, client_move_id) SELECT {_COLUMNS} FROM json_each(?)
    WHERE typeof(json_extract(value, '$[4]')) = 'integer' AND (json_extract(value, '$[6]') = 0 OR EXISTS (
        SELECT 1 FROM entries AS e WHERE e.match = json_extract(value, '$[0]') AND e.seq = json_extract(value, '$[6]')))
"""  # a number of more than 64 bits would be written as another one
_CHANGE = "UPDATE matches SET status = ?, outcome = ? WHERE id = ?"


class SqliteAppender:
    """One connection, used by one thread."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, "sqlite appender")
        self._connection: sqlite3.Connection | None = None

    async def append(self, rows: Sequence[Row], changes: Sequence[Change]) -> bool:
        """True: all of them are durable; False: none was written."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._append, rows, changes)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    # -- in the thread -------------------------------------------------------------------------------------------

    def _append(self, rows: Sequence[Row], changes: Sequence[Change]) -> bool:
        connection = self._connection or self._open()
        connection.execute("BEGIN IMMEDIATE")
        try:
            clean = connection.execute(_APPEND, (to_json(rows),)).rowcount == len(rows)
            if clean and changes:
                connection.executemany(_CHANGE, changes)
            connection.execute("COMMIT" if clean else "ROLLBACK")
            return clean
        except sqlite3.IntegrityError:  # a row that is there, a move that is known, a match that is not
            connection.execute("ROLLBACK")
            return False
        except sqlite3.Error:
            self._close()  # whatever state it is in, nothing uncommitted is left of it
            raise

    def _open(self) -> sqlite3.Connection:
        self._connection = sqlite3.connect(self._path, PATIENCE, isolation_level=None)
        for line in SQLITE.strip().splitlines():
            self._connection.execute(line.strip())
        return self._connection

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            connection.close()


def row(columns: dict[str, Any], after: int) -> Row:
    names = ("match", "seq", "kind", "payload", "at", "client_move_id")
    match, seq, kind, payload, at, move = (columns[name] for name in names)
    return match, seq, kind, to_json(payload), at, move, after
