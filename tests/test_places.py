"""Places in an arena: by points where rounds are played, else by rating; nobody has one before a match."""

from __future__ import annotations

from quincunx.tournament.matchmaking import ArenaTable
from quincunx.tournament.places import places
from quincunx.tournament.results import Result
from quincunx.tournament.standings import Line


def table(*results: Result) -> ArenaTable:
    made = ArenaTable()
    for result in results:
        made.add(result)
    return made


LINES = {
    name: Line(name, matches, points)
    for name, matches, points in [("new", 0, 0.0), ("b", 2, 1.0), ("a", 2, 1.0), ("last", 2, 0.5), ("quick", 1, 1.0)]
}


def test_in_rounds_points_count_and_equal_ones_share_a_place() -> None:
    assert list(places(LINES, table(), True).items()) == [("quick", 1), ("a", 2), ("b", 2), ("last", 4), ("new", 0)]


def test_otherwise_ratings_count_and_who_has_not_played_comes_last() -> None:
    """Though who is new has a better rating than one who has only lost."""
    lost = [Result(n, 0, ("b", "a"), (1, 2)) for n in range(6)]
    lines = {name: Line(name, 6) for name in ("a", "b")} | {"new": Line("new")}
    assert table(*lost).rating("a").mu < table().rating("new").mu
    assert list(places(lines, table(*lost), False).items()) == [("b", 1), ("a", 2), ("new", 0)]
