"""Threads that search beside the one that was asked: they end with its thought, and what fails in one fails there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread


@contextmanager
def beside(works: Sequence[Callable[[], object]], stop: Callable[[], None]) -> Iterator[None]:
    """Each of the works in a thread of its own. `stop` ends all of them, and what the caller does: it is called when
    anybody fails."""
    failed: list[BaseException] = []

    def attempt(work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)
            stop()

    threads = [Thread(target=attempt, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    try:
        yield
    except BaseException:
        stop()
        raise
    finally:
        for thread in threads:
            thread.join()
    if failed:
        raise failed[0]
