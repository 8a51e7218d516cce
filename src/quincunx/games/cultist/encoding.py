"""Cultist for learning: planes of HP, and 88 numbers a cell.

The map is mirrored for the second cult: each sees its leader start on the left. Number 0 waits; the others are
1 + cell * 88 + what, cell = y * 13 + x of the unit that acts:

    what 0..3     a step up, right, down, left; where a unit stands there, its conversion
         4..87    a shot at the cell (dx, dy) away, 1 to 6 steps: at the unit that stands there, or at the obstacle

Not in the observation: which unit is which, and the state of the generator; they decide only where the neutrals of the
CodinGame rules go.
"""

from __future__ import annotations

from quincunx.core.encoding import NO_ACTION
from quincunx.core.engine import rule, table
from quincunx.core.structure import i8, i32
from quincunx.games.cultist.grid import HEIGHT, LINE_AT, PITCH, RANGE, WIDTH
from quincunx.games.cultist.rules import (
    BREAK,
    CONVERT,
    GENERATOR,
    MOVE,
    NEUTRAL,
    SHOOT,
    UNITS,
    WAIT,
    WANDER,
    State,
    Terms,
)

VERSION = 1
PLANES = ("my leader", "my cultists", "their leader", "their cultists", "neutrals", "obstacles")
SCALARS = (
    "turns played", "turns left", "neutrals wander", "neutrals move by a generator",
    "obstacles can be destroyed", "friendly fire", "units block shots",
)  # fmt: skip
CELLS = WIDTH * HEIGHT
_SHOTS = [
    (dx, dy)
    for dy in range(-RANGE, RANGE + 1)
    for dx in range(abs(dy) - RANGE, RANGE - abs(dy) + 1)
    if (dx, dy) != (0, 0)
]
_STEPS = [(0, -1), (1, 0), (0, 1), (-1, 0)]
_WHATS = _STEPS + _SHOTS
_NAMES = [*("up", "right", "down", "left"), *(f"shot {dx:+},{dy:+}" for dx, dy in _SHOTS)]
FIRST_SHOT, WHATS = len(_STEPS), len(_WHATS)


def _indices(among: list[tuple[int, int]], first: int) -> list[list[int]]:
    """[seat][LINE_AT + difference of cells] -> what."""
    found = [[0] * (2 * LINE_AT + 1) for _ in range(2)]
    for k, (dx, dy) in enumerate(among):
        found[0][LINE_AT + dy * PITCH + dx] = found[1][LINE_AT + dy * PITCH - dx] = first + k
    return found


STEP_INDEX, SHOT_INDEX = table(_indices(_STEPS, 0)), table(_indices(_SHOTS, FIRST_SHOT))
ACROSS, DOWN = table([dx for dx, _ in _WHATS]), table([dy for _, dy in _WHATS])


def size(terms: Terms) -> tuple[int, int]:
    return HEIGHT, WIDTH


def actions(terms: Terms) -> int:
    return 1 + CELLS * WHATS


def name(terms: Terms, number: int) -> str:
    if number == 0:
        return "wait"
    cell, what = divmod(number - 1, WHATS)
    return f"{cell % WIDTH},{cell // WIDTH} {_NAMES[what]}"


@rule
def flat(seat: int, cell: int) -> int:
    """y * 13 + x of a cell, as a seat sees it."""
    x = cell & 15
    return ((cell >> 4) - 1) * WIDTH + (WIDTH - 1 - x if seat else x)


@rule
def encode(terms: Terms, view: State, seat: int, planes: list[i8], scalars: list[i32]) -> None:
    for y in range(HEIGHT):
        for x in range(WIDTH):
            there = view.board[(y + 1) * PITCH + x]
            if there < 0:
                planes[5 * CELLS + y * WIDTH + (WIDTH - 1 - x if seat else x)] = -there
    for unit in range(UNITS):
        if view.hp[unit]:
            owner = view.owner[unit]
            plane = 4 if owner == NEUTRAL else (0 if owner == seat else 2) + (unit >= 2)
            planes[plane * CELLS + flat(seat, view.cell[unit])] = view.hp[unit]
    scalars[0], scalars[1] = view.turn, terms.turns - view.turn
    scalars[2], scalars[3] = terms.neutrals == WANDER, terms.neutrals == GENERATOR
    scalars[4], scalars[5], scalars[6] = terms.destructible, terms.friendly_fire, terms.units_block


@rule
def number_of(terms: Terms, s: State, seat: int, action: int) -> int:
    if action == WAIT:
        return 0
    verb, unit, target = action >> 12, action >> 8 & 15, action & 255
    start = s.cell[unit]
    to = target if verb == MOVE or verb == BREAK else s.cell[target]
    steps = verb == MOVE or verb == CONVERT
    what = STEP_INDEX[seat][LINE_AT + to - start] if steps else SHOT_INDEX[seat][LINE_AT + to - start]
    return 1 + flat(seat, start) * WHATS + what


@rule
def action_of(terms: Terms, s: State, seat: int, number: int) -> int:
    if number == 0:
        return WAIT
    at, what = (number - 1) // WHATS, (number - 1) % WHATS
    x, y, dx = at % WIDTH, at // WIDTH, ACROSS[what]
    if seat:
        x, dx = WIDTH - 1 - x, -dx
    unit = s.board[(y + 1) * PITCH + x] - 1
    u, v = x + dx, y + DOWN[what]
    if unit < 0 or u < 0 or u >= WIDTH or v < 0 or v >= HEIGHT:
        return NO_ACTION
    to = (v + 1) * PITCH + u
    there = s.board[to]
    if what < FIRST_SHOT:
        return CONVERT << 12 | unit << 8 | there - 1 if there > 0 else MOVE << 12 | unit << 8 | to
    if there > 0:
        return SHOOT << 12 | unit << 8 | there - 1
    return BREAK << 12 | unit << 8 | to if there < 0 else NO_ACTION
