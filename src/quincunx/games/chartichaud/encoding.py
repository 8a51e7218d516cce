"""Chartichaud for learning: planes of the map as one seat sees and remembers it, and twelve numbers a cell.

The map is turned by half for the second player: both see themselves start at the top left. Number 0 ends the turn; the
others are 1 + (y * width + x) * 12 + what:

    what 0..3   a civilian goes N E S W        8    a civilian harvests
         4..7   a soldier goes N E S W         9..11  a civilian, a soldier, a building is made

Counts of units and gold that are larger than 127 are cut off there.
"""

from __future__ import annotations

from quincunx.core.encoding import LARGEST
from quincunx.core.engine import rule
from quincunx.core.structure import i8, i32
from quincunx.games.chartichaud.fog import gold_known
from quincunx.games.chartichaud.grid import (
    BUILDING,
    GOLD_BITS,
    PITCH,
    WORD_BITS,
    State,
    Terms,
    View,
    count,
    has,
    mirror,
)
from quincunx.games.chartichaud.rules import END, HARVEST, MAKE, MOVE

VERSION = 1
_KINDS = ("civilians", "soldiers", "buildings")
PLANES = (
    "in sight", "gold", "harvested this turn", "1 + turns since last seen",
    *(f"my {kind}" for kind in _KINDS),
    *(f"my {kind} that may act" for kind in _KINDS),
    *(f"their {kind}" for kind in _KINDS),
    *(f"their {kind} when last seen" for kind in _KINDS),
)  # fmt: skip
SCALARS = (
    "turns played", "turns left", "my purse", "my wealth at the start",
    "my points", "my points from fights", "the price of my losses",
    "their points", "their points from fights", "the price of their losses",
    "new units may act", "units are made beside enemy buildings", "one building a cell",
)  # fmt: skip
MINE, READY, THEIRS, LAST_SEEN = 4, 7, 10, 13
HARVESTS, MAKES, WHATS = 8, 9, 12
NAMES = (
    *(f"{kind} {way}" for kind in ("civilian", "soldier") for way in "NESW"),
    "harvest", "make a civilian", "make a soldier", "make a building",
)  # fmt: skip


def size(terms: Terms) -> tuple[int, int]:
    return terms.height, terms.width


def actions(terms: Terms) -> int:
    return 1 + terms.height * terms.width * WHATS


def name(terms: Terms, number: int) -> str:
    if number == 0:
        return "end"
    cell, what = divmod(number - 1, WHATS)
    return f"{cell % terms.width},{cell // terms.width} {NAMES[what]}"


@rule
def encode(terms: Terms, view: View, seat: int, planes: list[i8], scalars: list[i32]) -> None:
    width, height = terms.width, terms.height
    for y in range(height):
        for x in range(width):
            at = (height - 1 - y) * width + width - 1 - x if seat else y * width + x
            encode_cell(terms, view, seat, x, y, at, planes)
    scalars[0], scalars[1] = view.turns, terms.turns - view.turns
    scalars[2], scalars[3] = view.own_purse, view.own_wealth
    for k in range(2):
        side, first = (seat if k == 0 else 1 - seat), 4 + 3 * k
        scalars[first], scalars[first + 1] = view.points[side], view.won[side]
        scalars[first + 2] = view.fallen[side]
    scalars[10], scalars[11], scalars[12] = terms.fresh_act, terms.contested, terms.single


@rule
def encode_cell(terms: Terms, view: View, seat: int, x: int, y: int, at: int, planes: list[i8]) -> None:
    area, cell = terms.width * terms.height, y * PITCH + x
    planes[area + at] = min(LARGEST, gold_known(view, cell))
    if has(view.seen[y], x):
        planes[at] = 1
        planes[2 * area + at] = has(view.reaped[y], x)
        own, other = view.units[seat][cell], view.units[1 - seat][cell]
        if own | other:
            for kind in range(BUILDING + 1):
                planes[(MINE + kind) * area + at] = min(LARGEST, count(own, kind))
                planes[(READY + kind) * area + at] = min(LARGEST, count(own - view.acted[cell], kind))
                planes[(THEIRS + kind) * area + at] = min(LARGEST, count(other, kind))
    elif view.memory[cell]:
        since = view.turns + 1 - (view.memory[cell] >> WORD_BITS + GOLD_BITS)
        planes[3 * area + at] = min(LARGEST, since + 1)
        for kind in range(BUILDING + 1):
            planes[(LAST_SEEN + kind) * area + at] = min(LARGEST, count(view.memory[cell], kind))


@rule
def number_of(terms: Terms, s: State, seat: int, action: int) -> int:
    if action == END:
        return 0
    verb, kind, way, cell = action >> 16, action >> 14 & 3, action >> 12 & 3, action & 0xFFF
    if seat:
        cell, way = mirror(terms, cell), way ^ 2
    what = HARVESTS if verb == HARVEST else MAKES + kind if verb == MAKE else kind << 2 | way
    return 1 + (cell // PITCH * terms.width + cell % PITCH) * WHATS + what


@rule
def action_of(terms: Terms, s: State, seat: int, number: int) -> int:
    if number == 0:
        return END
    at, what = (number - 1) // WHATS, (number - 1) % WHATS
    cell = at // terms.width * PITCH + at % terms.width
    if seat:
        cell = mirror(terms, cell)
    if what == HARVESTS:
        return HARVEST << 16 | cell
    if what >= MAKES:
        return MAKE << 16 | what - MAKES << 14 | cell
    return MOVE << 16 | what >> 2 << 14 | (what & 3 ^ (2 if seat else 0)) << 12 | cell
