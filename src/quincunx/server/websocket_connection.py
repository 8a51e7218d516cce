"""uvicorn's WebSocket with a short way out, for what follows from moves.

As long as a client reads, what it is sent goes straight to its connection; by the usual way it wakes a task and
passes four wrappers, which costs more than a move does. That way is still the one for clients that do not keep up.

What comes in, handshake, pings and ends are uvicorn's. Of frames (RFC 6455, 5.2) no more is written here than their
length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

WRITE = "quincunx.write"  # in the scope's extensions
END = "quincunx.end"


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
            self.scope["extensions"][END] = self.end  # type: ignore[assignment]

    def write(self, *texts: bytes) -> bool:
        """False: nothing was sent, for the client has not read what it was sent before, or is gone."""
        if self.close_sent or self.transport.is_closing() or not self.writable.is_set():
            return False
        self.transport.write(b"".join([part for text in texts for part in frame(text)]))
        return True

    def end(self, code: int, reason: str) -> None:
        """From our side, whatever is under way; the application hears that the client is gone."""
        if self.close_sent or self.transport.is_closing():
            return
        if self.handshake_complete:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
            self.conn.send_close(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
        self.transport.close()


def frame(text: bytes) -> tuple[bytes, bytes]:
    """Of a whole text message: its head, and itself."""
    length = len(text)
    if length < 126:
        return bytes((0x81, length)), text
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2), text
    return b"\x81\x7f" + length.to_bytes(8), text
