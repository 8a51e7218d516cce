"""The Litestar application: REST for the lobby, a WebSocket for a table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Response
from litestar.datastructures import ResponseHeader
from litestar.openapi import OpenAPIConfig

from quincunx.core.words import Refused
from quincunx.players.workers import Workers
from quincunx.server import rest
from quincunx.server.compiling import Warming
from quincunx.server.computers import Computers
from quincunx.server.limits import Gate, Limits
from quincunx.server.lobby import Lobby
from quincunx.server.logs import log
from quincunx.server.metrics import METRICS, metrics
from quincunx.server.session import NO_STORE
from quincunx.server.sockets import sit
from quincunx.server.tables import Tables
from quincunx.store import Store, Unavailable

SECURITY = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def application(database: str, workers: int = 1, limits: Limits | None = None) -> Litestar:
    gate = Gate(limits or Limits())

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with Store.open(database) as store, Workers(workers) as staff:
            warming = Warming(lambda id: tables.shift(id))
            tables = Tables(store, warming.game)
            computers = Computers(tables, staff)
            app.state.update(
                store=store, tables=tables, lobby=Lobby(store, tables), computers=computers, warming=warming, gate=gate
            )
            _measure(gate, tables, computers, staff, warming)
            running = [asyncio.create_task(work) for work in (tables.follow(), computers.take_up(), warming.run())]
            log.info("server.started")
            yield
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            await computers.close()
            log.info("server.stopped")

    app = Litestar(
        [*rest.HANDLERS, metrics, sit],
        lifespan=[lifespan],
        exception_handlers={Refused: rest.refuse, Unavailable: unavailable},
        openapi_config=OpenAPIConfig(title="Quincunx", version="0.1.0", path="/schema"),
        response_headers=[ResponseHeader(name=name, value=value) for name, value in SECURITY.items()],
        request_max_body_size=512 * 1024,
        logging_config=None,
    )
    app.asgi_handler = gate.guard(app.asgi_handler, SECURITY)  # also what has no route counts
    return app


def unavailable(_: Any, error: Unavailable) -> Response[rest.Problem]:
    """The database does not answer: the client may ask again."""
    log.warning("store.unavailable", reason=str(error))
    return Response(rest.Problem("unavailable", NO_STORE), status_code=503, headers={"Retry-After": "1"})


def _measure(gate: Gate, tables: Tables, computers: Computers, staff: Workers, warming: Warming) -> None:
    states = {"waiting": 0.0, "running": 0.5, "ready": 1.0}
    METRICS.sockets.ask = lambda: gate.sockets
    METRICS.tables.ask = lambda: len(tables)
    METRICS.thoughts.ask = lambda: {"running": computers.thinking - staff.waiting, "waiting": staff.waiting}
    METRICS.compiled.ask = lambda: {game: states[state] for game, state in warming.shown().items()}
