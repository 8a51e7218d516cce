"""HTTP/1.1, as much of it as clients that ask with GET need: small requests, quick answers, connections that stay open.

A request is a head without a body, 8 kB at most, and must be there within a minute; so many connections are open at a
time and no more. Answers are made at once, one after the other: whoever answers need not think of others.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import NamedTuple

from quincunx.core.words import Refused, Words

LONGEST_HEAD = 8192  # bytes
MOST_CONNECTIONS = 200
PATIENCE = 60.0  # seconds for the next request, and for a client to read an answer
NO_DOOR = Words("Impossible d’écouter sur {}, port {} : {}.", "Cannot listen on {}, port {}: {}.")


class Answer(NamedTuple):
    status: int
    body: bytes
    kind: str


class Request(NamedTuple):
    method: str
    path: str  # as it came, without what follows a question mark
    headers: dict[str, str]  # the names in small letters
    lasting: bool  # may the connection stay open?


Respond = Callable[[Request], Answer]


def plain(status: int, text: str) -> Answer:
    return Answer(status, text.encode(), "text/plain; charset=utf-8")


def read(head: bytes) -> Request | None:
    """The request that a head says, or None: it is none."""
    first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or words[2] not in ("HTTP/1.1", "HTTP/1.0") or not words[1].startswith("/"):
        return None
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or name != name.strip() or not name:
            return None
        headers[name.lower()] = value.strip()
    wish = headers.get("connection", "").lower()
    lasting = wish != "close" if words[2] == "HTTP/1.1" else wish == "keep-alive"
    return Request(words[0], words[1].partition("?")[0], headers, lasting)


def written(answer: Answer, lasting: bool, bodiless: bool = False) -> bytes:
    allowed = "Allow: GET\r\n" if answer.status == HTTPStatus.METHOD_NOT_ALLOWED else ""
    head = (
        f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}\r\n"
        f"Content-Type: {answer.kind}\r\nContent-Length: {len(answer.body)}\r\n{allowed}"
        f"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        f"Connection: {'keep-alive' if lasting else 'close'}\r\n\r\n"
    )
    return head.encode() + (b"" if bodiless else answer.body)


class HttpServer:
    """Hands every request to `respond`, and sends what it answers."""

    def __init__(self, respond: Respond) -> None:
        self._respond = respond
        self._open: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> int:
        """Returns the port, which is drawn if 0 was asked for."""
        try:
            self._server = await asyncio.start_server(self._attend, host, port, limit=LONGEST_HEAD)
        except OSError as error:
            raise Refused("no_door", NO_DOOR.format(host, port, os.strerror(error.errno or 0))) from None
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for writer in tuple(self._open):
            writer.close()
        if self._server is not None:
            await self._server.wait_closed()

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if len(self._open) >= MOST_CONNECTIONS:
                writer.write(written(plain(503, "Too many connections.\n"), False))
                return
            self._open.add(writer)
            while await self._exchange(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            pass  # gone, or silent for too long
        finally:
            self._open.discard(writer)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; False: it was the last one."""
        async with asyncio.timeout(PATIENCE):
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.LimitOverrunError:
                writer.write(written(plain(431, "This request is too long.\n"), False))
                return False
            request = read(head)
            if request is None or _has_body(request):
                writer.write(written(plain(400, "This needs a GET request without a body.\n"), False))
                return False
            answer = self._respond(request)
            writer.write(written(answer, request.lasting, request.method == "HEAD"))
            await writer.drain()
        return request.lasting


def _has_body(request: Request) -> bool:
    return request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers
