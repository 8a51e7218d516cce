"""Two gears, one source.

A rule is an ordinary function marked `@rule`: imported, it runs in the interpreter, on plain structures. A `Gear` makes
twins of rule functions for one game: the same code object, with other globals.

    gear = Gear("khet", {contract.legal: khet.rules.legal, ...}, compiled=True)
    playouts = gear.bind(search.playouts)        # same signature, other speed

In the twin, every name that the function uses is replaced by what it means in this gear: a function of the contract
by the game's own, a rule by its twin. Whatever file a rule was imported from, it is found, because it is a value and
not a path. Search is therefore written once, against the contract, and inlined for every game.

A rule is planned first: its plan is called `khet.playouts.<digest>`, the digest of its code and of everything it uses,
recursively. Machine code is kept under this name, so neither an old rule nor another game's can be taken for it. Its
only signature is read from its annotations. `compile/` makes machine code of plans.

What would differ between the gears, or not compile, is refused at bind time with a sentence: see `grammar.py`.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import EnumType
from functools import cache
from hashlib import sha256
from itertools import chain
from types import FunctionType, NoneType
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints, overload

from quincunx.core import atomic, grammar
from quincunx.core.clock import now
from quincunx.core.fraction import exponent, mantissa
from quincunx.core.layout import fingerprint
from quincunx.core.memory import Lists, Memory
from quincunx.core.plan import Loose, Plan, Table
from quincunx.core.structure import R, Scalar, Structure, clear, copy, expect, fields, ints, is_structure, within

F = TypeVar("F", bound=Callable[..., Any])

_RULES: set[object] = set()
_PRIMITIVES: set[object] = {
    copy, clear, expect, ints, within, fingerprint, mantissa, exponent, math.sqrt, now,
    atomic.load, atomic.store, atomic.fetch_add,
}  # fmt: skip


def rule(function: F) -> F:
    """Marks a function of the rules: numbers, structures, tables, other rules. It may call itself, not in a ring."""
    _RULES.add(function)
    return function


def is_rule(function: object) -> bool:
    return isinstance(function, FunctionType) and function in _RULES


@cache
def annotated(f: FunctionType) -> dict[str, Any]:
    """The types of a rule's arguments and of its answer; TypeError if one is missing, or none that a rule can have."""
    try:
        hints = get_type_hints(f, include_extras=True)
    except NameError as error:
        raise grammar.refusal(f, 0, "annotations that mean something", f"{error.name!r}, which does not") from None
    code = f.__code__
    for name in (*code.co_varnames[: code.co_argcount], "return"):
        what = f"{name!r} with its type" if name != "return" else "a type after ->"
        if name not in hints:
            raise grammar.refusal(f, 0, f"{what} ({_TYPES})", "none")
        if not _can_be(hints[name], name):
            raise grammar.refusal(f, 0, f"{what} ({_TYPES})", repr(hints[name]))
    return hints


_TYPES = "int, bool, float, a Structure, or list[…] of them"


def _can_be(hint: Any, name: str) -> bool:
    if hint is NoneType:
        return name == "return"
    while get_origin(hint) is list:
        (hint,) = get_args(hint)
    if get_origin(hint) is Annotated:
        return isinstance(get_args(hint)[1], Scalar)
    return hint in (int, bool, float) or is_structure(hint)


@overload
def table(rows: list[int]) -> list[int]: ...
@overload
def table(rows: list[list[int]]) -> list[list[int]]: ...
def table(rows: list[Any]) -> list[Any]:
    """A constant of the rules, written `T[a]` or `T[a][b]`: signed numbers of 64 bits, or unsigned ones."""
    two = bool(rows) and isinstance(rows[0], list)
    if two and any(not isinstance(row, list) or len(row) != len(rows[0]) for row in rows):
        raise TypeError("Expected rows of one length in a table but got others")
    numbers = list(chain.from_iterable(rows)) if two else rows
    for number in numbers:
        if not isinstance(number, int):
            raise TypeError(f"Expected whole numbers of 64 bits in a table but got {number!r}")
    least, largest = min(numbers, default=0), max(numbers, default=0)
    if least < -(1 << 63) or largest >= 1 << (63 if least < 0 else 64):
        raise TypeError(f"Expected whole numbers of 64 bits in a table but got {least if least < 0 else largest!r}")
    return Table(rows)


