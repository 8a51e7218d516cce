"""Rounds of a class: everybody meets everybody, neighbours meet, nobody rests twice in a row, and what is left of
a round after a crash is what was not played."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from quincunx.tournament.matchmaking import ArenaTable
from quincunx.tournament.places import places
from quincunx.tournament.results import Result
from quincunx.tournament.rounds import by_points, missing, rests, round_robin, swiss_round
from quincunx.tournament.standings import Line, Standings, by_share

PUPILS = ["Ada", "Bob", "Eve", "Dan", "Zoé", "=cmd", "Léa, B.", "x"]


def beats(one: str, two: str, number: int = 0) -> Result:
    return Result(number, 0, (one, two), (1, 2))


@pytest.mark.parametrize("n", range(2, 9))
def test_in_a_round_robin_everybody_meets_everybody_from_both_chairs(n: int) -> None:
    names = PUPILS[:n]
    met = Counter(round_robin(names, 2, 2))
    assert met == Counter((a, b) for a in names for b in names if a != b)


def test_a_round_robin_lets_all_play_soon() -> None:
    first = round_robin(PUPILS, 2, 1)[: len(PUPILS) // 2]
    assert len({name for meeting in first for name in meeting}) == len(PUPILS)


def test_a_round_robin_for_three_seats_has_every_table() -> None:
    tables = round_robin(PUPILS[:5], 3, 3)
    assert Counter(map(frozenset, tables)) == {frozenset(three): 3 for three in combinations(PUPILS[:5], 3)}
    assert all(len({table[0] for table in tables if set(table) == set(three)}) == 3 for three in tables)


def test_too_few_meet_nobody() -> None:
    assert round_robin(["Ada"], 2, 2) == [] and swiss_round(["Ada"], 2, 2, [], {}) == []
    assert swiss_round(["Ada", "Bob"], 3, 1, [], {}) == [] and round_robin([], 2, 2) == []


@pytest.mark.parametrize("n", [6, 7, 8])
def test_swiss_rounds_pair_equals_who_have_not_met_and_find_the_best(n: int) -> None:
    names, results = PUPILS[:n], list[Result]()
    Random(n).shuffle(names)
    strength = {name: PUPILS.index(name) for name in names}  # the first always wins
    rested = Counter[str]()
    for _ in range(4):
        round = swiss_round(names, 2, 1, results, rested)
        assert sorted(name for meeting in round for name in meeting) == sorted(names)
        meetings = [meeting for meeting in round if len(meeting) == 2]
        assert len(meetings) == n // 2 and rests(round).total() == n % 2
        rested += rests(round)
        assert not {frozenset(m) for m in meetings} & {frozenset(r.players) for r in results}, "they meet again"
        for better, worse in (sorted(meeting, key=strength.__getitem__) for meeting in meetings):
            results.append(beats(better, worse, len(results)))
    points = Counter(result.players[0] for result in results) + rested
    assert points["Ada"] == max(points.values()) and max(rested.values(), default=0) <= 1


def test_who_comes_late_stands_in_the_middle() -> None:
    results = [beats("Ada", "Dan"), beats("Bob", "Eve"), beats("Ada", "Bob"), beats("Eve", "Dan")]
    meetings = swiss_round(["Ada", "Bob", "Eve", "Dan", "New", "Newer"], 2, 1, results, {})
    assert {frozenset(m) for m in meetings} == {
        frozenset(p) for p in (("Ada", "Eve"), ("Bob", "New"), ("Newer", "Dan"))
    }


def test_who_rests_has_a_pairing_won_and_is_not_the_next_one_to_rest() -> None:
    round = swiss_round(["Ada", "Bob", "Eve"], 2, 2, [], {})
    assert round == [("Ada", "Bob"), ("Eve",), ("Bob", "Ada"), ("Eve",)]  # as many as the matches of a pairing
    assert rests(round) == {"Eve": 2} and missing(round, [("Ada", "Bob")]) == [("Bob", "Ada")]
    results = [beats("Ada", "Bob"), Result(0, 1, ("Bob", "Ada"), (1, 1))]
    standings = Standings(["Ada", "Bob", "Eve"])
    for result in results:
        standings.add(result)
    lines = standings.counting(rests(round))
    assert by_points(lines) == {"Eve": 1, "Ada": 2, "Bob": 3} and lines["Eve"].matches == 0
    assert [line.share for line in by_share(lines.values())] == [1, 0.75, 0.25]
    assert places(lines, ArenaTable(), True) == by_points(lines)  # it has a place, though it has not played
    assert swiss_round(["Ada", "Bob", "Eve"], 2, 1, results, rests(round)) == [("Eve", "Ada"), ("Bob",)]


def test_when_all_have_met_they_meet_again() -> None:
    results = [beats("Ada", "Bob")]
    assert swiss_round(["Ada", "Bob"], 2, 2, results, {}) == [("Ada", "Bob"), ("Bob", "Ada")]


def test_swiss_tables_of_three_are_neighbours() -> None:
    results = [Result(0, 0, ("a", "b", "c"), (1, 2, 3)), Result(1, 0, ("d", "e", "f"), (1, 2, 3))]
    assert swiss_round(list("abcdef"), 3, 1, results, {}) == [("a", "d", "b"), ("e", "c", "f")]


def test_what_is_left_of_a_round_is_what_was_not_played() -> None:
    meetings = [("Ada", "Bob"), ("Ada", "Eve"), ("Bob", "Ada"), ("Eve", "Ada")]
    assert missing(meetings, []) == meetings
    assert missing(meetings, [("Bob", "Ada")]) == [("Ada", "Eve"), ("Bob", "Ada"), ("Eve", "Ada")]
    assert missing(meetings, meetings) == []
    assert missing(meetings, [("Bob", "Ada"), ("Ada", "Bob"), ("Ada", "Bob")]) == [("Ada", "Eve"), ("Eve", "Ada")]


def test_places_are_by_points_then_by_fewer_matches_and_equals_share_one() -> None:
    lines = {name: Line(name, matches, points) for name, matches, points in [
        ("late", 0, 0.0), ("Zoé", 4, 3.0), ("Ada", 4, 3.0), ("Bob", 3, 3.0), ("Eve", 4, 0.0), ("last", 0, 0.0),
    ]}  # fmt: skip
    assert list(by_points(lines).items()) == [("Bob", 1), ("Ada", 2), ("Zoé", 2), ("Eve", 4), ("last", 5), ("late", 5)]
