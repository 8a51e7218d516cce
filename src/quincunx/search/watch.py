"""How a search keeps its time: it looks at the clock itself, however busy the machine is.

A look takes some 30 nanoseconds, as long as a move of a small game: so there is one every ten microseconds, whatever a
step costs, and the steps between two are counted. A search without a deadline never looks.
"""

from __future__ import annotations

from quincunx.core.clock import now
from quincunx.core.engine import rule
from quincunx.core.structure import Structure, i64

BETWEEN = 10_000  # nanoseconds from one look to the next
NEVER = 1 << 62
NO_DEADLINE = 0


class Watch(Structure):
    """Of one thread of a search, which counts its steps."""

    deadline: i64  # of the clock
    looked: i64  # at the clock, last
    stride: i64  # steps between two looks
    next: i64  # the step of the next one


@rule
def wind(watch: Watch, deadline: int) -> None:
    """Before a search. A deadline of the clock, or NO_DEADLINE."""
    watch.deadline, watch.looked, watch.stride = deadline, 0, 1
    watch.next = 0 if deadline != NO_DEADLINE else NEVER


@rule
def late(watch: Watch, step: int) -> bool:
    """Asked at the step `next`, or after it: is the time over? If not, `next` is the step of the next look."""
    time = now()
    passed = max(1, time - watch.looked)
    watch.looked = time
    watch.stride = max(1, min(2 * watch.stride, watch.stride * BETWEEN // passed))
    watch.next = step + watch.stride
    return time >= watch.deadline
