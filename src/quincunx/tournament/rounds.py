"""Rounds of a contest whose players come and go: who meets whom, a pure function of who takes part and what was played.

    round robin   everybody meets everybody
    swiss         each meets a neighbour in the table whom it has not met

A schedule (schedule.py) knows its players from the first match to the last. Here somebody starts one round after the
other, and whoever takes part then is in it: so the table that pairs them is of shares of points, in which nobody falls
behind who came late.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise

from quincunx.tournament.plan import Plan
from quincunx.tournament.progress import Progress
from quincunx.tournament.results import Result
from quincunx.tournament.schedule import schedule
from quincunx.tournament.standings import Line, Standings
from quincunx.tournament.swiss import swiss_tables

Meeting = tuple[str, ...]


def round_robin(names: Sequence[str], size: int, matches: int, seed: int = 0) -> list[Meeting]:
    """Every pairing so many times, in an order in which all get to play soon and chairs change. `size`: of a match."""
    if len(names) < size:
        return []
    plan = Plan("", tuple(names), seats=size, seed=seed, matches=matches)
    tables = [tuple(names[who] for who in pairing.players) for pairing in schedule(plan, size, Progress())]
    return _again(tables, matches)


def swiss_round(
    names: Sequence[str], size: int, matches: int, results: Iterable[Result], rested: Mapping[str, int]
) -> list[Meeting]:
    """One round. Who rests meets nobody: a meeting of one stands for each match that counts as won."""
    if len(names) < size:
        return []
    standings, met = Standings(names), set[frozenset[str]]()
    for result in results:
        standings.add(result)
        met |= {frozenset(pair) for pair in combinations(result.players, 2)}
    lines = standings.counting(rested)
    order = sorted(names, key=lambda name: -_worth(lines[name]))  # equals stay as they came
    number = {name: n for n, name in enumerate(order)}
    known = {frozenset(number[name] for name in pair) for pair in met if pair <= number.keys()}
    tables = swiss_tables(range(len(order)), size, known, [rested.get(name, 0) for name in order])
    sitting = {who for table in tables for who in table}
    resting = [(name,) for n, name in enumerate(order) if n not in sitting]
    return _again([*(tuple(order[who] for who in table) for table in tables), *resting], matches)


def rests(meetings: Iterable[Meeting]) -> Counter[str]:
    """Of each, how many matches count as won because it rested."""
    return Counter(meeting[0] for meeting in meetings if len(meeting) == 1)


def missing(meetings: Iterable[Meeting], had: Iterable[Meeting]) -> list[Meeting]:
    """Those meetings of a round that were neither played nor are; chairs do not matter, and who rests meets nobody."""
    done = Counter(tuple(sorted(each)) for each in had)
    left = []
    for meeting in (each for each in meetings if len(each) > 1):
        key = tuple(sorted(meeting))
        if done[key] > 0:
            done[key] -= 1
        else:
            left.append(meeting)
    return left


def by_points(lines: Mapping[str, Line]) -> dict[str, int]:
    """Everybody's place, the first first: more points, then fewer matches; who has both alike has the same place. Those
    who have not played come last."""

    def worth(name: str) -> tuple[bool, float, int]:
        return not lines[name].counted, -lines[name].gained, lines[name].counted

    order = sorted(lines, key=lambda name: (*worth(name), name.casefold()))
    places = {name: place for place, name in enumerate(order, 1)}
    for before, name in pairwise(order):
        if worth(before) == worth(name):
            places[name] = places[before]
    return places


def _worth(line: Line) -> float:
    """The share of points, as if there had been a draw before: who is new stands in the middle."""
    return (line.gained + 0.5) / (line.counted + 1)


def _again(tables: Sequence[Meeting], matches: int) -> list[Meeting]:
    """All of them once, then again with everybody a chair further on."""
    return [table[n % len(table) :] + table[: n % len(table)] for n in range(matches) for table in tables]
