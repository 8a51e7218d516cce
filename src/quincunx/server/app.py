"""The Litestar application: REST for the lobby, a WebSocket for a table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from litestar import Litestar, WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from quincunx import __version__
from quincunx.players.workers import Workers
from quincunx.server import lan, pages, problems, rest, setups
from quincunx.server.computers import Computers
from quincunx.server.lobby import Lobby
from quincunx.server.problems import same_origin
from quincunx.server.session import Gone, Session
from quincunx.server.tables import Tables
from quincunx.store import Store

LONGEST_WORD = 64 * 1024  # bytes of one message


@websocket("/ws/{id:str}")
async def sit(socket: WebSocket[Any, Any, Any], id: str, state: State) -> None:
    if not same_origin(socket.headers):
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
        [*rest.HANDLERS, *setups.HANDLERS, *lan.HANDLERS, *pages.HANDLERS, sit],
        lifespan=[lifespan],
        exception_handlers=problems.EXCEPTION_HANDLERS,
        before_request=problems.at_the_door,
        before_send=[problems.secure],
        openapi_config=OpenAPIConfig("Quincunx", __version__, path="/schema", render_plugins=[JsonRenderPlugin()]),
        request_max_body_size=512 * 1024,
        logging_config=None,
    )


async def _follow(store: Store, tables: Tables) -> None:
    """Other processes tell which matches went on."""
    async for hint in store.hints():
        for id in [hint.match] if hint.match else list(tables._tables):
            await tables.refresh(id)
