"""Chartichaud: units that harvest, build, recruit and fight, one action each a turn, in the fog.

    an action is   verb << 16 | kind << 14 | direction << 12 | cell      END is 0
                   MOVE a unit of a kind N E S W; MAKE a unit of a kind on the cell; HARVEST

Where things are and how they are counted: `grid.py`. What a seat knows and guesses: `fog.py`.
"""

from __future__ import annotations

from quincunx.core.contract import NOBODY, NONSENSE, NOT_TO_ACT, Log, tell
from quincunx.core.engine import rule
from quincunx.games.chartichaud.fog import imagine as imagine
from quincunx.games.chartichaud.fog import observe as observe
from quincunx.games.chartichaud.grid import (
    BEATEN,
    BUILDING,
    CAME,
    CELLS,
    CIVILIAN,
    COLLAPSED,
    EAST,
    ENDED,
    HARVESTED,
    LEFT,
    LOST,
    MADE,
    MILITARY,
    MOVED,
    NORTH,
    ONE,
    OVER,
    PITCH,
    PRICE,
    SCORED,
    SOUTH,
    WEST,
    borders,
    buildings,
    count,
    has,
    inside,
    look_again,
    military,
    price,
    sees,
)
from quincunx.games.chartichaud.grid import STEP as STEP
from quincunx.games.chartichaud.grid import State as State
from quincunx.games.chartichaud.grid import Terms as Terms
from quincunx.games.chartichaud.grid import View as View

MAX_LEGAL = 1 + 12 * CELLS
LISTS_ALL = True

END, MOVE, MAKE, HARVEST = 0, 1, 2, 3

NO_UNIT, OFF_GRID, TOO_POOR, NO_GOLD, REAPED, DISPUTED = 3, 4, 5, 6, 7, 8  # refusals


@rule
def turn(terms: Terms, s: State) -> int:
    return NOBODY if s.loser or s.turns >= terms.turns else s.turns & 1


@rule
def may_make(terms: Terms, s: State, seat: int, cell: int) -> bool:
    """Some agree that nothing is made where the enemy has a building."""
    return terms.contested == 1 or buildings(s.units[1 - seat][cell]) == 0


