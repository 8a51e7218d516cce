"""Garden Tensions: the rules as the contract asks for them.

A turn is the same seat acting again and again: moves and powers, END, placements. Dice are asked of CHANCE in between.
The ground and the words of the rules are in hexes.py and state.py; what happens to cells in land.py; special cells and
abilities in powers.py; the wheel of a turn in turns.py; dice and humans in chance.py.
"""

from __future__ import annotations

from quincunx.core.contract import CHANCE, NO_FALLBACK, NOBODY, NONSENSE, NOT_TO_ACT, Log
from quincunx.core.engine import rule
from quincunx.games.garden.chance import are_dice, chance_outcome, resolve, roll
from quincunx.games.garden.hexes import CELLS, NEIGHBOUR
from quincunx.games.garden.land import attack, can_pay, enter, note, pay, put
from quincunx.games.garden.powers import can_leave, list_power, use_power, why_no_move, why_no_power, why_no_target
from quincunx.games.garden.state import (
    CANDY,
    CONQUEST,
    CROWD,
    END,
    FREE,
    MOVE,
    MOVED,
    NO_ROOM,
    NO_STOCK,
    NOT_DICE,
    NOT_YOURS,
    OVER,
    PLACE,
    PLACED,
    REINFORCEMENT,
    SHELTER,
    SKY,
    WRONG_PHASE,
    State,
    Terms,
    View,
)
from quincunx.games.garden.turns import end_conquest, go_on

__all__ = [
    "LISTS_ALL",
    "MAX_LEGAL",
    "State",
    "Terms",
    "View",
    "apply",
    "chance_outcome",
    "check",
    "fallback",
    "legal",
    "roll",
    "score",
    "turn",
]  # fmt: skip

# END; a move across each of the 68 edges; the sky from 14 cells to 15; one of 28 targets for barbecue, pool and
# pillage; 68 entries of lumberjacks
MAX_LEGAL = 1 + 68 + 14 * 15 + 3 * 28 + 68
LISTS_ALL = True


@rule
def turn(terms: Terms, s: State) -> int:
    if s.waiting:
        return CHANCE
    if s.cells[0] == 0 or s.cells[1] == 0 or s.turns >= 2 * terms.rounds:
        return NOBODY
    return s.player


@rule
def legal(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    if s.phase == REINFORCEMENT:
        return list_placements(terms, s, seat, out)
    out[0] = END
    n = 1
    for cell in range(CELLS):
        if can_leave(s, seat, cell):
            for k in range(6):
                to = NEIGHBOUR[cell][k]
                if to >= 0 and s.owner[to] != seat and can_pay(s, seat, terms.ground[to]):
                    out[n] = MOVE << 16 | cell << 8 | to
                    n += 1
    for kind in range(SKY, SHELTER + 1):
        if why_no_power(terms, s, seat, kind) == 0:
            n = list_power(terms, s, seat, kind, out, n)
    return n


@rule
def list_placements(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    n = 0
    for cell in range(CELLS):
        if s.owner[cell] == seat:
            for k in range(1, min(s.stock[seat], CROWD - s.crowd[cell]) + 1):
                out[n] = PLACE << 16 | k << 8 | cell
                n += 1
    if why_no_power(terms, s, seat, CANDY) == 0:
        out[n] = CANDY << 16
        n += 1
    return n


@rule
def check(terms: Terms, s: State, seat: int, action: int) -> int:
    if turn(terms, s) != seat:
        return NOT_TO_ACT
    if seat == CHANCE:
        return 0 if are_dice(terms, s, action) else NOT_DICE
    kind, a, b = action >> 16, action >> 8 & 255, action & 255
    has_a = kind == MOVE or kind == SKY or kind == SHELTER or kind == PLACE
    if not END <= kind <= CANDY or a >= CELLS or b >= CELLS or (a > 0 and not has_a):
        return NONSENSE
    if kind == END or kind == CANDY:
        if b:
            return NONSENSE
        if kind == CANDY:
            return why_no_power(terms, s, seat, CANDY)
        return 0 if s.phase == CONQUEST else WRONG_PHASE
    if kind == PLACE:
        return why_no_placement(s, seat, a, b)
    if kind == MOVE:
        return why_no_move(terms, s, seat, a, b) if s.phase == CONQUEST else WRONG_PHASE
    refusal = why_no_power(terms, s, seat, kind)
    return refusal if refusal else why_no_target(terms, s, seat, kind, a, b)


@rule
def why_no_placement(s: State, seat: int, k: int, cell: int) -> int:
    if s.phase != REINFORCEMENT:
        return WRONG_PHASE
    if s.owner[cell] != seat:
        return NOT_YOURS
    if not 1 <= k <= s.stock[seat]:
        return NO_STOCK
    return 0 if s.crowd[cell] + k <= CROWD else NO_ROOM


@rule
def apply(terms: Terms, s: State, seat: int, action: int, log: Log) -> None:
    kind, a, b = action >> 16, action >> 8 & 255, action & 255
    if seat == CHANCE:
        resolve(terms, s, action, log)
    elif kind == END:
        end_conquest(terms, s, seat, log)
    elif kind == PLACE:
        s.stock[seat] -= a
        put(s, b, seat, s.crowd[b] + a)
        note(log, PLACED, seat, b, a, 0)
        go_on(terms, s, seat, log)
    elif kind != MOVE:
        use_power(terms, s, seat, kind, a, b, log)
    elif s.owner[b] == FREE:
        pay(s, seat, terms.ground[b], log)
        enter(s, MOVED, seat, a, b, log)
    else:
        attack(s, seat, a, b, 0, log)
    if turn(terms, s) == NOBODY:
        lead = score(terms, s, 0) - score(terms, s, 1)
        note(log, OVER, 1 if lead < 0 else 0, 0, 0, 1 if lead else 0)


@rule
def score(terms: Terms, s: State, seat: int) -> int:
    """Cells, then creatures on the board; who has no cell has nothing."""
    return s.cells[seat] << 16 | s.creatures[seat]


@rule
def fallback(terms: Terms, s: State, seat: int) -> int:
    """Ends the conquest; fills the own cell with most room (the first of several), as far as the stock goes."""
    if s.phase == CONQUEST:
        return END
    best = NO_FALLBACK
    fewest = CROWD
    for cell in range(CELLS):
        if s.owner[cell] == seat and s.crowd[cell] < fewest:
            best, fewest = cell, s.crowd[cell]
    return PLACE << 16 | min(s.stock[seat], CROWD - fewest) << 8 | best
