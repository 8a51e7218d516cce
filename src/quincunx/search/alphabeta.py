"""Alpha-beta that sees far: the search of the strongest players.

To what `exact.py` does, it adds
- principal variation search: after the first action, a null window asks only whether another one is better;
- a table that outlives the search, killers, counter moves and a history to try the likely action first (ordering.py);
- late actions looked at less deeply, and again in full if they surprise;
- a turn that passes: where even that is too good for the other side, the position is left (`null_move`);
- what cannot come back within a few quiet actions is cut off (`futility_margin`);
- at the end of a line, noisy actions only (`noisy`), and every action out of a check (`in_check`);
- a position that comes back counts as a draw (`repetitions`), and a draw as a little less than even.

So a value may be wrong by what was not looked at; `exact` players use exact.py. But where the depth that is left covers
all that is left of the game (`plies_left`), nothing is left out, and what is found is proven.
"""

from __future__ import annotations

from quincunx.core.contract import NOBODY, Log, State, Terms, apply, key
from quincunx.core.engine import rule
from quincunx.core.engine import table as constant
from quincunx.core.hints import (
    ENDLESS,
    consider,
    futility_margin,
    in_check,
    lazy_evaluate,
    lazy_margin,
    noisy_actions,
    null_move,
    plies_left,
    rank_all,
    repetitions,
)
from quincunx.core.listing import listed
from quincunx.core.logarithm import ln
from quincunx.core.structure import copy, expect
from quincunx.search.exact import bring_best_forward
from quincunx.search.history import HISTORY, MAX_PLY, NO_ACTION, Worker
from quincunx.search.minimax import throw_dice
from quincunx.search.ordering import COUNTER, TACTICAL, learn_from_cutoff, next_action
from quincunx.search.transposition import (
    EXACT,
    LOWER,
    UPPER,
    Entry,
    bound_of,
    decides,
    depth_of,
    noise_of,
    probe,
    store,
    value_at,
)
from quincunx.search.value import WIN, final_value, static_value

INFINITE = 2 * WIN
UNDECIDED = 4 * WIN  # instead of a value
ASPIRATION = 25  # of the first guess at the root
EVASIONS = 3  # checks that the end of a line follows
REDUCTION = constant(
    [[int(0.4 + ln(float(max(depth, 1))) * ln(float(max(k, 1))) / 2.1) for k in range(64)] for depth in range(64)]
)  # by how much a late action is looked at less deeply
LATE_MOVES = constant([0, 8, 14, 24, 40])  # quiet actions that are tried at a small depth


@rule
def ended(terms: Terms, s: State, search: Worker, ply: int) -> int:
    value = final_value(terms, s, search.seat, MAX_PLY - ply)
    return value if value else -search.contempt


@rule
def out_of_budget(search: Worker) -> bool:
    if search.nodes >= search.most_nodes:
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


@rule
def beyond_futility(
    terms: Terms, s: State, search: Worker, sign: int, margin: int, beta: int, depth: int, ply: int
) -> bool:
    """Notes the evaluation of this ply. Is it so good that nothing quiet brings it below beta? (With margin 0, no.)"""
    here, unsure = search.plies[ply], lazy_margin(terms, s)
    asked = margin > 0 and depth <= 5
    if asked and unsure > 0:
        here.static = sign * lazy_evaluate(terms, s, search.seat) - unsure
        if here.static - margin * depth >= beta:
            return True
    here.static = sign * static_value(terms, s, search.seat)
    return asked and here.static - margin * (depth - improves(search, ply)) >= beta


@rule
def improves(search: Worker, ply: int) -> bool:
    """Does the side that is to act stand better than before its last action?"""
    return ply < 2 or search.plies[ply].static > search.plies[ply - 2].static


@rule
def look_up(
    table: list[Entry], code: int, search: Worker, narrow: bool, ends: bool, alpha: int, beta: int, depth: int, ply: int
) -> int:
    """Notes the table's action for this ply. The value, if the table knows enough, or UNDECIDED."""
    here = search.plies[ply]
    here.table_action, here.table_noise = NO_ACTION, 0
    place = probe(table, code, search.since)
    if place < 0:
        return UNDECIDED
    found = table[place].found
    here.table_action, here.table_noise = table[place].action, noise_of(found)
    value = value_at(found, ply)
    deep = depth_of(found) >= depth or (ends and abs(value) >= WIN)  # a proof holds at every depth
    return value if narrow and ply > 0 and deep and decides(bound_of(found), value, alpha, beta) else UNDECIDED


@rule
def is_late(search: Worker, reachable: int, alpha: int, depth: int, ply: int) -> bool:
    """Is a quiet action left out, near the end of a line? Others were tried before it, or none reaches alpha."""
    if depth > 4:
        return False
    return search.plies[ply].place > LATE_MOVES[depth] >> (not improves(search, ply)) or reachable <= alpha


@rule
def reduction_of(search: Worker, side: int, narrow: bool, depth: int, ply: int) -> int:
    """By how many plies less the action is looked at that is tried now."""
    here = search.plies[ply]
    plies = REDUCTION[min(depth, 63)][min(here.place, 63)] + (not improves(search, ply)) - (not narrow)
    plies -= search.history[side][here.played & HISTORY - 1] // 6000
    return max(0, min(plies, depth - 2))


