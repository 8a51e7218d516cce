"""Alpha-beta: the worth that minimax gives, from a fraction of the positions.

Iterative deepening calls `alphabeta` with one depth after the other; what was learned stays in the table and
in the memory of good actions, so that the next depth looks at the best action first.

A remembered worth is used only if it was found at the very depth that is asked for: then the result is minimax's to
the number. The search that plays, which takes more liberties, is in deep.py.
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core.contract import NOBODY, Log, State, Terms, apply, key, legal
from quincunx.core.engine import rule
from quincunx.core.hints import rank
from quincunx.core.structure import Structure, copy, i8, i16, i32, i64
from quincunx.search.minimax import Thought, throw_dice
from quincunx.search.worth import WIN, final_worth, static_worth

INFINITE = 2 * WIN
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
TRIED_BEFORE, KILLER = 1 << 40, 1 << 36  # marks that put an action first
HISTORY = 4096


class Entry(Structure):
    """A position that was searched in this thought."""

    key: i64
    action: i64
    worth: i32
    depth: i8
    bound: i8
    thought: i16  # number of the thought that wrote it


class Habits(Structure):
    """Actions that cut before."""

    thought: i16
    killers: Annotated[list[list[i64]], 65, 2]
    history: Annotated[list[i32], 4096]


@rule
def mark_actions(
    terms: Terms, s: State, who: int, out: list[int], marks: list[int], n: int, first: int, habits: Habits, level: int
) -> None:
    """The action of the table first, then those that cut elsewhere, then what the game finds promising."""
    killers = habits.killers[level]
    for k in range(n):
        action = out[k]
        mark = (rank(terms, s, who, action) << 20) + habits.history[action & HISTORY - 1]
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
def remember_cut(habits: Habits, level: int, depth: int, action: int) -> None:
    killers = habits.killers[level]
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action
    slot = action & HISTORY - 1
    habits.history[slot] = min(habits.history[slot] + depth * depth, 1 << 19)


@rule
def alphabeta(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], table: list[Entry],
    thought: Thought, habits: Habits, log: Log, alpha: int, beta: int, depth: int, level: int,
) -> int:  # fmt: skip
    """The worth of stack[level] to the side that is to act there, if it lies between alpha and beta."""
    s, out = stack[level], moves[level]
    who = throw_dice(terms, s, thought.random, log)
    if level == 0 and who != NOBODY:
        who = thought.seat  # others may be asked at the same time
    sign = 1 if who == thought.seat else -1
    if who == NOBODY:
        return sign * final_worth(terms, s, thought.seat, depth)
    if depth == 0:
        return sign * static_worth(terms, s, thought.seat)
    code = key(terms, s)
    entry = table[code & len(table) - 1]
    first = -1
    if entry.key == code and entry.thought == habits.thought:
        first = entry.action
        if level > 0 and entry.depth == depth:
            if entry.bound == EXACT:
                return entry.worth
            if entry.bound == AT_LEAST:
                alpha = max(alpha, entry.worth)
            else:
                beta = min(beta, entry.worth)
            if alpha >= beta:
                return entry.worth
    n = legal(terms, s, who, out)
    mark_actions(terms, s, who, out, marks[level], n, first, habits, level)
    best, chosen, floor = -INFINITE, -1, alpha
    for k in range(n):
        if thought.stop or thought.nodes >= thought.most_nodes:
            thought.stop = 1
            return best
        action = bring_best_forward(out, marks[level], k, n)
        thought.nodes += 1
        below = stack[level + 1]
        copy(below, s)
        apply(terms, below, who, action, log)
        same = throw_dice(terms, below, thought.random, log) == thought.seat
        if same == (sign == 1):
            worth = alphabeta(
                terms, stack, moves, marks, table, thought, habits, log, alpha, beta, depth - 1, level + 1
            )
        else:
            worth = -alphabeta(
                terms, stack, moves, marks, table, thought, habits, log, -beta, -alpha, depth - 1, level + 1
            )
        if thought.stop:
            return best
        if worth > best:
            best, chosen = worth, action
            if level == 0:
                thought.best = action
        alpha = max(alpha, best)
        if alpha >= beta:
            remember_cut(habits, level, depth, action)
            break
    entry.key, entry.action, entry.worth, entry.depth, entry.thought = code, chosen, best, depth, habits.thought
    entry.bound = AT_MOST if best <= floor else AT_LEAST if best >= beta else EXACT
    return best
