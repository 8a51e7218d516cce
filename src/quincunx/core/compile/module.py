"""The text of an LLVM module, as it grows: functions, tables, words, and what may alias.

What a store can change is told to LLVM by names (TBAA): memory is structures of known layout and rows of numbers;
nobody casts pointers. `Log.count` is never touched by a store to `State.board`, and rows that came as an argument may
be any rows of their element. (`noalias` would be wrong: a rule may be given a structure and a row of it.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quincunx.core.compile.kinds import TABLE, UINT, Row, Value, llvm, texts
from quincunx.core.plan import Loose, Table


class Module:
    def __init__(self, checked: bool) -> None:
        self.checked = checked
        self._functions: list[str] = []
        self._constants: list[str] = []  # tables and words
        self._declared: set[str] = set()
        self._tables: dict[tuple[str, str], tuple[Row, str]] = {}
        self._words: dict[str, str] = {}
        self._tags: dict[str, int] = {}
        self._metadata = ['!0 = !{!"rules"}']

    def __str__(self) -> str:
        return "\n".join([*sorted(self._declared), *self._constants, *self._functions, *self._metadata]) + "\n"

    def add(self, function: str) -> None:
        if function not in self._functions:
            self._functions.append(function)

    def declare(self, text: str) -> None:
        self._declared.add(f"declare {text}")

    def table(self, values: Table) -> Value:
        """A constant, in the narrowest integers that hold it."""
        text = _text(values, narrow := _narrowest(values))
        if (narrow, text) not in self._tables:
            name, shape = f"@table.{len(self._tables)}", _shape(values)
            self._tables[narrow, text] = Row(narrow, shape, TABLE), name
            self._constants.append(f"{name} = internal unnamed_addr constant {text}, align 64")
        kind, name = self._tables[narrow, text]
        return Value(kind, name, texts(kind.lengths))

    def loose(self, table: Loose) -> Value:
        """Its numbers may change: they stay where they are, and the code is for this process only."""
        address, n = table.numbers.buffer_info()
        shape, at = (n,), f"inttoptr (i64 {address} to ptr)"
        return Value(Row("i64", shape, TABLE), at, texts(shape))

    def words(self, text: str) -> str:
        """A text of the C kind."""
        if text not in self._words:
            data = text.encode() + b"\0"
            self._words[text] = f"@words.{len(self._words)}"
            escaped = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)
            self._constants.append(f'{self._words[text]} = private constant [{len(data)} x i8] c"{escaped}"')
        return self._words[text]

    def tag(self, name: str) -> str:
        """An access to what has this name. `a < b` is a part of b: a store to one may change the other."""
        if name == TABLE:  # LLVM knows constants
            return ""
        if name not in self._tags:
            mine, _, whole = name.partition(" < ")
            kind = self._kind(mine, self._kind(whole) if whole else 0)
            self._tags[name] = len(self._metadata)
            self._metadata.append(f"!{len(self._metadata)} = !{{!{kind}, !{kind}, i64 0}}")
        return f", !tbaa !{self._tags[name]}"

    def _kind(self, name: str, parent: int = 0) -> int:
        key = f"kind {name}"
        if key not in self._tags:
            self._tags[key] = len(self._metadata)
            self._metadata.append(f'!{len(self._metadata)} = !{{!"{name}", !{parent}, i64 0}}')
        return self._tags[key]


def signed(number: int) -> int:
    """The number with the same 64 bits that LLVM understands everywhere."""
    return number - (1 << 64) if number >= 1 << 63 else number


def _shape(values: Sequence[Any]) -> tuple[int, ...]:
    """Rows of one length: table() sees to it."""
    return (len(values), *_shape(values[0])) if values and isinstance(values[0], list) else (len(values),)


def _narrowest(values: Sequence[Any]) -> str:
    flat = [v for row in values for v in row] if len(_shape(values)) > 1 else values
    bits = 1 + max((max(v, ~v).bit_length() for v in flat), default=0)
    if bits > 64:  # table() sees to it that none of them is negative
        return UINT
    return next(f"i{n}" for n in (8, 16, 32, 64) if bits <= n)


def _text(values: Sequence[Any], narrow: str) -> str:
    """A constant with its type before it."""
    whole = "".join(f"[{n} x " for n in _shape(values)) + llvm(narrow) + "]" * len(_shape(values))
    parts = (_text(v, narrow) if isinstance(v, list) else f"{llvm(narrow)} {signed(v)}" for v in values)
    return f"{whole} [{', '.join(parts)}]"
