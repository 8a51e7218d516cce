"""The Litestar application: REST for the lobby, a WebSocket for a match."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from logging.config import dictConfig
from typing import Any

from litestar import Litestar
from litestar.openapi import OpenAPIConfig

from quincunx import __version__
from quincunx.players.workers import Workers
from quincunx.server import (
    arena_rest,
    class_rest,
    contest_rest,
    explorer,
    health,
    hosts,
    http_connection,
    kits,
    lan,
    pages,
    people_rest,
    positions,
    problems,
    puzzles,
    rest,
    setups,
    studies,
    tasks,
)
from quincunx.server.analysing import Analyses
from quincunx.server.arenas import Arenas
from quincunx.server.attendance import Attendance
from quincunx.server.bans import Bans
from quincunx.server.base_path import below
from quincunx.server.classroom import Classroom
from quincunx.server.clocks import Clocks
from quincunx.server.company import Company
from quincunx.server.compiling import Warming
from quincunx.server.computers import Computers
from quincunx.server.contest_records import ContestRecords
from quincunx.server.contests import LiveContests
from quincunx.server.health import Readiness
from quincunx.server.interventions import Interventions
from quincunx.server.limits import Gate, Limits
from quincunx.server.listing import Listing
from quincunx.server.lobby import Lobby
from quincunx.server.logs import configuration, log
from quincunx.server.matches import LiveMatches
from quincunx.server.metrics import METRICS, answer_siblings, metrics
from quincunx.server.operations import AS_USUAL, Operations
from quincunx.server.people import People
from quincunx.server.place import ALONE, Place
from quincunx.server.presence import Presence
from quincunx.server.process_pool import ProcessPool, most
from quincunx.server.programs import Programs
from quincunx.server.proxies import Proxies
from quincunx.server.retention import retain
from quincunx.server.seeking import Seeking
from quincunx.server.showcase import Showcase
from quincunx.server.siblings import Siblings
from quincunx.server.sockets import enter, sit, watch
from quincunx.server.uploads import Uploads
from quincunx.store import Store

HANDLERS = (
    *rest.HANDLERS, *setups.HANDLERS, *positions.HANDLERS, *studies.HANDLERS, *explorer.HANDLERS,
    *contest_rest.HANDLERS, *arena_rest.HANDLERS, *class_rest.HANDLERS, *people_rest.HANDLERS,
    *kits.HANDLERS, *puzzles.HANDLERS, *lan.HANDLERS, *pages.HANDLERS, *health.HANDLERS, metrics, sit, watch, enter,
)  # fmt: skip
SWITCH = 0.0005  # seconds that a thread of ours, one of the database's say, may keep the event loop waiting


def application(
    database: str,
    workers: int = 1,
    limits: Limits | None = None,
    names: hosts.Hosts | None = None,
    listener: logging.Handler | None = None,
    operations: Operations = AS_USUAL,
    classroom: str | None = None,
    place: Place = ALONE,
) -> Litestar:
    """`names` it may be called by; None: whoever serves it otherwise sees to that. `listener` hears what is logged.
    `classroom`: the name of the class that is held here. `place`: among the processes of a server."""
    gate, bans = Gate((limits or Limits()).shared_by(place.count)), Bans()
    app = Litestar(
        HANDLERS,
        lifespan=[
            lambda app: _serving(app, database, workers, gate, listener, bans, operations, place),
            *([] if classroom is None else [lambda app: _holding_class(app, classroom)]),
        ],
        exception_handlers=problems.EXCEPTION_HANDLERS,
        before_request=problems.at_the_door,
        before_send=[problems.secure],
        openapi_config=OpenAPIConfig(
            "Quincunx", __version__, path="/schema", render_plugins=[rest.KeptSchema()], use_handler_docstrings=True
        ),
        request_max_body_size=2**20,  # the longest text of a setup, every sign of it escaped, is judged and not cut off
        logging_config=None,
    )
    app.state.base_path, app.state.place = operations.base_path, place
    app.asgi_handler = gate.guard(app.asgi_handler, problems.SECURITY)  # also what has no route counts
    app.asgi_handler = bans.guard(app.asgi_handler, problems.SECURITY)
    if names is not None:
        app.asgi_handler = hosts.guard(app.asgi_handler, names, problems.SECURITY)
    app.asgi_handler = _from_outside(app.asgi_handler, operations)
    return app


def _from_outside(app: Any, operations: Operations) -> Any:
    """What lies between us and the world: proxies, and the path of a larger site below which we are."""
    proxies = Proxies(operations.proxies)
    http_connection.CONNECTIONS.forwards = proxies.trust
    app = proxies.guard(app) if proxies else app
    return below(app, operations.base_path, problems.SECURITY) if operations.base_path else app


@asynccontextmanager
async def _serving(
    app: Litestar,
    database: str,
    workers: int,
    gate: Gate,
    listener: logging.Handler | None,
    bans: Bans,
    operations: Operations,
    place: Place,
) -> AsyncIterator[None]:
    """From start to stop: what the handlers find in the state of the application."""
    number = None if place.folder is None else place.number
    dictConfig(configuration(operations.log_level.upper(), listener, number))
    sys.setswitchinterval(SWITCH)
    asyncio.get_running_loop().set_exception_handler(http_connection.quiet)
    http_connection.CONNECTIONS.raise_limit()

    async def ready(game: str) -> None:
        await matches.shift(game)
        _spare_the_collector()

    async with (
        Store.open(database, alone=True, writer=place.writer) as store,
        Workers(workers, shared=True, calm=place.calm) as staff,
        ProcessPool(gate, place.share(most()), place.calm) as pool,
        Siblings(place) as siblings,
    ):
        warming = Warming(ready, compiles=place.is_first)
        matches = LiveMatches(store, warming.game, pool.run)
        store.setups.judge = _judge(pool)
        Presence(siblings, matches)
        answer_siblings(siblings)
        uploads = Uploads(store)
        await uploads.open()
        computers, analyses = (
            Computers(matches, staff, Programs(uploads, operations.program_log)),
            Analyses(store, staff),
        )
        lobby = Lobby(store, matches)
        people = People(matches)
        attendance = Attendance(Clocks(matches), computers)
        company = Company(store, operations.chat)
        matches.on_news = company.hear
        app.state.update(people=people, seeking=Seeking(lobby), company=company)
        app.state.update(store=store, matches=matches, lobby=lobby, attendance=attendance, analyses=analyses)
        arenas = Arenas(lobby, attendance, staff, warming.is_done, lambda: uploads.isolation)
        showcase = Showcase(pool.run, warming.is_done)
        app.state.update(arenas=arenas, uploads=uploads, showcase=showcase)
        contests = LiveContests(store)
        app.state.update(contests=contests, contest_records=ContestRecords(store, contests, pool.run))
        app.state.update(pool=pool, workers=staff, warming=warming, gate=gate, listing=Listing(store))
        _measure(gate, matches, computers, staff, warming)
        readiness, interventions = Readiness(store), Interventions(store, bans, matches)
        app.state.update(readiness=readiness, siblings=siblings, explorer=explorer.Explorer(store))
        await interventions.begin()
        works = [matches.follow(), arenas.take_up(), people.take_up(), warming.run(), interventions.follow()]
        if place.is_first:
            works += [attendance.take_up(matches), retain(store, matches, operations.keep)]
        running = [asyncio.create_task(work) for work in works]
        _spare_the_collector()
        log.info("server.started")
        yield
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await arenas.close()
        await people.close()
        showcase.close()
        await app.state.explorer.close()
        await readiness.close()
        await contests.close()
        await analyses.close()
        await attendance.close()
        uploads.close()
        log.info("server.stopped")


@asynccontextmanager
async def _holding_class(app: Litestar, name: str) -> AsyncIterator[None]:
    """While the server runs."""
    state = app.state
    classroom = await Classroom.open(state.store, state.arenas, state.uploads, state.pool.run, name)
    state.classroom = classroom
    rounds = asyncio.create_task(classroom.run())
    yield
    rounds.cancel()
    await asyncio.gather(rounds, return_exceptions=True)


def _judge(pool: ProcessPool) -> Callable[[str, str], Awaitable[str]]:
    async def judge(game: str, text: str) -> str:
        return (await pool.run(tasks.judge, game, text)).decode()

    return judge


def _spare_the_collector() -> None:
    """What is loaded by now stays: walking through all of it took a fifth of the time, and 0.2 s at a stretch. The
    young are looked through a few at a time: of 20,000 it took 7 to 16 ms, while everybody waited."""
    gc.freeze()
    gc.set_threshold(3_000, 50, 500)


def _measure(gate: Gate, matches: LiveMatches, computers: Computers, staff: Workers, warming: Warming) -> None:
    states = {"waiting": 0.0, "running": 0.5, "ready": 1.0}
    METRICS.sockets.ask = lambda: gate.sockets
    METRICS.matches.ask = lambda: len(matches)
    METRICS.thoughts.ask = lambda: {"running": computers.thinking - staff.waiting, "waiting": staff.waiting}
    METRICS.compiled.ask = lambda: {game: states[state] for game, state in warming.shown().items()}
