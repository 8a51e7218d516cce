"""Casus Belli, what an observer is told of an action.

An event is one number:  kind << 48 | who << 32 | what << 16 | cell

Nothing of others is told while a turn is resolved, but the traces of the penumbra and the hits that one's own units
take. Afterwards the observer's knowledge before and after is compared, number by number, and each change is told; so
the story holds nothing that the views around it and these two do not.
"""

from __future__ import annotations

from quincunx.core.contract import PUBLIC, Log, tell
from quincunx.core.engine import rule
from quincunx.games.casus_belli.field import State, Terms
from quincunx.games.casus_belli.vision import team_sees

# what happens, in this order                who    what                    cell
SEALED = 1  # ............................. seat
ORDERED = 2  # own order: kind << 48 | action
PUSHED = 3  # own unit .................... unit                            where to
ATTACKED, DROPPED = 4, 5  # own attack .... unit   attack                  target
HIT = 6  # own unit ....................... unit   damage, 0 torn          attacking team
DIED = 7  # own unit ...................... unit                            where
STEPPED = 8  # own unit ................... unit   facing                  where to
STRAYED = 9  # own path dropped ........... unit
NOTED = 10  # the penumbra ................ unit                            trace
# what is different afterwards
SEEN, GONE = 11, 12  # .................... unit   facing << 8 | health    where
CORPSE = 13  # ............................ unit                            cell + 1, 0 = gone
SCORED = 14  # ............................ seat   points + BALANCE, in 32 bits
HOTSPOT = 15  # ........................... number seat + 1, 0 = nobody    turns
COOLDOWN = 16  # own ...................... unit   ability                 turns
DEPARTURE = 17  # own ..................... unit                            where
PALANTIR_SET, REVEALED = 18, 19  # own .... seat                            cell + 1, 0 = none
TURN = 20  # orders and seals are cleared .        phase                   turn
HURT = 21  # seen before and after ........ unit   health it lost          where it was

BALANCE = 1 << 30  # makes points positive


@rule
def event(kind: int, who: int, what: int, cell: int) -> int:
    return kind << 48 | who << 32 | what << 16 | cell


@rule
def listens(log: Log) -> bool:
    return log.count < len(log.events) and (log.observer >= 0 or log.observer == PUBLIC)


@rule
def knowledge_size(terms: Terms) -> int:
    return 7 * terms.seats + terms.hotspots + 11


@rule
def know(terms: Terms, s: State, seat: int, out: list[int]) -> None:
    """All that `seat` knows and that a turn may change: units, corpses, points, hotspots, and its own affairs."""
    n = 3 * terms.seats
    if seat >= 0:
        for unit in range(n):
            if unit // 3 == seat or team_sees(terms, s, seat, s.cell[unit]):
                out[unit] = event(SEEN, unit, s.facing[unit] << 8 | s.health[unit], s.cell[unit])
            corpse = s.corpse[unit]
            if corpse and (unit // 3 == seat or team_sees(terms, s, seat, corpse - 1)):
                out[n + unit] = event(CORPSE, unit, 0, corpse)
    at = 2 * n
    for other in range(terms.seats):
        out[at + other] = event(SCORED, other, 0, s.points[other] + BALANCE)
    at += terms.seats
    for spot in range(terms.hotspots):
        out[at + spot] = event(HOTSPOT, spot, s.holder[spot], s.held[spot])
    at += terms.hotspots
    if seat >= 0:
        for k in range(6):
            out[at + k] = event(COOLDOWN, 3 * seat + k // 2, k % 2, s.cooldown[6 * seat + k])
        for role in range(3):
            out[at + 6 + role] = event(DEPARTURE, 3 * seat + role, 0, s.departure[3 * seat + role])
        out[at + 9] = event(PALANTIR_SET, seat, 0, s.palantir[seat])
        out[at + 10] = event(REVEALED, seat, 0, s.revealed[seat])


@rule
def tell_changes(terms: Terms, s: State, log: Log, before: list[int], after: list[int]) -> None:
    n = 3 * terms.seats
    for k in range(len(after)):
        if after[k] == before[k]:
            continue
        if after[k]:
            if k < n and k // 3 != log.observer and before[k]:
                lost = (before[k] >> 16 & 255) - (after[k] >> 16 & 255)
                if lost > 0:  # who died came back in full health
                    tell(log, event(HURT, k, lost, before[k] & 0xFFFF))
            tell(log, after[k])
        elif k < n:
            tell(log, event(GONE, k, 0, 0))
        else:
            tell(log, event(CORPSE, k - n, 0, 0))
    tell(log, event(TURN, 0, s.phase, s.turn))
