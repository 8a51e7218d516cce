"""Casus Belli, the moves of a turn: step k of all paths at once, and the penumbra after each step.

A trace is only a cell. Each of the observer's units has its own list, in the order of the steps; the traces of one
step are sorted, so that their order tells nothing.
"""

from __future__ import annotations

from quincunx.core.contract import Log, tell
from quincunx.core.engine import rule
from quincunx.core.structure import ints
from quincunx.games.casus_belli.field import DX, DY, PAYLOAD, STEPS, State, Terms
from quincunx.games.casus_belli.orders import check_path
from quincunx.games.casus_belli.story import NOTED, STEPPED, STRAYED, event, listens
from quincunx.games.casus_belli.vision import unit_sees


@rule
def march(terms: Terms, s: State, log: Log) -> None:
    n = 3 * terms.seats
    longest = 0
    for unit in range(n):
        if s.path[unit] and (s.health[unit] <= 0 or check_path(terms, s, unit, s.path[unit] & PAYLOAD)):
            if log.observer == unit // 3 and s.health[unit] > 0:
                tell(log, event(STRAYED, unit, 0, 0))
            s.path[unit] = 0
        longest = max(longest, s.path[unit] & 15)
    watched = log.observer >= 0 and listens(log)
    traces = ints(3 * STEPS * n if watched else 0)
    count = 0
    for k in range(longest):
        for unit in range(n):
            if s.path[unit] & 15 > k:
                step = s.path[unit] >> 8 + 2 * k & 3
                s.facing[unit] = step
                s.cell[unit] += DY[step] * terms.width + DX[step]
                if log.observer == unit // 3:
                    tell(log, event(STEPPED, unit, step, s.cell[unit]))
        if watched:
            for unit in range(3 * log.observer, 3 * log.observer + 3):
                count = note(terms, s, unit, traces, count)
    for unit in range(n):
        if s.path[unit]:
            s.facing[unit] = s.path[unit] >> 4 & 3
    for unit in range(3 * log.observer, 3 * log.observer + 3 if watched else 0):
        for k in range(count):
            if traces[k] >> 32 == unit:
                tell(log, event(NOTED, unit, 0, traces[k] & 0xFFFF))


@rule
def note(terms: Terms, s: State, unit: int, traces: list[int], count: int) -> int:
    """Adds the cells on which `unit` sees somebody now, in order."""
    first = count
    for other in range(3 * terms.seats):
        if other == unit or s.health[other] <= 0 or (other // 3 == unit // 3 and terms.see_friends == 0):
            continue
        if unit_sees(terms, s, unit, s.cell[other]):
            trace = unit << 32 | s.cell[other]
            at = count
            while at > first and traces[at - 1] > trace:
                traces[at] = traces[at - 1]
                at -= 1
            traces[at] = trace
            count += 1
    return count
