"""The likelihood of rankings (Plackett and Luce): a match is a row of choices, each among those who are left.

The first is chosen among all, the second among the rest, and so on, each with odds of exp(rating + seat). For two seats
that is Bradley and Terry. Who shares a rank counts as if luck had ordered them, every order alike: for two, a draw is
half a win and half a loss. So the logarithm of the likelihood is made of sets S with weights w:

    log L = Σ ratings of everybody − Σ w · log Σ exp(ratings of S)

    ranks 1 2 3      {a b c} {b c} {c}, each of weight 1
    ranks 1 2 2      {a b c} {b c}, and {b} {c} of weight ½
    ranks 1 1 2      {a b c}, and {a c} {b c} of weight ½, and {c}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np

Array = Any  # NumPy's own types say nothing about shapes
ROOM = 2_000_000  # numbers held at a time
MOST = 0.75  # share of a group in what is known of it, for which allowance is made


class Block(NamedTuple):
    """Sets of one size. `columns[t, k]`: the parameters of the k-th member of set t (its rating, and its seat)."""

    columns: Array
    weights: Array
    matches: Array  # of which match

    def parts(self) -> Iterator[Block]:
        sets, size, own = self.columns.shape
        step = max(1, ROOM // (size * own) ** 2)
        for begin in range(0, sets, step):
            yield Block(*(each[begin : begin + step] for each in self))

    def shared(self, odds: Array) -> Array:
        """Weight times odds, for every parameter of every member."""
        return np.broadcast_to((self.weights[:, None] * odds)[:, :, None], self.columns.shape)

    def pairs(self) -> Iterator[tuple[Array, Array]]:
        """The parameters of any two members of each set."""
        own = range(self.columns.shape[2])
        for a in own:
            for b in own:
                yield self.columns[:, :, None, a], self.columns[:, None, :, b]


class Choices:
    """Of many matches; parameters are numbered from 0 to `count` - 1."""

    def __init__(self, count: int, members: Sequence[Sequence[Sequence[int]]], ranks: Sequence[Sequence[int]]) -> None:
        """`members[m][k]`: the parameters of whoever sits on seat k in match m."""
        self.count = count
        self._tables = list(_tables(members))
        self._blocks = list(_blocks(self._tables, ranks))
        self._linear = sum((np.bincount(each.ravel(), minlength=count) for _, each in self._tables), np.zeros(count))

    def rise(self, at: Array) -> tuple[float, Array]:
        """The logarithm of the likelihood, and which way it rises."""
        value, slope = float(self._linear @ at), self._linear.copy()
        for part in self._parts():
            odds, total = _odds(part, at)
            value -= float(part.weights @ total)
            slope -= np.bincount(part.columns.ravel(), part.shared(odds).ravel(), self.count)
        return value, slope

    def information(self, at: Array, of_match: Array | None = None) -> Array:
        """How the likelihood bends (positive); `of_match`: how much each match counts."""
        n = self.count
        found = np.zeros(n * n)
        for part in self._parts():
            odds, _ = _odds(part, at)
            heavy = odds * part.weights[:, None]
            if of_match is not None:
                heavy *= of_match[part.matches][:, None]
            both = -heavy[:, :, None] * odds[:, None, :]
            diagonal = np.arange(odds.shape[1])
            both[:, diagonal, diagonal] += heavy
            for one, other in part.pairs():
                found += np.bincount((one * n + other).ravel(), both.ravel(), n * n)
        return found.reshape(n, n)

    def slopes(self, at: Array, inverse: Array, groups: Array, dimensions: Array) -> Array:
        """A row for each group of matches: which way it alone would pull.

        The fit leans towards what it was made from, so these are too small: each is lengthened by 1 / √(1 − h), where
        h is the share of the group itself in what is known of it (as HC2 does for regressions).
        """
        n, count = self.count, len(dimensions)
        found, known = np.zeros(count * n), np.zeros(count)
        for matches, columns in self._tables:
            found += np.bincount((groups[matches][:, None, None] * n + columns).ravel(), minlength=count * n)
        for part in self._parts():
            odds, _ = _odds(part, at)
            place = groups[part.matches][:, None, None] * n + part.columns
            found -= np.bincount(place.ravel(), part.shared(odds).ravel(), count * n)
            share = np.zeros(len(odds))
            for one, other in part.pairs():
                within = inverse[one, other]
                share += np.einsum("ti,tii->t", odds, within) - np.einsum("ti,tij,tj->t", odds, within, odds)
            known += np.bincount(groups[part.matches], part.weights * share, count)
        return found.reshape(count, n) / np.sqrt(1 - np.minimum(known / dimensions, MOST))[:, None]

    def _parts(self) -> Iterator[Block]:
        for block in self._blocks:
            yield from block.parts()


def _odds(part: Block, at: Array) -> tuple[Array, Array]:
    """Of each member to be chosen, and the logarithm of the sum."""
    worth = at[part.columns].sum(axis=2)
    most = worth.max(axis=1, keepdims=True)
    raised = np.exp(worth - most)
    total = raised.sum(axis=1, keepdims=True)
    return raised / total, (most + np.log(total))[:, 0]


def _tables(members: Sequence[Sequence[Sequence[int]]]) -> Iterator[tuple[Array, Array]]:
    """The matches of each number of seats, and who sits there."""
    for seats in sorted({len(each) for each in members}):
        matches = [m for m, each in enumerate(members) if len(each) == seats]
        yield np.array(matches), np.array([members[m] for m in matches])


def _blocks(tables: Sequence[tuple[Array, Array]], ranks: Sequence[Sequence[int]]) -> Iterator[Block]:
    """Matches whose ranks are shared in the same way have the same sets."""
    of_size: dict[int, list[Block]] = {}
    for matches, columns in tables:
        reached = np.array([ranks[m] for m in matches])
        order = np.argsort(reached, axis=1, kind="stable")
        ordered = np.take_along_axis(columns, order[:, :, None], axis=1)
        begins = np.diff(np.take_along_axis(reached, order, axis=1), axis=1, prepend=-1) > 0
        alike, which = np.unique(begins, axis=0, return_inverse=True)
        for number, pattern in enumerate(alike):
            here = which.ravel() == number
            shared = np.diff(np.append(np.flatnonzero(pattern), len(pattern)))
            for places, weight in sets(tuple(shared.tolist())):
                block = Block(ordered[here][:, places], np.full(int(here.sum()), weight), matches[here])
                of_size.setdefault(len(places), []).append(block)
    for blocks in of_size.values():
        yield Block(*(np.concatenate(each) for each in zip(*blocks, strict=True)))


@cache
def sets(shared: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Places in the ranking and a weight; `shared`: how many have the first rank, the second…"""
    found: list[tuple[tuple[int, ...], float]] = []
    begin, seats = 0, sum(shared)
    for many in shared:
        equal, behind = range(begin, begin + many), tuple(range(begin + many, seats))
        for left in range(1, many + 1):
            found += [((*some, *behind), 1 / comb(many, left)) for some in combinations(equal, left)]
        begin += many
    return tuple(found)
