"""What the names in a rule mean: its locals, constants, enums, tables, other rules; and how a rule is refused."""

from __future__ import annotations

import ast
from enum import EnumType
from struct import pack
from types import FunctionType
from typing import Any, NamedTuple

from quincunx.core import grammar
from quincunx.core.compile.body import Body
from quincunx.core.compile.kinds import BOOL, FLOAT, INT, UINT, Kind, Value, kind_of_hint, parameters, returns
from quincunx.core.compile.module import Module, signed
from quincunx.core.compile.source import tree_of
from quincunx.core.engine import annotated, is_rule
from quincunx.core.plan import Loose, Plan, Table

BUILTINS = {f.__name__: f for f in (min, max, abs, len, int, bool, float)}
METHODS = {f.__name__: f for f in (int.bit_count, int.bit_length)}  # of whole numbers


class Unreached(NamedTuple):
    """A rule that is called where Python knows that nobody comes (`if 0 and …`): its bytecode, and so the plan, do not
    mention it."""

    kind: str


class Scope(Body):
    def __init__(self, module: Module, plan: Plan) -> None:
        super().__init__(module)
        self.plan = plan
        self.function: FunctionType = plan.function
        self.tree = tree_of(self.function)
        self.now: ast.AST = self.tree  # the statement that is being compiled
        self.returns = returns(plan)
        self.kinds: dict[str, Kind] = dict(parameters(plan))  # of local names
        self.locals = set(self.function.__code__.co_varnames)

    def refuse(self, wanted: str, came: str, node: ast.AST | None = None) -> TypeError:
        line = getattr(node or self.now, "lineno", self.function.__code__.co_firstlineno)
        return grammar.refusal(self.function, line, wanted, came)

    def constant(self, node: ast.Name) -> Value:
        """What the plan does not mention is in code that Python leaves out, and may be anything."""
        value = self.plan.constants.get(node.id, self.function.__globals__.get(node.id))
        if isinstance(value, Loose):
            return self.module.loose(value)
        if isinstance(value, Table):
            return self.module.table(value)
        if isinstance(value, (bool, int, float)):
            return self.literal(value)
        raise self.refuse("a number or a table", node.id, node)

    def member(self, node: ast.Attribute, enum: str) -> Value:
        found = self.plan.constants.get(enum)
        if isinstance(found, EnumType) and node.attr in found.__members__:
            return self.literal(int(found[node.attr].value))
        raise self.refuse("a field of a structure, or a member of an enum", ast.unparse(node), node)

    def fixed(self, node: ast.expr) -> int | None:
        """The whole number that an expression is, whatever happens."""
        match node:
            case ast.Constant(value=int() as value):
                return value
            case ast.Name(id=name) if name not in self.locals:
                found = self.plan.constants.get(name)
                return found if isinstance(found, int) else None
            case ast.Attribute(value=ast.Name(id=name), attr=member) if name not in self.locals:
                enum = self.plan.constants.get(name)
                return int(getattr(enum, member).value) if isinstance(enum, EnumType) else None
        return None

    def literal(self, value: bool | int | float) -> Value:
        if isinstance(value, bool):
            return Value(BOOL, "true" if value else "false")
        if isinstance(value, float):
            return Value(FLOAT, "0x" + pack(">d", value).hex())
        if not -(1 << 63) <= value < 1 << 64:
            raise self.refuse("a number of 64 bits", str(value))
        return Value(INT if value < 1 << 63 else UINT, str(signed(int(value))))

    def callee(self, node: ast.Call) -> Any:
        """The plan of a rule, a function of Python that has a meaning here, or a rule that is never called."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS and not node.args and not node.keywords:
            return METHODS[node.func.attr]
        if not isinstance(node.func, ast.Name) or node.keywords or node.func.id in self.locals:
            raise self.refuse("a rule called by its name, arguments in their order", ast.unparse(node), node)
        name = node.func.id
        if name in self.plan.rules:
            return self.plan.rules[name]
        if self.function.__globals__.get(name) is self.function:
            return self.plan
        found = self.plan.constants.get(name, BUILTINS.get(name, self.function.__globals__.get(name)))
        if is_rule(found):
            return Unreached(str(kind_of_hint(annotated(found)["return"])))
        if not callable(found):
            raise self.refuse(f"a rule, or {', '.join(BUILTINS)}", name, node)
        return found

    def arguments(self, node: ast.Call) -> list[ast.expr]:
        """What a function is called with; a method, with what stands before its dot."""
        return [node.func.value] if isinstance(node.func, ast.Attribute) else node.args
