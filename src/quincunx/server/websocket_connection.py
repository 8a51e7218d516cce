"""uvicorn's WebSocket with a short way out: as long as a client reads, what it is sent goes straight to its connection.

By the usual way every message wakes a task and passes four wrappers, which costs more than a move does. That way is
still the one for clients that do not keep up. Handshake, pings, reading and ends are uvicorn's; what is sent here are
whole text messages, whose frames (RFC 6455, 5.2) need no more than their length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

WRITE = "quincunx.write"  # in the scope's extensions


class WebSocketConnection(WebSocketsSansIOProtocol):
    on_end: Callable[[], None] | None = None  # whoever counts connections

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_end is not None:
            self.on_end()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][WRITE] = self.write  # type: ignore[assignment]

    def write(self, *texts: bytes) -> bool:
        """False: nothing was sent, for the client has not read what it was sent before, or is gone."""
        if self.close_sent or self.transport.is_closing() or not self.writable.is_set():
            return False
        self.transport.write(b"".join([part for text in texts for part in frame(text)]))
        return True


def frame(text: bytes) -> tuple[bytes, bytes]:
    """Of a whole text message: its head, and itself."""
    length = len(text)
    if length < 126:
        return bytes((0x81, length)), text
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2), text
    return b"\x81\x7f" + length.to_bytes(8), text
