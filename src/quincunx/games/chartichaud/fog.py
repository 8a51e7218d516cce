"""Chartichaud's fog: what a seat sees, and a world that it may be in.

What is known of the other side, though it is hidden: every fight was told, scores are public, prices are fixed. So

    wealth at the start + harvested - fallen = what its purse and all its units are worth

and what is not in sight of this is in its purse or in the fog. Gold was laid out as pairs of n² opposite each other.
"""

from __future__ import annotations

from quincunx.core.engine import rule
from quincunx.core.random import Random, below
from quincunx.core.structure import clear
from quincunx.games.chartichaud.grid import (
    BUILDING,
    CIVILIAN,
    GOLD_BITS,
    MILITARY,
    ONE,
    PITCH,
    PRICE,
    STEP,
    WORD_BITS,
    State,
    Terms,
    View,
    borders,
    buildings,
    count,
    derive,
    has,
    mirror,
    price,
)

USUAL_WEALTH = 40  # three civilians and 25 gold
TRIES = 16
FORGOTTEN = 16  # turns after which nobody counts on a unit to be near where it was


@rule
def observe(terms: Terms, s: State, seat: int, view: View) -> None:
    view.turns, view.loser = s.turns, s.loser
    view.points[0], view.points[1] = s.points[0], s.points[1]
    if seat < 0:  # PUBLIC
        return
    view.own_purse, view.own_wealth = s.purse[seat], s.wealth[seat]
    for each in range(2):
        view.won[each], view.fallen[each] = s.won[each], s.fallen[each]
    mine = s.turns & 1 == seat
    for y in range(terms.height):
        row = s.seen[seat][y]
        view.seen[y], view.reaped[y] = row, s.reaped[y] & row
        for x in range(terms.width):
            cell = y * PITCH + x
            if has(row, x):
                view.gold[cell] = s.gold[cell]
                view.units[0][cell], view.units[1][cell] = s.units[0][cell], s.units[1][cell]
                if mine:
                    view.acted[cell] = s.acted[cell]
            else:
                view.memory[cell] = s.memory[seat][cell]


@rule
def imagine(terms: Terms, view: View, seat: int, random: Random, s: State) -> None:
    clear(s)
    s.turns, s.loser = view.turns, view.loser
    for each in range(2):
        s.points[each], s.won[each], s.fallen[each] = view.points[each], view.won[each], view.fallen[each]
        s.wealth[each] = view.own_wealth if view.own_wealth or each == seat else USUAL_WEALTH
    for y in range(terms.height):
        s.reaped[y] = view.reaped[y]
        bits = view.seen[y]
        while bits:
            low = bits & -bits
            bits ^= low
            cell = y * PITCH + low.bit_length() - 1
            s.gold[cell], s.acted[cell] = view.gold[cell], view.acted[cell]
            s.units[0][cell], s.units[1][cell] = view.units[0][cell], view.units[1][cell]
    imagine_gold(terms, view, seat, random, s)
    for each in range(2):
        if each == seat:
            s.purse[each] = view.own_purse
        else:
            imagine_side(terms, view, each, random, s)
    if seat >= 0:
        for y in range(terms.height):
            for x in range(terms.width):
                s.memory[seat][y * PITCH + x] = view.memory[y * PITCH + x]
    derive(terms, s)


