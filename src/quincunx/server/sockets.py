"""The WebSockets of matches, contests and arenas: who may open one, reading and writing side by side, and how it ends.

It speaks ASGI itself: one task reads, and one writes what a client is too slow to be sent at once
(websocket_connection.py).

How uvicorn listens is said here too (`LISTENING`): it pings every socket, and lets one go that does not answer.
Messages are not compressed: that would cost 200 kB of memory a socket, and more time than the network.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.params import FromPath
from uvicorn.protocols.utils import ClientDisconnected

from quincunx.core.words import Refused, Words
from quincunx.match import wire
from quincunx.server.arena_session import ArenaSession
from quincunx.server.budgets import Measured
from quincunx.server.contest_news import LiveContest
from quincunx.server.http_connection import HttpConnection
from quincunx.server.limits import Bucket, client_of
from quincunx.server.live import LiveMatch
from quincunx.server.lobby import NO_MATCH
from quincunx.server.logs import log
from quincunx.server.metrics import METRICS
from quincunx.server.outbox import Gone, Outbox
from quincunx.server.problems import UNAVAILABLE, Problem, same_origin
from quincunx.server.session import Session
from quincunx.server.websocket_connection import END, WRITE, WebSocketConnection
from quincunx.store import Unavailable

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
    "proxy_headers": False,  # proxies.py believes only those that were named
    "timeout_graceful_shutdown": 5,
}


T = TypeVar("T")
PONG = wire.write(wire.Pong())
AGAIN = ("busy", "too_many_requests", "overloaded", "lost", "unavailable")  # what may be asked for once more
CODES = {"no_such_match": 4404, "no_such_contest": 4404} | dict.fromkeys(
    AGAIN, 4429
)  # with which a socket is closed; else it is
NOT_PLAYABLE = 4409
FEW = 8  # words of one client, which may have come at once, until the others have a turn
TOO_MANY = Words("Trop de connexions : réessayez plus tard.", "Too many connections: try again later.")


class _Left(Exception):
    """The client is gone, as clients go."""


class _Dismissed(Exception):
    """The client was told why, and goes."""


@websocket("/ws/{id:str}")
async def sit(socket: WebSocket[Any, Any, Any], id: FromPath[str], state: State) -> None:
    scope = socket.scope
    if not same_origin(socket.headers):
        return await socket.close(code=4403, reason="origin")
    with state.gate.socket(scope) as allowed:
        if not allowed or state.gate.wait(scope) > 0:
            METRICS.turned_away.count("socket")
            return await _turn_away(socket)
        live = await _found(_match(state, id))
        await socket.accept()
        if isinstance(live, Refused):
            return await _refuse(socket, live)
        await _attend(socket, live, state)


async def _match(state: State, id: str) -> LiveMatch:
    live: LiveMatch | None = await state.matches.get(id)
    if live is None:
        raise Refused("no_such_match", NO_MATCH)
    return live


async def _attend(socket: WebSocket[Any, Any, Any], live: LiveMatch, state: State) -> None:
    gate, scope = state.gate, socket.scope
    send, write = _ways_out(socket)
    session = Session(state.matches, live, send, gate.allowance(scope), write, budget=gate.loop(scope))
    session.address = client_of(scope)
    session.company = state.company
    session.on_hello = lambda: state.attendance.attend(live)
    extensions: Any = scope.get("extensions") or {}  # only our own listener has them
    session.end = extensions.get(END, session.end)
    try:
        await _converse(socket, session.outbox, session.receive, gate.limits.longest_word)
    finally:
        session.close()
        state.attendance.leave(live)


@websocket("/ws/contests/{id:str}")
async def watch(socket: WebSocket[Any, Any, Any], id: FromPath[str], state: State) -> None:
    """Of a contest: first all of it, then what changed. Whatever a watcher says is answered with a pong."""
    scope, gate = socket.scope, state.gate
    if not same_origin(socket.headers):
        return await socket.close(code=4403, reason="origin")
    with gate.socket(scope) as allowed:
        if not allowed or gate.wait(scope) > 0 or not await gate.loop(scope).admit():
            METRICS.turned_away.count("socket")
            return await _turn_away(socket)
        found: list[LiveContest | Refused] = []

        async def look() -> None:
            found.append(await _found(_contest(state, id)))

        await Measured(look(), gate.loop(scope).charge)
        live = found[0]
        await socket.accept()
        if isinstance(live, Refused):
            return await _refuse(socket, live)
        await _show(socket, live, state)


async def _contest(state: State, id: str) -> LiveContest:
    live: LiveContest = await state.contests.get(id)
    await live.refresh()
    return live


async def _show(socket: WebSocket[Any, Any, Any], live: LiveContest, state: State) -> None:
    allowance, outbox = state.gate.allowance(socket.scope), Outbox(*_ways_out(socket))
    words = Bucket(allowance.words, allowance.words_burst)

    async def hear(text: str) -> None:
        if not words.take():
            await asyncio.sleep(words.wait())
        outbox.send(PONG)

    live.subscribe(outbox)
    try:
        await _converse(socket, outbox, hear, state.gate.limits.longest_word)
    finally:
        live.unsubscribe(outbox)


@websocket("/ws/arena/{id:str}")
async def enter(socket: WebSocket[Any, Any, Any], id: FromPath[str], state: State) -> None:
    """Of an arena, for its entrants."""
    scope, gate = socket.scope, state.gate
    if not same_origin(socket.headers):
        return await socket.close(code=4403, reason="origin")
    with gate.socket(scope) as allowed:
        if not allowed or gate.wait(scope) > 0 or not await gate.loop(scope).admit():
            METRICS.turned_away.count("socket")
            return await _turn_away(socket)
        arena = await _found(state.arenas.get(id))
        await socket.accept()
        if isinstance(arena, Refused):
            return await _refuse(socket, arena)
        outbox = Outbox(*_ways_out(socket))
        session = ArenaSession(arena, outbox, gate.allowance(scope), lambda: gate.may_make(scope))
        try:
            await _converse(socket, outbox, session.receive, gate.limits.longest_word, session.dismissed)
        finally:
            session.close()


# -- what all sockets have in common ----------------------------------------------------------------------------------


async def _found(looking: Awaitable[T]) -> T | Refused:
    try:
        return await looking
    except Refused as refused:  # it is there, and cannot be played, or not now; or there is none
        return refused
    except Unavailable as error:
        log.warning("store.unavailable", reason=str(error))
        return Refused("unavailable", UNAVAILABLE)


async def _refuse(socket: WebSocket[Any, Any, Any], refused: Refused) -> None:
    """A browser would not tell its page why it was not let in: so it is, and is told."""
    await socket.send_data(wire.write(wire.Refused(refused.code, refused.words)).decode())
    await socket.close(code=CODES.get(refused.code, NOT_PLAYABLE), reason=refused.code)


async def _turn_away(socket: WebSocket[Any, Any, Any]) -> None:
    """Before it is a socket, so that it costs nothing to keep; with a status that says what is wrong."""
    if "websocket.http.response" not in (socket.scope.get("extensions") or {}):
        return await socket.close(code=4429, reason="too many")
    send: Any = socket.send
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"1")]
    await send({"type": "websocket.http.response.start", "status": 429, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": wire.write(Problem("too_many_requests", TOO_MANY))})


def _ways_out(socket: WebSocket[Any, Any, Any]) -> tuple[Callable[[str], Awaitable[None]], Callable[..., bool]]:
    """To wait until it is sent, and at once, where that is possible."""

    async def send(text: str) -> None:
        await socket.send({"type": "websocket.send", "text": text, "bytes": None})

    write: Any = (socket.scope.get("extensions") or {}).get(WRITE)  # only our own listener has it
    return send, write or _not_at_once


async def _converse(
    socket: WebSocket[Any, Any, Any],
    outbox: Outbox,
    hear: Callable[[str], Awaitable[None]],
    longest: int,
    dismissed: asyncio.Event | None = None,
) -> None:
    """Reading and writing side by side, until the client leaves or is let go, or is dismissed."""
    ends = 0
    try:
        async with asyncio.TaskGroup() as both:
            both.create_task(outbox.drain())
            if dismissed is not None:
                both.create_task(_until(dismissed))
            ends = await both.create_task(_listen(socket, hear, longest))  # it wakes without all that is above
            raise _Left
    except* Gone:
        METRICS.slow_clients.count()
        ends = 1013
    except* _Dismissed:
        ends = NOT_PLAYABLE
    except* (_Left, ClientDisconnected):
        pass
    except* Exception:
        log.error("socket.failed")
        ends = 1011
    if ends:
        with suppress(Exception):
            async with asyncio.timeout(1):
                await socket.close(code=ends)


async def _until(dismissed: asyncio.Event) -> None:
    await dismissed.wait()
    raise _Dismissed


def _not_at_once(*texts: bytes) -> bool:
    return False


async def _listen(socket: WebSocket[Any, Any, Any], hear: Callable[[str], Awaitable[None]], longest: int) -> int:
    """Until the client leaves (0), or is sent away (why)."""
    heard = 0
    while True:
        message: Any = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return 0
        text = message.get("text") or ""  # nothing we read is binary
        if len(text) > longest:
            return 1009
        await hear(text)
        heard += 1
        if heard % FEW == 0:
            await asyncio.sleep(0)
