"""The compiler: every operator, type and conversion at its edges, against the interpreter."""

from __future__ import annotations

import math
from importlib import import_module
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from programs import Thing, rules_of
from quincunx.core.arrays import pack
from quincunx.core.engine import Gear
from quincunx.core.layout import to_bytes
from quincunx.core.logarithm import ln

LEAST, MOST = -(1 << 63), (1 << 63) - 1
EDGES = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    -7,
    8,
    63,
    64,
    127,
    128,
    -128,
    -129,
    1 << 31,
    -(1 << 31),
    (1 << 62) + 12345,
    MOST,
    LEAST,
]
COMPILED, CHECKED, PLAIN = (
    Gear("t", {}, compiled=compiled, checked=checked)
    for compiled, checked in ((True, False), (True, True), (False, False))
)


def wrapped(value: Any) -> Any:
    """As 64 bits have it; the interpreter does not wrap."""
    return (value - LEAST) % (1 << 64) + LEAST if isinstance(value, int) and not isinstance(value, bool) else value


def doors(expressions: dict[str, str], head: str) -> tuple[list[Any], list[list[Any]]]:
    """Rules that return these expressions: interpreted, and compiled in both gears."""
    lines = [
        f"@rule\ndef r{k}({head}) -> {kind}:\n    return {text}\n" for k, (text, kind) in enumerate(expressions.items())
    ]
    scope = rules_of("\n\n".join(lines))
    rules = [scope[f"r{k}"] for k in range(len(expressions))]
    return PLAIN.bind_all(rules), [gear.bind_all(rules) for gear in (COMPILED, CHECKED)]


WHOLE = """
a + b; a - b; a * b; a & b; a | b; a ^ b; ~a; -a; +a; abs(a); int(a); a // b if b else 0; a % b if b else 0
a // 7; a % 7; a // 8; a % 8; a // -3; a % -3; a // 1; a % 1; a // -1; a % -1
a << (b & 127); a >> (b & 127); a << 63; a >> 63; 1 << 62; (a > b) << 3
a and b; a or b; (a > 0) and b; (a > 0) or b; a if a > b else b; min(a, b); max(a, b, 0); min(a > b, a)
a.bit_count(); a.bit_length(); (a & b).bit_count(); (b & -b).bit_length() - 1; (a > b).bit_length()
a + -9223372036854775808
(a > b) + (a < b); -(a > b); +(a > b); (a > b) & b; (a > b) * a; abs(a > b); int(a > b)
Way.NORTH * a + Way.SOUTH; FEW[a % 5] + FEW[-1 - b % 5]; WIDE[a & 1][b % 3]; len(FEW) + len(WIDE) + len(WIDE[0])
"""
TRUTH = """
a == b; a != b; a < b; a <= b; a > b; a >= b; a < b < 5; -5 <= a != b; not a; not (a > b); bool(a); True; a == True
a > b and b > 0; a > b or b > 0; (a > b) & (b > 0); (a > b) | (b > 0); (a > b) ^ (b > 0); (a > b) == (b > 0)
a in (1, b, -7); a not in (0, 1)
"""


def test_types_are_found_however_far_they_come_from() -> None:
    names = [f"x{k}" for k in range(12)]
    lines = [f"    {' = '.join(names)} = 0", "    for k in range(14):"]
    values = [*reversed(names[:-1]), "a * 0.5"]
    lines += [f"        {name} = {value}" for name, value in zip(reversed(names), values, strict=True)]
    rule = rules_of("\n".join(["@rule\ndef r(a: int) -> float:", *lines, "    return x11 + 0.0\n"]))["r"]
    assert [gear.bind(rule)(5) for gear in (PLAIN, COMPILED, CHECKED)] == [2.5] * 3


def each(texts: str, kind: str) -> dict[str, str]:
    """Expressions with the type of their value."""
    return dict.fromkeys(texts.strip().replace("\n", "; ").split("; "), kind)


def test_whole_numbers_at_their_edges() -> None:
    expressions = each(WHOLE, "int") | each(TRUTH, "bool")
    plain, compiled = doors(expressions, "a: int, b: int")
    for k, (text, kind) in enumerate(expressions.items()):
        for a, b in product(EDGES, EDGES):
            expected = wrapped(plain[k](a, b))
            for gear in compiled:
                came = gear[k](a, b)
                assert came == expected, f"{text}: {a}, {b}"
                assert type(came).__name__ == kind


FRACTIONS = """
x + y; x - y; x * y; x / y if y else 0.0; -x; +x; abs(x); min(x, y); max(x, y); x + n; n * x; n / 7; 7 / (n * n + 1)
float(n); float(x > y); sqrt(abs(x)); sqrt(n * n); ln(abs(x)); x or y; x and y; x if x > y else n * 1.0; x + (x > y)
HALF * x
"""
TRUTH_OF_FRACTIONS = "x == y; x != y; x < y; x <= y; x > y; x >= y; x < n; n == x; not x; bool(x)"


