"""The text of an LLVM module, as it grows: functions, tables, words, and what may alias.

What a store can change is told to LLVM by names (TBAA): memory is structures of known layout and rows of numbers;
nobody casts pointers. `Log.count` is never touched by a store to `State.board`, and rows that came as an argument may
be any rows of their element. (`noalias` would be wrong: a rule may be given a structure and a row of it.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quincunx.core.compile.kinds import TABLE, Row, Value, texts
from quincunx.core.plan import Loose

Array = np.ndarray[Any, Any]


class Module:
    def __init__(self, checked: bool) -> None:
        self.checked = checked
        self._functions: list[str] = []
        self._constants: list[str] = []  # tables and words
        self._declared: set[str] = set()
        self._tables: dict[tuple[tuple[int, ...], bytes], tuple[Row, str]] = {}
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

    def table(self, values: Array) -> Value:
        """A constant, in the narrowest integers that hold it."""
        key = values.shape, values.tobytes()
        if key not in self._tables:
            narrow = _narrowest(values)
            name = f"@table.{len(self._tables)}"
            self._tables[key] = Row(narrow, values.shape, TABLE), name
            whole = "".join(f"[{n} x " for n in values.shape) + narrow + "]" * values.ndim
            self._constants.append(f"{name} = internal unnamed_addr constant {whole} {_text(values, narrow)}, align 64")
        return Value(*self._tables[key], texts(values.shape))

    def loose(self, table: Loose) -> Value:
        """Its numbers may change: they stay where they are, and the code is for this process only."""
        shape = table.numbers.shape
        at = f"inttoptr (i64 {table.numbers.ctypes.data} to ptr)"
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


def _narrowest(values: Array) -> str:
    ends = (int(values.min()), int(values.max())) if values.size else (0,)
    bits = 1 + max(max(v, ~v).bit_length() for v in ends)
    return next(f"i{n}" for n in (8, 16, 32, 64) if bits <= n)


def _text(values: Array, narrow: str) -> str:
    if values.ndim == 1:
        return "[" + ", ".join(f"{narrow} {v}" for v in values.tolist()) + "]"
    return "[" + ", ".join(f"[{len(row)} x {narrow}] {_text(row, narrow)}" for row in values) + "]"
