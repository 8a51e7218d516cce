"""What players that search share: a budget, a clock, and the flag that ends a search.

Each allocates its room once and thinks in it. While it thinks, a flag in that room is the only thing that others touch:
a clock or `cancel` sets it, from another thread, and the search, which looks at it before every action, comes back with
the best so far.
"""

from __future__ import annotations

from abc import abstractmethod
from time import perf_counter
from typing import Any

from quincunx.games import Game, Observation
from quincunx.players.budget import Budget, alarm
from quincunx.players.line import write
from quincunx.players.player import Info, Player


class Searching(Player):
    def __init__(self, game: Game, seed: int, budget: Budget, flags: list[Any]) -> None:
        super().__init__()
        self.game = game
        self.budget = budget
        self._flags = flags
        self._rang = False
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self._random = self.game.random(seed)
        self._cancelled = False

    def cancel(self) -> None:
        self._cancelled = True
        self._stop()

    def choose(self, observation: Observation) -> int:
        self._rang = False
        self._began = perf_counter()
        self.info = Info()
        limits = [limit for limit in (self.budget.time, self.most_seconds) if limit is not None]
        try:
            with alarm(min(limits, default=None), self._ring):
                return self._choose(observation)
        finally:
            self._cancelled = False

    @abstractmethod
    def _choose(self, observation: Observation) -> int: ...

    def _ring(self) -> None:
        self._rang = True
        self._stop()

    def _stop(self) -> None:
        write(self.game, self._flags, "stop", 1)

    def _hurry(self) -> bool:
        return self._rang or self._cancelled

    def _raise_flag_again(self) -> None:
        """The room was made ready, its flag with it; whoever rang before that is heard now."""
        if self._hurry():
            self._stop()

    def _tell(self, info: Info) -> None:
        self.info = info
        self.report(info)

    def _longer(self, line: tuple[str, ...]) -> tuple[str, ...]:
        """The line told before, if this is only its beginning: the table forgets, and a thought may end in a hurry."""
        told = self.info.line
        return told if told[: len(line)] == line else line

    def _passed(self) -> float:
        return perf_counter() - self._began

    def _capped(self) -> bool:
        """Did the cap end the thought, and not its own budget?"""
        own = self.budget.time
        return self._rang and self.most_seconds is not None and (own is None or self.most_seconds < own)
