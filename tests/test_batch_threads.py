"""Threads of a batch: what fails is raised, nobody works unasked, and all end with it."""

from __future__ import annotations

import gc
import os
import threading
import time
from typing import Any

import numpy as np
import pytest

import quincunx.envs
from quincunx.core.words import Refused
from quincunx.envs.crew import Crew
from quincunx.envs.sharing import CLOSED, UNFINISHED
from test_batches import history


def a_crew(lead: Any, serve: Any, wait: Any) -> Crew:
    return Crew(np.zeros(4, [("value", np.int64)]), lead, [serve], wait)


def test_what_fails_in_a_thread_is_raised_and_others_are_hired() -> None:
    failing = [True]

    def serve() -> bool:
        if failing.pop():
            raise ValueError("of the other")
        return False

    crew = a_crew(lambda: UNFINISHED, serve, lambda: UNFINISHED)
    with pytest.raises(ValueError, match="of the other"):
        crew.run()
    failing.append(False)
    crew = a_crew(lambda: UNFINISHED, serve, lambda: 7)
    assert crew.run() == 7


def test_nobody_is_at_work_after_a_call_that_was_interrupted() -> None:
    """Ctrl-C while one waits for the others, or a fault of one's own: they end what they have begun."""
    begun = threading.Event()
    ended: list[bool] = []
    crews: list[Crew] = []

    def serve() -> bool:
        begun.set()
        while not crews[-1]._counters["value"][CLOSED]:
            time.sleep(0.001)
        ended.append(True)
        return False

    def interrupt() -> int:
        assert begun.wait(60)
        raise KeyboardInterrupt

    for lead, wait in ((lambda: UNFINISHED, interrupt), (interrupt, lambda: -1)):
        begun.clear()
        ended.clear()
        crews.append(a_crew(lead, serve, wait))
        with pytest.raises(KeyboardInterrupt):
            crews[-1].run()
        assert ended and not any(helper.thread.is_alive() for helper in crews[-1]._helpers)


def test_threads_that_fell_asleep_are_woken() -> None:
    one, two = (quincunx.envs.batch("connect_four", 300, threads=threads) for threads in (1, 2))
    one.reset(seed=3), two.reset(seed=3)
    helper = two._crew._helpers[0]
    for _ in range(5):
        wait_until(lambda: helper._sleeps[0])
        told = [b"".join(a.tobytes() for a in (*b.step(b.sample())[0], b.mask())) for b in (one, two)]
        assert told[0] == told[1]
    assert helper.thread.is_alive()


def wait_until(true: Any) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_threads_that_come_before_there_is_anything_to_do_do_nothing() -> None:
    """A clone hires some, and so does a look from another seat: they would begin all matches anew."""
    batch = quincunx.envs.batch("connect_four", 300, threads=2)
    batch.reset(seed=3)
    batch.step(batch.sample())
    before = batch._states.tobytes(), batch._runs.tobytes()
    crew = batch._hire(batch._planes, batch._scalars)
    crew._hire()
    wait_until(lambda: crew._helpers[0]._sleeps[0])
    crew.dismiss()
    assert (batch._states.tobytes(), batch._runs.tobytes()) == before


def test_many_more_threads_than_cores_play_the_same() -> None:
    one = history(quincunx.envs.batch("connect_four", 200), 6)
    assert history(quincunx.envs.batch("connect_four", 200, threads=24), 6) == one


def test_numbers_are_refused_before_any_thread_plays() -> None:
    batch = quincunx.envs.batch("connect_four", 4096, threads=2)
    batch.reset(seed=1)
    numbers = batch.sample().copy()
    numbers[4000] = 7
    before = batch._states.tobytes()
    with pytest.raises(Refused, match="match 4000, number 7"):
        batch.step(numbers)
    assert batch._states.tobytes() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a fork is needed")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_batch_goes_on_in_a_forked_process() -> None:
    batch = quincunx.envs.batch("connect_four", 8, threads=2)
    batch.reset(seed=1)
    batch.step(batch.sample())
    child = os.fork()
    if child == 0:
        batch.step(batch.sample())
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_threads_end_with_their_batch() -> None:
    before = set(threading.enumerate())  # those of other batches may be about to end
    batch = quincunx.envs.batch("connect_four", 8, threads=4)
    batch.reset()
    batch.step([0] * 8)
    hired = set(threading.enumerate()) - before
    assert len(hired) == 3
    del batch
    gc.collect()
    for thread in hired:
        thread.join(10)
    assert not any(thread.is_alive() for thread in hired)
