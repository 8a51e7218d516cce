"""Compiling the games while the server runs: in one process of its own, the game that somebody opens first. Of several
processes of a server one sees to that, and the others wait until they find the code in the cache.

    waiting ──▶ running ──▶ ready        `on_ready` hears of it, and matches go on with the machine code

What the cache holds is ready from the start. A game takes a second or two to compile, less to be read from the cache;
until then it is interpreted.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Literal

from quincunx.games import Game, cards, load
from quincunx.players.warming import is_warm
from quincunx.server.logs import log

PAUSE = 5.0  # seconds until a compiler that could not start is started again
LOOK = 1.0  # seconds between two looks at the cache

Shown = Literal["waiting", "running", "ready"]


class Warming:
    def __init__(self, on_ready: Callable[[str], Awaitable[None]], compiles: bool = True) -> None:
        self._on_ready = on_ready
        self._compiles = compiles
        self._states: dict[str, Shown] = {card.id: "waiting" for card in cards()}
        self._loaded: set[str] = set()
        self._process: asyncio.subprocess.Process | None = None

    def shown(self) -> dict[str, Shown]:
        return dict(self._states)

    def is_done(self, id: str) -> bool:
        """Is the machine code of a game there, or will there never be any?"""
        return self._states.get(id, "ready") == "ready"

    def game(self, id: str) -> Game:
        """In the best gear that is there now. Whoever asks wants it soon: it goes to the head of the line."""
        if id in self._states:
            state = self._states.pop(id)
            self._states = {id: state, **self._states}
        return load(id, "compiled" if id in self._loaded else "interpreted")

    async def run(self) -> None:
        """First all games as they can be played at once, then what the cache holds, then the rest."""
        try:
            for id in list(self._states):
                await asyncio.to_thread(load, id, "interpreted")  # or the first match of each would hold up all others
            for id in list(self._states):
                if await asyncio.to_thread(is_warm, id):
                    await self._finish(id)
            while waiting := [id for id, state in self._states.items() if state == "waiting"]:
                await (self._try(waiting[0]) if self._compiles else self._look_for(waiting))
        except Exception:
            log.error("compiling.failed")
        finally:
            self._stop()

    async def _try(self, id: str) -> None:
        """What cannot start now, because no file or process is to be had, can later."""
        try:
            await self._compile(id)
        except OSError as error:
            log.warning("compiling.waits", game=id, reason=error.strerror, seconds=PAUSE)
            self._states[id] = "waiting"
            await asyncio.sleep(PAUSE)

    async def _look_for(self, waiting: list[str]) -> None:
        """What another process has compiled meanwhile."""
        await asyncio.sleep(LOOK)
        for id in waiting:
            if await asyncio.to_thread(is_warm, id):
                await self._finish(id)

    async def _compile(self, id: str) -> None:
        self._states[id] = "running"
        log.info("compiling", game=id)
        command = [sys.executable, "-m", "quincunx.players.warming", id]
        self._process = await asyncio.create_subprocess_exec(*command)
        if await self._process.wait():
            log.error("compiling.failed", game=id)
            del self._states[id]  # it stays interpreted
        else:
            await self._finish(id)

    async def _finish(self, id: str) -> None:
        await asyncio.to_thread(load, id, "compiled")
        self._loaded.add(id)
        self._states[id] = "ready"
        await self._on_ready(id)
        log.info("compiled", game=id)

    def _stop(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
