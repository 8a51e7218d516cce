"""Alpha-beta that sees far: the search of the strongest players.

To what `exact.py` does, it adds
- principal variation search: after the first action, a null window asks only whether another one is better;
- a table that outlives the search, killers, counter moves and a history to try the likely action first (ordering.py);
- late actions looked at less deeply, and again in full if they surprise;
- a turn that passes: where even that is too good for the other side, the position is left (`null_move`);
- what cannot come back within a few quiet actions is cut off (`futility_margin`);
- at the end of a line, noisy actions only, and every action out of a check (quiescence.py);
- a position that comes back counts as a draw (`repetitions`), and a draw as a little less than even.

So a value may be wrong by what was not looked at; `exact` players use exact.py. But where the depth that is left covers
all that is left of the game (`plies_left`), nothing is left out, and what is found is proven.

`alphabeta` is the only rule here that calls itself. What it is asked, and what it found out so far, is noted in the ply
that it looks at (history.py), where its steps read it, one after the other.
"""

from __future__ import annotations

from quincunx.core.contract import NOBODY, Log, State, Terms, apply, key
from quincunx.core.engine import rule
from quincunx.core.engine import table as constant
from quincunx.core.hints import (
    ENDLESS,
    futility_margin,
    in_check,
    lazy_evaluate,
    lazy_margin,
    null_move,
    plies_left,
    repetitions,
)
from quincunx.core.logarithm import ln
from quincunx.core.structure import copy, expect
from quincunx.search.history import HISTORY, MAX_PLY, NO_ACTION, Ply, Worker
from quincunx.search.minimax import throw_dice
from quincunx.search.ordering import COUNTER, TACTICAL, learn_from_cutoff, next_action
from quincunx.search.quiescence import EVASIONS, ended, out_of_budget, quiesce
from quincunx.search.transposition import Entry, bound_of, decides, depth_of, noise_of, probe, store, value_at
from quincunx.search.value import WIN, static_value

INFINITE = 2 * WIN
UNDECIDED = 4 * WIN  # instead of a value
ASPIRATION = 25  # of the first guess at the root
REDUCTION = constant(
    [[int(0.4 + ln(float(max(depth, 1))) * ln(float(max(k, 1))) / 2.1) for k in range(64)] for depth in range(64)]
)  # by how much a late action is looked at less deeply
LATE_MOVES = constant([0, 8, 14, 24, 40])  # quiet actions that are tried at a small depth


@rule
def alphabeta(
    terms: Terms, stack: list[State], moves: list[list[int]], marks: list[list[int]], table: list[Entry],
    search: Worker, log: Log, ply: int,
) -> int:  # fmt: skip
    """The value of stack[ply] to the side that is to act there, if it lies in the window that its ply is asked for."""
    here, below = search.plies[ply], search.plies[ply + 1]
    value = enter(terms, stack[ply], search, log, ply)
    if value != UNDECIDED:
        return value
    if here.depth <= 0 or ply >= MAX_PLY - 2:
        return quiesce(terms, stack, moves, marks, search, log, here.alpha, here.beta, ply, EVASIONS)
    value = value_at_sight(terms, stack[ply], table, search, ply)
    if value != UNDECIDED:
        return value
    if hopeless(here, ply):
        value = quiesce(terms, stack, moves, marks, search, log, here.alpha, here.beta, ply, EVASIONS)
        if value <= here.alpha:
            return value
    if passes(terms, stack, search, ply):
        value = -alphabeta(terms, stack, moves, marks, table, search, log, ply + 1)
        if search.stop:
            return here.static
        if value >= here.beta:
            return min(value, WIN - 1)
    begin_actions(terms, stack[ply], here)
    while True:
        if out_of_budget(search):
            return here.best
        action = next_action(terms, stack[ply], moves[ply], marks[ply], search, ply)
        if action == NO_ACTION or is_late(search, marks[ply][here.place], ply):
            break
        play(terms, stack, table, search, log, action, ply)
        value, reduction = here.alpha + 1, reduction_of(terms, stack[ply], search, marks[ply][here.place], ply)
        if here.place > 0 and (reduction > 0 or not here.narrow):  # is it better at all?
            ask(below, here.turns, here.alpha, here.alpha + 1, here.depth - 1 - reduction)
            value = here.turns * alphabeta(terms, stack, moves, marks, table, search, log, ply + 1)
            if value > here.alpha and reduction > 0 and not here.narrow and not search.stop:
                ask(below, here.turns, here.alpha, here.alpha + 1, here.depth - 1)
                value = here.turns * alphabeta(terms, stack, moves, marks, table, search, log, ply + 1)
        if value > here.alpha and not search.stop:
            ask(below, here.turns, here.alpha, here.beta, here.depth - 1)
            value = here.turns * alphabeta(terms, stack, moves, marks, table, search, log, ply + 1)
        if search.stop:
            return here.best
        if cuts_off(search, value, marks[ply][here.place], ply):
            learn_from_cutoff(search, ply, moves[ply], marks[ply])
            break
    store(table, search, ply)
    return here.best


