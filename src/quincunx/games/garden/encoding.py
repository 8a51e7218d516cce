"""Garden Tensions for learning: the 29 hexes in their axial grid of 5 × 7 (hexes.py), 1,510 numbers.

The garden is turned by half for player B: cell k becomes 28 - k, and ways turn with it. Numbers, where a way is
0 W, 1 NW, 2 NE, 3 E, 4 SE, 5 SW:

       0            END                       1 + cell * 6 + way       MOVE
     175            CANDY                   176 + cell * 6 + way       SHELTER
     350 + ...      one of BARBECUE POOL PILLAGE POISON FORGE IMMOBILISE, 29 targets each
     524 + cell * 5 + creatures - 1           PLACE
     669 + source * 29 + target               SKY
"""

from __future__ import annotations

from quincunx.core.encoding import NO_ACTION
from quincunx.core.engine import rule, table
from quincunx.core.structure import i8, i32
from quincunx.games.garden.hexes import CELLS, NAMES, NEIGHBOUR, ROWS
from quincunx.games.garden.notation import CLAN_NAMES, GROUND_NAMES, RESOURCE_NAMES
from quincunx.games.garden.state import (
    BARBECUE,
    BARBECUE_CELL,
    CANDY,
    CANDY_CELL,
    CROWD,
    END,
    FREE,
    GROUNDS,
    MOVE,
    PLACE,
    POISON_TICKS,
    POOL_CELL,
    PROTECTED,
    SHELTER,
    SKY,
    State,
    Terms,
)

VERSION = 1
PLANES = (
    "garden", "my creatures", "their creatures", "ticks of poison", "shield", "turns immobilised", "turns forged",
    *(f"ground: {name}" for name in GROUND_NAMES),
    *(f"income: {name}" for name in RESOURCE_NAMES),
)  # fmt: skip
SCALARS = (
    "turns played", "turns left", "reinforcement", "candy used", "barbecue used", "pool used",
    *(f"{side} {what}" for side in ("my", "their") for what in (*RESOURCE_NAMES, "stock", "points", *CLAN_NAMES)),
    "m", "n", "k", "moving creatures only fight", "barbecue and pool reach far", "humans",
)  # fmt: skip
HIGH, WIDE = 5, 7
AREA = HIGH * WIDE
OF_SIDE = 10  # scalars of each side, from FIRST_OF_SIDE on
FIRST_OF_SIDE, FIRST_OF_TERMS = 6, 26

FIRST_MOVE, CANDY_AT, FIRST_SHELTER, FIRST_TARGET = 1, 175, 176, 350
FIRST_PLACE, FIRST_SKY, ACTIONS = 524, 669, 1510

_FIRST_COLUMN = (2, 1, 0, 0, 0)
PLACE_OF = table([row * WIDE + _FIRST_COLUMN[row] + k for row, length in enumerate(ROWS) for k in range(length)])
WAY = table(
    [[NEIGHBOUR[cell].index(to) if to in NEIGHBOUR[cell] else 0 for to in range(CELLS)] for cell in range(CELLS)]
)


def size(terms: Terms) -> tuple[int, int]:
    return HIGH, WIDE


def actions(terms: Terms) -> int:
    return ACTIONS


def name(terms: Terms, number: int) -> str:
    ways = ("W", "NW", "NE", "E", "SE", "SW")
    if number == 0 or number == CANDY_AT:
        return "end" if number == 0 else "candy"
    if number >= FIRST_SKY:
        source, target = divmod(number - FIRST_SKY, CELLS)
        return f"sky {NAMES[source]}-{NAMES[target]}"
    if number >= FIRST_PLACE:
        return f"{NAMES[(number - FIRST_PLACE) // CROWD]}+{(number - FIRST_PLACE) % CROWD + 1}"
    if number >= FIRST_TARGET:
        kind, target = divmod(number - FIRST_TARGET, CELLS)
        return f"{('barbecue', 'pool', 'pillage', 'poison', 'forge', 'immobilise')[kind]} {NAMES[target]}"
    first = FIRST_SHELTER if number >= FIRST_SHELTER else FIRST_MOVE
    verb = "shelter " if first == FIRST_SHELTER else ""
    return f"{verb}{NAMES[(number - first) // 6]} {ways[(number - first) % 6]}"


