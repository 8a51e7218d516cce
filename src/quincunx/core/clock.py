"""The clock that a search may look at: it never goes back, and its zero means nothing.

Rules of games touch no clock, for a match must replay. A game that imports this is refused by import-linter, and one
whose rules come to `now`, by whatever way, by its gear.
"""

from __future__ import annotations

from time import perf_counter_ns


def now() -> int:
    """Nanoseconds. Compiled, the same clock without a way through Python: see compile/doors.py."""
    return perf_counter_ns()
