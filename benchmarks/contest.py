"""A contest: rows of a table, measured side by side in one run.

    round 1   A B C D        every contestant once a round, in turn, so that a busy minute of the machine
    round 2   A B C D        falls on all of them; a row compares the medians over the rounds
    ...

A contestant is prepared once (or is missing, with a reason) and then measured once a round, however many rows it is
in. A measurement is a dictionary from a unit to a figure; a row looks at one unit. Nothing here knows what is measured.

On one core "a second" is a second of the processor, which a busy machine disturbs least, for both sides; where several
cores take part it is a second of the clock, and the unit says so.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Protocol

from rich import box
from rich.table import Table

Figures = Mapping[str, float]
SECONDS = 0.8  # of one measurement
CLOCK = " (clock)"  # after a unit: by the clock on the wall


class Missing(Exception):
    """A contestant that cannot take part here: not installable, no compiler, not written yet."""


class Contestant(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def cores(self) -> int:
        """1: pinned to one core; 0: as many as there are."""
        ...

    def prepare(self) -> None: ...
    def measure(self) -> Figures: ...


@dataclass(frozen=True)
class Row:
    """`ours` against `theirs`, or our figure itself where there is nobody to compare with."""

    name: str
    unit: str
    ours: Contestant
    theirs: Contestant | None = None
    bar: float | None = None  # of the ratio, or of our figure; None: only shown
    at_most: bool = False  # is less better?
    rounds: int | None = None  # at most so many, for what takes long


@dataclass
class Result:
    row: Row
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    missing: str = ""

    @property
    def value(self) -> float | None:
        """What is held against the bar: the ratio of medians, or the median."""
        if not self.ours or (self.row.theirs and not self.theirs):
            return None
        return median(self.ours) / median(self.theirs) if self.theirs else median(self.ours)

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "missing"
        if self.row.bar is None:
            return ""
        met = self.value <= self.row.bar if self.row.at_most else self.value >= self.row.bar
        return "met" if met else "MISSED"


def spread(figures: Sequence[float]) -> float:
    """How far the extremes lie from the median, as a share of it."""
    middle = median(figures)
    return max(max(figures) - middle, middle - min(figures)) / middle if middle else 0.0


@contextmanager
def pinned(cores: int) -> Iterator[None]:
    """This process, and those that it starts, on so many cores (0: all of them), where the system can do that."""
    if not cores or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-cores:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def contestants(rows: Sequence[Row]) -> list[Contestant]:
    """Each one once, in the order of the rows."""
    found = {id(c): c for row in rows for c in (row.ours, row.theirs) if c is not None}
    return list(found.values())


def run(rows: Sequence[Row], rounds: int, tell: Callable[[str], None]) -> list[Result]:
    """Prepares everybody, then measures round by round; whoever fails is missing from then on."""
    absent: dict[int, str] = {}

    def attempt(contestant: Contestant, what: Callable[[], Any]) -> Any:
        if id(contestant) in absent:
            return None
        try:
            with pinned(contestant.cores):
                return what()
        except Missing as reason:
            absent[id(contestant)] = f"{contestant.name}: {reason}"
            return None

    for contestant in contestants(rows):
        tell(f"preparing {contestant.name}")
        attempt(contestant, contestant.prepare)
    results = [Result(row) for row in rows]
    for number in range(1, rounds + 1):
        now = [result for result in results if number <= (result.row.rounds or rounds)]
        seen: dict[int, Figures] = {}
        for contestant in contestants([result.row for result in now]):
            tell(f"round {number} of {rounds}: {contestant.name}")
            figures = attempt(contestant, contestant.measure)
            if figures is not None:
                seen[id(contestant)] = figures
        for result in now:
            _note(result, seen)
    for result in results:
        reasons = [absent[id(c)] for c in contestants([result.row]) if id(c) in absent]
        result.missing = "; ".join(reasons)
    return results


def _note(result: Result, seen: Mapping[int, Figures]) -> None:
    row = result.row
    for figures, contestant in ((result.ours, row.ours), (result.theirs, row.theirs)):
        if contestant is not None and id(contestant) in seen:
            figures.append(seen[id(contestant)][row.unit])


# -- what is shown and kept ---------------------------------------------------------------------------------------


def readable(figure: float) -> str:
    """`94.1 M`, `0.62`."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if figure >= size:
            return f"{figure / size:.3g}{letter}"
    return f"{figure:.3g}"


def table(results: Sequence[Result]) -> Table:
    shown = Table(box=box.SIMPLE_HEAD, title="Side by side: medians ± the farthest round")
    shown.add_column("")  # the only one that may wrap
    for heading in ("ours", "theirs", "", "ratio", "bar", ""):
        shown.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for result in results:
        shown.add_row(*cells(result), style={"MISSED": "bold red", "missing": "dim"}.get(result.verdict))
    return shown


def cells(result: Result) -> tuple[str, ...]:
    row, value = result.row, result.value
    ours, theirs = (
        f"{readable(median(figures))} ±{spread(figures):3.0%}" if figures else "–"
        for figures in (result.ours, result.theirs)
    )
    if row.theirs is None:
        theirs = ""
    ratio = f"{value:.4g}×" if value is not None and row.theirs else ""
    bar = "" if row.bar is None else f"{'≤' if row.at_most else '≥'} {row.bar:g}{'×' if row.theirs else ''}"
    return row.name, ours, theirs, row.unit, ratio, bar, result.verdict


def kept(results: Sequence[Result]) -> list[dict[str, Any]]:
    """For results.json: every round's figure."""
    return [
        {
            "name": r.row.name,
            "unit": r.row.unit,
            "ours": {"who": r.row.ours.name, "rounds": r.ours},
            "theirs": {"who": r.row.theirs.name, "rounds": r.theirs} if r.row.theirs else None,
            "value": r.value,
            "is_ratio": r.row.theirs is not None,
            "bar": r.row.bar,
            "at_most": r.row.at_most,
            "verdict": r.verdict,
            "missing": r.missing,
        }
        for r in results
    ]
