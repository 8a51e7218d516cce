"""uvicorn's WebSocket with a short way in for what is said in few words, and a short way out for what follows from it.

As long as a client reads, what it is sent goes straight to its connection; by the usual way it wakes a task and
passes four wrappers, which costs more than a move does. That way is still the one for clients that do not keep up.

Of what comes in, whole and ordinary texts are read here, and some may wait for their reader before the connection does.
All other frames (RFC 6455, 5.2) are passed on as they are: handshake, pings, messages in pieces, ends and mistakes are
uvicorn's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C, where there is that

WRITE = "quincunx.write"  # in the scope's extensions
END = "quincunx.end"

TEXT, CONTROL, MASKED = 0x81, 0x08, 0x80  # of the two bytes with which a frame begins
ORDINARY = 4096  # bytes of a frame that is read here
AHEAD = 16  # messages that may wait for the application


class WebSocketConnection(WebSocketsSansIOProtocol):
    on_end: Callable[[], None] | None = None  # whoever counts connections
    _unread = b""  # the beginning of a frame
    _in_pieces = False  # a message of which more is to come

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_end is not None:
            self.on_end()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][WRITE] = self.write  # type: ignore[assignment]
            self.scope["extensions"][END] = self.end  # type: ignore[assignment]

    # -- in ------------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            return super().data_received(data)
        data, at = self._unread + data, 0
        while found := contents(data, at):
            start, end = found
            if end - start > self.config.ws_max_size or not data[at + 1] & MASKED:
                end = len(data)  # no client may send it, and uvicorn says what is wrong with it
                self._pass_on(data[at:])
            elif end > len(data):
                break
            elif (text := self._text(data, at, start, end)) is None:
                self._pass_on(data[at:end])
            else:
                self._hand_over(text)
            at = end
        self._unread = data[at:]

    def _text(self, data: bytes, at: int, start: int, end: int) -> str | None:
        """Of an ordinary frame."""
        if data[at] != TEXT or end - start > ORDINARY or self._in_pieces:
            return None
        if not self.handshake_complete or self.close_sent or self.transport.is_closing():
            return None
        try:
            return apply_mask(data[start:end], data[start - 4 : start]).decode()
        except UnicodeDecodeError:
            return None

    def _hand_over(self, text: str) -> None:
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.queue.qsize() >= AHEAD and not self.read_paused:  # `receive` reads on when there is nothing left
            self.read_paused = True
            self.transport.pause_reading()

    def _pass_on(self, frame: bytes) -> None:
        """To uvicorn."""
        if not frame[0] & CONTROL:
            self._in_pieces = frame[0] < 0x80
        super().data_received(frame)

    # -- out -----------------------------------------------------------------------------------------------------

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


def contents(data: bytes, at: int) -> tuple[int, int] | None:
    """Where what is in the frame that begins there starts and ends, if its client masks it; None: its head is not
    there yet."""
    if len(data) < at + 2:
        return None
    length = data[at + 1] & 127
    if length < 126:
        return at + 6, at + 6 + length
    wide = 2 if length == 126 else 8
    if len(data) < at + 2 + wide:
        return None
    start = at + 6 + wide
    return start, start + int.from_bytes(data[at + 2 : at + 2 + wide])
