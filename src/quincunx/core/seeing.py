"""A state as a seat sees it, encoded. In a game without secrets the state is its own view, and is not copied first."""

from __future__ import annotations

from quincunx.core.contract import State, Terms, View, observe
from quincunx.core.encoding import encode
from quincunx.core.engine import rule
from quincunx.core.structure import clear, i8, i32


@rule
def see(terms: Terms, s: State, seat: int, view: View, planes: list[i8], scalars: list[i32]) -> None:
    """Writes into planes and scalars that are empty; `view` is room to work in."""
    clear(view)
    observe(terms, s, seat, view)
    encode(terms, view, seat, planes, scalars)


@rule
def see_all(terms: Terms, s: View, seat: int, view: View, planes: list[i8], scalars: list[i32]) -> None:
    """The same where nothing is hidden: a gear puts it in the place of the other (games/folder.py)."""
    encode(terms, s, seat, planes, scalars)
