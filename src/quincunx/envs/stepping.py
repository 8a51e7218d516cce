"""A batch of matches, row by row: play a number, let dice fall, begin again, look. Compiled, one pass does all of it.

    terms, starts     one row for each start that was prepared; a match knows which it plays on
    s, runs           one row for each match: its state; its generator, its start, its actions so far
    the other rows    what the caller sees of each match: they are written here and nowhere else

A pass takes the matches first..last-1: threads take parts of a batch (sharing.py), and have room of their own to work
in.
"""

from __future__ import annotations

from quincunx.core.contract import CHANCE, NOBODY, Log, State, Terms, View, apply, check, roll, score, turn
from quincunx.core.encoding import action_of, number_of, write_mask
from quincunx.core.engine import rule
from quincunx.core.listing import listed
from quincunx.core.random import Random, below, seed
from quincunx.core.seeing import see
from quincunx.core.structure import Structure, copy, f64, i8, i32, ints

WORD = 0xFFFFFFFF


class Run(Structure):
    """What a batch keeps of a match beside its state."""

    random: Random
    start: i32
    plies: i32  # actions that seats have played


@rule
def throw(terms: Terms, s: State, random: Random, log: Log) -> None:
    """Dice fall until a seat is to act, or nobody."""
    while turn(terms, s) == CHANCE:
        apply(terms, s, CHANCE, roll(terms, s, random), log)


@rule
def begin(terms: list[Terms], starts: list[State], s: State, run: Run, log: Log) -> None:
    """A new match on a start that is drawn by the match's own generator."""
    run.start = below(run.random, len(starts)) if len(starts) > 1 else 0
    run.plies = 0
    copy(s, starts[run.start])
    throw(terms[run.start], s, run.random, log)


@rule
def look(
    terms: Terms, s: State, seat: int, view: View, out: list[int],
    planes: list[i8], scalars: list[i32], mask: list[i8],
) -> None:  # fmt: skip
    """What the seat that is to act knows and may do; nothing at all when the match is over."""
    for k in range(len(planes)):
        planes[k] = 0
    for k in range(len(scalars)):
        scalars[k] = 0
    for k in range(len(mask)):
        mask[k] = 0
    if seat != NOBODY:
        see(terms, s, seat, view, planes, scalars)
        write_mask(terms, s, seat, out, mask)


@rule
def reward(terms: Terms, s: State, rewards: list[f64]) -> None:
    """Of a match that is over: the others that a seat beat less those that beat it, from -1 to 1; together 0."""
    scores = ints(terms.seats)
    for seat in range(terms.seats):
        scores[seat] = score(terms, s, seat)
    for seat in range(terms.seats):
        balance = 0
        for other in range(terms.seats):
            balance += (scores[seat] > scores[other]) - (scores[seat] < scores[other])
        rewards[seat] = balance / max(1, terms.seats - 1)


@rule
def play(terms: Terms, s: State, run: Run, number: int, log: Log) -> bool:
    """False, and nothing happens, if the number means nothing that the rules allow."""
    seat = turn(terms, s)
    action = action_of(terms, s, seat, number)
    if action < 0 or check(terms, s, seat, action) != 0:
        return False
    apply(terms, s, seat, action, log)
    throw(terms, s, run.random, log)
    run.plies += 1
    return True


# -- passes --------------------------------------------------------------------------------------------------------


@rule
def reset_rows(
    terms: list[Terms], starts: list[State], s: list[State], runs: list[Run], seeds: list[int],
    view: list[View], out: list[int], log: list[Log],
    planes: list[list[i8]], scalars: list[list[i32]], mask: list[list[i8]], seats: list[i8],
    first: int, last: int,
) -> None:  # fmt: skip
    """Every match anew, with its own seed."""
    for k in range(first, last):
        seed(runs[k].random, seeds[k])
        begin(terms, starts, s[k], runs[k], log[0])
        on = runs[k].start
        seats[k] = turn(terms[on], s[k])
        look(terms[on], s[k], seats[k], view[0], out, planes[k], scalars[k], mask[k])


@rule
def rests(seat: int, truncated: int, again: bool) -> bool:
    """Does a match wait for a reset? Any number will do then."""
    return seat == NOBODY or (truncated != 0 and not again)


