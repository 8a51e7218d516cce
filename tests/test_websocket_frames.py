"""What a client sends is understood as uvicorn understands it, in whatever pieces it comes (RFC 6455, 5)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from quincunx.server.sockets import LISTENING
from quincunx.server.websocket_connection import AHEAD, WebSocketConnection

HELLO = (
    b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MASK = b"\x11\x22\x33\x44"
LONGEST = LISTENING["ws_max_size"]


def sent(data: bytes, opcode: int = Opcode.TEXT, fin: bool = True, rsv: int = 0, wide: int | None = None) -> bytes:
    """A client's frame; `wide`: how many bytes its length takes, more than it needs."""
    n = len(data)
    wide = (0 if n < 126 else 2 if n < 1 << 16 else 8) if wide is None else wide
    head = bytes((fin << 7 | rsv << 4 | opcode, 0x80 | {0: n, 2: 126, 8: 127}[wide])) + (
        n.to_bytes(wide) if wide else b""
    )
    return head + MASK + bytes(byte ^ MASK[at % 4] for at, byte in enumerate(data))


PING, PONG = sent(b"p", Opcode.PING), sent(b"q", Opcode.PONG)
CLOSE = sent((1001).to_bytes(2) + b"bye", Opcode.CLOSE)
E_ACUTE = "é".encode()
STREAMS = {  # frame by frame: of several at once, uvicorn forgets what came before a mistake
    "texts": [sent(b"one"), sent(b""), sent("deux é 😀".encode()), sent(b"three")],
    "texts and others": [sent(b"a"), PING, sent(b"\x00\xff", Opcode.BINARY), PONG, sent(b"b"), PING],
    "in pieces": [sent(b"one ", fin=False), PING, sent(b"and ", Opcode.CONT, False), sent(b"two", Opcode.CONT)],
    "in pieces, then whole": [sent(b"a", fin=False), sent(b"b", Opcode.CONT), sent(b"c")],
    "binary in pieces": [sent(b"a", Opcode.BINARY, False), sent(b"b", Opcode.CONT), sent(b"c")],
    "a letter in pieces": [sent(E_ACUTE[:1], fin=False), sent(E_ACUTE[1:], Opcode.CONT), sent(b"c")],
    "a text within pieces": [sent(b"a", fin=False), sent(b"b"), sent(b"c")],
    "more of nothing": [sent(b"a"), sent(b"b", Opcode.CONT), sent(b"c")],
    "an end": [sent(b"a"), CLOSE, sent(b"b")],
    "an end within pieces": [sent(b"a", fin=False), CLOSE, sent(b"b", Opcode.CONT)],
    "an end without a word": [sent(b"", Opcode.CLOSE)],
    "no text": [sent(b"a"), sent(b"\xff"), sent(b"b")],
    "half a letter": [sent(E_ACUTE[:1]), sent(E_ACUTE[1:])],
    "no text, in pieces": [sent(b"\xff", fin=False), sent(b"\xff", Opcode.CONT), sent(b"b")],
    "not masked": [sent(b"a"), Frame(Opcode.TEXT, b"b").serialize(mask=False), sent(b"c")],
    "not masked, a ping": [sent(b"a"), Frame(Opcode.PING, b"b").serialize(mask=False), sent(b"c")],
    "a bit too many": [sent(b"a"), sent(b"b", rsv=4), sent(b"c")],
    "no such kind": [sent(b"a"), sent(b"b", 3), sent(b"c")],
    "no such control": [sent(b"a"), sent(b"b", 11), sent(b"c")],
    "a ping in pieces": [sent(b"a"), sent(b"b", Opcode.PING, False), sent(b"c")],
    "a ping too long": [sent(b"a"), sent(bytes(126), Opcode.PING), sent(b"c")],
    "a length in more bytes": [sent(b"a", wide=2), sent(b"b", wide=8), sent(b"c")],
    "a length without end": [sent(b"a"), b"\x81\xff" + (2**63).to_bytes(8) + MASK],
    "half a frame": [sent(b"a"), sent(b"long enough")[:9]],
}
LENGTHS = [0, 1, 125, 126, 127, 4095, 4096, 4097, LONGEST - 1, LONGEST, LONGEST + 1]


