"""Alpha-beta: the value that minimax gives, from a fraction of the positions.

Iterative deepening calls `exact` with one depth after the other; what was learned stays in the table and
in the memory of good actions, so that the next depth looks at the best action first.

A remembered value is used only if it was found at the very depth that is asked for: then the result is minimax's to
the number. The search that plays, which takes more liberties, is in alphabeta.py.
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core.contract import NOBODY, Log, State, Terms, apply, key
from quincunx.core.engine import rule
from quincunx.core.hints import rank
from quincunx.core.listing import listed
from quincunx.core.structure import Structure, copy, i8, i16, i32, i64
from quincunx.search.minimax import Search, is_spent, throw_dice
from quincunx.search.value import WIN, final_value, static_value

INFINITE = 2 * WIN
EXACT, LOWER, UPPER = 0, 1, 2
TRIED_BEFORE, KILLER = 1 << 40, 1 << 36  # marks that put an action first
HISTORY = 4096


class Entry(Structure):
    """A position in the transposition table."""

    key: i64
    action: i64
    value: i32
    depth: i8
    bound: i8
    search: i16  # number of the search that wrote it


class History(Structure):
    """Actions that cut before: killers at the same ply, the history anywhere."""

    search: i16
    killers: Annotated[list[list[i64]], 65, 2]
    cuts: Annotated[list[i32], 4096]


@rule
def mark_actions(
    terms: Terms, s: State, who: int, out: list[int], marks: list[int], n: int, first: int, history: History, ply: int
) -> None:
    """The action of the table first, then those that cut elsewhere, then what the game finds promising."""
    killers = history.killers[ply]
    for k in range(n):
        action = out[k]
        mark = (rank(terms, s, who, action) << 20) + history.cuts[action & HISTORY - 1]
        if action == first:
            mark += TRIED_BEFORE
        elif action == killers[0] or action == killers[1]:
            mark += KILLER
        marks[k] = mark


@rule
def bring_best_forward(out: list[int], marks: list[int], k: int, n: int) -> int:
    """Swaps the best of k..n-1 to place k and returns it."""
    best = k
    for j in range(k + 1, n):
        if marks[j] > marks[best]:
            best = j
    out[k], out[best] = out[best], out[k]
    marks[k], marks[best] = marks[best], marks[k]
    return out[k]


@rule
def reward_cutoff(history: History, ply: int, depth: int, action: int) -> None:
    killers = history.killers[ply]
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action
    slot = action & HISTORY - 1
    history.cuts[slot] = min(history.cuts[slot] + depth * depth, 1 << 19)


@rule
def exact(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], table: list[Entry],
    search: Search, history: History, log: Log, alpha: int, beta: int, depth: int, ply: int,
) -> int:  # fmt: skip
    """The value of stack[ply] to the side that is to act there, if it lies between alpha and beta."""
    s, out = stack[ply], moves[ply]
    who = throw_dice(terms, s, search.random, log)
    if ply == 0 and who != NOBODY:
        who = search.seat  # others may be asked at the same time
    sign = 1 if who == search.seat else -1
    if who == NOBODY:
        return sign * final_value(terms, s, search.seat, depth)
    if depth == 0:
        return sign * static_value(terms, s, search.seat)
    code = key(terms, s)
    entry = table[code & len(table) - 1]
    first = -1
    if entry.key == code and entry.search == history.search:
        first = entry.action
        if ply > 0 and entry.depth == depth:
            if entry.bound == EXACT:
                return entry.value
            if entry.bound == LOWER:
                alpha = max(alpha, entry.value)
            else:
                beta = min(beta, entry.value)
            if alpha >= beta:
                return entry.value
    n = listed(terms, s, who, out)
    mark_actions(terms, s, who, out, marks[ply], n, first, history, ply)
    best, chosen, floor = -INFINITE, -1, alpha
    for k in range(n):
        if is_spent(search):
            return best
        action = bring_best_forward(out, marks[ply], k, n)
        search.nodes += 1
        below = stack[ply + 1]
        copy(below, s)
        apply(terms, below, who, action, log)
        same = throw_dice(terms, below, search.random, log) == search.seat
        if same == (sign == 1):
            value = exact(terms, stack, moves, marks, table, search, history, log, alpha, beta, depth - 1, ply + 1)
        else:
            value = -exact(terms, stack, moves, marks, table, search, history, log, -beta, -alpha, depth - 1, ply + 1)
        if search.stop:
            return best
        if value > best:
            best, chosen = value, action
            if ply == 0:
                search.best = action
        alpha = max(alpha, best)
        if alpha >= beta:
            reward_cutoff(history, ply, depth, action)
            break
    entry.key, entry.action, entry.value, entry.depth, entry.search = code, chosen, best, depth, history.search
    entry.bound = UPPER if best <= floor else LOWER if best >= beta else EXACT
    return best
