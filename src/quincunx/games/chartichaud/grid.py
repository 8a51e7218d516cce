"""Chartichaud's ground: the structures, and what can be read off the grid.

     x 0  1 ..  39       a cell is y * 40 + x, whatever the width and height of the match
  y 0  0  1 ..  39       a row of a mask is one number, bit x for the cell (x, y)
    1 40 41 ..  79
                  36       25       13        0
    a word     | buildings | military | civilians |      units of one owner on one cell, or in all
                61       52    37
    a memory   | turn + 1 | gold | word of the enemy |   of a cell that was seen and is not any more; 0 = never seen

The words hold what MOST_GOLD and MOST_UNITS of a map can ever become: no count runs over.
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core import contract
from quincunx.core.contract import Log, tell
from quincunx.core.engine import rule, table
from quincunx.core.structure import i8, i16, i32, i64

PITCH, CELLS = 40, 1600
MOST_GOLD, MOST_UNITS, MOST_TURNS = 32_000, 500, 1000  # of a map: in all, of one owner and kind, of a match
SIGHT = 2

CIVILIAN, MILITARY, BUILDING = 0, 1, 2
PRICE = table([5, 10, 15])
ONE = table([1, 1 << 13, 1 << 25])
SHIFT = table([0, 13, 25])
FULL = table([0x1FFF, 0xFFF, 0xFFF])
WORD_BITS, GOLD_BITS = 37, 15

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
STEP = table([-PITCH, 1, PITCH, -1])

# Events: kind << 56 | seat << 55 | what << 11 | cell. What: see each
MOVED = 1  # unit kind << 2 | direction; the cell is the start; both ends are seen
LEFT, CAME = 2, 3  # unit kind; only the start, only the end is seen
MADE = 4  # unit kind: built or recruited
HARVESTED = 5
COLLAPSED = 6  # how many surplus buildings
LOST = 7  # word of what a side loses in a fight; always a pair, the attacker's first, even if it is 0
SCORED = 8  # how many points
LIT, FOUND, DARKENED = 9, 10, 11  # gold of a cell that comes into sight, the enemy's word there; a cell out of sight
ENDED, BEATEN, OVER = 12, 13, 14  # a turn, a player without units, the last turn


class Terms(contract.Terms):
    width: i16
    height: i16
    turns: i16  # of both players together
    fresh_act: i8  # may a unit act in the turn in which it was made?
    contested: i8  # may units be made where the enemy has a building?
    single: i8  # does only one building a player and cell outlast the turn?


class State(contract.State):
    units: Annotated[list[list[i64]], 2, 1600]  # words
    acted: Annotated[list[i64], 1600]  # words: those of the player to move that have
    memory: Annotated[list[list[i64]], 2, 1600]  # of each seat, where it sees nothing now
    gold: Annotated[list[i16], 1600]
    reaped: Annotated[list[i64], 40]  # mask: harvested this turn
    purse: Annotated[list[i32], 2]
    points: Annotated[list[i32], 2]
    won: Annotated[list[i32], 2]  # points from fights; the others were harvested
    fallen: Annotated[list[i32], 2]  # the price of all that a player lost in fights
    wealth: Annotated[list[i32], 2]  # gold and price of all units at the start
    turns: i16
    loser: i8  # 1 + the seat that has no unit left
    # what follows from the above, kept up to date: see `derive`
    lodes: i16  # cells with gold
    forces: Annotated[list[i64], 2]  # words of all units
    ore: Annotated[list[i64], 40]  # masks: gold,
    fresh: Annotated[list[i64], 40]  # units of the player to move that may act,
    occupied: Annotated[list[list[i64]], 2, 40]  # units,
    seen: Annotated[list[list[i64]], 2, 40]  # what a seat sees,
    known: Annotated[list[list[i64]], 2, 40]  # and what it sees or remembers


class View(contract.View):
    """What is on a cell that is not seen is unknown, and 0 here; what was there is in `memory`."""

    units: Annotated[list[list[i64]], 2, 1600]
    acted: Annotated[list[i64], 1600]  # one's own
    memory: Annotated[list[i64], 1600]
    gold: Annotated[list[i16], 1600]
    reaped: Annotated[list[i64], 40]
    seen: Annotated[list[i64], 40]
    own_purse: i32
    points: Annotated[list[i32], 2]
    won: Annotated[list[i32], 2]  # this and the next: every fight was told to both
    fallen: Annotated[list[i32], 2]
    own_wealth: i32
    turns: i16
    loser: i8


@rule
def count(word: int, kind: int) -> int:
    return word >> SHIFT[kind] & FULL[kind]


@rule
def military(word: int) -> int:
    return word >> 13 & 0xFFF


@rule
def buildings(word: int) -> int:
    return word >> 25 & 0xFFF


@rule
def price(word: int) -> int:
    """What all units of a word cost."""
    return 5 * (word & 0x1FFF) + 10 * military(word) + 15 * buildings(word)


@rule
def inside(terms: Terms, x: int, y: int) -> bool:
    return 0 <= x < terms.width and 0 <= y < terms.height


@rule
def has(row: int, x: int) -> bool:
    return row >> x & 1 == 1


@rule
def sees(s: State, seat: int, cell: int) -> bool:
    """Does a seat see a cell now? PUBLIC sees none."""
    return seat >= 0 and has(s.seen[seat][cell // PITCH], cell % PITCH)


@rule
def borders(terms: Terms, cell: int, direction: int) -> bool:
    """Is there a cell beside this one?"""
    if direction == NORTH:
        return cell >= PITCH
    if direction == EAST:
        return cell % PITCH < terms.width - 1
    if direction == SOUTH:
        return cell // PITCH < terms.height - 1
    return cell % PITCH > 0


@rule
def mirror(terms: Terms, cell: int) -> int:
    """The cell opposite through the middle of the grid."""
    return (terms.height - 1 - cell // PITCH) * PITCH + terms.width - 1 - cell % PITCH


@rule
def row_in_sight(terms: Terms, s: State, seat: int, y: int) -> int:
    """The mask of what the units of a seat see in row y."""
    near = 0
    for v in range(max(0, y - SIGHT), min(terms.height, y + SIGHT + 1)):
        near |= s.occupied[seat][v]
    return (near | near << 1 | near << 2 | near >> 1 | near >> 2) & (1 << terms.width) - 1


@rule
def look_again(terms: Terms, s: State, seat: int, top: int, bottom: int, log: Log) -> None:
    """Units in rows `top` to `bottom` came or went: what leaves sight is remembered, what comes into it is told."""
    loud = log.observer == seat and log.count < len(log.events)
    for y in range(max(0, top - SIGHT), min(terms.height, bottom + SIGHT + 1)):
        row = row_in_sight(terms, s, seat, y)
        changed = row ^ s.seen[seat][y]
        s.seen[seat][y] = row
        s.known[seat][y] |= row
        while changed:
            low = changed & -changed
            changed ^= low
            cell = y * PITCH + low.bit_length() - 1
            if row & low:
                s.memory[seat][cell] = 0
                if loud:
                    tell(log, LIT << 56 | s.gold[cell] << 11 | cell)
                    if s.units[1 - seat][cell]:
                        tell(log, FOUND << 56 | 1 - seat << 55 | s.units[1 - seat][cell] << 11 | cell)
            else:
                what = s.gold[cell] << WORD_BITS | s.units[1 - seat][cell]
                s.memory[seat][cell] = s.turns + 1 << WORD_BITS + GOLD_BITS | what
                if loud:
                    tell(log, DARKENED << 56 | cell)


@rule
def derive(terms: Terms, s: State) -> None:
    """Writes all fields that follow from the others."""
    s.lodes = 0
    player = s.turns & 1
    for seat in range(2):
        s.forces[seat] = 0
    for y in range(terms.height):
        s.ore[y] = s.fresh[y] = s.occupied[0][y] = s.occupied[1][y] = 0
        for x in range(terms.width):
            cell = y * PITCH + x
            if s.gold[cell]:
                s.ore[y] |= 1 << x
                s.lodes += 1
            for seat in range(2):
                if s.units[seat][cell]:
                    s.occupied[seat][y] |= 1 << x
                    s.forces[seat] += s.units[seat][cell]
            if s.units[player][cell] != s.acted[cell]:
                s.fresh[y] |= 1 << x
    for y in range(terms.height):
        for seat in range(2):
            s.seen[seat][y] = s.known[seat][y] = row_in_sight(terms, s, seat, y)
            for x in range(terms.width):
                if s.memory[seat][y * PITCH + x]:
                    s.known[seat][y] |= 1 << x
