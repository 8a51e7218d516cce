"""What server processes and the one that writes their SQLite file say to each other: frames of MessagePack, each after
its length in four bytes, on a Unix socket.

    server ── Append(all moves that wait) ──▶ writer: one commit for all servers ── News to the others, then Done ──▶
    server ── Ask ──▶ writer ── Grant ──▶ server: a transaction of its own ── GiveBack ──▶ writer: News to the others
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from quincunx.store.news import Notification


class Hello(msgspec.Struct, frozen=True, tag=0, array_like=True):
    """The first word of both: the time by which matches are played, as far as one knows it."""

    clock: int


class Append(msgspec.Struct, frozen=True, tag=1, array_like=True):
    """`rows`: of sqlite_appender.py, as JSON, without the brackets around them."""

    id: int
    rows: bytes
    count: int
    changes: list[tuple[str, str | None, str]]
    news: list[Notification]


class Done(msgspec.Struct, frozen=True, tag=2, array_like=True):
    """All of them are durable, or (`clean` is false) none was written, or why that is not known."""

    id: int
    clean: bool
    trouble: str | None = None


class Ask(msgspec.Struct, frozen=True, tag=3, array_like=True):
    """For the file: other work than appends is done by whoever wants it done, one process at a time."""

    id: int


class Grant(msgspec.Struct, frozen=True, tag=4, array_like=True):
    id: int


class GiveBack(msgspec.Struct, frozen=True, tag=5, array_like=True):
    id: int
    news: list[Notification]


class News(msgspec.Struct, frozen=True, tag=6, array_like=True):
    """Others have written; None: look at all."""

    news: list[Notification] | None


Word = Hello | Append | Done | Ask | Grant | GiveBack | News
_DECODER = msgspec.msgpack.Decoder(Word)
_ENCODER = msgspec.msgpack.Encoder()


def frame(word: Word) -> bytes:
    data = _ENCODER.encode(word)
    return len(data).to_bytes(4, "big") + data


class Frames:
    """Puts together what comes in pieces."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> Iterator[Word]:
        self._data += data
        while len(self._data) >= 4:
            length = 4 + int.from_bytes(self._data[:4], "big")
            if len(self._data) < length:
                return
            word = _DECODER.decode(memoryview(self._data)[4:length])
            del self._data[:length]
            yield word
