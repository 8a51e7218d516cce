"""Expressions: a syntax tree becomes the operands of LLVM that hold its value."""

from __future__ import annotations

import ast

from quincunx.core.compile.calls import Calls
from quincunx.core.compile.kinds import BOOL, NUMBERS, Kind, Several, Value, flat, flat_kinds, llvm, unflat


class Expressions(Calls):
    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                return self.literal(value)
            case ast.Name(id=name):
                return self._named(node, name)
            case ast.Attribute(value=ast.Name(id=name)) if name not in self.locals:
                return self.member(node, name)
            case ast.Attribute():
                return self.field(node)
            case ast.Subscript():
                return self.item(node)
            case ast.Tuple(elts=elements):
                parts = tuple(self.value(e) for e in elements)
                return Value(Several(tuple(v.kind for v in parts)), "", parts=parts)
            case ast.BinOp(left=left, op=op, right=right):
                a, b = self.value(left), self.value(right)
                self.now = node
                return self.binary(op, a, b, self.fixed(right), self.fixed(left))
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BoolOp() if self.kind(node) != BOOL:
                return self._either(node)
            case ast.Compare() | ast.BoolOp():
                return self._truth(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yes, no = self.label(), self.label()
                self.branch(test, yes, no)
                return self._meet(self._known_kind(node), [(yes, body), (no, orelse)])
            case ast.Call():
                return self.call(node)
        raise self.refuse("numbers, structures and rows", ast.unparse(node), node)

    def _known_kind(self, node: ast.expr) -> Kind:
        kind = self.kind(node)
        if kind is None:
            raise self.refuse("names that have a value", ast.unparse(node), node)
        return kind

    def _named(self, node: ast.Name, name: str) -> Value:
        if name not in self.locals:
            return self.constant(node)
        return self.load_local(name, self._known_kind(node))

    def _unary(self, node: ast.UnaryOp) -> Value:
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return self.literal(-value)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.negative(self._number(operand))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.convert(self._number(operand), self._known_kind(node))
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self.inverted(self._number(operand))
            case ast.UnaryOp(operand=operand):
                return Value(BOOL, self.make(f"xor i1 {self.convert(self._number(operand), BOOL).of}, true"))

    def _number(self, node: ast.expr) -> Value:
        value = self.value(node)
        if value.kind not in NUMBERS:
            raise self.refuse("a number", ast.unparse(node), node)
        return value

    # -- conditions ----------------------------------------------------------------------------------------------

    def branch(self, node: ast.expr, yes: str, no: str) -> None:
        """Goes on at `yes` or at `no`; looks at no more than it needs."""
        match node:
            case ast.BoolOp(op=op, values=values):
                for part in values[:-1]:
                    more = self.label()
                    self.branch(part, *((yes, more) if isinstance(op, ast.Or) else (more, no)))
                    self.start(more)
                self.branch(values[-1], yes, no)
            case ast.Constant(value=value):
                self.jump(yes if value else no)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.branch(operand, no, yes)
            case ast.Compare(left=left, ops=ops, comparators=rights):
                a = self.value(left)
                for k, (how, right) in enumerate(zip(ops, rights, strict=True)):
                    b = self.value(right)
                    more = yes if k == len(ops) - 1 else self.label()
                    self.fork(self._comparison(node, how, a, b), more, no)
                    if more != yes:
                        self.start(more)
                    a = b
            case _:
                self.fork(self.convert(self._number(node), BOOL).of, yes, no)

    def _comparison(self, node: ast.Compare, op: ast.cmpop, a: Value, b: Value) -> str:
        self.now = node
        if not isinstance(op, (ast.In, ast.NotIn)):
            return self.compare(op, a, b)
        if not b.parts:
            raise self.refuse("`in` before a few values, as in x in (A, B)", ast.unparse(node), node)
        found = "false"
        for part in b.parts:
            found = self.make(f"or i1 {found}, {self.compare(ast.Eq(), a, part)}")
        return found if isinstance(op, ast.In) else self.make(f"xor i1 {found}, true")

    def _truth(self, node: ast.expr) -> Value:
        """A condition as a value."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            a, b = self.value(node.left), self.value(node.comparators[0])
            return Value(BOOL, self._comparison(node, node.ops[0], a, b))
        yes, no, after = self.label(), self.label(), self.label()
        self.branch(node, yes, no)
        self.start(yes)
        self.jump(after)
        self.start(no)
        self.start(after)
        return Value(BOOL, self.one_of("i1", [("true", yes), ("false", no)]))

    # -- one of several values -----------------------------------------------------------------------------------

    def _meet(self, kind: Kind, ways: list[tuple[str, ast.expr]]) -> Value:
        """The value of one of several expressions, each in a block of its own."""
        after = self.label()
        ends: list[tuple[str, list[str]]] = []
        for label, node in ways:
            self.start(label)
            operands = flat(self.convert(self.value(node), kind))
            ends.append((self.here, operands))
            self.jump(after)
        self.start(after)
        joined = [
            self.one_of(k, [(operands[place], end) for end, operands in ends])
            for place, k in enumerate(flat_kinds(kind))
        ]
        return unflat(kind, joined)

    def _either(self, node: ast.BoolOp) -> Value:
        """`a or b` of numbers: one of the two."""
        kind = self._known_kind(node)
        if kind not in NUMBERS:
            raise self.refuse("numbers around `and`, `or`", ast.unparse(node), node)
        after = self.label()
        ends: list[tuple[str, str]] = []
        for part in node.values[:-1]:
            value = self.convert(self.value(part), kind)
            ends.append((value.of, self.here))
            more = self.label()
            self.fork(self.convert(value, BOOL).of, *((after, more) if isinstance(node.op, ast.Or) else (more, after)))
            self.start(more)
        last = self.convert(self.value(node.values[-1]), kind)
        ends.append((last.of, self.here))
        self.start(after)
        return Value(kind, self.one_of(llvm(str(kind)), ends))
