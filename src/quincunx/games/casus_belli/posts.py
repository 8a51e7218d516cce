"""Casus Belli, the posts of a team: a hotspot for each of its units, the nearest pairs first.

A hotspot that is held gives a point every three turns, which is more than most fights do: a team that spreads has three
of them. Eight cells of the ground are one number (field.py), and most numbers hold no hotspot:

    a cell is a hotspot   if one of its four upper bits is set (8 and up), or two of the lower ones: 6 and 7
    other kinds           0..5 have neither; what is cut off (106 and up) is sorted out afterwards
"""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.core.structure import ints
from quincunx.games.casus_belli.field import DX, DY, FIRST_HOTSPOT, State, Terms

FAR = 12  # rows above and below the team in which a post is looked for
UPPER, SECOND = 0xF1E3C78F1E3C78, 0x4081020408102  # of each of eight cells: bits 3 to 6, bit 1
NONE = 1 << 20


@rule
def has_hotspot(word: int) -> bool:
    """May one of these eight cells be one?"""
    return word & UPPER != 0 or word & word >> 1 & SECOND != 0


@rule
def assign_posts(terms: Terms, s: State, seat: int, posts: list[int]) -> None:
    """Writes into posts[role] the cell where a unit of the team should stand; -1 if there is none for it."""
    for role in range(3):
        posts[role] = -1
    if terms.hotspots == 0:
        return
    n = terms.hotspots
    far, where = ints(3 * n), ints(3 * n)
    for k in range(3 * n):
        far[k] = NONE
    measure(terms, s, seat, far, where)
    for _ in range(3):
        best = NONE
        chosen = -1
        for k in range(3 * n):
            if far[k] < best and posts[k // n] < 0:
                best, chosen = far[k], k
        if chosen < 0:
            return
        posts[chosen // n] = where[chosen]
        for role in range(3):
            far[role * n + chosen % n] = NONE


@rule
def end_of(terms: Terms, s: State, unit: int, payload: int) -> int:
    """The cell on which a path ends."""
    cell = s.cell[unit]
    for k in range(payload & 15):
        step = payload >> 8 + 2 * k & 3
        cell += DY[step] * terms.width + DX[step]
    return cell


@rule
def measure(terms: Terms, s: State, seat: int, far: list[int], where: list[int]) -> None:
    """How far units will be from each hotspot near the team once its orders are carried out; and from which cell."""
    width, n, ends = terms.width, terms.hotspots, ints(3)
    top, bottom = terms.height - 1, 0
    for role in range(3):
        ends[role] = end_of(terms, s, 3 * seat + role, s.path[3 * seat + role])
        y = ends[role] // width
        top, bottom = min(top, y), max(bottom, y)
    top, bottom = max(0, top - FAR), min(terms.height - 1, bottom + FAR)
    for k in range(top * width >> 3, ((bottom + 1) * width - 1 >> 3) + 1):
        word = terms.ground[k]
        if not has_hotspot(word):
            continue
        for cell in range(8 * k, 8 * k + 8):
            spot = (word & 127) - FIRST_HOTSPOT
            word >>= 7
            if 0 <= spot < n:
                for role in range(3):
                    away = abs(ends[role] % width - cell % width) + abs(ends[role] // width - cell // width)
                    if away < far[role * n + spot]:
                        far[role * n + spot], where[role * n + spot] = away, cell
