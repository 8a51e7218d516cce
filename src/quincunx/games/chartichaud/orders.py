"""What looks promising in Chartichaud: where civilians and soldiers go, what is made, and in which order.

A seat goes by what it sees and remembers, in thought as on the board: gold that it knows, enemies in sight. What lies
in the fog is another thing in every imagined world, and who runs after it turns round with every thought. Soldiers do
so all the same once they know the enemy's corner and see nobody whom they beat: each world guesses where enemies are
left, and nothing that was tried instead was better (docs/players.md).

Soldiers go out one by one, as soon as they are made: who waits for others leaves the field to the enemy, and civilians
that flee do not harvest. They strike together, where all who can be there in this turn win.
"""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.core.random import Random, below
from quincunx.core.structure import i64, ints
from quincunx.games.chartichaud.grid import (
    BUILDING,
    CIVILIAN,
    EAST,
    MILITARY,
    NORTH,
    PITCH,
    SOUTH,
    STEP,
    WEST,
    State,
    Terms,
    borders,
    buildings,
    count,
    has,
    military,
    mirror,
)
from quincunx.games.chartichaud.rules import END, HARVEST, MAKE, MOVE, clash

USEFUL = 400  # the rank from which a playout takes an action
FAR = 99
RIVALS = 4  # gold that others are nearer to, after which a civilian looks for something else
ALL_STEPS = ~(3 << 12)  # what the steps of a unit have in common
LATE = 60  # turns before the end in which gold and units lose their worth


# -- where to go -----------------------------------------------------------------------------------------------------


@rule
def nearest(terms: Terms, wanted: list[i64], where: list[i64], flip: int, cell: int) -> int:
    """The nearest wanted cell in `where`, or, if flip is -1 and not 0, outside of it; -1 if there is none."""
    x, y = cell % PITCH, cell // PITCH
    best, found = FAR, -1
    for away in range(max(y, terms.height - 1 - y) + 1):
        if away >= best:
            break
        for side in range(2 if away else 1):
            v = y - away if side == 0 else y + away
            if not 0 <= v < terms.height:
                continue
            row = wanted[v] & (where[v] ^ flip)
            right, left = row >> x, row & (1 << x) - 1
            if right:
                ahead = (right & -right).bit_length() - 1
                if away + ahead < best:
                    best, found = away + ahead, v * PITCH + x + ahead
            if left:
                behind = x - (left.bit_length() - 1)
                if away + behind < best:
                    best, found = away + behind, v * PITCH + x - behind
    return found


@rule
def nearest_enemy(terms: Terms, s: State, seat: int, cell: int) -> int:
    return nearest(terms, s.occupied[1 - seat], s.occupied[1 - seat], 0, cell)


