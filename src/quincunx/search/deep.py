"""Alpha-beta that sees far: the search of the strongest players.

To what `alphabeta.py` does, it adds
- principal variation search: after the first action, a null window asks only whether another one is better;
- a table that outlives the thought, killers, replies and a history to try the likely action first;
- late actions looked at less deeply, and again in full if they surprise;
- a turn that passes: where even that is too good for the other side, the position is left (`null_move`);
- what cannot come back within a few quiet actions is cut off (`futility_margin`);
- at the end of a line, noisy actions only (`noisy`), and every action out of a check (`in_check`);
- a position that comes back counts as a draw (`repetitions`), and a draw as a little less than even.

None of it is minimax any more: a worth may be wrong by what was not looked at. `exact` players use alphabeta.py.
"""

from __future__ import annotations

from quincunx.core.contract import NOBODY, Log, State, Terms, apply, check, key, legal
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
from quincunx.core.logarithm import ln
from quincunx.core.structure import expect
from quincunx.search.alphabeta import bring_best_forward
from quincunx.search.memory import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    HISTORY,
    LEVELS,
    MOST_HISTORY,
    NONE,
    Entry,
    Habits,
    depth_of,
    loud_of,
    recollect,
    remember,
    remember_cut,
    remembered_worth,
    reward,
)
from quincunx.search.minimax import Thought, throw_dice
from quincunx.search.worth import WIN, final_worth, static_worth

INFINITE = 2 * WIN
PLACES = 1 << 16  # a mark ends with the place of its action, counted from the back: the greatest mark says where it is
BEST, LOUD, KILLER, REPLY = 1 << 56, 1 << 50, 1 << 49, 1 << 48  # marks, above every history
WINDOW = 25  # of the first guess at the root
OUT_OF_CHECK = 3  # checks that the end of a line follows
SORTED = 16  # actions that are looked for in order; the rest are as good as one another
LESS = constant(
    [[int(0.4 + ln(float(max(depth, 1))) * ln(float(max(k, 1))) / 2.1) for k in range(64)] for depth in range(64)]
)  # by how much a late action is looked at less deeply
LATE = constant([0, 8, 14, 24, 40])  # quiet actions that are tried at a small depth


@rule
def ended(terms: Terms, s: State, thought: Thought, habits: Habits, level: int) -> int:
    worth = final_worth(terms, s, thought.seat, LEVELS - level)
    return worth if worth else -habits.contempt


@rule
def mark_actions(
    terms: Terms, s: State, who: int, side: int, out: list[int], n: int, marks: list[int], first: int, habits: Habits,
    level: int,
) -> None:  # fmt: skip
    """The table's action, noisy ones, those that cut elsewhere, then by what the game thinks and by history."""
    rank_all(terms, s, who, out, n, marks)
    killers, history = habits.killers[level], habits.history[side]
    reply = NONE
    if level > 0 and habits.played[level - 1] != NONE:
        reply = habits.replies[habits.played[level - 1] & HISTORY - 1]
    for k in range(n):
        action, mark = out[k], marks[k]
        if mark >= NOISY:
            mark = mark * PLACES + LOUD
        else:
            mark = (mark * 32 + history[action & HISTORY - 1] + MOST_HISTORY) * PLACES
            if action == killers[0] or action == killers[1]:
                mark += KILLER
            elif action == reply:
                mark += REPLY
        if action == first:
            mark += BEST
        marks[k] = mark + PLACES - 1 - k


@rule
def bring_forward(out: list[int], marks: list[int], k: int, n: int) -> int:
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
def decides(bound: int, worth: int, alpha: int, beta: int) -> bool:
    """Is what the table says enough for this window?"""
    return bound == EXACT or (bound == AT_LEAST and worth >= beta) or (bound == AT_MOST and worth <= alpha)


@rule
def learn_from_cut(habits: Habits, side: int, level: int, depth: int, out: list[int], mark: list[int], k: int) -> None:
    """out[k] was enough: it is tried earlier next time, and those that were tried before it later."""
    if mark[k] & LOUD:
        return
    remember_cut(habits, side, level, depth, out[k])
    for j in range(k):
        if mark[j] & LOUD == 0:
            reward(habits, side, out[j], -min(depth * depth * 16, 1600))


