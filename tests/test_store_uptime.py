"""Matches are played by a clock that never jumps, and stands while no server runs."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from quincunx.store import Store
from quincunx.store.uptime import BEAT, GAP, UptimeClock
from test_server import HERE, Server

BOB = {**HERE, "name": "Bob"}
HOUR = 3_600_000


class Monotonic:
    """Seconds, as an argument."""

    def __init__(self) -> None:
        self.now = 5.0

    def __call__(self) -> int:
        return round(self.now * 1e9)


def test_it_follows_the_monotonic_clock_and_no_jump_of_the_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    steady = Monotonic()
    clock = UptimeClock(monotonic=steady)
    began = clock()
    assert abs(began - time.time_ns() // 1_000_000) < HOUR
    monkeypatch.setattr(time, "time_ns", lambda: 0)  # somebody sets the wall clock back
    for _ in range(4):
        steady.now += 2.5
        clock()
    assert clock() == began + 10_000


def test_a_span_in_which_the_process_did_not_run_does_not_count() -> None:
    steady = Monotonic()
    clock = UptimeClock(monotonic=steady)
    began = clock()
    steady.now += 3600
    assert clock() == began + BEAT
    steady.now += GAP / 1000 - 0.1
    assert clock() == began + BEAT + GAP - 100


def test_a_server_goes_on_where_the_one_before_it_was(tmp_path: Path) -> None:
    database = str(tmp_path / "m.db")

    async def look() -> int:
        async with Store.open(database, alone=True) as store:
            return store.clock()

    first = asyncio.run(look())
    kept = Path(f"{database}-clock")
    assert 0 <= int(kept.read_text()) - first < HOUR
    kept.write_text(f"{first - HOUR:015}\n")  # the wall clock is an hour ahead now
    assert first - HOUR <= asyncio.run(look()) < first - HOUR // 2
    kept.write_text("nonsense")
    assert asyncio.run(look()) >= first


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="stops a process with a signal")
def test_nobody_loses_time_while_the_server_is_stopped_or_gone(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    made = server.make("connect_four", HERE, BOB, clock={"kind": "fischer", "base": 40_000})
    both = server.sit(made["id"], *(held["token"] for held in made["seats"]))
    assert both.play("m0", 0, "d")["type"] == "accepted"
    assert server.process is not None
    left = _left(server, made, 1)
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(12)  # the process sleeps, and nothing else does
    server.process.send_signal(signal.SIGCONT)
    assert _left(server, made, 1) > left - 8000
    server.kill()
    _an_hour_passes(server.database)
    server.start()
    both = server.sit(made["id"], *(held["token"] for held in made["seats"]))
    assert both.play("m1", 1, "d")["type"] == "accepted"
    assert both.now()["outcome"] is None
    server.kill()


def _left(server: Server, made: dict[str, str], seat: int) -> int:
    clocks: list[int] = server.sit(made["id"]).now()["clocks"]
    return clocks[seat]


def _an_hour_passes(database: str) -> None:
    """For whoever looks at the wall clock: everything that was written lies further back."""
    kept = Path(f"{database}-clock")
    kept.write_text(f"{int(kept.read_text()) - HOUR:015}\n")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE matches SET began = began - ?", (HOUR,))
    connection.close()
