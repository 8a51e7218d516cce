"""Numbers that several threads count with at the same time, without a lock.

Compiled, each of these is one step that no other thread comes between; and whoever reads a number sees all that was
written before it was stored or added to. Interpreted, one thread at a time has them.
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core.structure import Structure, i64


class Counter(Structure):
    value: i64
    alone: Annotated[list[i64], 7]  # the rest of a cache line: neighbours would slow each other down


def load(counter: Counter) -> int:
    return counter.value


def store(counter: Counter, value: int) -> None:
    counter.value = value


def fetch_add(counter: Counter, amount: int) -> int:
    """What it was before."""
    counter.value += amount
    return counter.value - amount
