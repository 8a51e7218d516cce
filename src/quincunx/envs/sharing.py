"""How threads share what is to be done to a batch. Compiled: a step of a small game is over before a system has woken a
thread, so a thread that has nothing to do stays here for a while and looks whether there is something.

    counters[k]        of thread k: the next of its parts; whoever has none left of its own takes those of others
    counters[DONE]     from the end: how many parts are done
    counters[CLOSED]   1 once there will be nothing more to do

Whoever adds 1 to a counter has that part. So a thread that wakes late, or shares its core with other programs, takes
fewer, and a call waits for nobody but those who are at work. Usually each has the matches that it had before: what one
processor has written is dear to another one, to read as well. So numbers are checked by those who will play them.
"""

from __future__ import annotations

from quincunx.core.atomic import Counter, fetch_add, load, store
from quincunx.core.clock import now
from quincunx.core.contract import Log, State, Terms, View
from quincunx.core.engine import rule
from quincunx.core.structure import Structure, f64, i8, i32, i64
from quincunx.envs.stepping import (
    Run,
    copy_rows,
    find_illegal,
    look_rows,
    refresh_rows,
    reset_rows,
    sample_rows,
    step_rows,
)

RESET, CHECK, STEP, SAMPLE, REFRESH, LOOK = range(6)  # what can be done
DONE, CLOSED, SPECIAL = -2, -1, 2  # places of counters, and how many these are
NOTHING_LEFT = -1  # instead of a part
UNFINISHED = -2  # instead of the number of a match: others are still at work
GRACE = 3_000  # nanoseconds before one takes what another thread is about to take
PATIENCE = 100_000  # nanoseconds that a thread looks on before it goes to sleep: waking it takes about as long


class Job(Structure):
    """What is to be done. It is written while nobody is at work."""

    what: i8
    parts: i32
    longest: i64  # of STEP
    again: i8  # of CHECK and STEP
    seat: i32  # of LOOK
    drawn: i64  # of SAMPLE
    refused: i64  # a match in which a number is not allowed, or -1


@rule
def first_of(parts: int, thread: int, threads: int) -> int:
    return parts * thread // threads


@rule
def take_of(counters: list[Counter], parts: int, whose: int) -> int:
    """A part of this thread's that nobody has, now mine; or NOTHING_LEFT."""
    last = first_of(parts, whose + 1, len(counters) - SPECIAL)
    if load(counters[whose]) < last:
        part = fetch_add(counters[whose], 1)
        if part < last:
            return part
    return NOTHING_LEFT


@rule
def is_own(counters: list[Counter], parts: int, me: int, part: int) -> bool:
    threads = len(counters) - SPECIAL
    return first_of(parts, me, threads) <= part < first_of(parts, me + 1, threads)


@rule
def is_any_left(counters: list[Counter], parts: int) -> bool:
    threads = len(counters) - SPECIAL
    for k in range(threads):
        if load(counters[k]) < first_of(parts, k + 1, threads):
            return True
    return False


@rule
def take(counters: list[Counter], parts: int, me: int, grace: int) -> int:
    """One of my own, or after some grace, in nanoseconds, one of others; NOTHING_LEFT if there is none anywhere."""
    threads, until = len(counters) - SPECIAL, 0
    part = take_of(counters, parts, me)
    while part == NOTHING_LEFT and is_any_left(counters, parts):
        time = now()
        until = until if until else time + grace
        for k in range(threads if time >= until else 1):
            if part == NOTHING_LEFT:
                part = take_of(counters, parts, (me + k) % threads)
    return part


