"""Ratings, tables and sequential tests say what is true, as often as they claim: leagues whose truth is known."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import exp, inf, isfinite, log
from typing import Any

import numpy as np
import pytest

from duels import pair_odds, sequential_tests
from leagues import League, coverage, exact, rank_correlation
from quincunx import Refused
from quincunx.tournament import tables
from quincunx.tournament.choices import Choices
from quincunx.tournament.online import START, Online, after
from quincunx.tournament.ratings import linked, rate
from quincunx.tournament.results import Result
from quincunx.tournament.score import SCALE, elo, score_of
from quincunx.tournament.sprt import FEW, FIVE, Sprt, count_pairs, llr, most_likely, parse_sprt, score_at
from quincunx.tournament.stopped import running

WON, DRAWN, LOST = (1, 2), (1, 1), (2, 1)


def meetings(one: str, other: str, *ranks: tuple[int, int], pairing: int = 0) -> list[Result]:
    return [Result(pairing, n, (one, other), each, pair=n // 2) for n, each in enumerate(ranks)]


def score_after(one: str, other: str, wins: int, losses: int, pairing: int = 0) -> list[Result]:
    return meetings(one, other, *[WON] * wins, *[LOST] * losses, pairing=pairing)


# -- the likelihood -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ranks", [(1, 2), (1, 1), (2, 1, 3), (1, 2, 2), (2, 2, 1), (1, 1, 1), (2, 3, 1, 1, 5, 3)])
def test_a_shared_rank_counts_as_if_luck_had_ordered_it(ranks: tuple[int, ...]) -> None:
    """The mean over all orders that the ranks allow, each a row of choices; slopes and bends are those of the value."""
    at = np.linspace(-0.7, 0.9, len(ranks)) ** 2
    orders = [each for each in permutations(range(len(ranks))) if sorted(ranks) == [ranks[k] for k in each]]
    whole = [sum(at[o[k]] - log(sum(exp(at[m]) for m in o[k:])) for k in range(len(o))) for o in orders]
    choices = Choices(len(ranks), [[[k] for k in range(len(ranks))]], [ranks])
    value, slope = choices.rise(at)
    assert value == pytest.approx(np.mean(whole))
    near = np.eye(len(ranks)) * 1e-5
    assert slope == pytest.approx([(choices.rise(at + d)[0] - choices.rise(at - d)[0]) / 2e-5 for d in near], abs=1e-6)
    bend = [-(choices.rise(at + d)[1] - choices.rise(at - d)[1]) / 2e-5 for d in near]
    assert choices.information(at) == pytest.approx(np.array(bend), abs=1e-6)


def test_of_two_seats_it_is_bradley_and_terry() -> None:
    found = rate(score_after("a", "b", 7500, 2500))
    assert found.difference("a", "b").elo == pytest.approx(elo(0.75), abs=0.1)
    assert found.players["a"].elo == pytest.approx(-found.players["b"].elo) and list(found.players) == ["a", "b"]
    error = 1.96 * SCALE / (10_000 * 0.75 * 0.25) ** 0.5
    alone = [Result(0, n, ("a", "b"), WON if n % 4 else LOST, pair=n) for n in range(10_000)]
    assert rate(alone).difference("a", "b").error == pytest.approx(error, rel=0.01)


def test_pairs_that_agree_tell_less_and_pairs_that_differ_tell_more() -> None:
    """100 matches, half of them won: as 50 pairs won or lost whole, as draws, or each pair shared."""
    agree = meetings("a", "b", *[WON, WON, LOST, LOST] * 25)
    differ = meetings("a", "b", *[WON, LOST] * 50)
    free = [Result(0, n, ("a", "b"), WON if n % 2 else LOST, pair=n) for n in range(100)]
    wide, plain, narrow = (rate(each).difference("a", "b").error for each in (agree, free, differ))
    assert wide == pytest.approx(plain * 2**0.5, rel=0.05) and narrow < 0.2 * plain


# -- what it says ---------------------------------------------------------------------------------------------------


def test_ratings_are_found_again_from_an_anchor() -> None:
    truth = {"random": 0.0, "a": 150.0, "b": 320.0, "c": 700.0}
    met = [("a", "random"), ("b", "a"), ("c", "b"), ("c", "random"), ("b", "random")]
    results = [
        each
        for n, (u, v) in enumerate(met)
        for won in [round(10_000 * score_at(truth[u] - truth[v]))]
        for each in score_after(u, v, won, 10_000 - won, n)
    ]
    found = rate(results, "random").players
    assert found["random"].elo == found["random"].error == 0
    assert all(abs(found[name].elo - value) < 1 for name, value in truth.items())
    assert 0 < found["a"].error < found["c"].error < 30 and found["a"].matches == 20_000


def test_a_clean_sweep_does_not_bend_what_is_known() -> None:
    """That the top never loses against the bottom says little beside the rungs between them."""
    rungs = [each for n in range(8) for each in score_after(str(n + 1), str(n), 140, 60, n)]
    alone, swept = rate(rungs, "0").players, rate([*rungs, *score_after("8", "0", 32, 0, 8)], "0").players
    assert alone["8"].elo == pytest.approx(8 * elo(0.7), abs=5)
    assert abs(alone["8"].elo - swept["8"].elo) < 10


@pytest.mark.parametrize("matches", [1, 2, 20, 200])
def test_a_clean_sweep_has_a_finite_rating_and_the_interval_is_open_upwards(matches: int) -> None:
    """More of them say more; after 20 the true difference may well be 300 Elo, and may well be 700."""
    apart = rate(score_after("a", "b", matches, 0)).difference("a", "b")
    assert isfinite(apart.error) and apart.elo == pytest.approx(SCALE * log(2 * matches + 1), rel=1e-4)
    assert matches > 2 or apart.low < 0
    assert matches != 20 or (0 < apart.low < 300 and apart.high > 700)
    assert rate(score_after("a", "b", matches, 0)).superiority("a", "b") > 0.5


def test_who_never_met_the_others_has_no_rating() -> None:
    results = score_after("a", "random", 6, 4) + score_after("x", "y", 9, 1, 1) + score_after("y", "z", 1, 1, 2)
    found = rate(results, "random")
    assert set(found.players) == {"random", "a"} and found.apart == (("x", "y", "z"),)
    largest = rate(results)
    assert set(largest.players) == {"x", "y", "z"} and {*largest.apart[0]} == {"a", "random"}
    assert sum(each.elo for each in largest.players.values()) == pytest.approx(0)
    assert rate([], "random").players["random"].error == 0 and rate([]).players == {} and linked([]) == []


def test_order_does_not_matter_and_scores_and_ratings_use_one_scale() -> None:
    luck = np.random.default_rng(4)
    league = League(seats=3, players=9, rounds=10, ties=0.5)
    results = league.play(league.truth(luck), luck)
    one, other = rate(results, seats=True), rate(results[::-1], seats=True)
    for name, rating in one.players.items():
        assert other.players[name] == pytest.approx(rating, abs=1e-4)
    assert sum(one.superiority(a, b) for a, b in (("p1", "p2"), ("p2", "p1"))) == pytest.approx(1)
    assert SCALE * log(3) == pytest.approx(elo(0.75)) and score_at(elo(0.8)) == pytest.approx(0.8)


def test_seats_of_several_numbers_are_told_apart() -> None:
    luck = np.random.default_rng(8)
    two, three = League(players=12, rounds=150, first=60), League(seats=3, players=12, rounds=150, first=-40)
    truth = two.truth(luck)
    results = two.play(truth, luck)
    results += [Result(each.pairing + 10_000, *list(_fields(each))[1:]) for each in three.play(truth, luck)]
    chairs = rate(results, seats=True).seats
    for seats, worth in ((2, (30, -30)), (3, (-40, 0, 40))):
        assert all(abs(found.elo - true) < 1.5 * found.error for found, true in zip(chairs[seats], worth, strict=True))
        assert all(5 < found.error < 20 for found in chairs[seats])


def _fields(result: Result) -> Iterator[Any]:
    return (getattr(result, name) for name in result.__struct_fields__)


# -- leagues --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats, rounds", [(2, 40), (3, 20), (6, 10)])
def test_strengths_of_a_hundred_programs_are_found_again(seats: int, rounds: int) -> None:
    """As exactly as the information in these matches allows, and not more than a tenth worse."""
    luck, league = np.random.default_rng(1), League(seats=seats, rounds=rounds)
    truth = league.truth(luck)
    results = league.play(truth, luck)
    found = rate(results).players
    estimates = np.array([found[f"p{n}"].elo for n in range(league.players)])
    bound = float(np.sqrt((exact(league, truth, results) ** 2).mean()))
    assert rank_correlation(estimates, truth) > 0.95
    assert float(np.sqrt(((estimates - truth) ** 2).mean())) < 1.15 * bound


LEAGUES = [
    League(rounds=20),
    League(rounds=20, ties=0.6),
    League(rounds=20, alike=0.6, of="chair"),
    League(rounds=20, alike=0.6, of="player", ties=0.3),
    League(seats=3, rounds=10, ties=0.5, alike=0.4, first=60),
    League(seats=6, rounds=8, alike=0.5, of="player"),
]


@pytest.mark.slow
@pytest.mark.parametrize("league", LEAGUES, ids=str)
def test_intervals_hold_the_truth_as_often_as_they_say(league: League) -> None:
    """93 to 97 of 100, of ratings and of differences, in 2,000 of each; benchmarks/ratings.py looks at more."""
    found = coverage(league, 20, np.random.default_rng(2))
    assert 0.93 <= found.ratings <= 0.97 and 0.93 <= found.differences <= 0.97, found
    assert abs(found.superior - 0.5) < 0.05


@pytest.mark.parametrize("seats, rounds", [(2, 40), (6, 10)])
def test_ratings_after_every_match_find_strengths_too(seats: int, rounds: int) -> None:
    luck, league = np.random.default_rng(3), League(seats=seats, rounds=rounds)
    truth = league.truth(luck)
    known: dict[str, Online] = {}
    for each in league.play(truth, luck):
        known |= after(known, each)
    means = np.array([known[f"p{n}"].mu for n in range(league.players)])
    doubts = np.array([known[f"p{n}"].sigma for n in range(league.players)])
    assert rank_correlation(means, truth) > 0.93
    assert np.mean(np.abs(means - means.mean() - truth) < 1.96 * doubts) > 0.88
    assert np.all(doubts < 100) and all(isfinite(each.conservative) for each in known.values())


def test_a_match_moves_those_who_sat_at_it() -> None:
    known = {"c": Online(1600.0, 50.0, 40)}
    moved = after(known, Result(0, 0, ("a", "b", "c"), (1, 2, 2)))
    assert moved["a"].mu > START > moved["b"].mu and moved["c"].mu < 1600 and known["c"].matches == 40
    assert moved["c"].matches == 41 and abs(moved["c"].mu - 1600) < abs(moved["b"].mu - START)
    drawn = after({}, Result(0, 0, ("a", "b"), DRAWN))
    assert drawn["a"].mu == pytest.approx(drawn["b"].mu) and drawn["a"].error < Online().error
    assert drawn["a"].conservative == pytest.approx(drawn["a"].mu - 3 * drawn["a"].sigma)


# -- the sequential test --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mean", [0.4, 0.5, 0.514, 0.9])
@pytest.mark.parametrize("counts", [(3, 10, 40, 14, 8), (0, 0, 9, 1, 0), (0, 0, 0, 0, 7), (30, 40, 50)])
def test_the_ratio_is_that_of_the_most_likely_distributions(counts: tuple[int, ...], mean: float) -> None:
    """Lagrange: odds with this mean, at which n / p is a straight line over the outcomes (there is one summit)."""
    seen, worth = np.array(counts, dtype=float), np.linspace(0, 1, len(counts))
    odds = most_likely(seen, mean)
    assert odds.min() > 0 and odds.sum() == pytest.approx(1) and odds @ worth == pytest.approx(mean)
    lines = np.stack([np.ones_like(worth), worth])
    steep = np.maximum(seen, 1e-3) / odds
    line = np.linalg.lstsq(lines.T, steep, rcond=None)[0] @ lines
    assert line == pytest.approx(steep, rel=1e-5)
    ratio = (np.maximum(seen, 1e-3) * np.log(odds / most_likely(seen, 0.5))).sum()
    assert llr(seen, 0.5, mean) == pytest.approx(ratio * sum(counts) / (sum(counts) + FEW), rel=1e-3, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("many", [5, 3])
@pytest.mark.parametrize("true", [0, 60])
def test_errors_of_the_sequential_test_are_as_rare_as_stated(true: int, many: int) -> None:
    """In 2,000 tests, give or take two standard deviations; benchmarks/ratings.py makes 10,000 of each, and longer."""
    sprt, number = Sprt(0, 60), 2000
    ended = sequential_tests(sprt, pair_odds(true, many=many), number, np.random.default_rng(6))
    wrong = float(np.mean(ended.upper != (true == 60)))
    assert ended.open == 0 and 0.02 < wrong <= 0.05 + 2 * (0.05 * 0.95 / number) ** 0.5
    assert 40 * 5 / many < ended.pairs.mean() < 90 * 5 / many


@pytest.mark.slow
def test_looking_only_when_something_can_have_happened_changes_nothing() -> None:
    for odds in (pair_odds(10), pair_odds(-20, draws=0.9, alike=0.5)):
        seldom, always = (
            sequential_tests(Sprt(0, 30), odds, 60, np.random.default_rng(5), most=3000, skip=skip)
            for skip in (True, False)
        )
        assert np.array_equal(seldom.pairs, always.pairs) and np.array_equal(seldom.upper, always.upper)


@pytest.mark.slow
def test_a_test_that_stopped_does_not_flatter() -> None:
    """Half of the estimates are above the truth, where two thirds of the plain scores are; intervals hold it."""
    sprt, true = Sprt(0, 40), 40
    ended = sequential_tests(sprt, pair_odds(true), 600, np.random.default_rng(7))
    states = [sprt.state(counts) for counts in ended.counts.astype(int).tolist()]
    assert all(
        each.verdict != "continue" and each.pairs == sum(c) for each, c in zip(states, ended.counts, strict=True)
    )
    plain = [running(counts, FIVE) for counts in ended.counts.astype(int).tolist()]
    above, flattered = (np.mean([each.elo > true for each in found]) for found in ([s.estimate for s in states], plain))
    assert abs(above - 0.5) < 0.08 and flattered > 0.58
    assert 0.93 <= np.mean([s.estimate.low <= true <= s.estimate.high for s in states]) <= 0.99


def test_the_state_after_every_pair() -> None:
    sprt = Sprt(0, 50)
    begun = sprt.state([0] * 5)
    assert begun.verdict == "continue" and begun.llr == pytest.approx(0, abs=0.01)
    assert (begun.low, begun.high) == pytest.approx((-log(19), log(19)))
    assert begun.estimate.low == -inf and begun.estimate.high == inf
    winning, losing = sprt.state([2, 10, 40, 30, 18]), sprt.state([18, 30, 40, 10, 2])
    assert winning.verdict == "elo1" and losing.verdict == "elo0" and winning.pairs == 100
    assert 0 < winning.estimate.low < winning.estimate.elo < winning.estimate.high < 200
    assert sprt.state([0, 0, 0, 0, 60]).estimate.low > 0
    assert Sprt(-50, 0).state([2, 10, 40, 30, 18]).llr == pytest.approx(-Sprt(0, 50).state([18, 30, 40, 10, 2]).llr)
    assert count_pairs([0, 0.75, 0.75, 1.0]) == [1, 0, 0, 2, 1]


def test_what_people_write_after_sprt() -> None:
    assert parse_sprt("elo0=0 elo1=10") == Sprt(0, 10, 0.05, 0.05)
    assert parse_sprt(" elo1=5,elo0=-5  alpha=.1, beta=0.01") == Sprt(-5, 5, 0.1, 0.01)
    for text, why in (
        ("", "needs elo0=… elo1=…"),
        ("elo0=0", "needs elo0=… elo1=…"),
        ("elo0=0 elo1=5 elo1=6", "needs elo0=… elo1=…"),
        ("elo0=0 elo1=5 gamma=1", "needs elo0=… elo1=…"),
        ("elo0=0 elo1", "needs elo0=… elo1=…"),
        ("elo0=0 elo1=ten", "a number for elo1"),
        ("elo0=nan elo1=10", "a number for elo0"),
        ("elo0=10 elo1=10", "elo0 must be below elo1"),
        ("elo0=0 elo1=9000", "from -2000 to 2000"),
        ("elo0=0 elo1=10 alpha=0", "between 0 and 0.5"),
        ("elo0=0 elo1=10 beta=0.5", "between 0 and 0.5"),
    ):
        with pytest.raises(Refused, match=why):
            parse_sprt(text)


# -- tables ---------------------------------------------------------------------------------------------------------

PLAYED = [
    Result(0, 0, ("a", "b"), WON, start="plain", pair=0),
    Result(0, 1, ("b", "a"), DRAWN, start="plain", pair=0),
    Result(0, 2, ("a", "b"), LOST, start="hills", pair=1),
    Result(1, 0, ("a", "c"), WON, start="plain", pair=0),
    Result(2, 0, ("b", "c"), DRAWN, start="plain", pair=0),
]


def test_the_cross_table() -> None:
    rows = tables.cross_table(PLAYED)
    assert [(row.player, row.all.points, row.all.games) for row in rows] == [("a", 2.5, 4), ("b", 2, 4), ("c", 0.5, 2)]
    a, b, _ = rows
    assert (a.against["b"].all.points, a.against["b"].all.games, b.against["a"].all.points) == (1.5, 3, 1.5)
    assert (a.all.wins, a.all.draws, a.all.losses) == (2, 1, 1) and set(a.against) == {"b", "c"}
    assert sum(row.all.points for row in rows) == len(PLAYED)
    assert a.against["b"].all.score == score_of([0.75, 0.0])


def test_tables_of_more_seats_count_meetings() -> None:
    match = Result(0, 0, ("a", "b", "c"), (1, 2, 2))
    assert match.points == (1, 0.25, 0.25)
    a, b, c = tables.cross_table([match])
    assert (a.all.points, a.all.wins, b.all.points, b.all.draws, b.all.losses) == (1, 2, 0.25, 1, 1)
    assert b.against["c"].all.points == c.against["b"].all.points == 0.5 and a.all.games == 1


def test_head_to_head_and_performances() -> None:
    met = next(row for row in tables.cross_table(PLAYED) if row.player == "b").against["a"]
    assert (met.all.points, met.all.games, met.all.wins, met.all.draws, met.all.losses) == (1.5, 3, 1, 1, 1)
    assert met.by_seat[0].points == 0.5 and met.by_seat[1].games == 2
    assert tables.by_start(PLAYED)["a", "plain"].points == 2.5
    assert tables.by_seat(PLAYED)["b", 0].points == 1 and tables.by_seat(PLAYED)["a", 1].share == 0.5
    chairs = tables.chairs(PLAYED)
    assert chairs["plain", 0].share == 0.75 and chairs["hills", 0].points == 0 and chairs["plain", 1].games == 4
