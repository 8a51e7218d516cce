"""Chartichaud: everything that the ruling hides from a seat, drawn again. Written from the ruling, not from the rules.

A cell is seen if an own unit is within Chebyshev distance 2; on a seen cell everything is seen but which enemy units
have acted; scores are public; the gold of the other is not. The PUBLIC view: size, turn, scores.
"""

from __future__ import annotations

from typing import Any

from quincunx.core.random import Random, below
from quincunx.games.chartichaud.grid import derive

PITCH = 40
CIVILIAN, MILITARY, BUILDING = 1, 1 << 13, 1 << 25


def seen_by(terms: Any, s: Any, seat: int) -> set[int]:
    seen = set()
    for y in range(terms.height):
        for x in range(terms.width):
            if seat >= 0 and s.units[seat][y * PITCH + x]:
                seen |= {
                    v * PITCH + u
                    for v in range(max(0, y - 2), min(terms.height, y + 3))
                    for u in range(max(0, x - 2), min(terms.width, x + 3))
                }
    return seen


def redraw(terms: Any, s: Any, seat: int, random: Random) -> None:
    """For a seat: of the other. For PUBLIC: of both."""
    seen = seen_by(terms, s, seat)
    for other in {0, 1} - {seat}:
        s.purse[other] = below(random, 300)
        s.wealth[other] = 1 + below(random, 300)
        for y in range(terms.height):
            for x in range(terms.width):
                cell = y * PITCH + x
                if cell not in seen:
                    _redraw_cell(s, other, cell, random)
                if s.turns & 1 == other:
                    s.acted[cell] = _some_of(s.units[other][cell], random)
        if not any(s.units[other]):
            far = next((c for c in _cells(terms) if c not in seen), None)
            if far is not None:
                s.units[other][far] = CIVILIAN
    derive(terms, s)
    for other in {0, 1} - {seat}:
        theirs = seen_by(terms, s, other)
        for cell in _cells(terms):
            s.memory[other][cell] = 0 if cell in theirs else below(random, 2) * (1 + below(random, s.turns + 1)) << 52


def _cells(terms: Any) -> list[int]:
    return [y * PITCH + x for y in range(terms.height) for x in range(terms.width)]


def _redraw_cell(s: Any, other: int, cell: int, random: Random) -> None:
    s.gold[cell] = below(random, 60) if below(random, 3) == 0 else 0
    s.units[other][cell] = 0
    if below(random, 3) == 0:
        s.units[other][cell] = below(random, 3) * CIVILIAN + below(random, 3) * MILITARY + below(random, 2) * BUILDING
    x, y = cell % PITCH, cell // PITCH
    s.reaped[y] = s.reaped[y] & ~(1 << x) | below(random, 2) << x


def _some_of(word: int, random: Random) -> int:
    """No more of each kind than there are."""
    civilians, military, buildings = word & 0x1FFF, word >> 13 & 0xFFF, word >> 25 & 0xFFF
    return (
        below(random, civilians + 1) * CIVILIAN
        + below(random, military + 1) * MILITARY
        + below(random, buildings + 1) * BUILDING
    )
