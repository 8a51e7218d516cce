"""The Litestar application: REST for the lobby, a WebSocket for a match."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from logging.config import dictConfig

from litestar import Litestar
from litestar.openapi import OpenAPIConfig

from quincunx import __version__
from quincunx.players.workers import Workers
from quincunx.server import hosts, http_connection, lan, pages, problems, rest, setups, tasks
from quincunx.server.analysing import Analyses
from quincunx.server.attendance import Attendance
from quincunx.server.clocks import Clocks
from quincunx.server.compiling import Warming
from quincunx.server.computers import Computers
from quincunx.server.limits import Gate, Limits
from quincunx.server.listing import Listing
from quincunx.server.lobby import Lobby
from quincunx.server.logs import configuration, log
from quincunx.server.matches import LiveMatches
from quincunx.server.metrics import METRICS, metrics
from quincunx.server.process_pool import ProcessPool
from quincunx.server.programs import Programs
from quincunx.server.sockets import sit
from quincunx.store import Store

SWITCH = 0.0005  # seconds that a thread of ours, one of the database's say, may keep the event loop waiting


def application(
    database: str,
    workers: int = 1,
    limits: Limits | None = None,
    names: hosts.Hosts | None = None,
    listener: logging.Handler | None = None,
) -> Litestar:
    """`names` it may be called by; None: whoever serves it otherwise sees to that. `listener` hears what is logged."""
    gate = Gate(limits or Limits())
    app = Litestar(
        [*rest.HANDLERS, *setups.HANDLERS, *lan.HANDLERS, *pages.HANDLERS, metrics, sit],
        lifespan=[lambda app: _serving(app, database, workers, gate, listener)],
        exception_handlers=problems.EXCEPTION_HANDLERS,
        before_request=problems.at_the_door,
        before_send=[problems.secure],
        openapi_config=OpenAPIConfig("Quincunx", __version__, path="/schema", render_plugins=[rest.KeptSchema()]),
        request_max_body_size=2**20,  # the longest text of a setup, every sign of it escaped, is judged and not cut off
        logging_config=None,
    )
    app.asgi_handler = gate.guard(app.asgi_handler, problems.SECURITY)  # also what has no route counts
    if names is not None:
        app.asgi_handler = hosts.guard(app.asgi_handler, names, problems.SECURITY)
    return app


@asynccontextmanager
async def _serving(
    app: Litestar, database: str, workers: int, gate: Gate, listener: logging.Handler | None
) -> AsyncIterator[None]:
    """From start to stop: what the handlers find in the state of the application."""
    dictConfig(configuration(handler=listener))
    sys.setswitchinterval(SWITCH)
    asyncio.get_running_loop().set_exception_handler(http_connection.quiet)
    http_connection.CONNECTIONS.raise_limit()

    async def ready(game: str) -> None:
        await matches.shift(game)
        _spare_the_collector()

    async with (
        Store.open(database, alone=True) as store,
        Workers(workers, shared=True) as staff,
        ProcessPool(gate) as pool,
    ):
        warming = Warming(ready)
        matches = LiveMatches(store, warming.game, pool.run)
        store.setups.judge = _judge(pool)
        computers, analyses = Computers(matches, staff, Programs()), Analyses(store, staff)
        lobby = Lobby(store, matches)
        attendance = Attendance(Clocks(matches), computers)
        app.state.update(store=store, matches=matches, lobby=lobby, attendance=attendance, analyses=analyses)
        app.state.update(pool=pool, workers=staff, warming=warming, gate=gate, listing=Listing(store))
        _measure(gate, matches, computers, staff, warming)
        works = (matches.follow(), attendance.take_up(matches), warming.run())
        running = [asyncio.create_task(work) for work in works]
        _spare_the_collector()
        log.info("server.started")
        yield
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await analyses.close()
        await attendance.close()
        log.info("server.stopped")


def _judge(pool: ProcessPool) -> Callable[[str, str], Awaitable[str]]:
    async def judge(game: str, text: str) -> str:
        return (await pool.run(tasks.judge, game, text)).decode()

    return judge


def _spare_the_collector() -> None:
    """What is loaded by now stays: walking through all of it took a fifth of the time, and 0.2 s at a stretch."""
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


def _measure(gate: Gate, matches: LiveMatches, computers: Computers, staff: Workers, warming: Warming) -> None:
    states = {"waiting": 0.0, "running": 0.5, "ready": 1.0}
    METRICS.sockets.ask = lambda: gate.sockets
    METRICS.matches.ask = lambda: len(matches)
    METRICS.thoughts.ask = lambda: {"running": computers.thinking - staff.waiting, "waiting": staff.waiting}
    METRICS.compiled.ask = lambda: {game: states[state] for game, state in warming.shown().items()}
