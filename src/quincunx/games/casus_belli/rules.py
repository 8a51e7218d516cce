"""Casus Belli: teams of three in the gloom, everybody's orders resolved at once.

    order (attack and path of each unit, in any order, again as one likes) ... seal
        the last seal resolves the turn:   attacks (fight.py), then moves (march.py), hotspots, returns
        or, where moves come first:        moves; everybody orders attacks and seals; attacks, hotspots, returns

Words and structures are in field.py, sight in vision.py, what was seen on the way in penumbra.py, what may be ordered
in orders.py, what is told in story.py, guesses about what is hidden in guess.py.
"""

from __future__ import annotations

from quincunx.core.contract import NOBODY, Log, tell
from quincunx.core.engine import rule
from quincunx.core.structure import ints
from quincunx.games.casus_belli.field import (
    ATTACK,
    FIRST_HOTSPOT,
    GIVEN,
    HOLD_TURNS,
    PAYLOAD,
    SEAL,
    State,
    Terms,
    View,
    attacks_now,
    code_at,
)
from quincunx.games.casus_belli.fight import fight, return_home
from quincunx.games.casus_belli.guess import imagine
from quincunx.games.casus_belli.march import march
from quincunx.games.casus_belli.orders import LISTS_ALL, MAX_LEGAL, check, legal
from quincunx.games.casus_belli.penumbra import show_noted
from quincunx.games.casus_belli.story import ORDERED, SEALED, event, know, knowledge_size, listens, tell_changes
from quincunx.games.casus_belli.vision import team_sees

KEY_BITS = (1 << 62) - 1


@rule
def turn(terms: Terms, s: State) -> int:
    return NOBODY if s.turn >= terms.turns else s.first


@rule
def to_act(terms: Terms, s: State, seat: int) -> bool:
    return s.turn < terms.turns and 0 <= seat < terms.seats and s.sealed[seat] == 0


@rule
def apply(terms: Terms, s: State, seat: int, action: int, log: Log) -> None:
    if action == SEAL:
        s.sealed[seat] = 1
        if listens(log):
            tell(log, event(SEALED, seat, 0, 0))
        while s.first < terms.seats and s.sealed[s.first]:
            s.first += 1
        if s.first == terms.seats:
            resolve(terms, s, log)
        return
    unit, order = 3 * seat + (action >> 32 & 3), GIVEN | action & PAYLOAD
    if action >> 34 == ATTACK >> 34:
        s.attack[unit] = order
    else:
        s.path[unit] = order
    if log.observer == seat:
        tell(log, ORDERED << 48 | action)


@rule
def resolve(terms: Terms, s: State, log: Log) -> None:
    told = listens(log)
    before = ints(knowledge_size(terms) if told else 0)
    if told:
        know(terms, s, log.observer, before)
    attacking = attacks_now(terms, s)
    if attacking:
        fight(terms, s, log)
    if s.phase == 0:
        march(terms, s, log)
    if s.phase == 0 and terms.moves_first and s.turn >= terms.placement:
        s.phase = 1
    else:
        end_turn(terms, s, attacking)
    for unit in range(3 * terms.seats):
        s.attack[unit] = s.path[unit] = 0
    for seat in range(terms.seats):
        s.sealed[seat] = 0
    s.first = 0
    if told:
        after = ints(knowledge_size(terms))
        know(terms, s, log.observer, after)
        tell_changes(terms, s, log, before, after)


@rule
def end_turn(terms: Terms, s: State, played: bool) -> None:
    """Hotspots, the dead, cooldowns; and at the end of the placement, where everybody will reappear."""
    if played:
        hold(terms, s)
    s.turn += 1
    s.phase = 0
    for unit in range(3 * terms.seats):
        if s.health[unit] <= 0:
            return_home(s, unit)
        for k in range(2 * unit, 2 * unit + 2):
            s.cooldown[k] -= s.cooldown[k] > 0
        if s.turn == terms.placement:
            s.departure[unit] = s.cell[unit]


