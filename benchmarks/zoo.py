"""Our AEC environment played at random, in the loop in which PettingZoo's own is measured: peers/pettingzoo_loop.py."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

from benchmarks.contest import SECONDS, Figures

import quincunx.envs

MOVES = "moves/s"


@dataclass
class Turns:
    """One match after the other, from the usual starts, with an observation and a mask before every move."""

    id: str
    cores: int = 1

    @property
    def name(self) -> str:
        return f"quincunx {self.id} AEC"

    def prepare(self) -> None:
        play(quincunx.envs.aec(self.id), 10)  # compiles

    def measure(self) -> Figures:
        env = quincunx.envs.aec(self.id)
        play(env, 100)
        moves, begin = 0, time.process_time()
        while time.process_time() - begin < SECONDS:
            moves += play(env, 1000)
        return {MOVES: moves / (time.process_time() - begin)}


def play(env: Any, most: int) -> int:
    """A match, or its first moves."""
    env.reset()
    for moves in range(most):
        agent = env.agent_selection
        if env.terminations[agent]:
            return moves
        legal = env.observe(agent)["action_mask"].nonzero()[0]
        env.step(legal[int(random.random() * len(legal))])
    return most
