"""Casus Belli, the words of the game: ground, units, orders, and the structures that hold them.

     x 0   1   2       a cell is y * width + x, north on top
 y 0   0   1   2       a unit is seat * 3 + role: thief 0, barbarian 1, elf 2
   1   w  w+1 w+2      facings and steps are N E S W = 0..3

The ground of eight cells is one number, seven bits a cell (a map of 200 × 200 is 5,000 numbers, not 40,000):

    0..5    grass road marsh wall forest tower
    6..105  grass of hotspot 0..99
    106..   the kinds 0..5 where no path leads from the start

Actions:

    seal     0
    attack   1 << 34 | role << 32 | what << 16 | cell                        what: hold, basic, one of two abilities
    path     2 << 34 | role << 32 | steps << 8 | last facing << 4 | length   two bits a step, the first one lowest

The state keeps the low 32 bits of both orders of a unit, with bit 30 set: 0 is an order that was not given.
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core import contract
from quincunx.core.engine import rule, table
from quincunx.core.structure import i8, i16, i32, i64

SEATS, SIDE = 100, 200  # at most: players, cells of a side

GRASS, ROAD, MARSH, WALL, FOREST, TOWER = 0, 1, 2, 3, 4, 5
FIRST_HOTSPOT, HOTSPOTS, CUT_OFF = 6, 100, 106
KIND = table([*range(6), *[GRASS] * HOTSPOTS, *range(6), *[GRASS] * 16])
PRICE = table([[2, 1, 4, 99, 2, 2][kind] for kind in KIND])  # movement points, paid on the cell that a unit leaves

DX, DY = table([0, 1, 0, -1]), table([-1, 0, 1, 0])

THIEF, BARBARIAN, ELF = 0, 1, 2
HEALTH = 10
MOVEMENT = table([10, 8, 6])
VISION = table([5, 4, 4])
DAMAGE = table([5, 3, 2])  # of the basic attacks

HOLD, BASIC = 0, 1
PALANTIR, TREACHERY = 2, 3  # the thief's
BASTOOOON, FUS_RO_DAH = 2, 3  # the barbarian's
REVEAL, LOTO = 2, 3  # the elf's
KNIFE_REACH, BASTOOOON_REACH, PALANTIR_SIGHT, REVEAL_SIGHT = 1, 3, 5, 4
LOTO_DAMAGE, FATAL, BASTOOOON_BASE = 4, 9001, 11
HOLD_TURNS = 3  # alone on a hotspot for so many turns: a point

SEAL, ATTACK, PATH = 0, 1 << 34, 2 << 34
ROLE = 1 << 32
PAYLOAD, GIVEN = 0xFFFFFFF, 1 << 30
STEPS = 10  # of the longest path
MOST_NOTED = STEPS * (121 + 81 + 81)  # cells that a team sees from three towers, at each step (penumbra.py)

NOT_NOW, OUT_OF_SIGHT, IN_SIGHT, COOLING, TOO_FAR, BLOCKED = 3, 4, 5, 6, 7, 8  # refusals


class Terms(contract.Terms):
    width: i16
    height: i16
    start: i32
    placement: i16  # turns in which units only move
    turns: i16  # of the whole match, those of the placement included
    moves_first: i8  # a turn is a phase of moves and a phase of attacks
    wide_bastoooon: i8  # on a plus, instead of the barbarian's own cell
    free_loto: i8  # also into her own sight
    narrow: i8  # a column that opens beside a blocked one is blocked
    see_friends: i8  # the penumbra notes one's own units too, and the one that looks
    losses: i8  # a death costs the victim's team a point
    at_once: i8  # the dead reappear before anything else happens, and leave no corpse
    hotspots: i8  # their number
    cooldowns: Annotated[list[i8], 6]  # role * 2 + ability
    ground: Annotated[list[i64], 5000]


class State(contract.State):
    cell: Annotated[list[i32], 300]
    departure: Annotated[list[i32], 300]  # where a unit reappears
    attack: Annotated[list[i32], 300]
    path: Annotated[list[i32], 300]
    corpse: Annotated[list[i32], 300]  # cell + 1, or 0; of the turn before
    facing: Annotated[list[i8], 300]
    health: Annotated[list[i8], 300]
    cooldown: Annotated[list[i8], 600]  # unit * 2 + ability
    palantir: Annotated[list[i32], 100]  # of a seat: cell + 1, or 0
    revealed: Annotated[list[i32], 100]  # its zone this turn: cell + 1, or 0
    points: Annotated[list[i32], 100]
    sealed: Annotated[list[i8], 100]
    holder: Annotated[list[i8], 100]  # who is alone on a hotspot: seat + 1, or 0
    held: Annotated[list[i8], 100]  # for so many turns
    turn: i16
    phase: i8  # 1 while the attacks of a turn are ordered after its moves
    first: i8  # the lowest seat that has not sealed
    track: Annotated[list[i64], 300]  # how a unit went in the last march (penumbra.py)
    noted: Annotated[list[i32], MOST_NOTED]  # in an imagined world: the penumbra of the seat that imagines it
    runs: Annotated[list[i16], 3]  # how many of these numbers are a unit's
    recalls: i8  # that seat + 1; 0 in a true world


class View(contract.View):
    cell: Annotated[list[i32], 300]  # of a unit that is seen: cell + 1, otherwise 0
    corpse: Annotated[list[i32], 300]
    facing: Annotated[list[i8], 300]
    health: Annotated[list[i8], 300]
    points: Annotated[list[i32], 100]
    sealed: Annotated[list[i8], 100]
    holder: Annotated[list[i8], 100]
    held: Annotated[list[i8], 100]
    departure: Annotated[list[i32], 3]  # this and what follows: of the seat's own units
    attack: Annotated[list[i32], 3]
    path: Annotated[list[i32], 3]
    cooldown: Annotated[list[i8], 6]
    noted: Annotated[list[i32], MOST_NOTED]  # the penumbra: times << 16 | cell, the units' lists one behind the other
    runs: Annotated[list[i16], 3]  # how many of these numbers are a unit's
    orb: i32  # the palantír: cell + 1, or 0
    zone: i32  # the revealed one
    turn: i16
    phase: i8


@rule
def code_at(terms: Terms, cell: int) -> int:
    return terms.ground[cell >> 3] >> (cell & 7) * 7 & 127


@rule
def kind_at(terms: Terms, cell: int) -> int:
    return KIND[terms.ground[cell >> 3] >> (cell & 7) * 7 & 127]


@rule
def distance(terms: Terms, one: int, other: int) -> int:
    width = terms.width
    return abs(one % width - other % width) + abs(one // width - other // width)


@rule
def moves_now(terms: Terms, s: State) -> bool:
    """Are paths ordered in this phase?"""
    return s.phase == 0


@rule
def attacks_now(terms: Terms, s: State) -> bool:
    """Are attacks?"""
    return s.turn >= terms.placement and (s.phase == 1 or terms.moves_first == 0)


@rule
def is_targeted(terms: Terms, role: int, what: int) -> bool:
    """Does this attack need a cell?"""
    if what == HOLD or (role == THIEF and what == TREACHERY) or (role == BARBARIAN and what == FUS_RO_DAH):
        return False
    return role != BARBARIAN or what != BASTOOOON or terms.wide_bastoooon == 1
