"""What a rule may say: the part of Python that means the same in both gears.

Each refusal stands for something that compiled differently, not at all, or much too slowly; the sentence names the
function and what to write instead.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from enum import EnumType
from types import CodeType, FunctionType
from typing import Any

_SLICES = {"BUILD_SLICE", "BINARY_SLICE", "STORE_SLICE"}


def check(f: FunctionType, whole_fields: set[str]) -> None:
    """TypeError if `f` is not written in the grammar of rules. `whole_fields` hold rows or records."""
    if any(isinstance(constant, CodeType) for constant in f.__code__.co_consts):
        _refuse(f, "no comprehension, lambda, generator or inner function", "one")
    if f.__closure__:
        _refuse(f, "names of a module", "a closure: compiled closures never come from the cache")
    instructions = list(dis.get_instructions(f))
    for here, after in zip(instructions, [*instructions[1:], None], strict=True):
        if here.opname in _SLICES or isinstance(here.argval, slice):
            _refuse(f, "rows of a 2-D list, or a loop", "a slice: a view compiled, a copy interpreted")
        if here.opname == "CONTAINS_OP":
            _refuse(f, "comparisons (x == A or x == B)", "`in`, which compiles four times slower")
        if here.opname == "STORE_ATTR" and here.argval in whole_fields:
            _refuse(f, f"copy(…), or a loop over .{here.argval}", f"….{here.argval} = …, which would alias")
        is_enum = here.opname == "LOAD_GLOBAL" and isinstance(f.__globals__.get(here.argval), EnumType)
        if is_enum and (after is None or after.opname not in ("LOAD_ATTR", "LOAD_METHOD")):
            _refuse(f, f"a member such as {here.argval}.NAME", f"{here.argval} itself, which does not compile")


def _refuse(f: FunctionType, wanted: str, came: str) -> None:
    raise TypeError(f"{f.__module__}.{f.__name__}: expected {wanted} in a rule but got {came}")


def used_globals(f: FunctionType) -> Iterator[tuple[str, Any]]:
    """The global names that `f` really loads (`co_names` also lists attributes), with their values."""
    used = [i.argval for i in dis.get_instructions(f) if i.opname == "LOAD_GLOBAL" and i.argval in f.__globals__]
    return ((name, f.__globals__[name]) for name in dict.fromkeys(used))


def content(code: CodeType) -> tuple[object, ...]:
    """All of a function's own code that decides what it does."""
    return code.co_code, code.co_names, code.co_varnames, code.co_argcount, code.co_consts
