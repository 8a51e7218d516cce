"""Who met whom, and what came of it: the cross table, counted as results come in.

A match of three and more is a meeting of every two who sat in it: who came before the other has the point.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from quincunx.tournament.results import Result


class Meeting(NamedTuple):
    """What the first of two has made of the other."""

    points: float = 0.0
    matches: int = 0


class Meetings:
    """It grows with the pairs of players that have met, not with their matches."""

    def __init__(self) -> None:
        self._met: dict[tuple[str, str], Meeting] = {}  # names in the order of the alphabet

    def __len__(self) -> int:
        return len(self._met)

    def add(self, result: Result) -> None:
        sat = sorted(zip(result.players, result.ranks, strict=True))
        for (one, mine), (two, theirs) in combinations(sat, 2):
            points, matches = self._met.get((one, two), Meeting())
            gained = 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
            self._met[one, two] = Meeting(points + gained, matches + 1)

    def of(self, one: str, two: str) -> Meeting:
        """What `one` has made of `two`."""
        if one < two:
            return self._met.get((one, two), Meeting())
        points, matches = self._met.get((two, one), Meeting())
        return Meeting(matches - points, matches)

    def pairs(self) -> dict[tuple[str, str], Meeting]:
        """Each two who met, once."""
        return self._met
