"""The file of SQLite, watched: whoever deletes, replaces or shares it must not cost anybody a move.

A process that has a file open goes on writing to it when its name is gone, and nobody would find what it wrote. So a
commit counts only while the name still leads to the file, and to the log beside it, that were opened here. One
connection stays open all the time: SQLite then keeps the same log.

Of two servers on one file neither would hear what the other does: the second is turned away (`Claim`).
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

from quincunx.core.words import Refused, Words

SHARED = Words(
    "Un autre serveur Quincunx utilise déjà la base {}. Pour plusieurs serveurs sur les mêmes parties, prenez "
    "PostgreSQL : --database postgresql://…",
    "Another Quincunx server already uses the database {}. For several servers on the same matches, use PostgreSQL: "
    "--database postgresql://…",
)


class Vanished(OSError):
    """What was committed last may be lost."""


class Watch:
    """Is the file still there? Made when it is open and has been read."""

    def __init__(self, path: str) -> None:
        self._names = (path, f"{path}-wal")
        self._connection = sqlite3.connect(path, check_same_thread=False)
        self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # which opens the log
        self._seen = [_identity(name) for name in self._names]

    def check(self) -> None:
        for name, seen in zip(self._names, self._seen, strict=True):
            if _identity(name) != seen:
                raise Vanished(f"{name} was deleted or replaced while it was in use; restart the server")

    def close(self) -> None:
        self._connection.close()


class Claim:
    """One server has the file until it ends, however it ends. A second file holds the lock: SQLite uses its own."""

    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(f"{path}-server", timeout=0, isolation_level=None, check_same_thread=False)
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            self._connection.close()
            raise Refused("shared_file", SHARED.format(path)) from None

    def release(self) -> None:
        self._connection.close()


def _identity(name: str) -> tuple[int, int] | None:
    with suppress(OSError):
        found = os.stat(name)
        return found.st_dev, found.st_ino
    return None
