"""`/health`: the process answers. `/ready`: its database does, too. For load balancers, containers and monitors.

Neither tells anything that one could not learn by trying to play. However many ask, the database is
asked once a second.
"""

from __future__ import annotations

import asyncio
import time

import msgspec
from litestar import Response, get
from litestar.datastructures import State

from quincunx.server.logs import log
from quincunx.server.problems import UNAVAILABLE, Problem
from quincunx.store import Store, Unavailable

PATIENCE = 1.0  # seconds that the database may take
FRESH = 1.0  # seconds for which an answer of it holds


class Answer(msgspec.Struct, frozen=True):
    status: str


class Readiness:
    """Does the database answer? One look at a time, for all who ask."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._looking: asyncio.Task[str] | None = None
        self._answer, self._at = False, float("-inf")

    async def ask(self) -> bool:
        if time.monotonic() - self._at < FRESH:
            return self._answer
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        done, _ = await asyncio.wait({self._looking}, timeout=PATIENCE)
        why = self._looking.result() if done else f"nothing for {PATIENCE:g} s"
        if why and self._answer:
            log.warning("store.not_ready", reason=why)
        self._answer, self._at = not why, time.monotonic()
        return self._answer

    async def _look(self) -> str:
        try:
            return await self._store.administration.answers()
        except Unavailable as error:
            return str(error)

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)


@get("/health", include_in_schema=False)
async def health() -> Answer:
    return Answer("ok")


@get("/ready", include_in_schema=False)
async def ready(state: State) -> Response[Answer | Problem]:
    if await state.readiness.ask():
        return Response(Answer("ready"))
    return Response(Problem("unavailable", UNAVAILABLE), status_code=503, headers={"Retry-After": "1"})


HANDLERS = (health, ready)
