"""The transposition table: positions that were searched, kept between the moves of a match.

An entry says of whom it speaks by `check`, the key mixed with all that the entry holds: of two threads that write the
same entry at once, or of a reader in between, none takes a half-written one for true. A position has two places, and
the one that is older, or was searched less deeply, gives way.
"""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.core.structure import Structure, i64
from quincunx.search.history import NO_ACTION, Worker
from quincunx.search.value import WIN

EXACT, LOWER, UPPER = 0, 1, 2
AGES = 16_000  # searches that a table tells apart
_ZERO = 1 << 22  # added to a value, which is less than that, so that it is never negative


class Entry(Structure):
    check: i64
    action: i64
    found: i64  # value, age, noise, depth, bound: see `pack`


@rule
def pack(value: int, age: int, noise: int, depth: int, bound: int) -> int:
    return (value + _ZERO) << 24 | age << 10 | noise << 9 | depth << 2 | bound


@rule
def value_of(found: int) -> int:
    return (found >> 24) - _ZERO


@rule
def age_of(found: int) -> int:
    return found >> 10 & 0x3FFF


@rule
def noise_of(found: int) -> int:
    """1 if the action is a noisy one."""
    return found >> 9 & 1


@rule
def depth_of(found: int) -> int:
    return found >> 2 & 0x7F


@rule
def bound_of(found: int) -> int:
    return found & 3


@rule
def value_at(found: int, ply: int) -> int:
    """As seen from the root."""
    value = value_of(found)
    return value - ply if value >= WIN else value + ply if value <= -WIN else value


@rule
def decides(bound: int, value: int, alpha: int, beta: int) -> bool:
    """Is what the table says enough for this window?"""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


@rule
def probe(table: list[Entry], code: int, since: int) -> int:
    """The place of the position in the table, or -1."""
    place = code & len(table) - 1
    for _ in range(2):
        entry = table[place]
        if entry.check ^ entry.action ^ entry.found == code and age_of(entry.found) >= since:
            return place
        place ^= 1
    return -1


@rule
def store(table: list[Entry], search: Worker, ply: int) -> None:
    """Wins are counted from the position, not from the root. Without an action, the one known before is kept."""
    here = search.plies[ply]
    action, noise, value = here.chosen, here.noise, here.best
    bound = UPPER if action == NO_ACTION else LOWER if value >= here.beta else EXACT
    place = probe(table, here.key, search.since)
    if place >= 0:
        if action == NO_ACTION:
            action, noise = table[place].action, noise_of(table[place].found)
    else:
        place = here.key & len(table) - 1
        if weight(table[place ^ 1].found, search) < weight(table[place].found, search):
            place ^= 1
    if value >= WIN:
        value += ply
    elif value <= -WIN:
        value -= ply
    entry, found = table[place], pack(value, search.age, noise, max(0, here.depth), bound)
    entry.check = here.key ^ action ^ found
    entry.action = action
    entry.found = found


@rule
def weight(found: int, search: Worker) -> int:
    """What an entry is worth keeping: its depth, less for each move that was made since; nothing, if it is foreign."""
    age = age_of(found)
    return -1000 if age < search.since else depth_of(found) - 4 * min(32, search.age - age)
