"""Which whole numbers are never negative, so that `row[k]` need not ask whether k counts from the end.

Every local name that is assigned numbers is taken for one at first; those that are assigned anything else drop out,
until nothing changes. Sums and products count as well: what runs over 64 bits is no index of any row.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from quincunx.core.compile.kinds import parameters
from quincunx.core.compile.scope import METHODS, Scope
from quincunx.core.plan import Table

Assigned = tuple[str, ast.expr | None]  # None: what cannot be followed
ALL_PARTS = (ast.Add, ast.Mult, ast.LShift, ast.BitOr, ast.BitXor, ast.RShift, ast.FloorDiv)


class Signs(Scope):
    naturals: set[str]  # local names

    def infer_signs(self) -> None:
        assigned = list(self._assigned())
        self.naturals = {name for name, _ in assigned} - {name for name, _ in parameters(self.plan)}
        before: set[str] = set()
        while before != self.naturals:
            before = set(self.naturals)
            self.naturals -= {name for name, value in assigned if value is None or not self.natural(value)}

    def natural(self, node: ast.expr) -> bool:
        """Is it a whole number that is not negative?"""
        match node:
            case ast.Constant(value=int() as value):
                return value >= 0
            case ast.Name(id=name) if name in self.locals:
                return name in self.naturals
            case ast.Name(id=name):
                found = self.plan.constants.get(name)
                return isinstance(found, int) and found >= 0
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return True
            case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
                return self.natural(left) or self.natural(right)
            case ast.BinOp(op=ast.Mod(), right=right):
                return self.natural(right)
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, ALL_PARTS):
                return self.natural(left) and self.natural(right)
            case ast.BoolOp(values=values):
                return all(map(self.natural, values))
            case ast.IfExp(body=body, orelse=orelse):
                return self.natural(body) and self.natural(orelse)
            case ast.Subscript():
                return self._natural_table(node)
            case ast.Call(func=ast.Attribute(attr=name)):
                return name in METHODS
            case ast.Call(func=ast.Name(id=name), args=values) if name not in self.plan.rules:
                counts: dict[str, Callable[[list[ast.expr]], bool]] = {
                    "len": lambda _: True,
                    "min": lambda parts: all(map(self.natural, parts)),
                    "max": lambda parts: any(map(self.natural, parts)),
                }
                return name in counts and counts[name](values)
        return False

    def _natural_table(self, node: ast.Subscript) -> bool:
        """Of a table that holds no negative number."""
        depth, rows = 1, node.value
        while isinstance(rows, ast.Subscript):
            depth, rows = depth + 1, rows.value
        table = self.plan.constants.get(rows.id) if isinstance(rows, ast.Name) and rows.id not in self.locals else None
        if not isinstance(table, Table) or not table:
            return False
        two = isinstance(table[0], list)
        flat = [number for row in table for number in row] if two else list(table)
        return depth == 1 + two and min(flat) >= 0

    def _assigned(self) -> Iterator[Assigned]:
        """Every assignment to a name."""
        for node in ast.walk(self.tree):
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        yield from _parts(target, value)
                case ast.AnnAssign(target=ast.Name(id=name), value=value):
                    yield name, value
                case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                    yield name, ast.BinOp(ast.Name(name), op, value)
                case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds)):
                    yield name, self._least(bounds)

    def _least(self, bounds: list[ast.expr]) -> ast.expr | None:
        """What the counter of range(…) is never below."""
        if len(bounds) == 1:
            return ast.Constant(0)
        step = self._step(bounds[2]) if len(bounds) == 3 else 1
        if step is None or step >= 0:
            return bounds[0] if step else None
        return ast.Constant(0) if ast.unparse(bounds[1]) in ("-1", "0") else None

    def _step(self, node: ast.expr) -> int | None:
        """If it is known."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            size = self.fixed(node.operand)
            return size and -size
        return self.fixed(node)


def _parts(target: ast.expr, value: ast.expr | None) -> Iterator[Assigned]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple):
        values = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
        for k, part in enumerate(target.elts):
            yield from _parts(part, values[k] if values else None)
