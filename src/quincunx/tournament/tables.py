"""Tables of a contest: who scored what against whom, from which start, on which chair. Pure functions of results.

At a table of more than two everybody meets everybody, and the better rank has won the meeting: `wins`, `draws` and
`losses` count meetings, `points` are those of matches (1, ½, 0 for two; for more the share of the others left behind).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import permutations
from typing import NamedTuple, TypeVar

import msgspec

from quincunx.tournament.results import Result
from quincunx.tournament.score import Score, score_of

Key = TypeVar("Key", bound=Hashable)


class Tally(msgspec.Struct):
    """What somebody made of some matches."""

    games: int = 0
    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    starts: dict[tuple[int, int], list[float]] = {}  # the points of the matches from each start

    @property
    def share(self) -> float:
        """Of the points that could be had."""
        return self.points / self.games if self.games else 0.0

    @property
    def score(self) -> Score:
        """The mean over starts, with its 95 % interval: starts are independent, matches from the same one are not."""
        return score_of([sum(points) / len(points) for points in self.starts.values()])

    def add(self, result: Result, mine: int, others: Sequence[int]) -> None:
        """A match, as seen from one rank: what it reached against these."""
        wins, draws = sum(mine < rank for rank in others), sum(mine == rank for rank in others)
        points = (wins + draws / 2) / len(others)
        self.games += 1
        self.points += points
        self.wins += wins
        self.draws += draws
        self.losses += len(others) - wins - draws
        self.starts.setdefault((result.pairing, result.pair), []).append(points)


class HeadToHead(NamedTuple):
    """What somebody made of one other."""

    all: Tally
    by_seat: dict[int, Tally]

    def add(self, result: Result, seat: int, other: int) -> None:
        """A match in which it sat here, and the other there."""
        for tally in (self.all, self.by_seat.setdefault(seat, Tally())):
            tally.add(result, result.ranks[seat], [result.ranks[other]])


class Row(NamedTuple):
    player: str
    all: Tally
    against: dict[str, HeadToHead]  # by opponent


def cross_table(results: Sequence[Result]) -> list[Row]:
    """The best share of the points first."""
    total = tallies(results, lambda result, seat: result.players[seat])
    against: dict[str, dict[str, HeadToHead]] = {player: {} for player in total}
    for result in results:
        for (seat, player), (place, other) in permutations(enumerate(result.players), 2):
            against[player].setdefault(other, HeadToHead(Tally(), {})).add(result, seat, place)
    rows = [Row(player, tally, against[player]) for player, tally in total.items()]
    return sorted(rows, key=lambda row: (-row.all.share, -row.all.games, row.player))


def by_start(results: Sequence[Result]) -> dict[tuple[str, str], Tally]:
    """Of each player from each start (map, setup, set of options)."""
    return tallies(results, lambda result, seat: (result.players[seat], result.start))


def by_seat(results: Sequence[Result]) -> dict[tuple[str, int], Tally]:
    """Of each player on each chair."""
    return tallies(results, lambda result, seat: (result.players[seat], seat))


def chairs(results: Sequence[Result]) -> dict[tuple[str, int], Tally]:
    """Of each chair from each start, whoever sat there: is the start fair?"""
    return tallies(results, lambda result, seat: (result.start, seat))


def tallies(results: Sequence[Result], key: Callable[[Result, int], Key]) -> dict[Key, Tally]:
    """One for every key, in the order in which they came."""
    found: dict[Key, Tally] = {}
    for result in results:
        for seat, mine in enumerate(result.ranks):
            others = [*result.ranks[:seat], *result.ranks[seat + 1 :]]
            found.setdefault(key(result, seat), Tally()).add(result, mine, others)
    return found
