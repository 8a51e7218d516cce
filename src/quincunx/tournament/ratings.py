"""Ratings from finished matches of two seats or more: the most likely ones, in Elo, and how sure they are.

Order does not matter, everything is weighed at once (Plackett and Luce; for two seats Bradley and Terry: choices.py).
What is computed, what it assumes and how well it was found to hold: docs/ratings.md. In short:

- a rating is a difference: from the mean of all (0), or from a named player; who never met the others, not even through
  third ones, has none;
- every player brings one drawn match, spread over those that it played: a clean sweep has a finite rating, and ratings
  from few matches are not too far apart;
- intervals come from the spread of what was seen, start by start (a sandwich estimator): matches from the same start
  may depend on each other in any way, and draws make intervals as narrow as they should.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, inf, sqrt
from typing import NamedTuple

import numpy as np

from quincunx.tournament.choices import Array, Choices
from quincunx.tournament.results import Result
from quincunx.tournament.score import SCALE, SURE

DOUBT = 1.0  # weight of the drawn match that everybody brings
BORROWED = 10.0  # starts
STEPS, LONGEST, NEAR = 100, 2.0, 1e-9


class Rating(NamedTuple):
    elo: float
    error: float  # half of the 95 % interval
    matches: int = 0

    @property
    def low(self) -> float:
        return self.elo - self.error

    @property
    def high(self) -> float:
        return self.elo + self.error


@dataclass(frozen=True)
class Ratings:
    """`anchor`: who is at 0; None: the mean of all is."""

    players: dict[str, Rating]  # the best first
    seats: dict[int, tuple[Rating, ...]]  # what each chair is worth, by the number of chairs; their mean is 0
    apart: tuple[tuple[str, ...], ...]  # groups that never met those above: there is no number for them
    anchor: str | None
    _names: tuple[str, ...]
    _fit: _Fit

    def difference(self, one: str, other: str) -> Rating:
        """`one` minus `other`; narrower than their intervals say when they met the same opponents."""
        contrast = np.zeros(len(self._fit.at))
        contrast[self._names.index(one)] += 1
        contrast[self._names.index(other)] -= 1
        return self._fit.rating(contrast)

    def superiority(self, one: str, other: str) -> float:
        """How likely it is, given the matches, that `one` is the stronger."""
        apart = self.difference(one, other)
        deviations = student(self._fit.freedom) * apart.elo / apart.error if apart.error else 0.0
        return (1 + erf(deviations / sqrt(2))) / 2


def rate(results: Sequence[Result], anchor: str | None = None, seats: bool = False) -> Ratings:
    """`seats`: estimate what each chair is worth, too."""
    groups = linked(results, anchor)
    names = groups[0] if groups else ()
    here = set(names)
    known = [each for each in results if each.players[0] in here]
    sizes = sorted({len(each.players) for each in known}) if seats else []
    fit = _fit(known, {name: n for n, name in enumerate(names)}, sizes)
    played = Counter(name for each in known for name in each.players)
    found = {name: fit.rating(_contrast(fit, names, name, anchor))._replace(matches=played[name]) for name in names}
    best_first = dict(sorted(found.items(), key=lambda item: (-item[1].elo, item[0])))
    chairs = {n: tuple(fit.rating(row) for row in _chairs(fit, len(names), sizes, n)) for n in sizes}
    return Ratings(best_first, chairs, tuple(groups[1:]), anchor, names, fit)


def linked(results: Sequence[Result], anchor: str | None = None) -> list[tuple[str, ...]]:
    """Groups of players that can be compared: the anchor's first, then the largest ones."""
    leader: dict[str, str] = {} if anchor is None else {anchor: anchor}

    def first(name: str) -> str:
        while leader.setdefault(name, name) != name:
            leader[name] = name = leader[leader[name]]
        return name

    for each in results:
        for name in each.players[1:]:
            leader[first(name)] = first(each.players[0])
    groups: dict[str, list[str]] = {}
    for name in list(leader):
        groups.setdefault(first(name), []).append(name)
    return sorted(map(tuple, groups.values()), key=lambda group: (anchor not in group, -len(group), group))


# -- the fit --------------------------------------------------------------------------------------------------------


class _Fit(NamedTuple):
    at: Array  # the parameters: players, then the seats of each number of seats
    covariance: Array
    freedom: float  # how many independent squares stand behind it

    def rating(self, contrast: Array) -> Rating:
        spread = sqrt(max(0.0, float(contrast @ self.covariance @ contrast)))
        return Rating(SCALE * float(contrast @ self.at), student(self.freedom) * SCALE * spread)


def student(freedom: float) -> float:
    """Standard deviations on either side of 95 %, if the deviation itself was estimated (Cornish and Fisher)."""
    z, n = SURE, max(freedom, 2.0)
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)


def _contrast(fit: _Fit, names: Sequence[str], name: str, anchor: str | None) -> Array:
    contrast = np.zeros(len(fit.at))
    if anchor is None:
        contrast[: len(names)] -= 1 / len(names)
    else:
        contrast[names.index(anchor)] -= 1
    contrast[names.index(name)] += 1
    return contrast


def _chairs(fit: _Fit, players: int, sizes: Sequence[int], n: int) -> Array:
    """A row for each of n seats: it, minus the mean."""
    begin = players + sum(size for size in sizes if size < n)
    rows = np.zeros((n, len(fit.at)))
    rows[:, begin : begin + n] = np.eye(n) - 1 / n
    return rows


