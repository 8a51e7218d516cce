"""Tournaments that are killed: real processes, ended with SIGKILL at any instant, and what is there in the end is what
an undisturbed tournament would have left: the same results, the same actions, no process that stays behind."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from postgres import Cluster
from quincunx.match import Played
from quincunx.store import Store
from quincunx.tournament.plan import Plan, written_plan
from quincunx.tournament.playing import unpacked
from quincunx.tournament.runner import read_tournament

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")]

KILLS = 20
PATIENCE = 120  # seconds, on a busy machine
PLAYERS = ["random", "greedy", "mcts:simulations=60", "mcts:simulations=200"]
ROUNDS, EACH = 3, 100
PLAN = Plan("connect_four", tuple(PLAYERS), "Endurance", "swiss", EACH, ROUNDS)
MATCHES = ROUNDS * EACH * len(PLAYERS) // 2

Table = dict[tuple[int, int], Any]  # what came of each match, and how


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("plan") / "endurance.toml"
    file.write_text(written_plan(PLAN), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def undisturbed(plan: Path, tmp_path_factory: pytest.TempPathFactory) -> Table:
    database = str(tmp_path_factory.mktemp("undisturbed") / "results.db")
    with tournament(plan, database) as process:
        assert process.wait(PATIENCE) == 0
    return table(database)


@contextmanager
def tournament(plan: Path, database: str, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs it; whatever happens, it does not outlive the test."""
    command = [sys.executable, "-m", "quincunx", "--lang", "en", "tournament", str(plan), "--database", database, *more]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def table(database: str) -> Table:
    """Every result by its key, with what was played; times differ."""

    async def read() -> Table:
        async with Store.open(database) as store:
            contest = await store.contests.get(PLAN.id)
            found, results = await read_tournament(store.contests, contest)
            assert found.over and contest.finished is not None and contest.results == len(results) == MATCHES
            whole: Table = {}
            for result in results:
                record = await store.contests.record(PLAN.id, result.pairing, result.game)
                assert record is not None
                acted = [(e.seat, e.action) for e in unpacked(record).entries if isinstance(e, Played)]
                key = result.pairing, result.game
                assert key not in whole
                whole[key] = msgspec.structs.replace(result, seconds=()), acted
            assert await store.contests.playing(PLAN.id) == []
            return whole

    return asyncio.run(read())


def results(database: str) -> int:
    """How many there are now; 0 if there is no tournament yet. It is asked again and again."""
    if not database.startswith("postgresql:") and Path(database).exists():
        with closing(sqlite3.connect(database)) as connection:
            found = connection.execute("SELECT results FROM contests").fetchone()
            return int(found[0]) if found else 0

    async def read() -> int:
        async with Store.open(database) as store:
            found = await store.contests.latest()
            return found[0].results if found else 0

    return asyncio.run(read())


def places(database: str) -> set[str]:
    async def read() -> set[str]:
        async with Store.open(database) as store:
            return {row.place async for row in store.contests.results(PLAN.id)}

    return asyncio.run(read())


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


def children(pid: int) -> list[int]:
    """And theirs."""
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, file.read_text().split()):
            found += [child, *children(child)]
    return found


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def kill(process: subprocess.Popen[bytes]) -> None:
    """And all that it started ends by itself."""
    family = children(process.pid)
    process.kill()
    process.wait()
    until(lambda: not any(map(lives, family)))


def test_killed_at_twenty_instants_it_ends_with_the_same_table(plan: Path, undisturbed: Table, tmp_path: Path) -> None:
    """Some while it starts, most while results are written."""
    database, chance = str(tmp_path / "results.db"), random.Random(4)
    results(database)  # makes it
    for death in range(KILLS):
        with tournament(plan, database) as process:
            if death % 3:
                until(partial(_goes_on, process, database, results(database)))
                time.sleep(chance.uniform(0, 0.1))
            else:
                time.sleep(chance.uniform(0, 1))
            assert process.poll() is None, "it was over before it could be killed"
            kill(process)
    assert 0 < results(database) < MATCHES
    with tournament(plan, database) as process:
        assert process.wait(PATIENCE) == 0
    assert table(database) == undisturbed


def _goes_on(process: subprocess.Popen[bytes], database: str, known: int) -> bool:
    return process.poll() is not None or results(database) > known


@pytest.mark.parametrize("where", [(), ("--cluster", "local")], ids=["processes", "cluster"])
def test_a_killed_worker_costs_nothing(where: tuple[str, ...], plan: Path, undisturbed: Table, tmp_path: Path) -> None:
    database = str(tmp_path / "results.db")
    results(database)
    if where:  # a killed runner leaves no worker
        with tournament(plan, database, *where, "--jobs", "2") as process:
            until(lambda: results(database) > 0)
            kill(process)
    known = results(database)
    with tournament(plan, database, *where, "--jobs", "2") as process:
        until(lambda: results(database) > known)
        workers = places(database) & {_place(pid) for pid in children(process.pid)}
        os.kill(int(workers.pop().rpartition("/")[2]), signal.SIGKILL)
        assert results(database) < MATCHES
        assert process.wait(PATIENCE) == 0
    assert table(database) == undisturbed


def _place(pid: int) -> str:
    return f"{os.uname().nodename}/{pid}"


def test_two_runners_on_one_postgresql_of_which_one_is_killed(
    plan: Path, undisturbed: Table, postgres: Cluster
) -> None:
    """That nothing is played twice while both live, test_contests.py says."""
    database = postgres.database()
    results(database)
    with tournament(plan, database, "--jobs", "1") as one, tournament(plan, database, "--jobs", "1") as two:
        until(lambda: results(database) > 0)
        kill(one)
        assert two.wait(PATIENCE) == 0
    assert table(database) == undisturbed
