"""Casus Belli, the orders of a unit: which are allowed, and which are offered.

Offered are, for every order that the seat has not given yet: all attacks; of the paths the cheapest to each cell in
reach, and the four facings on the spot; and `seal`. Two abilities may aim anywhere on the map; of their targets are
offered, for Loto, what the team sees and what lies within ten cells of the elf; for a revealed zone, the centres of
squares that cover the map:

    . . . . . . . . .  . . . .
    . . . . o . . . .  . . . o        (13 × 3: two zones)
    . . . . . . . . .  . . . .

An order that was given may be given again, and replaces the first; it is only not offered any more.
"""

from __future__ import annotations

from quincunx.core.contract import NONSENSE, NOT_TO_ACT
from quincunx.core.engine import rule
from quincunx.core.structure import ints
from quincunx.games.casus_belli.field import (
    ATTACK,
    BARBARIAN,
    BASIC,
    BASTOOOON,
    BASTOOOON_REACH,
    BLOCKED,
    COOLING,
    DX,
    DY,
    ELF,
    FUS_RO_DAH,
    HOLD,
    IN_SIGHT,
    KNIFE_REACH,
    LOTO,
    MOVEMENT,
    NOT_NOW,
    OUT_OF_SIGHT,
    PATH,
    PAYLOAD,
    PRICE,
    REVEAL,
    REVEAL_SIGHT,
    ROLE,
    SEAL,
    STEPS,
    THIEF,
    TOO_FAR,
    VISION,
    WALL,
    State,
    Terms,
    attacks_now,
    code_at,
    is_targeted,
    kind_at,
    moves_now,
)
from quincunx.games.casus_belli.vision import list_sight, list_team, sees, team_sees, unit_sees

REACH = STEPS  # the window around a unit in which its paths lie, and where Loto is offered
WINDOW = 2 * REACH + 1
ZONE = 2 * REVEAL_SIGHT + 1
LISTS_ALL = False
MAX_LEGAL = 2700  # 132 + 132 + 1941 attacks on towers, 460 paths on roads, and the seal


@rule
def check(terms: Terms, s: State, seat: int, action: int) -> int:
    if s.turn >= terms.turns or not 0 <= seat < terms.seats or s.sealed[seat]:
        return NOT_TO_ACT
    if action == SEAL:
        return 0
    role, payload = action >> 32 & 3, action & ROLE - 1
    if role > ELF or payload > PAYLOAD:
        return NONSENSE
    if action >> 34 == ATTACK >> 34:
        return check_attack(terms, s, 3 * seat + role, payload) if attacks_now(terms, s) else NOT_NOW
    if action >> 34 == PATH >> 34:
        return check_path(terms, s, 3 * seat + role, payload) if moves_now(terms, s) else NOT_NOW
    return NONSENSE


