"""uvicorn's WebSocket with a short way out: as long as a client reads, what it is sent goes straight to its connection.

By the usual way every message wakes a task and passes four wrappers, which costs more than a move does. That way is
still the one for clients that do not keep up. Handshake, pings, reading and ends are uvicorn's.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

WRITE = "quincunx.write"  # in the scope's extensions


class Direct(WebSocketsSansIOProtocol):
    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][WRITE] = self.write  # type: ignore[assignment]

    def write(self, text: bytes) -> bool:
        """False: nothing was sent, for the client has not read what it was sent before, or is gone."""
        if self.close_sent or self.transport.is_closing() or not self.writable.is_set():
            return False
        self.conn.send_text(text)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True
