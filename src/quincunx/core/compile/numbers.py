"""Arithmetic: conversions, operators and comparisons, as the interpreter understands them, modulo 2⁶⁴.

What an operation with a u64 comes to is a u64 as well, so that shifts to the right and comparisons know no sign.

A divisor of zero gives 0, and a step or a shift that makes no sense does nothing; in the checked gear they are faults.
"""

from __future__ import annotations

import ast
from abc import abstractmethod

from quincunx.core.compile.inference import Inference
from quincunx.core.compile.kinds import BOOL, FLOAT, INT, NUMBERS, UINT, Kind, Row, Several, Value, in_words

_WHOLE = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_FRACTION = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_COMPARE = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge"}
_COMPARE_UNSIGNED = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "ult", ast.LtE: "ule", ast.Gt: "ugt", ast.GtE: "uge"}
_COMPARE_FRACTIONS = {
    ast.Eq: "oeq", ast.NotEq: "une", ast.Lt: "olt", ast.LtE: "ole", ast.Gt: "ogt", ast.GtE: "oge",
}  # fmt: skip


UNSIGNED = "a number without a sign, such as … & 0xFFFF_FFFF_FFFF_FFFF"


def known(operand: str) -> int | None:
    """The number that an operand is, if it is one."""
    return int(operand) if operand.removeprefix("-").isdigit() else None


def _fits(a: int | None, shift: int | None) -> bool:
    """Is `a << shift` known to be a signed number?"""
    return a is not None and shift is not None and a.bit_length() + shift < 64


