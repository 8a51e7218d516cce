"""Budgets: what a client may cost, in seconds of a processor, charged afterwards with what was measured.

Time of the event loop is what all clients share. Who has used up its own waits, one request after the other, until
there is some again; so however much one asks for, a part of the loop is left to the others.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

CLIENT: ContextVar[str] = ContextVar("client", default="")  # for whom something is done; nobody: the server itself
TYPICAL = 0.001  # seconds of the loop that a request is taken for until it was measured
A_BYTE = 5e-9  # seconds that a byte costs, about, of what is read for a client or sent to it
A_MATCH, AN_ENTRY = 2e-3, 2e-5  # that writing them costs: moves of everybody wait for it, as for the loop
MOST_WAITING = 64  # requests of one client
LONGEST = 3.0  # seconds that one waits


class Budget:
    """So much at once, so much a second; it may be overdrawn once, and then has to fill up."""

    __slots__ = ("_burst", "_door", "_left", "_rate", "_since", "_waiting")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._left = rate, burst, burst
        self._since = time.monotonic()
        self._door = asyncio.Lock()
        self._waiting = 0

    def charge(self, seconds: float) -> None:
        self._left -= seconds

    def wait(self) -> float:
        """Seconds until something may be asked for."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._since) * self._rate)
        self._since = now
        return max(0.0, -self._left) / self._rate

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Of something that does not wait."""
        began = time.thread_time()
        try:
            yield
        finally:
            self.charge(time.thread_time() - began)

    async def admit(self) -> bool:
        """Waits for one's turn; False: too many wait already, or it would take too long."""
        if self._waiting >= MOST_WAITING or self.wait() > LONGEST:
            return False
        self._waiting += 1
        try:
            async with self._door:
                while seconds := self.wait():
                    await asyncio.sleep(seconds)
                self.charge(TYPICAL)
                return True
        finally:
            self._waiting -= 1


BUDGET: ContextVar[Budget | None] = ContextVar("budget", default=None)  # of whom something is done for


def charge(*, read: int = 0, entries: int | None = None) -> None:
    """What is done for the client beside the loop: so many bytes were read, or a match of so many entries written."""
    budget = BUDGET.get()
    if budget is not None:
        budget.charge(read * A_BYTE + (0.0 if entries is None else A_MATCH + entries * AN_ENTRY))


class Measured:
    """An awaitable whose time on the loop is told, step by step: what others do while it waits is not counted."""

    def __init__(self, work: Awaitable[None], tell: Callable[[float], None]) -> None:
        self._work, self._tell = work, tell

    def __await__(self) -> Generator[Any, Any, None]:
        steps: Any = self._work.__await__()
        thrown: BaseException | None = None
        while True:
            began = time.thread_time()
            try:
                awaited = steps.send(None) if thrown is None else steps.throw(thrown)
            except StopIteration:
                return
            finally:
                self._tell(time.thread_time() - began)
            try:
                thrown = None
                yield awaited
            except BaseException as error:  # it is thrown where the work waits
                thrown = error
