"""Cultist: two cults on 13 × 7 cells (grid.py says how they are numbered).

 board[cell]   0 floor, 1 + unit, -HP of an obstacle, or BORDER
 units         0 and 1 are the leaders, 2..13 start neutral; a dead one has HP 0
 an action     verb << 12 | unit << 8 | target (a unit or a cell); 0 waits

A turn: an action, the step of a neutral (by CHANCE, by a generator, or none), the dead leave, the end is tested. The
unit that was shot this turn has no HP but keeps its cell until the dead leave: it is `fallen`.
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core import contract
from quincunx.core.contract import CHANCE, NO_FALLBACK, NOBODY, NONSENSE, NOT_TO_ACT, Log, tell
from quincunx.core.engine import rule, table
from quincunx.core.random import Random, below, keys
from quincunx.core.structure import i8, i16, i32, i64
from quincunx.games.cultist.grid import HEIGHT, LINE, LINE_AT, RANGE, SIZE, STEP, WIDTH, distance

UNITS, NEUTRALS, FULL_HP = 14, 12, 10
MAX_TURNS = 1000
MAX_LEGAL = 1 + 13 * 4 + 12 * 90  # wait; steps and conversions; shots at whatever stands on another cell
LISTS_ALL = True

BORDER = -100
NEUTRAL = 2  # the owner of units that nobody has converted
STATIC, WANDER, GENERATOR = 0, 1, 2  # how neutrals move
WAIT, MOVE, SHOOT, CONVERT, BREAK = 0, 1, 2, 3, 4  # verbs; BREAK is a shot at the cell of an obstacle
FIRST_SEED = 42  # of the generator, in every game

# refusals
NOT_YOURS, TOO_FAR, NOT_FREE, NOT_A_CULTIST, NOT_A_LEADER, NO_TARGET, NOT_AN_ENEMY, ITSELF = 3, 4, 5, 6, 7, 8, 9, 10
OUT_OF_RANGE, NOT_CONVERTIBLE, NO_OBSTACLE = 11, 12, 13

# Events: kind << 32 | owner << 28 | unit << 24 | a << 16 | b << 8 | n. MOVED, WANDERED: from a to b. SHOT: from a,
# aimed at b. WOUNDED: on a, b HP left of a unit that lost n; DIED: on a. CHIPPED: likewise of an obstacle, BROKEN: on
# a. CONVERTED: on a, by the owner's leader on b, n was the owner before.
MOVED, WAITED, SHOT, WOUNDED, DIED, CHIPPED, BROKEN, CONVERTED, WANDERED = 1, 2, 3, 4, 5, 6, 7, 8, 9


class Terms(contract.Terms):
    turns: i16
    neutrals: i8
    destructible: i8
    friendly_fire: i8
    units_block: i8
    codingame_orders: i8  # decides what a text means and what a run-out clock does, not what is legal


class State(contract.State):
    board: Annotated[list[i8], 144]
    owner: Annotated[list[i8], 14]
    hp: Annotated[list[i8], 14]
    cell: Annotated[list[i8], 14]  # 0 of the dead
    count: Annotated[list[i8], 3]  # living units by owner
    wandering: i8  # does CHANCE move a neutral now?
    fallen: i8  # 1 + the unit that was shot dead this turn, or 0
    turn: i16  # turns that are over
    generator: i32
    key: i64  # of the obstacles and units


View = State


_ZOBRIST = keys(1, UNITS * 128 + UNITS * 33 + 128 * 10 + MAX_TURNS + 2)
_AFTER = [UNITS * 128, UNITS * 128 + UNITS * 33, UNITS * 128 + UNITS * 33 + 128 * 10]

KEY_OF_PLACE = table([_ZOBRIST[unit * 128 : unit * 128 + 128] for unit in range(UNITS)])
KEY_OF_UNIT = table([_ZOBRIST[_AFTER[0] + unit * 33 : _AFTER[0] + unit * 33 + 33] for unit in range(UNITS)])
KEY_OF_OBSTACLE = table([[0, *_ZOBRIST[_AFTER[1] + cell * 10 : _AFTER[1] + cell * 10 + 10]] for cell in range(128)])
KEY_OF_TURN = table(_ZOBRIST[_AFTER[2] : -1])
KEY_OF_WANDERING = _ZOBRIST[-1]
FOLD = 0x6C62272F  # odd, 31 bits: its product with the generator's 31 bits stays in an int64


@rule
def turn(terms: Terms, s: State) -> int:
    if s.wandering:
        return CHANCE
    if s.turn >= terms.turns or s.count[0] == 0 or s.count[1] == 0:
        return NOBODY
    return s.turn & 1


@rule
def legal(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    out[0] = WAIT
    n = 1
    for unit in range(UNITS):
        if s.owner[unit] != seat or s.hp[unit] == 0:
            continue
        cell = s.cell[unit]
        for way in range(4):
            to = cell + STEP[way]
            there = s.board[to]
            if there == 0:
                out[n] = MOVE << 12 | unit << 8 | to
                n += 1
            elif unit < 2 and there > 2 and s.owner[there - 1] != seat:
                out[n] = CONVERT << 12 | unit << 8 | there - 1
                n += 1
        if unit >= 2:
            n = shots(terms, s, seat, unit, out, n)
            if terms.destructible:
                n = shots_at_obstacles(s, unit, out, n)
    return n


@rule
def shots(terms: Terms, s: State, seat: int, unit: int, out: list[int], n: int) -> int:
    cell = s.cell[unit]
    for target in range(UNITS):
        if may_aim(terms, s, seat, unit, target) and s.hp[target] and distance(cell, s.cell[target]) <= RANGE:
            out[n] = SHOOT << 12 | unit << 8 | target
            n += 1
    return n


@rule
def may_aim(terms: Terms, s: State, seat: int, unit: int, target: int) -> bool:
    return s.owner[target] == 1 - seat or (terms.friendly_fire != 0 and target != unit)


@rule
def shots_at_obstacles(s: State, unit: int, out: list[int], n: int) -> int:
    start = s.cell[unit]
    for y in range(max(1, (start >> 4) - RANGE), min(HEIGHT, (start >> 4) + RANGE) + 1):
        reach = RANGE - abs(y - (start >> 4))
        for x in range(max(0, (start & 15) - reach), min(WIDTH - 1, (start & 15) + reach) + 1):
            if s.board[y << 4 | x] < 0:
                out[n] = BREAK << 12 | unit << 8 | y << 4 | x
                n += 1
    return n


@rule
def check(terms: Terms, s: State, seat: int, action: int) -> int:
    if turn(terms, s) != seat:
        return NOT_TO_ACT
    return fault_of_chance(s, action) if seat == CHANCE else fault(terms, s, seat, action)


@rule
def fault(terms: Terms, s: State, seat: int, action: int) -> int:
    """Why the owner of a cult may not do this, or 0; distance comes last, so that a far order is known as one."""
    verb, unit, target = action >> 12, action >> 8 & 15, action & 255
    if action == WAIT:
        return 0
    if verb < MOVE or verb > BREAK or (verb == BREAK and not terms.destructible):
        return NONSENSE
    if unit >= UNITS or s.owner[unit] != seat or s.hp[unit] == 0:
        return NOT_YOURS
    if verb == MOVE:
        return fault_of_step(s, s.cell[unit], target)
    if verb == CONVERT:
        return fault_of_conversion(s, seat, unit, target)
    if unit < 2:
        return NOT_A_CULTIST
    if verb == BREAK:
        if target >= SIZE or s.board[target] >= 0 or s.board[target] == BORDER:
            return NO_OBSTACLE
        return 0 if distance(s.cell[unit], target) <= RANGE else OUT_OF_RANGE
    if target >= UNITS or s.hp[target] == 0:
        return NO_TARGET
    if not may_aim(terms, s, seat, unit, target):
        return ITSELF if target == unit else NOT_AN_ENEMY
    return 0 if distance(s.cell[unit], s.cell[target]) <= RANGE else OUT_OF_RANGE


@rule
def fault_of_step(s: State, cell: int, to: int) -> int:
    if to >= SIZE or s.board[to] == BORDER:
        return NONSENSE
    if distance(cell, to) > 1:
        return TOO_FAR
    return NOT_FREE if s.board[to] else 0


@rule
def fault_of_conversion(s: State, seat: int, unit: int, target: int) -> int:
    if unit >= 2:
        return NOT_A_LEADER
    if target >= UNITS or s.hp[target] == 0:
        return NO_TARGET
    if target < 2 or s.owner[target] == seat:
        return NOT_CONVERTIBLE
    return 0 if distance(s.cell[unit], s.cell[target]) == 1 else TOO_FAR


@rule
def fault_of_chance(s: State, action: int) -> int:
    """CHANCE moves a living neutral by one cell; it waits if it drew one that is boxed in."""
    if action == WAIT:
        for unit in range(2, UNITS):
            if s.owner[unit] == NEUTRAL and s.hp[unit] and ways_out(s, s.cell[unit]) == 0:
                return 0
        return NOT_FREE
    unit = action >> 8 & 15
    if action >> 12 != MOVE:
        return NONSENSE
    if unit >= UNITS or s.owner[unit] != NEUTRAL or s.hp[unit] == 0:
        return NOT_YOURS
    return fault_of_step(s, s.cell[unit], action & 255)


@rule
def apply(terms: Terms, s: State, seat: int, action: int, log: Log) -> None:
    verb, unit, target = action >> 12, action >> 8 & 15, action & 255
    if seat == CHANCE:
        if verb == MOVE:
            step(s, unit, target, WANDERED, log)
        else:
            tell(log, WAITED << 32 | NEUTRAL << 28)  # the one that was drawn has nowhere to go
        s.wandering = 0
        end_turn(s)
        return
    if verb == MOVE:
        step(s, unit, target, MOVED, log)
    elif verb == SHOOT:
        shoot(terms, s, unit, s.cell[target], log)
    elif verb == BREAK:
        shoot(terms, s, unit, target, log)
    elif verb == CONVERT:
        convert(s, seat, unit, target, log)
    else:
        tell(log, WAITED << 32 | seat << 28)
    if terms.neutrals == WANDER and s.count[NEUTRAL]:
        s.wandering = 1
        return
    if terms.neutrals == GENERATOR:
        generated_step(s, log)
    end_turn(s)


@rule
def end_turn(s: State) -> None:
    """The dead leave."""
    if s.fallen:
        unit = s.fallen - 1
        cell = s.cell[unit]
        s.key ^= KEY_OF_PLACE[unit][cell]
        s.board[cell] = 0
        s.cell[unit] = 0
        s.fallen = 0
    s.turn += 1


@rule
def step(s: State, unit: int, to: int, event: int, log: Log) -> None:
    cell = s.cell[unit]
    tell(log, event << 32 | s.owner[unit] << 28 | unit << 24 | cell << 16 | to << 8)
    s.key ^= KEY_OF_PLACE[unit][cell] ^ KEY_OF_PLACE[unit][to]
    s.board[cell] = 0
    s.board[to] = 1 + unit
    s.cell[unit] = to


@rule
def struck(terms: Terms, s: State, start: int, aim: int) -> int:
    """The cell where a shot ends: the first on its line that stops it, or the one aimed at."""
    line = LINE_AT + aim - start
    for k in range(RANGE):
        offset = LINE[line][k]
        if offset == 0:
            return aim
        there = s.board[start + offset]
        if there < 0 or (there > 0 and terms.units_block != 0):
            return start + offset
    return aim


@rule
def shoot(terms: Terms, s: State, unit: int, aim: int, log: Log) -> None:
    start = s.cell[unit]
    tell(log, SHOT << 32 | s.owner[unit] << 28 | unit << 24 | start << 16 | aim << 8)
    hit = struck(terms, s, start, aim)
    there = s.board[hit]
    damage = RANGE + 1 - distance(start, hit)
    if there > 0:
        wound(s, there - 1, hit, damage, log)
    else:
        chip(s, hit, damage if terms.destructible else 0, log)


@rule
def wound(s: State, victim: int, cell: int, damage: int, log: Log) -> None:
    owner = s.owner[victim]
    left = max(0, s.hp[victim] - damage)
    s.key ^= KEY_OF_UNIT[victim][owner * 11 + s.hp[victim]] ^ KEY_OF_UNIT[victim][owner * 11 + left]
    s.hp[victim] = left
    tell(log, WOUNDED << 32 | owner << 28 | victim << 24 | cell << 16 | left << 8 | damage)
    if left == 0:
        s.count[owner] -= 1
        s.fallen = 1 + victim
        tell(log, DIED << 32 | owner << 28 | victim << 24 | cell << 16)


@rule
def chip(s: State, cell: int, damage: int, log: Log) -> None:
    hp = -s.board[cell]
    left = max(0, hp - damage)
    s.key ^= KEY_OF_OBSTACLE[cell][hp] ^ KEY_OF_OBSTACLE[cell][left]
    s.board[cell] = -left
    tell(log, CHIPPED << 32 | cell << 16 | left << 8 | damage)
    if left == 0:
        tell(log, BROKEN << 32 | cell << 16)


@rule
def convert(s: State, seat: int, leader: int, target: int, log: Log) -> None:
    before, hp = s.owner[target], s.hp[target]
    tell(log, CONVERTED << 32 | seat << 28 | target << 24 | s.cell[target] << 16 | s.cell[leader] << 8 | before)
    s.key ^= KEY_OF_UNIT[target][before * 11 + hp] ^ KEY_OF_UNIT[target][seat * 11 + hp]
    s.owner[target] = seat
    s.count[before] -= 1
    s.count[seat] += 1


# -- neutrals ------------------------------------------------------------------------------------------------------


@rule
def ways_out(s: State, cell: int) -> int:
    ways = 0
    for way in range(4):
        ways += s.board[cell + STEP[way]] == 0
    return ways


@rule
def way_out(s: State, cell: int, k: int) -> int:
    """The k-th free cell beside this one: up, right, down, left."""
    for way in range(4):
        if s.board[cell + STEP[way]] == 0:
            if k == 0:
                return cell + STEP[way]
            k -= 1
    return cell


@rule
def roll(terms: Terms, s: State, random: Random) -> int:
    """One of the living neutrals, then one of its free cells."""
    k = below(random, s.count[NEUTRAL])
    for unit in range(2, UNITS):
        if s.owner[unit] == NEUTRAL and s.hp[unit]:
            if k == 0:
                ways = ways_out(s, s.cell[unit])
                if ways == 0:
                    return WAIT
                return MOVE << 12 | unit << 8 | way_out(s, s.cell[unit], below(random, ways))
            k -= 1
    return WAIT


@rule
def generated(s: State, bound: int) -> int:
    """0 to bound - 1, from the generator that the state keeps."""
    s.generator = (s.generator * 1103515245 + 12345) & 0x7FFFFFFF
    return s.generator % bound


@rule
def generated_step(s: State, log: Log) -> None:
    """The dead keep their place among the neutrals, the converted lose it; one that is boxed in draws all the same."""
    k = generated(s, NEUTRALS)
    for unit in range(2, UNITS):
        if s.owner[unit] == NEUTRAL:
            if k == 0:
                if s.hp[unit]:
                    cell = s.cell[unit]
                    to = way_out(s, cell, generated(s, max(1, ways_out(s, cell))))
                    if to != cell:
                        step(s, unit, to, WANDERED, log)
                return
            k -= 1


@rule
def score(terms: Terms, s: State, seat: int) -> int:
    """Living units, the leader included."""
    return s.count[seat]


@rule
def fallback(terms: Terms, s: State, seat: int) -> int:
    """On the site, who runs out of time loses."""
    return NO_FALLBACK if terms.codingame_orders else WAIT


@rule
def key(terms: Terms, s: State) -> int:
    """With the turn, which decides when the game ends, and the generator, which decides where neutrals go."""
    mixed = s.generator * FOLD
    wandering = KEY_OF_WANDERING if s.wandering else 0
    return s.key ^ KEY_OF_TURN[s.turn] ^ wandering ^ mixed ^ mixed >> 31
