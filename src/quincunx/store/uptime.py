"""The time by which matches are played: milliseconds in which a server was awake. It never jumps.

It begins as the wall clock's, and from then on the monotonic clock moves it: whoever sets the wall clock takes nobody's
time. Where the process did not run (it was stopped, the computer slept), the readings lie far apart, and that span does
not count.

With a file (SQLite, of which one server is alone) it is kept there, once a beat, and the next server goes on from what
it finds: the time in which no server ran does not count either. Where a server has several processes, the one that
writes the file keeps it, and tells the others twice a second. On PostgreSQL several processes share the matches, of
which any may have been awake: each begins with its wall clock, so those must agree, and a pause of all of them counts.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import suppress

BEAT = 500  # milliseconds between two readings, when nothing else reads it
GAP = 3000  # so far apart, the process did not run


class UptimeClock:
    def __init__(
        self, file: str | None = None, monotonic: Callable[[], int] = time.monotonic_ns, begin: int | None = None
    ) -> None:
        self._monotonic = monotonic
        self._read = monotonic()
        self._file = os.open(file, os.O_RDWR | os.O_CREAT, 0o644) if file else None
        self._now = 1_000_000 * (self._kept() or begin or time.time_ns() // 1_000_000)  # nanoseconds

    def __call__(self) -> int:
        at = self._monotonic()
        passed, self._read = at - self._read, at
        self._now += passed if passed < 1_000_000 * GAP else 1_000_000 * BEAT
        return self._now // 1_000_000

    def follow(self, other: int) -> None:
        """Another process was awake for longer."""
        self()
        self._now = max(self._now, 1_000_000 * other)

    async def run(self) -> None:
        while True:
            self.keep()
            await asyncio.sleep(BEAT / 1000)

    def keep(self) -> None:
        now = self()
        if self._file is not None:
            with suppress(OSError):  # a full disk: the file is as long as it was, or there is none
                os.lseek(self._file, 0, os.SEEK_SET)
                os.write(self._file, b"%015d\n" % now)

    def close(self) -> None:
        self.keep()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _kept(self) -> int | None:
        return _time(os.read(self._file, 32)) if self._file is not None else None


def file_of(database: str) -> str:
    """Where the server of a SQLite file keeps its time."""
    return f"{database}-clock"


def time_of(database: str) -> int:
    """By which the matches of a SQLite file are played, as far as anybody else can tell: its server's, or ours."""
    with suppress(OSError), open(file_of(database), "rb") as file:
        return _time(file.read(32)) or time.time_ns() // 1_000_000
    return time.time_ns() // 1_000_000


def _time(text: bytes) -> int | None:
    return int(text) if text.strip().isdigit() else None