@rule
def ask(ply: Ply, turns: int, alpha: int, beta: int, depth: int) -> None:
    """What a ply is to find out: a value between these two, at this depth. If the other side acts (-1), they turn."""
    ply.alpha, ply.beta = (alpha, beta) if turns == 1 else (-beta, -alpha)
    ply.depth = depth


@rule
def enter(terms: Terms, s: State, search: Worker, log: Log, ply: int) -> int:
    """Notes who is to act, and how deep a look is worth it. The value, where the game is over or comes back."""
    here = search.plies[ply]
    who = throw_dice(terms, s, search.random, log)
    if ply == 0 and who != NOBODY:
        who = search.seat  # others may be asked at the same time
    sign = 1 if who == search.seat else -1
    if who == NOBODY:
        return sign * ended(terms, s, search, ply)
    if ply > 0 and repetitions(terms, s):
        return -sign * search.contempt
    checked = in_check(terms, s, who)
    here.who, here.side, here.checked = who, who == search.seat, checked
    here.depth = min(here.depth + (checked and ply < 2 * search.depth), plies_left(terms, s))
    return UNDECIDED


@rule
def covers(terms: Terms, s: State, here: Ply) -> bool:
    """Is the depth enough for all that is left of the game? Then nothing is left out, and what is found is proven."""
    return here.depth >= plies_left(terms, s)


@rule
def value_at_sight(terms: Terms, s: State, table: list[Entry], search: Worker, ply: int) -> int:
    """What can be said without trying an action; nothing is guessed where the depth covers the rest of the game."""
    here = search.plies[ply]
    here.narrow = here.beta - here.alpha == 1
    here.alpha = max(here.alpha, ply - MAX_PLY - WIN)  # no quicker win is possible
    here.beta = min(here.beta, WIN + MAX_PLY - ply - 1)
    if here.alpha >= here.beta:
        return here.alpha
    here.margin = 0
    if not covers(terms, s, here):
        if here.narrow and not here.checked:
            here.margin = futility_margin(terms, s)
        if beyond_futility(terms, s, search, ply):
            return here.static
    here.key = key(terms, s)
    return look_up(table, search, plies_left(terms, s) < ENDLESS, ply)


@rule
def prunes(here: Ply, ply: int) -> bool:
    """May the position be left on a guess?"""
    return here.margin > 0 and ply > 0 and abs(here.beta) < WIN


@rule
def beyond_futility(terms: Terms, s: State, search: Worker, ply: int) -> bool:
    """Notes the evaluation of this ply. Is it so good that nothing quiet brings it below beta?"""
    here, unsure = search.plies[ply], lazy_margin(terms, s)
    sign = 1 if here.side else -1
    asked = here.depth <= 5 and prunes(here, ply)
    if asked and unsure > 0:
        here.static = sign * lazy_evaluate(terms, s, search.seat) - unsure
        if here.static - here.margin * here.depth >= here.beta:
            return True
    here.static = sign * static_value(terms, s, search.seat)
    return asked and here.static - here.margin * (here.depth - improves(search, ply)) >= here.beta


@rule
def improves(search: Worker, ply: int) -> bool:
    """Does the side that is to act stand better than before its last action?"""
    return ply < 2 or search.plies[ply].static > search.plies[ply - 2].static


