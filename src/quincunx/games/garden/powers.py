"""Garden Tensions: the four special cells and the eight abilities: who may use them, on what, and what they do."""

from __future__ import annotations

from quincunx.core.contract import Log
from quincunx.core.engine import rule
from quincunx.games.garden.hexes import CELLS, TOUCHES
from quincunx.games.garden.land import attack, can_pay, enter, lose, note, pay, shielded, touched
from quincunx.games.garden.state import (
    ABILITY,
    BARBECUE,
    CANDY,
    CONQUEST,
    DEPORTED,
    FORGE,
    FORGED,
    FORGED_TURNS,
    GRILLED,
    GRILLED_AT_MOST,
    GROUND_OF,
    IMMOBILISE,
    IMMOBILISED,
    NO_POINTS,
    NOT_ADJACENT,
    NOT_ENEMY,
    NOT_HELD,
    NOT_YOURS,
    OTHER_CLAN,
    OUT_OF_REACH,
    OWN_TARGET,
    PILLAGE,
    PILLAGED,
    PILLAGED_AT_MOST,
    POISON,
    POISON_TICKS,
    POISONED,
    POOL,
    PROTECTED,
    REINFORCEMENT,
    SHELTER,
    SHELTERED,
    SKY,
    SPENT,
    STUCK,
    STUCK_TURNS,
    SWEETENED,
    TOO_FEW,
    TOO_POOR,
    USED_UP,
    WRONG_PHASE,
    State,
    Terms,
)


@rule
def why_no_power(terms: Terms, s: State, seat: int, kind: int) -> int:
    """0 if the seat may use such a power now, wherever; otherwise the refusal."""
    if s.phase != (REINFORCEMENT if kind == CANDY else CONQUEST):
        return WRONG_PHASE
    if kind >= PILLAGE and kind <= SHELTER:
        if kind >= POISON and kind - POISON != terms.clan[seat]:
            return OTHER_CLAN
        return 0 if s.points[seat] >= ABILITY else NO_POINTS
    ground = GROUND_OF[kind]
    if s.owner[terms.special[ground]] != seat:
        return NOT_HELD
    if s.used >> ground & 1:
        return USED_UP
    return 0 if can_pay(s, seat, ground) else TOO_POOR


@rule
def why_no_start(s: State, seat: int, cell: int) -> int:
    """0 if creatures may leave the cell: see `can_leave`."""
    if s.owner[cell] != seat:
        return NOT_YOURS
    if s.crowd[cell] < 2:
        return TOO_FEW
    return STUCK if s.stuck[cell] else 0


@rule
def can_leave(s: State, seat: int, cell: int) -> bool:
    """May creatures leave the cell?"""
    return s.owner[cell] == seat and s.crowd[cell] >= 2 and s.stuck[cell] == 0


@rule
def why_no_move(terms: Terms, s: State, seat: int, source: int, target: int) -> int:
    """0 if creatures may go from one cell into the next, against whoever is there."""
    refusal = why_no_start(s, seat, source)
    if refusal:
        return refusal
    if TOUCHES[source][target] == 0:
        return NOT_ADJACENT
    if s.owner[target] == seat:
        return OWN_TARGET
    return 0 if can_pay(s, seat, terms.ground[target]) else TOO_POOR


@rule
def why_no_target(terms: Terms, s: State, seat: int, kind: int, source: int, target: int) -> int:
    """0 if a power that may be used may be used on this target (and from this source, where it needs one)."""
    if kind == FORGE:
        return 0 if s.owner[target] == seat else NOT_YOURS
    if s.owner[target] != 1 - seat:
        return NOT_ENEMY
    if kind == SHELTER:
        return why_no_move(terms, s, seat, source, target)
    if kind == SKY:
        refusal = why_no_start(s, seat, source)
        if refusal:
            return refusal
        return 0 if can_pay(s, seat, terms.ground[target]) else TOO_POOR
    return 0 if reaches(terms, s, seat, kind, target) else OUT_OF_REACH


@rule
def reaches(terms: Terms, s: State, seat: int, kind: int, target: int) -> bool:
    """Does a power that has no source reach the cell?"""
    if kind == FORGE or (terms.far and (kind == BARBECUE or kind == POOL)):
        return True
    return touched(s, seat, target)


@rule
def list_power(terms: Terms, s: State, seat: int, kind: int, out: list[int], n: int) -> int:
    """Writes every use of a power that may be used."""
    holder = seat if kind == FORGE else 1 - seat
    for target in range(CELLS):
        if s.owner[target] != holder:
            continue
        if kind == SKY or kind == SHELTER:
            n = list_sources(terms, s, seat, kind, target, out, n)
        elif reaches(terms, s, seat, kind, target):
            out[n] = kind << 16 | target
            n += 1
    return n


@rule
def list_sources(terms: Terms, s: State, seat: int, kind: int, target: int, out: list[int], n: int) -> int:
    """From where an enemy cell can be entered: through the sky from anywhere, otherwise from beside it."""
    if not can_pay(s, seat, terms.ground[target]):
        return n
    for source in range(CELLS):
        if can_leave(s, seat, source) and (kind == SKY or TOUCHES[source][target]):
            out[n] = kind << 16 | source << 8 | target
            n += 1
    return n


@rule
def use_power(terms: Terms, s: State, seat: int, kind: int, source: int, target: int, log: Log) -> None:
    ground = GROUND_OF[kind]
    if ground:
        pay(s, seat, ground, log)
        if kind != SKY:
            s.used |= 1 << ground
    else:
        s.points[seat] -= ABILITY
        note(log, SPENT, seat, 0, 0, ABILITY)
    if kind == CANDY:
        s.stock[seat] += terms.k
        note(log, SWEETENED, seat, 0, 0, terms.k)
    elif kind == SKY:
        attack(s, seat, source, target, 1, log)
    elif kind == BARBECUE or kind == POOL:
        note(log, GRILLED, seat, target, ground, 0)
        if not shielded(s, target, log):
            lose(s, target, min(GRILLED_AT_MOST, s.crowd[target]), log)
    elif kind == FORGE:
        s.forged[target] = FORGED_TURNS
        note(log, FORGED, seat, target, 0, 0)
    else:
        use_ability(terms, s, seat, kind, source, target, log)


@rule
def use_ability(terms: Terms, s: State, seat: int, kind: int, source: int, target: int, log: Log) -> None:
    """An ability against an enemy cell; a shield cancels it."""
    if shielded(s, target, log):
        return
    if kind == PILLAGE:
        resource = terms.clan[seat]
        taken = min(PILLAGED_AT_MOST, s.goods[1 - seat][resource])
        s.goods[1 - seat][resource] -= taken
        s.goods[seat][resource] += taken
        note(log, PILLAGED, seat, target, resource, taken)
        lose(s, target, 1, log)
    elif kind == POISON:
        s.condition[target] = POISON_TICKS
        note(log, POISONED, seat, target, 0, 0)
    elif kind == IMMOBILISE:
        s.stuck[target] = STUCK_TURNS
        note(log, IMMOBILISED, seat, target, 0, 0)
    elif kind == SHELTER:
        pay(s, seat, terms.ground[target], log)
        s.stock[1 - seat] += s.crowd[target]
        note(log, DEPORTED, 1 - seat, target, s.crowd[target], 0)
        s.condition[target] = PROTECTED
        enter(s, SHELTERED, seat, source, target, log)
