"""Casus Belli, the moves of a turn: step k of all paths at once; then, for whoever is told, the penumbra."""

from __future__ import annotations

from quincunx.core.contract import Log, tell
from quincunx.core.engine import rule
from quincunx.core.structure import ints
from quincunx.games.casus_belli.field import DX, DY, MOST_NOTED, PAYLOAD, State, Terms
from quincunx.games.casus_belli.orders import check_path
from quincunx.games.casus_belli.penumbra import keep_track, list_noted
from quincunx.games.casus_belli.story import NOTED, STEPPED, STRAYED, event, listens


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
        keep_track(s, unit)
    s.recalls = 0
    for k in range(longest):
        for unit in range(n):
            if s.path[unit] & 15 > k:
                step = s.path[unit] >> 8 + 2 * k & 3
                s.facing[unit] = step
                s.cell[unit] += DY[step] * terms.width + DX[step]
                if log.observer == unit // 3:
                    tell(log, event(STEPPED, unit, step, s.cell[unit]))
    for unit in range(n):
        if s.path[unit]:
            s.facing[unit] = s.path[unit] >> 4 & 3
    if log.observer >= 0 and listens(log):
        tell_noted(terms, s, log)


@rule
def tell_noted(terms: Terms, s: State, log: Log) -> None:
    """The penumbra of the observer's units, trace by trace."""
    noted, runs = ints(MOST_NOTED), ints(3)
    list_noted(terms, s, log.observer, noted, runs)
    first = 0
    for role in range(3):
        for k in range(first, first + runs[role]):
            for _ in range(noted[k] >> 16):
                tell(log, event(NOTED, 3 * log.observer + role, 0, noted[k] & 0xFFFF))
        first += runs[role]
