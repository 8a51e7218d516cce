"""Casus Belli, who sees what.

The cone of a unit that looks north, size 2 (forward i, sideways j). A wall hides what is behind it in its column, but
not if it is beside the unit; a forest does too, but not from a neighbouring cell, from which it is seen.

    j -3 -2 -1  0  1  2  3
       .  .  .  .  .  .  .   i = 2       .  .  .     .  .  .        .  .  .  .  .  .  .
          .  .  .  .  .      i = 1          .  .  #  .  .              .  .  .  .  .
             .  @  .         i = 0             .  @  .                    .  @  #

Towers, palantírs and revealed zones see a whole square, over everything, but never into a forest or a wall.
"""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.core.structure import ints
from quincunx.games.casus_belli.field import (
    DX,
    DY,
    FOREST,
    KIND,
    PALANTIR_SIGHT,
    REVEAL_SIGHT,
    TOWER,
    VISION,
    WALL,
    State,
    Terms,
    kind_at,
)

KNOWN = 1024  # more than twice the 485 cells that a team can see


@rule
def blocks(kind: int, i: int, side: int) -> bool:
    """Does this ground hide what is behind it, `i` forward and `side` to a side of the eye?"""
    return (kind == WALL and i > 0) or (kind == FOREST and i + side > 1)


@rule
def in_cone(terms: Terms, cell: int, facing: int, size: int, target: int) -> bool:
    width = terms.width
    dx, dy = target % width - cell % width, target // width - cell // width
    right = facing + 1 & 3
    i, j = dx * DX[facing] + dy * DY[facing], dx * DX[right] + dy * DY[right]
    side = abs(j)
    if i < 0 or i > size or side > i + 1:
        return False
    there = kind_at(terms, target)
    if there == WALL or (there == FOREST and i + side > 1):
        return False
    ahead = DY[facing] * width + DX[facing]
    aside = DY[right] * width + DX[right]
    if j < 0:
        aside = -aside
    opens = max(0, side - 1)  # the row in which the column begins
    at = cell + side * aside + opens * ahead
    for row in range(opens, i):
        if blocks(kind_at(terms, at), row, side):
            return False
        at += ahead
    if terms.narrow:
        at = cell + aside
        for column in range(1, side):
            if blocks(kind_at(terms, at), column - 1, column):
                return False
            at += aside + ahead
    return True


@rule
def in_square(terms: Terms, cell: int, size: int, target: int) -> bool:
    width = terms.width
    if abs(target % width - cell % width) > size or abs(target // width - cell // width) > size:
        return False
    there = kind_at(terms, target)
    return there != WALL and there != FOREST


@rule
def sees(terms: Terms, cell: int, facing: int, size: int, target: int) -> bool:
    """Is `target` seen from `cell`: from a tower all around, otherwise in the cone?"""
    if kind_at(terms, cell) == TOWER:
        return in_square(terms, cell, size, target)
    return in_cone(terms, cell, facing, size, target)


@rule
def unit_sees(terms: Terms, s: State, unit: int, target: int) -> bool:
    return s.health[unit] > 0 and sees(terms, s.cell[unit], s.facing[unit], VISION[unit % 3], target)


@rule
def team_sees(terms: Terms, s: State, seat: int, target: int) -> bool:
    """By a living unit, the palantír, or the revealed zone."""
    for unit in range(3 * seat, 3 * seat + 3):
        if unit_sees(terms, s, unit, target):
            return True
    if s.palantir[seat] and in_square(terms, s.palantir[seat] - 1, PALANTIR_SIGHT, target):
        return True
    return s.revealed[seat] > 0 and in_square(terms, s.revealed[seat] - 1, REVEAL_SIGHT, target)


@rule
def list_cone(terms: Terms, eye: int, facing: int, size: int, out: list[int], n: int) -> int:
    """Appends the cells of a cone to out[0..n-1]; returns how many there are now."""
    width, height = terms.width, terms.height
    right = facing + 1 & 3
    ax, ay, rx, ry = DX[facing], DY[facing], DX[right], DY[right]
    x, y = eye % width, eye // width
    ground = terms.ground
    blocked = 0  # bit 8 + j of column j
    for i in range(size + 1):
        if terms.narrow and i > 0:
            blocked |= (blocked >> 8 - i & 1) << 7 - i | (blocked >> 8 + i & 1) << 9 + i
        for j in range(-i - 1, i + 2):
            u, v = x + i * ax + j * rx, y + i * ay + j * ry
            if blocked >> 8 + j & 1 or u < 0 or u >= width or v < 0 or v >= height:
                continue
            cell = v * width + u
            kind = KIND[ground[cell >> 3] >> (cell & 7) * 7 & 127]
            if kind == WALL or kind == FOREST:
                if blocks(kind, i, abs(j)):
                    blocked |= 1 << 8 + j
                if kind == WALL or i + abs(j) > 1:
                    continue
            out[n] = cell
            n += 1
    return n


@rule
def list_square(terms: Terms, cell: int, size: int, out: list[int], n: int) -> int:
    width = terms.width
    x, y = cell % width, cell // width
    for v in range(max(0, y - size), min(terms.height, y + size + 1)):
        for u in range(max(0, x - size), min(width, x + size + 1)):
            kind = kind_at(terms, v * width + u)
            if kind != WALL and kind != FOREST:
                out[n] = v * width + u
                n += 1
    return n


@rule
def list_sight(terms: Terms, cell: int, facing: int, size: int, out: list[int], n: int) -> int:
    """Appends what is seen from a cell: all around on a tower, otherwise the cone."""
    if kind_at(terms, cell) == TOWER:
        return list_square(terms, cell, size, out, n)
    return list_cone(terms, cell, facing, size, out, n)


@rule
def list_team(terms: Terms, s: State, seat: int, out: list[int], n: int) -> int:
    """Appends what a team sees, each cell once: eye by eye, without what an earlier eye saw."""
    known = ints(KNOWN)  # a hash table: cell + 1, or 0
    kept = n
    for eye in range(5):
        n = kept
        if eye < 3:
            unit = 3 * seat + eye
            if s.health[unit] > 0:
                n = list_sight(terms, s.cell[unit], s.facing[unit], VISION[eye], out, n)
        elif eye == 3 and s.palantir[seat]:
            n = list_square(terms, s.palantir[seat] - 1, PALANTIR_SIGHT, out, n)
        elif eye == 4 and s.revealed[seat]:
            n = list_square(terms, s.revealed[seat] - 1, REVEAL_SIGHT, out, n)
        for k in range(kept, n):
            cell = out[k]
            at = cell & KNOWN - 1
            while known[at] and known[at] != cell + 1:
                at = at + 1 & KNOWN - 1
            if known[at] == 0:
                known[at] = cell + 1
                out[kept] = cell
                kept += 1
    return kept
