"""uvicorn's WebSocket with a short way in and a short way out, for moves and what follows from them.

In (not switched on by sockets.py, until a stall seen twice under load is explained): a whole text message that came in
one frame is offered to whoever listens (`hear`), at once. By the usual way every
message stops the reading, wakes a task and starts the reading again. That way is still the one for everything that is
not taken. While a message that was taken is under way, those after it wait here, so that all keep their order.

Out: as long as a client reads, what it is sent goes straight to its connection; by the usual way it wakes a task and
passes four wrappers, which costs more than a move does. That way is still the one for clients that do not keep up.

Handshake, pings, pieces of messages and ends are uvicorn's. Of frames (RFC 6455, 5.2) no more is read here than where
they end, and written no more than their length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.utils import apply_mask

WRITE = "quincunx.write"  # in the scope's extensions
END = "quincunx.end"
LISTEN = "quincunx.listen"

TEXT, CONTROL, MASKED, NO_MASK = 0x81, 0x08, 0x80, bytes(4)

Landed = Callable[[bool], None]  # what was taken is done with; False: it is to be read in the usual way
Hear = Callable[[str, Landed], bool]  # False: not taken


class WebSocketConnection(WebSocketsSansIOProtocol):
    on_end: Callable[[], None] | None = None  # whoever counts connections
    _hear: Hear | None = None
    _unread = b""
    _taken = b""  # the frame that is under way
    _in_pieces = False  # a message of which more is to come

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._hear = None
        if self.on_end is not None:
            self.on_end()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][WRITE] = self.write  # type: ignore[assignment]
            self.scope["extensions"][END] = self.end  # type: ignore[assignment]
            self.scope["extensions"][LISTEN] = self.listen  # type: ignore[assignment]

    # -- in ------------------------------------------------------------------------------------------------------

    def listen(self, hear: Hear) -> None:
        """From now on, messages are offered to it."""
        self._hear = hear

    def data_received(self, data: bytes) -> None:
        if self._hear is None or self.close_sent:
            return super().data_received(data)
        self._unread += data
        self._read()
        if self._taken and len(self._unread) > self.config.ws_max_size and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _read(self) -> None:
        """Frame by frame; behind one that is under way, only pings and the like."""
        while size := end_of_frame(self._unread, self.config.ws_max_size):
            frame = self._unread[:size]
            if self._taken and not frame[0] & CONTROL:
                return
            self._unread = self._unread[size:]
            if not self._offer(frame):
                self._pass_on(frame)

    def _offer(self, frame: bytes) -> bool:
        if frame[0] != TEXT or self._in_pieces or self._hear is None or not self.queue.empty():
            return False
        at = len(frame) - _length(frame)
        if at < 6 or not frame[1] & MASKED:  # too long, or not a client's
            return False
        mask, text = frame[at - 4 : at], frame[at:]
        try:
            words = (text if mask == NO_MASK else apply_mask(text, mask)).decode()
        except UnicodeDecodeError:
            return False
        self._taken = frame
        if not self._hear(words, self._landed):
            self._taken = b""
            return False
        return True

    def _landed(self, well: bool) -> None:
        frame, self._taken = self._taken, b""
        if self._hear is None or self.close_sent:
            return
        try:
            if not well:
                self._pass_on(frame)
            self._read()
        except Exception:  # a mistake of ours
            self.end(1011, "failed")
            raise
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()

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


def end_of_frame(data: bytes, longest: int) -> int:
    """Where the first frame of a client ends; 0 if it does not yet. What no client may send is one frame to the end:
    uvicorn says what is wrong with it."""
    if len(data) < 2:
        return 0
    wide = {126: 2, 127: 8}.get(data[1] & 127, 0)
    if len(data) < 2 + wide:
        return 0
    length = _length(data)
    if length > longest or not data[1] & MASKED:
        return len(data)
    end = 6 + wide + length
    return end if end <= len(data) else 0


def _length(frame: bytes) -> int:
    length = frame[1] & 127
    return length if length < 126 else int.from_bytes(frame[2 : 4 if length == 126 else 10])
