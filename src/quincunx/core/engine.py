"""Two gears, one source.

A rule is an ordinary function marked `@rule`: imported, it runs in the interpreter, on plain records. A `Gear` makes
twins of rule functions for one game: the same code object, with other globals.

    gear = Gear("khet", {contract.legal: khet.rules.legal, ...}, compiled=True)
    playouts = gear.bind(search.playouts)        # same signature, other speed

In the twin, every name that the function uses is replaced by what it means in this gear: a function of the contract
by the game's own, a rule by its twin, a table by an array. Whatever file a rule was imported from, it is found, because
it is a value and not a path. Search is therefore written once, against the contract, and inlined for every game.

The compiled twin is called `khet.playouts.<digest>`, the digest of its code and of everything it uses, recursively.
Its cache file and its machine symbol are named after it, so neither an old rule nor another game's can be taken for
it. Its only signature is read from its annotations: no second one, whatever the types at the call.

What would differ between the gears, or not compile, is refused at bind time with a sentence: see `grammar.py`.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterator, Mapping
from enum import EnumType
from hashlib import sha256
from types import FunctionType
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints, overload

import numpy as np

from quincunx.core import grammar
from quincunx.core.record import R, Record, clear, copy, dtype, expect, fields, fingerprint, ints

F = TypeVar("F", bound=Callable[..., Any])

LINE = 64  # bytes of a processor's cache line

_RULES: set[object] = set()
_PRIMITIVES: set[object] = {copy, clear, expect, ints, fingerprint} | {f for f in vars(math).values() if callable(f)}


def rule(function: F) -> F:
    """Marks a function of the rules: numbers, records, tables, other rules. It may call itself, but not in a ring."""
    _RULES.add(function)
    return function


LOOSE = 1 << 17  # numbers: numba takes an array of more than a megabyte by its address, and does not copy it


class Table(list[Any]):
    """A constant list of integers, or of such lists."""


@overload
def table(rows: list[int]) -> list[int]: ...
@overload
def table(rows: list[list[int]]) -> list[list[int]]: ...
def table(rows: list[Any]) -> list[Any]:
    """A constant of the rules, written `T[a]` or `T[a][b]`; an array when compiled."""
    return Table(rows)


class Plan(NamedTuple):
    """A rule as one gear understands it, before a twin is made."""

    function: Any  # a FunctionType, which mypy would take for a method
    hints: dict[str, Any]
    constants: dict[str, Any]
    rules: dict[str, Plan]  # the rules that it calls, by the names that it calls them
    name: str  # game.function.digest
    loose: bool  # does it, or a rule that it calls, read a table whose values may change? Then it is not cached


class Gear:
    """The rules of one game, interpreted or compiled. `meaning` says what stands for each name of the contract.

    `checked` compiles with every index checked and division by zero refused: slower, for tests. `tables` gives tables
    other values, by their names, and `alter` others again without compiling anew: a tuner tries weights so.
    """

    def __init__(
        self,
        game: str,
        meaning: Mapping[Any, Any],
        *,
        compiled: bool,
        checked: bool = False,
        tables: Mapping[str, list[int]] | None = None,
    ) -> None:
        self.game = game
        self.compiled = compiled
        self.checked = checked
        self._meaning = dict(meaning)
        self._tables: dict[str, Any] = {}
        for name, values in (tables or {}).items():
            self._tables[name] = np.zeros(LOOSE, np.int64) if compiled else Table(values)
            self.alter(name, values)
        self._plans: dict[FunctionType, Plan] = {}
        self._begun: set[FunctionType] = set()
        self._twins: dict[FunctionType, FunctionType] = {}
        self._doors: dict[FunctionType, FunctionType] = {} if compiled else self._twins

    def alter(self, name: str, values: list[int]) -> None:
        """From now on a table of `tables` has these values."""
        self._tables[name][: len(values)] = values

    def bind(self, function: F) -> F:
        """The twin of a rule, or of the game's own rule in the place of a function of the contract."""
        return cast(F, self._twin(self.plan(function), door=True))

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

    def new(self, record: type[R]) -> R:
        """An empty record that functions of this gear accept."""
        return self.rows(record, 1)[0]

    def rows(self, record: type[R], n: int) -> list[R]:
        """`n` of them, for a tree or a stack."""
        kind: type[R] = self._meaning.get(record, record)
        return cast(list[R], _aligned(n, dtype(kind))) if self.compiled else [kind() for _ in range(n)]

    def ints(self, n: int) -> list[int]:
        return cast(list[int], np.zeros(n, np.int64)) if self.compiled else [0] * n

    def grid(self, rows: int, n: int) -> list[list[int]]:
        return cast(list[list[int]], np.zeros((rows, n), np.int64)) if self.compiled else [[0] * n for _ in range(rows)]

    def _make_plan(self, f: FunctionType) -> Plan:
        hints = {name: self._type(hint) for name, hint in get_type_hints(f, include_extras=True).items()}
        grammar.check(f, _whole_fields(hints.values()))
        if get_origin(hints.get("return")) is list:
            raise TypeError(
                f"{f.__module__}.{f.__name__}: expected a rule to return a number or nothing but got a list"
            )
        content = sha256(repr((grammar.content(f.__code__), self.checked)).encode())
        content.update(repr([(name, _layout(hint)) for name, hint in hints.items()]).encode())
        constants: dict[str, Any] = {}
        rules: dict[str, Plan] = {}
        loose = False
        for name, value in grammar.used_globals(f):
            if value is f:
                continue
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
        return Plan(f, hints, constants, rules, f"{self.game}.{f.__name__}.{content.hexdigest()[:16]}", loose)

    def _twin(self, plan: Plan, door: bool) -> FunctionType:
        """The function that this gear runs. A door can be called from Python; the others cost less to compile."""
        f, made = plan.function, self._doors if door else self._twins
        if f not in made:
            scope: dict[str, Any] = {"__builtins__": builtins, "__name__": f.__module__, **plan.constants}
            twin = FunctionType(f.__code__, scope, f.__name__)
            twin.__qualname__ = plan.name

            def meet_rules() -> None:
                scope.update((name, self._twin(used, door=False)) for name, used in plan.rules.items())

            if self.compiled:
                from quincunx.core.compiler import compile_rule  # those who compile import numba

                twin = compile_rule(twin, plan.hints, self.checked, door, meet_rules, kept=not plan.loose)
            else:
                meet_rules()
            scope[f.__name__] = twin  # for recursion
            made[f] = twin
        return made[f]

    def _type(self, hint: Any) -> Any:
        if get_origin(hint) is list:
            return list[self._type(get_args(hint)[0])]  # type: ignore[misc]
        return self._meaning.get(hint, hint) if isinstance(hint, type) else hint

    def _constant(self, user: FunctionType, name: str, value: Any) -> Any:
        if isinstance(value, Table):
            return np.array(value, np.int64) if self.compiled else value
        if isinstance(value, (int, float, EnumType)) or (callable(value) and value in _PRIMITIVES):
            return value
        where = f"{user.__module__}.{user.__name__} uses {name}"
        raise TypeError(f"{where}: expected a number, an enum, a table or a @rule function but got {value!r}")


def _aligned(n: int, kind: np.dtype[np.void]) -> np.ndarray[Any, np.dtype[np.void]]:
    """Zeros that share no cache line with anything else: what one thread writes does not slow another down."""
    room = np.zeros(-(-n * kind.itemsize // LINE) * LINE + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + n * kind.itemsize].view(kind)


def _mark(name: str, value: Any) -> str:
    """A text that changes whenever the meaning of a constant does."""
    if isinstance(value, EnumType):
        return repr(list(value))
    return name if callable(value) else repr(value)


def _layout(hint: Any) -> object:
    if get_origin(hint) is list:
        return [_layout(get_args(hint)[0])]
    return dtype(hint).descr if isinstance(hint, type) and issubclass(hint, Record) else hint


def _whole_fields(hints: Any) -> set[str]:
    """The names of fields that hold rows or records, in every record that a rule may meet."""
    return {f.name for hint in hints for record in _records(hint) for f in fields(record) if f.whole}


def _records(hint: Any) -> Iterator[type[Record]]:
    while get_origin(hint) is list:
        (hint,) = get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Record):
        yield hint
        for f in fields(hint):
            yield from _records(f.element)
