"""In which order alpha-beta tries the actions of a position: the likely best first, since it spares the others.

The table's action, noisy ones, those that cut elsewhere (killers, the counter move), then by what the game thinks of
them and by history. The table's is tried before the others are even listed: it is often enough.
"""

from __future__ import annotations

from quincunx.core.contract import State, Terms, check
from quincunx.core.engine import rule
from quincunx.core.hints import NOISY, consider, rank_all
from quincunx.core.listing import listed
from quincunx.search.history import HISTORY, MOST_HISTORY, NO_ACTION, Worker, counter_move, reward, reward_cutoff

PLACES = 1 << 16  # a mark ends with the place of its action, counted from the back: the greatest mark says where it is
FROM_TABLE, TACTICAL, KILLER, COUNTER = 1 << 56, 1 << 50, 1 << 49, 1 << 48  # marks, above every history
SORTED = 16  # actions that are looked for in order; the rest are as good as one another


@rule
def next_action(terms: Terms, s: State, out: list[int], marks: list[int], search: Worker, ply: int) -> int:
    """The next action to try, which is at `place` of the list; NO_ACTION if there is none left."""
    here = search.plies[ply]
    if here.alone:
        here.alone, here.listed = 0, list_actions(terms, s, out, marks, search, ply)
        pick_best(out, marks, 0, here.listed)
        here.place = 1 if marks[0] >= FROM_TABLE else 0  # else it is none of those that this game lists
    elif here.listed:
        here.place += 1
    elif here.table_action != NO_ACTION and check(terms, s, here.who, here.table_action) == 0:
        here.alone = here.listed = 1
        out[0], marks[0] = here.table_action, FROM_TABLE + TACTICAL * here.table_noise
    else:
        here.listed = list_actions(terms, s, out, marks, search, ply)
    k, n = here.place, here.listed
    if k >= n:
        return NO_ACTION
    return pick_best(out, marks, k, n) if k < SORTED and n > 1 else out[k]


@rule
def list_actions(terms: Terms, s: State, out: list[int], marks: list[int], search: Worker, ply: int) -> int:
    here, counter = search.plies[ply], counter_move(search, ply)
    who, history = here.who, search.history[here.side]
    n = consider(terms, s, who, out, listed(terms, s, who, out))
    rank_all(terms, s, who, out, n, marks)
    for k in range(n):
        action, mark = out[k], marks[k]
        if mark >= NOISY:
            mark = mark * PLACES + TACTICAL
        else:
            mark = (mark * 32 + history[action & HISTORY - 1] + MOST_HISTORY) * PLACES
            if action == here.killers[0] or action == here.killers[1]:
                mark += KILLER
            elif action == counter:
                mark += COUNTER
        if action == here.table_action:
            mark += FROM_TABLE
        marks[k] = mark + PLACES - 1 - k
    return n


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
def learn_from_cutoff(search: Worker, ply: int, out: list[int], marks: list[int]) -> None:
    """The action that is tried now was enough: next time it comes earlier, and those before it come later."""
    here = search.plies[ply]
    k, side, depth = here.place, here.side, here.depth
    if marks[k] & TACTICAL:
        return
    reward_cutoff(search, side, ply, depth, out[k])
    for j in range(k):
        if marks[j] & TACTICAL == 0:
            reward(search, side, out[j], -min(depth * depth * 16, 1600))
