"""Casus Belli, the peril of a team: who may be killed next turn by those who are there.

Thought ends with the turn, so that the answer to it is not seen; attacks come before moves, so that it need not be
guessed. What a team may do to others is not set against its own peril: who counts that goes on threatening a kill
instead of making it, for a unit that is killed comes back whole.
"""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.games.casus_belli.field import (
    BARBARIAN,
    DAMAGE,
    ELF,
    FATAL,
    KNIFE_REACH,
    THIEF,
    TREACHERY,
    State,
    Terms,
    distance,
)
from quincunx.games.casus_belli.vision import team_sees, unit_sees


@rule
def endangered(terms: Terms, s: State, seat: int) -> int:
    """How many of its units may die next turn."""
    count = 0
    for unit in range(3 * seat, 3 * seat + 3):
        count += menace(terms, s, unit) >= s.health[unit]
    return count


@rule
def menace(terms: Terms, s: State, unit: int) -> int:
    """About what one other team can take from a unit before anybody moves: that of the worst."""
    worst = 0
    for other in range(terms.seats):
        if other != unit // 3:
            worst = max(worst, menace_of(terms, s, other, s.cell[unit]))
    return worst


@rule
def menace_of(terms: Terms, s: State, team: int, cell: int) -> int:
    """What a team can take from whoever stands on a cell. Where its thief looks is guessed, so it does not count."""
    thief, barbarian = 3 * team + THIEF, 3 * team + BARBARIAN
    total, far = 0, distance(terms, s.cell[thief], cell)
    if far == 0 and s.cooldown[2 * thief + TREACHERY - 2] == 0:
        total += FATAL
    elif far <= KNIFE_REACH:
        total += DAMAGE[THIEF]
    if unit_sees(terms, s, barbarian, cell):
        total += DAMAGE[BARBARIAN]
    if team_sees(terms, s, team, cell):
        total += DAMAGE[ELF]
    return total