@rule
def legal(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    out[0] = END
    n = 1
    purse = s.purse[seat]
    for y in range(terms.height):
        bits = s.fresh[y]
        while bits:
            low = bits & -bits
            bits ^= low
            x = low.bit_length() - 1
            cell = y * PITCH + x
            ready = s.units[seat][cell] - s.acted[cell]
            civilians = count(ready, CIVILIAN)
            if civilians:
                n = list_moves(terms, cell, x, y, CIVILIAN, out, n)
                if s.gold[cell] and not has(s.reaped[y], x):
                    out[n] = HARVEST << 16 | cell
                    n += 1
            if military(ready):
                n = list_moves(terms, cell, x, y, MILITARY, out, n)
            if purse < PRICE[CIVILIAN] or not may_make(terms, s, seat, cell):
                continue
            if civilians and purse >= PRICE[BUILDING]:
                out[n] = MAKE << 16 | BUILDING << 14 | cell
                n += 1
            if buildings(ready):
                for kind in range(BUILDING):
                    if purse >= PRICE[kind]:
                        out[n] = MAKE << 16 | kind << 14 | cell
                        n += 1
    return n


@rule
def list_moves(terms: Terms, cell: int, x: int, y: int, kind: int, out: list[int], n: int) -> int:
    move = MOVE << 16 | kind << 14 | cell
    if y > 0:
        out[n] = move | NORTH << 12
        n += 1
    if x < terms.width - 1:
        out[n] = move | EAST << 12
        n += 1
    if y < terms.height - 1:
        out[n] = move | SOUTH << 12
        n += 1
    if x > 0:
        out[n] = move | WEST << 12
        n += 1
    return n


@rule
def check(terms: Terms, s: State, seat: int, action: int) -> int:
    if turn(terms, s) != seat or seat < 0:
        return NOT_TO_ACT
    if action == END:
        return 0
    verb, kind, direction, cell = action >> 16, action >> 14 & 3, action >> 12 & 3, action & 0xFFF
    if not MOVE <= verb <= HARVEST or not inside(terms, cell % PITCH, cell // PITCH):
        return NONSENSE
    if kind > (MILITARY if verb == MOVE else BUILDING if verb == MAKE else 0) or (verb != MOVE and direction):
        return NONSENSE
    actor = kind if verb == MOVE else BUILDING if verb == MAKE and kind != BUILDING else CIVILIAN
    if count(s.units[seat][cell] - s.acted[cell], actor) == 0:
        return NO_UNIT
    if verb == MOVE:
        return 0 if borders(terms, cell, direction) else OFF_GRID
    if verb == HARVEST:
        if s.gold[cell] == 0:
            return NO_GOLD
        return REAPED if has(s.reaped[cell // PITCH], cell % PITCH) else 0
    if not may_make(terms, s, seat, cell):
        return DISPUTED
    return 0 if s.purse[seat] >= PRICE[kind] else TOO_POOR


@rule
def apply(terms: Terms, s: State, seat: int, action: int, log: Log) -> None:
    verb, kind, direction, cell = action >> 16, action >> 14 & 3, action >> 12 & 3, action & 0xFFF
    if verb == END:
        end_turn(terms, s, seat, log)
    elif verb == MOVE:
        move(terms, s, seat, kind, cell, direction, log)
    elif verb == MAKE:
        make(terms, s, seat, kind, cell, log)
    else:
        harvest(s, seat, cell, log)


@rule
def move(terms: Terms, s: State, seat: int, kind: int, cell: int, direction: int, log: Log) -> None:
    to = cell + STEP[direction]
    start, end = sees(s, log.observer, cell), sees(s, log.observer, to)
    if start and end:
        tell(log, MOVED << 56 | seat << 55 | (kind << 2 | direction) << 11 | cell)
    elif start or end:
        tell(log, (LEFT if start else CAME) << 56 | seat << 55 | kind << 11 | (cell if start else to))
    y, x, v, u = cell // PITCH, cell % PITCH, to // PITCH, to % PITCH
    s.units[seat][cell] -= ONE[kind]
    if s.units[seat][cell] == s.acted[cell]:
        s.fresh[y] &= ~(1 << x)
    left, entered = s.units[seat][cell] == 0, s.units[seat][to] == 0
    s.units[seat][to] += ONE[kind]
    s.acted[to] += ONE[kind]
    if left:
        s.occupied[seat][y] &= ~(1 << x)
    if entered:
        s.occupied[seat][v] |= 1 << u
    if left or entered:
        look_again(terms, s, seat, min(y, v), max(y, v), log)


@rule
def spend(s: State, seat: int, kind: int, cell: int) -> None:
    """A unit has acted."""
    s.acted[cell] += ONE[kind]
    if s.units[seat][cell] == s.acted[cell]:
        s.fresh[cell // PITCH] &= ~(1 << cell % PITCH)


@rule
def make(terms: Terms, s: State, seat: int, kind: int, cell: int, log: Log) -> None:
    if sees(s, log.observer, cell):
        tell(log, MADE << 56 | seat << 55 | kind << 11 | cell)
    s.purse[seat] -= PRICE[kind]
    s.units[seat][cell] += ONE[kind]
    s.forces[seat] += ONE[kind]
    spend(s, seat, CIVILIAN if kind == BUILDING else BUILDING, cell)
    if not terms.fresh_act:
        spend(s, seat, kind, cell)


@rule
def harvest(s: State, seat: int, cell: int, log: Log) -> None:
    if sees(s, log.observer, cell):
        tell(log, HARVESTED << 56 | seat << 55 | cell)
    spend(s, seat, CIVILIAN, cell)
    s.gold[cell] -= 1
    s.reaped[cell // PITCH] |= 1 << cell % PITCH
    if s.gold[cell] == 0:
        s.ore[cell // PITCH] &= ~(1 << cell % PITCH)
        s.lodes -= 1
    s.purse[seat] += 1
    s.points[seat] += 1
    tell(log, SCORED << 56 | seat << 55 | 1 << 11)


@rule
def end_turn(terms: Terms, s: State, seat: int, log: Log) -> None:
    """Surplus buildings collapse, everyone rests, all fights are fought; only then do sights shrink."""
    for y in range(terms.height):
        s.reaped[y] = 0
        bits = s.occupied[seat][y]
        while bits:
            low = bits & -bits
            bits ^= low
            cell = y * PITCH + low.bit_length() - 1
            s.acted[cell] = 0
            if terms.single and buildings(s.units[seat][cell]) > 1:
                collapse(s, seat, cell, log)
    before = s.won[seat]
    fought = 0
    for y in range(terms.height):
        bits = s.occupied[0][y] & s.occupied[1][y]
        while bits:
            low = bits & -bits
            bits ^= low
            fought += fight(s, y * PITCH + low.bit_length() - 1, seat, log)
    if s.won[seat] > before:
        s.points[seat] += s.won[seat] - before
        tell(log, SCORED << 56 | seat << 55 | s.won[seat] - before << 11)
    if fought:
        for each in range(2):
            look_again(terms, s, each, 0, terms.height - 1, log)
    s.turns += 1
    for y in range(terms.height):
        s.fresh[y] = s.occupied[1 - seat][y]
    tell(log, ENDED << 56 | seat << 55)
    for each in range(2):
        if s.forces[each] == 0:
            s.loser = each + 1
            tell(log, BEATEN << 56 | each << 55)
    if s.loser == 0 and s.turns >= terms.turns:
        tell(log, OVER << 56)


@rule
def collapse(s: State, seat: int, cell: int, log: Log) -> None:
    """One building is left."""
    surplus = buildings(s.units[seat][cell]) - 1
    s.units[seat][cell] -= surplus * ONE[BUILDING]
    s.forces[seat] -= surplus * ONE[BUILDING]
    if sees(s, log.observer, cell):
        tell(log, COLLAPSED << 56 | seat << 55 | surplus << 11 | cell)


@rule
def clash(attackers: int, defenders: int) -> int:
    """How many military units are left: attackers, or as a negative number defenders. The defenders strike first."""
    while attackers > 0 and defenders > 0:
        attackers -= (defenders + 1) // 2
        if attackers > 0:
            defenders -= (attackers + 1) // 2
    return max(attackers, 0) - max(defenders, 0)


@rule
def fight(s: State, cell: int, attacker: int, log: Log) -> int:
    """Both sides stand on the cell; without any military nothing happens, and 0 is returned."""
    defender = 1 - attacker
    left = clash(military(s.units[attacker][cell]), military(s.units[defender][cell]))
    if left == 0:
        return 0
    lose(s, attacker, cell, left, log)
    s.won[attacker] += lose(s, defender, cell, -left, log)
    return 1


@rule
def lose(s: State, seat: int, cell: int, left: int, log: Log) -> int:
    """`left` military units stay, and everybody else with them; without any, nobody does. Returns the price."""
    word = s.units[seat][cell]
    lost = word if left <= 0 else (military(word) - left) * ONE[MILITARY]
    s.units[seat][cell] -= lost
    s.forces[seat] -= lost
    s.fallen[seat] += price(lost)
    if left <= 0:
        s.occupied[seat][cell // PITCH] &= ~(1 << cell % PITCH)
    if log.observer >= 0:
        tell(log, LOST << 56 | seat << 55 | lost << 11 | cell)
    return price(lost)


@rule
def score(terms: Terms, s: State, seat: int) -> int:
    """Points; -1 for who has no unit left."""
    return -1 if s.loser == seat + 1 else s.points[seat]


@rule
def fallback(terms: Terms, s: State, seat: int) -> int:
    return END


@rule
def key(terms: Terms, s: State) -> int:
    """Of all but what the seats remember, which changes nothing that happens."""
    h = mix(s.turns << 2 | s.loser, s.purse[0] << 20 ^ s.purse[1])
    h = mix(h, s.points[0] << 20 ^ s.points[1])
    for y in range(terms.height):
        h = mix(h, s.reaped[y])
        bits = s.ore[y] | s.occupied[0][y] | s.occupied[1][y]
        while bits:
            low = bits & -bits
            bits ^= low
            cell = y * PITCH + low.bit_length() - 1
            h = mix(h, s.gold[cell] << 11 | cell)
            h = mix(mix(h, s.units[0][cell]), s.units[1][cell])
            if s.acted[cell]:
                h = mix(h, s.acted[cell])
    return h


@rule
def mix(h: int, value: int) -> int:
    """Two words of 31 bits, stirred; no product leaves 62 bits."""
    low = (h & 0x7FFFFFFF ^ value & 0x7FFFFFFF) * 0x5BD1E995 & 0x3FFFFFFFFFFFFFFF
    high = (h >> 31 ^ value >> 31 & 0x7FFFFFFF) * 0x2C1B3C6D & 0x3FFFFFFFFFFFFFFF
    return (low >> 13 ^ low << 29 & 0x3FFFFFFFFFFFFFFF) ^ (high >> 17 ^ high << 19 & 0x3FFFFFFFFFFFFFFF)
