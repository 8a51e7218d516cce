"""Pairs of neighbours in a table who have not met: the first with the nearest below for whom the rest can be paired."""

from __future__ import annotations

from collections.abc import Sequence

TRIES = 20_000  # then somebody meets somebody again

Pair = tuple[int, int]


def pair_neighbours(order: Sequence[int], met: set[frozenset[int]]) -> list[Pair]:
    """An even number of players, the best first."""
    budget = [TRIES]
    return _paired(list(order), met, budget) or _nearest(list(order), met)


def _paired(order: list[int], met: set[frozenset[int]], budget: list[int]) -> list[Pair] | None:
    """None if there is no way, or if it is not found in time."""
    if not order:
        return []
    first, *others = order
    for k, other in enumerate(others):
        if frozenset((first, other)) in met:
            continue
        budget[0] -= 1
        if budget[0] < 0:
            return None
        rest = _paired(others[:k] + others[k + 1 :], met, budget)
        if rest is not None:
            return [(first, other), *rest]
    return None


def _nearest(order: list[int], met: set[frozenset[int]]) -> list[Pair]:
    """Without looking ahead: whoever is left meets somebody again."""
    pairs = []
    while order:
        first = order.pop(0)
        other = next((who for who in order if frozenset((first, who)) not in met), order[0])
        order.remove(other)
        pairs.append((first, other))
    return pairs
