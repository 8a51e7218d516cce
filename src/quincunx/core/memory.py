"""What a gear keeps structures in: plain objects in lists here; compiled, arrays (arrays.py). The façade and players
see the same calls.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, cast

from quincunx.core import layout, structure
from quincunx.core.structure import R


class Memory(ABC):
    @abstractmethod
    def rows(self, kind: type[R], n: int) -> list[R]:
        """`n` empty structures."""

    @abstractmethod
    def ints(self, n: int) -> list[int]: ...

    @abstractmethod
    def grid(self, rows: int, n: int) -> list[list[int]]: ...

    @abstractmethod
    def row(self, plain: R) -> list[R]:
        """Rows of one structure, equal to this one."""

    @abstractmethod
    def plain(self, kind: type[R], rows: list[R]) -> R:
        """The first of some rows as a plain object."""

    @abstractmethod
    def glance(self, kind: type[R], rows: list[R]) -> R:
        """The same for somebody who changes nothing, reads a few fields, and is done before the rows change."""

    @abstractmethod
    def copy(self, rows: list[R]) -> list[R]:
        """Of rows of one structure."""

    @abstractmethod
    def to_bytes(self, rows: list[Any]) -> bytes:
        """Of rows of one structure."""

    @abstractmethod
    def get(self, rows: list[Any], field: str, k: int = 0) -> Any:
        """A field of row `k`: a number, or a list of them."""

    @abstractmethod
    def head(self, rows: list[Any], field: str, n: int) -> list[int]:
        """The first `n` numbers of a long field of the first row."""

    @abstractmethod
    def put(self, rows: list[Any], field: str, value: float) -> None:
        """A number into the first row, also while another thread reads it."""

    @abstractmethod
    def numbers(self, ints: list[int], n: int) -> list[int]:
        """The first `n`, as a list."""


class Lists(Memory):
    def rows(self, kind: type[R], n: int) -> list[R]:
        return [kind() for _ in range(n)]

    def ints(self, n: int) -> list[int]:
        return [0] * n

    def grid(self, rows: int, n: int) -> list[list[int]]:
        return [[0] * n for _ in range(rows)]

    def row(self, plain: R) -> list[R]:
        twin = type(plain)()
        structure.copy(twin, plain)
        return [twin]

    def plain(self, kind: type[R], rows: list[R]) -> R:
        return rows[0]

    def glance(self, kind: type[R], rows: list[R]) -> R:
        return rows[0]

    def copy(self, rows: list[R]) -> list[R]:
        return self.row(rows[0])

    def to_bytes(self, rows: list[Any]) -> bytes:
        return layout.to_bytes(rows[0])

    def get(self, rows: list[Any], field: str, k: int = 0) -> Any:
        return getattr(rows[k], field)

    def head(self, rows: list[Any], field: str, n: int) -> list[int]:
        return cast(list[int], getattr(rows[0], field)[:n])

    def put(self, rows: list[Any], field: str, value: float) -> None:
        setattr(rows[0], field, value)

    def numbers(self, ints: list[int], n: int) -> list[int]:
        return ints[:n]