def _fit(results: Sequence[Result], place: dict[str, int], sizes: Sequence[int]) -> _Fit:
    count = len(place) + sum(sizes)
    if not results:
        return _Fit(np.zeros(count), np.zeros((count, count)), inf)
    begins = {n: len(place) + sum(size for size in sizes if size < n) for n in sizes}
    members = [
        [
            (place[name], begins[len(each.players)] + seat) if sizes else (place[name],)
            for seat, name in enumerate(each.players)
        ]
        for each in results
    ]
    choices = Choices(count, members, [each.ranks for each in results])
    fixed, doubt = _fixed(len(place), sizes), _doubt(members, count, sizes)
    at = _most_likely(choices, doubt, fixed)
    inverse = np.linalg.inv(choices.information(at) + _doubted(doubt, at)[2] + fixed)
    seen, freedom = _seen(choices, at, inverse, results, members)
    return _Fit(at, inverse @ (seen + _doubted(doubt, at)[3]) @ inverse, freedom)


def _seen(
    choices: Choices, at: Array, inverse: Array, results: Sequence[Result], members: Sequence[Sequence[Sequence[int]]]
) -> tuple[Array, float]:
    """How much the slopes of the starts spread, and how many independent squares that was seen in.

    A player with few starts tells little about it, so what all starts together say is mixed in: φ, their spread beside
    that of independent matches without draws, as if BORROWED starts of each player had shown exactly that.
    """
    numbers: dict[tuple[int, int], int] = {}
    groups = np.array([numbers.setdefault((each.pairing, each.pair), len(numbers)) for each in results])
    dimensions, fewest = np.zeros(len(numbers)), np.full(len(numbers), inf)
    dimensions[groups] = [len(each.players) - 1 for each in results]
    own = np.zeros(choices.count)
    for columns in {(group, n) for group, each in zip(groups.tolist(), members, strict=True) for m in each for n in m}:
        own[columns[1]] += 1
    np.minimum.at(fewest, groups, [min(own[m[0]] for m in each) for each in members])
    slopes, information = choices.slopes(at, inverse, groups, dimensions), choices.information(at)
    phi = float((inverse * (slopes.T @ slopes)).sum() / (inverse * information).sum())
    mixed = BORROWED / (BORROWED + fewest)
    seen = slopes.T @ (slopes * (1 - mixed)[:, None]) + phi * choices.information(at, mixed[groups])
    return seen, float(dimensions.sum()) - choices.count + 1


def _most_likely(choices: Choices, doubt: Array, fixed: Array) -> Array:
    """Newton's method; the likelihood has one summit, and a step that would not rise is halved."""
    at = np.zeros(choices.count)
    value, slope = choices.rise(at)
    more, push, stiff, _ = _doubted(doubt, at)
    for _ in range(STEPS):
        step = np.linalg.solve(choices.information(at) + stiff + fixed, slope + push)
        step *= min(1.0, LONGEST / max(float(np.abs(step).max()), NEAR))
        before = value + more
        while True:
            value, slope = choices.rise(at + step)
            more, push, stiff, _ = _doubted(doubt, at + step)
            if value + more >= before - NEAR or float(np.abs(step).max()) <= NEAR:
                break
            step = step / 2
        at = at + step
        if float(np.abs(step).max()) <= NEAR:
            break
    return at


def _fixed(players: int, sizes: Sequence[int]) -> Array:
    """Ratings and seats are known up to a number added to all: this holds their sum where it is."""
    count = players + sum(sizes)
    fixed, begin = np.zeros((count, count)), 0
    for size in (players, *sizes):
        fixed[begin : begin + size, begin : begin + size] = 1 / size
        begin += size
    return fixed


def _doubt(members: Sequence[Sequence[Sequence[int]]], count: int, sizes: Sequence[int]) -> Array:
    """How much of a drawn match between any two: DOUBT for each player, spread over those that it sat with."""
    together = np.zeros((count, count))
    for n in {len(each) for each in members}:
        who = np.array([[own[0] for own in each] for each in members if len(each) == n])
        for a in range(n):
            for b in range(n):
                if a != b:
                    together += np.bincount(who[:, a] * count + who[:, b], minlength=count**2).reshape(count, count)
    of_each = np.maximum(together.sum(axis=1, keepdims=True), 1)
    weights = DOUBT * (together / of_each + (together / of_each).T) / 2
    begin = count - sum(sizes)
    for n in sizes:
        weights[begin : begin + n, begin : begin + n] = DOUBT * (1 - np.eye(n)) / (n - 1)
        begin += n
    return weights


def _doubted(weights: Array, at: Array) -> tuple[float, Array, Array, Array]:
    """What these draws add: to the logarithm of the likelihood, its slope, how it bends; and to the spread.

    They are no luck, so they add nothing to the spread between equals; between others they pull, and the square of that
    is added, as if it were luck: otherwise a clean sweep would seem to be known exactly.
    """
    apart = at[:, None] - at[None, :]
    likely = 1 / (1 + np.exp(-apart))
    value = -float((weights * (np.logaddexp(0, apart) + np.logaddexp(0, -apart))).sum()) / 4
    return (
        value,
        (weights * (0.5 - likely)).sum(axis=1),
        _between(weights * likely * (1 - likely)),
        _between(2 * weights * (0.5 - likely) ** 2),
    )


def _between(weights: Array) -> Array:
    """Σ w (e_i − e_j)(e_i − e_j)ᵀ over all pairs."""
    return np.diag(weights.sum(axis=1)) - weights
