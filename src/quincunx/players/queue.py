"""Thoughts that wait for a worker, and whose turn it is: shared fairly among those who wait, short thoughts first.

    client      has had     waits
    10.0.0.7    41 s        60 s  60 s  60 s …          its turn comes after
    10.0.0.9     2 s        0.1 s                  ◀──  this one

Each client is charged what its thoughts are expected to take; the one that has had least is next, and of its thoughts
the shortest. Who comes new begins where the others are, so that nobody saves up. What a thought takes is known from the
last ones of the same player, or guessed from its words.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Generic, Protocol, TypeVar

from quincunx.players.worker import Job

SHORT = 0.5  # seconds: a thought that takes no longer is never behind a long one
MOST_KNOWN = 512  # players whose pace is kept
LEVELS = (0.02, 0.02, 0.05, 0.1, 0.2, 0.5, 2.0, 5.0)  # seconds, before any was measured
GUESS = 1.0


class Waits(Protocol):
    """What the queue needs to know of a thought."""

    job: Job
    cost: float  # seconds that it is expected to take


T = TypeVar("T", bound=Waits)


class Queue(Generic[T]):
    def __init__(self) -> None:
        self._lines: dict[str, list[tuple[float, int, T]]] = {}  # of each client, the shortest first
        self._had: OrderedDict[str, float] = OrderedDict()  # seconds
        self._now = 0.0  # what the client that was served last had had
        self._numbers = count()

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def __iter__(self) -> Iterator[T]:
        return (thought for line in self._lines.values() for _, _, thought in line)

    def add(self, thought: T, again: bool = False) -> None:
        """`again`: its worker died, and it has waited before."""
        client = whose(thought.job)
        if client not in self._lines:
            self._lines[client] = []
            self._had[client] = max(self._had.get(client, 0.0), self._now)
            self._had.move_to_end(client)
        heappush(self._lines[client], (0.0 if again else thought.cost, next(self._numbers), thought))

    def take(self, quick: bool = False) -> T | None:
        """The next one; `quick`: only if it is short."""
        able = [client for client, line in self._lines.items() if not quick or line[0][2].cost <= SHORT]
        if not able:
            return None
        client = min(able, key=lambda each: (self._had[each], self._lines[each][0][1]))
        thought = heappop(self._lines[client])[2]
        self._now = self._had[client]
        self._had[client] += thought.cost
        if not self._lines[client]:
            del self._lines[client]
            self._forget()
        return thought

    def clear(self) -> None:
        self._lines.clear()

    def _forget(self) -> None:
        """Clients that wait for nothing and have had no more than the one that was served last owe nothing."""
        for client in [each for each, had in self._had.items() if each not in self._lines and had <= self._now]:
            del self._had[client]


def whose(job: Job) -> str:
    return job.client or job.owner


class Pace:
    """How long players think, as far as it is known."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], float] = OrderedDict()

    def of(self, game: str, player: str) -> float:
        """Seconds that a thought is expected to take."""
        known = self._known.get((game, player))
        return guess(player) if known is None else known

    def learn(self, game: str, player: str, seconds: float) -> None:
        key = game, player
        before = self._known.pop(key, seconds)
        self._known[key] = (before + seconds) / 2
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)


def guess(player: str) -> float:
    """From the words of a player."""
    name, _, rest = player.partition(":")
    if name in ("random", "greedy"):
        return LEVELS[0]
    if name == "level" and rest.isdecimal() and 1 <= int(rest) <= len(LEVELS):
        return LEVELS[int(rest) - 1]
    budget = dict(pair.partition("=")[::2] for pair in rest.split(","))
    try:
        return float(budget["time"])
    except (KeyError, ValueError):
        return GUESS
