"""Casus Belli for search: points first, then health, readiness and contact; and how playouts give orders.

A playout orders unit by unit, attack before path: it strikes where it sees enemies and no friends, and walks towards
its post, a hotspot for each of the team (posts.py); where there are none, towards whom it sees, or the start.
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
    DAMAGE,
    DX,
    DY,
    ELF,
    FATAL,
    FIRST_HOTSPOT,
    FUS_RO_DAH,
    HOLD,
    LOTO,
    LOTO_DAMAGE,
    PALANTIR,
    REVEAL,
    ROLE,
    SEAL,
    THIEF,
    TREACHERY,
    VISION,
    State,
    Terms,
    code_at,
    distance,
)
from quincunx.games.casus_belli.peril import endangered
from quincunx.games.casus_belli.posts import assign_posts, end_of
from quincunx.games.casus_belli.vision import in_cone, team_sees, unit_sees

HINTS = Hints(look_ahead=1, edge=600, exploration=0.3, trust=1.0)

WEIGHTS = (  # name, value, and the range that a tuner may try
    ("point", 329, 200, 1500),
    ("wound", 14, 0, 60),  # for each point of health
    ("ready", 5, 0, 40),  # an ability that can be used
    ("contact", 25, 0, 40),  # an enemy in sight
    ("order", 13, 0, 100),  # one that was given
    ("stroke", 1, 0, 8),  # times what an attack that was ordered promises
    ("hold", 110, 0, 330),  # each turn that a hotspot was held
    ("way", 24, 0, 80),  # each cell from a unit to its post
    ("peril", 150, 0, 400),  # a unit that may be killed next turn by those who are there
)
WEIGHT = table([value for _, value, _, _ in WEIGHTS])
W_POINT, W_WOUND, W_READY, W_CONTACT, W_ORDER, W_STROKE, W_HOLD, W_WAY, W_PERIL = range(len(WEIGHTS))
IDLE = 100  # rank of an attack that does nothing
KILL, LOOK_ABOUT, SPENT = 300, 14, 8
BLIND = 40  # Loto on a hotspot that others hold, out of sight
NEAR = 6  # cells: how far ahead a unit looks
FACED = 80  # what it heeds is in its sight
MOST_WAY = 20  # cells from which on a post is just far
ENGAGED = 4  # cells: how near an enemy is fought


@rule
def standing(terms: Terms, s: State, seat: int) -> int:
    worth = WEIGHT[W_POINT] * s.points[seat]
    for unit in range(3 * seat, 3 * seat + 3):
        worth += WEIGHT[W_WOUND] * s.health[unit]
        worth += WEIGHT[W_READY] * ((s.cooldown[2 * unit] == 0) + (s.cooldown[2 * unit + 1] == 0))
    for spot in range(terms.hotspots):
        if s.holder[spot] == seat + 1:
            worth += WEIGHT[W_HOLD] * s.held[spot]
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
def hits(terms: Terms, s: State, unit: int, what: int, target: int, other: int) -> bool:
    """Does the attack strike the unit `other` where it stands?"""
    role = unit % 3
    on_self = (role == THIEF and what == TREACHERY) or (
        role == BARBARIAN and what == BASTOOOON and terms.wide_bastoooon == 0
    )
    if distance(terms, s.cell[unit] if on_self else target, s.cell[other]) > (role == BARBARIAN and not on_self):
        return False
    if other == unit:
        return what == LOTO if role == ELF else role == BARBARIAN and what == BASIC
    return other // 3 != unit // 3 or not on_self


@rule
def planned(terms: Terms, s: State, unit: int, other: int) -> int:
    """What the others of its team will take from an enemy, by the attacks that they were given."""
    damage = 0
    for mate in range(unit - unit % 3, unit - unit % 3 + 3):
        if mate != unit and s.attack[mate]:
            what = s.attack[mate] >> 16 & 3
            if hits(terms, s, mate, what, s.attack[mate] & 0xFFFF, other):
                damage += damage_of(s, mate, what)
    return damage


@rule
def value_at(terms: Terms, s: State, unit: int, what: int, target: int, other: int) -> int:
    """What the attack does to one unit, for the team: a death above all, if need be together."""
    if not hits(terms, s, unit, what, target, other):
        return 0
    damage = damage_of(s, unit, what)
    if other // 3 == unit // 3:
        return -2 * (KILL if damage >= s.health[other] else 30 + 8 * damage)
    left = s.health[other] - planned(terms, s, unit, other)
    if left <= 0:
        return SPENT
    return KILL if damage >= left else 30 + 8 * damage


@rule
def is_glance(role: int, what: int) -> bool:
    return (role == THIEF and what == PALANTIR) or (role == ELF and what == REVEAL)


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
    if is_glance(role, what):
        return IDLE + LOOK_ABOUT if count == 3 else IDLE - LOOK_ABOUT
    cost = 10 if what > BASIC else 0
    if role == ELF and what == LOTO and is_theirs(terms, s, unit // 3, target):
        return IDLE + BLIND
    if count == 3:  # nobody but one's own: nothing to hit
        return IDLE - 5 - cost
    for k in range(count):
        worth += value_at(terms, s, unit, what, target, known[k])
    if worth == 0:
        return IDLE - 5 - cost
    return max(0, min(1000, IDLE + worth - cost))


@rule
def is_theirs(terms: Terms, s: State, seat: int, cell: int) -> bool:
    """Is it a cell of a hotspot that others hold, out of the team's sight?"""
    spot = code_at(terms, cell) - FIRST_HOTSPOT
    if not 0 <= spot < terms.hotspots or s.holder[spot] == 0 or s.holder[spot] == seat + 1:
        return False
    return s.phase == 0 and not team_sees(terms, s, seat, cell)