@rule
def look_up(table: list[Entry], search: Worker, ends: bool, ply: int) -> int:
    """Notes the table's action for this ply. The value, if the table knows enough."""
    here = search.plies[ply]
    here.table_action, here.table_noise = NO_ACTION, 0
    place = probe(table, here.key, search.since)
    if place < 0:
        return UNDECIDED
    found = table[place].found
    here.table_action, here.table_noise = table[place].action, noise_of(found)
    value = value_at(found, ply)
    deep = depth_of(found) >= here.depth or (ends and abs(value) >= WIN)  # a proof holds at every depth
    if here.narrow and ply > 0 and deep and decides(bound_of(found), value, here.alpha, here.beta):
        return value
    return UNDECIDED


@rule
def hopeless(here: Ply, ply: int) -> bool:
    """Is it so bad, near the end of a line, that only noise can help?"""
    return here.depth <= 2 and prunes(here, ply) and here.static + here.margin * (2 * here.depth + 1) <= here.alpha


@rule
def passes(terms: Terms, stack: list[State], search: Worker, ply: int) -> bool:
    """Lets the turn pass, where that may be good enough already; asked is whether it is."""
    here = search.plies[ply]
    if here.depth < 3 or not prunes(here, ply) or here.static < here.beta or search.plies[ply - 1].played == NO_ACTION:
        return False
    copy(stack[ply + 1], stack[ply])
    if not null_move(terms, stack[ply + 1], here.who):
        return False
    here.played = NO_ACTION
    ask(search.plies[ply + 1], -1, here.beta - 1, here.beta, here.depth - 3 - here.depth // 4)
    return True


@rule
def begin_actions(terms: Terms, s: State, here: Ply) -> None:
    """Without an action to begin with, a deep look is not worth it yet: this one finds it."""
    if here.table_action == NO_ACTION and here.depth >= 5 and not covers(terms, s, here):
        here.depth -= 1
    here.best, here.chosen, here.noise = -INFINITE, NO_ACTION, 0
    here.listed = here.place = here.alone = 0


@rule
def is_late(search: Worker, mark: int, ply: int) -> bool:
    """Is a quiet action left out near the end of a line, with all that come after it?

    Others were tried before it, or none reaches alpha: they are worth what can be reached at best.
    """
    here = search.plies[ply]
    if here.margin == 0 or here.depth > 4 or mark >= COUNTER or here.best <= -WIN:
        return False
    reachable = here.static + here.margin * (here.depth + 1)
    late = here.place > LATE_MOVES[here.depth] >> (not improves(search, ply)) or reachable <= here.alpha
    if late:
        here.best = max(here.best, min(here.alpha, reachable))
    return late


@rule
def play(terms: Terms, stack: list[State], table: list[Entry], search: Worker, log: Log, action: int, ply: int) -> None:
    """Makes the next position of the line, and notes whether the same side acts there."""
    here, s = search.plies[ply], stack[ply + 1]
    search.nodes += 1
    here.played = action
    copy(s, stack[ply])
    apply(terms, s, here.who, action, log)
    expect(table, key(terms, s) & len(table) - 1)
    same = throw_dice(terms, s, search.random, log) == search.seat
    here.turns = 1 if same == (here.side == 1) else -1


@rule
def reduction_of(terms: Terms, s: State, search: Worker, mark: int, ply: int) -> int:
    """By how many plies less the action is looked at that is tried now."""
    here = search.plies[ply]
    if here.place < 3 or here.depth < 3 or mark >= COUNTER or here.checked or covers(terms, s, here):
        return 0
    plies = REDUCTION[min(here.depth, 63)][min(here.place, 63)] + (not improves(search, ply)) - (not here.narrow)
    plies -= search.history[here.side][here.played & HISTORY - 1] // 6000
    return max(0, min(plies, here.depth - 2))


@rule
def cuts_off(search: Worker, value: int, mark: int, ply: int) -> bool:
    """Notes what an action is worth. Is it so good that the other side does not let it come to this?"""
    here = search.plies[ply]
    if value > here.best:
        here.best = value
        if value > here.alpha:
            here.alpha = value
            here.chosen, here.noise = here.played, mark & TACTICAL != 0
            if ply == 0:
                search.best, search.value = here.played, value
    return here.alpha >= here.beta


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
        ask(search.plies[0], 1, alpha, beta, depth)
        value = alphabeta(terms, stack, moves, marks, table, search, log, 0)
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
