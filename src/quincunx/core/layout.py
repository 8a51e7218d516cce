"""How structures lie in memory: as a C compiler would lay them out, least byte first, on every machine.

The compiled gear reads and writes these very bytes; the interpreted one makes them of plain objects and back, so that
states travel, digests agree, and a value that does not fit is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import prod
from struct import Struct, error, unpack
from typing import Any, NamedTuple, Protocol, cast

from quincunx.core.structure import R, Rows, Structure, fields, is_structure


class Packed(Protocol):
    """A structure of the compiled gear."""

    def tobytes(self) -> bytes: ...


class Layout(NamedTuple):
    size: int
    align: int
    offsets: dict[str, int]  # of its fields
    code: str  # what Python's `struct` calls it, gaps and all


@cache
def layout(structure: type[Structure]) -> Layout:
    at, widest, code = 0, 1, ""
    offsets: dict[str, int] = {}
    for f in fields(structure):
        size, align, _, inner = _place(f.element)
        gap, n = -at % align, prod(f.shape)
        offsets[f.name] = at + gap
        at, widest = at + gap + n * size, max(widest, align)
        code += f"{gap}x" + (inner * n if is_structure(f.element) else f"{n}{inner}")
    return Layout(at + -at % widest, widest, offsets, f"{code}{-at % widest}x")


def _place(element: Any) -> Layout:
    return layout(element) if is_structure(element) else Layout(element.size, element.size, {}, element.code)


def size(structure: type[Structure]) -> int:
    return layout(structure).size


# -- bytes -----------------------------------------------------------------------------------------------------------


def to_bytes(value: Structure | Packed) -> bytes:
    """OverflowError if a value does not fit its field, ValueError if a row is too long or too short."""
    if not isinstance(value, Structure):
        return value.tobytes()
    numbers: list[Any] = []
    _gather(value, numbers)
    try:
        return _coder(type(value)).pack(*numbers)
    except error:
        raise OverflowError(_misfit(value)) from None


def from_bytes(structure: type[R], data: bytes) -> R:
    if len(data) != size(structure):
        raise ValueError(f"Expected {size(structure)} bytes of {structure.__name__} but got {len(data)}")
    return _read(structure, data, 0)


def lazily(structure: type[R], data: Any) -> R:
    """A plain object that unpacks each field when somebody asks for it, as long as the bytes stay what they are."""
    found = _lazy(structure).__new__(_lazy(structure))
    object.__setattr__(found, "_data", data)
    return cast(R, found)


@cache
def _lazy(structure: type[Structure]) -> Any:
    parts = {part.name: part for part in _parts(structure)}

    def unpack_field(self: Any, name: str) -> Any:
        """Python asks this for a slot that is empty."""
        if name not in parts:
            raise AttributeError(f"{structure.__name__} has no field {name}")
        value = _value(parts[name], self._data, 0)
        setattr(self, name, value)
        return value

    body = {"__slots__": ("_data",), "__getattr__": unpack_field, "__module__": structure.__module__}
    return cast(Any, type(structure))(structure.__name__, (structure,), body)


@cache
def _coder(structure: type[Structure]) -> Struct:
    return Struct("<" + layout(structure).code)


class _Part(NamedTuple):
    """What is asked of a field for every structure that is written or read."""

    name: str
    element: Any
    shape: tuple[int, ...]
    simple: bool  # one number, or one row of them
    offset: int
    coder: Struct  # of one row of numbers


@cache
def _parts(structure: type[Structure]) -> tuple[_Part, ...]:
    offsets = layout(structure).offsets
    found = []
    for f in fields(structure):
        nested = is_structure(f.element)
        coder = Struct("" if nested else f"<{f.shape[-1] if f.shape else 1}{f.element.code}")
        found.append(_Part(f.name, f.element, f.shape, len(f.shape) < 2 and not nested, offsets[f.name], coder))
    return tuple(found)


def _gather(plain: Structure, numbers: list[Any]) -> None:
    """All numbers of a structure in their order."""
    for name, _, shape, simple, _, _ in _parts(type(plain)):
        value = getattr(plain, name)
        if simple and not shape:
            numbers.append(value)
        elif simple and isinstance(value, list) and len(value) == shape[0]:
            numbers += value
        else:
            _gather_rows(f"{type(plain).__name__}.{name}", value, shape, numbers)


def _gather_rows(where: str, value: Any, shape: tuple[int, ...], numbers: list[Any]) -> None:
    if isinstance(value, Structure):
        _gather(value, numbers)
    elif not isinstance(value, list) or len(value) != shape[0]:
        raise ValueError(f"Expected {shape[0]} values in {where} but got {str(value)[:60]}")
    elif isinstance(value, Rows):
        for v in value:
            _gather_rows(where, v, shape[1:], numbers)
    else:
        numbers += value


def _read(structure: type[R], data: bytes, at: int) -> R:
    plain = structure.__new__(structure)
    for part in _parts(structure):
        setattr(plain, part.name, _value(part, data, at))
    return plain


def _value(part: _Part, data: bytes, at: int) -> Any:
    if not part.simple:
        return _read_rows(part, part.shape, data, at + part.offset)
    numbers = part.coder.unpack_from(data, at + part.offset)
    return list(numbers) if part.shape else numbers[0]


def _read_rows(part: _Part, shape: tuple[int, ...], data: bytes, at: int) -> Any:
    if not shape:
        return _read(part.element, data, at)
    if len(shape) == 1 and not is_structure(part.element):
        return list(part.coder.unpack_from(data, at))
    step = prod(shape[1:]) * _place(part.element).size
    return Rows(_read_rows(part, shape[1:], data, at + k * step) for k in range(shape[0]))


def _misfit(plain: Structure) -> str:
    """Which field holds what it cannot hold."""
    for name, element, shape, *_ in _parts(type(plain)):
        if is_structure(element):
            for inner in _flat(getattr(plain, name)):
                if said := _misfit(inner):
                    return said
            continue
        held = getattr(plain, name)
        for value in _flat(held) if shape else [held]:
            if not element.holds(value):
                return f"Expected {element} in {type(plain).__name__}.{name} but got {str(value)[:60]}"
    return ""


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for v in value:
            yield from _flat(v)
    else:
        yield value


FOLD, _MASK = 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF


def fingerprint(structure: Structure) -> int:
    """63 bits of every byte of a structure: a `key` for games that do not keep one. (Compiled: compile/library.py.)"""
    data = to_bytes(structure)
    data += bytes(-len(data) % 8)
    h = 0
    for word in unpack(f"<{len(data) // 8}Q", data):
        h = ((h ^ word) * FOLD) & _MASK
        h ^= h >> 29
    return h >> 1
