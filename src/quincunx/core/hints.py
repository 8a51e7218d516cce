"""What search asks of a game, beside its rules: an evaluation, an order of actions, where to look further, where not.

A game's evaluate.py answers what it can; a function with a body here is the default, and an empty evaluate.py is played
all the same. HINTS, if the module has it, are the numbers of search by simulation (search/mcts.py).
"""

from __future__ import annotations

from typing import NamedTuple

from quincunx.core.contract import State, Terms, score
from quincunx.core.engine import rule
from quincunx.core.listing import listed
from quincunx.core.random import Random, below

NOISY = 1024  # added to a rank, 0 to 1000
ENDLESS = 1 << 30  # plies: nobody knows when the game ends


class Hints(NamedTuple):
    """How Monte Carlo tree search treats a game."""

    look_ahead: int = 0  # turns (of `turns_played`) that a playout is followed; 0 = to the end of the game
    longest: int = 2000  # actions after which a playout ends in any case; 0 = no playout, the position is evaluated
    edge: int = 0  # a gain in `evaluate` that is half a win; 0 = only the end of a game counts
    eager: int = 12  # actions of a node that are tried at once; the others as its visits grow
    exploration: float = 1.0  # of UCT: how long the poorer actions are tried
    trust: float = 0.0  # in `rank`, against the results of a few playouts


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    """How well `seat` stands in a game that goes on: about -10,000 to 10,000, 0 = even."""
    best = -(1 << 62)
    for other in range(terms.seats):
        if other != seat:
            best = max(best, score(terms, s, other))
    return score(terms, s, seat) - best


@rule
def lazy_evaluate(terms: Terms, s: State, seat: int) -> int:
    """What `evaluate` says, at a fraction of the price, and as a rule not more than `lazy_margin` off."""
    return evaluate(terms, s, seat)


@rule
def lazy_margin(terms: Terms, s: State) -> int:
    """0 = a lazy_evaluate costs as much as a good look."""
    return 0


@rule
def rank(terms: Terms, s: State, seat: int, action: int) -> int:
    """How promising an action looks before it is tried: 0 to 1000."""
    return 0


@rule
def consider(terms: Terms, s: State, seat: int, out: list[int], n: int) -> int:
    """Rewrites the n legal actions in `out` to those that a search is to try; returns their number, not 0."""
    return n


@rule
def reopen(terms: Terms, s: State, seat: int) -> None:
    """In an imagined world, lets others decide again what they have sealed in secret: nobody can have drawn it."""


@rule
def turns_played(terms: Terms, s: State) -> int:
    """How many turns are over, where a turn is several actions: only between two is a position fit to be judged."""
    return 0


@rule
def noisy(terms: Terms, s: State, seat: int, action: int) -> bool:
    """Does an action change so much that search must not stop before it?"""
    return False


@rule
def rank_all(terms: Terms, s: State, seat: int, out: list[int], n: int, marks: list[int]) -> None:
    """Writes into marks[k] the rank of out[k], with NOISY added if it is noisy; a game may do all of them at once."""
    for k in range(n):
        marks[k] = rank(terms, s, seat, out[k]) + (NOISY if noisy(terms, s, seat, out[k]) else 0)


@rule
def noisy_actions(terms: Terms, s: State, seat: int, out: list[int], marks: list[int]) -> int:
    """Writes the noisy actions alone, with their marks, and returns their number; the default sifts them out."""
    n = listed(terms, s, seat, out)
    rank_all(terms, s, seat, out, n, marks)
    noise = 0
    for k in range(n):
        if marks[k] >= NOISY:
            out[noise], marks[noise] = out[k], marks[k]
            noise += 1
    return noise


@rule
def in_check(terms: Terms, s: State, seat: int) -> bool:
    """Would the seat lose at once if it let its turn pass?"""
    return False


@rule
def repetitions(terms: Terms, s: State) -> int:
    """How often this very position was there before, where repetition decides something."""
    return 0


@rule
def null_move(terms: Terms, s: State, seat: int) -> bool:
    """Lets the turn pass, allowed or not: where even that is enough, search need not look further. False: it cannot."""
    return False


@rule
def plies_left(terms: Terms, s: State) -> int:
    """How many actions there are to the end of the game at most: a search that covers them leaves nothing out."""
    return ENDLESS


@rule
def futility_margin(terms: Terms, s: State) -> int:
    """By how much an action that is not noisy may change `evaluate`, as a rule; 0 = nobody knows, cut nothing off."""
    return 0


@rule
def policy(terms: Terms, s: State, seat: int, out: list[int], n: int, random: Random) -> int:
    """The index in `out[0..n-1]` of what a playout plays; the default is any of them."""
    return below(random, n)