@rule
def find_illegal(
    numbers: list[int], seats: list[i8], mask: list[list[i8]], truncated: list[i8], again: bool, first: int, last: int
) -> int:  # fmt: skip
    """The first match for which a number came that is not allowed, or -1."""
    for k in range(first, last):
        number = numbers[k]
        illegal = number < 0 or number >= len(mask[k]) or mask[k][number] == 0
        if illegal and not rests(seats[k], truncated[k], again):
            return k
    return -1


@rule
def step_rows(
    terms: list[Terms], starts: list[State], s: list[State], runs: list[Run], numbers: list[int],
    view: list[View], out: list[int], log: list[Log],
    planes: list[list[i8]], scalars: list[list[i32]], mask: list[list[i8]], seats: list[i8],
    rewards: list[list[f64]], terminated: list[i8], truncated: list[i8],
    longest: int, again: bool, first: int, last: int,
) -> int:  # fmt: skip
    """Plays a number in each match; returns a match whose number was refused and that stays as it is, or -1.

    A match that ends is rewarded; `again`, the next one begins at once, and it is the next one that is looked at."""
    refused = -1
    for k in range(first, last):
        for seat in range(len(rewards[k])):
            rewards[k][seat] = 0
        if rests(seats[k], truncated[k], again):
            continue
        on = runs[k].start
        if not play(terms[on], s[k], runs[k], numbers[k], log[0]):
            refused = k
            continue
        over = turn(terms[on], s[k]) == NOBODY
        cut = not over and longest > 0 and runs[k].plies >= longest
        terminated[k], truncated[k] = over, cut
        if over:
            reward(terms[on], s[k], rewards[k])
        if again and (over or cut):
            begin(terms, starts, s[k], runs[k], log[0])
            on = runs[k].start
        seats[k] = turn(terms[on], s[k])
        look(terms[on], s[k], seats[k], view[0], out, planes[k], scalars[k], mask[k])
    return refused


@rule
def scattered(number: int) -> int:
    """32 bits that look like chance, of any number: neighbours are far apart."""
    h = number & WORD
    h = (h ^ h >> 16) * 0x7FEB352D & WORD
    h = (h ^ h >> 15) * 0x846CA68B & WORD
    return h ^ h >> 16


@rule
def sample_rows(
    terms: list[Terms], s: list[State], runs: list[Run], seats: list[i8], out: list[int],
    numbers: list[int], drawn: int, first: int, last: int,
) -> None:  # fmt: skip
    """A legal number for each match, every one equally likely; 0 where nobody is to act. `drawn` is another number for
    every call, and match k draws by its place: as many threads as one likes draw the same."""
    for k in range(first, last):
        numbers[k] = 0
        if seats[k] != NOBODY:
            n = listed(terms[runs[k].start], s[k], seats[k], out)
            chosen = scattered(drawn + k * 0x9E3779B9) * n >> 32
            numbers[k] = number_of(terms[runs[k].start], s[k], seats[k], out[chosen])


@rule
def refresh_rows(
    terms: list[Terms], s: list[State], runs: list[Run], view: list[View], out: list[int],
    planes: list[list[i8]], scalars: list[list[i32]], mask: list[list[i8]], seats: list[i8],
    first: int, last: int,
) -> None:  # fmt: skip
    """Looks again at matches that were put somewhere else."""
    for k in range(first, last):
        on = runs[k].start
        seats[k] = turn(terms[on], s[k])
        look(terms[on], s[k], seats[k], view[0], out, planes[k], scalars[k], mask[k])


@rule
def look_rows(
    terms: list[Terms], s: list[State], runs: list[Run], seat: int,
    view: list[View], planes: list[list[i8]], scalars: list[list[i32]], first: int, last: int,
) -> None:  # fmt: skip
    """What one seat knows of each match, into empty rows."""
    for k in range(first, last):
        see(terms[runs[k].start], s[k], seat, view[0], planes[k], scalars[k])


@rule
def copy_rows(
    s: list[State], runs: list[Run], from_s: list[State], from_runs: list[Run], into: list[int], of: list[int]
) -> None:
    """Match into[k] stands where match of[k] of the others stands."""
    for k in range(len(into)):
        copy(s[into[k]], from_s[of[k]])
        copy(runs[into[k]], from_runs[of[k]])