@rule
def turned(seat: int, cell: int) -> int:
    """A cell as a seat sees it; and back."""
    return CELLS - 1 - cell if seat else cell


@rule
def encode(terms: Terms, view: State, seat: int, planes: list[i8], scalars: list[i32]) -> None:
    for cell in range(CELLS):
        at = PLACE_OF[turned(seat, cell)]
        planes[at] = 1
        if view.owner[cell] != FREE:
            planes[(1 if view.owner[cell] == seat else 2) * AREA + at] = view.crowd[cell]
        planes[3 * AREA + at] = view.condition[cell] if view.condition[cell] <= POISON_TICKS else 0
        planes[4 * AREA + at] = view.condition[cell] == PROTECTED
        planes[5 * AREA + at] = view.stuck[cell]
        planes[6 * AREA + at] = view.forged[cell]
        planes[(7 + terms.ground[cell]) * AREA + at] = 1
        if terms.amount[cell]:
            planes[(7 + GROUNDS + terms.resource[cell]) * AREA + at] = terms.amount[cell]
    encode_scalars(terms, view, seat, scalars)


@rule
def encode_scalars(terms: Terms, view: State, seat: int, scalars: list[i32]) -> None:
    scalars[0], scalars[1], scalars[2] = view.turns, 2 * terms.rounds - view.turns, view.phase
    scalars[3], scalars[4] = view.used >> CANDY_CELL & 1, view.used >> BARBECUE_CELL & 1
    scalars[5] = view.used >> POOL_CELL & 1
    for k in range(2):
        side, first = (seat if k == 0 else 1 - seat), FIRST_OF_SIDE + k * OF_SIDE
        for resource in range(4):
            scalars[first + resource] = view.goods[side][resource]
        scalars[first + 4], scalars[first + 5] = view.stock[side], view.points[side]
        scalars[first + 6 + terms.clan[side]] = 1
    scalars[FIRST_OF_TERMS], scalars[FIRST_OF_TERMS + 1], scalars[FIRST_OF_TERMS + 2] = terms.m, terms.n, terms.k
    scalars[FIRST_OF_TERMS + 3], scalars[FIRST_OF_TERMS + 4] = terms.moving, terms.far
    scalars[FIRST_OF_TERMS + 5] = terms.humans


@rule
def number_of(terms: Terms, s: State, seat: int, action: int) -> int:
    kind, source, target = action >> 16, action >> 8 & 255, turned(seat, action & 255)
    if kind == END or kind == CANDY:
        return CANDY_AT if kind == CANDY else 0
    if kind == PLACE:
        return FIRST_PLACE + target * CROWD + source - 1  # how many creatures stand where others have a source
    if kind == SKY:
        return FIRST_SKY + turned(seat, source) * CELLS + target
    if kind == MOVE or kind == SHELTER:
        source = turned(seat, source)
        return (FIRST_MOVE if kind == MOVE else FIRST_SHELTER) + source * 6 + WAY[source][target]
    return FIRST_TARGET + (kind - BARBECUE) * CELLS + target


@rule
def action_of(terms: Terms, s: State, seat: int, number: int) -> int:
    if number == 0 or number == CANDY_AT:
        return (END if number == 0 else CANDY) << 16
    if number >= FIRST_SKY:
        k = number - FIRST_SKY
        return SKY << 16 | turned(seat, k // CELLS) << 8 | turned(seat, k % CELLS)
    if number >= FIRST_PLACE:
        k = number - FIRST_PLACE
        return PLACE << 16 | k % CROWD + 1 << 8 | turned(seat, k // CROWD)
    if number >= FIRST_TARGET:
        k = number - FIRST_TARGET
        return BARBECUE + k // CELLS << 16 | turned(seat, k % CELLS)
    kind = SHELTER if number >= FIRST_SHELTER else MOVE
    k = number - (FIRST_SHELTER if kind == SHELTER else FIRST_MOVE)
    to = NEIGHBOUR[k // 6][k % 6]
    return kind << 16 | turned(seat, k // 6) << 8 | turned(seat, to) if to >= 0 else NO_ACTION
