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
from itertools import groupby
from statistics import median
from typing import Any, Protocol

from rich import box
from rich.table import Table

Figures = Mapping[str, float]
SECONDS = 0.8  # of one measurement
CLOCK = " (clock)"  # after a unit: by the clock on the wall
BURDEN = "µs of the server a move"  # of its processor time, which a busy machine disturbs least


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
    part: str = ""  # of the table
    their_unit: str = ""  # if it is not ours
    beside: str = ""  # one more unit of ours to show, where there is nobody to compare with
    orientation: float | None = (
        None  # our figure itself on a usual machine: a bar that says little about the code alone
    )


@dataclass
class Result:
    row: Row
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
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
        return "" if self.row.bar is None else self._held(self.value, self.row.bar)

    @property
    def oriented(self) -> str:
        """The verdict of the orientation figure, which is not one of the bars."""
        if self.row.orientation is None:
            return ""
        return self._held(median(self.ours), self.row.orientation).lower() if self.ours else "missing"

    def _held(self, figure: float, bar: float) -> str:
        return "met" if (figure <= bar if self.row.at_most else figure >= bar) else "MISSED"


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
    wanted = (
        (result.ours, row.ours, row.unit),
        (result.theirs, row.theirs, row.their_unit or row.unit),
        (result.beside, row.ours, row.beside),
    )
    for figures, contestant, unit in wanted:
        if unit and contestant is not None and id(contestant) in seen:
            figures.append(seen[id(contestant)][unit])


# -- what is shown and kept ---------------------------------------------------------------------------------------


def readable(figure: float) -> str:
    """`94.1 M`, `0.62`."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if figure >= size:
            return f"{figure / size:.3g}{letter}"
    return f"{figure:.3g}"


def tables(results: Sequence[Result]) -> Iterator[Table]:
    """One for each part, and the orientation figures apart from the bars."""
    for part, several in groupby(results, key=lambda result: result.row.part):
        yield table(list(several), part)
    oriented = [result for result in results if result.row.orientation is not None]
    if oriented:
        yield orientation(oriented)


def table(results: Sequence[Result], title: str = "") -> Table:
    shown = Table(box=box.SIMPLE_HEAD, title=f"{title or 'Side by side'}: medians ± the farthest round")
    shown.add_column("")  # the only one that may wrap
    for heading in ("ours", "theirs", "", "ratio", "bar", ""):
        shown.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for result in results:
        shown.add_row(*cells(result), style={"MISSED": "bold red", "missing": "dim"}.get(result.verdict))
    return shown


def orientation(results: Sequence[Result]) -> Table:
    shown = Table(box=box.SIMPLE_HEAD, title="Orientation: absolute figures, which depend on the machine; not bars")
    for heading in ("", "ours", "", "orientation", ""):
        shown.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for result in results:
        row, ours = result.row, readable(median(result.ours)) if result.ours else "–"
        shown.add_row(row.name, ours, row.unit, _bound(row, row.orientation), result.oriented)
    return shown


def cells(result: Result) -> tuple[str, ...]:
    row, value = result.row, result.value
    ours, theirs = (
        f"{readable(median(figures))} ±{spread(figures):3.0%}" if figures else "–"
        for figures in (result.ours, result.theirs)
    )
    if row.theirs is None:
        theirs = f"{readable(median(result.beside))} {row.beside}" if result.beside else ""
    ratio = _ratio(value) if value is not None and row.theirs else ""
    bar = _bound(row, row.bar) + ("×" if row.theirs and row.bar is not None else "")
    return row.name, ours, theirs, row.unit, ratio, bar, result.verdict


def _ratio(value: float) -> str:
    """`3×`; a very small one as `1/205`."""
    return f"{value:.4g}×" if value >= 0.01 else f"1/{readable(1 / value)}"


def _bound(row: Row, figure: float | None) -> str:
    return "" if figure is None else f"{'≤' if row.at_most else '≥'} {readable(figure)}"


def kept(results: Sequence[Result]) -> list[dict[str, Any]]:
    """For results.json: every round's figure."""
    return [
        {
            "name": r.row.name,
            "part": r.row.part,
            "unit": r.row.unit,
            "their_unit": r.row.their_unit or r.row.unit,
            "ours": {"who": r.row.ours.name, "rounds": r.ours},
            "theirs": {"who": r.row.theirs.name, "rounds": r.theirs} if r.row.theirs else None,
            "value": r.value,
            "is_ratio": r.row.theirs is not None,
            "bar": r.row.bar,
            "at_most": r.row.at_most,
            "verdict": r.verdict,
            "beside": {"unit": r.row.beside, "rounds": r.beside} if r.row.beside else None,
            "orientation": r.row.orientation,
            "oriented": r.oriented,
            "missing": r.missing,
        }
        for r in results
    ]
