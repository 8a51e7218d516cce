"""What a tournament costs above its matches: `python benchmarks/tournaments.py [MATCHES]`.

Random against random of Connect Four, as `quincunx tournament` plays it, on two processes with SQLite. Processor time
says something on a busy machine, too: that of the matches alone, each with its record, in as many processes side by
side (two may share a core, and are slower than one), beside that of the tournament; its start, which is the same
however many matches follow, is taken off and told apart. Then the memory of the process that runs it, after a tenth of
the matches and after all.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from time import perf_counter, process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.contest import CLOCK, Figures

from quincunx.store import Store
from quincunx.tournament.executors import workplace
from quincunx.tournament.plan import Entrant, Plan
from quincunx.tournament.pool import pool
from quincunx.tournament.results import Result
from quincunx.tournament.runner import Runner
from quincunx.tournament.series import play_one

MATCHES, ALONE, JOBS = 10_000, 1000, 2
OVERHEAD = "% above its matches"
RATE = "matches/s" + CLOCK


def plan(matches: int) -> Plan:
    return Plan("connect_four", ("random", Entrant("random", "another")), matches=matches)


def alone() -> float:
    """Seconds of processor for a match, with nothing around it."""
    with pool(JOBS) as processes:
        return fmean(processes.map(_alone, [ALONE] * JOBS))


def _alone(matches: int) -> float:
    series = plan(matches).series(0, (0, 1), 0)
    play_one(series, 0)
    before = process_time()
    for number in range(matches):
        play_one(series, number)
    return (process_time() - before) / matches


def whole(matches: int) -> tuple[float, float]:
    """Seconds by the clock and of processors, of a tournament in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "quincunx", "tournament", "connect_four", "random", "random",
            "--matches", str(matches), "--opening", "0", "--jobs", str(JOBS),
            "--database", str(Path(folder, "results.db")),
        ]  # fmt: skip
        before, null = perf_counter(), os.open(os.devnull, os.O_WRONLY)
        child = os.posix_spawn(sys.executable, command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
        os.close(null)
        _, status, used = os.wait4(child, 0)  # its own processes, which it has waited for, are counted with it
        assert status == 0, f"{' '.join(command)} ended with {status}"
        return perf_counter() - before, used.ru_utime + used.ru_stime


class Cost(NamedTuple):
    matches: int
    alone: float  # seconds of processor for a match,
    inside: float  # and in a tournament,
    start: float  # and for the start of one
    clock: float  # seconds for all of it, the start included

    @property
    def overhead(self) -> float:
        return 100 * (self.inside / self.alone - 1)


def cost(matches: int) -> Cost:
    _, start = whole(JOBS)
    clock, processor = whole(matches)
    return Cost(matches, alone(), (processor - start) / (matches - JOBS), start, clock)


class Tournaments:
    """A contestant of `make bench`."""

    name = "a tournament"
    cores = 0

    def prepare(self) -> None: ...

    def measure(self) -> Figures:
        found = cost(MATCHES)
        return {RATE: MATCHES / found.clock, OVERHEAD: found.overhead}


async def _memory(matches: int, file: str) -> dict[int, int]:
    """MB of this process, which runs a tournament, when a tenth of it is played and when all is."""
    seen, found = 0, dict[int, int]()

    def told(new: Sequence[Result]) -> None:
        nonlocal seen
        seen += len(new)
        for mark in (matches // 10, matches):
            if seen >= mark and mark not in found:
                found[mark] = _resident()

    async with Store.open(file) as store:
        with workplace(None, JOBS) as place:
            await Runner(store.contests, plan(matches), place.make, place.jobs, told).run()
    return found


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def main(matches: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        memory = asyncio.run(_memory(2 * matches, str(Path(folder, "memory.db"))))
    found = cost(matches)
    print(f"{matches} matches in {found.clock:.1f} s: {matches / found.clock:.0f} a second, the start included")
    print(f"processor: {1e6 * found.alone:.0f} µs a match alone, {1e6 * found.inside:.0f} µs in a tournament", end="")
    print(f" ({found.overhead:+.0f} %), and {found.start:.1f} s for its start")
    print("memory:", ", ".join(f"{size} MB after {n} matches" for n, size in memory.items()))
    print("load", os.getloadavg())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES)
