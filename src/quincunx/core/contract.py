"""The contract of a game: what its rules.py defines, and what everything else is written against.

Search, laws and the façade import the names below; a gear puts the game's own in their place. A function with a body
here is a default that most games keep. An action is an int64, zero or more; seats are 0..seats-1.

`terms` is what was agreed before the match and never changes: options, map. Everybody may know it. `s` is all that
changes; it is small and copied often. `view` is what one seat may know of it.

A rules.py also says MAX_LEGAL, the most actions that `legal` ever writes, and LISTS_ALL: is every action that `check`
accepts listed by `legal` (True), or only a canonical choice of them (False)? What search wants to know besides is in
hints.py.
"""

from __future__ import annotations

from typing import Annotated

from quincunx.core.engine import rule
from quincunx.core.layout import fingerprint
from quincunx.core.random import Random
from quincunx.core.structure import Structure, copy, i16, i64

CHANCE = -1  # the seat of the dice
PUBLIC = -2  # the observer without a seat
NOBODY = -3  # whose turn it is when the game is over

NO_FALLBACK = -1  # instead of an action: who runs out of time loses
NOT_TO_ACT, NONSENSE = 1, 2  # the two refusals that every game knows; its own begin at 3


class Terms(Structure):
    seats: i16


class State(Structure):
    """The truth."""


class View(Structure):
    """What a seat knows. `View = State` in a game without secrets."""


class Log(Structure):
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
def chance_outcome(terms: Terms, s: State, action: int) -> int:
    """Two actions of CHANCE with the same outcome lead to the same state (12 dice: who won)."""
    return action


@rule
def score(terms: Terms, s: State, seat: int) -> int:
    """More is better, at any time; at the end the scores rank the seats. A game whose number says little to people has
    `score_words` in its view.py."""
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


@rule
def tell(log: Log, event: int) -> None:
    if log.count < len(log.events):
        log.events[log.count] = event
        log.count += 1
