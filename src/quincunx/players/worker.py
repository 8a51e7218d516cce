"""The inside of a worker process: it takes one job after the other, thinks, tells how it goes, and answers.

        parent                             worker
          Task(3, job)   ───────────▶   listening thread ──▶ thinking thread
          Cancel(3)      ───────────▶   listening thread ──▶ flag of the search
          None           ───────────▶   listening thread ──▶ the end
          Told(info) …   ◀───────────   thinking thread
          Chosen(action) ◀───────────   thinking thread      or Failed(error)

A job holds what the seat may know and nothing else: the state never enters this process. The listening thread sees
the end of the pipe when the parent is gone, however it went, and ends the process at once.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections import OrderedDict
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock, Thread
from time import perf_counter
from typing import Any

from quincunx.core.contract import NOT_TO_ACT
from quincunx.core.options import Value
from quincunx.core.words import Refused
from quincunx.games import Game, Observation, load
from quincunx.players.player import Info, Player, silent
from quincunx.players.roster import make
from quincunx.players.warming import is_warm

NICE = 5  # behind whoever answers people
KEPT = 4  # players of a worker: at most some 20 MB each
PATIENCE = 2.0  # seconds that an interpreted thought may take, whatever its budget
SHORTEST = 0.1  # seconds of them that are left to it, however long the game took to load


@dataclass(frozen=True)
class Job:
    """One choice to be made. The same job gives the same action, in any process, if its budget is not one of time."""

    game: str
    options: dict[str, Value]
    observation: bytes  # the terms and the view
    seat: int
    player: str
    seed: int = 0
    memory: bytes = field(default=b"", repr=False)  # of this player after its last choice in this match
    owner: str = ""  # whose job it is (a match), and
    client: str = ""  # who waits for it: clients take turns, and without one owners do
    most_seconds: float | None = None  # whatever the budget of the player says

    @classmethod
    def of(cls, observation: Observation, player: str, seed: int = 0, **more: Any) -> Job:
        data = observation.game.observation_to_bytes(observation)
        return cls(observation.game.card.id, dict(observation.options), data, observation.seat, player, seed, **more)


@dataclass(frozen=True)
class Task:
    number: int
    job: Job


@dataclass(frozen=True)
class Cancel:
    number: int


@dataclass(frozen=True)
class Ready:
    """The worker is up."""


@dataclass(frozen=True)
class Told:
    info: Info


@dataclass(frozen=True)
class Chosen:
    action: int
    memory: bytes


@dataclass(frozen=True)
class Failed:
    error: Exception


def serve(parent: Connection) -> None:
    """What a worker process does, until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends us
    if hasattr(os, "nice"):
        os.nice(NICE)
    desk = Desk(parent)
    Thread(target=desk.listen, daemon=True).start()
    desk.work()


class Desk:
    def __init__(self, parent: Connection) -> None:
        self._parent = parent
        self._tasks: SimpleQueue[Task] = SimpleQueue()
        self._players: OrderedDict[tuple[str, bool, str], Player] = OrderedDict()
        self._warm: set[str] = set()
        self._lock = Lock()
        self._thinking: tuple[int, Player] | None = None
        self._cancelled = -1  # number of a task

    def listen(self) -> None:
        """In a thread of its own, so that a cancel and the end of the parent are heard while a search runs."""
        try:
            while True:
                message = self._parent.recv()
                if message is None:
                    os._exit(0)
                elif isinstance(message, Cancel):
                    self._cancel(message.number)
                else:
                    self._tasks.put(message)
        except (EOFError, OSError):
            os._exit(0)

    def work(self) -> None:
        self._send(Ready())
        while True:
            task = self._tasks.get()
            try:
                self._send(self._answer(task, perf_counter()))
            except Refused as refused:
                self._send(Failed(refused))
            except Exception as error:  # a bug of a player must not take the worker with it
                traceback.print_exc()
                self._send(Failed(RuntimeError(f"{task.job.player} failed at {task.job.game}: {type(error).__name__}")))

    def _answer(self, task: Task, arrived: float) -> Chosen:
        job = task.job
        game = self._game(job.game)
        observation = game.observation_from_bytes(job.options, job.seat, job.observation)
        if not game.to_act(game.imagine(observation, game.random(0)), job.seat):
            raise game.refusal(NOT_TO_ACT)
        player = self._player(game, job.player)
        player.begin(job.seed)
        if job.memory:
            player.recall(job.memory)
        player.most_seconds = job.most_seconds
        if not game.gear.compiled:
            player.most_seconds = max(SHORTEST, PATIENCE - (perf_counter() - arrived))
        player.report = lambda info: self._send(Told(info))
        with self._lock:
            self._thinking = task.number, player
            if self._cancelled == task.number:
                player.cancel()
        try:
            return Chosen(player.choose(observation), player.memory())
        finally:
            player.report = silent
            with self._lock:
                self._thinking = None

    def _cancel(self, number: int) -> None:
        with self._lock:
            self._cancelled = number
            if self._thinking is not None and self._thinking[0] == number:
                self._thinking[1].cancel()

    def _game(self, id: str) -> Game:
        """Compiled as soon as the cache holds all of it; until then interpreted at once."""
        if id not in self._warm and is_warm(id):
            self._warm.add(id)
            for key in [key for key in self._players if key[0] == id]:
                del self._players[key]
        return load(id, "compiled" if id in self._warm else "interpreted")

    def _player(self, game: Game, spec: str) -> Player:
        """One that is there already, with its room, or a new one; the one not used for longest makes place."""
        key = game.card.id, game.gear.compiled, spec
        player = self._players.pop(key, None) or make(spec, game)
        self._players[key] = player
        if len(self._players) > KEPT:
            self._players.popitem(last=False)
        return player

    def _send(self, message: Ready | Told | Chosen | Failed) -> None:
        try:
            self._parent.send(message)
        except OSError:  # nobody is there to hear it
            os._exit(0)
