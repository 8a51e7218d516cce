"""Alpha-beta that sees far: the search of the strongest players.

To what `exact.py` does, it adds
- principal variation search: after the first action, a null window asks only whether another one is better;
- a table that outlives the search, killers, counter moves and a history to try the likely action first;
- late actions looked at less deeply, and again in full if they surprise;
- a turn that passes: where even that is too good for the other side, the position is left (`null_move`);
- what cannot come back within a few quiet actions is cut off (`futility_margin`);
- at the end of a line, noisy actions only (`noisy`), and every action out of a check (`in_check`);
- a position that comes back counts as a draw (`repetitions`), and a draw as a little less than even.

None of it is minimax any more: a value may be wrong by what was not looked at. `exact` players use exact.py.
"""

from __future__ import annotations

from quincunx.core.contract import NOBODY, Log, State, Terms, apply, check, key
from quincunx.core.engine import rule
from quincunx.core.engine import table as constant
from quincunx.core.hints import (
    NOISY,
    branch,
    futility_margin,
    in_check,
    lazy_evaluate,
    lazy_margin,
    noisy_actions,
    null_move,
    rank_all,
    repetitions,
)
from quincunx.core.listing import listed
from quincunx.core.logarithm import ln
from quincunx.core.structure import expect
from quincunx.search.exact import bring_best_forward
from quincunx.search.minimax import Search, throw_dice
from quincunx.search.transposition import (
    EXACT,
    HISTORY,
    LOWER,
    MAX_PLY,
    MOST_HISTORY,
    NO_ACTION,
    UPPER,
    Habits,
    Slot,
    depth_of,
    noise_of,
    probe,
    reward,
    reward_cutoff,
    store,
    value_at,
)
from quincunx.search.value import WIN, final_value, static_value

INFINITE = 2 * WIN
PLACES = 1 << 16  # a mark ends with the place of its action, counted from the back: the greatest mark says where it is
FROM_TABLE, TACTICAL, KILLER, COUNTER = 1 << 56, 1 << 50, 1 << 49, 1 << 48  # marks, above every history
ASPIRATION = 25  # of the first guess at the root
EVASIONS = 3  # checks that the end of a line follows
SORTED = 16  # actions that are looked for in order; the rest are as good as one another
REDUCTION = constant(
    [[int(0.4 + ln(float(max(depth, 1))) * ln(float(max(k, 1))) / 2.1) for k in range(64)] for depth in range(64)]
)  # by how much a late action is looked at less deeply
LATE_MOVES = constant([0, 8, 14, 24, 40])  # quiet actions that are tried at a small depth


@rule
def ended(terms: Terms, s: State, search: Search, habits: Habits, ply: int) -> int:
    value = final_value(terms, s, search.seat, MAX_PLY - ply)
    return value if value else -habits.contempt


@rule
def mark_actions(
    terms: Terms, s: State, who: int, side: int, out: list[int], n: int, marks: list[int], first: int, habits: Habits,
    ply: int,
) -> None:  # fmt: skip
    """The table's action, noisy ones, those that cut elsewhere, then by what the game thinks and by history."""
    rank_all(terms, s, who, out, n, marks)
    killers, history = habits.killers[ply], habits.history[side]
    counter = NO_ACTION
    if ply > 0 and habits.played[ply - 1] != NO_ACTION:
        counter = habits.counters[habits.played[ply - 1] & HISTORY - 1]
    for k in range(n):
        action, mark = out[k], marks[k]
        if mark >= NOISY:
            mark = mark * PLACES + TACTICAL
        else:
            mark = (mark * 32 + history[action & HISTORY - 1] + MOST_HISTORY) * PLACES
            if action == killers[0] or action == killers[1]:
                mark += KILLER
            elif action == counter:
                mark += COUNTER
        if action == first:
            mark += FROM_TABLE
        marks[k] = mark + PLACES - 1 - k


@rule
def pick_best(out: list[int], marks: list[int], k: int, n: int) -> int:
    """Swaps the action with the greatest mark of k..n-1 to place k and returns it."""
    top = marks[k]
    for j in range(k + 1, n):
        top = max(top, marks[j])
    place = PLACES - 1 - (top & PLACES - 1)
    out[k], out[place] = out[place], out[k]
    marks[place] = (marks[k] | PLACES - 1) - place
    marks[k] = top
    return out[k]


@rule
def decides(bound: int, value: int, alpha: int, beta: int) -> bool:
    """Is what the table says enough for this window?"""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