class Numbers(Inference):
    @abstractmethod
    def guard(self, fine: str, fault: int, value: str) -> None:
        """In the checked gear: goes on if it is fine, otherwise the rule ends with this fault."""

    def intrinsic(self, name: str, arguments: str) -> str:
        """A call of `type @llvm.name`, declared on the way."""
        kinds = [part.split()[0] for part in arguments.split(", ")]
        self.module.declare(f"{name}({', '.join(kinds)})")
        result, function = name.split(" ")
        if result == "void":
            self.put(f"call void {function}({arguments})")
            return ""
        return self.make(f"call {result} {function}({arguments})")

    # -- conversions ---------------------------------------------------------------------------------------------

    def convert(self, value: Value, kind: Kind) -> Value:
        if value.kind == kind:
            return value
        match value.kind, kind:
            case str(), str() if value.kind in NUMBERS and (kind in (FLOAT, BOOL) or value.kind == BOOL):
                return Value(kind, self._converted(value, kind))
            case "u64", "i64":  # too large a one becomes negative, as everything is modulo 2⁶⁴
                return Value(INT, value.of)
            case "i64", "u64":
                number = known(value.of)
                if value.natural or (number is not None and number >= 0):
                    return Value(UINT, value.of)
                raise self.refuse(UNSIGNED, "one that may have one")
            case Row(element=a), Row(element=b) if a == b and len(value.lengths) == len(kind.lengths):
                if value.kind.is_table == kind.is_table:  # a rule might write to what it is given
                    return Value(kind, value.of, value.lengths)
            case Several(), Several() if len(value.parts) == len(kind.kinds):
                parts = tuple(self.convert(v, k) for v, k in zip(value.parts, kind.kinds, strict=True))
                return Value(kind, "", parts=parts)
        raise self.refuse(in_words(kind), in_words(value.kind))

    def _converted(self, value: Value, kind: str) -> str:
        match value.kind, kind:
            case "i1", "i64" | "u64":
                return {"true": "1", "false": "0"}.get(value.of) or self.make(f"zext i1 {value.of} to i64")
            case "i1", "double":
                return self.make(f"uitofp i1 {value.of} to double")
            case "i64" | "u64", "double":
                return self.make(f"{'sitofp' if value.kind == INT else 'uitofp'} i64 {value.of} to double")
            case "i64" | "u64", "i1":
                return self.make(f"icmp ne i64 {value.of}, 0")
        return self.make(f"fcmp une double {value.of}, 0.0")

    def given(self, value: Value, kind: Kind) -> Value:
        """What a rule is given, or gives: for the interpreter a number stays a number there."""
        if kind == BOOL and value.kind in (INT, UINT, FLOAT):
            raise self.refuse("a truth value, such as … != 0", in_words(value.kind))
        return self.convert(value, kind)

    def whole(self, value: Value) -> str:
        return self.convert(value, INT).of

    def truncated(self, value: Value) -> Value:
        """int(…). What is too large for 64 bits becomes the largest number there is, on every machine."""
        if value.kind != FLOAT:
            return value if value.kind == UINT else self.convert(value, INT)
        return Value(INT, self.intrinsic("i64 @llvm.fptosi.sat.i64.f64", f"double {value.of}"))

    # -- operators -----------------------------------------------------------------------------------------------

    def binary(self, op: ast.operator, a: Value, b: Value, right: int | None = None, left: int | None = None) -> Value:
        """`right` and `left` are numbers that are known, as for `binary_kind`."""
        kind = self.binary_kind(op, a.kind, b.kind, right, left)
        if a.kind not in NUMBERS or b.kind not in NUMBERS:
            raise self.refuse("numbers", f"{in_words(a.kind)} and {in_words(b.kind)}")
        if kind == FLOAT:
            return Value(FLOAT, self._fraction(op, self.convert(a, FLOAT).of, self.convert(b, FLOAT).of))
        if kind == BOOL:
            return Value(BOOL, self.make(f"{_WHOLE[type(op)]} i1 {a.of}, {b.of}"))
        if isinstance(op, ast.BitAnd):
            shifted = (a.shifted or b.shifted) and max(left or -1, right or -1) < 0
        else:
            shifted = a.shifted or b.shifted or (isinstance(op, ast.LShift) and not _fits(left, right))
        natural = a.kind == UINT or (b.kind == UINT and not isinstance(op, (ast.LShift, ast.RShift)))
        return Value(str(kind), self._whole_numbers(op, a, b), natural=natural, shifted=shifted and kind == INT)

    def _whole_numbers(self, op: ast.operator, a: Value, b: Value) -> str:
        x, y, unsigned = self.whole(a), self.whole(b), UINT in (a.kind, b.kind)
        match op:
            case ast.FloorDiv() | ast.Mod() if unsigned:  # what may be negative is refused
                x, y = self.convert(a, UINT).of, self.convert(b, UINT).of
                return self._divide_unsigned(isinstance(op, ast.Mod), x, y)
            case ast.FloorDiv() | ast.Mod():
                return self._divide(isinstance(op, ast.Mod), x, y)
            case ast.LShift() | ast.RShift():
                return self._shift(isinstance(op, ast.LShift), a.kind == UINT, x, y)
        if type(op) not in _WHOLE:
            raise self.refuse("+ - * / // % & | ^ << >>", type(op).__name__)
        return self.make(f"{_WHOLE[type(op)]} i64 {x}, {y}")

    def _fraction(self, op: ast.operator, x: str, y: str) -> str:
        if type(op) not in _FRACTION:
            raise self.refuse("+ - * / of fractions", type(op).__name__)
        if isinstance(op, ast.Div) and self.module.checked:
            self.guard(self.make(f"fcmp une double {y}, 0.0"), DIVISOR, "0")
        return self.make(f"{_FRACTION[type(op)]} double {x}, {y}")

    def _shift(self, left: bool, unsigned: bool, x: str, y: str) -> str:
        """By 64 or more: nothing is left, or only the sign, as in Python."""
        if self.module.checked:
            self.guard(self.make(f"icmp sge i64 {y}, 0"), SHIFT, y)
        operation = "shl" if left else "lshr" if unsigned else "ashr"
        if known(y) in range(64):
            return self.make(f"{operation} i64 {x}, {y}")
        if left or unsigned:
            fits = self.make(f"icmp ult i64 {y}, 64")
            return self.make(f"select i1 {fits}, i64 {self.make(f'{operation} i64 {x}, {y}')}, i64 0")
        return self.make(f"ashr i64 {x}, {self.intrinsic('i64 @llvm.umin.i64', f'i64 {y}, i64 63')}")

    def _divide(self, rest: bool, x: str, y: str) -> str:
        """Rounded down, as Python does."""
        number = known(y) or 0
        if number > 0 and number & number - 1 == 0:
            return self.make(f"and i64 {x}, {number - 1}" if rest else f"ashr i64 {x}, {number.bit_length() - 1}")
        if number <= 0:
            x, y = self._divisible(x, y)
        remainder = self.make(f"srem i64 {x}, {y}")
        differ = self.make(f"icmp slt i64 {self.make(f'xor i64 {remainder}, {y}')}, 0")
        off = self.make(f"and i1 {differ}, {self.make(f'icmp ne i64 {remainder}, 0')}")
        if rest:
            return self.make(f"select i1 {off}, i64 {self.make(f'add i64 {remainder}, {y}')}, i64 {remainder}")
        quotient = self.make(f"sdiv i64 {x}, {y}")
        return self.make(f"sub i64 {quotient}, {self.make(f'zext i1 {off} to i64')}")

    def _divide_unsigned(self, rest: bool, x: str, y: str) -> str:
        zero = self.make(f"icmp eq i64 {y}, 0")
        if self.module.checked:
            self.guard(self.make(f"xor i1 {zero}, true"), DIVISOR, "0")
        divisor = self.make(f"select i1 {zero}, i64 1, i64 {y}")
        result = self.make(f"{'urem' if rest else 'udiv'} i64 {x}, {divisor}")
        return self.make(f"select i1 {zero}, i64 0, i64 {result}")

    def _divisible(self, x: str, y: str) -> tuple[str, str]:
        """The same numbers, or others with the right quotient where the processor would trap: by 0, and -2⁶³ by -1."""
        zero = self.make(f"icmp eq i64 {y}, 0")
        if self.module.checked:
            self.guard(self.make(f"xor i1 {zero}, true"), DIVISOR, "0")
        least, minus = self.make(f"icmp eq i64 {x}, {-(1 << 63)}"), self.make(f"icmp eq i64 {y}, -1")
        odd = self.make(f"or i1 {zero}, {self.make(f'and i1 {least}, {minus}')}")
        return self.make(f"select i1 {zero}, i64 0, i64 {x}"), self.make(f"select i1 {odd}, i64 1, i64 {y}")

    def negative(self, value: Value) -> Value:
        if value.kind == FLOAT:
            return Value(FLOAT, self.make(f"fneg double {value.of}"))
        return Value(UINT if value.kind == UINT else INT, self.make(f"sub i64 0, {self.whole(value)}"))

    def inverted(self, value: Value) -> Value:
        if value.kind == BOOL:  # a number too, in Python, until 3.16
            raise self.refuse("not before a truth value", "~")
        return Value(UINT if value.kind == UINT else INT, self.make(f"xor i64 {self.whole(value)}, -1"))

    def compare(self, op: ast.cmpop, a: Value, b: Value) -> str:
        if type(op) not in _COMPARE or a.kind not in NUMBERS or b.kind not in NUMBERS:
            came = f"{type(op).__name__} of {in_words(a.kind)} and {in_words(b.kind)}"
            raise self.refuse("== != < <= > >= between numbers", came)
        if FLOAT in (a.kind, b.kind):
            kind, test = FLOAT, f"fcmp {_COMPARE_FRACTIONS[type(op)]} double"
        elif a.kind == b.kind == UINT:
            kind, test = UINT, f"icmp {_COMPARE_UNSIGNED[type(op)]} i64"
        elif UINT in (a.kind, b.kind):
            if a.shifted or b.shifted:
                raise self.refuse(f"{UNSIGNED}, beside one", "what << may have given a sign")
            return self.make(f"icmp {_COMPARE[type(op)]} i128 {self._widest(a)}, {self._widest(b)}")
        else:
            kind, test = INT, f"icmp {_COMPARE[type(op)]} i64"
        return self.make(f"{test} {self.convert(a, kind).of}, {self.convert(b, kind).of}")

    def _widest(self, value: Value) -> str:
        """With room for every number, signed or not; LLVM finds a way in 64 bits."""
        return self.make(f"{'zext' if value.kind == UINT else 'sext'} i64 {self._bits(value)} to i128")

    def _bits(self, value: Value) -> str:
        return value.of if value.kind == UINT else self.whole(value)

    def extreme(self, which: str, kind: Kind, a: Value, b: Value) -> Value:
        """The first of equal ones, as in Python."""
        if kind in (INT, UINT):
            sign = "s" if kind == INT else "u"
            return Value(kind, self.intrinsic(f"i64 @llvm.{sign}{which}.i64", f"i64 {a.of}, i64 {b.of}"))
        test = self.make(f"fcmp {'olt' if which == 'min' else 'ogt'} double {b.of}, {a.of}")
        return Value(FLOAT, self.make(f"select i1 {test}, double {b.of}, double {a.of}"))

    def absolute(self, value: Value) -> Value:
        if value.kind == FLOAT:
            return Value(FLOAT, self.intrinsic("double @llvm.fabs.f64", f"double {value.of}"))
        if value.kind == UINT:
            return value
        return Value(INT, self.intrinsic("i64 @llvm.abs.i64", f"i64 {self.whole(value)}, i1 false"))


INDEX, DIVISOR, SHIFT, STEP, ROOT = range(5)  # what can go wrong in the checked gear, and how it is told:
FAULTS = [
    (IndexError, "expected an index of the row but got %lld"),
    (ZeroDivisionError, "expected a divisor but got %lld"),
    (ValueError, "expected a shift of 0 or more but got %lld"),
    (ValueError, "expected a step but got %lld"),
    (ValueError, "expected the root of 0 or more but got that of less"),
]
