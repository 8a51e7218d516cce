"""Meetings in an arena, in simulated leagues whose truth is known: neighbours meet, ratings find the truth, nobody
starves, and nothing is played among computers alone."""

from __future__ import annotations

from collections import Counter, deque
from math import log
from random import Random

import pytest

from quincunx.tournament import matchmaking
from quincunx.tournament.matchmaking import AGAIN, NARROW, PACE, RECENT, ArenaTable, Candidate, choose
from quincunx.tournament.online import START, Online
from quincunx.tournament.results import Result
from quincunx.tournament.score import SCALE


class League:
    """Programs of known strengths that play as long as they last; each has its pace. Time passes by the second."""

    def __init__(
        self, strengths: dict[str, float], size: int = 2, computers: tuple[str, ...] = (), seed: int = 1
    ) -> None:
        self.truth, self.size, self.computers = strengths, size, computers
        self.luck = Random(seed)
        self.table = ArenaTable()
        self.now = 0.0
        self.running: list[tuple[float, tuple[str, ...]]] = []
        self.began = dict.fromkeys(strengths, -PACE)
        self.free_since = dict.fromkeys(strengths, 0.0)
        self.results: list[Result] = []
        self.most = 100

    def candidates(self) -> list[Candidate]:
        busy = {name for _, players in self.running for name in players}
        return [
            Candidate(
                name, 2 if name in self.computers else int(name not in busy), name in self.computers,
                0.0 if name in busy else self.now - self.free_since[name], self.now - self.began[name],
            )
            for name in self.truth
        ]  # fmt: skip

    def step(self) -> None:
        self.now += 1.0
        for until, players in [each for each in self.running if each[0] <= self.now]:
            self.running.remove((until, players))
            self.end(players)
        for players in choose(self.candidates(), self.table, self.size, self.most):
            assert len(set(players)) == self.size
            self.running.append((self.now + self.luck.choice((1, 2, 5)), players))
            self.began.update(dict.fromkeys(players, self.now))

    def end(self, players: tuple[str, ...]) -> None:
        worth = {name: self.truth[name] + SCALE * -log(-log(max(self.luck.random(), 1e-12))) for name in players}
        order = sorted(players, key=lambda name: -worth[name])
        result = Result(len(self.results), 0, players, tuple(order.index(name) + 1 for name in players))
        self.results.append(result)
        self.table.add(result)
        self.free_since.update(dict.fromkeys(players, self.now))

    def play(self, seconds: int) -> None:
        for _ in range(seconds):
            self.step()

    def correlation(self) -> float:
        """Of the order by rating with the true one."""
        found = sorted(self.truth, key=lambda name: self.table.rating(name).mu)
        true = sorted(self.truth, key=lambda name: self.truth[name])
        n = len(true)
        return 1 - 6 * sum((found.index(name) - true.index(name)) ** 2 for name in true) / (n * (n * n - 1))


def spread(n: int, seed: int = 3) -> dict[str, float]:
    luck = Random(seed)
    return {f"p{k}": luck.gauss(1500, 250) for k in range(n)}


@pytest.mark.parametrize("size, n", [(2, 24), (3, 24), (4, 24)])
def test_ratings_find_the_truth_and_the_pace_falls(size: int, n: int) -> None:
    league = League(spread(n), size)
    while not all(league.table.is_settled(name) for name in league.truth):
        league.step()
        assert league.now < 3000, "it does not come to rest"
    assert league.correlation() > 0.9
    mean = sum(league.truth.values()) / n
    low = sum(league.table.rating(name).mu for name in league.truth) / n
    held = [abs(league.table.rating(p).mu - low - (league.truth[p] - mean)) <= 1.5 * NARROW for p in league.truth]
    assert sum(held) >= 0.75 * n
    before, then = len(league.results), league.now
    league.play(300)
    began = (len(league.results) - before) * size / n / (league.now - then) * PACE
    assert 0.5 < began <= 1.05  # matches a minute of each, those that were under way included


def test_neighbours_meet() -> None:
    league = League(spread(30))
    league.play(120)
    begun = len(league.results)
    league.play(200)
    gaps = [abs(league.truth[r.players[0]] - league.truth[r.players[1]]) for r in league.results[begun:]]
    anybody = [abs(a - b) for a in league.truth.values() for b in league.truth.values() if a != b]
    assert sum(gaps) / len(gaps) < 0.5 * sum(anybody) / len(anybody)


def test_nobody_starves_whatever_the_number() -> None:
    for n in (2, 3, 5, 7):
        league = League(spread(n))
        league.play(200)
        played = Counter(name for result in league.results for name in result.players)
        assert min(played[name] for name in league.truth) > 0.6 * len(league.results) * 2 / n


