"""What one thread of a search knows besides the table: the line that it looks at, and which actions were good before.

Killers cut at the same ply of another line, counter moves after the same action of the other side; the history counts
how often an action cut at all, for each side.
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core.engine import rule
from quincunx.core.structure import Structure, i8, i16, i32, i64
from quincunx.search.minimax import Search
from quincunx.search.watch import wind

MAX_PLY = 96  # actions between the root and the deepest position that is looked at
HISTORY = 4096
MOST_HISTORY = 1 << 14
NO_ACTION = -1  # instead of an action


class Ply(Structure):
    """One position of the line: what is asked about it, what was found out, and how far its actions were tried."""

    alpha: i32  # asked for is its value to the side that is to act, if it lies between these two;
    beta: i32
    depth: i32  # looked at so deeply
    narrow: i8  # is it asked only whether the value is more than alpha?
    who: i16  # is to act
    side: i8  # 1 if that is the seat that thinks, else 0
    checked: i8
    margin: i32  # of futility; 0: nothing is cut off
    static: i32  # its evaluation, for the side that is to act
    key: i64
    table_action: i64  # what the table says to try first, or NO_ACTION
    table_noise: i8  # 1 if that is a noisy one
    killers: Annotated[list[i64], 2]
    listed: i32  # actions that are listed for it,
    place: i32  # and which of them is tried now
    alone: i8  # is only the table's listed yet?
    played: i64  # the action that led on from it, or NO_ACTION where the turn passed
    turns: i8  # 1 if the same side acts after it, -1 if the other does
    best: i32  # the value so far,
    chosen: i64  # the action that raised alpha, or NO_ACTION,
    noise: i8  # and 1 if that is a noisy one


class Worker(Search):
    """One thread of a search."""

    age: i16  # of this search
    since: i16  # the age of the first one of the match; older entries of the table belong to others
    contempt: i32  # what a draw costs the seat that thinks
    depth: i16  # of this round at the root
    value: i32  # of the best action at the root
    plies: Annotated[list[Ply], 97]
    history: Annotated[list[list[i32]], 2, 4096]  # by side
    counters: Annotated[list[i64], 4096]  # what cut after an action


@rule
def begin_search(
    worker: list[Worker], seat: int, first: int, most_nodes: int, deadline: int, age: int, since: int, contempt: int
) -> None:
    """`first` is an action to fall back on. Killers are forgotten, the history fades."""
    search = worker[0]
    search.seat, search.best, search.nodes, search.most_nodes, search.stop = seat, first, 0, most_nodes, 0
    wind(search.watch, deadline)
    search.age, search.since, search.contempt, search.depth, search.value = age, since, contempt, 0, 0
    for ply in range(MAX_PLY + 1):
        here = search.plies[ply]
        here.killers[0] = here.killers[1] = here.played = NO_ACTION
    for slot in range(HISTORY):
        for side in range(2):
            search.history[side][slot] = 0 if age == since else search.history[side][slot] // 4
        if age == since:
            search.counters[slot] = NO_ACTION


@rule
def counter_move(search: Worker, ply: int) -> int:
    """What cut before, after the action that led to this ply."""
    if ply == 0 or search.plies[ply - 1].played == NO_ACTION:
        return NO_ACTION
    return search.counters[search.plies[ply - 1].played & HISTORY - 1]


@rule
def reward(search: Worker, side: int, action: int, bonus: int) -> None:
    """More for an action that cut, less for one that was tried in vain; the nearer to the limit, the less."""
    history = search.history[side]
    slot = action & HISTORY - 1
    history[slot] += bonus - history[slot] * abs(bonus) // MOST_HISTORY


@rule
def reward_cutoff(search: Worker, side: int, ply: int, depth: int, action: int) -> None:
    killers = search.plies[ply].killers
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action
    reward(search, side, action, min(depth * depth * 16, 1600))
    if ply > 0 and search.plies[ply - 1].played != NO_ACTION:
        search.counters[search.plies[ply - 1].played & HISTORY - 1] = action
