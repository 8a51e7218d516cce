"""Calls: of other rules, of the few functions of Python that a rule may use, and of whole-structure operations."""

from __future__ import annotations

import ast
import math

from quincunx.core import atomic, structure
from quincunx.core.clock import now
from quincunx.core.compile.inference import FOUND
from quincunx.core.compile.kinds import (
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    NUMBERS,
    ZERO,
    Rec,
    Row,
    Value,
    flat,
    flat_kinds,
    llvm,
    parameters,
    returns,
)
from quincunx.core.compile.library import FINGERPRINT
from quincunx.core.compile.memory import FAULT, LEAVE, Memory
from quincunx.core.compile.numbers import INDEX, ROOT, known
from quincunx.core.compile.scope import Unreached
from quincunx.core.fraction import exponent, mantissa
from quincunx.core.layout import fingerprint
from quincunx.core.plan import Plan

LARGEST_ON_STACK = 1024  # numbers of an `ints`
NONE = Value(NOTHING, "")


def symbol(plan: Plan) -> str:
    return f'@"{plan.name}"'


class Calls(Memory):
    loops: list[tuple[str, str]]  # around the statement: where `continue` and `break` go
    taken: list[str]  # where the addresses are kept of what `ints` took from the heap

    def call(self, node: ast.Call) -> Value:
        used = self.callee(node)
        values = [self.value(a) for a in self.arguments(node)]
        self.now = node
        if isinstance(used, Plan):
            return self._call_rule(node, used, values)
        if isinstance(used, Unreached):
            return Value(used.kind, ZERO.get(llvm(used.kind), ""))
        kind = self.call_kind(node)
        came = None
        if all(v.kind in NUMBERS for v in values):
            came = self._of_numbers(node, used, values, kind)
        if came is None:
            came = self._of_records(used, values)
        if came is None:
            raise self.refuse("arguments that fit", ast.unparse(node), node)
        return came

    def _call_rule(self, node: ast.Call, used: Plan, values: list[Value]) -> Value:
        wanted = parameters(used)
        if len(wanted) != len(values):
            raise self.refuse(f"{len(wanted)} arguments of {used.function.__name__}", str(len(values)), node)
        operands = [f"ptr {FAULT}"] if self.module.checked else []
        for (_, kind), value in zip(wanted, values, strict=True):
            converted = flat(self.given(value, kind))
            operands += [f"{k} {operand}" for k, operand in zip(flat_kinds(kind), converted, strict=True)]
        result = returns(used)
        call = f"call {llvm(result)} {symbol(used)}({', '.join(operands)})"
        came = NONE if result == NOTHING else Value(result, self.make(call))
        if result == NOTHING:
            self.put(call)
        if self.module.checked:
            self.end_if_wrong()
        return came

    def _of_numbers(self, node: ast.Call, used: object, values: list[Value], kind: object) -> Value | None:
        match values:
            case [] if used is now:
                return Value(INT, self.make("call i64 @now()"))
            case [first, *others] if used in (min, max) and others and isinstance(kind, str):
                best = self.convert(first, kind)
                for other in others:
                    best = self.extreme("min" if used is min else "max", kind, best, self.convert(other, kind))
                return best
            case [x] if used is abs:
                return self.absolute(x)
            case [x] if x.kind != FLOAT and used is int.bit_count:
                return Value(INT, self.intrinsic("i64 @llvm.ctpop.i64", f"i64 {self.absolute(x).of}"))
            case [x] if x.kind != FLOAT and used is int.bit_length:
                zeros = self.intrinsic("i64 @llvm.ctlz.i64", f"i64 {self.absolute(x).of}, i1 false")
                return Value(INT, self.make(f"sub i64 64, {zeros}"))
            case [x] if used is int:
                return self.truncated(x)
            case [x] if used is bool or used is float:
                return self.convert(x, BOOL if used is bool else FLOAT)
            case [x] if used is math.sqrt:
                return self._root(self.convert(x, FLOAT).of)
            case [x] if used is mantissa or used is exponent:
                return self._part(used is mantissa, self.convert(x, FLOAT).of)
            case [n, most] if used is structure.within:
                return self._within(self.whole(n), self.whole(most))
            case [n] if used is structure.ints:
                return self._take(node, self.whole(n))
        return None

    def _of_records(self, used: object, values: list[Value]) -> Value | None:
        match [v.kind for v in values]:
            case [Row()] if used is len:
                return Value(INT, values[0].lengths[0])
            case [Rec() as to, Rec() as source] if used is structure.copy and to == source:
                align = f"align {to.align}"
                where = f"ptr {align} {values[0].of}, ptr {align} {values[1].of}"
                self.intrinsic("void @llvm.memcpy.p0.p0.i64", f"{where}, i64 {to.size}, i1 false")
                return NONE
            case [Rec() as to] if used is structure.clear:
                where = f"ptr align {to.align} {values[0].of}"
                self.intrinsic("void @llvm.memset.p0.i64", f"{where}, i8 0, i64 {to.size}, i1 false")
                return NONE
            case [Rec() as of] if used is fingerprint:
                self.module.add(FINGERPRINT)
                return Value(INT, self.make(f"call i64 @fingerprint(ptr {values[0].of}, i64 {of.size})"))
            case [Row(element=Rec() as element), kind] if used is structure.expect and kind in NUMBERS:
                inner, place = f"[{element.size} x i8]", self.whole(values[1])
                at = self.make(f"getelementptr {inner}, ptr {values[0].of}, i64 {place}")
                self.intrinsic("void @llvm.prefetch.p0", f"ptr {at}, i32 0, i32 3, i32 1")
                return NONE
            case [Rec(structure=atomic.Counter), *amounts] if all(kind in NUMBERS for kind in amounts):
                return self._atomically(used, values[0].of, [self.whole(v) for v in values[1:]])
        return None

    def _atomically(self, used: object, counter: str, amounts: list[str]) -> Value | None:
        match amounts:
            case [] if used is atomic.load:
                return Value(INT, self.make(f"load atomic i64, ptr {counter} acquire, align 8"))
            case [n] if used is atomic.store:
                self.put(f"store atomic i64 {n}, ptr {counter} release, align 8")
                return NONE
            case [n] if used is atomic.fetch_add:
                return Value(INT, self.make(f"atomicrmw add ptr {counter}, i64 {n} acq_rel"))
        return None

    def _root(self, x: str) -> Value:
        if self.module.checked:
            self.guard(self.make(f"fcmp oge double {x}, 0.0"), ROOT, "0")
        return Value(FLOAT, self.intrinsic("double @llvm.sqrt.f64", f"double {x}"))

    def _part(self, is_mantissa: bool, x: str) -> Value:
        """Of the 64 bits of a fraction, 52 are its mantissa, and 11 its exponent."""
        bits = self.make(f"bitcast double {x} to i64")
        if not is_mantissa:
            moved = self.make(f"and i64 {self.make(f'lshr i64 {bits}, 52')}, 2047")
            return Value(INT, self.make(f"sub i64 {moved}, 1022"))
        low = self.make(f"and i64 {bits}, {(1 << 52) - 1}")
        return Value(FLOAT, self.make(f"bitcast i64 {self.make(f'or i64 {low}, {1022 << 52}')} to double"))

    def _within(self, n: str, most: str) -> Value:
        fine = self.make(f"icmp sle i64 {n}, {most}")
        if self.module.checked:
            self.guard(fine, INDEX, n)
            return Value(INT, n)
        beyond, after, here = self.label(), self.label(), self.here
        self.fork(fine, after, beyond)
        self.start(beyond)
        self.put("call void @overflow()")
        self.start(after)
        return Value(INT, self.one_of("i64", [(n, here), (most, beyond)]))

    def _take(self, node: ast.Call, n: str) -> Value:
        """`n` zeros: a few on the stack, many from the heap, given back when the rule ends."""
        if self.loops:
            raise self.refuse("ints(…) before the loop", "one in it, which would be another array each time", node)
        number = known(n)
        if number is not None and 0 <= number <= LARGEST_ON_STACK:
            at = self.reserve(f"[{n} x i64]", zero=False)
            self.intrinsic("void @llvm.memset.p0.i64", f"ptr {at}, i8 0, i64 {8 * number}, i1 false")
            return Value(FOUND, at, (n,))
        n = self.intrinsic("i64 @llvm.smax.i64", f"i64 {n}, i64 0")
        at = self.reserve("ptr", zero=True)
        pointer = self.make(f"call ptr @take(i64 {n})")
        self.put(f"store ptr {pointer}, ptr {at}")
        self.taken.append(at)
        return Value(FOUND, pointer, (n,))

    def give_back(self) -> None:
        assert self.here == LEAVE
        for at in self.taken:
            self.put(f"call void @give(ptr {self.make(f'load ptr, ptr {at}')})")
