"""What a net sees of Cultist: every unit with its HP on its cell, and where it stands from either leader.

The map is mirrored for the second cult, as in encoding.py. Inputs, by their first number:

    0        kind * 5 + how hurt, of each cell     kinds: my leader, my cultists, their leader, theirs, neutrals
    2275     kind, (dy + 6) * 25 + dx + 12         from my leader to my cultists, their leader, theirs, neutrals
    3575     likewise                              from their leader to my cultists, theirs, neutrals
    4550     how many units I have, they have, are neutral: 14 numbers each
    4592     turns left, in eight steps; then what was agreed: wander, generator, friendly fire, units block
"""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.games.cultist.encoding import CELLS
from quincunx.games.cultist.grid import HEIGHT, PITCH, SIZE, WIDTH
from quincunx.games.cultist.rules import GENERATOR, NEUTRAL, UNITS, WANDER, State, Terms

VERSION = 1
HURT = table([0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 4])  # by HP
STEPS = table([0, 1, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6])
BROAD = 2 * WIDTH - 1
AROUND = BROAD * (2 * HEIGHT - 1)
FROM_MINE, FROM_THEIRS = 25 * CELLS, 25 * CELLS + 4 * AROUND
COUNTS = FROM_THEIRS + 3 * AROUND
LEFT = COUNTS + 3 * UNITS
AGREED = LEFT + 8
INPUTS = AGREED + 4
MOST = UNITS + 13 + 12 + 3 + 1 + 4
KIND_FROM_MINE, KIND_FROM_THEIRS = table([0, 0, 1, 2, 3]), table([0, 0, 0, 1, 2])
MIDDLE = (HEIGHT - 1) * BROAD + WIDTH - 1  # no way at all


def _places(pitch: int) -> list[list[int]]:
    """[seat][cell]: row * pitch + column, as the seat sees it; 0 at the edge."""
    found = [[0] * SIZE for _ in range(2)]
    for y in range(HEIGHT):
        for x in range(WIDTH):
            found[0][(y + 1) * PITCH + x] = y * pitch + x
            found[1][(y + 1) * PITCH + x] = y * pitch + WIDTH - 1 - x
    return found


FLAT, SPREAD = table(_places(WIDTH)), table(_places(BROAD))  # the difference of two that are spread says the way


@rule
def looks(terms: Terms, s: State) -> int:
    return s.turn & 1


@rule
def inputs(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    n, other = 0, 1 - seat
    mine = FROM_MINE + MIDDLE - SPREAD[seat][s.cell[seat]]
    theirs = FROM_THEIRS + MIDDLE - SPREAD[seat][s.cell[other]]
    for unit in range(UNITS):
        hp = s.hp[unit]
        if hp == 0:
            continue
        owner, cell = s.owner[unit], s.cell[unit]
        kind = 4 if owner == NEUTRAL else (0 if owner == seat else 2) + (unit >= 2)
        out[n] = (kind * 5 + HURT[hp]) * CELLS + FLAT[seat][cell]
        n += 1
        if unit != seat and s.hp[seat]:
            out[n] = mine + KIND_FROM_MINE[kind] * AROUND + SPREAD[seat][cell]
            n += 1
        if unit >= 2 and s.hp[other]:
            out[n] = theirs + KIND_FROM_THEIRS[kind] * AROUND + SPREAD[seat][cell]
            n += 1
    out[n] = COUNTS + s.count[seat]
    out[n + 1] = COUNTS + UNITS + s.count[other]
    out[n + 2] = COUNTS + 2 * UNITS + s.count[NEUTRAL]
    out[n + 3] = LEFT + STEPS[min(32, (terms.turns - s.turn) // 4)]
    return agreed(terms, out, n + 4)


@rule
def agreed(terms: Terms, out: list[int], n: int) -> int:
    if terms.neutrals == WANDER:
        out[n] = AGREED
        n += 1
    if terms.neutrals == GENERATOR:
        out[n] = AGREED + 1
        n += 1
    if terms.friendly_fire:
        out[n] = AGREED + 2
        n += 1
    if terms.units_block:
        out[n] = AGREED + 3
        n += 1
    return n
