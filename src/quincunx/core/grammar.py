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
_FORBIDDEN = {dis.opmap[name] for name in _SLICES | _GATHERS if name in dis.opmap}
_LOAD_GLOBAL = dis.opmap["LOAD_GLOBAL"]


def check(f: FunctionType, whole_fields: set[str]) -> None:
    """TypeError if `f` is not written in the grammar of rules. `whole_fields` hold rows or structures."""
    if not _doubtful(f, whole_fields):
        return
    instructions = list(dis.get_instructions(f))
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
    names = f.__code__.co_names
    used = [names[argument >> 1] for code, argument in _units(f) if code == _LOAD_GLOBAL]  # one bit is for calls
    return ((name, f.__globals__[name]) for name in dict.fromkeys(used) if name in f.__globals__)


def content(code: CodeType) -> tuple[object, ...]:
    """All of a function's own code that decides what it does."""
    return code.co_code, code.co_names, code.co_varnames, code.co_argcount, code.co_consts


def lines(code: CodeType) -> tuple[object, ...]:
    """Where it is written: what the checked gear tells of a fault."""
    return code.co_filename, code.co_firstlineno, code.co_linetable


def _doubtful(f: FunctionType, whole_fields: set[str]) -> bool:
    """Might it be refused? Most rules are seen to be fine at a glance, and `dis` takes its time."""
    code = f.__code__
    return (
        f.__closure__ is not None
        or any(isinstance(constant, (CodeType, slice)) for constant in code.co_consts)
        or any(name in whole_fields or isinstance(f.__globals__.get(name), EnumType) for name in code.co_names)
        or any(unit in _FORBIDDEN for unit, _ in _units(f))
    )


@cache
def _units(f: FunctionType) -> list[tuple[int, int]]:
    """Every instruction, as its number, with its argument."""
    code, found, high = f.__code__.co_code, [], 0
    for unit, low in zip(code[::2], code[1::2], strict=True):
        argument = high | low
        high = argument << 8 if unit == dis.EXTENDED_ARG else 0
        found.append((unit, argument))
    return found


def _line(instruction: dis.Instruction | None) -> int:
    return instruction.positions.lineno or 0 if instruction and instruction.positions else 0
