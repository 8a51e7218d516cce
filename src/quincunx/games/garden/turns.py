"""Garden Tensions: the wheel of a turn.

resources -> poison ticks (CHANCE, cell by cell) -> conquest --END--> reinforcement -> the other player's turn
                                                                      after his, if humans are about: CHANCE
"""

from __future__ import annotations

from quincunx.core.contract import Log
from quincunx.core.engine import rule
from quincunx.games.garden.hexes import CELLS
from quincunx.games.garden.land import note, zones
from quincunx.games.garden.state import (
    CONQUEST,
    CROWD,
    EARNED,
    FADED,
    HUMANS,
    PASSED,
    POISON_TICKS,
    REINFORCED,
    REINFORCEMENT,
    TICK,
    State,
    Terms,
)


@rule
def begin_turn(terms: Terms, s: State, log: Log) -> None:
    seat = s.player
    earned = 0
    for cell in range(CELLS):
        if s.owner[cell] == seat:
            s.goods[seat][terms.resource[cell]] += terms.amount[cell]
            earned += terms.amount[cell] << 8 * terms.resource[cell]
    if earned:
        note(log, EARNED, seat, 0, 0, earned)
    await_tick(s, 0)


@rule
def await_tick(s: State, first: int) -> None:
    """Waits for the dice of the player's next poisoned cell, from `first` on, if there is one."""
    s.waiting = 0
    s.target = 0
    if s.cells[s.player] == 0:
        return
    for cell in range(first, CELLS):
        if s.owner[cell] == s.player and 0 < s.condition[cell] <= POISON_TICKS:
            s.waiting = TICK
            s.target = cell
            return


@rule
def end_conquest(terms: Terms, s: State, seat: int, log: Log) -> None:
    held = zones(terms, s, seat)
    gained = terms.m + terms.n * held
    s.phase = REINFORCEMENT
    s.stock[seat] += gained
    note(log, REINFORCED, seat, terms.m, held, gained)
    go_on(terms, s, seat, log)


@rule
def go_on(terms: Terms, s: State, seat: int, log: Log) -> None:
    """The turn ends by itself when nothing can be placed: no stock, or no room."""
    if s.stock[seat] == 0 or s.creatures[seat] >= CROWD * s.cells[seat]:
        end_turn(terms, s, seat, log)


@rule
def end_turn(terms: Terms, s: State, seat: int, log: Log) -> None:
    for cell in range(CELLS):
        if s.owner[cell] == seat:
            if s.stuck[cell]:
                s.stuck[cell] -= 1
                note(log, FADED, seat, cell, 0, s.stuck[cell])
            if s.forged[cell]:
                s.forged[cell] -= 1
                note(log, FADED, seat, cell, 1, s.forged[cell])
    s.phase = CONQUEST
    s.used = 0
    s.player = 1 - seat
    s.turns += 1
    note(log, PASSED, s.player, 0, 0, s.turns)
    if terms.humans and s.turns & 1 == 0:
        s.waiting = HUMANS
    elif s.turns < 2 * terms.rounds:
        begin_turn(terms, s, log)
