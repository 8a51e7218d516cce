"""The inside of a pool process: it runs one task after the other.

A task is a function of a module, with arguments that can be pickled; it answers bytes, or refuses. The process
ends with the one that started it, however that one went.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from multiprocessing.connection import Connection
from time import process_time
from types import FrameType
from typing import Any, NamedTuple

from quincunx.core.words import Refused, Words

NICE = 5  # whoever plays comes first
LONGEST = 20.0  # seconds of a processor for one task
AGAIN = 0.5  # after which it is told again: an exception in a finalizer is swallowed, a signal may reach another thread

ENDLESS = Words("C’est trop de travail pour le serveur.", "This is too much work for the server.")


class Task(NamedTuple):
    run: Callable[..., bytes]
    arguments: tuple[Any, ...]


class Done(NamedTuple):
    result: bytes | Refused | RuntimeError
    seconds: float  # of a processor


def serve(parent: Connection) -> None:
    """What a pool process does, until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends us
    import_module("quincunx.server.records")  # with all that it needs: somebody may wait for it
    if hasattr(os, "nice"):
        os.nice(NICE)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGVTALRM, _give_up)
    try:
        while True:
            parent.send(_run_task(parent.recv()))
    except (EOFError, OSError):
        pass


def _run_task(task: Task) -> Done:
    began = process_time()
    result: bytes | Refused | RuntimeError
    try:
        with _at_most(LONGEST):
            result = task.run(*task.arguments)
    except Refused as refused:
        result = refused
    except Exception as error:  # a bug must not take the process with it
        traceback.print_exc()
        result = RuntimeError(f"{task.run.__name__} failed: {type(error).__name__}")
    return Done(result, process_time() - began)


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Of a processor, not of the clock: on a busy computer everything takes long."""
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _give_up(number: int, frame: FrameType | None) -> None:
    raise Refused("endless", ENDLESS)
