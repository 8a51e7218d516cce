"""The analysis of a match, for its replay: an engine's opinion on every move, thought out in worker processes.

It is asked for, begins, and is asked for again until it is done; what is there is told each time. If nobody asks any
more, it stops. It is refused while it could help somebody: as long as a person or a program plays, and while there are
secrets. Each move is judged from what its own seat knew at that time.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, Literal

from msgspec import Struct

from quincunx.core.contract import CHANCE
from quincunx.core.words import Refused, Words
from quincunx.games import Game, Observation, load, package
from quincunx.match import Played
from quincunx.players.analysis import WORLDS, Opinion, Verdict, adviser, analyse
from quincunx.players.player import Info
from quincunx.players.worker import Job
from quincunx.players.workers import Thought, Workers
from quincunx.server.budgets import charge
from quincunx.server.fairness import is_computer
from quincunx.server.frames import read_entries, standing
from quincunx.server.records import open_to_all
from quincunx.store import Store, StoredMatch

SECONDS, SHORTEST = 0.2, 0.02  # for one thought
LONGEST = 180.0  # seconds for a whole match, about: thoughts of a long one are shorter
PATIENCE = 30.0  # seconds after which nobody seems to want it
KEPT = 32  # analyses
AT_ONCE = 4  # analyses, of all clients

RUNNING = Words(
    "La partie n’est pas finie : pas d’aide contre une autre personne.",
    "The match is not over: no help against another person.",
)
BUSY = Words("Une autre analyse est en cours.", "Another analysis is under way.")


class Analysed(Struct, frozen=True):
    state: Literal["running", "done"]
    engine: str  # which player thought, and for how long about one move
    total: int  # moves to be judged
    moves: tuple[Verdict, ...]  # those after the first `have`


class Analyses:
    def __init__(self, store: Store, workers: Workers) -> None:
        self._store = store
        self._workers = workers
        self._kept: OrderedDict[tuple[str, int], _Analysis] = OrderedDict()
        self._threads = ThreadPoolExecutor(AT_ONCE, "analysis")

    async def tell(self, stored: StoredMatch, client: str, have: int) -> Analysed:
        """What there is, after the first `have` moves; an analysis begins if there is none."""
        refuse_help(stored)
        key = stored.id, await self._store.last_seq(stored.id)
        if self._at(key) is None:
            self._expect_room(client)
            entries = await self._store.entries_text(stored.id)
            charge(read=len(entries))
            played = await asyncio.to_thread(_standing, entries)
            if self._at(key) is None:  # nobody else asked meanwhile
                self._expect_room(client)
                self._kept[key] = _Analysis(stored, played, client, self._workers)
                self._kept[key].begin(self._threads)
        found = self._kept[key]
        self._kept.move_to_end(key)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)[1].stop()
        found.asked = monotonic()
        if found.task.done():
            await self._result(key, found)
        return found.told(have)

    def _at(self, key: tuple[str, int]) -> _Analysis | None:
        found = self._kept.get(key)
        return None if found is None or found.stopped else found

    def _expect_room(self, client: str) -> None:
        running = [each for each in self._kept.values() if not each.task.done()]
        if len(running) >= AT_ONCE or any(each.client == client for each in running):
            raise Refused("busy", BUSY)

    async def _result(self, key: tuple[str, int], found: _Analysis) -> None:
        """An analysis that failed is forgotten, once it has been told."""
        try:
            await found.task
        except Exception:
            self._kept.pop(key, None)
            raise

    async def close(self) -> None:
        for each in self._kept.values():
            each.stop()
        await asyncio.gather(*(each.task for each in self._kept.values()), return_exceptions=True)
        self._threads.shutdown(wait=False)


def _standing(entries: bytes) -> list[Played]:
    return standing(read_entries(entries))


def refuse_help(stored: StoredMatch) -> None:
    open_to_all(stored)
    if stored.status != "over" and not all(is_computer(seat) for seat in stored.seats):
        raise Refused("running", RUNNING)


class _Analysis:
    """One match, from beginning to end: read in a thread with a game of its own, thought about in worker processes."""

    task: asyncio.Future[None]

    def __init__(self, stored: StoredMatch, played: Sequence[Played], client: str, workers: Workers) -> None:
        self._stored = stored
        self._played = [(entry.seat, entry.action) for entry in played]
        self.client = client
        self._workers = workers
        self.total = sum(entry.seat != CHANCE for entry in played)
        seconds = max(SHORTEST, min(SECONDS, LONGEST / max(1, self.total * (1 + WORLDS))))
        self.engine = adviser(package(stored.game).CARD, round(seconds, 3))
        self.verdicts: list[Verdict] = []
        self.stopped = False
        self.asked = monotonic()
        self._thought: Thought | None = None

    def begin(self, threads: ThreadPoolExecutor) -> None:
        self._loop = asyncio.get_running_loop()
        self.task = self._loop.run_in_executor(threads, self._work)
        self.task.add_done_callback(lambda task: task.cancelled() or task.exception())  # it may go unasked

    def told(self, have: int) -> Analysed:
        state: Literal["running", "done"] = "done" if self.task.done() else "running"
        return Analysed(state, self.engine, self.total, tuple(self.verdicts[have:]))

    def stop(self) -> None:
        self.stopped = True
        if self._thought is not None:
            self._thought.cancel()

    def _work(self) -> None:
        id, options = self._stored.game, dict[str, Any](self._stored.options)
        game = Game(package(id), "compiled" if load(id, "interpreted").is_cached() else "interpreted")
        start = game.new(position=self._stored.start, **options)
        for verdict in analyse(start, self._played, self.engine, self._ask):
            self.verdicts.append(verdict)
            if monotonic() - self.asked > PATIENCE:
                self.stopped = True
            if self.stopped:
                return

    def _ask(self, observation: Observation) -> Opinion:
        job = Job.of(observation, self.engine, owner=f"analysis {self._stored.id}", client=self.client)
        return asyncio.run_coroutine_threadsafe(self._think(job), self._loop).result()

    async def _think(self, job: Job) -> Opinion:
        self._thought = self._workers.think(job)
        if self.stopped:
            self._thought.cancel()
        last = Info()
        async for info in self._thought.infos():
            last = info
        return Opinion(await self._thought.result(), last)
