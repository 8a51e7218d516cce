"""The memory of the compiled gear: NumPy arrays. Nothing that is interpreted imports this."""

from __future__ import annotations

from ctypes import addressof, c_char
from functools import cache
from typing import Any, cast

import numpy as np

from quincunx.core.layout import from_bytes, layout, lazily, to_bytes
from quincunx.core.memory import Memory
from quincunx.core.structure import R, Scalar, Structure, fields

LINE = 64  # bytes of a processor's cache line
SPARE = 2**17  # numbers after those that were asked for: a `legal` that writes too many hurts nothing before it is told
NUMBERS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u64": np.uint64, "double": np.float64}


@cache
def dtype(structure: type[Structure]) -> np.dtype[np.void]:
    """The layout of a structure, as NumPy says it."""
    size, _, offsets, _ = layout(structure)
    formats = [(_element(f.element), f.shape) for f in fields(structure)]
    places = {"names": list(offsets), "formats": formats, "offsets": list(offsets.values()), "itemsize": size}
    return cast("np.dtype[np.void]", np.dtype(cast(Any, places), align=True))


def _element(element: Scalar | type[Structure]) -> Any:
    return NUMBERS[element.name] if isinstance(element, Scalar) else dtype(element)


def pack(plain: Structure) -> np.void:
    """The structure of an array, equal to `plain`; OverflowError if a value does not fit its field."""
    return cast(np.void, ARRAYS.row(plain)[0])


def unpack(structure: type[R], packed: np.void) -> R:
    return from_bytes(structure, packed.tobytes())


class Arrays(Memory):
    def rows(self, kind: type[R], n: int) -> list[R]:
        """Zeros that share no cache line with anything else: what one thread writes does not slow another down."""
        size = n * layout(kind).size
        room: Any = np.zeros(-(-size // LINE) * LINE + LINE, np.uint8)
        start = -addressof(c_char.from_buffer(room)) % LINE
        return cast(list[R], np.ndarray(n, dtype(kind), room, start))

    def ints(self, n: int) -> list[int]:
        return cast(list[int], np.zeros(n + SPARE, np.int64)[:n])

    def grid(self, rows: int, n: int) -> list[list[int]]:
        return cast(list[list[int]], np.zeros(rows * n + SPARE, np.int64)[: rows * n].reshape(rows, n))

    def row(self, plain: R) -> list[R]:
        return cast(list[R], np.ndarray(1, dtype(type(plain)), bytearray(to_bytes(plain))))

    def plain(self, kind: type[R], rows: list[R]) -> R:
        return from_bytes(kind, self.to_bytes(rows))

    def glance(self, kind: type[R], rows: list[R]) -> R:
        return lazily(kind, rows)

    def copy(self, rows: Any) -> Any:
        """NumPy would copy structures field by field, and look twice at every view."""
        return np.ndarray(rows.shape, rows.dtype, bytearray(rows.tobytes()))

    def to_bytes(self, rows: Any) -> Any:
        return rows.tobytes()

    def get(self, rows: Any, field: str, k: int = 0) -> Any:
        column = rows[field]  # of which a number is taken out without an array around it
        return column.item(k) if column.ndim == 1 else column[k].tolist()

    def head(self, rows: Any, field: str, n: int) -> Any:
        return rows[field][0, :n].tolist()

    def put(self, rows: Any, field: str, value: float) -> None:
        rows[field][0] = value

    def numbers(self, ints: Any, n: int) -> Any:
        return ints[:n].tolist()


ARRAYS = Arrays()
