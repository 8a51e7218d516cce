"""Plain minimax: every line to the same depth, nothing left out. The reference for cleverer searches.

Dice fall as the position itself decides (a generator seeded with its key), so that the worth of a position is one
number, and other searches can be held against it.
"""

from __future__ import annotations

from quincunx.core.contract import CHANCE, NOBODY, Log, State, Terms, apply, key, legal, roll, turn
from quincunx.core.engine import rule
from quincunx.core.random import Random, seed
from quincunx.core.structure import Structure, copy, i16, i64, signal
from quincunx.search.worth import final_worth, static_worth

DEEPEST = 64


class Thought(Structure):
    """What a search knows about itself; `stop` is set from outside, by a clock."""

    seat: i16  # who thinks
    stop: signal
    nodes: i64  # actions played
    most_nodes: i64
    best: i64  # the action that was found
    random: Random


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
    terms: Terms, stack: list[State], moves: list[list[int]], thought: Thought, log: Log, depth: int, level: int
) -> int:
    """The worth of stack[level] to the seat that thinks; at level 0 it also notes the best action."""
    s, out = stack[level], moves[level]
    who = throw_dice(terms, s, thought.random, log)
    if who == NOBODY:
        return final_worth(terms, s, thought.seat, depth)
    if level == 0:
        who = thought.seat  # others may be asked at the same time
    if depth == 0:
        return static_worth(terms, s, thought.seat)
    best = 0
    for k in range(legal(terms, s, who, out)):
        if thought.stop or thought.nodes >= thought.most_nodes:
            thought.stop = 1
            break
        thought.nodes += 1
        copy(stack[level + 1], s)
        apply(terms, stack[level + 1], who, out[k], log)
        worth = minimax(terms, stack, moves, thought, log, depth - 1, level + 1)
        if k == 0 or (worth > best if who == thought.seat else worth < best):
            best = worth
            if level == 0:
                thought.best = out[k]
    return best
