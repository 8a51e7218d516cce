"""Plain minimax: every line to the same depth, nothing left out. The reference for cleverer searches.

Dice fall as the position itself decides (a generator seeded with its key), so that the value of a position is one
number, and other searches can be held against it.
"""

from __future__ import annotations

from quincunx.core.contract import CHANCE, NOBODY, Log, State, Terms, apply, key, roll, turn
from quincunx.core.engine import rule
from quincunx.core.listing import listed
from quincunx.core.random import Random, seed
from quincunx.core.structure import Structure, copy, i16, i64, signal
from quincunx.search.value import final_value, static_value
from quincunx.search.watch import Watch, late

DEEPEST = 64


class Search(Structure):
    """What a search knows about itself; `stop` may be set from outside."""

    seat: i16  # who thinks
    stop: signal
    nodes: i64  # actions played
    most_nodes: i64
    best: i64  # the action that was found
    random: Random
    watch: Watch


@rule
def is_spent(search: Search) -> bool:
    """Asked before every action: is it to come back? Then `stop` is set."""
    if search.nodes >= search.most_nodes or (search.nodes >= search.watch.next and late(search.watch, search.nodes)):
        search.stop = 1
    return search.stop != 0


@rule
def throw_dice(terms: Terms, s: State, random: Random, log: Log) -> int:
    """Plays on until a seat is to act; returns that seat, or NOBODY."""
    who = turn(terms, s)
    while who == CHANCE:
        seed(random, key(terms, s))
        apply(terms, s, CHANCE, roll(terms, s, random), log)
        who = turn(terms, s)
    return who


@rule
def minimax(
    terms: Terms, stack: list[State], moves: list[list[int]], search: Search, log: Log, depth: int, ply: int
) -> int:
    """The value of stack[ply] to the seat that thinks; at ply 0 it also notes the best action."""
    s, out = stack[ply], moves[ply]
    who = throw_dice(terms, s, search.random, log)
    if who == NOBODY:
        return final_value(terms, s, search.seat, depth)
    if ply == 0:
        who = search.seat  # others may be asked at the same time
    if depth == 0:
        return static_value(terms, s, search.seat)
    best = 0
    for k in range(listed(terms, s, who, out)):
        if is_spent(search):
            break
        search.nodes += 1
        copy(stack[ply + 1], s)
        apply(terms, stack[ply + 1], who, out[k], log)
        value = minimax(terms, stack, moves, search, log, depth - 1, ply + 1)
        if k == 0 or (value > best if who == search.seat else value < best):
            best = value
            if ply == 0:
                search.best = out[k]
    return best