def test_one_that_is_new_among_old_ones_plays_most_and_at_once() -> None:
    league = League(spread(12))
    while not all(league.table.is_settled(name) for name in league.truth):
        league.step()
    league.truth["new"] = 1700.0
    league.began["new"], league.free_since["new"] = league.now - PACE, league.now
    begun = len(league.results)
    league.play(120)
    played = Counter(name for result in league.results[begun:] for name in result.players)
    assert played["new"] == max(played.values()) and played["new"] > 20
    assert abs(league.table.rating("new").mu - 1700) < 200


def test_a_program_alone_meets_computers_and_computers_nobody_but_programs() -> None:
    league = League({"level:1": 1300, "level:4": 1700, "Fox": 1500}, computers=("level:1", "level:4"))
    league.play(100)
    assert len(league.results) > 20 and all("Fox" in result.players for result in league.results)
    assert {name for result in league.results for name in result.players} == {"Fox", "level:1", "level:4"}
    none = League({"level:1": 1300, "level:4": 1700}, computers=("level:1", "level:4"))
    none.play(20)
    assert none.results == []


def test_a_computer_is_in_several_matches_and_nobody_in_one_twice() -> None:
    computer = Candidate("level:1", 2, computer=True)
    programs = [Candidate(name, 1) for name in "abc"]
    met = choose([computer, *programs], ArenaTable(), 2, 10)
    assert len(met) == 2 and sorted(name for pair in met for name in pair).count("level:1") <= 2
    assert choose([computer, programs[0]], ArenaTable(), 3, 10) == []
    assert choose([computer, *programs], ArenaTable(), 2, 1) == met[:1]
    assert choose([Candidate("a", 0), Candidate("b", 1)], ArenaTable(), 2, 10) == []
    assert choose([], ArenaTable(), 2, 10) == []


def known(**ratings: float) -> ArenaTable:
    table = ArenaTable()
    table.ratings = {name: Online(mu, 60.0, 20) for name, mu in ratings.items()}
    return table


def test_one_waits_a_little_for_those_who_are_nearer() -> None:
    table = known(a=1500, b=1510, far=2100)
    free, busy = Candidate("a", 1), Candidate("b", 0)
    assert choose([free, busy, Candidate("far", 1)], table, 2, 9) == []
    patient = Candidate("a", 1, waited=(600 - matchmaking.NEAR) / matchmaking.IMPATIENCE)
    assert len(choose([patient, busy, Candidate("far", 1)], table, 2, 9)) == 1
    assert len(choose([free, Candidate("far", 1)], table, 2, 9)) == 1  # there is nobody nearer


def test_who_met_of_late_is_further_away() -> None:
    table = known(a=1500, b=1505, c=1500 + 2.5 * AGAIN)
    together = [Candidate(name, 1) for name in "abc"]
    assert set(choose(together, table, 2, 1)[0]) == {"a", "b"}
    table._recent = {"a": deque("bbb", RECENT), "b": deque("aaa", RECENT)}
    assert "c" in choose(together, table, 2, 1)[0]


def test_each_chair_is_for_whoever_has_sat_there_least() -> None:
    league = League(spread(9), 3)
    league.play(300)
    chairs = Counter((name, seat) for result in league.results for seat, name in enumerate(result.players))
    for name in league.truth:
        sat = [chairs[name, seat] for seat in range(3)]
        assert max(sat) - min(sat) <= 2 + 0.05 * sum(sat)
    two = ArenaTable()
    two.add(Result(0, 0, ("a", "b"), (1, 2)))
    assert two.seated(["a", "b"]) == two.seated(["b", "a"]) == ("b", "a")


def test_the_table_is_sorted_by_what_one_is_worth_at_least() -> None:
    table = ArenaTable()
    table.ratings = {"lucky": Online(1700, 150.0, 2), "proven": Online(1650, 30.0, 90)}
    assert table.order(["lucky", "new", "proven"]) == ["proven", "lucky", "new"]
    assert table.rating("new").mu == START


def test_of_a_thousand_only_neighbours_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cost grows with their number, not with its square: nobody's move is to wait for it."""
    luck, table = Random(1), ArenaTable()
    table.ratings = {f"p{k}": Online(luck.gauss(1500, 200), 60.0, 20) for k in range(1000)}
    looked = Counter[str]()
    monkeypatch.setattr(table, "distance", lambda one, two: looked.update([one]) or table.gap(one, two))
    assert len(choose([Candidate(name, 1) for name in table.ratings], table, 2, 1000)) >= 490
    assert max(looked.values()) <= 2 * matchmaking.REACH + 1


def test_many_who_never_play_keep_nobody_from_playing() -> None:
    table = known(a=1500, b=1500)
    idle = [Candidate(f"idle{n}", 0) for n in range(500)]
    patient = [Candidate(name, 1, waited=1.0) for name in "ab"]
    assert len(choose([*idle, *patient], table, 2, 9)) == 1
