"""What was played of a tournament: which matches, and the points of each pairing. It grows by a bit for a match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from quincunx.tournament.results import Result


class Key(NamedTuple):
    """A match of a tournament."""

    pairing: int
    number: int


class _Pairing:
    """What was played of one."""

    def __init__(self, players: int) -> None:
        self.points = [0.0] * players
        self.played = 0
        self.prefix = 0  # all matches below this number are over
        self._done = bytearray()  # a bit for a match

    def add(self, number: int) -> bool:
        place, bit = number >> 3, 1 << (number & 7)
        if place >= len(self._done):
            self._done.extend(bytes(place + 1 - len(self._done)))
        if self._done[place] & bit:
            return False
        self._done[place] |= bit
        self.played += 1
        while self.has(self.prefix):
            self.prefix += 1
        return True

    def has(self, number: int) -> bool:
        place = number >> 3
        return place < len(self._done) and bool(self._done[place] >> (number & 7) & 1)


class Progress:
    def __init__(self) -> None:
        self._pairings: dict[int, _Pairing] = {}
        self.matches = 0

    def add(self, result: Result) -> bool:
        """False if it was known."""
        n = len(result.ranks)
        pairing = self._pairings.setdefault(result.pairing, _Pairing(n))
        if not pairing.add(result.game):
            return False
        for seat, gained in enumerate(result.points):
            pairing.points[(seat + result.game) % n] += gained  # players move on by a chair each match
        self.matches += 1
        return True

    def played(self, pairing: int) -> int:
        """How many of its matches are over."""
        found = self._pairings.get(pairing)
        return found.played if found else 0

    def has(self, pairing: int, number: int) -> bool:
        """Is this match over?"""
        found = self._pairings.get(pairing)
        return found is not None and found.has(number)

    def complete(self, pairing: int, matches: int) -> bool:
        found = self._pairings.get(pairing)
        return matches == 0 or (found is not None and found.prefix >= matches)

    def points(self, pairing: int) -> list[float]:
        """Of each player of a pairing, in its order."""
        return self._pairings[pairing].points

    def missing(self, pairing: int, matches: int) -> Iterator[int]:
        """The numbers that were not played, in order."""
        found = self._pairings.get(pairing)
        first = found.prefix if found else 0
        return (number for number in range(first, matches) if found is None or not found.has(number))