@rule
def learn_from_cutoff(habits: Habits, side: int, ply: int, depth: int, out: list[int], mark: list[int], k: int) -> None:
    """out[k] was enough: it is tried earlier next time, and those that were tried before it later."""
    if mark[k] & TACTICAL:
        return
    reward_cutoff(habits, side, ply, depth, out[k])
    for j in range(k):
        if mark[j] & TACTICAL == 0:
            reward(habits, side, out[j], -min(depth * depth * 16, 1600))


@rule
def quiesce(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], search: Search, habits: Habits,
    log: Log, alpha: int, beta: int, ply: int, checks: int,
) -> int:  # fmt: skip
    """The value of stack[ply] once nothing noisy is left to do; out of check, every action is tried."""
    s, out = stack[ply], moves[ply]
    who = throw_dice(terms, s, search.random, log)
    sign = 1 if who == search.seat else -1
    if who == NOBODY:
        return sign * ended(terms, s, search, habits, ply)
    checked = checks > 0 and in_check(terms, s, who)
    unsure = lazy_margin(terms, s)
    if unsure > 0 and not checked:
        best = sign * lazy_evaluate(terms, s, search.seat) - unsure
        if best >= beta:
            return best
    best = sign * static_value(terms, s, search.seat)
    if ply >= MAX_PLY - 1:
        return best
    if checked:
        best = ply - MAX_PLY - WIN
    else:
        if best >= beta:
            return best
        alpha = max(alpha, best)
    if checked:
        n = listed(terms, s, who, out)
        rank_all(terms, s, who, out, n, marks[ply])
    else:
        n = noisy_actions(terms, s, who, out, marks[ply])
    below = stack[ply + 1]
    for k in range(n):
        action = bring_best_forward(out, marks[ply], k, n)
        if search.stop or search.nodes >= search.most_nodes:
            search.stop = 1
            return best
        search.nodes += 1
        branch(terms, below, s)
        apply(terms, below, who, action, log)
        if (throw_dice(terms, below, search.random, log) == search.seat) == (sign == 1):
            value = quiesce(terms, stack, moves, marks, search, habits, log, alpha, beta, ply + 1, checks - checked)
        else:
            value = -quiesce(terms, stack, moves, marks, search, habits, log, -beta, -alpha, ply + 1, checks - checked)
        if value > best:
            best = value
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    return best