@rule
def settle(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], thought: Thought, habits: Habits,
    log: Log, alpha: int, beta: int, level: int, checks: int,
) -> int:  # fmt: skip
    """The worth of stack[level] once nothing noisy is left to do; out of check, every action is tried."""
    s, out = stack[level], moves[level]
    who = throw_dice(terms, s, thought.random, log)
    sign = 1 if who == thought.seat else -1
    if who == NOBODY:
        return sign * ended(terms, s, thought, habits, level)
    checked = checks > 0 and in_check(terms, s, who)
    unsure = lazy_margin(terms, s)
    if unsure > 0 and not checked:
        best = sign * lazy_evaluate(terms, s, thought.seat) - unsure
        if best >= beta:
            return best
    best = sign * static_worth(terms, s, thought.seat)
    if level >= LEVELS - 1:
        return best
    if checked:
        best = level - LEVELS - WIN
    else:
        if best >= beta:
            return best
        alpha = max(alpha, best)
    if checked:
        n = legal(terms, s, who, out)
        rank_all(terms, s, who, out, n, marks[level])
    else:
        n = noisy_actions(terms, s, who, out, marks[level])
    below = stack[level + 1]
    for k in range(n):
        action = bring_best_forward(out, marks[level], k, n)
        if thought.stop or thought.nodes >= thought.most_nodes:
            thought.stop = 1
            return best
        thought.nodes += 1
        branch(terms, below, s)
        apply(terms, below, who, action, log)
        if (throw_dice(terms, below, thought.random, log) == thought.seat) == (sign == 1):
            worth = settle(terms, stack, moves, marks, thought, habits, log, alpha, beta, level + 1, checks - checked)
        else:
            worth = -settle(
                terms, stack, moves, marks, thought, habits, log, -beta, -alpha, level + 1, checks - checked
            )
        if worth > best:
            best = worth
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    return best


