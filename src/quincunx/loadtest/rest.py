"""A request and its answer: each on a connection of its own, in JSON."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import SplitResult

import msgspec


class Answer(msgspec.Struct, frozen=True):
    status: int
    body: bytes

    def read(self) -> Any:
        """What it says; an answer that is none of success is an error."""
        if not 200 <= self.status < 300:
            raise ConnectionError(f"{self.status} {self.body[:200].decode(errors='replace')}")
        return msgspec.json.decode(self.body)


async def ask(address: SplitResult, method: str, path: str, word: Any = None) -> Answer:
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    body = b"" if word is None else msgspec.json.encode(word)
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    try:
        writer.write(head.encode() + body)
        said = await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()
    top, _, rest = said.partition(b"\r\n\r\n")
    words = top.split(b" ", 2)
    if len(words) < 2 or not words[1].isdigit():
        raise ConnectionError("no answer")
    return Answer(int(words[1]), rest)