@rule
def check_attack(terms: Terms, s: State, unit: int, payload: int) -> int:
    role, what, cell = unit % 3, payload >> 16, payload & 0xFFFF
    if what > LOTO or cell >= terms.width * terms.height or (cell and not is_targeted(terms, role, what)):
        return NONSENSE
    if what > BASIC and s.cooldown[2 * unit + what - 2]:
        return COOLING
    if not is_targeted(terms, role, what):
        return 0
    if role == ELF:
        if what == BASIC:
            return 0 if team_sees(terms, s, unit // 3, cell) else OUT_OF_SIGHT
        return IN_SIGHT if what == LOTO and terms.free_loto == 0 and unit_sees(terms, s, unit, cell) else 0
    return 0 if sees(terms, s.cell[unit], s.facing[unit], reach_of(role, what), cell) else OUT_OF_SIGHT


@rule
def reach_of(role: int, what: int) -> int:
    """The size of the sight in which a thief or a barbarian aims."""
    if role == THIEF and what == BASIC:
        return KNIFE_REACH
    return BASTOOOON_REACH if role == BARBARIAN and what == BASTOOOON else VISION[role]


@rule
def check_path(terms: Terms, s: State, unit: int, payload: int) -> int:
    steps, facing, length = payload >> 8, payload >> 4 & 15, payload & 15
    if facing > 3 or length > STEPS or steps >> 2 * length:
        return NONSENSE
    x, y = s.cell[unit] % terms.width, s.cell[unit] // terms.width
    points = MOVEMENT[unit % 3]
    for k in range(length):
        points -= PRICE[code_at(terms, y * terms.width + x)]
        if points < 0:
            return TOO_FAR
        step = steps >> 2 * k & 3
        x, y = x + DX[step], y + DY[step]
        if x < 0 or x >= terms.width or y < 0 or y >= terms.height or kind_at(terms, y * terms.width + x) == WALL:
            return BLOCKED
    return 0


@rule
def legal(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    n = 0
    if attacks_now(terms, s):
        for unit in range(3 * seat, 3 * seat + 3):
            if s.attack[unit] == 0:
                n = list_attacks(terms, s, unit, out, n)
    if moves_now(terms, s):
        for unit in range(3 * seat, 3 * seat + 3):
            if s.path[unit] == 0:
                n = list_paths(terms, s, unit, out, n)
    out[n] = SEAL
    return n + 1


@rule
def list_attacks(terms: Terms, s: State, unit: int, out: list[int], n: int) -> int:
    role = unit % 3
    order = ATTACK | role * ROLE
    out[n] = order | HOLD << 16
    n += 1
    if role == ELF:
        return list_shots(terms, s, unit, out, n)
    for what in range(BASIC, FUS_RO_DAH + 1):
        if what > BASIC and s.cooldown[2 * unit + what - 2]:
            continue
        if not is_targeted(terms, role, what):
            out[n] = order | what << 16
            n += 1
            continue
        first = n
        n = list_sight(terms, s.cell[unit], s.facing[unit], reach_of(role, what), out, n)
        for k in range(first, n):
            out[k] |= order | what << 16
    return n


@rule
def list_shots(terms: Terms, s: State, unit: int, out: list[int], n: int) -> int:
    """The elf's: the bow where the team sees, Loto, the zones."""
    order = ATTACK | ELF * ROLE
    width, height = terms.width, terms.height
    first = n
    bow = n = list_team(terms, s, unit // 3, out, n)
    if s.cooldown[2 * unit + LOTO - 2] == 0:
        x, y = s.cell[unit] % width, s.cell[unit] // width
        for k in range(first, bow):
            if abs(out[k] % width - x) > REACH or abs(out[k] // width - y) > REACH:
                out[n] = order | LOTO << 16 | out[k]
                n += 1
        for v in range(max(0, y - REACH), min(height, y + REACH + 1)):
            for u in range(max(0, x - REACH), min(width, x + REACH + 1)):
                cell = v * width + u
                if kind_at(terms, cell) != WALL and (terms.free_loto or not unit_sees(terms, s, unit, cell)):
                    out[n] = order | LOTO << 16 | cell
                    n += 1
    for k in range(first, bow):
        out[k] |= order | BASIC << 16
    if s.cooldown[2 * unit + REVEAL - 2] == 0:
        for v in range(REVEAL_SIGHT, height + REVEAL_SIGHT, ZONE):
            for u in range(REVEAL_SIGHT, width + REVEAL_SIGHT, ZONE):
                out[n] = order | REVEAL << 16 | min(v, height - 1) * width + min(u, width - 1)
                n += 1
    return n


@rule
def list_paths(terms: Terms, s: State, unit: int, out: list[int], n: int) -> int:
    """The four facings, and the cheapest path to each cell; of equal ones the first found, north before east."""
    order = PATH | unit % 3 * ROLE
    for facing in range(4):
        out[n] = order | facing << 4
        n += 1
    width, height, most, ground = terms.width, terms.height, MOVEMENT[unit % 3], terms.ground
    x0, y0 = s.cell[unit] % width - REACH, s.cell[unit] // width - REACH
    paid, route, queue = ints(WINDOW * WINDOW), ints(WINDOW * WINDOW), ints(4 * WINDOW * WINDOW)
    middle = REACH * WINDOW + REACH
    paid[middle], queue[0] = 1, middle
    head, tail = 0, 1
    while head < tail:
        here = queue[head]
        head += 1
        u, v = here % WINDOW, here // WINDOW
        price = paid[here] + PRICE[code_at(terms, (y0 + v) * width + x0 + u)]
        if price > most + 1:
            continue
        length = route[here] & 15
        for step in range(4):
            x, y = u + DX[step], v + DY[step]
            if x0 + x < 0 or x0 + x >= width or y0 + y < 0 or y0 + y >= height:
                continue
            there, cell = y * WINDOW + x, (y0 + y) * width + x0 + x
            if (paid[there] and paid[there] <= price) or ground[cell >> 3] >> (cell & 7) * 7 & 127 == WALL:
                continue
            paid[there] = price
            route[there] = (route[here] >> 8 | step << 2 * length) << 8 | step << 4 | length + 1
            queue[tail] = there
            tail += 1
    for k in range(1, tail):
        there = queue[k]
        if route[there]:
            out[n] = order | route[there]
            n += 1
            route[there] = 0
    return n
