"""Random playouts and perft: the two simplest templates. Written against the contract, bound to any game."""

from __future__ import annotations

from quincunx.core.contract import CHANCE, NOBODY, Log, State, Terms, apply, roll, turn
from quincunx.core.engine import rule
from quincunx.core.hints import policy
from quincunx.core.listing import listed
from quincunx.core.random import Random, below
from quincunx.core.structure import copy

DICE = -1  # instead of a count


@rule
def playout(terms: Terms, s: State, limit: int, guided: bool, random: Random, out: list[int], log: Log) -> int:
    """Plays `s` on, to its end or for `limit` actions; returns how many were played.

    Guided, by the game's playout policy; otherwise every listed action is equally likely.
    """
    for steps in range(limit):
        seat = turn(terms, s)
        if seat == NOBODY:
            return steps
        if seat == CHANCE:
            apply(terms, s, CHANCE, roll(terms, s, random), log)
        else:
            n = listed(terms, s, seat, out)
            chosen = policy(terms, s, seat, out, n, random) if guided else below(random, n)
            apply(terms, s, seat, out[chosen], log)
    return limit


@rule
def random_games(
    terms: list[Terms], start: list[State], games: int, limit: int,
    random: list[Random], s: list[State], out: list[int], log: list[Log],
) -> int:  # fmt: skip
    """The number of actions of so many random games from start[0]. The last arguments are room to work in."""
    steps = 0
    for _ in range(games):
        copy(s[0], start[0])
        steps += playout(terms[0], s[0], limit, False, random[0], out, log[0])
    return steps


@rule
def perft(terms: Terms, stack: list[State], moves: list[list[int]], log: Log, depth: int, level: int) -> int:
    """How many sequences of `depth` actions lead on from stack[level]; DICE if they fall on the way."""
    s, out = stack[level], moves[level]
    seat = turn(terms, s)
    if seat < 0:
        return 0 if seat == NOBODY else DICE
    n = listed(terms, s, seat, out)
    if depth == 1:
        return n
    total = 0
    for k in range(n):
        copy(stack[level + 1], s)
        apply(terms, stack[level + 1], seat, out[k], log)
        leaves = perft(terms, stack, moves, log, depth - 1, level + 1)
        if leaves == DICE:
            return DICE
        total += leaves
    return total
