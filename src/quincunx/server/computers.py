"""Who acts when no person does: computer players, and clocks that run out.

A computer thinks in a worker process. Before it does, this process takes a lease in the store, so that of several
server processes one thinks; after a crash the lease runs out and another one goes on.
"""

from __future__ import annotations

import asyncio

from quincunx.core.words import Refused
from quincunx.match.referee import Referee, Ruling
from quincunx.players.worker import Job
from quincunx.players.workers import ThoughtLost, Workers
from quincunx.server.tables import News, Table, Tables, entropy
from quincunx.server.tokens import new_id

SOMEBODY_ELSE = 2.0  # seconds until one looks whether another process that thinks for a seat has done so


class Computers:
    def __init__(self, tables: Tables, workers: Workers) -> None:
        self.tables = tables
        self.workers = workers
        self._name = new_id()
        self._tasks: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._memory: dict[tuple[str, int], bytes] = {}
        self._flags: dict[str, asyncio.TimerHandle] = {}

    async def take_up(self) -> None:
        """After a start: goes on with the matches that wait for a computer."""
        for id in await self.tables.store.waiting_for_computers():
            table = await self.tables.get(id)
            if table is not None:
                self.attend(table)

    def attend(self, table: Table) -> None:
        """Sees to a table from now on."""
        table.watchers.add(self.on_news)
        self.on_news(table, News())

    def on_news(self, table: Table, news: News) -> None:
        self._set_alarm(table)
        if table.stored.status == "open":
            return
        if table.match.over:
            table.watchers.discard(self.on_news)
            return
        for number, seat in enumerate(table.stored.seats):
            key = (table.id, number)
            if seat.kind == "computer" and key not in self._tasks and self._waits(table, number):
                self._tasks[key] = asyncio.create_task(self._turn(table, number, seat.player))

    def _waits(self, table: Table, seat: int) -> bool:
        return not table.match.over and table.match.game.to_act(table.match.world, seat)

    async def _turn(self, table: Table, seat: int, player: str) -> None:
        """A turn; then looks again, because the match may have gone on meanwhile, or another process thinks."""
        try:
            while self._waits(table, seat):
                if not await self._act(table, seat, player):
                    await asyncio.sleep(SOMEBODY_ELSE)
                    await self.tables.refresh(table.id)
        finally:
            del self._tasks[table.id, seat]

    async def _act(self, table: Table, seat: int, player: str) -> bool:
        """All actions of a turn, one thought each; False if another process thinks for this seat."""
        store = self.tables.store
        if not await store.lease(table.id, seat, table.seq, self._name):
            return False
        try:
            while self._waits(table, seat):
                game = table.match.game
                memory = self._memory.get((table.id, seat), b"")
                job = Job.of(game.view(table.match.world, seat), player, entropy(), memory=memory, owner=table.id)
                thought = self.workers.think(job)
                action = await thought.result()
                self._memory[table.id, seat] = thought.memory

                def question(referee: Referee, at: int, action: int = action) -> Ruling:
                    return referee.submit(seat, action, at, entropy)

                if await self.tables.ask(table, question):
                    break  # the match went on without it
                await store.lease(table.id, seat, table.seq, self._name)
        except (ThoughtLost, Refused):
            await self.tables.ask(table, lambda referee, at: referee.forfeit(seat, "no action came", at))
        finally:
            await store.release(table.id, seat, self._name)
        return True

    def _set_alarm(self, table: Table) -> None:
        """Wakes up when the next flag falls."""
        if table.id in self._flags:
            self._flags.pop(table.id).cancel()
        ends = [end for clock in table.referee.clocks if (end := clock.deadline()) is not None]
        if table.stored.status == "playing" and not table.match.over and (ends or table.match.gone):
            wait = max(0, min(ends, default=0) - table.now()) / 1000
            loop = asyncio.get_running_loop()
            self._flags[table.id] = loop.call_later(wait + 0.001, lambda: self._ring(table))

    def _ring(self, table: Table) -> None:
        key = (table.id, -1)
        if key not in self._tasks:
            ask = self.tables.ask(table, lambda referee, at: referee.expire(at, entropy))
            self._tasks[key] = task = asyncio.create_task(_quietly(ask))
            task.add_done_callback(lambda _: self._tasks.pop(key, None))

    async def close(self) -> None:
        for handle in self._flags.values():
            handle.cancel()
        for task in list(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


async def _quietly(asked: object) -> None:
    await asked  # type: ignore[misc]
