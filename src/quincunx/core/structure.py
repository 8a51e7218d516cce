"""Structures: declared once by annotations, existing twice.

    class State(Structure):
        board: Annotated[list[i8], 80]              # a row of 80 small integers
        cells: Annotated[list[list[i16]], 6, 1600]  # 6 rows of 1600, written cells[row][column]
        units: Annotated[list[Unit], 300]           # 300 sub-structures, written units[k].hp
        turn: i8

A `signal` is a small number that another thread may write while a rule runs. A `u64` has no sign: all 64 bits are for
squares of a board.

`State()` is the plain object of the interpreted gear: slots holding ints and lists, all zero. What it is in memory,
where the compiled gear has it, is in layout.py; arrays of them are in arrays.py.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Annotated, Any, NamedTuple, NoReturn, TypeVar, get_args, get_origin, get_type_hints


class Scalar(NamedTuple):
    """A number as it lies in memory."""

    name: str  # as LLVM calls it, but for u64
    code: str  # as Python's `struct` does
    size: int  # bytes

    @property
    def whole(self) -> bool:
        return self.name != "double"

    @property
    def unsigned(self) -> bool:
        return self.name.startswith("u")

    def holds(self, value: object) -> bool:
        if not self.whole:
            return isinstance(value, (int, float))
        if self.unsigned:
            return isinstance(value, int) and 0 <= value < 1 << 8 * self.size
        return isinstance(value, int) and -1 << 8 * self.size - 1 <= value < 1 << 8 * self.size - 1

    def __str__(self) -> str:
        if not self.whole:
            return "a number"
        return f"a whole number of {8 * self.size} bits{' without a sign' if self.unsigned else ''}"


SMALL = Scalar("i8", "b", 1)
i8 = Annotated[int, SMALL]
i16 = Annotated[int, Scalar("i16", "h", 2)]
i32 = Annotated[int, Scalar("i32", "i", 4)]
i64 = Annotated[int, Scalar("i64", "q", 8)]
u64 = Annotated[int, Scalar("u64", "Q", 8)]
f64 = Annotated[float, Scalar("double", "d", 8)]
SIGNAL = "another thread writes it"
signal = Annotated[int, SMALL, SIGNAL]  # a flag: read anew each time, whatever a compiler believes to know


class _Slotted(type):
    """A misspelt field must be an error in the interpreter too, and slots can only be given at birth."""

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _Slotted:
        return super().__new__(mcs, name, bases, {"__slots__": _declared(body), **body})


def _declared(body: dict[str, Any]) -> tuple[str, ...]:
    """The names that the body of a class annotates. From Python 3.14 on they are there once somebody asks."""
    if "__annotations__" not in body and sys.version_info >= (3, 14):
        from annotationlib import Format, call_annotate_function, get_annotate_from_class_namespace

        annotate = get_annotate_from_class_namespace(body)
        return tuple(call_annotate_function(annotate, Format.STRING)) if annotate else ()
    return tuple(body.get("__annotations__", ()))


class Structure(metaclass=_Slotted):
    """The base of states, terms, views, logs, and of whatever else a rule function reads or writes."""

    def __init__(self) -> None:
        for f in fields(type(self)):
            setattr(self, f.name, _zeros(f.element, f.shape))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, f.name) == getattr(other, f.name) for f in fields(type(self))
        )

    __hash__ = None  # type: ignore[assignment]  # structures change

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{f.name}={getattr(self, f.name)!r}' for f in fields(type(self)))})"


R = TypeVar("R", bound=Structure)


class Rows(list[Any]):
    """Rows of a 2-D field, or sub-structures. `rows[i] = rows[j]` copies compiled, would alias here, and is refused."""

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        raise TypeError(
            "Expected copy(rows[i], rows[j]), or a loop over numbers, but got rows[i] = …, which would alias"
        )


class Field(NamedTuple):
    name: str
    element: Any  # a Scalar, or a Structure class
    shape: tuple[int, ...]
    signal: bool = False

    @property
    def whole(self) -> bool:
        """Is it more than one number?"""
        return bool(self.shape) or is_structure(self.element)


@cache
def fields(structure: type[Structure]) -> tuple[Field, ...]:
    """TypeError if one of them has a type without a place in memory."""
    try:
        hints = get_type_hints(structure, include_extras=True)
    except NameError as error:
        raise TypeError(f"{_name(structure)}: expected types that mean something but got {error.name}") from None
    return tuple(_field(structure, name, hint) for name, hint in hints.items())


_TYPES = "i8, i16, i32, i64, u64, f64, a Structure, or Annotated[list[…], length] of them"


def _field(structure: type[Structure], name: str, hint: Any) -> Field:
    given = hint
    shape: tuple[int, ...] = ()
    if get_origin(hint) is Annotated and get_origin(get_args(hint)[0]) is list:
        hint, *lengths = get_args(hint)
        shape = tuple(lengths)
        for length in shape:
            if not isinstance(length, int) or length < 1 or get_origin(hint) is not list:
                raise TypeError(f"{_name(structure)}.{name}: expected {_TYPES} but got {given}")
            (hint,) = get_args(hint)
    if is_structure(hint):
        return Field(name, hint, shape)
    _, element, *more = get_args(hint) if get_origin(hint) is Annotated else (None, None)
    if not isinstance(element, Scalar):
        raise TypeError(f"{_name(structure)}.{name}: expected {_TYPES} but got {getattr(given, '__name__', given)}")
    return Field(name, element, shape, SIGNAL in more)


def _name(structure: type[Structure]) -> str:
    return f"{structure.__module__}.{structure.__name__}"


def is_structure(element: Any) -> bool:
    return isinstance(element, type) and issubclass(element, Structure)


def _zeros(element: Any, shape: tuple[int, ...]) -> Any:
    if len(shape) > 1:
        return Rows(_zeros(element, shape[1:]) for _ in range(shape[0]))
    if is_structure(element):
        return Rows(element() for _ in range(shape[0])) if shape else element()
    zero = 0 if element.whole else 0.0
    return [zero] * shape[0] if shape else zero


# -- what rule functions may do with a whole structure, in both gears (compiled: compile/calls.py) --------------------


@cache
def _shape_of_copy(
    structure: type[Structure],
) -> tuple[tuple[str, ...], ...]:
    """The names of the fields that are numbers, rows, a sub-structure, or several rows or sub-structures."""
    numbers: list[str] = []
    rows: list[str] = []
    structures: list[str] = []
    several: list[str] = []
    for f in fields(structure):
        if f.shape:
            (several if len(f.shape) > 1 or is_structure(f.element) else rows).append(f.name)
        else:
            (structures if is_structure(f.element) else numbers).append(f.name)
    return tuple(numbers), tuple(rows), tuple(structures), tuple(several)


def copy(target: Structure, source: Structure) -> None:
    """`target` becomes equal to `source`; nothing is shared. (`a = b` and `rows[i] = rows[j]` would share.)"""
    numbers, rows, structures, several = _shape_of_copy(type(target))
    for name in numbers:
        setattr(target, name, getattr(source, name))
    for name in rows:
        getattr(target, name)[:] = getattr(source, name)
    for name in structures:
        copy(getattr(target, name), getattr(source, name))
    for name in several:
        _copy_rows(getattr(target, name), getattr(source, name))


def _copy_rows(target: list[Any], source: list[Any]) -> None:
    for t, s in zip(target, source, strict=True):
        if isinstance(s, Structure):
            copy(t, s)
        elif isinstance(s, Rows):
            _copy_rows(t, s)
        else:
            t[:] = s


def clear(target: Structure) -> None:
    """Every field becomes zero."""
    copy(target, _empty(type(target)))


@cache
def _empty(structure: type[R]) -> R:
    return structure()


def ints(n: int) -> list[int]:
    """`n` zeros to work with."""
    return [0] * n


def within(n: int, most: int) -> int:
    """So many were written where there is room for `most`. If that is too many it is an error; compiled, once the door
    is left, and until then they are no more than `most`.
    """
    if n > most:
        raise IndexError(f"Expected at most {most} but got {n}")
    return n


def expect(rows: list[Any], place: int) -> None:
    """`rows[place]` will be read soon: compiled, it is fetched meanwhile."""


# -- plain object <-> JSON -------------------------------------------------------------------------------------------


def to_builtins(plain: Structure) -> dict[str, Any]:
    """Dictionaries, lists and numbers, ready for JSON."""
    return {f.name: _built(getattr(plain, f.name)) for f in fields(type(plain))}


def _built(value: Any) -> Any:
    if isinstance(value, Structure):
        return to_builtins(value)
    return [_built(v) for v in value] if isinstance(value, list) else value


def from_builtins(structure: type[R], built: Any) -> R:
    """The inverse of `to_builtins`; ValueError if a field is missing, too many, too long or too large."""
    plain = structure()
    names = [f.name for f in fields(structure)]
    if not isinstance(built, dict) or sorted(built) != sorted(names):
        raise ValueError(f"Expected the fields {', '.join(names)} of {structure.__name__} but got {str(built)[:60]}")
    for f in fields(structure):
        setattr(plain, f.name, _unbuilt(f"{structure.__name__}.{f.name}", f.element, f.shape, built[f.name]))
    return plain


def _unbuilt(where: str, element: Any, shape: tuple[int, ...], built: Any) -> Any:
    if shape:
        if not isinstance(built, list) or len(built) != shape[0]:
            raise ValueError(f"Expected a list of {shape[0]} in {where} but got {str(built)[:60]}")
        values = [_unbuilt(where, element, shape[1:], b) for b in built]
        return Rows(values) if len(shape) > 1 or is_structure(element) else values
    if is_structure(element):
        return from_builtins(element, built)
    if not element.holds(built) or isinstance(built, bool):
        raise ValueError(f"Expected {element} in {where} but got {str(built)[:60]}")
    return built
