"""The time by which matches are played: milliseconds in which a server was awake. It never jumps.

It begins as the wall clock's, and from then on the monotonic clock moves it: whoever sets the wall clock takes nobody's
time. Where the process did not run (it was stopped, the computer slept), the readings lie far apart, and that span does
not count.

With a file (SQLite, of which one server is alone) it is kept there, once a beat, and the next server goes on from what
it finds: the time in which no server ran does not count either. On PostgreSQL several processes share the matches, of
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
    def __init__(self, file: str | None = None, monotonic: Callable[[], int] = time.monotonic_ns) -> None:
        self._monotonic = monotonic
        self._read = monotonic()
        self._file = os.open(file, os.O_RDWR | os.O_CREAT, 0o644) if file else None
        self._now = 1_000_000 * (self._kept() or time.time_ns() // 1_000_000)  # nanoseconds

    def __call__(self) -> int:
        at = self._monotonic()
        passed, self._read = at - self._read, at
        self._now += passed if passed < 1_000_000 * GAP else 1_000_000 * BEAT
        return self._now // 1_000_000

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
        text = os.read(self._file, 32) if self._file is not None else b""
        return int(text) if text.strip().isdigit() else None
