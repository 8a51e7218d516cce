"""Random rules for the compiler's tests: text in the grammar of rules whose meaning is the same in every gear.

The interpreter knows no overflow. Small numbers (s0 …) therefore stay small: what is assigned to them is brought back
below a million. Large ones (g0 …) use the operators that agree modulo 2⁶⁴, and are cut to 63 bits when assigned; those
without a sign (u0 …), to 64.
"""

from __future__ import annotations

import linecache
from functools import partial
from itertools import count
from random import Random
from typing import Annotated, Any

from quincunx.core.structure import Structure, f64, i8, i16, i32, i64

MASK = (1 << 63) - 1
FULL = "0xFFFF_FFFF_FFFF_FFFF"
_numbers = count()

HEAD = """
from enum import IntEnum
from math import sqrt
from programs import Inner, Thing
from quincunx.core.engine import rule, table
from quincunx.core.logarithm import ln
from quincunx.core.layout import fingerprint
from quincunx.core.structure import clear, copy, ints, u64

FEW = table([3, -100, 77, 0, 12])
WIDE = table([[1, -2, 30000], [70000, 5, -6]])
HALF = 0.5


class Way(IntEnum):
    NORTH = 3
    SOUTH = -4

"""


class Inner(Structure):
    a: i8
    b: Annotated[list[i16], 3]


class Thing(Structure):
    byte: i8
    short: i16
    word: i32
    long: i64
    fraction: f64
    row: Annotated[list[i8], 5]
    grid: Annotated[list[list[i32]], 2, 3]
    inner: Inner
    many: Annotated[list[Inner], 4]


def rules_of(text: str) -> dict[str, Any]:
    """The module that has this text; a compiler finds its source."""
    name = f"<program {next(_numbers)}>"
    whole = HEAD + text
    linecache.cache[name] = len(whole), None, whole.splitlines(keepends=True), name
    scope: dict[str, Any] = {"__name__": "program"}
    exec(compile(whole, name, "exec"), scope)
    return scope


