"""Casus Belli for search: points first, then health, readiness and contact; and how playouts give orders.

A playout orders unit by unit, attack before path: it strikes where it sees enemies and no friends, and walks towards
what it sees, or else towards the nearest hotspot or the start, where everybody comes from.
"""

from __future__ import annotations

from quincunx.core.engine import rule, table
from quincunx.core.hints import Hints
from quincunx.core.random import Random, below
from quincunx.core.structure import ints
from quincunx.games.casus_belli.field import (
    ATTACK,
    BARBARIAN,
    BASIC,
    BASTOOOON,
    BASTOOOON_BASE,
    CUT_OFF,
    DAMAGE,
    DX,
    DY,
    ELF,
    FATAL,
    FIRST_HOTSPOT,
    FUS_RO_DAH,
    HEALTH,
    HOLD,
    LOTO,
    LOTO_DAMAGE,
    PALANTIR,
    REVEAL,
    ROLE,
    SEAL,
    THIEF,
    TREACHERY,
    State,
    Terms,
    code_at,
)
from quincunx.games.casus_belli.vision import in_cone, team_sees

HINTS = Hints(look_ahead=2, edge=600, exploration=0.3)

WEIGHTS = (  # name, value, and the range that a tuner may try
    ("point", 329, 200, 1500),
    ("wound", 14, 0, 60),  # for each point of health
    ("ready", 5, 0, 40),  # an ability that can be used
    ("contact", 9, 0, 40),  # an enemy in sight
    ("order", 13, 0, 100),  # one that was given
    ("stroke", 1, 0, 8),  # times what an attack that was ordered promises
)
WEIGHT = table([value for _, value, _, _ in WEIGHTS])
W_POINT, W_WOUND, W_READY, W_CONTACT, W_ORDER, W_STROKE = range(len(WEIGHTS))
IDLE = 100  # rank of an attack that does nothing
KILL, LOOK_ABOUT = 300, 14
NEAR = 6  # cells: how far a unit looks for hotspots, and ahead of it for its goal
GLANCES = 24  # paths that a playout compares


@rule
def standing(terms: Terms, s: State, seat: int) -> int:
    worth = WEIGHT[W_POINT] * s.points[seat]
    for unit in range(3 * seat, 3 * seat + 3):
        worth += WEIGHT[W_WOUND] * s.health[unit]
        worth += WEIGHT[W_READY] * ((s.cooldown[2 * unit] == 0) + (s.cooldown[2 * unit + 1] == 0))
    for spot in range(terms.hotspots):
        if s.holder[spot] == seat + 1:
            worth += WEIGHT[W_POINT] * s.held[spot] // 4
    if s.palantir[seat]:
        worth += WEIGHT[W_READY]
    return worth


@rule
def damage_of(s: State, unit: int, what: int) -> int:
    """About; of what does no damage 0."""
    role = unit % 3
    if what == BASIC:
        return DAMAGE[role]
    if role == THIEF and what == TREACHERY:
        return FATAL
    if role == BARBARIAN and what == BASTOOOON:
        return BASTOOOON_BASE - s.health[unit]
    return LOTO_DAMAGE if role == ELF and what == LOTO else 0


