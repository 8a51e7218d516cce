"""Threads that work on a batch: compiled rules let other threads of Python run, so they run side by side.

sharing.py says how they share the work. Between two calls they look out for the next one, for a tenth of a millisecond;
then they sleep until they are woken.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from time import sleep
from typing import Any
from weakref import finalize

from quincunx.envs.sharing import CLOSED, UNFINISHED

NAP = 50e-6  # seconds, while others are still at work

Bell = SimpleQueue[None]


class Helper:
    """A thread beside the one that calls."""

    def __init__(self, serve: Callable[[], bool], name: str) -> None:
        self._bell, self._sleeps = Bell(), [False]
        self.failed: list[BaseException] = []
        self.thread = Thread(target=_serve, args=(serve, self._bell, self._sleeps, self.failed), name=name, daemon=True)
        self.thread.start()

    def wake(self, always: bool = False) -> None:
        """If it falls asleep at this very moment it stays asleep: others take its parts."""
        if always or self._sleeps[0]:
            self._sleeps[0] = False
            self._bell.put(None)


def _serve(serve: Callable[[], bool], bell: Bell, sleeps: list[bool], failed: list[BaseException]) -> None:
    try:
        while serve():
            sleeps[0] = True
            bell.get()
    except BaseException as error:
        failed.append(error)


class Crew:
    """The thread that calls, and a helper for each of the other ones; helpers end with the crew.

    `lead` has something done, `serve` helps, and `wait` waits for who is still at work: doors of sharing.py."""

    def __init__(self, counters: Any, lead: Callable[..., int], serve: list[Callable[[], bool]], wait: Any) -> None:
        self._counters, self._lead, self._serve, self._wait = counters, lead, serve, wait
        self._helpers: list[Helper] = []
        self._process = 0  # in which its helpers live: a fork leaves them behind
        self._end: Callable[[], object] = list

    def run(self, *what: int) -> int:
        """What `lead` returns. All are done before this returns; if it raises, nobody is at work any more."""
        if self._process != os.getpid():
            self._hire()
        for helper in self._helpers:
            helper.wake()
        try:
            found = self._lead(*what)
            while found == UNFINISHED:
                for helper in self._helpers:
                    for error in helper.failed:
                        raise error
                sleep(NAP)
                found = self._wait()
        except BaseException:
            self.dismiss()
            raise
        return found

    def dismiss(self) -> None:
        """Until the next call, which hires others."""
        self._end()
        for helper in self._helpers:
            helper.thread.join()
        self._process = 0

    def _hire(self) -> None:
        self._counters["value"][CLOSED] = 0
        self._helpers = [Helper(serve, f"quincunx batch {k}") for k, serve in enumerate(self._serve, 1)]
        self._end = finalize(self, _close, self._counters, self._helpers)
        self._process = os.getpid()


def _close(counters: Any, helpers: list[Helper]) -> None:
    counters["value"][CLOSED] = 1
    for helper in helpers:
        helper.wake(always=True)
