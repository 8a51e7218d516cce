"""What players that search share: a budget, a deadline, and the flag that ends a search.

Each allocates its room once and thinks in it. The search looks at the clock itself (search/watch.py) and comes back in
time with the best so far. While it thinks, a flag in that room is the only thing that others touch: `cancel` sets it,
from another thread, and the search looks at it before every action.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from quincunx.core.clock import now
from quincunx.games import Game, Observation
from quincunx.players.budget import Budget
from quincunx.players.line import write
from quincunx.players.player import Info, Player
from quincunx.search.watch import NO_DEADLINE

SECOND = 10**9  # of the clock


class Searching(Player):
    def __init__(self, game: Game, seed: int, budget: Budget, flags: list[Any]) -> None:
        super().__init__()
        self.game = game
        self.budget = budget
        self._flags = flags
        self._deadline = NO_DEADLINE
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self._random = self.game.random(seed)
        self._cancelled = False

    def cancel(self) -> None:
        self._cancelled = True
        self._stop()

    def choose(self, observation: Observation) -> int:
        self._began = now()
        self.info = Info()
        limits = [limit for limit in (self.budget.time, self.most_seconds) if limit is not None]
        self._deadline = self._began + int(SECOND * min(limits)) if limits else NO_DEADLINE
        try:
            return self._choose(observation)
        finally:
            self._cancelled = False

    @abstractmethod
    def _choose(self, observation: Observation) -> int: ...

    def _stop(self) -> None:
        write(self.game, self._flags, "stop", 1)

    def _late(self) -> bool:
        return self._deadline != NO_DEADLINE and now() >= self._deadline

    def _hurry(self) -> bool:
        return self._cancelled or self._late()

    def _raise_flag_again(self) -> None:
        """The room was made ready, its flag with it; whoever cancelled before that is heard now."""
        if self._cancelled:
            self._stop()

    def _tell(self, info: Info) -> None:
        self.info = info
        self.report(info)

    def _longer(self, line: tuple[str, ...]) -> tuple[str, ...]:
        """The line told before, if this is only its beginning: the table forgets, and a thought may end in a hurry."""
        told = self.info.line
        return told if told[: len(line)] == line else line

    def _passed(self) -> float:
        return (now() - self._began) / SECOND

    def _capped(self) -> bool:
        """Did the cap end the thought, and not its own budget?"""
        own = self.budget.time
        return self._late() and self.most_seconds is not None and (own is None or self.most_seconds < own)
