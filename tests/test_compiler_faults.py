"""Faults of compiled rules, in one thread and several; and the doors through which Python enters them."""

from __future__ import annotations

from threading import Thread
from time import sleep
from typing import Any

import numpy as np
import pytest

from programs import Inner, Thing, rules_of
from quincunx.core.engine import Gear, rule
from quincunx.core.structure import Structure, fields, i64, signal, within

COMPILED, CHECKED, PLAIN = (
    Gear("t", {}, compiled=compiled, checked=checked)
    for compiled, checked in ((True, False), (True, True), (False, False))
)


# -- more than there is room for --------------------------------------------------------------------------------------


class Gate(Structure):
    inside: signal
    open: signal


@rule
def spill(gates: list[Gate], n: int) -> int:
    """Writes too much, and stays until it is let go."""
    written = within(n, 3)
    gates[0].inside = 1
    while not gates[0].open:
        pass
    return written


def test_what_one_thread_writes_too_much_is_told_to_it_and_to_no_other() -> None:
    spilling, told = COMPILED.bind(spill), list[int]()
    gates: Any = [COMPILED.rows(Gate, 1) for _ in range(2)]

    def enter() -> None:
        with pytest.raises(IndexError, match="Expected room for all that a rule writes"):
            spilling(gates[0], 4)
        told.append(spilling(gates[0], 3))

    thread = Thread(target=enter)
    thread.start()
    while not gates[0]["inside"][0]:
        sleep(0.001)
    gates[1]["open"] = 1
    try:
        assert [spilling(gates[1], n) for n in (2, 3)] == [2, 3]
        with pytest.raises(IndexError):
            spilling(gates[1], 5)
    finally:
        gates[0]["open"] = 1
        thread.join()
    assert told == [3]


# -- what the fast gear does where the interpreter raises, and what the checked one says ------------------------------

FAULTY = """
@rule
def reach(row: list[int], k: int) -> int:
    total = 0
    total += row[k]
    return total + 1

@rule
def far(row: list[int], k: int) -> int:
    row[0] = 1
    found = reach(row, k)
    row[1] = 1
    return found

@rule
def by(row: list[int], k: int) -> int:
    return 100 // k

@rule
def rest(row: list[int], k: int) -> int:
    return 100 % k

@rule
def part(row: list[int], k: int) -> float:
    return 1 / k

@rule
def moved(row: list[int], k: int) -> int:
    return 5 << k

@rule
def stepping(row: list[int], k: int) -> int:
    n = 0
    for _ in range(0, 9, k):
        n += 1
    return n

@rule
def root(row: list[int], k: int) -> float:
    return sqrt(k)
"""
FAULTS = [
    ("far", 3, IndexError, 4, "expected an index of the row but got 3"),
    ("far", -4, IndexError, 4, "expected an index of the row but got -4"),
    ("by", 0, ZeroDivisionError, 16, "expected a divisor but got 0"),
    ("rest", 0, ZeroDivisionError, 20, "expected a divisor"),
    ("part", 0, ZeroDivisionError, 24, "expected a divisor"),
    ("moved", -1, ValueError, 28, "expected a shift of 0 or more but got -1"),
    ("stepping", 0, ValueError, 33, "expected a step but got 0"),
    ("root", -1, ValueError, 39, "expected the root of 0 or more"),
]


@pytest.mark.parametrize("name, k, error, line, words", FAULTS, ids=lambda value: str(value)[:12])
def test_the_checked_gear_names_file_and_line(name: str, k: int, error: type[Exception], line: int, words: str) -> None:
    scope = rules_of(FAULTY)
    first = scope["reach"].__code__.co_firstlineno - 1
    with pytest.raises(error) as fault:
        CHECKED.bind(scope[name])(np.zeros(3, np.int64), k)
    assert str(fault.value).startswith(f"{scope[name].__code__.co_filename}:{first + line}: {words}")
    with pytest.raises(error):
        PLAIN.bind(scope[name])([0, 0, 0], k)