@rule
def search(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], table: list[Entry],
    thought: Thought, habits: Habits, log: Log, alpha: int, beta: int, depth: int, level: int,
) -> int:  # fmt: skip
    """The worth of stack[level] to the side that is to act there, if it lies between alpha and beta."""
    s, out, mark = stack[level], moves[level], marks[level]
    who = throw_dice(terms, s, thought.random, log)
    if level == 0 and who != NOBODY:
        who = thought.seat  # others may be asked at the same time
    sign = 1 if who == thought.seat else -1
    side = (1 + sign) // 2
    if who == NOBODY:
        return sign * ended(terms, s, thought, habits, level)
    if level > 0 and repetitions(terms, s):
        return -sign * habits.contempt
    checked = in_check(terms, s, who)
    if checked and level < 2 * habits.depth:
        depth += 1
    if depth <= 0 or level >= LEVELS - 2:
        return settle(terms, stack, moves, marks, thought, habits, log, alpha, beta, level, OUT_OF_CHECK)
    narrow = beta - alpha == 1
    alpha, beta = max(alpha, level - LEVELS - WIN), min(beta, WIN + LEVELS - level - 1)  # no quicker win is possible
    if alpha >= beta:
        return alpha
    margin, unsure = futility_margin(terms, s), lazy_margin(terms, s)
    hopes = narrow and not checked and margin > 0 and level > 0 and abs(beta) < WIN
    if hopes and unsure > 0 and depth <= 5:
        static = sign * lazy_evaluate(terms, s, thought.seat) - unsure
        if static - margin * depth >= beta:
            return static
    static = sign * static_worth(terms, s, thought.seat)
    habits.static[level] = static
    better = level < 2 or static > habits.static[level - 2]
    if hopes and depth <= 5 and static - margin * (depth - better) >= beta:
        return static
    code, first, found = key(terms, s), NONE, 0
    place = recollect(table, code, habits.since)
    if place >= 0:
        entry = table[place]
        first, found = entry.action, entry.found
        worth = remembered_worth(found, level)
        if narrow and level > 0 and depth_of(found) >= depth and decides(found & 3, worth, alpha, beta):
            return worth
    below = stack[level + 1]
    if hopes:
        if depth <= 2 and static + margin * (2 * depth + 1) <= alpha:
            worth = settle(terms, stack, moves, marks, thought, habits, log, alpha, beta, level, OUT_OF_CHECK)
            if worth <= alpha:
                return worth
        if depth >= 3 and static >= beta and habits.played[level - 1] != NONE:
            branch(terms, below, s)
            if null_move(terms, below, who):
                habits.played[level] = NONE
                worth = -search(
                    terms, stack, moves, marks, table, thought, habits, log, -beta, 1 - beta,
                    depth - 3 - depth // 4, level + 1,
                )  # fmt: skip
                if thought.stop:
                    return static
                if worth >= beta:
                    return min(worth, WIN - 1)
    if first == NONE and depth >= 5:
        depth -= 1
    known = first != NONE and check(terms, s, who, first) == 0
    if known:  # it is often enough: the others are looked for only after it
        n, out[0], mark[0] = 1, first, BEST + LOUD * loud_of(found)
    else:
        n = legal(terms, s, who, out)
        mark_actions(terms, s, who, side, out, n, mark, first, habits, level)
    best, chosen, floor, noise, k = -INFINITE, NONE, alpha, False, 0
    prunes, reachable = narrow and not checked and margin > 0 and depth <= 4, static + margin * (depth + 1)
    while k < n:
        if thought.stop or thought.nodes >= thought.most_nodes:
            thought.stop = 1
            return best
        action = bring_forward(out, mark, k, n) if k < SORTED and n > 1 else out[k]
        calm = mark[k] < REPLY
        if calm and prunes and best > -WIN and (k > LATE[depth] >> (not better) or reachable <= alpha):
            best = max(best, min(alpha, reachable))
            break
        thought.nodes += 1
        habits.played[level] = action
        branch(terms, below, s)
        apply(terms, below, who, action, log)
        expect(table, key(terms, below) & len(table) - 1)
        same = throw_dice(terms, below, thought.random, log) == thought.seat
        flip = 1 if same == (sign == 1) else -1
        less = 0
        if k >= 3 and depth >= 3 and calm and not checked:
            less = LESS[min(depth, 63)][min(k, 63)] + (not better) - (not narrow)
            less -= habits.history[side][action & HISTORY - 1] // 6000
            less = max(0, min(less, depth - 2))
        worth = alpha + 1
        if k > 0 and (less > 0 or not narrow):
            lower, upper = (alpha, alpha + 1) if flip == 1 else (-alpha - 1, -alpha)
            worth = flip * search(
                terms, stack, moves, marks, table, thought, habits, log, lower, upper, depth - 1 - less, level + 1
            )
            if worth > alpha and less > 0 and not narrow and not thought.stop:
                worth = flip * search(
                    terms, stack, moves, marks, table, thought, habits, log, lower, upper, depth - 1, level + 1
                )
        if worth > alpha and not thought.stop:
            lower, upper = (alpha, beta) if flip == 1 else (-beta, -alpha)
            worth = flip * search(
                terms, stack, moves, marks, table, thought, habits, log, lower, upper, depth - 1, level + 1
            )
        if thought.stop:
            return best
        if worth > best:
            best = worth
            if worth > alpha:
                chosen, noise = action, mark[k] & LOUD != 0
                if level == 0:
                    thought.best, habits.worth = action, worth
        alpha = max(alpha, best)
        if alpha >= beta:
            learn_from_cut(habits, side, level, depth, out, mark, k)
            break
        k += 1
        if known:
            known = False
            n = legal(terms, s, who, out)
            mark_actions(terms, s, who, side, out, n, mark, first, habits, level)
            bring_forward(out, mark, 0, n)
            k = 1 if mark[0] >= BEST else 0  # else it is none of those that this game lists
    bound = AT_MOST if best <= floor else AT_LEAST if best >= beta else EXACT
    remember(table, code, habits, level, chosen, noise, best, depth, bound)
    return best


@rule
def deepen(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], table: list[Entry],
    thought: Thought, habits: Habits, log: Log, guess: int, depth: int,
) -> int:  # fmt: skip
    """One depth at the root, first in a narrow window around what the depth before found."""
    habits.depth = depth
    wide = WINDOW
    alpha, beta = -INFINITE, INFINITE
    if depth >= 4 and abs(guess) < WIN:
        alpha, beta = guess - wide, guess + wide
    while True:
        worth = search(terms, stack, moves, marks, table, thought, habits, log, alpha, beta, depth, 0)
        if thought.stop:
            return habits.worth
        if alpha < worth < beta:
            return worth
        wide *= 4
        if worth <= alpha:
            alpha = max(worth - wide, -INFINITE)
        else:
            beta = min(worth + wide, INFINITE)
        if wide > 2000:
            alpha, beta = -INFINITE, INFINITE