class Writer:
    """Writes one rule: f(a, b, x, yes, t, row) -> int."""

    def __init__(self, dice: Random, name: str, helper: str | None) -> None:
        self.dice, self.name, self.helper = dice, name, helper
        self.loops = 0

    def text(self) -> str:
        asked = f"@rule\ndef {self.name}_is(s: int, u: u64, yes: bool) -> bool:\n" + self.answer()
        head = f"\n\n@rule\ndef {self.name}(a: int, b: int, x: float, yes: bool, t: Thing, row: list[int]) -> int:\n"
        first = "    s0, s1, g0, g1, f0, k0, k1, room = a % 1000, b % 77, a & MASK, b & MASK, x, 0, 0, ints(6)\n"
        first += f"    u0, (u1, k2) = a & {FULL}, (g1 * 3 & {FULL}, 0)\n"
        last = "    return (s0 * 31 + s1 * 17 ^ g0 + g1 * 5 ^ k0 + int(f0) + room[2] + u0 - u1 * k2) & MASK\n"
        return asked + head + first.replace("MASK", str(MASK)) + self.block(1, 3) + last.replace("MASK", str(MASK))

    def answer(self) -> str:
        compare = ("<", "<=", ">", ">=", "==", "!=")
        sides = [f"s {self.pick(*compare)} {self.pick('3', '-7', 'Way.SOUTH', 'Way.NORTH')}", "yes"]
        sides.append(f"u {self.pick(*compare)} {self.pick('s', '1 << 40', FULL, 's * 5 & ' + FULL)}")
        a, b, c = (self.dice.choice(sides) for _ in range(3))
        return f"    if {a}:\n        return {b}\n    return ({c}) {self.pick('and', 'or', '!=', '&')} ({b})\n"

    def pick(self, *ways: Any) -> Any:
        """One of several texts; a function is called first."""
        chosen = self.dice.choice(ways)
        return chosen() if callable(chosen) else chosen

    # -- expressions ---------------------------------------------------------------------------------------------

    def small(self, depth: int) -> str:
        """Less than 2⁴¹, whatever is in it."""
        if depth == 0:
            return self.small_leaf()
        e, c = partial(self.small, depth - 1), partial(self.condition, depth - 1)
        return str(self.pick(
            self.small_leaf,
            lambda: f"({e()} {self.pick('+', '-', '&', '|', '^')} {e()})",
            lambda: f"(({e()}) % 1000 * (({e()}) % 1000))",
            lambda: f"({e()} // {self.divisor(depth)})",
            lambda: f"({e()} % {self.divisor(depth)})",
            lambda: f"({e()} >> ({e()} & 127))",
            lambda: f"({e()} << ({e()} & 7))",
            lambda: f"({self.pick('-', '~', '+')}({e()}))",
            lambda: f"({e()} if {c()} else {e()})",
            lambda: f"({c()} {self.pick('+', '-', '|', '^')} {e()})",
            lambda: f"({e()} {self.pick('and', 'or')} {e()})",
            lambda: f"{self.pick('min', 'max')}({e()}, {e()}, {self.pick(e, c)})",
            lambda: f"abs({e()})",
            lambda: f"int({self.pick(e, c)})",
            lambda: f"int(min(max({self.fraction(depth - 1)}, -1e6), 1e6))",
        ))  # fmt: skip

    def divisor(self, depth: int) -> str:
        return str(self.pick("7", "8", "-3", "1", "-1", "1024", lambda: f"(({self.small(depth - 1)}) % 50 + 1)"))

    def small_leaf(self) -> str:
        def index(n: int) -> str:
            return f"({self.pick('s0', 's1', 'k0', 'k1')}) % {n}"

        return str(self.pick(
            "s0", "s1", "k0", "k1", "(a % 1001)", "(b % 99)", "0", "1", "-1", "5", "-17", "1000", "Way.SOUTH",
            "Way.NORTH", "(u0 & 255)", "(u1 % 100 - 50)", "(u0 >> 40 & 1023)", "u0.bit_count()", "u1.bit_length()",
            "k2", "FEW[min(max(k0, -5), 4)]", "(FEW[k2] if -5 <= k2 < 5 else 0)",
            "len(row)", "t.byte", "t.short", "t.word", "t.inner.a", "len(t.row)", "(g0 & 255)", "(g1 % 100 - 50)",
            lambda: f"t.row[{index(5)}]", lambda: f"t.row[-1 - {index(5)}]", lambda: f"t.grid[{index(2)}][{index(3)}]",
            lambda: f"t.many[{index(4)}].b[{index(3)}]", lambda: f"FEW[{index(5)}]",
            lambda: f"WIDE[{index(2)}][{index(3)}]", lambda: f"room[{index(6)}]", lambda: f"row[{index(4)}]",
        ))  # fmt: skip

    def large(self, depth: int) -> str:
        """Equal modulo 2⁶⁴."""
        if depth == 0:
            names = ("g0", "g1", "a", "b", "t.long", "u0", "u1")
            return str(self.pick(*names, "7", str(MASK), "0x9E3779B97F4A7C1", self.small_leaf))
        e = partial(self.large, depth - 1)
        return str(self.pick(
            lambda: f"({e()} {self.pick('+', '-', '*', '&', '|', '^')} {e()})",
            lambda: f"({self.pick('-', '~')}({e()}))",
            lambda: f"({e()} << ({self.small(1)} & {self.pick('63', '127')}))",
            lambda: f"({self.pick('g0', 'g1', 'a')} {self.pick('//', '%')} {self.pick('3', '-5', '16', '(g1 | 1)')})",
            lambda: f"({self.pick('g0', 'g1', 'a', 'b')} >> ({self.small(1)} & 127))",
            lambda: f"({self.condition(depth - 1)} and {e()})",
        ))  # fmt: skip

    def unsigned(self) -> str:
        """Equal modulo 2⁶⁴, or exactly where the sign would matter."""
        return str(self.pick(
            partial(self.large, 2),
            lambda: f"(u0 {self.pick('+', '-', '*', '&', '|', '^')} {self.large(1)})",
            lambda: f"(u1 {self.pick('//', '%')} {self.pick('3', '(u0 | 1)', '(g0 & ' + FULL + ' | 1)')})",
            lambda: f"(u0 >> ({self.small(1)} & 127))", lambda: f"({self.pick('-', '~')}u1)",
            lambda: f"{self.pick('min', 'max')}(u0, u1, {self.pick('7', 'u1 >> 3', 'g0 & ' + FULL)})",
            lambda: f"(u0 if {self.condition(1)} else u1)", lambda: f"(u0 {self.pick('and', 'or')} u1)",
        ))  # fmt: skip

    def fraction(self, depth: int) -> str:
        if depth == 0:
            return str(self.pick("f0", "x", "0.25", "-1.5", "HALF", "t.fraction", "float(s0)", "1e3"))
        e, s = partial(self.fraction, depth - 1), partial(self.small, depth - 1)
        return str(self.pick(
            lambda: f"({e()} {self.pick('+', '-', '*')} {self.pick(e, s)})",
            lambda: f"({self.pick(e, s)} / ({e()} * 0.0 + {self.pick('3', '2.5', '-7.0')}))",
            lambda: f"(-{e()})", lambda: f"abs({e()})", lambda: f"sqrt(abs({e()}))", lambda: f"ln(abs({e()}) + 1.0)",
            lambda: f"(({e()} if {self.condition(depth - 1)} else {self.pick(e, s)}) + 0.0)",
            lambda: f"({self.pick('min', 'max')}({e()}, {self.pick(e, s)}) + 0.0)",
        ))  # fmt: skip

    def condition(self, depth: int) -> str:
        e, compare = partial(self.small, max(0, depth - 1)), ("<", "<=", ">", ">=", "==", "!=")
        if depth == 0:
            whole = (
                "bool(s0)",
                "(g0 > g1)",
                "(u0 > u1)",
                "(u0 <= g0)",
                "(u1 != 1 << 9)",
                "(not u0)",
                "(s0 == Way.NORTH)",
            )
            return str(self.pick("yes", lambda: f"({e()} {self.pick(*compare)} {e()})", *whole))
        c = partial(self.condition, depth - 1)
        return str(self.pick(
            lambda: f"({c()} {self.pick('and', 'or')} {c()})", lambda: f"(not {self.pick(c, e)})",
            lambda: f"({e()} {self.pick(*compare)} {e()} {self.pick(*compare)} {e()})",
            lambda: f"({c()} {self.pick('&', '|', '^', '==', '!=')} {c()})",
            lambda: f"({self.fraction(1)} {self.pick(*compare)} {self.pick(e, lambda: self.fraction(0))})",
            lambda: f"({e()} {self.pick('in', 'not in')} ({e()}, {e()}, 3))",
            lambda: f"({e()} in (Way.NORTH, Way.SOUTH))", lambda: f"{self.name}_is({e()}, u0, {c()})",
        ))  # fmt: skip

    # -- statements ----------------------------------------------------------------------------------------------

    def block(self, indent: int, depth: int) -> str:
        return "".join(self.statement(indent, depth) for _ in range(self.dice.randint(1, 5)))

    def statement(self, indent: int, depth: int) -> str:
        plain = [self.assignment] * 6 + [self.store] * 4 + [self.whole]
        ways = [
            *plain,
            *([self.choice, self.count, self.again] if depth else []),
            *([self.leave] if self.loops else []),
        ]
        if self.helper:
            ways.append(self.call)
        return str(self.dice.choice(ways)(indent, depth))

    def assignment(self, indent: int, depth: int) -> str:
        def s() -> str:
            return f"({self.small(3)}) % 1048573 - 524286"

        line = self.pick(
            lambda: f"{self.pick('s0', 's1')} = {s()}",
            lambda: f"s0, s1 = {s()}, {s()}",
            lambda: f"{self.pick('g0', 'g1')} = ({self.large(3)}) & {MASK}",
            lambda: f"g0 {self.pick('^', '&', '|')}= {self.pick('g1', '255', 's0 & 511')}",
            lambda: f"f0 = max(min({self.fraction(3)}, 1e6), -1e6)",
            lambda: f"s1 {self.pick('%', '//', '>>', '&', '|', '^')}= {self.pick('3', '5', '7')}",
            lambda: f"k1 = {self.condition(2)}",
            lambda: f"s0, (k2, s1) = {s()}, ({s()}, {s()})",
            lambda: f"(u1, k1), s1 = ({self.unsigned()} & {FULL}, {self.condition(1)}), {s()}",
            lambda: f"{self.pick('u0', 'u1')} = {self.unsigned()} & {FULL}",
            lambda: f"{self.pick('u0 ^= u1', 'u1 >>= 1', 'u0 |= 1 << 40', 'u1 &= u0', 'u0 >>= s1 & 63', 'u1 //= 3')}",
        )
        return "    " * indent + f"{line}\n"

    def store(self, indent: int, depth: int) -> str:
        e = partial(self.small, 2)

        def index(n: int) -> str:
            return f"({self.small(1)}) % {n}"

        line = self.pick(
            lambda: f"t.byte = ({e()}) % 200 - 100", lambda: f"t.short = ({e()}) % 60000 - 30000",
            lambda: f"t.word = ({e()}) % 1048573 - 524286", lambda: f"t.long = ({self.large(2)}) & {MASK}",
            lambda: f"t.fraction = max(min({self.fraction(2)}, 1e6), -1e6)", lambda: "t.byte ^= 3",
            lambda: f"t.row[{index(5)}] = ({e()}) % 256 - 128",
            lambda: f"t.grid[{index(2)}][{index(3)}] = {e()} & 65535",
            lambda: f"t.many[{index(4)}].b[{index(3)}] = ({e()}) & 1023", lambda: f"t.inner.a = {e()} & 63",
            lambda: f"room[{index(6)}] = ({e()}) % 1000", lambda: f"row[{index(4)}] = ({e()}) % 1000 - 500",
            lambda: f"t.row[{index(5)}], t.row[0] = t.row[0], t.row[{index(5)}]", lambda: "t.grid[-1][-1] &= 255",
        )  # fmt: skip
        return "    " * indent + f"{line}\n"

    def whole(self, indent: int, depth: int) -> str:
        line = self.pick(
            lambda: f"copy(t.many[{self.dice.randint(0, 3)}], t.inner)", "copy(t.inner, t.many[1])",
            "clear(t.many[2])", "g1 = fingerprint(t)", "g0 ^= fingerprint(t.many[1])",
        )  # fmt: skip
        return "    " * indent + f"{line}\n"

    def choice(self, indent: int, depth: int) -> str:
        space, more = "    " * indent, self.dice.randint(0, 2)
        text = f"{space}if {self.condition(2)}:\n" + self.block(indent + 1, depth - 1)
        if more == 2:
            text += f"{space}elif {self.condition(1)}:\n" + self.block(indent + 1, depth - 1)
        return text + (f"{space}else:\n" + self.block(indent + 1, depth - 1) if more else "")

    def count(self, indent: int, depth: int) -> str:
        small = partial(self.pick, "3", "s0 % 5", "k1 % 4", "len(row)", "-2")
        bounds = self.pick(
            small, lambda: f"{small()}, {small()}", lambda: f"{small()}, {small()}, {self.pick('2', '-1', '-3')}",
            lambda: f"0, {small()}, (s1 % 3) + 1", lambda: f"{small()}, {self.pick('0', '-1')}, -1 + 2 * (s1 % 3)",
            lambda: f"s0 % 9 - 4, {self.pick('0', '-1', small)}, {self.pick('-(s1 % 3 * 2 - 1)', 'Way.SOUTH', '-1')}",
        )  # fmt: skip
        return self._loop(indent, f"for k0 in range({bounds}):", depth, "")

    def again(self, indent: int, depth: int) -> str:
        name, space = f"w{indent}", "    " * indent
        return f"{space}{name} = 0\n" + self._loop(
            indent, f"while {name} < 5 and {self.condition(1)}:", depth, f"{space}    {name} += 1\n"
        )

    def _loop(self, indent: int, head: str, depth: int, first: str) -> str:
        self.loops += 1
        body = self.block(indent + 1, depth - 1)
        self.loops -= 1
        return "    " * indent + f"{head}\n{first}{body}"

    def leave(self, indent: int, depth: int) -> str:
        space = "    " * indent
        word = self.pick("break", "continue", f"return g0 + 1 & {MASK}")
        return f"{space}if {self.condition(1)}:\n{space}    {word}\n"

    def call(self, indent: int, depth: int) -> str:
        return "    " * indent + f"g1 = {self.helper}(s0, g0, f0, {self.condition(1)}, t, {self.pick('row', 'room')})\n"
