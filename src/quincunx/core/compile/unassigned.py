"""Has every local name a value before it is read? The interpreter would say UnboundLocalError, machine code would go on
with 0.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

Known = frozenset[str] | None  # names that surely have a value; None where nobody comes


def unassigned(tree: ast.FunctionDef, local: set[str], given: Iterable[str]) -> ast.Name | None:
    """The first name that is read where it may have no value."""
    return next(_Reader(local).read_all(tree.body, frozenset(given)), None)


class _Reader:
    def __init__(self, local: set[str]) -> None:
        self.local = local
        self.breaks: list[list[Known]] = []  # of the loops around: what is known where they are left
        self.known: Known = None

    def read_all(self, body: list[ast.stmt], known: Known) -> Iterator[ast.Name]:
        """Names that are read too early; afterwards `known` is what holds at the end of these statements."""
        self.known = known
        for statement in body:
            if self.known is None:
                return
            yield from self._read(statement)

    def _read(self, node: ast.stmt) -> Iterator[ast.Name]:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                yield from self._early(test)
                before = self.known
                yield from self.read_all(body, before if _may_be(test, True) else None)
                after = self.known
                yield from self.read_all(orelse, before if _may_be(test, False) else None)
                self.known = _both(after, self.known)
            case ast.While(test=test, body=body):
                yield from self._early(test)
                yield from self._loop(body, self.known, self.known if _may_be(test, False) else None)
            case ast.For(target=target, iter=rows, body=body):
                yield from self._early(rows)
                before = self.known
                self._assign(target)
                yield from self._loop(body, self.known, before)
            case ast.Break():
                self.breaks[-1].append(self.known)
                self.known = None
            case ast.Continue():
                self.known = None
            case _:
                yield from self._early(node)
                for changed in _changed(node):
                    self._assign(changed)
                if isinstance(node, ast.Return):
                    self.known = None

    def _loop(self, body: list[ast.stmt], inside: Known, never: Known) -> Iterator[ast.Name]:
        """`never`: what is known where the loop ends by itself."""
        self.breaks.append([never])
        yield from self.read_all(body, inside)
        after: Known = None
        for way in self.breaks.pop():
            after = _both(after, way)
        self.known = after

    def _early(self, node: ast.AST) -> Iterator[ast.Name]:
        changed = node.target if isinstance(node, ast.AugAssign) else None
        missing = set() if self.known is None else self.local - self.known
        for part in ast.walk(node):
            reads = part is changed or (isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load))
            if isinstance(part, ast.Name) and reads and part.id in missing:
                yield part

    def _assign(self, target: ast.expr) -> None:
        if self.known is not None:
            names = {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
            self.known |= names & self.local


def _changed(node: ast.stmt) -> list[ast.expr]:
    match node:
        case ast.Assign(targets=targets):
            return targets
        case ast.AnnAssign(target=target, value=ast.expr()) | ast.AugAssign(target=target):
            return [target]
    return []


def _both(a: Known, b: Known) -> Known:
    """What holds whichever way one came."""
    return b if a is None else a if b is None else a & b


def _may_be(test: ast.expr, value: bool) -> bool:
    return not isinstance(test, ast.Constant) or bool(test.value) == value