@rule
def value_at(terms: Terms, s: State, unit: int, what: int, target: int, other: int) -> int:
    """What the attack does to one unit that stands on `other`'s cell, for the team."""
    width, cell, role = terms.width, s.cell[other], unit % 3
    on_self = (role == THIEF and what == TREACHERY) or (
        role == BARBARIAN and what == BASTOOOON and terms.wide_bastoooon == 0
    )
    plus = role == BARBARIAN and not on_self
    at = s.cell[unit] if on_self else target
    far = abs(at % width - cell % width) + abs(at // width - cell // width)
    if far > (1 if plus else 0):
        return 0
    friend = other // 3 == unit // 3
    spared = on_self or (other == unit and not (what == LOTO and role == ELF) and not (plus and what == BASIC))
    if friend and spared:
        return 0
    damage = damage_of(s, unit, what)
    worth = KILL if damage >= s.health[other] else 30 + 8 * damage
    return -2 * worth if friend else worth


@rule
def rank_attack(terms: Terms, s: State, unit: int, what: int, target: int, known: list[int], count: int) -> int:
    """From the units in known[0..count-1], those that the team sees: 0 to 1000, IDLE = as good as nothing."""
    role = unit % 3
    worth = 0
    if what == HOLD:
        return IDLE
    if role == BARBARIAN and what == FUS_RO_DAH:
        for k in range(count):
            if in_cone(terms, s.cell[unit], s.facing[unit], 4, s.cell[known[k]]):
                worth += 20 if known[k] // 3 != unit // 3 else -20
        return max(0, min(300, 60 + worth))
    if (role == THIEF and what == PALANTIR) or (role == ELF and what == REVEAL):
        return IDLE + LOOK_ABOUT if count == 3 else IDLE - LOOK_ABOUT
    cost = 10 if what > BASIC else 0
    if count == 3:  # nobody but one's own: nothing to hit
        return IDLE - 5 - cost
    for k in range(count):
        worth += value_at(terms, s, unit, what, target, known[k])
    if worth == 0:
        return IDLE - 5 - cost
    return max(0, min(1000, IDLE + worth - cost))


@rule
def end_of(terms: Terms, s: State, unit: int, payload: int) -> int:
    """The cell on which a path ends."""
    cell = s.cell[unit]
    for k in range(payload & 15):
        step = payload >> 8 + 2 * k & 3
        cell += DY[step] * terms.width + DX[step]
    return cell


@rule
def goal_of(terms: Terms, s: State, unit: int, known: list[int], count: int) -> int:
    """The nearest enemy in sight, or a hotspot within reach of the eye, or the start."""
    width, cell = terms.width, s.cell[unit]
    goal, nearest = terms.start, 1 << 20
    for k in range(count):
        far = abs(s.cell[known[k]] % width - cell % width) + abs(s.cell[known[k]] // width - cell // width)
        if known[k] // 3 != unit // 3 and far < nearest:
            goal, nearest = s.cell[known[k]], far
    if nearest < 1 << 20 or terms.hotspots == 0:
        return goal
    x, y = cell % width, cell // width
    for v in range(max(0, y - NEAR), min(terms.height, y + NEAR + 1)):
        for u in range(max(0, x - NEAR), min(width, x + NEAR + 1)):
            far = abs(u - x) + abs(v - y)
            if far < nearest and FIRST_HOTSPOT <= code_at(terms, v * width + u) < CUT_OFF:
                goal, nearest = v * width + u, far
    return goal


@rule
def rank_path(terms: Terms, s: State, unit: int, payload: int, goal: int) -> int:
    """Near the goal and looking at it; during the placement, away from the others."""
    width, end, facing = terms.width, end_of(terms, s, unit, payload), payload >> 4 & 3
    dx, dy = goal % width - end % width, goal // width - end // width
    far = abs(dx) + abs(dy)
    if s.turn < terms.placement:
        return min(1000, 300 + 20 * far)
    ahead = dx * DX[facing] + dy * DY[facing]
    wanted = 0 if unit % 3 == THIEF or far > NEAR else 2  # the thief goes in, the others stay at arm's length
    return max(2, 600 - 12 * abs(far - wanted) + 6 * min(ahead, NEAR))


@rule
def sighted(terms: Terms, s: State, seat: int, known: list[int]) -> int:
    """Writes the units that a team sees, its own included; returns how many."""
    count = 0
    for unit in range(3 * terms.seats):
        if unit // 3 == seat or team_sees(terms, s, seat, s.cell[unit]):
            known[count] = unit
            count += 1
    return count


@rule
def prospects(terms: Terms, s: State, seat: int) -> int:
    """Enemies in sight, the weaker the better: those may be hit next; and the orders that were given."""
    known = ints(3 * terms.seats)
    count = sighted(terms, s, seat, known)
    worth = 0
    for k in range(count):
        if known[k] // 3 != seat:
            worth += WEIGHT[W_CONTACT] + WEIGHT[W_CONTACT] * (HEALTH - s.health[known[k]]) // 2
    for unit in range(3 * seat, 3 * seat + 3):
        worth += WEIGHT[W_ORDER] * ((s.path[unit] > 0) + (s.attack[unit] > 0))
        if s.attack[unit]:
            what, cell = s.attack[unit] >> 16 & 3, s.attack[unit] & 0xFFFF
            worth += WEIGHT[W_STROKE] * (rank_attack(terms, s, unit, what, cell, known, count) - IDLE)
    return worth


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    """Against the strongest rival. Orders count before they are carried out: who seals too soon has given fewer."""
    best, rival = -(1 << 40), 0
    for other in range(terms.seats):
        if other != seat and standing(terms, s, other) > best:
            best, rival = standing(terms, s, other), other
    balance = standing(terms, s, seat) + prospects(terms, s, seat) - best - prospects(terms, s, rival)
    return max(-9999, min(9999, balance))


@rule
def rank(terms: Terms, s: State, seat: int, action: int) -> int:
    if action == SEAL:
        return 1
    known = ints(3 * terms.seats)
    count = sighted(terms, s, seat, known)
    unit, payload = 3 * seat + (action >> 32 & 3), action & ROLE - 1
    if action >> 34 == ATTACK >> 34:
        return rank_attack(terms, s, unit, payload >> 16, payload & 0xFFFF, known, count)
    return rank_path(terms, s, unit, payload, goal_of(terms, s, unit, known, count))


@rule
def policy(terms: Terms, s: State, seat: int, out: list[int], n: int, random: Random) -> int:
    """The first order that is missing: the best attack, or the best of some paths; then the seal, which is last."""
    order, unit = out[0] >> 32, 3 * seat + (out[0] >> 32 & 3)
    if n == 1:
        return 0
    m = 1
    while out[m] >> 32 == order:
        m += 1
    known = ints(3 * terms.seats)
    count = sighted(terms, s, seat, known)
    chosen, best = 0, -1
    if order >> 2 == ATTACK >> 34:
        for k in range(m):
            payload = out[k] & ROLE - 1
            worth = rank_attack(terms, s, unit, payload >> 16, payload & 0xFFFF, known, count) * 8 + below(random, 8)
            if worth > best:
                chosen, best = k, worth
        return chosen
    goal = goal_of(terms, s, unit, known, count)
    for _ in range(GLANCES):
        k = below(random, m)
        worth = rank_path(terms, s, unit, out[k] & ROLE - 1, goal)
        if worth > best:
            chosen, best = k, worth
    return chosen


@rule
def turns_played(terms: Terms, s: State) -> int:
    return s.turn


@rule
def consider(terms: Terms, s: State, seat: int, out: list[int], n: int) -> int:
    """The first order that is missing, so that no two nodes hold the same orders in another sequence.

    Of its attacks those that hit somebody in sight or look about; its paths with every facing at their end.
    """
    if n == 1:
        return 1
    order, unit = out[0] >> 32, 3 * seat + (out[0] >> 32 & 3)
    m = 1
    while out[m] >> 32 == order:
        m += 1
    if order >> 2 == ATTACK >> 34:
        known = ints(3 * terms.seats)
        count = sighted(terms, s, seat, known)
        kept = 1  # to hold
        for k in range(1, m):
            payload = out[k] & ROLE - 1
            worth = rank_attack(terms, s, unit, payload >> 16, payload & 0xFFFF, known, count)
            if worth > IDLE or (worth == IDLE - LOOK_ABOUT and count > 3):
                out[kept] = out[k]
                kept += 1
        return kept
    kept = m
    for k in range(4, m):  # after the four facings on the spot
        for turned in range(1, 4):
            out[kept] = out[k] & ~(3 << 4) | ((out[k] >> 4) + turned & 3) << 4
            kept += 1
    return kept


@rule
def reopen(terms: Terms, s: State, seat: int) -> None:
    for other in range(terms.seats):
        if other != seat:
            s.sealed[other] = 0
    s.first = 1 if seat == 0 and s.sealed[0] else 0
