"""A runner plays what is missing of a tournament, until nothing is. Any number of them may work on the same one.

    schedule ──▶ missing matches ──claim──▶ tasks ──▶ processes, or a cluster ──▶ results ──▶ store
        ▲                                                                                       │
        └───────────────── results of this runner and of all others ◀───────────────────────────┘

Results and claims are written in one transaction (store/contests.py). What a runner that was killed had claimed, the
others play; what it had played and not written is played again. A match is the same whoever plays it. While the
database is away a runner keeps what it has played, and tries again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from itertools import groupby
from time import monotonic
from typing import NamedTuple

import msgspec

from quincunx.core.words import Refused, Words
from quincunx.store import Unavailable
from quincunx.store.contests import Contests, Match, Rivals, StoredContest, StoredResult
from quincunx.tournament.identity import is_gone, new_runner
from quincunx.tournament.plan import Plan
from quincunx.tournament.playing import Done, Task, perform
from quincunx.tournament.results import Result
from quincunx.tournament.tournament import Tournament

RENEWAL = 2.0  # seconds after which a runner says that it is still there
IDLE = 0.2  # between two looks, when others play all that is left
WRITING = 0.4  # between two writes while there is enough to play: each costs as much as a dozen quick matches
TASK_SECONDS = 0.25  # about so long a task should take: little is lost, and little is said
LARGEST_TASK = 500
AHEAD = 4  # tasks for each process: one that it plays, others for the time until results are written,
SLOW = 2.0  # unless a match takes so long: what waits here, another runner could play
PAUSE, LONGEST_PAUSE = 0.5, 8.0  # seconds between two tries while the database is away: each twice as long
LOST = 3  # times that a task may be lost with its process

LOST_TASK = Words(
    "Un processus est tombé {} fois pendant la rencontre {} (dès la partie {}).",
    "A process ended {} times while pairing {} was played (from match {} on).",
)

Told = Callable[[Sequence[Result]], None]
MakeExecutor = Callable[[], Executor]  # again if one breaks; a lost process is a BrokenExecutor


class _Run(NamedTuple):
    """A task under way, and where."""

    task: Task
    executor: Executor
    future: Future[Done]  # its own, that can be called back


class Runner:
    """One of those who run a tournament."""

    def __init__(
        self,
        contests: Contests,
        plan: Plan,
        make: MakeExecutor,
        jobs: Callable[[], int],
        told: Told = lambda new: None,
        away: Callable[[], None] = lambda: None,
    ) -> None:
        """`jobs`: how many tasks can be played at the same time, now; `told` hears of every result once, and `away`
        when the database does not answer any more."""
        self.tournament = Tournament(plan)
        self.id = plan.id
        self._contests = contests
        self._make = make
        self._executor: Executor | None = None
        self._jobs = jobs
        self._told = told
        self._away = away
        self._me = new_runner()
        self._rivals = Rivals(is_gone)
        self._text = msgspec.json.encode(plan)
        self._running: dict[asyncio.Future[Done], _Run] = {}
        self._ready: list[StoredResult] = []  # played and not written
        self._losses: dict[tuple[int, tuple[int, ...]], int] = {}  # how often a task was lost
        self._pace = 0.0  # seconds for a match, as the last tasks took
        self._written = 0.0  # when
        self._pause = 0.0  # while the database is away

    async def run(self, enough: asyncio.Event | None = None) -> bool:
        """Until nothing is missing, True; or until it is enough, and what is under way is over."""
        plan = self.tournament.plan
        await self._contests.create(self.id, plan.called, plan.game, self._text.decode())
        async for row in self._contests.results(self.id):
            self._told(self.tournament.read([row]))
        try:
            while not (self.tournament.over and not self._ready):
                leaving = enough is not None and enough.is_set()
                if leaving:
                    self._call_back()
                await self._write(0 if leaving else self._free())
                if leaving and not self._running and not self._ready:
                    break
                await self._wait(enough)
            finished = self.tournament.over
            while not await self._left(finished):
                pass
            return finished
        finally:
            for future in self._running:
                future.cancel()
            if self._executor:
                self._executor.shutdown(wait=False, cancel_futures=True)

    def _free(self) -> int:
        """How many more tasks there should be."""
        ahead = AHEAD if 0 < self._pace < SLOW else 1
        return max(0, ahead * self._jobs() - len(self._running))

    def _call_back(self) -> None:
        """What has not begun will not."""
        self._running = {ours: run for ours, run in self._running.items() if not run.future.cancel()}

    def _task_size(self) -> int:
        return max(1, min(LARGEST_TASK, int(TASK_SECONDS / self._pace))) if self._pace else 1

    async def _write(self, free: int) -> None:
        """Writes what is ready, takes matches for so many tasks, and begins with them."""
        ready, self._ready = self._ready, []
        mine = {(run.task.pairing, number) for run in self._running.values() for number in run.task.numbers}
        room = free * self._task_size()

        def choose(news: Sequence[StoredResult], held: set[Match]) -> list[Match]:
            self._told(self.tournament.read(news))
            chosen: list[Match] = []
            for pairing, number in self.tournament.missing() if room else ():
                if len(chosen) == room:
                    break
                if (key := (pairing.number, number)) not in held and key not in mine:
                    chosen.append(key)
            return chosen

        seen = self.tournament.seen
        try:
            step = await self._contests.advance(self.id, self._me, ready, seen, sorted(mine), choose, self._rivals)
        except Unavailable:  # perhaps it was written: of two results of a match one is kept
            self._ready, self.tournament.seen = ready, seen
            return await self._wait_for_database()
        self._written, self._pause = monotonic(), 0.0
        if step.taken:
            self._begin(step.taken, -(-len(step.taken) // free))

    async def _left(self, finished: bool) -> bool:
        try:
            await self._contests.leave(self.id, self._me, finished)
        except Unavailable:
            await self._wait_for_database()
            return False
        return True

    async def _wait_for_database(self) -> None:
        if not self._pause:
            self._away()
        self._pause = min(2 * self._pause, LONGEST_PAUSE) or PAUSE
        await asyncio.sleep(self._pause)

    def _begin(self, taken: Sequence[Match], size: int) -> None:
        """Tasks of at most so many matches: near the end there is less for each, so that all end together."""
        for number, group in groupby(taken, key=lambda match: match[0]):
            pairing, numbers = self.tournament.pairings[number], [match[1] for match in group]
            for k in range(0, len(numbers), size):
                self._submit(Task(self._text, number, pairing.players, tuple(numbers[k : k + size])))

    def _submit(self, task: Task) -> None:
        if self._executor is None:
            self._executor = self._make()
        try:
            future = self._executor.submit(perform, task)
        except BrokenExecutor:
            self._executor = self._make()
            future = self._executor.submit(perform, task)
        self._running[asyncio.wrap_future(future)] = _Run(task, self._executor, future)

    async def _wait(self, enough: asyncio.Event | None) -> None:
        """Until something can be written, and it is time to; or until others must hear that this runner lives."""
        if not self._running:
            await asyncio.sleep(IDLE)
        began = monotonic()
        while self._running:
            due = self._written + WRITING if self._ready else began + RENEWAL
            left = due - monotonic()
            if left <= 0 or (self._ready and len(self._running) <= self._jobs()):
                return
            over, _ = await asyncio.wait(self._running, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            for future in over:
                self._take(future, self._running.pop(future))
            if enough is not None and enough.is_set():
                return

    def _take(self, future: asyncio.Future[Done], run: _Run) -> None:
        """What came of a task."""
        try:
            done = future.result()
        except (BrokenExecutor, asyncio.CancelledError) as error:
            self._lost(run, error)
            return
        pace = max(done.seconds, 1e-6) / len(done.matches)
        self._pace = (self._pace + pace) / 2 if self._pace else pace
        self._ready += [
            StoredResult(m.pairing, m.number, m.result.decode(), m.place, record=m.record) for m in done.matches
        ]

    def _lost(self, run: _Run, error: BaseException) -> None:
        """With the process that played it: again, in another one."""
        task, key = run.task, (run.task.pairing, run.task.numbers)
        self._losses[key] = self._losses.get(key, 0) + 1
        if self._losses[key] > LOST:
            raise Refused("lost_task", LOST_TASK.format(LOST, task.pairing, task.numbers[0])) from error
        if run.executor is self._executor:
            self._executor = None
        self._submit(task)


async def read_tournament(contests: Contests, contest: StoredContest) -> tuple[Tournament, list[Result]]:
    """A tournament as it stands, with all its results."""
    tournament = Tournament(msgspec.json.decode(contest.plan, type=Plan), contest.finished is not None)
    results: list[Result] = []
    async for row in contests.results(contest.id):
        results += tournament.read([row])
    return tournament, results