class Gear:
    """The rules of one game, interpreted or compiled. `meaning` says what stands for each name of the contract.

    `checked` compiles with every index checked and division by zero refused: slower, for tests. `tables` gives tables
    other values, by their names, and `alter` others again without compiling anew: a tuner tries weights so. `fixed`
    gives tables other values for good, as if the rules had them: a net is played so.
    """

    def __init__(
        self,
        game: str,
        meaning: Mapping[Any, Any],
        *,
        compiled: bool,
        checked: bool = False,
        tables: Mapping[str, list[int]] | None = None,
        fixed: Mapping[str, list[int]] | None = None,
    ) -> None:
        self.game = game
        self.compiled = compiled
        self.checked = checked
        self.memory = _memory(compiled)
        self._meaning = dict(meaning)
        self._tables: dict[str, Any] = {}
        for name, values in (tables or {}).items():
            self._tables[name] = Loose(values) if compiled else Table(values)
        self._fixed = {name: table(values) for name, values in (fixed or {}).items()}
        self._plans: dict[FunctionType, Plan] = {}
        self._begun: set[FunctionType] = set()
        self._twins: dict[FunctionType, Any] = {}

    def alter(self, name: str, values: list[int]) -> None:
        """From now on a table of `tables` has these values."""
        table = self._tables[name]
        for k, value in enumerate(values):
            (table.numbers if isinstance(table, Loose) else table)[k] = value

    def bind(self, function: F) -> F:
        """The twin of a rule, or of the game's own rule in the place of a function of the contract."""
        return cast(F, self.bind_all([function])[0])

    def bind_all(self, functions: Sequence[Any], quick: bool = False) -> list[Any]:
        """The twins of several rules. Compiled together they cost less than one after the other.

        `quick` spends less on machine code that the cache does not hold: for rules that Python calls one by one.
        """
        plans = [self.plan(function) for function in functions]
        missing = [plan for plan in plans if plan.function not in self._twins]
        if missing and self.compiled:
            from quincunx.core.compile.native import bind  # those who compile import llvmlite

            self._twins.update(
                zip((plan.function for plan in missing), bind(missing, self.checked, quick), strict=True)
            )
        return [self._twin(plan) for plan in plans]

    def holds(self, functions: Sequence[Any]) -> bool:
        """Is the machine code of all these rules in the cache?"""
        try:
            from quincunx.core.compile.native import holds
        except (ImportError, OSError):  # llvmlite, or LLVM itself
            return False
        from quincunx.core.compile.selftest import trouble

        return all(holds(self.plan(function)) for function in functions) and not trouble()

    def plan(self, function: Any) -> Plan:
        f = cast(FunctionType, self._meaning.get(function, function))
        if f not in _RULES:
            raise TypeError(f"Expected a @rule function but got {f!r}")
        if f not in self._plans:
            if f in self._begun:
                raise TypeError(f"{f.__module__}.{f.__name__} calls itself through another rule")
            self._begun.add(f)
            try:
                self._plans[f] = self._make_plan(f)
            finally:
                self._begun.remove(f)
        return self._plans[f]

    def new(self, structure: type[R]) -> R:
        """An empty structure that functions of this gear accept."""
        return self.rows(structure, 1)[0]

    def rows(self, structure: type[R], n: int) -> list[R]:
        """`n` of them, for a tree or a stack."""
        kind: type[R] = self._meaning.get(structure, structure)
        return self.memory.rows(kind, n)

    def ints(self, n: int) -> list[int]:
        return self.memory.ints(n)

    def grid(self, rows: int, n: int) -> list[list[int]]:
        return self.memory.grid(rows, n)

    def _make_plan(self, f: FunctionType) -> Plan:
        hints = {name: self._type(hint) for name, hint in annotated(f).items()}
        grammar.check(f, _whole_fields(hints.values()))
        if get_origin(hints.get("return")) is list:
            raise TypeError(
                f"{f.__module__}.{f.__name__}: expected a rule to return a number or nothing but got a list"
            )
        lines = grammar.lines(f.__code__) if self.checked else ()
        content = sha256(repr((grammar.content(f.__code__), lines)).encode())
        content.update(repr([(name, _layout(hint)) for name, hint in hints.items()]).encode())
        constants: dict[str, Any] = {}
        rules: dict[str, Plan] = {}
        loose = False
        for name, value in grammar.used_globals(f):
            if value is f:
                continue
            if isinstance(value, Table):
                value = self._fixed.get(name, value)
            if isinstance(value, Table) and name in self._tables:
                constants[name], loose = self._tables[name], True
                content.update(f"{name} may change;".encode())
            elif isinstance(value, FunctionType) and self._meaning.get(value, value) in _RULES:
                rules[name] = self.plan(value)
                content.update(f"{name}={rules[name].name};".encode())
            else:
                constants[name] = self._constant(f, name, value)
                content.update(f"{name}={_mark(name, value)};".encode())
        loose |= any(used.loose for used in rules.values())
        timed = now in constants.values() or any(used.timed for used in rules.values())
        if timed and f in self._meaning.values():
            raise grammar.refusal(f, 0, "no clock", "now(), with which no match would replay")
        return Plan(f, hints, constants, rules, f"{self.game}.{f.__name__}.{content.hexdigest()[:16]}", loose, timed)

    def _twin(self, plan: Plan) -> Any:
        """The function that this gear runs: interpreted, the same code with other globals."""
        f = plan.function
        if f not in self._twins:
            scope: dict[str, Any] = {"__builtins__": builtins, "__name__": f.__module__, **plan.constants}
            twin = FunctionType(f.__code__, scope, f.__name__)
            twin.__qualname__ = plan.name
            scope.update((name, self._twin(used)) for name, used in plan.rules.items())
            scope[f.__name__] = twin  # for recursion
            self._twins[f] = twin
        return self._twins[f]

    def _type(self, hint: Any) -> Any:
        if get_origin(hint) is list:
            return list[self._type(get_args(hint)[0])]  # type: ignore[misc]
        return self._meaning.get(hint, hint) if isinstance(hint, type) else hint

    def _constant(self, user: FunctionType, name: str, value: Any) -> Any:
        of_numbers = isinstance(value, EnumType) and issubclass(value, int)  # no other member equals its number
        if of_numbers or isinstance(value, (int, float, Table)) or (callable(value) and value in _PRIMITIVES):
            return value
        where = (
            f"{user.__code__.co_filename}:{user.__code__.co_firstlineno}: {user.__module__}.{user.__name__} uses {name}"
        )
        raise TypeError(f"{where}: expected a number, an IntEnum, a table or a @rule function but got {value!r}")


def _memory(compiled: bool) -> Memory:
    if not compiled:
        return Lists()
    from quincunx.core.arrays import ARRAYS  # those who interpret need no NumPy

    return ARRAYS


def _mark(name: str, value: Any) -> str:
    """A text that changes whenever the meaning of a constant does."""
    if isinstance(value, EnumType):
        return repr(list(value))
    return name if callable(value) else repr(value)


def _layout(hint: Any) -> object:
    if get_origin(hint) is list:
        return [_layout(get_args(hint)[0])]
    if isinstance(hint, type) and issubclass(hint, Structure):
        return [(f.name, _layout(f.element), f.shape, f.signal) for f in fields(hint)]
    return hint


def _whole_fields(hints: Any) -> set[str]:
    """The names of fields that hold rows or structures, in every structure that a rule may meet."""
    return {f.name for hint in hints for structure in _structures(hint) for f in fields(structure) if f.whole}


def _structures(hint: Any) -> Iterator[type[Structure]]:
    while get_origin(hint) is list:
        (hint,) = get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Structure):
        yield hint
        for f in fields(hint):
            yield from _structures(f.element)
