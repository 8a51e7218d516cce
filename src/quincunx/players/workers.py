"""Computer players in processes of their own, so that whoever asks one is not held up.

    async with Workers(2) as workers:
        thought = workers.think(Job.of(game.view(world, seat), "alphabeta:time=1", seed=7))
        async for info in thought.infos():
            print(info.depth, info.line)
        action = await thought.result()

Everything here runs in the event loop, except one thread a worker that waits for what it says. Processes are spawned,
on every system, and end by themselves when this one is gone. As always with spawned processes, a script that makes
workers does so under `if __name__ == "__main__":`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Lock, Thread
from time import monotonic
from types import TracebackType
from typing import Any, Self

from quincunx.core.words import Refused, Words
from quincunx.players.player import Info
from quincunx.players.queue import Pace, Queue
from quincunx.players.worker import Cancel, Chosen, Failed, Job, Ready, Task, Told, serve

MOST_WAITING = 1000  # jobs
SLICE = 5.0  # seconds that a thought may go on while others wait
MOST_UNHEARD = 64  # infos of a thought that nobody has asked for yet
TRIES = 2  # workers that a job may lose
STILLBORN = 3  # workers in a row that die before they are up: then something is wrong for good
FAREWELL = 2.0  # seconds until a worker that does not leave is killed

BUSY = Words("Trop de coups attendent déjà l’ordinateur.", "Too many moves wait for the computer already.")
LOST = Words(
    "L’ordinateur n’a pas pu choisir son coup : son processus s’est arrêté {} fois.",
    "The computer could not choose its move: its process died {} times.",
)
CLOSED = Words("Les joueurs ordinateurs ont été arrêtés.", "The computer players were shut down.")
UNABLE = Words("Les joueurs ordinateurs ne démarrent pas.", "The computer players do not start.")


class ThoughtLost(RuntimeError):
    """No action came, and it is not the fault of the job's words: a stable code, and a sentence for people."""

    def __init__(self, code: str, words: Words) -> None:
        super().__init__(words.en)
        self.code = code
        self.words = words


class Thought:
    """A job that was handed in, and the seconds that it is expected to take."""

    def __init__(self, number: int, job: Job, cancel: Callable[[Thought], None], cost: float = 0.0) -> None:
        self.job = job
        self.cost = cost
        self.began = 0.0  # when a worker took it, by the monotonic clock
        self.number = number
        self.memory = b""  # for the next job of this player in this match, once there is a result
        self.info = Info()  # what it thought last
        self.cancelled = False
        self.lost = 0  # workers that died over it
        self._cancel = cancel
        self._news: deque[Info] = deque(maxlen=MOST_UNHEARD)
        self._bell = asyncio.Event()
        self._action: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._action.add_done_callback(lambda action: action.cancelled() or action.exception())  # it may go unasked

    async def infos(self) -> AsyncIterator[Info]:
        """What it thinks, as it comes, until there is a result; the oldest go if nobody takes them.

        If its worker dies, it thinks again from the beginning. Only for those who may see the seat's view.
        """
        while self._news or not self._action.done():
            while self._news:
                yield self._news.popleft()
            if not self._action.done():
                self._bell.clear()
                await self._bell.wait()

    async def result(self) -> int:
        """The action. Refused if the job's words mean nothing, ThoughtLost if no worker could answer."""
        return await asyncio.shield(self._action)

    def done(self) -> bool:
        return self._action.done()

    def cancel(self) -> None:
        """Ends the thought soon, with the best action so far; one that still waits ends as soon as it begins."""
        if not self.done() and not self.cancelled:
            self.cancelled = True
            self._cancel(self)

    def hear(self, info: Info) -> None:
        self.info = info
        self._news.append(info)
        self._bell.set()

    def answer(self, action: int, memory: bytes) -> None:
        self.memory = memory
        self._action.set_result(action)
        self._bell.set()

    def fail(self, error: Exception) -> None:
        self._action.set_exception(error)
        self._bell.set()


class _Worker:
    """One process, as seen from here."""

    def __init__(self, process: SpawnProcess, pipe: Connection) -> None:
        self.process = process
        self.pipe = pipe
        self.ready = False
        self.thought: Thought | None = None
        self.ear = Thread()  # which listens to it, closes the pipe, and sees the process off

    def send(self, message: Task | Cancel | None) -> None:
        """A worker that is up always listens, so this does not wait; if it has died, its thread will say so."""
        with suppress(OSError):
            self.pipe.send(message)


