"""Processes that play matches, and never outlive who started them."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread

CAN_BLOCK = hasattr(signal, "pthread_sigmask")  # not on Windows


def pool(jobs: int, heed_interrupts: bool = True) -> ProcessPoolExecutor:
    """A terminal sends Ctrl-C to all processes at once; who ends in an order of its own lets them not heed it."""
    context = get_context("spawn") if heed_interrupts else _Undisturbed()
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_stay_while_wanted, initargs=(heed_interrupts,))


class _UndisturbedProcess(SpawnProcess):
    """Born with interrupts blocked: one that comes while it still imports would end it, or leave a trace."""

    def start(self) -> None:
        if not CAN_BLOCK:
            super().start()
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Undisturbed(SpawnContext):
    Process = _UndisturbedProcess


def _stay_while_wanted(heed_interrupts: bool) -> None:
    """A parent that is killed says nothing: its processes would wait for work for ever."""
    if not heed_interrupts:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if CAN_BLOCK:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = parent_process()
    assert parent
    wait([parent.sentinel])
    os._exit(1)