@rule
def distance(one: int, other: int) -> int:
    return abs(one % PITCH - other % PITCH) + abs(one // PITCH - other // PITCH)


@rule
def way(start: int, end: int) -> int:
    """The direction of a walk: along the longer side first, so that all who start here keep together."""
    right, down = end % PITCH - start % PITCH, end // PITCH - start // PITCH
    if abs(right) >= abs(down):
        return EAST if right > 0 else WEST
    return SOUTH if down > 0 else NORTH


@rule
def soldiers_around(terms: Terms, s: State, seat: int, cell: int) -> int:
    """How many soldiers of a seat stand on a cell or beside it: so many can be there in the next turn."""
    soldiers = military(s.units[seat][cell])
    for direction in range(4):
        if borders(terms, cell, direction):
            soldiers += military(s.units[seat][cell + STEP[direction]])
    return soldiers


@rule
def is_safe(terms: Terms, s: State, seat: int, cell: int) -> bool:
    return clash(soldiers_around(terms, s, 1 - seat, cell), military(s.units[seat][cell])) <= 0


@rule
def workers_wanted(s: State) -> int:
    return 3 + s.lodes // 2


# -- how promising an action looks -----------------------------------------------------------------------------------


@rule
def rank(terms: Terms, s: State, seat: int, action: int) -> int:
    if action >> 16 == MOVE:
        return rank_step(terms, s, seat, action, goal(terms, s, seat, action))
    return rank_deed(terms, s, seat, action)


@rule
def rank_deed(terms: Terms, s: State, seat: int, action: int) -> int:
    """Of what is no step: to harvest, to make, to end the turn. Who is in danger flees rather than harvests."""
    if action == END:
        return 100
    if action >> 16 == HARVEST:
        return 900 if is_safe(terms, s, seat, action & 0xFFF) else USEFUL - 10
    return rank_new(terms, s, seat, action >> 14 & 3, action & 0xFFF)


@rule
def goal(terms: Terms, s: State, seat: int, step: int) -> int:
    """Where the unit of a step should go, whatever the direction of the step; -1 if nowhere."""
    if step >> 14 & 3 == MILITARY:
        return objective(terms, s, seat, step & 0xFFF)
    return errand(terms, s, seat, step & 0xFFF)


@rule
def rank_step(terms: Terms, s: State, seat: int, step: int, target: int) -> int:
    if step >> 14 & 3 == MILITARY:
        return rank_march(terms, s, seat, step & 0xFFF, step >> 12 & 3, target)
    return rank_walk(terms, s, seat, step & 0xFFF, step >> 12 & 3, target)


@rule
def rank_new(terms: Terms, s: State, seat: int, kind: int, cell: int) -> int:
    """A first building, workers for half of the gold, a soldier for every two of them beyond the first three, and as
    many as are in sight of the enemy; late in the match only soldiers. A soldier that is wanted is saved for.
    """
    left = terms.turns - s.turns
    own = s.forces[seat]
    if kind == BUILDING:
        if buildings(own) == 0:
            return 800 if left > LATE // 2 else 50
        if terms.single and buildings(s.units[seat][cell]):
            return 0
        return 450 if s.purse[seat] > 25 + 15 * buildings(own) and left > LATE else 50
    short = count(own, CIVILIAN) < workers_wanted(s) and left > LATE // 3
    weak = military(own) < max(soldiers_in_sight(terms, s, seat), (count(own, CIVILIAN) - 3) // 2)
    if kind == CIVILIAN:
        return 700 if short and not weak else 50
    return 720 if weak else 50 if short else 500


@rule
def rank_walk(terms: Terms, s: State, seat: int, cell: int, direction: int, target: int) -> int:
    """A civilian flees what it cannot stand, to soldiers of its own if it can; otherwise it goes where it wants to."""
    to = cell + STEP[direction]
    if not is_safe(terms, s, seat, to):
        return 0
    if not is_safe(terms, s, seat, cell):
        return 650 + min(3, military(s.units[seat][to]))
    if s.gold[cell] and not has(s.reaped[cell // PITCH], cell % PITCH):
        return 0
    if target < 0:
        return 50
    return 500 if distance(to, target) < distance(cell, target) else 0


@rule
def errand(terms: Terms, s: State, seat: int, cell: int) -> int:
    """Where a civilian goes: to known gold that nobody works on and nobody is nearer to; else to what is unknown."""
    free = ints(PITCH)
    for y in range(terms.height):
        free[y] = s.ore[y] & s.known[seat][y] & ~s.occupied[seat][y]
    for _ in range(RIVALS):
        target = nearest(terms, free, free, 0, cell)
        if target < 0:
            break
        rival = nearest(terms, s.occupied[seat], s.occupied[seat], 0, target)
        if distance(rival, target) >= distance(cell, target) or not has_idle(s, seat, rival):
            return target
        free[target // PITCH] ^= 1 << target % PITCH
    for y in range(terms.height):
        free[y] = ~s.known[seat][y] & (1 << terms.width) - 1
    return nearest(terms, free, free, 0, cell)


@rule
def has_idle(s: State, seat: int, cell: int) -> bool:
    """Is there a civilian that has no gold to work on here?"""
    return count(s.units[seat][cell], CIVILIAN) > (1 if s.gold[cell] else 0)


@rule
def rank_march(terms: Terms, s: State, seat: int, cell: int, direction: int, target: int) -> int:
    """Soldiers attack whom all who can be there beat, with no more than it takes, and go where they can stand."""
    to = cell + STEP[direction]
    foe = s.units[1 - seat][to]
    there = military(s.units[seat][to])
    if foe:
        strength = there + ready_around(terms, s, seat, to)
        if clash(strength, military(foe)) <= 0:
            return 0
        left = clash(there, military(foe))
        return 850 if left <= 0 or there - left > (military(foe) + 1) // 2 else 30
    here = military(s.units[seat][cell] - s.acted[cell])
    if clash(soldiers_around(terms, s, 1 - seat, to), there + here) > 0:
        return 0
    if target < 0 or target == cell:
        return 20
    return 480 if way(cell, target) == direction else 10


@rule
def ready_around(terms: Terms, s: State, seat: int, cell: int) -> int:
    """How many soldiers beside a cell can still go there in this turn."""
    soldiers = 0
    for direction in range(4):
        if borders(terms, cell, direction):
            beside = cell + STEP[direction]
            soldiers += military(s.units[seat][beside] - s.acted[beside])
    return soldiers


@rule
def objective(terms: Terms, s: State, seat: int, cell: int) -> int:
    """Where the soldiers of a cell go: to enemies in sight whom they beat, to the enemy's corner, to a guess of this
    world.
    """
    body = military(s.units[seat][cell])
    best, found = FAR, -1
    for y in range(terms.height):
        bits = s.occupied[1 - seat][y] & s.seen[seat][y]
        while bits:
            low = bits & -bits
            bits ^= low
            other = y * PITCH + low.bit_length() - 1
            if distance(cell, other) < best and clash(body, military(s.units[1 - seat][other])) > 0:
                best, found = distance(cell, other), other
    if found >= 0:
        return found
    corner = 0 if seat else mirror(terms, 0)
    if not has(s.known[seat][corner // PITCH], corner % PITCH):
        return corner
    return nearest_enemy(terms, s, seat, cell)


@rule
def soldiers_in_sight(terms: Terms, s: State, seat: int) -> int:
    """Of the enemy."""
    soldiers = 0
    for y in range(terms.height):
        bits = s.occupied[1 - seat][y] & s.seen[seat][y]
        while bits:
            low = bits & -bits
            bits ^= low
            soldiers += military(s.units[1 - seat][y * PITCH + low.bit_length() - 1])
    return soldiers


@rule
def policy(terms: Terms, s: State, seat: int, out: list[int], n: int, random: Random) -> int:
    """What is best made; else the first useful action from a random one on; END, which is listed first, if none is."""
    best, promise = 0, USEFUL - 1
    for k in range(1, n):
        if out[k] >> 16 == MAKE:
            here = rank_new(terms, s, seat, out[k] >> 14 & 3, out[k] & 0xFFF)
            if here > promise:
                best, promise = k, here
    if best:
        return best
    k = below(random, n)
    last, target = -1, -1
    for _ in range(n):
        action = out[k]
        if action >> 16 != MOVE:
            if rank_deed(terms, s, seat, action) >= USEFUL:
                return k
        else:
            if action & ALL_STEPS != last:
                last, target = action & ALL_STEPS, goal(terms, s, seat, action)
            if rank_step(terms, s, seat, action, target) >= USEFUL:
                return k
        k = k + 1 if k + 1 < n else 0
    return 0


@rule
def noisy(terms: Terms, s: State, seat: int, action: int) -> bool:
    """Is it a step into a fight?"""
    verb, cell = action >> 16, action & 0xFFF
    return verb == MOVE and s.units[1 - seat][cell + STEP[action >> 12 & 3]] != 0


@rule
def consider(terms: Terms, s: State, seat: int, out: list[int], n: int) -> int:
    """What is useful, all that can be made, and all steps of soldiers; the end of the turn when nothing is useful."""
    kept, useful = 0, False
    last, target = -1, -1
    for k in range(1, n):
        action = out[k]
        if action >> 16 != MOVE:
            promise = rank_deed(terms, s, seat, action)
        else:
            if action & ALL_STEPS != last:
                last, target = action & ALL_STEPS, goal(terms, s, seat, action)
            promise = rank_step(terms, s, seat, action, target)
        useful |= promise >= USEFUL
        if promise >= USEFUL or action >> 16 == MAKE or (action >> 14 == MOVE << 2 | MILITARY and promise > 0):
            out[kept] = action
            kept += 1
    if not useful:
        out[kept] = END
        kept += 1
    return kept
