"""A rule, and everything behind it, as text: for digests that neither a comment changes nor another Python."""

from __future__ import annotations

import ast
from enum import EnumType
from typing import Any

from quincunx.core.compile.source import tree_of
from quincunx.core.plan import Plan


def gather(plan: Plan, told: dict[str, str]) -> None:
    """Adds the texts of a rule, of its constants, and of all rules that it calls, by their names."""
    f = plan.function
    name = f"{f.__module__}.{f.__name__}"
    if name not in told:
        constants = sorted((name, _constant(value)) for name, value in plan.constants.items())
        told[name] = f"{text(tree_of(f))}\n{constants}"
        for used in plan.rules.values():
            gather(used, told)


def _constant(value: Any) -> str:
    if isinstance(value, EnumType):
        members: dict[str, Any] = dict(value.__members__)
        return repr({name: member.value for name, member in members.items()})
    return value.__name__ if callable(value) else repr(value)


def text(tree: ast.FunctionDef | ast.Module) -> str:
    """Without what is said to people."""
    bare = ast.parse(ast.unparse(tree))
    for node in ast.walk(bare):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(bare)
