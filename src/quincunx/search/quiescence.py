"""Quiescence: at the end of a line, alpha-beta tries noisy actions only, and out of a check every action."""

from __future__ import annotations

from quincunx.core.contract import NOBODY, Log, State, Terms, apply
from quincunx.core.engine import rule
from quincunx.core.hints import consider, in_check, lazy_evaluate, lazy_margin, noisy_actions, rank_all
from quincunx.core.listing import listed
from quincunx.core.structure import copy
from quincunx.search.exact import bring_best_forward
from quincunx.search.history import MAX_PLY, Worker
from quincunx.search.minimax import throw_dice
from quincunx.search.value import WIN, final_value, static_value
from quincunx.search.watch import late

EVASIONS = 3  # checks that the end of a line follows


@rule
def ended(terms: Terms, s: State, search: Worker, ply: int) -> int:
    value = final_value(terms, s, search.seat, MAX_PLY - ply)
    return value if value else -search.contempt


@rule
def out_of_budget(search: Worker) -> bool:
    """Asked before every action: is it to come back? Then `stop` is set."""
    if search.nodes >= search.most_nodes or (search.nodes >= search.watch.next and late(search.watch, search.nodes)):
        search.stop = 1
    return search.stop != 0


@rule
def quiesce(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], search: Worker, log: Log,
    alpha: int, beta: int, ply: int, checks: int,
) -> int:  # fmt: skip
    """The value of stack[ply] once nothing noisy is left to do; out of check, every action is tried."""
    s, out = stack[ply], moves[ply]
    who = throw_dice(terms, s, search.random, log)
    sign = 1 if who == search.seat else -1
    if who == NOBODY:
        return sign * ended(terms, s, search, ply)
    checked = checks > 0 and in_check(terms, s, who)
    best = stand_pat(terms, s, search, sign, beta, checked)
    if ply >= MAX_PLY - 1 or (best >= beta and not checked):
        return best
    if checked:
        best = ply - MAX_PLY - WIN
        n = consider(terms, s, who, out, listed(terms, s, who, out))
        rank_all(terms, s, who, out, n, marks[ply])
    else:
        alpha = max(alpha, best)
        n = noisy_actions(terms, s, who, out, marks[ply])
    below = stack[ply + 1]
    for k in range(n):
        action = bring_best_forward(out, marks[ply], k, n)
        if out_of_budget(search):
            return best
        search.nodes += 1
        copy(below, s)
        apply(terms, below, who, action, log)
        if (throw_dice(terms, below, search.random, log) == search.seat) == (sign == 1):
            value = quiesce(terms, stack, moves, marks, search, log, alpha, beta, ply + 1, checks - checked)
        else:
            value = -quiesce(terms, stack, moves, marks, search, log, -beta, -alpha, ply + 1, checks - checked)
        if value > best:
            best = value
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    return best


@rule
def stand_pat(terms: Terms, s: State, search: Worker, sign: int, beta: int, checked: bool) -> int:
    """The evaluation; a lazy one, less its margin, if that is too good already."""
    unsure = lazy_margin(terms, s)
    if unsure > 0 and not checked:
        lazy = sign * lazy_evaluate(terms, s, search.seat) - unsure
        if lazy >= beta:
            return lazy
    return sign * static_value(terms, s, search.seat)
