"""What there is in the garden: its ground, its creatures, the clans' belongings, and the words of the rules.

action   kind << 16 | a << 8 | b            event   kind << 57 | seat << 56 | a << 48 | b << 40 | c
MOVE SKY SHELTER    a source, b target      each kind says what a, b and c are
PLACE               a creatures, b cell
BARBECUE POOL PILLAGE POISON FORGE IMMOBILISE    b target
END CANDY           neither

action of CHANCE    a hex digit a die
fight               the attacker's dice from digit 0, the defender's from digit 5: 0x00031_00426
poison              the system's die is digit 0, the creatures' from digit 1: 0x6214
humans              0 nothing, FOOTSTEP << 8 | cell, LUNCH << 8 | 0 barbecue or 1 pool, SWEETS << 8
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core import contract
from quincunx.core.engine import table
from quincunx.core.structure import i8, i16, i32

CROWD = 5  # creatures on a cell, at most
ABILITY = 8  # conquest points of an ability
FREE = -1  # nobody's

COOKS, BLACKSMITHS, MINERS, LUMBERJACKS = 0, 1, 2, 3
FOOD, METAL, STONE, WOOD = 0, 1, 2, 3  # a clan pillages the resource of its own number
GRASS, SAND, MUD, SKY_CELL, CANDY_CELL, BARBECUE_CELL, POOL_CELL = 0, 1, 2, 3, 4, 5, 6
GROUNDS = 7

PRICE = table([0, 0, 0, 5, 3, 3, 3])  # of a cell by its ground: on conquest and at each use
COIN = table([0, 0, 0, METAL, FOOD, STONE, WOOD])  # in which resource

CONQUEST, REINFORCEMENT = 0, 1  # phases
FIGHT, TICK, HUMANS = 1, 2, 3  # what CHANCE is asked for
FOOTSTEP, LUNCH, SWEETS = 1, 2, 3  # what humans do

POISON_TICKS, PROTECTED = 3, 4  # a condition is 0 normal, 1..3 ticks of poison to come, or PROTECTED
STUCK_TURNS, FORGED_TURNS = 2, 2
GRILLED_AT_MOST, PILLAGED_AT_MOST = 3, 2

END, MOVE, SKY, BARBECUE, POOL, PILLAGE, POISON, FORGE, IMMOBILISE, SHELTER, PLACE, CANDY = range(12)
GROUND_OF = table([0, 0, SKY_CELL, BARBECUE_CELL, POOL_CELL, 0, 0, 0, 0, 0, 0, CANDY_CELL])  # that lends the power

# refusals
WRONG_PHASE, NOT_YOURS, TOO_FEW, STUCK, NOT_ADJACENT, OWN_TARGET, NOT_ENEMY, OUT_OF_REACH = range(3, 11)
TOO_POOR, NOT_HELD, USED_UP, NO_POINTS, OTHER_CLAN, NO_ROOM, NO_STOCK, NOT_DICE, NO_TARGET = range(11, 20)

# events: who (seat), where (a, b), and how many (c)
MOVED, CONQUERED, SHELTERED = 1, 2, 3  # from a into b, c = creatures | forged turns << 8
ATTACKED = 4  # from a, b; c = 1 from the sky
FOUGHT = 5  # attacker's seat; from a, b; c = dice
REPELLED = 6  # from a, b; c = creatures lost
POINT = 7  # c = 1
PAID = 8  # a = resource, b = amount
SPENT = 9  # c = conquest points
EARNED = 10  # c = food | metal << 8 | stone << 16 | wood << 24
TICKED = 11  # holder's seat; a cell, b = ticks to come, c = dice
DIED = 12  # owner's seat; a cell, b = how many, c = how many are left
ABSORBED = 13  # owner's seat; a cell
GRILLED = 14  # a target, b = ground of the power
PILLAGED = 15  # a target, b = resource, c = amount
POISONED, FORGED, IMMOBILISED = 16, 17, 18  # a target
DEPORTED = 19  # owner's seat; a cell, b = how many
REINFORCED = 20  # a = M, b = zones held, c = creatures gained
SWEETENED = 21  # c = creatures gained
PLACED = 22  # a cell, b = how many
FADED = 23  # a cell, b = 0 immobilised or 1 forged, c = turns left
PASSED = 24  # the turn is over; seat of the next player, c = turns played
HUMANS_CAME = 25  # a = what they do (0 nothing), b = cell, barbecue 0 or pool 1
OVER = 26  # c = 1 won by seat, 0 drawn


class Terms(contract.Terms):
    rounds: i16
    m: i8  # creatures a turn
    n: i8  # more for each zone under control
    k: i8  # more for the candy
    moving: i8  # only the creatures that move roll dice
    far: i8  # barbecue and pool reach every enemy cell
    humans: i8
    clan: Annotated[list[i8], 2]
    ground: Annotated[list[i8], 29]
    resource: Annotated[list[i8], 29]  # of a simple cell
    amount: Annotated[list[i8], 29]  # a turn; 0 on special cells
    special: Annotated[list[i8], 7]  # where each special ground lies


class State(contract.State):
    owner: Annotated[list[i8], 29]
    crowd: Annotated[list[i8], 29]
    condition: Annotated[list[i8], 29]
    stuck: Annotated[list[i8], 29]  # turns of its owner in which no move starts from the cell
    forged: Annotated[list[i8], 29]  # turns of its owner, this one included, in which its creatures roll 1 to 9
    goods: Annotated[list[list[i16]], 2, 4]
    stock: Annotated[list[i16], 2]
    points: Annotated[list[i32], 2]
    cells: Annotated[list[i8], 2]  # how many a seat holds
    creatures: Annotated[list[i16], 2]  # on the board
    turns: i16  # over
    player: i8
    phase: i8
    used: i8  # this turn: 1 << ground
    waiting: i8  # for dice
    source: i8  # of the fight that waits
    target: i8  # of the fight, or the poisoned cell


View = State
