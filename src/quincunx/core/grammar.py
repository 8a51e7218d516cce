"""What a rule may say: the part of Python that means the same in both gears.

Each refusal stands for something that compiled differently, not at all, or much too slowly; the sentence names the
function and what to write instead.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from enum import EnumType
from functools import cache
from types import CodeType, FunctionType
from typing import Any

_SLICES = {"BUILD_SLICE", "BINARY_SLICE", "STORE_SLICE"}
_GATHERS = {"LIST_APPEND", "SET_ADD", "MAP_ADD"}  # comprehensions, from Python 3.12 on


def check(f: FunctionType, whole_fields: set[str]) -> None:
    """TypeError if `f` is not written in the grammar of rules. `whole_fields` hold rows or structures."""
    instructions = _instructions(f)
    gathers = next((i for i in instructions if i.opname in _GATHERS), None)
    inner = next((c for c in f.__code__.co_consts if isinstance(c, CodeType)), None)
    if inner or gathers:
        line = inner.co_firstlineno if inner else _line(gathers)
        raise refusal(f, line, "no comprehension, lambda, generator or inner function", "one")
    if f.__closure__:
        raise refusal(f, 0, "names of a module", "a closure, whose values no digest knows")
    for here, after in zip(instructions, [*instructions[1:], None], strict=True):
        if here.opname in _SLICES or isinstance(here.argval, slice):
            raise refusal(
                f, _line(here), "rows of a 2-D list, or a loop", "a slice: a view compiled, a copy interpreted"
            )
        if here.opname == "STORE_ATTR" and here.argval in whole_fields:
            wanted = f"copy(…), or a loop over .{here.argval}"
            raise refusal(f, _line(here), wanted, f"….{here.argval} = …, which would alias")
        is_enum = here.opname == "LOAD_GLOBAL" and isinstance(f.__globals__.get(here.argval), EnumType)
        if is_enum and (after is None or after.opname not in ("LOAD_ATTR", "LOAD_METHOD")):
            raise refusal(f, _line(here), f"a member such as {here.argval}.NAME", f"{here.argval} itself")


def refusal(f: FunctionType, line: int, wanted: str, came: str) -> TypeError:
    code = f.__code__
    where = f"{code.co_filename}:{line or code.co_firstlineno}: {f.__module__}.{f.__name__}"
    return TypeError(f"{where}: expected {wanted} in a rule but got {came}")


def used_globals(f: FunctionType) -> Iterator[tuple[str, Any]]:
    """The global names that `f` really loads (`co_names` also lists attributes), with their values."""
    used = [i.argval for i in _instructions(f) if i.opname == "LOAD_GLOBAL" and i.argval in f.__globals__]
    return ((name, f.__globals__[name]) for name in dict.fromkeys(used))


def content(code: CodeType) -> tuple[object, ...]:
    """All of a function's own code that decides what it does."""
    return code.co_code, code.co_names, code.co_varnames, code.co_argcount, code.co_consts


def lines(code: CodeType) -> tuple[object, ...]:
    """Where it is written: what the checked gear tells of a fault."""
    return code.co_filename, code.co_firstlineno, code.co_linetable


@cache
def _instructions(f: FunctionType) -> list[dis.Instruction]:
    return list(dis.get_instructions(f))


def _line(instruction: dis.Instruction | None) -> int:
    return instruction.positions.lineno or 0 if instruction and instruction.positions else 0
