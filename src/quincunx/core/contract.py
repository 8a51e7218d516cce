"""The contract of a game: what its rules.py defines, and what everything else is written against.

Search, laws and the façade import the names below; a gear puts the game's own in their place. A function with a body
here is a default that most games keep. An action is an int64, zero or more; seats are 0..seats-1.

`terms` is what was agreed before the match and never changes: options, map. Everybody may know it. `s` is all that
changes; it is small and copied often. `view` is what one seat may know of it.

A rules.py also says MAX_LEGAL, the most actions that `legal` ever writes, and LISTS_ALL: is every action that `check`
accepts listed by `legal` (True), or only a canonical choice of them (False)? For search by simulation it may say
LOOK_AHEAD, how many turns (of `played`) a playout is worth following; EDGE, a gain in `evaluate` that is half a win;
LONGEST, after how many actions a playout ends in any case; EAGER and EXPLORATION, how many actions are tried at once,
and how long the poorer ones; TRUST, how much `rank` is believed against the results of a few playouts: see
search/mcts.py.
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core.engine import rule
from quincunx.core.random import Random, below
from quincunx.core.record import Record, copy, fingerprint, i16, i64

CHANCE = -1  # the seat of the dice
PUBLIC = -2  # the observer without a seat
NOBODY = -3  # whose turn it is when the game is over

NO_FALLBACK = -1  # instead of an action: who runs out of time loses
NOISY = 1024  # added to a rank, 0 to 1000
NOT_TO_ACT, NONSENSE = 1, 2  # the two refusals that every game knows; its own begin at 3


class Terms(Record):
    seats: i16


class State(Record):
    """The truth."""


class View(Record):
    """What a seat knows. `View = State` in a game without secrets."""


class Log(Record):
    """The story of one action as `observer` sees it: one int64 an event. A full log is a silent one."""

    observer: i16
    count: i16
    events: Annotated[list[i64], 16384]


@rule
def turn(terms: Terms, s: State) -> int:
    """Who acts now: a seat (of several, the lowest), CHANCE, or NOBODY when the game is over."""
    raise NotImplementedError


@rule
def to_act(terms: Terms, s: State, seat: int) -> bool:
    """Does the game wait for this seat? Several at once seal their orders in turn, and the last one resolves them."""
    return turn(terms, s) == seat


@rule
def legal(terms: Terms, s: State, seat: int, out: list[int]) -> int:
    """Writes the legal actions of a seat that is to act; returns their number."""
    raise NotImplementedError


@rule
def check(terms: Terms, s: State, seat: int, action: int) -> int:
    """0, or the game's reason to refuse the action: any int64, from any seat, CHANCE included."""
    raise NotImplementedError


@rule
def apply(terms: Terms, s: State, seat: int, action: int, log: Log) -> None:
    """Plays an action that `check` accepts, and tells `log.observer` what it sees of it at that instant."""
    raise NotImplementedError


@rule
def roll(terms: Terms, s: State, random: Random) -> int:
    """Draws the action of CHANCE."""
    return 0


@rule
def outcome(terms: Terms, s: State, action: int) -> int:
    """Two actions of CHANCE with the same outcome lead to the same state (12 dice: who won)."""
    return action


@rule
def score(terms: Terms, s: State, seat: int) -> int:
    """More is better, at any time; at the end the scores rank the seats."""
    raise NotImplementedError


@rule
def observe(terms: Terms, s: State, seat: int, view: View) -> None:
    """Writes what `seat`, or PUBLIC, may know into an empty view, field by field."""
    copy(view, s)


@rule
def imagine(terms: Terms, view: View, seat: int, random: Random, s: State) -> None:
    """Draws a state that `view` allows; writes every field of it."""
    copy(s, view)


@rule
def fallback(terms: Terms, s: State, seat: int) -> int:
    """What a clock that runs out plays for the seat, or NO_FALLBACK: the seat loses."""
    return NO_FALLBACK


@rule
def key(terms: Terms, s: State) -> int:
    """A hash of all that decides how the game goes on, for transpositions; quick if the state keeps it up to date."""
    return fingerprint(s)


# -- what search asks of a game; a game without answers is played all the same --------------------------------------


@rule
def evaluate(terms: Terms, s: State, seat: int) -> int:
    """How well `seat` stands in a game that goes on: about -10,000 to 10,000, 0 = even."""
    best = -(1 << 62)
    for other in range(terms.seats):
        if other != seat:
            best = max(best, score(terms, s, other))
    return score(terms, s, seat) - best


@rule
def glance(terms: Terms, s: State, seat: int) -> int:
    """What `evaluate` says, at a fraction of the price, and as a rule not more than `doubt` off."""
    return evaluate(terms, s, seat)


@rule
def doubt(terms: Terms, s: State) -> int:
    """0 = a glance costs as much as a good look."""
    return 0


@rule
def rank(terms: Terms, s: State, seat: int, action: int) -> int:
    """How promising an action looks before it is tried: 0 to 1000."""
    return 0


@rule
def consider(terms: Terms, s: State, seat: int, out: list[int], n: int) -> int:
    """Rewrites the n legal actions in `out` to those that a tree is worth growing from; returns their number, not 0."""
    return n


@rule
def reopen(terms: Terms, s: State, seat: int) -> None:
    """In an imagined world, lets others decide again what they have sealed in secret: nobody can have drawn it."""


@rule
def played(terms: Terms, s: State) -> int:
    """How many turns are over, where a turn is several actions: only between two is a position fit to be judged."""
    return 0


@rule
def noisy(terms: Terms, s: State, seat: int, action: int) -> bool:
    """Does an action change so much that search must not stop before it?"""
    return False


@rule
def survey(terms: Terms, s: State, seat: int, out: list[int], n: int, marks: list[int]) -> None:
    """Writes into marks[k] the rank of out[k], with NOISY added if it is noisy; a game may do all of them at once."""
    for k in range(n):
        marks[k] = rank(terms, s, seat, out[k]) + (NOISY if noisy(terms, s, seat, out[k]) else 0)


@rule
def loud(terms: Terms, s: State, seat: int, out: list[int], marks: list[int]) -> int:
    """Writes the noisy actions alone, with their marks, and returns their number; the default sifts them out."""
    n = legal(terms, s, seat, out)
    survey(terms, s, seat, out, n, marks)
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
def repeats(terms: Terms, s: State) -> int:
    """How often this very position was there before, where repetition decides something."""
    return 0


@rule
def skip(terms: Terms, s: State, seat: int) -> bool:
    """Lets the turn pass, allowed or not: where even that is enough, search need not look further. False: it cannot."""
    return False


@rule
def branch(terms: Terms, after: State, s: State) -> None:
    """Makes `after` equal to `s` in all that a rule may read, so that an action can be tried there."""
    copy(after, s)


@rule
def swing(terms: Terms, s: State) -> int:
    """By how much an action that is not noisy may change `evaluate`, as a rule; 0 = nobody knows, cut nothing off."""
    return 0


@rule
def policy(terms: Terms, s: State, seat: int, out: list[int], n: int, random: Random) -> int:
    """The index in `out[0..n-1]` of what a playout plays; the default is any of them."""
    return below(random, n)


@rule
def tell(log: Log, event: int) -> None:
    if log.count < len(log.events):
        log.events[log.count] = event
        log.count += 1
