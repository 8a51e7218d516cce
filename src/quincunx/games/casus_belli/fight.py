"""Casus Belli, the attacks of a turn: Fus Ro Dah, then all others at once, then Bastoooon, then the deaths.

Who stands on a cell is found through chains, so that an attack costs as much as it hits, with 6 units or with 300:

    head[cell & 511] -> unit + 1 -> after[unit] -> ... -> 0

`hitters` holds the teams that hit a unit, a bit a team, fifty bits a number: unit * 2 + team // 50.
"""

from __future__ import annotations

from quincunx.core.contract import Log, tell
from quincunx.core.engine import rule
from quincunx.core.structure import ints
from quincunx.games.casus_belli.field import (
    BARBARIAN,
    BASIC,
    BASTOOOON,
    BASTOOOON_BASE,
    DAMAGE,
    DX,
    DY,
    ELF,
    FATAL,
    FUS_RO_DAH,
    HOLD,
    LOTO,
    LOTO_DAMAGE,
    PALANTIR,
    REVEAL,
    THIEF,
    TREACHERY,
    VISION,
    WALL,
    State,
    Terms,
    is_targeted,
    kind_at,
)
from quincunx.games.casus_belli.orders import check_attack
from quincunx.games.casus_belli.story import ATTACKED, DIED, DROPPED, HIT, PUSHED, event
from quincunx.games.casus_belli.vision import list_cone

BUCKETS = 512
ALL, NOT_SELF, ENEMIES = 0, 1, 2  # whom an attack spares


@rule
def fight(terms: Terms, s: State, log: Log) -> None:
    n = 3 * terms.seats
    before, aimed, hitters = ints(n), ints(n), ints(2 * n)
    for unit in range(n):
        before[unit] = s.cell[unit]
        s.corpse[unit] = 0
    shout(terms, s, hitters, log)
    for unit in range(n):
        if s.attack[unit]:
            aimed[unit] = aim(terms, s, unit, before[unit], log)
    lost = ints(n)
    taken = ints(n)  # what each team did to the observer's units: role * seats + team
    strike_all(terms, s, aimed, lost, hitters, log.observer, taken)
    spend(terms, s, aimed)
    tell_hits(terms, s, log, taken)
    bury(terms, s, lost, hitters, log)


