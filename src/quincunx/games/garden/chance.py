"""Garden Tensions: the dice of fights and poison, and the humans. See state.py for how dice are packed."""

from __future__ import annotations

from quincunx.core.contract import Log
from quincunx.core.engine import rule
from quincunx.core.random import Random, below
from quincunx.games.garden.hexes import CELLS
from quincunx.games.garden.land import enter, gain_point, lose, note, pay, put
from quincunx.games.garden.state import (
    BARBECUE_CELL,
    CONQUERED,
    CROWD,
    FIGHT,
    FOOTSTEP,
    FOUGHT,
    HUMANS,
    HUMANS_CAME,
    LUNCH,
    REPELLED,
    SWEETS,
    TICK,
    TICKED,
    State,
    Terms,
)
from quincunx.games.garden.turns import await_tick, begin_turn

ODDS_OF_HUMANS = 10  # one round in so many


@rule
def attackers(terms: Terms, s: State) -> int:
    """Dice of the attacker: one a creature, the one that stays included unless the option says otherwise."""
    return s.crowd[s.source] - terms.moving


@rule
def faces(s: State, cell: int) -> int:
    return 9 if s.forged[cell] else 6


@rule
def some_dice(random: Random, n: int, sides: int) -> int:
    dice = 0
    for k in range(n):
        dice |= below(random, sides) + 1 << 4 * k
    return dice


@rule
def sum_of(dice: int) -> int:
    total = 0
    while dice:
        total += dice & 15
        dice >>= 4
    return total


@rule
def roll(terms: Terms, s: State, random: Random) -> int:
    if s.waiting == FIGHT:
        dice = some_dice(random, attackers(terms, s), faces(s, s.source))
        return dice | some_dice(random, s.crowd[s.target], faces(s, s.target)) << 4 * CROWD
    if s.waiting == TICK:
        return some_dice(random, 1 + s.crowd[s.target], 6)
    if below(random, ODDS_OF_HUMANS):
        return 0
    what = 1 + below(random, 3)
    if what == FOOTSTEP:
        return FOOTSTEP << 8 | below(random, CELLS)
    return what << 8 | (below(random, 2) if what == LUNCH else 0)


@rule
def fits(dice: int, n: int, sides: int) -> bool:
    """Are these exactly `n` dice of so many sides?"""
    for k in range(n):
        if not 1 <= dice >> 4 * k & 15 <= sides:
            return False
    return dice >> 4 * n == 0


@rule
def are_dice(terms: Terms, s: State, action: int) -> bool:
    if action < 0:
        return False
    if s.waiting == FIGHT:
        ours, theirs = action & (1 << 4 * CROWD) - 1, action >> 4 * CROWD
        return fits(ours, attackers(terms, s), faces(s, s.source)) and fits(
            theirs, s.crowd[s.target], faces(s, s.target)
        )
    if s.waiting == TICK:
        return fits(action, 1 + s.crowd[s.target], 6)
    what, where = action >> 8, action & 255
    if what == FOOTSTEP:
        return where < CELLS
    return where <= (1 if what == LUNCH else 0) and what <= SWEETS


@rule
def chance_outcome(terms: Terms, s: State, action: int) -> int:
    """Of a fight: does the attacker win? Of poison: how many die? Of humans: what they do, 0 if to nobody."""
    if s.waiting == FIGHT:
        return 1 if sum_of(action & (1 << 4 * CROWD) - 1) > sum_of(action >> 4 * CROWD) else 0
    if s.waiting == TICK:
        dead = 0
        for k in range(1, 1 + s.crowd[s.target]):
            dead += (action >> 4 * k & 15) < (action & 15)
        return dead
    what = action >> 8
    if what == SWEETS:
        return action
    return action if what and s.crowd[struck(terms, action)] else 0


@rule
def struck(terms: Terms, action: int) -> int:
    """The cell that humans step on, or where they have lunch."""
    return action & 255 if action >> 8 == FOOTSTEP else terms.special[BARBECUE_CELL + (action & 255)]


@rule
def resolve(terms: Terms, s: State, action: int, log: Log) -> None:
    """What the dice, or the humans, do."""
    if s.waiting == FIGHT:
        fight(terms, s, action, log)
    elif s.waiting == TICK:
        poison(terms, s, action, log)
    elif s.waiting == HUMANS:
        intervene(terms, s, action, log)


@rule
def fight(terms: Terms, s: State, dice: int, log: Log) -> None:
    seat, source, target = s.player, s.source, s.target
    won = chance_outcome(terms, s, dice)
    s.waiting = 0
    s.source = 0
    s.target = 0
    note(log, FOUGHT, seat, source, target, dice)
    if won:
        pay(s, seat, terms.ground[target], log)
        enter(s, CONQUERED, seat, source, target, log)
        gain_point(s, seat, log)
    else:
        note(log, REPELLED, seat, source, target, s.crowd[source] - 1)
        put(s, source, seat, 1)
        gain_point(s, 1 - seat, log)


@rule
def poison(terms: Terms, s: State, dice: int, log: Log) -> None:
    cell, dead = s.target, chance_outcome(terms, s, dice)
    s.condition[cell] -= 1
    note(log, TICKED, s.player, cell, s.condition[cell], dice)
    if dead:
        lose(s, cell, dead, log)
    await_tick(s, cell + 1)


@rule
def intervene(terms: Terms, s: State, action: int, log: Log) -> None:
    """The end of a round: the humans do something or nothing, then the next turn begins."""
    what = action >> 8
    s.waiting = 0
    note(log, HUMANS_CAME, 0, what, action & 255, 0)
    if what == SWEETS:
        s.stock[0] += 1
        s.stock[1] += 1
    elif what:
        cell = struck(terms, action)
        if s.crowd[cell]:
            lose(s, cell, 1 if what == FOOTSTEP else s.crowd[cell], log)
    if s.turns < 2 * terms.rounds and s.cells[0] and s.cells[1]:
        begin_turn(terms, s, log)
