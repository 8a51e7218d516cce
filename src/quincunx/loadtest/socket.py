"""A WebSocket client with next to nothing in it: whoever measures a server must cost less than the server.

    byte 0    1   0 0 0   opcode      the last piece of a message, no extension
    byte 1    mask        length      126: two more bytes of length, 127: eight more
    …         4 bytes of mask, from the client only

The mask is zero, which leaves the text as it is. A browser draws it by lot, against proxies on the way; there are none.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable
from secrets import token_bytes
from typing import cast

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10  # 0: goes on with the message before
FIN, MASKED = 0x80, 0x80


class Socket(asyncio.Protocol):
    """`heard` is called with every message; `lost` once, with the reason, if the server ends the connection."""

    def __init__(self, host: str, path: str, heard: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {b64encode(token_bytes(16)).decode()}\r\n\r\n"
        )
        self._heard = heard
        self._lost = lost
        self._rest = b""
        self._pieces = b""
        self._reason = "closed"
        self._left = False

    def send(self, text: bytes) -> None:
        self._write(TEXT, text)

    def close(self) -> None:
        """Leaves; `lost` is not called."""
        self._left = True
        self._transport.close()

    # -- from the connection -------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set_result(None)
        if self.opened.cancelled():
            return
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(self._reason))
        elif not self._left:
            self._lost(self._reason)

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        if self.opened.done():
            self._rest = self._messages(data)
            return
        head, ended, rest = data.partition(b"\r\n\r\n")
        if not ended:
            self._rest = data
        elif head.startswith(b"HTTP/1.1 101 "):
            self.opened.set_result(None)
            self._rest = self._messages(rest)
        else:
            self._reason = head.partition(b"\r\n")[0].decode("latin-1")
            self._transport.close()

    def _messages(self, data: bytes) -> bytes:
        """Reads the messages that are there to the end; returns what is left of the one that is not."""
        start, end = 0, len(data)
        while end - start >= 2:
            at, length = start + 2, data[start + 1]
            if length >= 126:
                wide = 2 if length == 126 else 8
                if end < at + wide:
                    break
                length = int.from_bytes(data[at : at + wide])
                at += wide
            if end < at + length:
                break
            self._frame(data[start], data[at : at + length])
            start = at + length
        return data[start:]

    def _frame(self, first: int, text: bytes) -> None:
        opcode = first & 15
        if opcode == PING:
            self._write(PONG, text)
        elif opcode == CLOSE:
            self._reason = f"closed with {int.from_bytes(text[:2])}"
            self._transport.close()
        elif opcode <= BINARY:
            if self._pieces or not first & FIN:
                self._pieces += text
                text = self._pieces
            if first & FIN:
                self._pieces = b""
                self._heard(text)

    def _write(self, opcode: int, text: bytes) -> None:
        n = len(text)
        if n < 126:
            head = bytes((FIN | opcode, MASKED | n, 0, 0, 0, 0))
        else:
            head = bytes((FIN | opcode, MASKED | 126)) + n.to_bytes(2) + bytes(4)
        self._transport.write(head + text)
