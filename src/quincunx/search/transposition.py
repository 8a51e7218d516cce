"""What a search remembers: positions in a table, kept between the moves of a match, and the actions that cut.

A slot says of whom it speaks by `check`, the key mixed with all that the slot holds: of two threads that write the
same slot at once, or of a reader in between, none takes a half-written one for true. A position has two places, and
the one that is older, or was searched less deeply, gives way.
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core.engine import rule
from quincunx.core.structure import Structure, i16, i32, i64
from quincunx.search.value import WIN

EXACT, LOWER, UPPER = 0, 1, 2
MAX_PLY = 96  # actions between the root and the deepest position that is looked at
AGES = 16_000  # searches that a table tells apart
HISTORY = 4096
MOST_HISTORY = 1 << 14
NO_ACTION = -1  # instead of an action
_ZERO = 1 << 22  # added to a value, which is less than that, so that it is never negative


class Slot(Structure):
    check: i64
    action: i64
    found: i64  # value, age, noise, depth, bound: see `pack`


class Habits(Structure):
    """What one thread knows besides: which actions cut, and how the search was meant."""

    age: i16  # of this search
    since: i16  # the age of the first one of the match; older slots belong to others
    contempt: i32  # what a draw costs the seat that thinks
    depth: i16  # of this round at the root
    value: i32  # of the best action at the root
    killers: Annotated[list[list[i64]], 97, 2]
    played: Annotated[list[i64], 97]  # the action that led on from each ply, or NO_ACTION where the turn passed
    static: Annotated[list[i32], 97]
    history: Annotated[list[list[i32]], 2, 4096]  # by side
    counters: Annotated[list[i64], 4096]  # what cut after an action


@rule
def pack(value: int, age: int, noise: bool, depth: int, bound: int) -> int:
    return (value + _ZERO) << 24 | age << 10 | noise << 9 | depth << 2 | bound


@rule
def value_of(found: int) -> int:
    return (found >> 24) - _ZERO


@rule
def age_of(found: int) -> int:
    return found >> 10 & 0x3FFF


@rule
def depth_of(found: int) -> int:
    return found >> 2 & 0x7F


@rule
def noise_of(found: int) -> int:
    """1 if the action is a noisy one."""
    return found >> 9 & 1


@rule
def probe(table: list[Slot], code: int, since: int) -> int:
    """The place of the position in the table, or -1."""
    place = code & len(table) - 1
    for _ in range(2):
        slot = table[place]
        if slot.check ^ slot.action ^ slot.found == code and age_of(slot.found) >= since:
            return place
        place ^= 1
    return -1


@rule
def store(
    table: list[Slot], code: int, habits: Habits, ply: int, action: int, noise: bool, value: int, depth: int,
    bound: int,
) -> None:  # fmt: skip
    """Wins are counted from the position, not from the root. Without an action, the one known before is kept."""
    place = probe(table, code, habits.since)
    if place >= 0:
        if action == NO_ACTION:
            action, noise = table[place].action, noise_of(table[place].found) != 0
    else:
        place = code & len(table) - 1
        if weight(table[place ^ 1].found, habits) < weight(table[place].found, habits):
            place ^= 1
    if value >= WIN:
        value += ply
    elif value <= -WIN:
        value -= ply
    slot, found = table[place], pack(value, habits.age, noise, max(0, depth), bound)
    slot.check = code ^ action ^ found
    slot.action = action
    slot.found = found


@rule
def weight(found: int, habits: Habits) -> int:
    """What a slot is worth keeping: its depth, less for each move that was made since; nothing, if it is foreign."""
    age = age_of(found)
    return -1000 if age < habits.since else depth_of(found) - 4 * min(32, habits.age - age)


@rule
def value_at(found: int, ply: int) -> int:
    """As seen from the root."""
    value = value_of(found)
    return value - ply if value >= WIN else value + ply if value <= -WIN else value


@rule
def reward(habits: Habits, side: int, action: int, bonus: int) -> None:
    """More for an action that cut, less for one that was tried in vain; the nearer to the limit, the less."""
    history = habits.history[side]
    slot = action & HISTORY - 1
    history[slot] += bonus - history[slot] * abs(bonus) // MOST_HISTORY


@rule
def reward_cutoff(habits: Habits, side: int, ply: int, depth: int, action: int) -> None:
    killers = habits.killers[ply]
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action
    reward(habits, side, action, min(depth * depth * 16, 1600))
    if ply > 0 and habits.played[ply - 1] != NO_ACTION:
        habits.counters[habits.played[ply - 1] & HISTORY - 1] = action


@rule
def begin_search(habits: list[Habits], age: int, since: int, contempt: int) -> None:
    """Killers are forgotten, the history fades."""
    mind = habits[0]
    mind.age, mind.since, mind.contempt = age, since, contempt
    for ply in range(MAX_PLY + 1):
        mind.killers[ply][0] = mind.killers[ply][1] = NO_ACTION
        mind.played[ply] = NO_ACTION
    for slot in range(HISTORY):
        for side in range(2):
            mind.history[side][slot] = 0 if age == since else mind.history[side][slot] // 4
        if age == since:
            mind.counters[slot] = NO_ACTION