class Workers:
    """Some worker processes, and the jobs that wait for them.

    `shared` by strangers: processes start when they are needed, one of several takes short thoughts only, and a long
    one that has had its slice while others wait ends with the best action so far."""

    def __init__(self, count: int = 2, shared: bool = False, calm: float = 0.0) -> None:
        """`calm`, if shared: seconds after which the first process is started, if no job was there to start it."""
        self._count = count
        self._calm = calm
        self._shared = shared
        self._staff: list[_Worker] = []
        self._waiting: Queue[Thought] = Queue()
        self._pace = Pace()
        self._slices: asyncio.TimerHandle | None = None
        self._first: asyncio.TimerHandle | None = None
        self._stillborn = 0
        self._open = False
        self._hiring = Lock()
        self._arrivals: set[asyncio.Task[None]] = set()

    @property
    def size(self) -> int:
        """How many there may be."""
        return self._count

    @property
    def pids(self) -> list[int]:
        return [worker.process.pid for worker in self._staff if worker.process.pid is not None]

    @property
    def waiting(self) -> int:
        """How many jobs no worker has begun."""
        return len(self._waiting)

    def expects(self, game: str, player: str) -> float:
        """Seconds that a thought would take."""
        return self._pace.of(game, player)

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._open = True
        self._numbers = count(1)
        if self._shared and self._calm:
            self._first = self._loop.call_later(self._calm, self._begin)
        else:
            for _ in range(1 if self._shared else self._count):
                await self._hire()
        return self

    def _begin(self) -> None:
        if not self._staff and not self._arrivals:
            self._send_for(self._grow())

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open = False
        if self._arrivals:
            await asyncio.wait(self._arrivals)
        for timer in (self._slices, self._first):
            if timer is not None:
                timer.cancel()
        thoughts = [worker.thought for worker in self._staff] + list(self._waiting)
        self._waiting.clear()
        for thought in thoughts:
            if thought is not None and not thought.done():
                thought.fail(ThoughtLost("closed", CLOSED))
        await asyncio.gather(*(asyncio.to_thread(_dismiss, worker) for worker in self._staff))
        self._staff.clear()

    def think(self, job: Job) -> Thought:
        """Hands a job in. Refused if far too many wait already."""
        if not self._open:
            raise ThoughtLost("closed", CLOSED)
        if self._stillborn >= STILLBORN and not self._staff:
            raise ThoughtLost("unable", UNABLE)
        if self.waiting >= MOST_WAITING:
            raise Refused("busy", BUSY)
        thought = Thought(next(self._numbers), job, self._cancel, self._pace.of(job.game, job.player))
        self._waiting.add(thought)
        self._hand_out()
        return thought

    # -- jobs ----------------------------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        """Gives every idle worker a job. The first of several that are shared is there for short ones."""
        for place, worker in enumerate(self._staff):
            if worker.ready and worker.thought is None:
                quick = self._shared and place == 0 and self._count > 1
                thought = self._waiting.take(quick)
                if thought is None:
                    continue
                worker.thought, thought.began = thought, monotonic()
                worker.send(Task(thought.number, thought.job))
                if thought.cancelled:
                    worker.send(Cancel(thought.number))
        if self._waiting and self._shared:
            self._make_room()

    def _make_room(self) -> None:
        """Somebody waits: one more worker comes if there may be one, and long thoughts end after their slice."""
        if len(self._staff) + len(self._arrivals) < self._count and all(worker.ready for worker in self._staff):
            self._send_for(self._grow())
        ended = []
        for worker in self._staff:
            thought = worker.thought
            if thought is not None and not thought.cancelled:
                ended.append(thought.began + SLICE)
                if ended[-1] <= monotonic():
                    thought.cancel()
        if ended and (self._slices is None or self._slices.cancelled()):
            self._slices = self._loop.call_later(max(0.05, min(ended) - monotonic()), self._look_again)

    def _look_again(self) -> None:
        self._slices = None
        self._hand_out()

    def _send_for(self, arrival: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(arrival)
        self._arrivals.add(task)
        task.add_done_callback(self._arrivals.discard)

    def _cancel(self, thought: Thought) -> None:
        for worker in self._staff:
            if worker.thought is thought:
                worker.send(Cancel(thought.number))

    def _heard(self, worker: _Worker, message: Ready | Told | Chosen | Failed) -> None:
        thought = worker.thought
        if isinstance(message, Ready):
            worker.ready = True
            self._stillborn = 0
        elif thought is not None and not thought.done():
            if isinstance(message, Told):
                return thought.hear(message.info)
            if isinstance(message, Chosen):
                if not thought.cancelled:
                    self._pace.learn(thought.job.game, thought.job.player, monotonic() - thought.began)
                thought.answer(message.action, message.memory)
            else:
                thought.fail(message.error)
        worker.thought = None
        self._hand_out()

    # -- processes -----------------------------------------------------------------------------------------------

    async def _hire(self) -> None:
        worker = await asyncio.to_thread(self._start)  # a start takes some milliseconds
        self._staff.append(worker)
        worker.ear = Thread(target=self._listen, args=(worker,), daemon=True)
        worker.ear.start()

    def _start(self) -> _Worker:
        with self._hiring:
            context = get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(target=serve, args=(theirs,), name="quincunx worker", daemon=True)
            process.start()
            theirs.close()  # or the end of the worker would not be the end of the pipe
            return _Worker(process, ours)

    def _listen(self, worker: _Worker) -> None:
        """In a thread: what the worker says, until it is gone."""
        try:
            while True:
                self._post(self._heard, worker, worker.pipe.recv())
        except (EOFError, OSError):
            worker.pipe.close()
            worker.process.join()
            self._post(self._mourn, worker)

    def _post(self, call: Callable[..., None], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(call, *arguments)

    def _mourn(self, worker: _Worker) -> None:
        """A worker died: another takes its place, and its job is tried once more."""
        if not self._open:
            return
        self._staff.remove(worker)
        if not worker.ready:
            self._stillborn += 1
        thought = worker.thought
        if thought is not None and not thought.done():
            thought.lost += 1
            if thought.lost < TRIES:
                self._waiting.add(thought, again=True)
            else:
                thought.fail(ThoughtLost("lost", LOST.format(TRIES)))
        self._send_for(self._replace())
        self._hand_out()

    async def _grow(self) -> None:
        with suppress(OSError):  # no more processes to be had: those that are there go on
            await self._hire()

    async def _replace(self) -> None:
        while self._stillborn < STILLBORN:
            try:
                return await self._hire()
            except OSError:  # no more processes or pipes to be had
                self._stillborn += 1
        if not self._staff:
            for thought in list(self._waiting):
                thought.fail(ThoughtLost("unable", UNABLE))
            self._waiting.clear()


def _dismiss(worker: _Worker) -> None:
    """It is asked to leave, then made to."""
    worker.send(None)
    worker.ear.join(FAREWELL)
    if worker.ear.is_alive():
        worker.process.kill()
        worker.ear.join()
