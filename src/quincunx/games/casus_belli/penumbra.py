"""Casus Belli, the penumbra: the cells on which a unit saw somebody while all were walking.

The state keeps how each unit went in the last march, one number a unit, and from these tracks anybody's penumbra can be
told until the next march; a list for each of a hundred seats would be far larger than all the rest:

    1 << 42 | steps << 22 | facing before << 20 | length << 16 | cell before         0: it was dead

A trace is only a cell. Each unit has its own list, in the order of the steps; the traces of one step are sorted, so
that their order tells nothing. Equal neighbours of a list are one number, times << 16 | cell: the list reads

    8,8 8,8 6,9 6,9 6,9 8,8          as   2 × 8,8   3 × 6,9   1 × 8,8          whatever step each of them is from

An imagined world has no true tracks. It recalls what the one seat noted that imagines it.
"""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.core.structure import ints
from quincunx.games.casus_belli.field import DX, DY, MOST_NOTED, PAYLOAD, VISION, State, Terms, View
from quincunx.games.casus_belli.vision import sees

MARCHED = 1 << 42
FAR = 6  # no eye on the ground or on a tower sees farther than this along either axis


@rule
def keep_track(s: State, unit: int) -> None:
    """Before the march: from where, how and whether a unit goes."""
    s.track[unit] = 0
    if s.health[unit] > 0:
        path = s.path[unit] & PAYLOAD
        s.track[unit] = MARCHED | path >> 8 << 22 | s.facing[unit] << 20 | (path & 15) << 16 | s.cell[unit]


@rule
def list_noted(terms: Terms, s: State, seat: int, out: list[int], runs: list[int]) -> None:
    """The lists of a team's three units, one behind the other; how long each is, in numbers, goes to `runs`."""
    n, longest = 3 * terms.seats, 0
    for unit in range(n):
        longest = max(longest, s.track[unit] >> 16 & 15)
    x, y = ints(n), ints(n)
    count = 0
    for role in range(3):
        unit = 3 * seat + role
        first, facing = count, s.track[unit] >> 20 & 3
        for other in range(n):
            x[other], y[other] = (s.track[other] & 0xFFFF) % terms.width, (s.track[other] & 0xFFFF) // terms.width
        for k in range(longest if s.track[unit] else 0):
            for other in range(n):
                if s.track[other] >> 16 & 15 > k:
                    step = s.track[other] >> 22 + 2 * k & 3
                    x[other], y[other] = x[other] + DX[step], y[other] + DY[step]
                    facing = step if other == unit else facing
            count = note(terms, s, unit, facing, x, y, out, first, count)
        runs[role] = count - first


@rule
def note(
    terms: Terms, s: State, unit: int, facing: int, x: list[int], y: list[int], out: list[int], first: int, count: int
) -> int:
    """Adds to out[first..count-1] the cells on which `unit` sees somebody at this step, in order."""
    here, eye = count, y[unit] * terms.width + x[unit]
    for other in range(3 * terms.seats):
        if s.track[other] == 0 or (other // 3 == unit // 3 and terms.see_friends == 0):
            continue
        if abs(x[other] - x[unit]) > FAR or abs(y[other] - y[unit]) > FAR:
            continue
        cell = y[other] * terms.width + x[other]
        if not sees(terms, eye, facing, VISION[unit % 3], cell):
            continue
        at = count
        while at > here and out[at - 1] & 0xFFFF > cell:
            at -= 1
        if at > here and out[at - 1] & 0xFFFF == cell:
            out[at - 1] += 1 << 16
            continue
        for k in range(count, at, -1):
            out[k] = out[k - 1]
        out[at] = 1 << 16 | cell
        count += 1
    if count > here > first and out[here] & 0xFFFF == out[here - 1] & 0xFFFF:  # as the last of the step before
        out[here - 1] += out[here] >> 16 << 16
        count -= 1
        for k in range(here, count):
            out[k] = out[k + 1]
    return count


@rule
def show_noted(terms: Terms, s: State, seat: int, view: View) -> None:
    """What a team noted in the last march."""
    if s.recalls:
        for role in range(3 if s.recalls == seat + 1 else 0):
            view.runs[role] = s.runs[role]
        for k in range(view.runs[0] + view.runs[1] + view.runs[2]):
            view.noted[k] = s.noted[k]
        return
    out, runs = ints(MOST_NOTED), ints(3)
    list_noted(terms, s, seat, out, runs)
    for role in range(3):
        view.runs[role] = runs[role]
    for k in range(runs[0] + runs[1] + runs[2]):
        view.noted[k] = out[k]


@rule
def recall(view: View, seat: int, s: State) -> None:
    """For an imagined world."""
    s.recalls = seat + 1
    for role in range(3):
        s.runs[role] = view.runs[role]
    for k in range(view.runs[0] + view.runs[1] + view.runs[2]):
        s.noted[k] = view.noted[k]
