"""The value of a position to a seat, for every kind of search.

Two sides: the seat that thinks, and all the others, who are taken to play together against it.
"""

from __future__ import annotations

from quincunx.core.contract import State, Terms, score
from quincunx.core.engine import rule
from quincunx.core.hints import evaluate

WIN = 1_000_000  # and as much more as there is depth left: a quick win is more than a slow one


@rule
def best_other(terms: Terms, s: State, seat: int) -> int:
    """The highest score among the others."""
    best = -(1 << 62)
    for other in range(terms.seats):
        if other != seat:
            best = max(best, score(terms, s, other))
    return best


@rule
def final_value(terms: Terms, s: State, seat: int, depth: int) -> int:
    """The value of a game that is over."""
    margin = score(terms, s, seat) - best_other(terms, s, seat)
    return WIN + depth if margin > 0 else -WIN - depth if margin < 0 else 0


@rule
def static_value(terms: Terms, s: State, seat: int) -> int:
    """The value of a game that goes on, kept below every win."""
    return max(1 - WIN, min(WIN - 1, evaluate(terms, s, seat)))


@rule
def share_beaten(terms: Terms, s: State, seat: int) -> float:
    """The part of the opponents whom `seat` beats by score, a tie counting half."""
    mine = score(terms, s, seat)
    halves = -1
    for other in range(terms.seats):
        theirs = score(terms, s, other)
        halves += 2 if theirs < mine else 1 if theirs == mine else 0
    return halves / (2.0 * (terms.seats - 1))
