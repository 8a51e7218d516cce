"""Numbers that threads count with: the same in every gear, and compiled nothing is counted twice or lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from quincunx.core.atomic import Counter, fetch_add, load, store
from quincunx.core.engine import Gear, rule
from quincunx.core.structure import copy
from quincunx.envs.sharing import NOTHING_LEFT, SPECIAL, first_of, take

GEARS = {
    "interpreted": Gear("t", {}, compiled=False),
    "compiled": Gear("t", {}, compiled=True),
    "checked": Gear("t", {}, compiled=True, checked=True),
}


@rule
def count(counters: list[Counter], amount: int) -> int:
    store(counters[1], fetch_add(counters[0], amount) * 2)
    copy(counters[2], counters[1])
    return load(counters[0])


@rule
def add_often(counters: list[Counter], times: int) -> None:
    for _ in range(times):
        fetch_add(counters[0], 1)


@pytest.mark.parametrize("gear", GEARS.values(), ids=GEARS)
def test_counters_count_in_every_gear(gear: Gear) -> None:
    counters = gear.rows(Counter, 3)
    counted = gear.bind(count)
    assert [counted(counters, amount) for amount in (5, -2, 1 << 40)] == [5, 3, 3 + (1 << 40)]
    assert [gear.memory.get(counters, "value", k) for k in range(3)] == [3 + (1 << 40), 6, 6]


def test_no_count_of_any_thread_is_lost() -> None:
    gear = GEARS["compiled"]
    counters, add = gear.rows(Counter, 1), gear.bind(add_often)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: add(counters, 200_000), range(4)))
    assert gear.memory.get(counters, "value") == 800_000


@pytest.mark.parametrize("gear", GEARS.values(), ids=GEARS)
def test_every_part_is_taken_once_whoever_takes_it(gear: Gear) -> None:
    """One's own first."""
    taking, first = gear.bind_all([take, first_of])
    for threads, parts in ((1, 1), (2, 64), (3, 17), (4, 2)):
        counters: Any = gear.rows(Counter, threads + SPECIAL)

        def all_of(me: int, counters: Any = counters, parts: int = parts) -> list[int]:
            return list(iter(lambda: taking(counters, parts, me, 1000), NOTHING_LEFT))

        def publish(counters: Any = counters, parts: int = parts, threads: int = threads) -> None:
            for k in range(threads):
                if gear.compiled:
                    counters["value"][k] = first(parts, k, threads)
                else:
                    store(counters[k], first(parts, k, threads))

        for _ in range(30 if gear.compiled else 1):
            publish()
            with ThreadPoolExecutor(threads) as pool:
                taken = (
                    list(pool.map(all_of, range(threads))) if gear.compiled else [all_of(me) for me in range(threads)]
                )
            assert sorted(part for parts_of in taken for part in parts_of) == list(range(parts))
        publish()
        alone = all_of(threads - 1)
        assert sorted(alone) == list(range(parts)) and alone[0] == first(parts, threads - 1, threads)
