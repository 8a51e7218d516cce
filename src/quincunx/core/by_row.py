"""The doors through which Python enters the rules: row `k` of an array of states, one array of one terms.

NumPy rows are four times cheaper to hand over than single structures, and an array of many states is a batch.
"""

from __future__ import annotations

from quincunx.core.contract import (
    Log,
    State,
    Terms,
    View,
    apply,
    chance_outcome,
    check,
    fallback,
    imagine,
    key,
    observe,
    roll,
    score,
    to_act,
    turn,
)
from quincunx.core.engine import rule
from quincunx.core.listing import listed
from quincunx.core.random import Random, seed
from quincunx.core.structure import clear


@rule
def turn_at(terms: list[Terms], s: list[State], k: int) -> int:
    return turn(terms[0], s[k])


@rule
def to_act_at(terms: list[Terms], s: list[State], k: int, seat: int) -> bool:
    return to_act(terms[0], s[k], seat)


@rule
def legal_at(terms: list[Terms], s: list[State], k: int, seat: int, out: list[int]) -> int:
    return listed(terms[0], s[k], seat, out)


@rule
def check_at(terms: list[Terms], s: list[State], k: int, seat: int, action: int) -> int:
    return check(terms[0], s[k], seat, action)


@rule
def apply_at(terms: list[Terms], s: list[State], k: int, seat: int, action: int, log: list[Log]) -> None:
    apply(terms[0], s[k], seat, action, log[0])


@rule
def roll_at(terms: list[Terms], s: list[State], k: int, random: list[Random]) -> int:
    return roll(terms[0], s[k], random[0])


@rule
def chance_outcome_at(terms: list[Terms], s: list[State], k: int, action: int) -> int:
    return chance_outcome(terms[0], s[k], action)


@rule
def score_at(terms: list[Terms], s: list[State], k: int, seat: int) -> int:
    return score(terms[0], s[k], seat)


@rule
def observe_at(terms: list[Terms], s: list[State], k: int, seat: int, view: list[View]) -> None:
    clear(view[0])
    observe(terms[0], s[k], seat, view[0])


@rule
def imagine_at(terms: list[Terms], view: list[View], seat: int, random: list[Random], s: list[State], k: int) -> None:
    imagine(terms[0], view[0], seat, random[0], s[k])


@rule
def fallback_at(terms: list[Terms], s: list[State], k: int, seat: int) -> int:
    return fallback(terms[0], s[k], seat)


@rule
def key_at(terms: list[Terms], s: list[State], k: int) -> int:
    return key(terms[0], s[k])


@rule
def seed_at(random: list[Random], value: int) -> None:
    seed(random[0], value)
