"""The process pool: tasks of some milliseconds or some seconds, run in other processes so that they hold up nobody.

    draw a start, judge a setup, play a record through, tell a long story …

        run(task) ─▶ lines, one for each client and kind of task; they take turns
                       │  one task of a client at a time, so many may wait
                       ▼
                     processes, of a lower priority than the event loop ──▶ bytes

What it cost is taken off the client's budget (limits.py). A task that takes far too long is given up.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Lock
from typing import Any, NamedTuple, Self

from quincunx.core.words import Refused, Words
from quincunx.server.budgets import CLIENT
from quincunx.server.limits import Gate
from quincunx.server.logs import log
from quincunx.server.pool_process import Done, Task, serve

MOST_OF_CLIENT = 64  # tasks of one client that wait
MOST = 512  # of all of them
LONGEST = 300.0  # seconds after which a process that says nothing is ended; a task's own limit is much shorter

YOURS = Words(
    "Trop de vos demandes attendent déjà : réessayez dans un instant.",
    "Too many of your requests wait already: try again in a moment.",
)
EVERYBODYS = Words(
    "Le serveur a trop à faire : réessayez dans un instant.", "The server has too much to do: try again in a moment."
)
LOST = Words("Ce travail n’a pas abouti : réessayez.", "That did not work out: try again.")

Run = Callable[..., Awaitable[bytes]]  # a function of a module, and its arguments
Key = tuple[str, str]  # a client, and what is done for it


def most() -> int:
    """Processes that a server has for such tasks."""
    return max(2, (os.cpu_count() or 1) // 2)


async def run_here(task: Callable[..., bytes], *arguments: Any) -> bytes:
    """In this process: for those who hold up nobody."""
    return task(*arguments)


class _Queued(NamedTuple):
    task: Task
    answer: asyncio.Future[bytes]


class ProcessPool:
    def __init__(self, gate: Gate, count: int = 0, calm: float = 0.0) -> None:
        """`calm`: seconds after which the first process is started, if no task was there to start it."""
        self._gate = gate
        self._calm = calm
        self._free = [_Process() for _ in range(count or most())]
        self._all = list(self._free)
        self._threads = ThreadPoolExecutor(len(self._all), "pool")  # each waits for a process
        self._lines: OrderedDict[Key, deque[_Queued]] = OrderedDict()  # in the order of their turns
        self._busy: set[str] = set()  # clients for whom something is being done
        self._running: set[asyncio.Task[None]] = set()
        self.done: Counter[str] = Counter()

    async def __aenter__(self) -> Self:
        self._first = asyncio.get_running_loop().call_later(self._calm, self._begin)
        return self

    def _begin(self) -> None:
        """With one; others start when they are needed."""
        if self._free:
            first = asyncio.get_running_loop().run_in_executor(self._threads, self._free[-1].start)
            first.add_done_callback(lambda start: start.exception())

    async def __aexit__(self, *ended: object) -> None:
        self._first.cancel()
        for line in self._lines.values():
            for queued in line:
                queued.answer.cancel()
        self._lines.clear()
        for process in self._all:
            process.kill()
        await asyncio.gather(*self._running, return_exceptions=True)
        await asyncio.to_thread(self._threads.shutdown)

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self._all if process.pid is not None]

    @property
    def waiting(self) -> int:
        return sum(map(len, self._lines.values()))

    async def run(self, task: Callable[..., bytes], *arguments: Any) -> bytes:
        """The result of a function of a module. Refused if it refuses, or if the client asks for too much."""
        client = CLIENT.get()
        self._gate.check_budget(client)
        if sum(len(line) for (whose, _), line in self._lines.items() if whose == client) >= MOST_OF_CLIENT:
            raise Refused("busy", YOURS)
        if self.waiting >= MOST:
            raise Refused("overloaded", EVERYBODYS)
        queued = _Queued(Task(task, arguments), asyncio.get_running_loop().create_future())
        self._lines.setdefault((client, task.__name__), deque()).append(queued)
        self._hand_out()
        return await queued.answer

    def _hand_out(self) -> None:
        for key in list(self._lines):
            if not self._free:
                return
            if key[0] in self._busy:
                continue
            line = self._lines.pop(key)
            queued = line.popleft()
            if line:
                self._lines[key] = line  # at the end: others first
            if not queued.answer.done():  # whoever asked may be gone
                self._busy.add(key[0])
                task = asyncio.create_task(self._run(key, queued, self._free.pop()))
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    async def _run(self, key: Key, queued: _Queued, process: _Process) -> None:
        client, name = key
        result: bytes | Exception
        try:
            done = await asyncio.get_running_loop().run_in_executor(self._threads, process.run, queued.task)
            result = done.result
            self._gate.charge(client, done.seconds)
            self.done[name] += 1
        except (EOFError, OSError) as error:
            log.warning("pool.lost", what=name, reason=type(error).__name__)
            result = Refused("lost", LOST)
        finally:
            self._busy.discard(client)
            self._free.append(process)
        if not queued.answer.done():
            if isinstance(result, bytes):
                queued.answer.set_result(result)
            else:
                queued.answer.set_exception(result)
        self._hand_out()


class _Process:
    """One process, started when it is needed and again when it was lost. All of this waits: it is called in threads."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._ended = False
        self._starting = Lock()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> Connection:
        with self._starting:
            if self._ended:
                raise EOFError
            if self._pipe is None:
                context = get_context("spawn")
                ours, theirs = context.Pipe()
                self._process = context.Process(target=serve, args=(theirs,), name="quincunx pool", daemon=True)
                self._process.start()
                theirs.close()  # or the end of the process would not be the end of the pipe
                self._pipe = ours
            return self._pipe

    def run(self, task: Task) -> Done:
        try:
            pipe = self.start()
            pipe.send(task)
            if not pipe.poll(LONGEST):
                raise TimeoutError
            done: Done = pipe.recv()
            return done
        except (EOFError, OSError):  # a timeout is one
            self._drop()
            raise

    def kill(self) -> None:
        """For good."""
        self._ended = True
        if self._process is not None:
            with suppress(OSError, ValueError):
                self._process.kill()

    def _drop(self) -> None:
        pipe, process, self._pipe, self._process = self._pipe, self._process, None, None
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.join()