class Line:
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        self.written = b""
        self.closing = self.paused = False

    def get_extra_info(self, name: str) -> Any:
        return {"peername": ("127.0.0.1", 2), "sockname": ("127.0.0.1", 1)}.get(name)

    def write(self, data: bytes) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def pause_reading(self) -> None:
        assert not self.paused
        self.paused = True

    def resume_reading(self) -> None:
        assert self.paused
        self.paused = False


class Listener:
    """An application that keeps what it hears, as long as it may."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.may_read = asyncio.Event()

    async def __call__(self, scope: Any, receive: Callable[[], Any], send: Callable[[Any], Any]) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while not self.heard or self.heard[-1]["type"] != "websocket.disconnect":
            await self.may_read.wait()
            self.heard.append(await receive())


async def opened(kind: type[WebSocketsSansIOProtocol]) -> tuple[Any, Line, Listener]:
    listener, line = Listener(), Line()
    config = Config(listener, log_config=None, ws_max_size=LONGEST, ws_per_message_deflate=False, lifespan="off")
    connection: Any = kind(config, ServerState(), {}, asyncio.get_running_loop())
    connection.connection_made(line)
    connection.data_received(HELLO)
    await turns()
    return connection, line, listener


async def turns() -> None:
    for _ in range(12):
        await asyncio.sleep(0)


async def understood(kind: type[WebSocketsSansIOProtocol], pieces: Iterable[bytes]) -> tuple[Any, ...]:
    """What the application heard, and what the client was answered."""
    connection, line, listener = await opened(kind)
    listener.may_read.set()
    for piece in pieces:
        if not line.closing:
            connection.data_received(piece)
            await turns()
    assert not line.paused
    connection.connection_lost(None)
    await turns()
    return listener.heard, line.written, line.closing


@pytest.mark.parametrize("name", STREAMS)
def test_frames_are_understood_as_uvicorn_does_wherever_they_are_cut(name: str) -> None:
    stream = b"".join(STREAMS[name])

    async def story() -> None:
        expected = await understood(WebSocketsSansIOProtocol, STREAMS[name])
        assert expected[0]
        for at in range(len(stream)):
            assert await understood(WebSocketConnection, [stream[:at], stream[at:]]) == expected
        bytewise = [stream[at : at + 1] for at in range(len(stream))]
        assert await understood(WebSocketConnection, bytewise) == expected

    asyncio.run(story())


@pytest.mark.parametrize("opcode", [Opcode.TEXT, Opcode.BINARY])
@pytest.mark.parametrize("length", LENGTHS)
def test_frames_of_any_length_are_understood_as_uvicorn_does(length: int, opcode: Opcode) -> None:
    frames = sent(b"x" * length, opcode), sent(b"after it")
    stream = b"".join(frames)

    async def story() -> None:
        expected = await understood(WebSocketsSansIOProtocol, frames)
        for at in (0, 1, 2, 3, 4, 8, 9, 10, 13, 14, 15, len(stream) - 15, len(stream) - 14, len(stream) - 1):
            assert await understood(WebSocketConnection, [stream[:at], stream[at:]]) == expected
        assert (length > LONGEST) == (b"after it" not in str(expected[0]).encode())

    asyncio.run(story())


def test_a_connection_is_read_on_until_many_messages_wait() -> None:
    async def story() -> None:
        connection, line, listener = await opened(WebSocketConnection)
        for n in range(AHEAD):
            assert not line.paused
            connection.data_received(sent(b"%d" % n))
        assert line.paused
        listener.may_read.set()
        await turns()
        assert not line.paused and [each["text"] for each in listener.heard] == [str(n) for n in range(AHEAD)]

    asyncio.run(story())
