"""Garden Tensions: what happens to cells: creatures come, die, pay, are shielded. Every change is told."""

from __future__ import annotations

from quincunx.core.contract import Log, tell
from quincunx.core.engine import rule
from quincunx.games.garden.hexes import CELLS, NEIGHBOUR
from quincunx.games.garden.state import (
    ABSORBED,
    ATTACKED,
    COIN,
    DIED,
    FIGHT,
    FREE,
    GRASS,
    MUD,
    PAID,
    POINT,
    PRICE,
    PROTECTED,
    State,
    Terms,
)


@rule
def note(log: Log, kind: int, seat: int, a: int, b: int, c: int) -> None:
    tell(log, kind << 57 | seat << 56 | a << 48 | b << 40 | c)


@rule
def put(s: State, cell: int, owner: int, crowd: int) -> None:
    """Sets a cell and the totals."""
    before = s.owner[cell]
    if before != FREE:
        s.cells[before] -= 1
        s.creatures[before] -= s.crowd[cell]
    s.owner[cell] = owner
    s.crowd[cell] = crowd
    if owner != FREE:
        s.cells[owner] += 1
        s.creatures[owner] += crowd


@rule
def enter(s: State, kind: int, seat: int, source: int, target: int, log: Log) -> None:
    """All but one go in. Forged weapons go with them; whatever held or armed the others there is over."""
    coming = s.crowd[source] - 1
    put(s, source, seat, 1)
    put(s, target, seat, coming)
    s.stuck[target] = 0
    s.forged[target] = s.forged[source]
    note(log, kind, seat, source, target, coming | s.forged[source] << 8)


@rule
def lose(s: State, cell: int, dead: int, log: Log) -> None:
    """Creatures die; a cell without any is nobody's and normal."""
    owner, left = s.owner[cell], s.crowd[cell] - dead
    note(log, DIED, owner, cell, dead, left)
    if left:
        put(s, cell, owner, left)
    else:
        put(s, cell, FREE, 0)
        s.condition[cell] = 0
        s.stuck[cell] = 0
        s.forged[cell] = 0


@rule
def shielded(s: State, cell: int, log: Log) -> bool:
    """Does a shield cancel a hostile act on the cell? It does so once."""
    if s.condition[cell] != PROTECTED:
        return False
    s.condition[cell] = 0
    note(log, ABSORBED, s.owner[cell], cell, 0, 0)
    return True


@rule
def attack(s: State, seat: int, source: int, target: int, from_sky: int, log: Log) -> None:
    """The dice decide, unless a shield does."""
    note(log, ATTACKED, seat, source, target, from_sky)
    if not shielded(s, target, log):
        s.waiting = FIGHT
        s.source = source
        s.target = target


@rule
def gain_point(s: State, seat: int, log: Log) -> None:
    s.points[seat] += 1
    note(log, POINT, seat, 0, 0, 1)


@rule
def can_pay(s: State, seat: int, ground: int) -> bool:
    return s.goods[seat][COIN[ground]] >= PRICE[ground]


@rule
def pay(s: State, seat: int, ground: int, log: Log) -> None:
    """The price of a special cell; simple ones cost nothing."""
    if PRICE[ground]:
        s.goods[seat][COIN[ground]] -= PRICE[ground]
        note(log, PAID, seat, COIN[ground], PRICE[ground], 0)


@rule
def touched(s: State, seat: int, cell: int) -> bool:
    """Is the cell next to one of the seat's?"""
    for k in range(6):
        near = NEIGHBOUR[cell][k]
        if near >= 0 and s.owner[near] == seat:
            return True
    return False


@rule
def zones(terms: Terms, s: State, seat: int) -> int:
    """How many of the three grounds are the seat's to the last cell."""
    missing = 0
    for cell in range(CELLS):
        if s.owner[cell] != seat:
            missing |= 1 << terms.ground[cell]
    held = 0
    for ground in range(GRASS, MUD + 1):
        held += 1 - (missing >> ground & 1)
    return held
