"""A Swiss round: neighbours in a table who have not met play; who is too many rests, and has as many points for it as
for a pairing won. Of two, the first meets the nearest below for whom the rest can be paired."""

from __future__ import annotations

from collections.abc import Sequence

TRIES = 20_000  # then somebody meets somebody again

Pair = tuple[int, int]


def swiss_tables(
    order: Sequence[int], size: int, met: set[frozenset[int]], rested: Sequence[int]
) -> list[tuple[int, ...]]:
    """The best first; `rested`: how often each has. The last of those who rested least rests. As long as nobody has
    met, the upper half meets the lower one."""
    sitting = list(order)
    for _ in range(len(order) % size):
        least = min(rested[who] for who in sitting)
        sitting.remove([who for who in sitting if rested[who] == least][-1])
    if size > 2:
        return [tuple(sitting[k : k + size]) for k in range(0, len(sitting), size)]
    if not met:
        half = len(sitting) // 2
        return list(zip(sitting[:half], sitting[half:], strict=True))
    return list(pair_neighbours(sitting, met))


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
