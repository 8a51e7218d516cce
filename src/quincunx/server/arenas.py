"""The arenas of this server: those that are open run here, the others are only read."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import msgspec

from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.players import settings
from quincunx.players.queue import guess
from quincunx.players.workers import Workers
from quincunx.server.arena import CLOSED, Arena
from quincunx.server.attendance import Attendance
from quincunx.server.computers import MOST
from quincunx.server.contests import is_arena, open_arenas
from quincunx.server.lobby import Lobby
from quincunx.server.logs import log
from quincunx.server.retries import persist
from quincunx.server.shapes import NewArena
from quincunx.store import Store, Unavailable
from quincunx.store.contests import StoredContest
from quincunx.tournament.plan import NOT_AN_ARENA, Plan, Start, Time

MOST_ARENAS = 50  # open at once
SHARE = 0.5  # of a turn that a computer may be expected to think

TOO_MANY = Words(
    "{} arènes sont déjà ouvertes : fermez-en une (quincunx arena close).",
    "{} arenas are open already: close one (quincunx arena close).",
).format(MOST_ARENAS)
TOO_SLOW = Words(
    "{} réfléchit environ {} s par coup : il faut lui laisser au moins {} s par tour.",
    "{} thinks for about {} s a move: it needs at least {} s a turn.",
)

Keep = Callable[[StoredContest], Awaitable[None]]


class Arenas:
    """`is_compiled`: is the machine code of a game there, or will it never be? `runs_uploads`: can it isolate files?"""

    def __init__(
        self,
        lobby: Lobby,
        attendance: Attendance,
        workers: Workers,
        is_compiled: Callable[[str], bool],
        runs_uploads: Callable[[], bool] = lambda: False,
    ) -> None:
        self._lobby = lobby
        self._store = lobby.store
        self._attendance = attendance
        self._workers = workers
        self._is_compiled = is_compiled
        self._runs_uploads = runs_uploads
        self._open: dict[str, Arena] = {}
        self._running: dict[str, asyncio.Task[None]] = {}

    async def take_up(self) -> None:
        """After a start: all that are open go on."""

        async def look() -> None:
            open_ones = await open_arenas(self._store)
            for id in await self._store.entrants.with_bouts_under_way():  # of one that was closed meanwhile
                open_ones.append(await self._store.contests.get(id))
            for stored in open_ones:
                try:
                    await self._run(stored)
                except Refused as refused:  # its game is gone, say: the others go on
                    log.warning("arena.left", contest=stored.id, code=refused.code)

        await persist(look)

    async def get(self, id: str) -> Arena:
        """By its id, or the beginning of it that no other has. Refused if there is none, or it is closed."""
        if id in self._open and not self._open[id].closed:
            return self._open[id]
        return await self._run(check_open(await self._store.contests.get(id)))

    async def make(self, wanted: NewArena, keep: Keep | None = None) -> Arena:
        """A new one, with the computers that take part in it. `keep` stores it, if it is more than an arena."""
        if len([each for each in self._open.values() if not each.closed]) >= MOST_ARENAS:
            raise Refused("full", TOO_MANY)
        plan = await asyncio.to_thread(checked_plan, wanted)
        return await self._run(await create(self._store, plan, wanted.computers, keep))

    async def close_arena(self, id: str) -> None:
        """It ends: matches under way are played out, and count."""
        arena = await self.get(id)
        await self._store.contests.leave(arena.id, "", True)
        arena.wake()

    async def close(self) -> None:
        """The server stops."""
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        with suppress(Unavailable):  # then it is known soon that this process is gone
            for arena in self._open.values():
                await arena.stop()

    async def _run(self, stored: StoredContest) -> Arena:
        """Once, however many ask for it."""
        known = self._open.get(stored.id)
        if known is not None and not known.closed:
            return known
        is_ready = lambda: self._is_compiled(stored.game)  # noqa: E731
        arena = await asyncio.to_thread(
            Arena, stored, self._lobby, self._attendance, is_ready, self._workers.size, self._runs_uploads
        )
        if (other := self._open.get(stored.id)) is not None and not other.closed:
            return other
        self._open[stored.id] = arena
        task = self._running[stored.id] = asyncio.create_task(arena.run())
        task.add_done_callback(lambda _: self._forget(arena))
        log.info("arena.open", contest=stored.id)
        return arena

    def _forget(self, arena: Arena) -> None:
        """One that was closed."""
        if arena.closed and self._open.get(arena.id) is arena:
            del self._open[arena.id], self._running[arena.id]


def checked_plan(wanted: NewArena) -> Plan:
    """Refused if no match could be played, or if a computer would not have the time to think."""
    start = Start("", wanted.preset, wanted.setup, dict(wanted.options))
    plan = Plan(
        wanted.game, name=wanted.name.strip(), format="arena", seats=wanted.seats, starts=(start,),
        time=Time(turn=wanted.turn), pacing=wanted.pacing, admission=wanted.admission,
    )  # fmt: skip
    plan.check_arena()
    for spec in wanted.computers:
        settings(spec, load(plan.game, "interpreted"), MOST)
        seconds = guess(spec)
        if seconds > SHARE * plan.time.turn:
            raise Refused("too_slow", TOO_SLOW.format(spec, f"{seconds:g}", f"{seconds / SHARE:g}"), "computers")
    return plan


async def create(store: Store, plan: Plan, computers: Sequence[str], keep: Keep | None = None) -> StoredContest:
    """Under an id of its own: two arenas that are alike are two."""
    words = re.sub(r"[^a-z0-9]+", "-", plan.called.lower()).strip("-")[:30].rstrip("-")
    id = f"{words or plan.game}-{secrets.token_hex(5)}"
    text = msgspec.json.encode(plan).decode()
    if keep is not None:
        await keep(StoredContest(id, plan.called, plan.game, text, 0))
    stored = await store.contests.create(id, plan.called, plan.game, text)
    for spec in dict.fromkeys(computers):
        await store.entrants.enter(stored.id, spec, "computer", spec)
    return stored


def check_open(stored: StoredContest) -> StoredContest:
    """Refused if it is no arena, or a closed one."""
    if not is_arena(stored):
        raise Refused("not_an_arena", NOT_AN_ARENA.format(stored.name))
    if stored.finished is not None:
        raise Refused("closed", CLOSED)
    return stored
