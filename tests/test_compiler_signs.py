"""Which indices are never negative: those need not be asked, and all others are, as the interpreter has it."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from programs import rules_of
from quincunx.core.compile.native import assembly
from quincunx.core.engine import Gear

PLACE = "min(max(a, -5), 4)"
NATURAL = {
    "counter": "k = 0\n    for j in range(4):\n        k += a > j\n    return FEW[k]",
    "loop": "k = 0\n    for j in range(1, 5, 2):\n        k += FEW[j]\n    return k",
    "downwards": "k = 0\n    for j in range(a, -1, -1):\n        k += FEW[j % 4]\n    return k if a < 9 else 0",
    "masked": "return FEW[a & 3] + FEW[(a & 7) >> 1]",
    "rest": "return FEW[a % 3]",
    "parts": "k, m = a & 1, 2\n    return FEW[k + m] + FEW[k * m] + FEW[k | m] + FEW[max(a & 3, 1)] + FEW[min(k, m)]",
    "chosen": "k = 3 if a > b else 1\n    return FEW[k] + FEW[not a] + FEW[len(FEW) // 2]",
    "bits": "return FEW[(a & 15).bit_count()]",
    "of_table": "return FEW[SMALL[a & 1]]",
    "fixed_step": f"k = 0\n    for j in range({PLACE}, -1, Way.SOUTH):\n        k += FEW[j]\n    return k",
    "in_parts": "d, (k, m) = 1, (a & 1, 2)\n    return FEW[k + m] + d",
}
PERHAPS_NEGATIVE = {
    "falling": "k = 2\n    k -= b & 3\n    return FEW[k]",
    "given": "return FEW[a] if -5 <= a < 5 else 0",
    "from_a_falling_one": "k, m = 0, 1\n    m -= a & 3\n    k = m\n    return FEW[k]",
    "loop_below_zero": "k = 0\n    for j in range(2, -3, -1):\n        k += FEW[j]\n    return k",
    "loop_from_below": "k = 0\n    for j in range(-3, 3):\n        k = k * 2 + FEW[j]\n    return k",
    "other_steps": "k, m = 0, -1 - (a & 1)\n    for j in range(2, -3, m):\n        k += FEW[j]\n    return k",
    "of_table": "return FEW[SIGNED[a & 1]]",
    "computed_step": f"k = 0\n    for j in range({PLACE}, 0, -1 + 2 * b):\n        k = k * 9 + FEW[j]\n    return k",
    "step_with_minus": f"k = 0\n    for j in range({PLACE}, -1, -(2*b - 1)):\n        k = k * 9 + FEW[j]\n    return k",
    "in_parts": f"d, (k, m) = 1, ({PLACE}, 2)\n    return FEW[k] + m + d",
    "least": "return FEW[min(a & 3, -1)]",
    "either": "k = a & 1\n    k = -1 if b > 0 else k\n    return FEW[k]",
}
HEAD = "SMALL, SIGNED = table([4, 0]), table([2, -4])\n\n"


def rule_of(body: str) -> Any:
    return rules_of(f"{HEAD}@rule\ndef r(a: int, b: int) -> int:\n    {body}\n")["r"]


@pytest.mark.parametrize("body", [*NATURAL.values(), *PERHAPS_NEGATIVE.values()], ids=[*NATURAL, *PERHAPS_NEGATIVE])
def test_an_index_means_what_the_interpreter_says(body: str) -> None:
    rule = rule_of(body)
    plain, *compiled = (
        Gear("t", {}, compiled=c, checked=k).bind(rule) for c, k in ((False, False), (True, False), (True, True))
    )
    for a, b in product(range(-9, 10), (-1, 0, 1, 2, 3)):
        for door in compiled:
            assert door(a, b) == plain(a, b), (a, b)


@pytest.mark.parametrize("name", [*NATURAL, *(f"{name}, perhaps negative" for name in PERHAPS_NEGATIVE)])
def test_only_what_may_be_negative_is_asked(name: str) -> None:
    known, _, doubt = name.partition(", ")
    body = (PERHAPS_NEGATIVE if doubt else NATURAL)[known]
    plan = Gear("t", {}, compiled=True).plan(rule_of(body))
    text = assembly([plan], checked=False)
    around = [line for line in text.splitlines() if "select i1" in line and "i64" in line]
    asked = any(f"add i64 {line.split(', i64 ')[2]}, 5" in text for line in around)  # FEW has five
    assert asked == bool(doubt)
