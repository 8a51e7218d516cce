"""Does the cost grow with the work, and no faster? `python benchmarks/scaling.py [--rounds N]`.

Chartichaud from 10×10 to 40×40, Casus Belli from 2 to 100 players. Every curve is the time for one unit of work (an
action, a unit that acts, an order) while the whole grows: flat or falling is good. Its exponent is the slope in
logarithms against the size, in cells or players: 0 is flat, 1 would be a unit of work that costs twice as much in a
match twice as large. A fit over all points may hide a rise at the end, so the largest three have one of their own, and
the worse of the two decides.

All points in turn in every round; medians over the rounds, in seconds of the processor. Kept in `scaling.json`, drawn
in `chartichaud-scaling.svg` and `casus_belli-scaling.svg`.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import log
from pathlib import Path
from statistics import fmean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.contest import pinned
from benchmarks.machine import machine, versions
from benchmarks.ours import Room, Start
from benchmarks.plot import Curve, draw

from quincunx.core.contract import NOBODY, Log, State, Terms, apply, check, legal, turn
from quincunx.core.engine import rule
from quincunx.core.random import Random, below
from quincunx.core.structure import copy
from quincunx.games import World, load

HERE = Path(__file__).parent
SIDES = (10, 13, 16, 20, 25, 32, 40)
PLAYERS = (2, 3, 5, 10, 20, 50, 100)
SECONDS = 0.3  # of one measurement
TURNS, LISTS = 40, 1000  # of one call
CELL = 0xFFF  # of an action of Chartichaud
FLAT = 0.1  # exponents up to here are noise
LARGEST = 3  # points of the end of a curve

Measure = Callable[[], tuple[int, float]]  # work, and its seconds


# -- a crowd in Chartichaud -----------------------------------------------------------------------------------------


def crowd(side: int) -> str:
    """A map with a civilian of each player on every fifth cell, and nothing to fight or to dig for."""
    cells = [(x, y, (x + 2 * y) % 5) for y in range(side) for x in range(side)]
    units = [f"unit {'AB'[place // 2]} civilian {x} {y} 1" for x, y, place in cells if place in (0, 2)]
    return "\n".join([f"{side} {side}", *units])


@rule
def whole_turns(
    terms: list[Terms], start: list[State], turns: int,
    random: list[Random], s: list[State], out: list[int], log: list[Log],
) -> int:  # fmt: skip
    """Turns in which everybody acts; returns how often somebody did.

    Of the actions listed for a cell one is played; what is left is listed again, until only the end of the turn is.
    """
    copy(s[0], start[0])
    played = 0
    for _ in range(turns):
        seat = turn(terms[0], s[0])
        n = legal(terms[0], s[0], seat, out)
        while n > 1:
            first = 1
            while first < n:
                end = first + 1
                while end < n and out[end] & CELL == out[first] & CELL:
                    end += 1
                action = out[first + below(random[0], end - first)]
                if check(terms[0], s[0], seat, action) == 0:
                    apply(terms[0], s[0], seat, action, log[0])
                    played += 1
                first = end
            n = legal(terms[0], s[0], seat, out)
        apply(terms[0], s[0], seat, out[0], log[0])
    return played


@rule
def list_often(terms: list[Terms], s: list[State], times: int, out: list[int]) -> int:
    """How many actions are listed in so many lists of the same ones."""
    listed = 0
    for _ in range(times):
        listed += legal(terms[0], s[0], 0, out)
    return listed


class Crowd:
    def __init__(self, side: int) -> None:
        self.game = load("chartichaud", "compiled")
        self.world: World = self.game.from_setup(self.game.new().options, crowd(side))
        self._turns, self._lists = self.game.gear.bind(whole_turns), self.game.gear.bind(list_often)
        self._random, self._log = self.game.random(1), self.game.log(NOBODY, silent=True)
        self._state, self._out = self.game.gear.rows(State, 1), self.game.gear.ints(self.game.rules.MAX_LEGAL)

    def act(self) -> int:
        w = self.world
        return self._turns(w.terms, w.rows, TURNS, self._random, self._state, self._out, self._log)

    def list(self) -> int:
        return self._lists(self.world.terms, self.world.rows, LISTS, self._out)


# -- measuring ------------------------------------------------------------------------------------------------------


@dataclass
class Growth:
    """A curve as it is measured: for each x, the seconds of one unit of work in every round."""

    game: str
    name: str
    x_label: str
    power: int  # of x, that is the size
    unit: str  # of work
    measures: dict[int, Measure]
    scale: float = 1e9  # from seconds to what is shown
    shown: str = "ns"
    rounds: dict[int, list[float]] = field(default_factory=dict)

    def points(self) -> list[tuple[float, float]]:
        return [(x, median(figures) * self.scale) for x, figures in self.rounds.items()]

    def exponents(self) -> tuple[float, float]:
        """Of all points, and of the largest."""
        points = [(x**self.power, y) for x, y in self.points()]
        return slope(points), slope(points[-LARGEST:])

    def curve(self) -> Curve:
        note = said(*self.exponents())
        return Curve(self.name, self.x_label, f"{self.shown} for one {self.unit}", self.points(), note)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Of the straight line through the logarithms, by least squares."""
    logs = [(log(x), log(y)) for x, y in points]
    across, up = fmean(x for x, _ in logs), fmean(y for _, y in logs)
    return sum((x - across) * (y - up) for x, y in logs) / sum((x - across) ** 2 for x, _ in logs)