@rule
def goal_of(terms: Terms, s: State, unit: int, known: list[int], count: int) -> int:
    """Its post, a hotspot; without one the nearest enemy in sight, or the start. Thief and barbarian go for enemies
    who are near: one of them is killed every turn, if the team keeps at it."""
    prey = nearest_foe(terms, s, unit, s.cell[unit], known, count)
    if prey >= 0 and unit % 3 != ELF and distance(terms, s.cell[unit], prey) <= ENGAGED:
        return prey
    posts = ints(3)
    assign_posts(terms, s, unit // 3, posts)
    if posts[unit % 3] >= 0:
        return posts[unit % 3]
    return terms.start if prey < 0 else prey


@rule
def nearest_foe(terms: Terms, s: State, unit: int, cell: int, known: list[int], count: int) -> int:
    """The cell of the enemy in sight who is nearest to a cell; -1 if there is none."""
    found, nearest = -1, 1 << 20
    for k in range(count):
        if known[k] // 3 != unit // 3:
            far = distance(terms, s.cell[known[k]], cell)
            if far < nearest:
                found, nearest = s.cell[known[k]], far
    return found


@rule
def rank_path(terms: Terms, s: State, unit: int, payload: int, goal: int, heed: int) -> int:
    """Near the goal, looking at what it heeds; during the placement without a post, away from the others."""
    width, end, facing = terms.width, end_of(terms, s, unit, payload), payload >> 4 & 3
    far, is_post = distance(terms, end, goal), code_at(terms, goal) >= FIRST_HOTSPOT
    if s.turn < terms.placement and not is_post:
        return min(1000, 300 + 20 * far)
    ahead = (heed % width - end % width) * DX[facing] + (heed // width - end // width) * DY[facing]
    wanted = 0 if far > NEAR or (is_post and heed != goal) else keeps_off(s, unit)  # an enemy on it is heeded
    nearer = abs(distance(terms, s.cell[unit], goal) - wanted) - abs(far - wanted)
    seen = in_cone(terms, end, facing, VISION[unit % 3], heed)
    return max(2, min(1000, 500 + 40 * nearer + 15 * min(ahead, NEAR) + (FACED if seen else 0)))


@rule
def keeps_off(s: State, unit: int) -> int:
    """Cells from an enemy: the thief goes to him for treachery, beside him for the knife; the others stay away."""
    if unit % 3 == THIEF:
        return s.cooldown[2 * unit + TREACHERY - 2] > 1
    return 2


@rule
def heeded(terms: Terms, s: State, unit: int, goal: int, known: list[int], count: int) -> int:
    """What a unit on its way to the goal looks at: the enemy nearest to it, else the goal, or from there the start."""
    foe = nearest_foe(terms, s, unit, goal, known, count)
    if foe >= 0:
        return foe
    return goal if distance(terms, s.cell[unit], goal) > NEAR else terms.start


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
    """Enemies in sight, who may be hit next, and the orders that were given."""
    known = ints(3 * terms.seats)
    count = sighted(terms, s, seat, known)
    worth = WEIGHT[W_CONTACT] * (count - 3)
    for unit in range(3 * seat, 3 * seat + 3):
        worth += WEIGHT[W_ORDER] * ((s.path[unit] > 0) + (s.attack[unit] > 0))
        if s.attack[unit]:
            what, cell = s.attack[unit] >> 16 & 3, s.attack[unit] & 0xFFFF
            worth += WEIGHT[W_STROKE] * (rank_attack(terms, s, unit, what, cell, known, count) - IDLE)
    return worth


@rule
def errands(terms: Terms, s: State, seat: int) -> int:
    """What the ways to its posts still cost a team; who fights is not on his way."""
    posts = ints(3)
    assign_posts(terms, s, seat, posts)
    worth = 0
    for unit in range(3 * seat, 3 * seat + 3):
        if posts[unit % 3] >= 0 and not fights(terms, s, unit):
            worth += WEIGHT[W_WAY] * min(MOST_WAY, distance(terms, s.cell[unit], posts[unit % 3]))
    return worth


@rule
def fights(terms: Terms, s: State, unit: int) -> bool:
    """Does a thief or a barbarian see an enemy near him?"""
    if unit % 3 == ELF:
        return False
    for other in range(3 * terms.seats):
        near = other // 3 != unit // 3 and distance(terms, s.cell[other], s.cell[unit]) <= ENGAGED
        if near and unit_sees(terms, s, unit, s.cell[other]):
            return True
    return False


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    """Against the strongest rival. Orders count before they are carried out: who seals too soon has given fewer."""
    best, rival = -(1 << 40), 0
    for other in range(terms.seats):
        if other != seat and standing(terms, s, other) > best:
            best, rival = standing(terms, s, other), other
    balance = standing(terms, s, seat) + prospects(terms, s, seat) - best - prospects(terms, s, rival)
    balance -= errands(terms, s, seat) + WEIGHT[W_PERIL] * endangered(terms, s, seat)
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
    goal = goal_of(terms, s, unit, known, count)
    return rank_path(terms, s, unit, payload, goal, heeded(terms, s, unit, goal, known, count))


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
    heed = heeded(terms, s, unit, goal, known, count)
    k = below(random, m)
    for _ in range(m):
        worth = rank_path(terms, s, unit, out[k] & ROLE - 1, goal, heed)
        if worth > best:
            chosen, best = k, worth
        k = k + 1 if k + 1 < m else 0
    return chosen


@rule
def turns_played(terms: Terms, s: State) -> int:
    return s.turn


@rule
def consider(terms: Terms, s: State, seat: int, out: list[int], n: int) -> int:
    """The first order that is missing, so that no two nodes hold the same orders in another sequence.

    Of its attacks those that hit somebody, or else those that look about; its paths with every facing at their end.
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
            if worth > IDLE:
                out[kept] = out[k]
                kept += 1
        for k in range(1, m if kept == 1 else 1):  # who hits nobody may look about, even with enemies in sight
            if is_glance(unit % 3, (out[k] & ROLE - 1) >> 16):
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
