"""The WebSocket of a match: who may open one, reading and writing side by side, and how it ends.

It speaks ASGI itself: one task reads, and one writes what a client is too slow to be sent at once
(websocket_connection.py).

How uvicorn listens is said here too (`LISTENING`): it pings every socket, and lets one go that does not answer.
Messages are not compressed: that would cost 200 kB of memory a socket, and more time than the network.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.params import FromPath
from uvicorn.protocols.utils import ClientDisconnected

from quincunx.core.words import Refused
from quincunx.match import wire
from quincunx.server.http_connection import HttpConnection
from quincunx.server.limits import client_of
from quincunx.server.live import LiveMatch
from quincunx.server.logs import log
from quincunx.server.metrics import METRICS
from quincunx.server.problems import same_origin
from quincunx.server.session import Gone, Session
from quincunx.server.websocket_connection import WRITE, WebSocketConnection

LISTENING: dict[str, Any] = {
    "http": HttpConnection,
    "ws": WebSocketConnection,
    "ws_max_size": 64 * 1024,
    "ws_ping_interval": 20.0,
    "ws_ping_timeout": 20.0,
    "ws_per_message_deflate": False,
    "log_config": None,  # the application has seen to it
    "access_log": False,
    "server_header": False,
    "timeout_graceful_shutdown": 5,
}


TOO_MUCH = ("busy", "too_many_requests", "overloaded", "lost")


class _Left(Exception):
    """The client is gone, as clients go."""


@websocket("/ws/{id:str}")
async def sit(socket: WebSocket[Any, Any, Any], id: FromPath[str], state: State) -> None:
    scope = socket.scope
    if not same_origin(socket.headers):
        return await socket.close(code=4403, reason="origin")
    with state.gate.socket(scope) as allowed:
        if not allowed or state.gate.wait(scope) > 0:
            METRICS.turned_away.count("socket")
            return await socket.close(code=4429, reason="too many")
        try:
            live = await state.matches.get(id)
        except Refused as refused:  # it is there, and cannot be played, or not now: the reason is told
            await socket.accept()
            await socket.send_data(wire.write(wire.Refused(refused.code, refused.words)).decode())
            return await socket.close(code=4429 if refused.code in TOO_MUCH else 4409, reason=refused.code)
        if live is None:
            return await socket.close(code=4404, reason="no such match")
        await socket.accept()
        await _attend(socket, live, state)


async def _attend(socket: WebSocket[Any, Any, Any], live: LiveMatch, state: State) -> None:
    def send(text: str) -> Any:
        return socket.send({"type": "websocket.send", "text": text, "bytes": None})

    write: Any = (socket.scope.get("extensions") or {}).get(WRITE)  # only our own listener has it
    gate, scope = state.gate, socket.scope
    session = Session(state.matches, live, send, gate.allowance(scope), write or _not_at_once, budget=gate.loop(scope))
    session.address = client_of(scope)
    session.on_hello = lambda: state.attendance.attend(live)
    ends = 0
    try:
        async with asyncio.TaskGroup() as both:
            both.create_task(session.drain())
            ends = await _listen(socket, session, state.gate.limits.longest_word)
            raise _Left
    except* Gone:
        METRICS.slow_clients.count()
        ends = 1013
    except* (_Left, ClientDisconnected):
        pass
    except* Exception:
        log.error("socket.failed")
        ends = 1011
    finally:
        session.close()
        state.attendance.leave(live)
    if ends:
        with suppress(Exception):
            async with asyncio.timeout(1):
                await socket.close(code=ends)


def _not_at_once(*texts: bytes) -> bool:
    return False


async def _listen(socket: WebSocket[Any, Any, Any], session: Session, longest: int) -> int:
    """Until the client leaves (0), or is sent away (why)."""
    while True:
        message: Any = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return 0
        text = message.get("text") or ""  # nothing we read is binary
        if len(text) > longest:
            return 1009
        await session.receive(text)