def said(all_points: float, largest: float) -> str:
    return f"exponent {all_points:+.2f}, at the end {largest:+.2f}: {verdict(max(all_points, largest))}".replace(
        "-", "−"
    )


def verdict(exponent: float) -> str:
    if exponent > FLAT:
        return "rises"
    return "falls" if exponent < -FLAT else "flat"


def worked(do: Callable[[], int]) -> tuple[int, float]:
    work, begin = 0, time.thread_time()
    while time.thread_time() - begin < SECONDS:
        work += do()
    return work, time.thread_time() - begin


def random_play(room: Room, per: str) -> tuple[int, float]:
    return 1, 1 / room.rates(SECONDS)[per]


def growths() -> list[Growth]:
    crowds = {side: Crowd(side) for side in SIDES}

    def room(side: int) -> Room:
        return Room(Start("chartichaud", options=(("width", side), ("height", side))))

    def war(players: int, setup: str | None, *size: tuple[str, int]) -> Room:
        return Room(Start("casus_belli", setup, (("seats", players), *size)))

    small = (("width", 20), ("height", 20))
    sides, players = "side of the map, in cells", "players"
    return [
        Growth(
            "chartichaud", "Random play from the usual start", sides, 2, "action, listing included",
            {side: partial(random_play, room(side), "moves/s") for side in SIDES},
        ),
        Growth(
            "chartichaud", "A whole turn, a unit for every 5 cells", sides, 2, "unit that acts",
            {side: partial(worked, crowds[side].act) for side in SIDES},
        ),
        Growth(
            "chartichaud", "A list of actions, same crowd", sides, 2, "action listed",
            {side: partial(worked, crowds[side].list) for side in SIDES},
        ),
        Growth(
            "casus_belli", "On the map for a hundred", players, 1, "order",
            {n: partial(random_play, war(n, "hundred"), "orders/s") for n in PLAYERS}, 1e6, "µs",
        ),
        Growth(
            "casus_belli", "On 20×20, ever more crowded", players, 1, "order",
            {n: partial(random_play, war(n, None, *small), "orders/s") for n in PLAYERS}, 1e6, "µs",
        ),
    ]  # fmt: skip


def measure(found: Sequence[Growth], rounds: int) -> None:
    for number in range(rounds + 1):  # the first warms up
        for growth in found:
            for x, once in growth.measures.items():
                work, seconds = once()
                if number:
                    growth.rounds.setdefault(x, []).append(seconds / work)


# -- what is kept and drawn -----------------------------------------------------------------------------------------

TITLES = {
    "chartichaud": "Chartichaud: the time for one unit of work, on maps from 10×10 to 40×40",
    "casus_belli": "Casus Belli: the time for one order, with 2 to 100 players",
}
NOTES = {
    "chartichaud": "Compiled, one core. Flat or falling is good: the cost grows no faster than the work.",
    "casus_belli": "Random play, compiled, one core. Flat or falling is good: the cost grows no faster than the work.",
}


def kept(found: Sequence[Growth]) -> list[dict[str, Any]]:
    return [
        {
            "game": growth.game,
            "name": growth.name,
            "x": growth.x_label,
            "unit": f"{growth.shown} for one {growth.unit}",
            "points": growth.points(),
            "rounds": {x: [seconds * growth.scale for seconds in figures] for x, figures in growth.rounds.items()},
            "exponent": growth.exponents()[0],
            "exponent_at_the_end": growth.exponents()[1],
            "verdict": verdict(max(growth.exponents())),
        }
        for growth in found
    ]


def main() -> int:
    parser = ArgumentParser(description="Does the cost grow with the work, and no faster?")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="of every point (5)")
    rounds = parser.parse_args().rounds
    if rounds < 1:
        print(f"Expected at least one round but got {rounds}")
        return 2
    with pinned(1):
        found = growths()
        measure(found, rounds)
    for growth in found:
        print(f"{growth.game}: {growth.name}: {growth.shown} for one {growth.unit}")
        print("  " + "  ".join(f"{x:g}: {y:.3g}" for x, y in growth.points()))
        print(f"  {said(*growth.exponents())}")
    for game, title in TITLES.items():
        curves = [growth.curve() for growth in found if growth.game == game]
        (HERE / f"{game}-scaling.svg").write_text(draw(title, NOTES[game], curves), encoding="utf-8")
    written = {"machine": machine(), "versions": versions(), "rounds": rounds, "curves": kept(found)}
    (HERE / "scaling.json").write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print("Kept in benchmarks/scaling.json, drawn in benchmarks/*-scaling.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