@rule
def alphabeta(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], table: list[Entry],
    search: Worker, log: Log, alpha: int, beta: int, depth: int, ply: int,
) -> int:  # fmt: skip
    """The value of stack[ply] to the side that is to act there, if it lies between alpha and beta."""
    s, below, here = stack[ply], stack[ply + 1], search.plies[ply]
    who = throw_dice(terms, s, search.random, log)
    if ply == 0 and who != NOBODY:
        who = search.seat  # others may be asked at the same time
    sign = 1 if who == search.seat else -1
    side = (1 + sign) // 2
    if who == NOBODY:
        return sign * ended(terms, s, search, ply)
    if ply > 0 and repetitions(terms, s):
        return -sign * search.contempt
    checked = in_check(terms, s, who)
    if checked and ply < 2 * search.depth:
        depth += 1
    left = plies_left(terms, s)
    depth = min(depth, left)
    if depth <= 0 or ply >= MAX_PLY - 2:
        return quiesce(terms, stack, moves, marks, search, log, alpha, beta, ply, EVASIONS)
    narrow = beta - alpha == 1
    alpha, beta = max(alpha, ply - MAX_PLY - WIN), min(beta, WIN + MAX_PLY - ply - 1)  # no quicker win is possible
    if alpha >= beta:
        return alpha

    # what can be said without trying an action; nothing is guessed where the depth covers the rest of the game
    prunes = narrow and not checked and depth < left
    margin = futility_margin(terms, s) if prunes else 0
    hopes = margin > 0 and ply > 0 and abs(beta) < WIN
    if depth < left and beyond_futility(terms, s, search, sign, margin if hopes else 0, beta, depth, ply):
        return here.static
    code = key(terms, s)
    value = look_up(table, code, search, narrow, left < ENDLESS, alpha, beta, depth, ply)
    if value != UNDECIDED:
        return value
    if hopes and depth <= 2 and here.static + margin * (2 * depth + 1) <= alpha:
        value = quiesce(terms, stack, moves, marks, search, log, alpha, beta, ply, EVASIONS)
        if value <= alpha:
            return value
    if hopes and depth >= 3 and here.static >= beta and search.plies[ply - 1].played != NO_ACTION:
        copy(below, s)
        if null_move(terms, below, who):
            here.played = NO_ACTION
            value = -alphabeta(
                terms, stack, moves, marks, table, search, log, -beta, 1 - beta, depth - 3 - depth // 4, ply + 1
            )
            if search.stop:
                return here.static
            if value >= beta:
                return min(value, WIN - 1)
    if here.table_action == NO_ACTION and depth >= 5 and depth < left:
        depth -= 1

    # the actions, one after the other
    best, chosen, floor, noise = -INFINITE, NO_ACTION, alpha, False
    reachable = here.static + margin * (depth + 1)
    here.listed = here.place = here.alone = 0
    while True:
        if out_of_budget(search):
            return best
        action = next_action(terms, s, who, side, moves[ply], marks[ply], search, ply)
        if action == NO_ACTION:
            break
        k = here.place
        calm = marks[ply][k] < COUNTER
        if calm and margin > 0 and best > -WIN and is_late(search, reachable, alpha, depth, ply):
            best = max(best, min(alpha, reachable))
            break
        search.nodes += 1
        here.played = action
        copy(below, s)
        apply(terms, below, who, action, log)
        expect(table, key(terms, below) & len(table) - 1)
        same = throw_dice(terms, below, search.random, log) == search.seat
        flip = 1 if same == (sign == 1) else -1
        reduction = 0
        if k >= 3 and depth >= 3 and calm and not checked and depth < left:
            reduction = reduction_of(search, side, narrow, depth, ply)
        value = alpha + 1
        if k > 0 and (reduction > 0 or not narrow):  # is it better at all?
            lower, upper = (alpha, alpha + 1) if flip == 1 else (-alpha - 1, -alpha)
            value = flip * alphabeta(
                terms, stack, moves, marks, table, search, log, lower, upper, depth - 1 - reduction, ply + 1
            )
            if value > alpha and reduction > 0 and not narrow and not search.stop:
                value = flip * alphabeta(
                    terms, stack, moves, marks, table, search, log, lower, upper, depth - 1, ply + 1
                )
        if value > alpha and not search.stop:
            lower, upper = (alpha, beta) if flip == 1 else (-beta, -alpha)
            value = flip * alphabeta(terms, stack, moves, marks, table, search, log, lower, upper, depth - 1, ply + 1)
        if search.stop:
            return best
        if value > best:
            best = value
            if value > alpha:
                chosen, noise = action, marks[ply][k] & TACTICAL != 0
                if ply == 0:
                    search.best, search.value = action, value
        alpha = max(alpha, best)
        if alpha >= beta:
            learn_from_cutoff(search, side, ply, depth, moves[ply], marks[ply])
            break
    bound = UPPER if best <= floor else LOWER if best >= beta else EXACT
    store(table, code, search, ply, chosen, noise, best, depth, bound)
    return best


@rule
def aspiration_search(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], table: list[Entry],
    search: Worker, log: Log, guess: int, depth: int,
) -> int:  # fmt: skip
    """One depth at the root, first in a narrow window around what the depth before found.

    A depth that covers the rest of the game is asked for no more than who wins: how soon, smaller depths have said.
    """
    search.depth = depth
    wide = ASPIRATION
    alpha, beta = -INFINITE, INFINITE
    covers = depth >= plies_left(terms, stack[0])
    if covers:
        alpha, beta = -WIN, WIN
    elif depth >= 4 and abs(guess) < WIN:
        alpha, beta = guess - wide, guess + wide
    while True:
        value = alphabeta(terms, stack, moves, marks, table, search, log, alpha, beta, depth, 0)
        if search.stop:
            return search.value
        if covers or alpha < value < beta:
            return value
        wide *= 4
        if value <= alpha:
            alpha = max(value - wide, -INFINITE)
        else:
            beta = min(value + wide, INFINITE)
        if wide > 2000:
            alpha, beta = -INFINITE, INFINITE