@rule
def hold(terms: Terms, s: State) -> None:
    """Who is alone on a hotspot holds it; every third turn in a row is a point."""
    if terms.hotspots == 0:
        return
    holder = ints(terms.hotspots)  # seat + 1, or -1 where there are several
    for unit in range(3 * terms.seats):
        spot = code_at(terms, s.cell[unit]) - FIRST_HOTSPOT
        if s.health[unit] > 0 and 0 <= spot < terms.hotspots:
            seat = unit // 3
            holder[spot] = seat + 1 if holder[spot] == 0 or holder[spot] == seat + 1 else -1
    for spot in range(terms.hotspots):
        alone = max(0, holder[spot])
        s.held[spot] = 0 if alone != s.holder[spot] else s.held[spot]
        s.holder[spot] = alone
        if alone:
            s.held[spot] += 1
            if s.held[spot] == HOLD_TURNS:
                s.held[spot] = 0
                s.points[alone - 1] += 1


@rule
def score(terms: Terms, s: State, seat: int) -> int:
    return s.points[seat]


@rule
def observe(terms: Terms, s: State, seat: int, view: View) -> None:
    view.turn, view.phase = s.turn, s.phase
    for other in range(terms.seats):
        view.points[other], view.sealed[other] = s.points[other], s.sealed[other]
    for spot in range(terms.hotspots):
        view.holder[spot], view.held[spot] = s.holder[spot], s.held[spot]
    if seat < 0:
        return
    for unit in range(3 * terms.seats):
        if unit // 3 == seat or team_sees(terms, s, seat, s.cell[unit]):
            view.cell[unit], view.facing[unit], view.health[unit] = s.cell[unit] + 1, s.facing[unit], s.health[unit]
        if s.corpse[unit] and (unit // 3 == seat or team_sees(terms, s, seat, s.corpse[unit] - 1)):
            view.corpse[unit] = s.corpse[unit]
    for role in range(3):
        unit = 3 * seat + role
        view.departure[role], view.attack[role], view.path[role] = s.departure[unit], s.attack[unit], s.path[unit]
        view.cooldown[2 * role], view.cooldown[2 * role + 1] = s.cooldown[2 * unit], s.cooldown[2 * unit + 1]
    view.orb, view.zone = s.palantir[seat], s.revealed[seat]
    show_noted(terms, s, seat, view)


@rule
def fallback(terms: Terms, s: State, seat: int) -> int:
    return SEAL


@rule
def key(terms: Terms, s: State) -> int:
    """Of all that decides how the game goes on: not of what units noted on their way."""
    h = s.turn << 16 | s.phase << 8 | s.first
    for unit in range(3 * terms.seats):
        h = stirred(h, s.cell[unit] << 24 | s.departure[unit])
        h = stirred(h, s.corpse[unit] << 24 | s.facing[unit] << 16 | s.health[unit])
        h = stirred(h, s.attack[unit])
        h = stirred(h, s.path[unit])
        h = stirred(h, s.cooldown[2 * unit] << 8 | s.cooldown[2 * unit + 1])
    for seat in range(terms.seats):
        h = stirred(h, s.palantir[seat] << 24 | s.revealed[seat])
        h = stirred(h, s.points[seat] << 1 | s.sealed[seat])
    for spot in range(terms.hotspots):
        h = stirred(h, s.holder[spot] << 8 | s.held[spot])
    return h


@rule
def stirred(h: int, more: int) -> int:
    """Only the low bits count, which are the same however wide a number is."""
    return ((h ^ more) * 0x9E3779B97F4A7C1 ^ h >> 29) & KEY_BITS


__all__ = [
    "LISTS_ALL", "MAX_LEGAL", "State", "Terms", "View",
    "apply", "check", "fallback", "imagine", "key", "legal", "observe", "score", "to_act", "turn",
]  # fmt: skip
