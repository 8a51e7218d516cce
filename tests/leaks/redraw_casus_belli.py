"""Casus Belli: everything that the ruling hides from a seat, drawn again. Written from the ruling, not from the rules.

Hidden: others' cooldowns, palantír, revealed zones, orders and points of departure; units and corpses out of sight;
how others walked, but for the cells on which its own units saw somebody at a step, and even then who it was. A team
sees what its units, its palantír and its revealed zone see. Scores, who has sealed and hotspots are public.
"""

from __future__ import annotations

from typing import Any

from quincunx.core.random import Random, below
from quincunx.games.casus_belli.field import kind_at

WALL, FOREST, TOWER = 3, 4, 5
VISION = (5, 4, 4)
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # N E S W


def cone(terms: Any, cell: int, facing: int, size: int) -> set[int]:
    """Column by column, as the ruling tells it."""
    x, y = cell % terms.width, cell // terms.width
    fx, fy = STEPS[facing]
    rx, ry = STEPS[(facing + 1) % 4]
    blocked: dict[int, bool] = {}
    seen = set()
    for i in range(size + 1):
        if terms.narrow and i > 0:
            for side in (-1, 1):
                blocked[side * (i + 1)] = blocked.get(side * i, False)
        for j in range(-(i + 1), i + 2):
            u, v = x + i * fx + j * rx, y + i * fy + j * ry
            if not (0 <= u < terms.width and 0 <= v < terms.height) or blocked.get(j, False):
                continue
            there, near = kind_at(terms, v * terms.width + u), i + abs(j) <= 1
            if there == WALL:
                blocked[j] = i > 0
            elif there == FOREST and not near:
                blocked[j] = True
            else:
                seen.add(v * terms.width + u)
    return seen


def square(terms: Any, cell: int, size: int) -> set[int]:
    x, y = cell % terms.width, cell // terms.width
    return {
        v * terms.width + u
        for v in range(max(0, y - size), min(terms.height, y + size + 1))
        for u in range(max(0, x - size), min(terms.width, x + size + 1))
        if kind_at(terms, v * terms.width + u) not in (WALL, FOREST)
    }


def seen_by(terms: Any, s: Any, seat: int) -> set[int]:
    if seat < 0:
        return set()
    seen = set()
    for role in range(3):
        unit = 3 * seat + role
        if s.health[unit] > 0:
            seen |= eye(terms, s.cell[unit], s.facing[unit], VISION[role])
    if s.palantir[seat]:
        seen |= square(terms, s.palantir[seat] - 1, 5)
    if s.revealed[seat]:
        seen |= square(terms, s.revealed[seat] - 1, 4)
    return seen


def eye(terms: Any, cell: int, facing: int, size: int) -> set[int]:
    on_tower = kind_at(terms, cell) == TOWER
    return square(terms, cell, size) if on_tower else cone(terms, cell, facing, size)


def stages(terms: Any, track: int, steps: int) -> list[tuple[int, int]]:
    """Where a unit stood and looked after each step of the last march."""
    cell, facing, length = track & 0xFFFF, track >> 20 & 3, track >> 16 & 15
    found = []
    for k in range(steps):
        if k < length:
            facing = track >> 22 + 2 * k & 3
            cell += STEPS[facing][1] * terms.width + STEPS[facing][0]
        found.append((cell, facing))
    return found


def redraw_tracks(terms: Any, s: Any, seat: int, random: Random) -> None:
    """Who was noted may have been somebody else; who was not went to and fro elsewhere, out of sight at every step, and
    as far: the longest path of all says for how many steps everybody looked."""
    steps = max(s.track[unit] >> 16 & 15 for unit in range(3 * terms.seats))
    own = [3 * seat + role for role in range(3) if seat >= 0]
    lit: list[set[int]] = [set() for _ in range(steps)]
    for unit in own:
        if s.track[unit]:
            for k, (cell, facing) in enumerate(stages(terms, s.track[unit], steps)):
                lit[k] |= eye(terms, cell, facing, VISION[unit % 3])
    others = [unit for unit in range(3 * terms.seats) if unit not in own and s.track[unit]]
    noted = [u for u in others if any(c in lit[k] for k, (c, _) in enumerate(stages(terms, s.track[u], steps)))]
    tracks = [s.track[unit] for unit in noted]
    for unit in noted:
        track = tracks.pop(below(random, len(tracks)))
        s.track[unit] = track & ~(3 << 20) | below(random, 4) << 20
    seen = set().union(*lit)
    dark = {c for c in range(terms.width * terms.height) if c not in seen and kind_at(terms, c) != WALL}
    room = [c for c in sorted(dark) if c + 1 in dark and (c + 1) % terms.width]  # for a step to the east, and back
    for unit in others:
        if unit not in noted and room:
            length = s.track[unit] >> 16 & 15
            fro = sum((1, 3)[k % 2] << 2 * k for k in range(length))
            s.track[unit] = 1 << 42 | fro << 22 | below(random, 4) << 20 | length << 16 | room[below(random, len(room))]


def redraw(terms: Any, s: Any, seat: int, random: Random) -> None:
    seen = seen_by(terms, s, seat)
    hidden = [c for c in range(terms.width * terms.height) if c not in seen and kind_at(terms, c) != WALL]
    for other in range(terms.seats):
        if other == seat:
            continue
        if s.turn >= terms.placement:
            s.palantir[other] = below(random, 2) * (1 + below(random, terms.width * terms.height))
            s.revealed[other] = below(random, 2) * (1 + below(random, terms.width * terms.height))
        for role in range(3):
            _redraw_unit(terms, s, 3 * other + role, seen, hidden, random)
    redraw_tracks(terms, s, seat, random)


def _redraw_unit(terms: Any, s: Any, unit: int, seen: set[int], hidden: list[int], random: Random) -> None:
    s.cooldown[2 * unit], s.cooldown[2 * unit + 1] = below(random, 6), below(random, 6)
    s.departure[unit] = s.cell[unit] if not hidden else hidden[below(random, len(hidden))]
    s.attack[unit] = s.path[unit] = 0
    if s.cell[unit] not in seen and hidden:
        s.cell[unit] = hidden[below(random, len(hidden))]
        s.facing[unit], s.health[unit] = below(random, 4), 1 + below(random, 10)
    if hidden and (s.corpse[unit] == 0 or s.corpse[unit] - 1 not in seen) and not terms.at_once:
        s.corpse[unit] = below(random, 2) * (1 + hidden[below(random, len(hidden))])