def test_fractions_at_their_edges() -> None:
    expressions = each(FRACTIONS, "float") | each(TRUTH_OF_FRACTIONS, "bool") | each("int(x); int(-x)", "int")
    plain, compiled = doors(expressions, "x: float, y: float, n: int")
    edges = [0.0, -0.0, 1.0, -1.5, 0.1, 3e-320, 1e15, -1e18, 2.5, math.pi]
    for k, text in enumerate(expressions):
        for x, y, n in product(edges, edges, (0, 3, -70000)):
            expected = plain[k](x, y, n)
            for gear in compiled:
                came = gear[k](x, y, n)
                assert came == expected and type(came) is type(expected), f"{text}: {x}, {y}, {n}"
                assert not isinstance(came, float) or math.copysign(1, came) == math.copysign(1, expected)


def test_a_fraction_too_large_becomes_the_largest_number_everywhere() -> None:
    _, (compiled, _) = doors({"int(x)": "int"}, "x: float")
    assert [compiled[0](x) for x in (1e300, -1e300, math.inf, math.nan)] == [MOST, LEAST, MOST, 0]


def test_the_logarithm_is_right_and_the_same_in_every_gear() -> None:
    fast, checked, slow = COMPILED.bind(ln), CHECKED.bind(ln), PLAIN.bind(ln)
    dice = Random(1)
    numbers = [*range(1, 2000), *(dice.random() * 10.0 ** dice.randint(-300, 300) for _ in range(2000)), 2.0**-1022]
    for x in map(float, numbers):
        assert fast(x) == checked(x) == slow(x) == pytest.approx(math.log(x), rel=4e-16)
    assert [fast(x) for x in (0.0, -1.0, 5e-324, math.inf, math.nan)] == [0.0] * 5


STORES = """
@rule
def store(t: Thing, a: int, b: int, x: float) -> int:
    t.byte, t.short, t.word, t.long, t.fraction = a % 256 - 128, a % 65536 - 32768, a % (1 << 32) - (1 << 31), a, x
    t.byte ^= b & 1
    t.fraction += 0.5
    t.fraction = t.fraction * 2
    row = t.row
    for k in range(-5, 5):
        row[k] = (a >> k + 5) % 128
    t.grid[a & 1][b % 3] = b % 1000
    t.grid[-1][-1] -= 3
    t.inner.a = b & 15
    t.inner.b[a % 3], t.inner.b[b % 3] = a & 255, b & 255
    copy(t.many[1], t.inner)
    copy(t.many[a % 4], t.many[1])
    t.many[2].b[0] |= 5
    kept = t.inner if a > b else t.many[1]
    kept.a = row[a % 5]
    clear(t.many[3])
    some = t.row if a > b else row
    return fingerprint(t) ^ fingerprint(t.inner) + t.byte + some[1] + len(t.grid[0])
"""


def test_every_type_of_field_is_stored_and_read_back() -> None:
    store = rules_of(STORES)["store"]
    for gear in (COMPILED, CHECKED):
        for a, b in product(EDGES, EDGES):
            thing = Thing()
            packed = pack(thing)
            assert gear.bind(store)(packed, a, b, 0.25) == wrapped(PLAIN.bind(store)(thing, a, b, 0.25))
            assert to_bytes(packed) == to_bytes(thing)


CONTROL = """
@rule
def control(a: int, b: int) -> int:
    total, k = 0, 5
    for k in range(a % 7, b % 50, 1 + (a & 3)):
        if k == 13:
            continue
        total = total * 3 + k
        if total > 1 << 40:
            break
    for k in range(b % 9, -3, -2):
        total ^= k << 3
    while total & 1 and total > 10:
        total >>= 1
    for k in range(0, (a % 5 - 2) * 4, a % 5 - 2 or 1):
        total += k
        k = 100  # changes nothing
    for k in range(9223372036854775800, 9223372036854775807, 3):
        total ^= k
    flag: bool = False
    low, high = (a, b) if a < b else (b, a)
    if a > 3:
        flag = 5
    elif a:
        pass
    else:
        flag = 7
    low, high = high, low
    room, more = ints(3), ints(b % 9 - 4)
    room[1] = len(more)
    return power(3, b & 7) + total + low * flag ^ high + k + room[1] + room[2]


@rule
def power(a: int, b: int) -> int:
    return 1 if b == 0 else a * power(a, b - 1)


@rule
def endless(a: int) -> int:
    while True:
        a += 1
        if a % 7 == 0:
            return a
"""


def test_loops_choices_and_recursion() -> None:
    scope = rules_of(CONTROL)
    control, endless = scope["control"], scope["endless"]
    for gear in (COMPILED, CHECKED):
        for a, b in product(EDGES, EDGES):
            assert gear.bind(control)(a, b) == wrapped(PLAIN.bind(control)(a, b)), (a, b)
        assert gear.bind(endless)(3) == 7


def test_code_that_python_leaves_out_is_compiled_all_the_same() -> None:
    """Its bytecode mentions neither the table nor the rule; the tree does."""
    text = "@rule\ndef other(x: int) -> int:\n    return x\n\n\n@rule\ndef r(a: int) -> int:\n"
    text += "    if (not 1000) and WIDE[a % 2][0] > other(a):\n        return other(a) + FEW[1]\n    return a + 1\n"
    rule = rules_of(text)["r"]
    assert [gear.bind(rule)(5) for gear in (PLAIN, COMPILED, CHECKED)] == [6, 6, 6]


def test_the_page_about_the_compiler_shows_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """If not: python tools/compiled.py"""
    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "tools")
    compiled: Any = import_module("compiled")
    page = compiled.PAGE.read_text("utf-8")
    assert compiled.written(page) == page and "define i1 @pay" in page