@rule
def shout(terms: Terms, s: State, hitters: list[int], log: Log) -> None:
    """Every Fus Ro Dah, from where all stood; who is pushed twice dies where it stands."""
    n = 3 * terms.seats
    casters = 0
    for unit in range(BARBARIAN, n, 3):
        casters += is_shouting(s, unit)
    if casters == 0:
        return
    head, after = ints(BUCKETS), ints(n)
    chain(s, n, head, after)
    times, end, cone = ints(n), ints(n), ints(64)
    for caster in range(BARBARIAN, n, 3):
        if not is_shouting(s, caster):
            continue
        seen = list_cone(terms, s.cell[caster], s.facing[caster], VISION[BARBARIAN], cone, 0)
        for k in range(seen):
            link = head[cone[k] & BUCKETS - 1]
            while link:
                unit = link - 1
                link = after[unit]
                if s.cell[unit] == cone[k] and unit != caster:
                    times[unit] += 1
                    end[unit] = pushed_to(terms, s, caster, unit)
                    hitters[2 * unit + caster // 3 // 50] |= 1 << caster // 3 % 50
    for unit in range(n):
        if times[unit] > 1:
            s.health[unit] = 0
        elif times[unit] == 1:
            hitters[2 * unit] = hitters[2 * unit + 1] = 0
            if log.observer == unit // 3 and end[unit] != s.cell[unit]:
                tell(log, event(PUSHED, unit, 0, end[unit]))
            s.cell[unit] = end[unit]


@rule
def is_shouting(s: State, unit: int) -> bool:
    return s.attack[unit] >> 16 & 3 == FUS_RO_DAH and s.cooldown[2 * unit + FUS_RO_DAH - 2] == 0


@rule
def pushed_to(terms: Terms, s: State, caster: int, unit: int) -> int:
    """Forward to one cell beyond his sight, or to the last cell before a wall or the edge."""
    width, facing = terms.width, s.facing[caster]
    x, y = s.cell[unit] % width, s.cell[unit] // width
    far = (x - s.cell[caster] % width) * DX[facing] + (y - s.cell[caster] // width) * DY[facing]
    for _ in range(far, VISION[BARBARIAN] + 1):
        u, v = x + DX[facing], y + DY[facing]
        if u < 0 or u >= width or v < 0 or v >= terms.height or kind_at(terms, v * width + u) == WALL:
            break
        x, y = u, v
    return y * width + x


@rule
def chain(s: State, n: int, head: list[int], after: list[int]) -> None:
    """The living, by the cell on which they stand."""
    for unit in range(n - 1, -1, -1):
        if s.health[unit] > 0:
            bucket = s.cell[unit] & BUCKETS - 1
            after[unit] = head[bucket]
            head[bucket] = unit + 1


@rule
def aim(terms: Terms, s: State, unit: int, before: int, log: Log) -> int:
    """The order, its target shifted as far as the unit was pushed; HOLD if it is not allowed from there."""
    what, cell = s.attack[unit] >> 16 & 3, s.attack[unit] & 0xFFFF
    if what == HOLD or (s.health[unit] <= 0 and (unit % 3 != BARBARIAN or what != FUS_RO_DAH)):
        return HOLD
    allowed = True
    if is_targeted(terms, unit % 3, what) and s.cell[unit] != before:
        width = terms.width
        x = cell % width + s.cell[unit] % width - before % width
        y = cell // width + s.cell[unit] // width - before // width
        allowed = 0 <= x < width and 0 <= y < terms.height
        cell = y * width + x if allowed else 0
    allowed = allowed and check_attack(terms, s, unit, what << 16 | cell) == 0
    if log.observer == unit // 3:
        tell(log, event(ATTACKED if allowed else DROPPED, unit, what, cell))
    return what << 16 | cell if allowed else HOLD


@rule
def strike_all(
    terms: Terms, s: State, aimed: list[int], lost: list[int], hitters: list[int], observer: int, taken: list[int]
) -> None:
    """Damage, but no deaths yet: all attacks land at once; only Bastoooon waits for the others."""
    n = 3 * terms.seats
    head, after, blow = ints(BUCKETS), ints(n), ints(n)
    chain(s, n, head, after)
    for last in range(2):
        for unit in range(n):
            what, cell = aimed[unit] >> 16, aimed[unit] & 0xFFFF
            role = unit % 3
            if what == HOLD or (role == BARBARIAN and what == BASTOOOON) != (last == 1):
                continue
            damage, spared, plus = DAMAGE[role], NOT_SELF, False
            if role == THIEF and what == TREACHERY:
                cell, damage, spared = s.cell[unit], FATAL, ENEMIES
            elif role == BARBARIAN and what == BASIC:
                spared, plus = ALL, True
            elif role == BARBARIAN and what == BASTOOOON:
                damage, plus = blow[unit], terms.wide_bastoooon == 1
                if not plus:
                    cell, spared = s.cell[unit], ENEMIES
            elif role == ELF and what == LOTO:
                damage, spared = LOTO_DAMAGE, ALL
            elif what != BASIC:
                continue
            for side in range(5 if plus else 1):
                at = cell if side == 0 else beside(terms, cell, side - 1)
                link = head[at & BUCKETS - 1] if at >= 0 else 0
                while link:
                    victim = link - 1
                    link = after[victim]
                    if s.cell[victim] != at or (spared == NOT_SELF and victim == unit):
                        continue
                    if spared == ENEMIES and victim // 3 == unit // 3:
                        continue
                    lost[victim] += damage
                    hitters[2 * victim + unit // 3 // 50] |= 1 << unit // 3 % 50
                    if victim // 3 == observer:
                        taken[victim % 3 * terms.seats + unit // 3] += damage
        for unit in range(BARBARIAN, n, 3):
            blow[unit] = BASTOOOON_BASE - max(0, s.health[unit] - lost[unit])


@rule
def beside(terms: Terms, cell: int, side: int) -> int:
    """The neighbour on that side, or -1."""
    x, y = cell % terms.width + DX[side], cell // terms.width + DY[side]
    if x < 0 or x >= terms.width or y < 0 or y >= terms.height:
        return -1
    return y * terms.width + x


@rule
def spend(terms: Terms, s: State, aimed: list[int]) -> None:
    """Palantírs and zones, and the cooldowns of what was used; zones of the turn before are gone."""
    for seat in range(terms.seats):
        s.revealed[seat] = 0
    for unit in range(3 * terms.seats):
        what, cell = aimed[unit] >> 16, aimed[unit] & 0xFFFF
        if what > BASIC:
            s.cooldown[2 * unit + what - 2] = terms.cooldowns[unit % 3 * 2 + what - 2]
            if unit % 3 == THIEF and what == PALANTIR:
                s.palantir[unit // 3] = cell + 1
            elif unit % 3 == ELF and what == REVEAL:
                s.revealed[unit // 3] = cell + 1


@rule
def tell_hits(terms: Terms, s: State, log: Log, taken: list[int]) -> None:
    """A victim learns which team did how much to it, team by team."""
    if log.observer >= 0:
        for k in range(3 * terms.seats):
            if taken[k]:
                unit = 3 * log.observer + k // terms.seats
                tell(log, event(HIT, unit, min(taken[k], FATAL), k % terms.seats))


@rule
def bury(terms: Terms, s: State, lost: list[int], hitters: list[int], log: Log) -> None:
    """All deaths at once, with their points."""
    for unit in range(3 * terms.seats):
        if s.health[unit] > lost[unit]:
            s.health[unit] -= lost[unit]
            continue
        if log.observer == unit // 3:
            if s.health[unit] == 0:
                tell_torn(terms, log, unit, hitters)
            tell(log, event(DIED, unit, 0, s.cell[unit]))
        s.health[unit] = 0
        reward(terms, s, unit, hitters)
        if terms.at_once:
            return_home(s, unit)
            s.path[unit] = 0
        else:
            s.corpse[unit] = s.cell[unit] + 1


@rule
def tell_torn(terms: Terms, log: Log, unit: int, hitters: list[int]) -> None:
    """Who pushed it twice: hits without a number."""
    for team in range(terms.seats):
        if hitters[2 * unit + team // 50] >> team % 50 & 1:
            tell(log, event(HIT, unit, 0, team))


@rule
def reward(terms: Terms, s: State, unit: int, hitters: list[int]) -> None:
    """A point for each enemy team that hit it; one off for its own alone; nothing where both did."""
    team = unit // 3
    friends = hitters[2 * unit + team // 50] >> team % 50 & 1
    hitters[2 * unit + team // 50] &= ~(1 << team % 50)
    enemies = hitters[2 * unit] or hitters[2 * unit + 1]
    if friends and enemies:
        return
    s.points[team] -= friends + terms.losses
    for half in range(2):
        teams, other = hitters[2 * unit + half], 50 * half
        while teams:
            s.points[other] += teams & 1
            teams, other = teams >> 1, other + 1


@rule
def return_home(s: State, unit: int) -> None:
    s.cell[unit], s.facing[unit], s.health[unit] = s.departure[unit], 0, 10
    s.cooldown[2 * unit] = s.cooldown[2 * unit + 1] = 0
