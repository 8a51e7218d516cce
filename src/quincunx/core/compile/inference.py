"""The types of expressions and of local names. A name has one type, the widest of all that is assigned to it."""

from __future__ import annotations

import ast
import math
from typing import Any

from quincunx.core import atomic, structure
from quincunx.core.clock import now
from quincunx.core.compile.kinds import (
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    NUMBERS,
    UINT,
    Kind,
    Rec,
    Row,
    Several,
    any_row,
    in_words,
    layout,
    returns,
    wide,
)
from quincunx.core.compile.scope import Unreached
from quincunx.core.compile.signs import Signs
from quincunx.core.fraction import exponent, mantissa
from quincunx.core.layout import fingerprint
from quincunx.core.plan import Plan

FOUND = Row("i64", (None,), any_row("i64"))  # what `ints` gives
KIND_OF_CALL: dict[Any, Kind] = {
    len: INT, int: INT, structure.within: INT, exponent: INT, fingerprint: INT, bool: BOOL,
    int.bit_count: INT, int.bit_length: INT, now: INT,
    float: FLOAT, math.sqrt: FLOAT, mantissa: FLOAT,
    structure.copy: NOTHING, structure.clear: NOTHING, structure.expect: NOTHING, structure.ints: FOUND,
    atomic.load: INT, atomic.store: NOTHING, atomic.fetch_add: INT,
}  # fmt: skip