@rule
def help_out(
    counters: list[Counter], job: Job, me: int,
    terms: list[Terms], starts: list[State], s: list[State], runs: list[Run], numbers: list[int],
    view: list[View], out: list[int], log: list[Log],
    planes: list[list[i8]], scalars: list[list[i32]], mask: list[list[i8]], seats: list[i8],
    rewards: list[list[f64]], terminated: list[i8], truncated: list[i8],
) -> bool:  # fmt: skip
    """Takes parts until nothing is left; was there any?"""
    done, grace = 0, GRACE
    while True:
        part = take(counters, job.parts, me, grace)
        if part == NOTHING_LEFT:
            break
        if not is_own(counters, job.parts, me, part):
            grace = 0  # somebody sleeps, or has more to do than I had
        first, last = first_of(len(s), part, job.parts), first_of(len(s), part + 1, job.parts)
        if job.what == STEP:
            refused = step_rows(terms, starts, s, runs, numbers, view, out, log, planes, scalars, mask, seats,
                                rewards, terminated, truncated, job.longest, job.again != 0, first, last)  # fmt: skip
            if refused >= 0:
                job.refused = refused
        elif job.what == CHECK:
            refused = find_illegal(numbers, seats, mask, truncated, job.again != 0, first, last)
            if refused >= 0 and (job.refused < 0 or refused < job.refused):
                job.refused = refused
        elif job.what == SAMPLE:
            sample_rows(terms, s, runs, seats, out, numbers, job.drawn, first, last)
        elif job.what == LOOK:
            look_rows(terms, s, runs, job.seat, view, planes, scalars, first, last)
        elif job.what == REFRESH:
            refresh_rows(terms, s, runs, view, out, planes, scalars, mask, seats, first, last)
        else:
            reset_rows(terms, starts, s, runs, numbers, view, out, log, planes, scalars, mask, seats, first, last)
        done += 1
    if done:
        fetch_add(counters[DONE], done)
    return done > 0


# -- doors ---------------------------------------------------------------------------------------------------------


@rule
def serve(
    counters: list[Counter], jobs: list[Job], me: int,
    terms: list[Terms], starts: list[State], s: list[State], runs: list[Run], numbers: list[int],
    view: list[View], out: list[int], log: list[Log],
    planes: list[list[i8]], scalars: list[list[i32]], mask: list[list[i8]], seats: list[i8],
    rewards: list[list[f64]], terminated: list[i8], truncated: list[i8],
) -> bool:  # fmt: skip
    """Helps whenever there is something to do. True: there was nothing for a while; False: there will be nothing."""
    until = now() + PATIENCE
    while load(counters[CLOSED]) == 0:
        if help_out(counters, jobs[0], me, terms, starts, s, runs, numbers, view, out, log, planes, scalars, mask,
                    seats, rewards, terminated, truncated):  # fmt: skip
            until = now() + PATIENCE
        elif now() > until:
            return True
    return False


@rule
def lead(
    counters: list[Counter], jobs: list[Job], me: int,
    terms: list[Terms], starts: list[State], s: list[State], runs: list[Run], numbers: list[int],
    view: list[View], out: list[int], log: list[Log],
    planes: list[list[i8]], scalars: list[list[i32]], mask: list[list[i8]], seats: list[i8],
    rewards: list[list[f64]], terminated: list[i8], truncated: list[i8],
    what: int, drawn: int, seat: int,
) -> int:  # fmt: skip
    """Has it done by all threads, and takes part; as `wait`."""
    job = jobs[0]
    job.what, job.drawn, job.seat, job.refused = what, drawn, seat, -1
    threads = len(counters) - SPECIAL
    store(counters[DONE], 0)
    for k in range(threads - 1, -1, -1):  # my own last: others would take them before they see theirs
        store(counters[k], first_of(job.parts, k, threads))
    help_out(counters, job, me, terms, starts, s, runs, numbers, view, out, log, planes, scalars, mask, seats,
             rewards, terminated, truncated)  # fmt: skip
    return wait(counters, jobs)


@rule
def wait(counters: list[Counter], jobs: list[Job]) -> int:
    """A match in which a number is not allowed, or -1; UNFINISHED if others are still at work after a while."""
    until = now() + PATIENCE
    while load(counters[DONE]) < jobs[0].parts:
        if now() > until:
            return UNFINISHED
    return jobs[0].refused


DOORS = [lead, serve, wait, copy_rows]
