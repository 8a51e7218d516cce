"""Does the compiler work on this computer? Doors read Python's and NumPy's structures as they lie in memory, and LLVM
is not the same everywhere: before a game is compiled, some small rules must come back with what is known beforehand.
"""

from __future__ import annotations

import sys
from functools import cache
from struct import calcsize
from typing import Annotated, Any

from quincunx.core.clock import now
from quincunx.core.engine import Gear, rule, table
from quincunx.core.structure import Structure, clear, copy, f64, i8, i16, i64, ints

EDGES = (0, 1, -1, 127, -129, 1 << 40, (1 << 63) - 1, -(1 << 63))
PRIMES = table([2, 3, 5, 7])


class Probe(Structure):
    small: i8
    row: Annotated[list[i16], 3]
    large: i64
    fraction: f64


@rule
def echo(x: int) -> int:
    return x


@rule
def half(x: float) -> float:
    return x / 2.0


@rule
def opposite(yes: bool) -> bool:
    return not yes


@rule
def forget(probe: Probe) -> None:
    clear(probe)


@rule
def total(probes: list[Probe], grid: list[list[int]], n: int) -> int:
    """The sum of all that is there, by every way into memory."""
    copy(probes[1], probes[0])
    room = ints(n)
    for k in range(n):
        room[k] = grid[k][-1] + PRIMES[k]
    sum = int(probes[1].fraction) + probes[1].small + probes[1].large + probes[-1].row[2]
    for k in range(n):
        sum += room[k]
    return sum


@rule
def tell_time() -> int:
    return now()


DOORS = [echo, half, opposite, forget, total, tell_time]


@cache
def trouble() -> str:
    """Nothing, or why rules cannot be compiled here."""
    if sys.byteorder != "little" or calcsize("P") != 8:
        return "expected a processor of 64 bits, least byte first"
    try:
        found = [name for name, fine in _tried().items() if not fine]
    except Exception as error:  # llvmlite may be missing, or of another make: whatever it is, games can be played
        return f"{type(error).__name__}: {error}"
    return f"machine code came to wrong results ({', '.join(found)})" if found else ""


def _tried() -> dict[str, bool]:
    gear = Gear("selftest", {}, compiled=True)
    echoes, halves, opposites, forgets, totals, tells_time = gear.bind_all(DOORS)
    rows: Any = gear.rows(Probe, 2)
    rows[0] = (-5, (1, 2, 300), 1 << 40, 2.5)
    grid = gear.grid(4, 3)
    grid[3][2] = 10  # the rest are zeros
    return {
        "numbers": [echoes(x) for x in EDGES] == list(EDGES),
        "fractions": [halves(x) for x in (-2.0, -1.0, 0.5)] == [-1.0, -0.5, 0.25],
        "truth": (opposites(True), opposites(False)) == (False, True),
        "rows": totals(rows, grid, 4) == 2 - 5 + (1 << 40) + 300 + 10 + 17,
        "structures": forgets(rows[0]) is None and rows[0]["large"] == 0 and rows[1]["large"] == 1 << 40,
        "clock": now() <= tells_time() <= now(),
        "refusals": all(
            _refuses(totals, *wrong) for wrong in ((rows, grid), (rows[:, None], grid, 4), (None, grid, 4))
        ),
    }


def _refuses(door: Any, *arguments: Any) -> bool:
    try:
        door(*arguments)
    except TypeError:
        return True
    return False
