"""The types of rules. A value is a whole number (i64), one without a sign (u64, what LLVM calls i64 too), a truth value
(i1), a fraction (double), a structure (a pointer), rows (a pointer and the lengths that are not known beforehand), or
several of these. Narrow integers are in memory only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Annotated, Any, NamedTuple, TypeAlias, get_args, get_origin

from quincunx.core.layout import layout as lie
from quincunx.core.plan import Plan
from quincunx.core.structure import Scalar, Structure, fields

INT, UINT, BOOL, FLOAT, NOTHING = "i64", "u64", "i1", "double", "void"
NUMBERS = (INT, UINT, BOOL, FLOAT)
SIZE = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "u64": 8, "double": 8}
ZERO = {"ptr": "null", "double": "0.0", "i1": "false", "i64": "0"}
TABLE = "table"  # the tag of rows that nobody writes to


@dataclass(frozen=True, slots=True)
class Rec:
    """A structure."""

    structure: type[Structure]

    @property
    def size(self) -> int:
        return lie(self.structure).size

    @property
    def align(self) -> int:
        return lie(self.structure).align


@dataclass(frozen=True, slots=True)
class Row:
    """A list: of numbers as they lie in memory ("i8" … "double"), or of structures. None: a length not known."""

    element: str | Rec
    lengths: tuple[int | None, ...]
    tag: str  # what a store to an element may change: see module.py

    @property
    def is_table(self) -> bool:
        return self.tag == TABLE


@dataclass(frozen=True, slots=True)
class Several:
    """The values of `a, b = …`."""

    kinds: tuple[Kind, ...]


Kind: TypeAlias = str | Rec | Row | Several


class Value(NamedTuple):
    kind: Kind
    of: str  # an operand of LLVM; of several values, nothing
    lengths: tuple[str, ...] = ()
    parts: tuple[Value, ...] = ()
    natural: bool = False  # is it a signed number that cannot be negative?
    shifted: bool = False  # is it a signed number whose last bit Python would not take for a sign?


class Place(NamedTuple):
    """Where a number lies."""

    pointer: str
    element: str
    tag: str
    signal: bool = False


class FieldAt(NamedTuple):
    """A field of a structure in memory."""

    offset: int
    element: str | Rec
    shape: tuple[int, ...]
    signal: bool


@cache
def layout(structure: type[Structure]) -> dict[str, FieldAt]:
    offsets = lie(structure).offsets
    return {f.name: FieldAt(offsets[f.name], _element(f.element), f.shape, f.signal) for f in fields(structure)}


def _element(element: Scalar | type[Structure]) -> str | Rec:
    return element.name if isinstance(element, Scalar) else Rec(element)


def kind_of_hint(hint: Any) -> Kind:
    """Integers travel as i64; only rows and fields are narrow."""
    if hint in (None, NoneType):
        return NOTHING
    lengths: tuple[None, ...] = ()
    while get_origin(hint) is list:
        (hint,) = get_args(hint)
        lengths = (*lengths, None)
    if isinstance(hint, type) and issubclass(hint, Structure):
        return Row(Rec(hint), lengths, "") if lengths else Rec(hint)
    narrow = get_args(hint)[1].name if get_origin(hint) is Annotated else None
    plain = UINT if narrow == UINT else {int: INT, bool: BOOL, float: FLOAT}[get_args(hint)[0] if narrow else hint]
    return Row(narrow or plain, lengths, any_row(narrow or plain)) if lengths else plain


def parameters(plan: Plan) -> list[tuple[str, Kind]]:
    code = plan.function.__code__
    return [(name, kind_of_hint(plan.hints[name])) for name in code.co_varnames[: code.co_argcount]]


def returns(plan: Plan) -> str:
    """Engine and annotations see to it that this is a number or nothing."""
    return str(kind_of_hint(plan.hints["return"]))


def any_row(element: str | Rec) -> str:
    """The tag of rows that may be any rows of this element."""
    return "" if isinstance(element, Rec) else f"row {element}"


def wide(element: str | Rec) -> str | Rec:
    """What becomes of an element when it is read."""
    return element if isinstance(element, Rec) or element in (FLOAT, UINT) else INT


def llvm(number: str) -> str:
    """The type of a number as LLVM has it: whether there is a sign is a matter of operations."""
    return INT if number == UINT else number


def texts(lengths: tuple[int | None, ...]) -> tuple[str, ...]:
    return tuple(str(n) for n in lengths)


# -- a value as LLVM passes it around: one or more operands -------------------------------------------------------


def flat_kinds(kind: Kind) -> list[str]:
    match kind:
        case Several(kinds):
            return [part for k in kinds for part in flat_kinds(k)]
        case Rec():
            return ["ptr"]
        case Row(_, lengths):
            return ["ptr", *("i64" for n in lengths if n is None)]
    return [llvm(kind)]


def flat(value: Value) -> list[str]:
    if isinstance(value.kind, Several):
        return [part for v in value.parts for part in flat(v)]
    if isinstance(value.kind, Row):
        return [value.of, *(have for have, n in zip(value.lengths, value.kind.lengths, strict=True) if n is None)]
    return [value.of]


def unflat(kind: Kind, parts: list[str]) -> Value:
    """The inverse of `flat`; takes its parts from the front of the list."""
    if isinstance(kind, Several):
        return Value(kind, "", parts=tuple(unflat(k, parts) for k in kind.kinds))
    of = parts.pop(0)
    if isinstance(kind, Row):
        return Value(kind, of, tuple(str(n) if n is not None else parts.pop(0) for n in kind.lengths))
    return Value(kind, of)


def in_words(kind: Kind | None) -> str:
    match kind:
        case Rec(structure):
            return f"a {structure.__name__}"
        case Row(element, _, tag):
            what = in_words(element) if isinstance(element, Rec) else element
            return f"a table of {what}" if tag == TABLE else f"rows of {what}"
        case Several(kinds):
            return ", ".join(map(in_words, kinds))
    return {
        INT: "a whole number",
        UINT: "a whole number without a sign",
        BOOL: "a truth value",
        FLOAT: "a fraction",
        NOTHING: "nothing",
    }.get(kind or "", "a name without a value")
