"""Which refusals `check` may give: read from its syntax tree and those of the rules whose answers it passes on."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from textwrap import dedent
from types import FunctionType

from quincunx.core.engine import is_rule


def codes(check: FunctionType) -> dict[int, str]:
    """Every number that is returned as such, and where it stands. What is computed is left to those who play."""
    found: dict[int, str] = {}
    seen: set[FunctionType] = set()
    waiting = [check]
    while waiting:
        f = waiting.pop()
        if f in seen:
            continue
        seen.add(f)
        tree = _tree(f)
        if tree is None:
            continue
        for node in _answers(tree):
            value = _constant(node, f)
            if value is not None:
                name = f"{node.id} = {value}" if isinstance(node, ast.Name) else str(value)
                found.setdefault(value, f"{name}, which {f.__module__}.{f.__name__} returns")
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                used = f.__globals__.get(node.func.id)
                if isinstance(used, FunctionType) and is_rule(used):
                    waiting.append(used)
    return found


def _tree(f: FunctionType) -> ast.FunctionDef | None:
    """Of this function alone, which is quicker than of its file; None if the file is not there."""
    code = f.__code__
    last = max(end for _, end, _, _ in code.co_positions() if end)
    text = dedent("".join(linecache.getlines(code.co_filename)[code.co_firstlineno - 1 : last]))
    try:
        (node,) = ast.parse(text).body
    except (SyntaxError, ValueError):
        return None
    return node if isinstance(node, ast.FunctionDef) else None


def _answers(tree: ast.FunctionDef) -> Iterator[ast.expr]:
    """What is returned: of a condition both sides, of a local name all that is assigned to it."""
    assigned: dict[str, list[ast.expr]] = {}
    waiting: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            assigned.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, ast.Return) and node.value is not None:
            waiting.append(node.value)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.IfExp(body=body, orelse=orelse):
                waiting += [body, orelse]
            case ast.BoolOp(values=values):
                waiting += values
            case ast.Name(id=name) if name in assigned:
                waiting += assigned.pop(name)
            case _:
                yield node


def _constant(node: ast.expr, f: FunctionType) -> int | None:
    value = f.__globals__.get(node.id) if isinstance(node, ast.Name) else getattr(node, "value", None)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else None
