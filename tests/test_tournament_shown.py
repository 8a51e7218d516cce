"""How a tournament is shown, in the terminal, in its report and in figures: the winner first, every match counted, and
what the report says is what was played."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest
from rich.table import Table

from quincunx.cli.standings import Watching, crossed, standings_table
from quincunx.match.failures import FAILURES
from quincunx.server.mishaps import SENTENCES
from quincunx.store.contests import StoredResult
from quincunx.tournament.plan import Plan
from quincunx.tournament.ratings import rate
from quincunx.tournament.report import MOST_LISTED, REASONS, TROUBLES, Played, Report
from quincunx.tournament.results import Result
from quincunx.tournament.standings import Standings, by_share
from quincunx.tournament.tables import cross_table
from quincunx.tournament.tournament import Tournament
from test_schedule import by_strength, plan, play_all


def shown(of: Plan, results: list[Result]) -> tuple[Tournament, Standings]:
    tournament, standings = Tournament(of), Standings([each.name for each in of.entrants])
    for result in results:  # a runner reads them as they come, and the pairings of the next round follow
        assert tournament.pairings
        (row,) = tournament.read([StoredResult(result.pairing, result.game, msgspec.json.encode(result).decode())])
        standings.add(row)
    return tournament, standings


def names(table: Table) -> list[str]:
    return [str(cell) for cell in table.columns[1].cells]


# -- how many, and who is first --------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["swiss", "knock_out", "round_robin"])
@pytest.mark.parametrize("more", [{}, {"starts": [{"name": "a"}, {"name": "b"}]}, {"matches": 6}])
def test_a_tournament_knows_at_once_how_many_matches_there_will_be(format: str, more: dict[str, Any]) -> None:
    of = plan(5, format, **more)
    assert Tournament(of).expected == len(play_all(of, 2, by_strength)[1]) > 0


def a_cup() -> tuple[Plan, list[Result]]:
    """`a` gets on with one win in ten, and wins the final; `b` wins as much as it can before that."""
    of = plan(4, "knock_out", matches=2)
    of = msgspec.structs.replace(of, players=tuple("abcd"), game="connect_four")
    results = [Result(0, n, ("a", "d")[:: 1 - 2 * (n % 2)], (1, 1), pair=n // 2) for n in range(8)]
    results += [Result(0, 8, ("a", "d"), (1, 2), pair=4), Result(0, 9, ("d", "a"), (1, 1), pair=4)]
    results += [Result(1, 0, ("b", "c"), (1, 2)), Result(1, 1, ("c", "b"), (2, 1))]
    results += [Result(2, 0, ("a", "b"), (1, 2)), Result(2, 1, ("b", "a"), (1, 1))]
    return of, [msgspec.structs.replace(each, reason="played") for each in results]


def test_the_winner_of_a_knock_out_stands_first_in_the_terminal_and_in_the_report() -> None:
    of, results = a_cup()
    tournament, standings = shown(of, results)
    assert tournament.over and by_share(standings.lines.values())[0].name == "b"
    assert [line.name for line in tournament.ordered(standings)][:2] == ["a", "b"]
    with Watching(of) as watching:
        watching.follow(tournament)
        watching.add(results)
        assert names(watching.table())[:2] == ["a", "b"]
    page = Page(Report(Played("cup-1", tournament, results, {}), "en").html())
    assert [row[1] for row in page.tables[0][1:3]] == ["a", "b"]
    called = {"a": "Ada", "b": "Bob", "c": "Cy", "d": "Dan"}
    public = Standings(list(called.values()))
    for each in results:
        public.add(msgspec.structs.replace(each, players=tuple(called[name] for name in each.players)))
    assert tournament.ordered(public, called)[0].name == "Ada"


@pytest.mark.parametrize("matches", [1, 4])
def test_in_a_swiss_tournament_a_rest_counts_as_a_pairing_won(matches: int) -> None:
    of = plan(3, "swiss", rounds=2, matches=matches)
    pairings, results = play_all(of, 2, by_strength)
    tournament, standings = shown(of, results)
    rested = {f"p{who}" for each in pairings for who in {0, 1, 2} - set(each.players)}
    assert tournament.byes() == {name: matches * (name in rested) for name in ("p0", "p1", "p2")}
    lines = {line.name: line for line in tournament.ordered(standings)}
    assert next(iter(lines)) == "p0" and lines["p0"].share == 1 and lines["p0"].counted == 2 * matches
    assert sum(line.gained for line in lines.values()) == len(results) + 2 * matches


def test_the_terminal_shows_ratings_and_who_made_what_of_whom() -> None:
    of, results = a_cup()
    tournament, standings = shown(of, results)
    lines, ratings = tournament.ordered(standings), rate(results).players
    elo = [str(cell) for cell in standings_table("cup", lines, ratings).columns[-1].cells]
    assert elo == [f"{ratings[each].elo:+.0f} ± {ratings[each].error:.0f}" for each in (line.name for line in lines)]
    table = crossed(lines, cross_table(results))
    assert names(table)[:2] == ["a", "b"]
    columns = [[str(cell) for cell in column.cells] for column in table.columns[2:]]
    assert columns[1][0] == "75" and columns[0][1] == "25" and columns[0][0] == ""


# -- the report ------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Its tables as texts, and the titles, links and colours of its cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.tables: list[list[list[str]]] = []
        self.links: list[str] = []
        self.titles: dict[str, str] = {}  # by their first line
        self.colours: dict[str, str] = {}
        self.marks: list[str] = []
        self._inside = False  # a table
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.marks.append(tag)
        if tag == "table":
            self.tables.append([])
            self._inside = True
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            if title := found.get("title"):
                self.titles[title.partition("\n")[0]] = title
                self.colours[title.partition(" :")[0]] = str(found["style"])
        elif tag == "a":
            self.links.append(str(found["href"]))

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "table"

    def handle_data(self, data: str) -> None:
        if self._inside and self.tables[-1] and self.tables[-1][-1]:
            self.tables[-1][-1][-1] += data


PLAYED = [
    Result(0, 0, ("fox", "<b>owl"), (1, 2), "plain", 0, "played", (1.0, 2.0), (10, 10)),
    Result(0, 1, ("<b>owl", "fox"), (1, 1), "plain", 0, "played", (1.0, 2.0), (10, 10)),
    Result(0, 2, ("fox", "<b>owl"), (1, 2), "hills", 1, "forfeit", (1.0, 2.0), (10, 10), ("", "forfeit: late: slow")),
    Result(0, 3, ("<b>owl", "fox"), (2, 1), "hills", 1, "time_out", (1.0, 2.0), (10, 10), ("time_out", "")),
]
PLACES = {(0, 0): "north/1", (0, 1): "north/1", (0, 2): "south/2", (0, 3): "north/1"}


def a_report(language: Any = "en", **more: Any) -> Page:
    starts = [{"name": "plain"}, {"name": "hills"}]
    of = plan(2, "round_robin", starts=starts, name="A <cup>", **more)
    of = msgspec.structs.replace(of, players=("fox", "<b>owl"))
    tournament, _ = shown(of, PLAYED)
    report = Report(Played("cup-1", tournament, PLAYED, PLACES), language, lambda r: f'm/{r.game}?a="b"&c')
    return Page(report.html())


def test_a_report_says_what_was_played() -> None:
    page = a_report()
    standings = page.tables[0]
    assert [row[1] for row in standings[1:]] == ["fox", "<b>owl"] and standings[1][4:] == [
        "87.5\u202f%", "4", "3", "1", "0",
    ]  # fmt: skip
    ratings = rate(PLAYED, seats=True)
    assert standings[1][2:4] == [f"+{ratings.players['fox'].elo:.0f}", f"{ratings.players['fox'].error:.0f}"]
    assert page.marks.count("circle") == 2  # a dot for each in the plot of intervals
    text = page.text
    assert "answered too late" in text and "out of time" in text and "finished" in text and "2 players" in text
    assert ["fox", "100.0\u202f%", "75.0\u202f%"] in [row for table in page.tables for row in table]  # by seat


def test_the_cross_table_of_a_report_is_a_map_of_heat_with_the_difference_and_how_sure_it_is() -> None:
    page = a_report()
    title = page.titles["fox – <b>owl : 3.5 / 4"]
    ratings = rate(PLAYED, seats=True)
    apart = ratings.difference("fox", "<b>owl")
    assert f"+{apart.elo:.0f} ± {apart.error:.0f} Elo" in title
    assert f"{100 * ratings.superiority('fox', '<b>owl'):.1f}\u202f%" in title
    assert " : 2.0 / 2" in title and " : 1.5 / 2" in title  # from each chair
    assert "--won" in page.colours["fox – <b>owl"] and "--lost" in page.colours["<b>owl – fox"]
    assert "75%" in page.colours["fox – <b>owl"]


def test_a_report_says_where_each_match_was_played_and_links_it() -> None:
    page = a_report()
    matches = page.tables[-1]
    assert [row[0] for row in matches] == ["1.1", "1.2", "1.3", "1.4"]
    assert [row[-1] for row in matches] == ["north/1", "north/1", "south/2", "north/1"]
    assert ["north/1", "3"] in page.tables[-2] and ["south/2", "1"] in page.tables[-2]
    assert page.links == [f'm/{n}?a="b"&c' for n in range(4)]


def test_names_in_a_report_are_text_and_not_marks() -> None:
    for language in ("en", "fr"):
        page = a_report(language)
        assert "<b>owl" not in page.text and "<cup>" not in page.text and "&lt;b&gt;owl" in page.text
    assert "hors" not in a_report("en").text and "réponse trop tardive" in a_report("fr").text


def test_a_report_of_one_place_says_it_and_a_long_one_lists_not_all() -> None:
    of = plan(2, "round_robin", matches=MOST_LISTED + 2)
    results = [Result(0, n, ("p0", "p1"), (1, 2), pair=n // 2, reason="played") for n in range(MOST_LISTED + 2)]
    tournament, _ = shown(of, results)
    places = {(0, n): "here/7" for n in range(MOST_LISTED + 2)}
    page = Page(Report(Played("c", tournament, results, places), "en").html())
    assert len(page.tables[-1]) == MOST_LISTED and "2 more" in page.text and ["here/7", "2\u202f002"] in page.tables[-2]


def test_whatever_ends_a_match_early_has_words() -> None:
    ours = {"no_isolation", "no_such_upload"}  # of the computer of a class, never of the player
    assert (set(FAILURES) | set(SENTENCES) | {"resign", "time_out"}) - ours - {"garbage", "unreadable"} <= set(TROUBLES)
    assert {"played", "resign", "time_out", "forfeit", "draw", "adjudicated", "abort"} == set(REASONS)