@rule
def is_known(view: View, cell: int) -> bool:
    """Is it seen, or remembered?"""
    return view.memory[cell] != 0 or has(view.seen[cell // PITCH], cell % PITCH)


@rule
def gold_known(view: View, cell: int) -> int:
    """On a known cell, when it was last seen."""
    if view.memory[cell]:
        return view.memory[cell] >> WORD_BITS & (1 << GOLD_BITS) - 1
    return view.gold[cell]


@rule
def imagine_gold(terms: Terms, view: View, seat: int, random: Random, s: State) -> None:
    """What is remembered; opposite of what is known, the square that it was; elsewhere the draws that are left."""
    draws = max(1, (10 * terms.width * terms.height + 48) // 96)
    for y in range(terms.height):
        for x in range(terms.width):
            cell = y * PITCH + x
            if has(view.seen[y], x) and s.gold[cell] == 0:
                continue
            other = mirror(terms, cell)
            if is_known(view, cell):
                s.gold[cell] = gold_known(view, cell)
                if s.gold[cell] and (cell <= other or not is_known(view, other) or gold_known(view, other) == 0):
                    draws -= 1
            elif is_known(view, other):
                s.gold[cell] = square_above(gold_known(view, other))
    for _ in range(draws):
        n = 1 + below(random, 12)
        for _ in range(TRIES):
            cell = below(random, terms.height) * PITCH + below(random, terms.width)
            other = mirror(terms, cell)
            if not is_known(view, cell) and not is_known(view, other):
                s.gold[cell] += n * n
                s.gold[other] += n * n
                break
    for enemy in range(2):
        if enemy != seat:
            reap_hidden(terms, view, enemy, random, s)


@rule
def square_above(gold: int) -> int:
    """What a cell had at first, if a single draw put it there: harvesting takes one at a time."""
    if gold > 144:
        return gold
    n = 0
    while n * n < gold:
        n += 1
    return n * n


@rule
def reap_hidden(terms: Terms, view: View, enemy: int, random: Random, s: State) -> None:
    """The enemy harvested as much as its score says, most of it near its corner."""
    rest = view.points[enemy] - view.won[enemy]
    for k in range(terms.width * terms.height):
        near = k // terms.width * PITCH + k % terms.width
        cell = mirror(terms, near) if enemy else near
        if rest <= 0:
            return
        if s.gold[cell] == 0 or has(view.seen[cell // PITCH], cell % PITCH):
            continue
        since = max(0, (view.memory[cell] >> WORD_BITS + GOLD_BITS) - 1)
        taken = min(s.gold[cell], rest, below(random, (view.turns - since) // 2 + 1))
        s.gold[cell] -= taken
        rest -= taken


@rule
def imagine_side(terms: Terms, view: View, owner: int, random: Random, s: State) -> None:
    """Fills the fog with what a side can afford, and its purse with the rest."""
    played = (view.turns + 1 - owner) // 2  # turns of this side
    rest = s.wealth[owner] + view.points[owner] - view.won[owner] - view.fallen[owner]
    visible = 0
    hidden = False
    for y in range(terms.height):
        hidden |= view.seen[y] != (1 << terms.width) - 1
        bits = view.seen[y]
        while bits:
            low = bits & -bits
            bits ^= low
            visible += view.units[owner][y * PITCH + low.bit_length() - 1]
    rest = max(0, rest - price(visible))
    if not hidden or view.loser == owner + 1:
        s.purse[owner] = rest
        return
    if played == 0:
        if visible == 0:
            hide(terms, view, owner, CIVILIAN, 3, 0, random, s)
            rest = max(0, rest - 3 * PRICE[CIVILIAN])
        s.purse[owner] = rest
        return
    before = rest
    rest = place_remembered(terms, view, owner, rest, random, s)
    rest = place_others(terms, view, owner, visible, played, rest, random, s)
    if visible == 0 and rest == before:
        hide(terms, view, owner, CIVILIAN, 1, played, random, s)  # who plays on has a unit
        rest = max(0, rest - PRICE[CIVILIAN])
    s.purse[owner] = rest


@rule
def place_remembered(terms: Terms, view: View, owner: int, rest: int, random: Random, s: State) -> int:
    """Buildings stay where they were; others walk on, and may be anywhere in the end. Returns what is left to spend."""
    for y in range(terms.height):
        for x in range(terms.width):
            cell = y * PITCH + x
            word = view.memory[cell] & (1 << WORD_BITS) - 1
            if word == 0:
                continue
            age = (view.turns + 2 - (view.memory[cell] >> WORD_BITS + GOLD_BITS)) // 2
            for kind in range(BUILDING, -1, -1):
                n = min(count(word, kind), rest // PRICE[kind])
                if n and (kind == BUILDING or below(random, FORGOTTEN) >= age):
                    to = cell if kind == BUILDING else stroll(terms, view, cell, min(6, age), random)
                    s.units[owner][to] += n * ONE[kind]
                    rest -= n * PRICE[kind]
    return rest


@rule
def stroll(terms: Terms, view: View, cell: int, steps: int, random: Random) -> int:
    """Where a unit may be that was here so many turns ago: nowhere in sight."""
    for _ in range(below(random, steps + 1)):
        direction = below(random, 4)
        if borders(terms, cell, direction):
            to = cell + STEP[direction]
            if not has(view.seen[to // PITCH], to % PITCH):
                cell = to
    return cell


@rule
def place_others(
    terms: Terms, view: View, owner: int, visible: int, played: int, rest: int, random: Random, s: State
) -> int:
    """Spends a part of the rest on a mix of units that is different in every world; returns what is kept."""
    kept = below(random, min(rest, PRICE[BUILDING]) + 1)  # most players spend what they have, some save
    if below(random, 4) == 0:
        kept = rest * below(random, 100) * below(random, 100) // 10000
    at_home = 3 - count(visible, CIVILIAN)
    if view.fallen[owner] == 0 and at_home > 0:  # some of the first three
        n = min(at_home, rest // PRICE[CIVILIAN])
        for _ in range(n):
            hide(terms, view, owner, CIVILIAN, 1, played, random, s)
        rest -= n * PRICE[CIVILIAN]
    if rest - kept >= PRICE[BUILDING] and buildings(visible) == 0 and below(random, 5):
        hide(terms, view, owner, BUILDING, 1, played, random, s)
        rest -= PRICE[BUILDING]
    soldiers = below(random, min(101, 5 + 3 * played))  # in a hundred; first come workers
    houses = below(random, min(30, 3 + played))
    while rest - kept >= PRICE[CIVILIAN]:
        kind = MILITARY if below(random, 100) < soldiers else CIVILIAN
        if below(random, 100) < houses:
            kind = BUILDING
        n = min((rest - kept) // PRICE[kind], 1 + below(random, 1 + rest // 100))
        if n == 0:
            kind, n = CIVILIAN, 1
        hide(terms, view, owner, kind, n, played, random, s)
        rest -= n * PRICE[kind]
    return rest


@rule
def hide(terms: Terms, view: View, owner: int, kind: int, n: int, reach: int, random: Random, s: State) -> None:
    """Puts units out of sight, no farther from their corner than they can have walked; civilians like gold."""
    best = -1
    wide, high = min(terms.width, reach + 1), min(terms.height, reach + 1)
    for k in range(TRIES):
        x, y = below(random, wide), below(random, high)
        cell = y * PITCH + x
        if owner:
            cell = mirror(terms, cell)
        if x + y <= reach and not has(view.seen[cell // PITCH], cell % PITCH):
            best = cell
            if kind != CIVILIAN or s.gold[cell] or k >= 3:
                break
    if best < 0:
        best = nearest_hidden(terms, view, owner)
    s.units[owner][best] += n * ONE[kind]


@rule
def nearest_hidden(terms: Terms, view: View, owner: int) -> int:
    """The first cell out of sight, counted row by row from a player's corner."""
    for k in range(terms.width * terms.height):
        cell = k // terms.width * PITCH + k % terms.width
        if owner:
            cell = mirror(terms, cell)
        if not has(view.seen[cell // PITCH], cell % PITCH):
            return cell
    return 0