class Inference(Signs):
    def infer(self) -> None:
        """The types of local names, from what is assigned to them, until nothing changes."""
        nodes = [n for n in ast.walk(self.tree) if isinstance(n, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For))]
        before: dict[str, Kind] = {}
        while self.kinds != before:  # types only grow, and none grows for ever
            before = dict(self.kinds)
            for node in nodes:
                self.now = node
                self._learn(node)

    def _learn(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.For) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._widen(target, self.kind(value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._widen(target, self.kind(value))
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                self._widen(target, self.binary_kind(op, self.kind(target), self.kind(value), self.fixed(value)))
            case ast.For(target=target):
                self._widen(target, INT)

    def _widen(self, target: ast.expr, kind: Kind | None) -> None:
        if kind is None:
            return
        if kind == NOTHING:
            raise self.refuse("a value", "a call that gives none", target)
        if isinstance(target, ast.Tuple):
            kinds = kind.kinds if isinstance(kind, Several) else (kind,)
            if len(kinds) != len(target.elts):
                raise self.refuse(f"{len(target.elts)} values", in_words(kind), target)
            for part, k in zip(target.elts, kinds, strict=True):
                self._widen(part, k)
        elif isinstance(target, ast.Name):
            joined = self.join(self.kinds.get(target.id), kind)
            assert joined is not None
            self.kinds[target.id] = joined

    def join(self, a: Kind | None, b: Kind | None) -> Kind | None:
        """The type of what is one or the other; None is not known yet."""
        if a is None or b is None or a == b:
            return b if a is None else a
        match a, b:
            case str(), str() if NOTHING not in (a, b):
                return next(kind for kind in (FLOAT, UINT, INT) if kind in (a, b) or kind == INT)
            case Row(), Row() if (a.element, len(a.lengths), a.is_table) == (b.element, len(b.lengths), b.is_table):
                lengths = tuple(m if m == n else None for m, n in zip(a.lengths, b.lengths, strict=True))
                return Row(a.element, lengths, a.tag if a.tag == b.tag else any_row(a.element))
            case Several(), Several() if len(a.kinds) == len(b.kinds):
                joined = [self.join(x, y) for x, y in zip(a.kinds, b.kinds, strict=True)]
                return Several(tuple(k for k in joined if k is not None))
        raise self.refuse(f"one type for a name ({in_words(a)})", f"another ({in_words(b)})")

    def join_all(self, nodes: list[ast.expr]) -> Kind | None:
        joined: Kind | None = None
        for node in nodes:
            joined = self.join(joined, self.kind(node))
        return joined

    # -- expressions ---------------------------------------------------------------------------------------------

    def kind(self, node: ast.expr) -> Kind | None:
        """The type of an expression, or None if it is not known yet."""
        match node:
            case ast.Constant(value=bool()) | ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return BOOL
            case ast.Constant(value=int() as value):
                return self.literal(value).kind
            case ast.Constant(value=float()):
                return FLOAT
            case ast.Name(id=name):
                return self.kinds.get(name) if name in self.locals else self.constant(node).kind
            case ast.Attribute(value=ast.Name(id=name)) if name not in self.locals:
                return INT
            case ast.Attribute(value=value, attr=attr):
                owner = self.kind(value)
                return owner and self.field_kind(node, owner, attr)
            case ast.Subscript(value=value):
                row = self.kind(value)
                return row and self.element_kind(node, row)
            case ast.Tuple(elts=parts):
                kinds = tuple(k for k in map(self.kind, parts) if k is not None)
                return Several(kinds) if len(kinds) == len(parts) else None
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary_kind(op, self.kind(left), self.kind(right), self.fixed(right), self.fixed(left))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
                return self.literal(-value).kind
            case ast.UnaryOp(op=op, operand=operand):
                kind = self.kind(operand)
                return kind if kind == UINT or (kind == FLOAT and not isinstance(op, ast.Invert)) else INT
            case ast.BoolOp(values=values):
                return self.join_all(values)
            case ast.IfExp(body=body, orelse=orelse):
                return self.join_all([body, orelse])
            case ast.Call():
                return self.call_kind(node)
        raise self.refuse("numbers, structures and rows", ast.unparse(node), node)

    def binary_kind(
        self, op: ast.operator, a: Kind | None, b: Kind | None, right: int | None = None, left: int | None = None
    ) -> Kind | None:
        """`right` and `left` are numbers that are known: `bits & 7` and `bits >> 1` surely fit into a signed number."""
        if a is None or b is None:
            return None
        if isinstance(op, ast.Div) or FLOAT in (a, b):
            return FLOAT
        if UINT in (a, b):
            return INT if _is_small(op, a, b, right, left) else UINT
        return BOOL if a == b == BOOL and isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)) else INT

    def call_kind(self, node: ast.Call) -> Kind | None:
        used = self.callee(node)
        if isinstance(used, Plan):
            return returns(used)
        if isinstance(used, Unreached):
            return used.kind
        if used in (min, max, abs):
            kind = self.join_all(node.args)
            if kind is not None and kind not in NUMBERS:
                raise self.refuse(f"numbers for {used.__name__}", ast.unparse(node), node)
            return INT if kind == BOOL else kind
        if used is int and self.kind(node.args[0]) == UINT:
            return UINT
        if used not in KIND_OF_CALL:
            name = getattr(used, "__name__", str(used))
            instead = "ln of quincunx.core.logarithm" if name == "log" else "sqrt, ln, or plain arithmetic"
            raise self.refuse(instead, f"{name}, which differs from machine to machine", node)
        return KIND_OF_CALL[used]

    def field_kind(self, node: ast.AST, owner: Kind, name: str) -> Kind:
        if not isinstance(owner, Rec) or name not in layout(owner.structure):
            raise self.refuse(f"a field of {in_words(owner)}", name, node)
        field = layout(owner.structure)[name]
        if not field.shape:
            return wide(field.element)
        part_of = any_row(field.element)
        return Row(field.element, field.shape, part_of and f"{field_tag(owner, name)} < {part_of}")

    def element_kind(self, node: ast.AST, row: Kind) -> Kind:
        if not isinstance(row, Row):
            raise self.refuse("rows before [", in_words(row), node)
        return Row(row.element, row.lengths[1:], row.tag) if len(row.lengths) > 1 else wide(row.element)


def _is_small(op: ast.operator, a: Kind, b: Kind, right: int | None, left: int | None) -> bool:
    """Does the result of an operation with unsigned numbers fit into a signed one?"""
    match op:
        case ast.BitAnd():
            return (a == INT and left is not None and left >= 0) or (b == INT and right is not None and right >= 0)
        case ast.LShift() | ast.RShift() if a != UINT:
            return True
        case ast.RShift():
            return right is not None and right >= 1
        case ast.Mod():
            return b == INT
        case ast.FloorDiv():
            return right is not None and right >= 2
    return False


def field_tag(owner: Rec, name: str) -> str:
    return f"{owner.structure.__module__}.{owner.structure.__qualname__}.{name}"
