"""The Litestar application: REST for the lobby, a WebSocket for a table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from litestar import Litestar, WebSocket, websocket
from litestar.datastructures import ResponseHeader, State
from litestar.exceptions import WebSocketDisconnect
from litestar.openapi import OpenAPIConfig

from quincunx.core.words import Refused
from quincunx.players.workers import Workers
from quincunx.server import rest
from quincunx.server.computers import Computers
from quincunx.server.lobby import Lobby
from quincunx.server.session import Gone, Session
from quincunx.server.tables import Tables
from quincunx.store import Store

LONGEST_WORD = 64 * 1024  # bytes of one message
SECURITY = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@websocket("/ws/{id:str}")
async def sit(socket: WebSocket[Any, Any, Any], id: str, state: State) -> None:
    if not _same_origin(socket):
        await socket.close(code=4403, reason="origin")
        return
    table = await state.tables.get(id)
    if table is None:
        await socket.close(code=4404, reason="no such match")
        return
    await socket.accept()
    session = Session(state.tables, table, lambda data: socket.send_data(data, mode="text"))
    speaking = asyncio.create_task(session.speak())
    try:
        await _listen(socket, session, speaking)
    finally:
        session.close()
        speaking.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await speaking


async def _listen(socket: WebSocket[Any, Any, Any], session: Session, speaking: asyncio.Task[None]) -> None:
    while True:
        hearing = asyncio.create_task(socket.receive_data(mode="text"))
        await asyncio.wait({hearing, speaking}, return_when=asyncio.FIRST_COMPLETED)
        if speaking.done():
            hearing.cancel()
            if isinstance(speaking.exception(), Gone):
                with suppress(Exception):
                    await socket.close(code=1013, reason="too slow")
            return
        try:
            data = hearing.result()
        except WebSocketDisconnect:
            return
        if len(data) > LONGEST_WORD:
            await socket.close(code=1009, reason="too long")
            return
        await session.hear(data)


def _same_origin(socket: WebSocket[Any, Any, Any]) -> bool:
    """A page of another site must not play with the cookies and the network of this browser; programs send none."""
    origin = socket.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == socket.headers.get("host")


def application(database: str, workers: int = 1) -> Litestar:
    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with Store.open(database) as store, Workers(workers) as staff:
            tables = Tables(store)
            computers = Computers(tables, staff)
            app.state.update(store=store, tables=tables, lobby=Lobby(store, tables), computers=computers)
            following = asyncio.create_task(_follow(store, tables))
            await computers.take_up()
            yield
            following.cancel()
            await computers.close()

    return Litestar(
        [*rest.HANDLERS, sit],
        lifespan=[lifespan],
        exception_handlers={Refused: rest.refuse},
        openapi_config=OpenAPIConfig(title="Quincunx", version="0.1.0", path="/schema"),
        response_headers=[ResponseHeader(name=name, value=value) for name, value in SECURITY.items()],
        request_max_body_size=512 * 1024,
        logging_config=None,
    )


async def _follow(store: Store, tables: Tables) -> None:
    """Other processes tell which matches went on."""
    async for hint in store.hints():
        for id in [hint.match] if hint.match else list(tables._tables):
            await tables.refresh(id)
