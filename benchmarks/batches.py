"""Environments in batches: steps a second with observations and masks of all, and what a match takes of memory.

Every step chooses a legal number for each match at random, plays it, throws dice, begins finished matches again and
writes what the seat to act sees and may do. On one thread seconds are the processor's, on several the clock's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.contest import CLOCK, SECONDS, Figures, Missing

import quincunx.envs

BATCH = 4096
STEPS = "steps/s"
TIMES = "× its structures and arrays"
KILOBYTES = "kB a match"
WARM_UP = 20  # steps
WEIGHED = 2**25  # bytes of a batch that is weighed, at least: some hundred kB are the same for every batch


@dataclass
class Batches:
    """Random play in a batch of a game, from its usual starts."""

    id: str
    threads: int = 1

    @property
    def name(self) -> str:
        return f"quincunx {self.id} batch of {BATCH:,} on {self.threads}"

    @property
    def cores(self) -> int:
        return self.threads

    def prepare(self) -> None:
        if self.threads > (os.cpu_count() or 1):
            raise Missing(f"there are not {self.threads} cores")
        quincunx.envs.batch(self.id, 1).reset()  # compiles

    def measure(self) -> Figures:
        """The batch is made anew: some take a few hundred MB, which the next contestant may need."""
        batch = quincunx.envs.batch(self.id, BATCH, threads=self.threads)
        batch.reset(seed=1)
        for _ in range(3):
            batch.step(batch.sample())
        steps, begin, clock = 0, time.process_time(), time.perf_counter()
        while time.perf_counter() - clock < SECONDS:
            batch.step(batch.sample())
            steps += BATCH
        spent, passed = time.process_time() - begin, time.perf_counter() - clock
        return {STEPS: steps / spent, STEPS + CLOCK: steps / passed}


@dataclass
class Memory:
    """Resident memory that a batch adds to a process that has played another, held against its own arrays."""

    id: str
    cores: int = 1

    @property
    def name(self) -> str:
        return f"quincunx {self.id} memory of a batch"

    def prepare(self) -> None:
        if not Path("/proc/self/statm").exists():
            raise Missing("memory is read from /proc")

    def measure(self) -> Figures:
        done = subprocess.run([sys.executable, __file__, self.id], capture_output=True, check=True)
        figures: dict[str, float] = json.loads(done.stdout)
        return figures


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def weigh(id: str) -> Figures:
    small = quincunx.envs.batch(id, 1)
    _play(small)
    before = resident()
    batch = quincunx.envs.batch(id, max(BATCH, WEIGHED // small.nbytes))
    _play(batch)
    added = resident() - before
    return {TIMES: added / batch.nbytes, KILOBYTES: added / batch.n / 1000}


def _play(batch: quincunx.envs.Batch) -> None:
    batch.reset(seed=1)
    for _ in range(WARM_UP):
        batch.step(batch.sample())


if __name__ == "__main__":
    print(json.dumps(weigh(sys.argv[1])))
