"""A rule as one gear understands it, before a twin of it is made: all that a compiler is given."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple


class Table(list[Any]):
    """A constant list of whole numbers, or of such lists of one length."""


class Loose:
    """A table whose numbers may change while the compiled code is in use: a tuner tries weights so."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = array("q", numbers)


class Plan(NamedTuple):
    function: Any  # a FunctionType, which mypy would take for a method
    hints: dict[str, Any]
    constants: dict[str, Any]  # numbers, enums, primitives; a Table, or Loose
    rules: dict[str, Plan]  # the rules that it calls, by the names that it calls them
    name: str  # game.function.digest
    loose: bool  # does it, or a rule that it calls, read a Loose table? Then it is not cached
    timed: bool  # does it, or a rule that it calls, look at the clock? Rules of games do not
