"""The doors through which Python enters a game's encoding: one row of states or views, as in core/by_row.py."""

from __future__ import annotations

from quincunx.core.contract import State, Terms, View
from quincunx.core.encoding import action_of, encode, number_of, write_mask
from quincunx.core.engine import rule
from quincunx.core.structure import i8, i32


@rule
def encode_at(terms: list[Terms], view: list[View], seat: int, planes: list[i8], scalars: list[i32]) -> None:
    encode(terms[0], view[0], seat, planes, scalars)


@rule
def number_at(terms: list[Terms], s: list[State], seat: int, action: int) -> int:
    return number_of(terms[0], s[0], seat, action)


@rule
def action_at(terms: list[Terms], s: list[State], seat: int, number: int) -> int:
    return action_of(terms[0], s[0], seat, number)


@rule
def mask_at(terms: list[Terms], s: list[State], seat: int, out: list[int], mask: list[i8]) -> None:
    write_mask(terms[0], s[0], seat, out, mask)


DOORS = [encode_at, number_at, action_at, mask_at]