def test_after_a_fault_nothing_more_happens() -> None:
    """As in the interpreter: what called the rule that failed is left at once, and the next call is a new one."""
    far = CHECKED.bind(rules_of(FAULTY)["far"])
    row = np.zeros(3, np.int64)
    with pytest.raises(IndexError):
        far(row, 3)
    assert row.tolist() == [1, 0, 0]
    assert far(row, 2) == 1 and row.tolist() == [1, 1, 0]


def test_what_would_be_a_fault_is_harmless_in_the_fast_gear() -> None:
    scope = rules_of(FAULTY)
    row = np.zeros(3, np.int64)
    assert [COMPILED.bind(scope[name])(row, 0) for name in ("by", "rest", "stepping")] == [0, 0, 0]
    assert COMPILED.bind(scope["moved"])(row, -1) == 0


def test_faults_of_two_threads_are_two() -> None:
    """Each is told of its own, however often they cross."""
    far = CHECKED.bind(rules_of(FAULTY)["far"])
    told: dict[int, set[str]] = {}

    def fail(k: int) -> None:
        row = np.zeros(3, np.int64)
        for _ in range(100):
            try:
                far(row, k)
                told.setdefault(k, set()).add("fine")
            except IndexError as fault:
                told.setdefault(k, set()).add(str(fault).rpartition(" ")[2])

    threads = [Thread(target=fail, args=(k,)) for k in (2, 5, 6, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == {2: {"fine"}, 5: {"5"}, 6: {"6"}, 7: {"7"}}


class Flagged(Structure):
    begun: signal
    stop: signal
    turns: i64


@rule
def wait(flagged: list[Flagged]) -> int:
    flagged[0].begun = 1
    while not flagged[0].stop:
        flagged[0].turns += 1
    return flagged[0].turns


def test_another_thread_is_heard() -> None:
    """Without the kind `signal`, the flag would be read once."""
    rows: Any = COMPILED.rows(Flagged, 1)
    waiting = Thread(target=COMPILED.bind(wait), args=(rows,), daemon=True)
    waiting.start()
    while not rows["begun"][0] and waiting.is_alive():
        waiting.join(0.01)
    rows["stop"][0] = 1
    waiting.join(60)
    assert not waiting.is_alive()
    assert [f.name for f in fields(Flagged) if f.signal] == ["begun", "stop"]


# -- doors ------------------------------------------------------------------------------------------------------------


def test_a_door_refuses_what_does_not_fit() -> None:
    scope = rules_of("@rule\ndef f(t: list[Thing], a: int, x: float, yes: bool) -> int:\n    return t[0].byte + a\n")
    door: Any = COMPILED.bind(scope["f"])
    rows: Any = COMPILED.rows(Thing, 2)
    frozen = rows.copy()
    frozen.flags.writeable = False
    for wrong in (
        None,
        3,
        rows[0],
        np.zeros(2, np.int64),
        rows[None],
        COMPILED.rows(Thing, 8)[::2],
        frozen,
        COMPILED.rows(Inner, 2),
    ):
        with pytest.raises(TypeError, match="Expected contiguous rows"):
            door(wrong, 1, 0.5, True)
    for wrong in ((rows, 1, 0.5), (rows, "1", 0.5, True), (rows, 0.5, 0.5, True), (rows, 1, "x", True)):
        with pytest.raises(TypeError):
            door(*wrong)
    with pytest.raises(TypeError, match="f: expected 4 arguments but got 3"):
        door(rows, 1, 0.5)
    with pytest.raises(OverflowError):
        door(rows, 1 << 63, 0.5, True)
    assert door(rows, np.int64(-1), np.float64(1), np.True_) == -1
    assert door.__name__ == "f"


def test_machine_code_is_read_by_many_threads_at_once() -> None:
    square = COMPILED.bind(rules_of("@rule\ndef f(a: int) -> int:\n    return a * a\n")["f"])
    results: list[int] = []
    threads = [Thread(target=lambda k=k: results.extend(square(k) for _ in range(50))) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [k * k for k in range(4) for _ in range(50)]
