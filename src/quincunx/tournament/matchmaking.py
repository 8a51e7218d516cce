"""Who meets whom in an arena: neighbours in rating, those first of whom least is known. Pure functions, no clock.

    doubt    whoever has the widest interval looks for company first
    nearness it meets the nearest in rating among those who are free; who it has just met counts as further away
    patience if nearer ones are there and play, it waits a little for them, then a little less near will do
    pace     those whose intervals are narrow meet each other only now and then; others may still ask for them

A computer of the server never looks for company itself: without programs nothing is played.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Sequence

import msgspec

from quincunx.tournament.online import Online, after
from quincunx.tournament.results import Result

NARROW = 50.0  # Elo: an interval of at most so much to either side is narrow,
ENOUGH = 300  # and so is one after so many matches: against those who always lose nothing more is learnt
PACE = 60.0  # seconds between two matches of one whose interval is narrow
RECENT = 12  # opponents of late that are remembered of each
AGAIN = 60.0  # Elo by which each of these meetings moves an opponent away
REACH = 32  # to either side in the order of ratings, among whom company is looked for
NEAR, IMPATIENCE = 150.0, 150.0  # Elo that are near in any case, and by which that grows with every second of waiting


class Candidate(msgspec.Struct, frozen=True):
    """One who is there."""

    name: str
    free: int  # matches that it would begin now
    computer: bool = False  # one of the server's own: always there
    waited: float = 0.0  # seconds for which it has been free
    rested: float = PACE  # seconds since its last match began


class ArenaTable:
    """What the results of an arena say: ratings, who met whom of late, and who sat where. It grows with the number of
    players, not of matches."""

    def __init__(self) -> None:
        self.ratings: dict[str, Online] = {}
        self._recent: dict[str, deque[str]] = {}
        self._sat: Counter[tuple[str, int]] = Counter()

    def add(self, result: Result) -> None:
        self.ratings.update(after(self.ratings, result))
        for seat, name in enumerate(result.players):
            self._sat[name, seat] += 1
            met = self._recent.setdefault(name, deque(maxlen=RECENT * (len(result.players) - 1)))
            met.extend(other for other in result.players if other != name)

    def rating(self, name: str) -> Online:
        return self.ratings.get(name, Online())

    def order(self, names: Iterable[str]) -> list[str]:
        """As a table shows them: by what each is very likely worth at least."""
        return sorted(names, key=lambda name: (-self.rating(name).conservative, name))

    def is_settled(self, name: str) -> bool:
        """Is its interval as narrow as it need be?"""
        rating = self.rating(name)
        return rating.error <= NARROW or rating.matches >= ENOUGH

    def gap(self, one: str, two: str) -> float:
        return abs(self.rating(one).mu - self.rating(two).mu)

    def distance(self, one: str, two: str) -> float:
        """The gap in rating, and more if they have met of late."""
        return self.gap(one, two) + AGAIN * self._recent.get(one, deque()).count(two)

    def seated(self, players: Sequence[str]) -> tuple[str, ...]:
        """Each chair for whoever has sat there least, for as often as it has played."""
        size, left, chairs = len(players), sorted(players), list[str]()
        share = {name: self.rating(name).matches / size for name in players}
        for seat in range(size):
            chairs.append(min(left, key=lambda name: (self._sat[name, seat] - share[name], name)))
            left.remove(chairs[-1])
        return tuple(chairs)


class _Line:
    """Some of those who are there, in the order of their ratings: neighbours are found without looking at everybody."""

    def __init__(self, names: Iterable[str], table: ArenaTable) -> None:
        self._places = sorted((table.rating(name).mu, name) for name in names)

    def near(self, name: str, rating: float, reach: int) -> list[str]:
        """So many to either side, without itself."""
        place = bisect_left(self._places, (rating, name))
        return [other for _, other in self._places[max(0, place - reach) : place + reach + 1] if other != name]

    def remove(self, name: str, rating: float) -> None:
        self._places.remove((rating, name))


def choose(candidates: Sequence[Candidate], table: ArenaTable, size: int, most: int) -> list[tuple[str, ...]]:
    """Meetings of `size` that may begin now, at most so many; names by seat."""
    free = {each.name: each.free for each in candidates}
    willing = [each for each in candidates if _would(each, table)]
    meetings: list[tuple[str, ...]] = []
    for in_doubt, others in ((True, candidates), (False, willing)):  # who is in doubt may ask anybody
        there = _Line((each.name for each in others), table)
        ready = _Line((each.name for each in others if free[each.name] > 0), table)
        lookers = [each for each in willing if not each.computer and table.is_settled(each.name) != in_doubt]
        for one in sorted(lookers, key=lambda each: (-table.rating(each.name).sigma, -each.waited, each.name)):
            if len(meetings) == most or free[one.name] <= 0:
                continue
            if company := _company(one, there, ready, table, size):
                meetings.append(table.seated([one.name, *company]))
                for name in meetings[-1]:
                    free[name] -= 1
                    if not free[name]:
                        ready.remove(name, table.rating(name).mu)
    return meetings


def _would(one: Candidate, table: ArenaTable) -> bool:
    """Is it time for a match of its own accord? Computers are there for the others."""
    return one.computer or one.rested >= PACE or not table.is_settled(one.name)


def _company(one: Candidate, there: _Line, ready: _Line, table: ArenaTable, size: int) -> list[str] | None:
    """Those whom it meets, or None: there are not enough, or nearer ones will be free soon."""
    rating, reach = table.rating(one.name).mu, max(REACH, size)
    company = sorted(ready.near(one.name, rating, reach), key=lambda name: (table.distance(one.name, name), name))
    if len(company) < size - 1:
        return None
    gaps = sorted(table.gap(one.name, name) for name in there.near(one.name, rating, reach))
    allowed = max(NEAR, gaps[size - 2]) + IMPATIENCE * one.waited
    return company[: size - 1] if all(table.gap(one.name, name) <= allowed for name in company[: size - 1]) else None
