"""What waits for one client to be sent: straight to the connection while it reads, otherwise through a bounded queue. A
client that does not read is let go, and holds up nobody."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

MOST_WAITING = 200  # messages, and
MOST_BYTES = 2 * 2**20  # bytes that wait for a client to read them
SLOWEST = 10.0  # seconds that a client may take to read one


class Gone(Exception):
    """The client does not read what it is sent."""


class Outbox:
    def __init__(
        self,
        send: Callable[[str], Awaitable[None]],
        write: Callable[..., bool] = lambda *texts: False,  # at once, if that is possible
    ) -> None:
        self._send = send
        self._write = write
        self._waiting: deque[bytes] = deque()
        self._bytes = 0  # that wait, or are being sent
        self._bell = asyncio.Event()
        self._full = False

    def send(self, *texts: bytes) -> None:
        if not texts or (not self._bytes and self._write(*texts)):
            return
        if len(self._waiting) >= MOST_WAITING or self._bytes > MOST_BYTES:
            self._full = True
            return
        self._bytes += sum(map(len, texts))
        self._waiting.extend(texts)
        self._bell.set()

    def __len__(self) -> int:
        """Messages that the client has not read."""
        return len(self._waiting)

    async def drain(self) -> None:
        """Sends what there is to send, until the client is gone."""
        while True:
            await self._bell.wait()
            self._bell.clear()
            while self._waiting:
                message = self._waiting.popleft()
                try:
                    async with asyncio.timeout(SLOWEST):
                        await self._send(message.decode())
                except TimeoutError:
                    raise Gone from None
                self._bytes -= len(message)
                if self._full:
                    raise Gone