@rule
def alphabeta(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], table: list[Slot],
    search: Search, habits: Habits, log: Log, alpha: int, beta: int, depth: int, ply: int,
) -> int:  # fmt: skip
    """The value of stack[ply] to the side that is to act there, if it lies between alpha and beta."""
    s, out, mark = stack[ply], moves[ply], marks[ply]
    who = throw_dice(terms, s, search.random, log)
    if ply == 0 and who != NOBODY:
        who = search.seat  # others may be asked at the same time
    sign = 1 if who == search.seat else -1
    side = (1 + sign) // 2
    if who == NOBODY:
        return sign * ended(terms, s, search, habits, ply)
    if ply > 0 and repetitions(terms, s):
        return -sign * habits.contempt
    checked = in_check(terms, s, who)
    if checked and ply < 2 * habits.depth:
        depth += 1
    if depth <= 0 or ply >= MAX_PLY - 2:
        return quiesce(terms, stack, moves, marks, search, habits, log, alpha, beta, ply, EVASIONS)
    narrow = beta - alpha == 1
    alpha, beta = max(alpha, ply - MAX_PLY - WIN), min(beta, WIN + MAX_PLY - ply - 1)  # no quicker win is possible
    if alpha >= beta:
        return alpha
    margin, unsure = futility_margin(terms, s), lazy_margin(terms, s)
    hopes = narrow and not checked and margin > 0 and ply > 0 and abs(beta) < WIN
    if hopes and unsure > 0 and depth <= 5:
        static = sign * lazy_evaluate(terms, s, search.seat) - unsure
        if static - margin * depth >= beta:
            return static
    static = sign * static_value(terms, s, search.seat)
    habits.static[ply] = static
    better = ply < 2 or static > habits.static[ply - 2]
    if hopes and depth <= 5 and static - margin * (depth - better) >= beta:
        return static
    code, first, found = key(terms, s), NO_ACTION, 0
    place = probe(table, code, habits.since)
    if place >= 0:
        slot = table[place]
        first, found = slot.action, slot.found
        value = value_at(found, ply)
        if narrow and ply > 0 and depth_of(found) >= depth and decides(found & 3, value, alpha, beta):
            return value
    below = stack[ply + 1]
    if hopes:
        if depth <= 2 and static + margin * (2 * depth + 1) <= alpha:
            value = quiesce(terms, stack, moves, marks, search, habits, log, alpha, beta, ply, EVASIONS)
            if value <= alpha:
                return value
        if depth >= 3 and static >= beta and habits.played[ply - 1] != NO_ACTION:
            branch(terms, below, s)
            if null_move(terms, below, who):
                habits.played[ply] = NO_ACTION
                value = -alphabeta(
                    terms, stack, moves, marks, table, search, habits, log, -beta, 1 - beta,
                    depth - 3 - depth // 4, ply + 1,
                )  # fmt: skip
                if search.stop:
                    return static
                if value >= beta:
                    return min(value, WIN - 1)
    if first == NO_ACTION and depth >= 5:
        depth -= 1
    known = first != NO_ACTION and check(terms, s, who, first) == 0
    if known:  # it is often enough: the others are looked for only after it
        n, out[0], mark[0] = 1, first, FROM_TABLE + TACTICAL * noise_of(found)
    else:
        n = listed(terms, s, who, out)
        mark_actions(terms, s, who, side, out, n, mark, first, habits, ply)
    best, chosen, floor, noise, k = -INFINITE, NO_ACTION, alpha, False, 0
    prunes, reachable = narrow and not checked and margin > 0 and depth <= 4, static + margin * (depth + 1)
    while k < n:
        if search.stop or search.nodes >= search.most_nodes:
            search.stop = 1
            return best
        action = pick_best(out, mark, k, n) if k < SORTED and n > 1 else out[k]
        calm = mark[k] < COUNTER
        if calm and prunes and best > -WIN and (k > LATE_MOVES[depth] >> (not better) or reachable <= alpha):
            best = max(best, min(alpha, reachable))
            break
        search.nodes += 1
        habits.played[ply] = action
        branch(terms, below, s)
        apply(terms, below, who, action, log)
        expect(table, key(terms, below) & len(table) - 1)
        same = throw_dice(terms, below, search.random, log) == search.seat
        flip = 1 if same == (sign == 1) else -1
        reduction = 0
        if k >= 3 and depth >= 3 and calm and not checked:
            reduction = REDUCTION[min(depth, 63)][min(k, 63)] + (not better) - (not narrow)
            reduction -= habits.history[side][action & HISTORY - 1] // 6000
            reduction = max(0, min(reduction, depth - 2))
        value = alpha + 1
        if k > 0 and (reduction > 0 or not narrow):
            lower, upper = (alpha, alpha + 1) if flip == 1 else (-alpha - 1, -alpha)
            value = flip * alphabeta(
                terms, stack, moves, marks, table, search, habits, log, lower, upper, depth - 1 - reduction, ply + 1
            )
            if value > alpha and reduction > 0 and not narrow and not search.stop:
                value = flip * alphabeta(
                    terms, stack, moves, marks, table, search, habits, log, lower, upper, depth - 1, ply + 1
                )
        if value > alpha and not search.stop:
            lower, upper = (alpha, beta) if flip == 1 else (-beta, -alpha)
            value = flip * alphabeta(
                terms, stack, moves, marks, table, search, habits, log, lower, upper, depth - 1, ply + 1
            )
        if search.stop:
            return best
        if value > best:
            best = value
            if value > alpha:
                chosen, noise = action, mark[k] & TACTICAL != 0
                if ply == 0:
                    search.best, habits.value = action, value
        alpha = max(alpha, best)
        if alpha >= beta:
            learn_from_cutoff(habits, side, ply, depth, out, mark, k)
            break
        k += 1
        if known:
            known = False
            n = listed(terms, s, who, out)
            mark_actions(terms, s, who, side, out, n, mark, first, habits, ply)
            pick_best(out, mark, 0, n)
            k = 1 if mark[0] >= FROM_TABLE else 0  # else it is none of those that this game lists
    bound = UPPER if best <= floor else LOWER if best >= beta else EXACT
    store(table, code, habits, ply, chosen, noise, best, depth, bound)
    return best


@rule
def aspiration_search(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], table: list[Slot],
    search: Search, habits: Habits, log: Log, guess: int, depth: int,
) -> int:  # fmt: skip
    """One depth at the root, first in a narrow window around what the depth before found."""
    habits.depth = depth
    wide = ASPIRATION
    alpha, beta = -INFINITE, INFINITE
    if depth >= 4 and abs(guess) < WIN:
        alpha, beta = guess - wide, guess + wide
    while True:
        value = alphabeta(terms, stack, moves, marks, table, search, habits, log, alpha, beta, depth, 0)
        if search.stop:
            return habits.value
        if alpha < value < beta:
            return value
        wide *= 4
        if value <= alpha:
            alpha = max(value - wide, -INFINITE)
        else:
            beta = min(value + wide, INFINITE)
        if wide > 2000:
            alpha, beta = -INFINITE, INFINITE
