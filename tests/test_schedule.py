"""Who meets whom: the laws of every format, whatever the number of players and whatever came of the matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quincunx.store.contests import StoredResult
from quincunx.tournament.plan import EXTENSIONS, Plan, Start
from quincunx.tournament.progress import Progress
from quincunx.tournament.results import Result
from quincunx.tournament.schedule import Pairing, schedule
from quincunx.tournament.swiss import pair_neighbours
from quincunx.tournament.tournament import Tournament

Ranks = Callable[[Pairing, int], Sequence[int]]  # what comes of a match: by seat


def plan(n: int, format: str, **more: Any) -> Plan:
    players = [{"name": f"p{k}", "player": "random"} for k in range(n)]
    return msgspec.convert({"game": "connect_four", "players": players, "format": format, **more}, Plan)


def result(pairing: Pairing, number: int, ranks: Sequence[int]) -> Result:
    n = len(pairing.players)
    seated = tuple(f"p{pairing.players[(seat + number) % n]}" for seat in range(n))
    return Result(pairing.number, number, seated, tuple(ranks), pair=number // n)


def play_all(of: Plan, size: int, ranks: Ranks, seed: int = 0) -> tuple[list[Pairing], list[Result]]:
    """To the end, the missing matches in some order."""
    progress, results = Progress(), list[Result]()
    while True:
        pairings = schedule(of, size, progress)
        missing = [(p, number) for p in pairings for number in progress.missing(p.number, p.matches)]
        if not missing:
            return pairings, results
        pairing, number = missing[seed % len(missing)]
        seed = seed * 31 + 7
        results.append(result(pairing, number, ranks(pairing, number)))
        assert progress.add(results[-1]) and not progress.add(results[-1])


def by_strength(pairing: Pairing, number: int) -> Sequence[int]:
    """Who stands first in the plan wins."""
    n = len(pairing.players)
    seated = [pairing.players[(seat + number) % n] for seat in range(n)]
    return [1 + sorted(seated).index(who) for who in seated]


def by_luck(seed: int) -> Ranks:
    def ranks(pairing: Pairing, number: int) -> Sequence[int]:
        drawn = [hash((seed, pairing.number, number, seat)) % 3 for seat in range(len(pairing.players))]
        return [1 + sum(other > mine for other in drawn) for mine in drawn]

    return ranks


# -- round robin and gauntlet ----------------------------------------------------------------------------------------


@given(n=st.integers(2, 40))
def test_in_a_round_robin_everybody_meets_everybody_once_and_sits_as_often_on_each_chair(n: int) -> None:
    pairings = schedule(plan(n, "round_robin"), 2, Progress())
    assert sorted(tuple(sorted(p.players)) for p in pairings) == list(combinations(range(n), 2))
    assert [p.number for p in pairings] == list(range(len(pairings)))
    rounds = [[who for p in pairings if p.round == k for who in p.players] for k in range(1, n + n % 2)]
    assert all(len(set(each)) == len(each) == n - n % 2 for each in rounds)
    first = Counter(p.players[0] for p in pairings)
    assert all(abs(2 * first[who] - (n - 1)) <= 1 for who in range(n))


@given(n=st.integers(2, 20), challengers=st.integers(1, 4))
def test_in_a_gauntlet_the_challengers_meet_all_others_and_nobody_else_meets(n: int, challengers: int) -> None:
    few = min(challengers, n - 1)
    pairings = schedule(plan(n, "gauntlet", challengers=few), 2, Progress())
    assert [p.players for p in pairings] == [(a, b) for a in range(few) for b in range(few, n)]


def test_a_pairing_has_every_start_from_every_chair_unless_the_plan_says_otherwise() -> None:
    starts = [Start("a"), Start("b"), Start("c")]
    assert [p.matches for p in schedule(plan(2, "round_robin", starts=msgspec.to_builtins(starts)), 2, Progress())] == [
        6
    ]
    assert [p.matches for p in schedule(plan(3, "round_robin"), 3, Progress())] == [3]
    assert [p.matches for p in schedule(plan(2, "round_robin", matches=5), 2, Progress())] == [5]


# -- tables of three and more ----------------------------------------------------------------------------------------


@given(n=st.integers(3, 9), size=st.integers(3, 6))
def test_few_players_sit_at_every_table_that_there_is(n: int, size: int) -> None:
    size = min(size, n)
    tables = [p.players for p in schedule(plan(n, "round_robin"), size, Progress())]
    assert tables == list(combinations(range(n), size))


@given(n=st.integers(3, 60), size=st.integers(3, 6), rounds=st.integers(1, 12), seed=st.integers(0, 9))
def test_tables_of_many_are_drawn_so_that_all_play_as_often_and_meet_about_as_often(
    n: int, size: int, rounds: int, seed: int
) -> None:
    size = min(size, n)
    pairings = schedule(plan(n, "round_robin", rounds=rounds, seed=seed), size, Progress())
    assert pairings == schedule(plan(n, "round_robin", rounds=rounds, seed=seed), size, Progress())
    played, met = Counter[int](), Counter[tuple[int, ...]]()
    for k in range(1, rounds + 1):
        seated = [who for p in pairings if p.round == k for who in p.players]
        assert len(set(seated)) == len(seated) == n - n % size
    for p in pairings:
        played.update(p.players)
        met.update(combinations(sorted(p.players), 2))
    assert max(played.values()) - min(played[who] for who in range(n)) <= 1
    fair = rounds * (size - 1) / (n - 1)  # how often two would meet, if all did as often
    assert max(met.values()) <= 2 * fair + 3


# -- swiss -------------------------------------------------------------------------------------------------------------


@given(n=st.integers(2, 12), rounds=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_in_a_swiss_tournament_byes_are_spread_and_everybody_plays_once_a_round(n: int, rounds: int, seed: int) -> None:
    pairings, _ = play_all(plan(n, "swiss", rounds=rounds), 2, by_luck(seed), seed)
    rested = Counter(range(n))
    for k in range(1, rounds + 1):
        seated = [who for p in pairings if p.round == k for who in p.players]
        assert len(set(seated)) == len(seated) == n - n % 2
        rested.update(set(range(n)) - set(seated))
    assert max(rested.values()) - min(rested.values()) <= 1


@given(n=st.integers(3, 9), size=st.integers(3, 5), rounds=st.integers(1, 8), seed=st.integers(0, 10**6))
def test_neighbours_in_the_table_share_one_and_who_is_too_many_rests_in_turn(
    n: int, size: int, rounds: int, seed: int
) -> None:
    size = min(size, n)
    pairings, _ = play_all(plan(n, "swiss", rounds=rounds), size, by_luck(seed), seed)
    played = Counter(dict.fromkeys(range(n), 0))
    for p in pairings:
        assert len(set(p.players)) == size
        played.update(p.players)
    assert len(pairings) == rounds * (n // size) and max(played.values()) - min(played.values()) <= 1


@given(st.integers(1, 4), st.data())
def test_nobody_meets_again_while_it_can_be_helped(half: int, data: st.DataObject) -> None:
    n = 2 * half
    pairs = [frozenset(pair) for pair in combinations(range(n), 2)]
    met = set(data.draw(st.lists(st.sampled_from(pairs), unique=True)))
    order = data.draw(st.permutations(range(n)))
    found = pair_neighbours(order, met)
    assert sorted(who for pair in found for who in pair) == list(range(n))
    possible = any(
        all(frozenset(p[k : k + 2]) not in met for k in range(0, n, 2)) for p in permutations(range(n)) if p[0] == 0
    )
    assert all(frozenset(pair) not in met for pair in found) or not possible


def test_a_swiss_tournament_puts_the_strongest_first() -> None:
    """Sixteen players who win as the plan has them: four rounds tell the first from all others."""
    pairings, results = play_all(plan(16, "swiss"), 2, by_strength)
    assert len({p.round for p in pairings}) == 4
    points = Counter[str]()
    for each in results:
        points.update(dict(zip(each.players, each.points, strict=True)))
    assert points["p0"] == 8 and all(gained < 8 for name, gained in points.items() if name != "p0")


# -- knock-out ---------------------------------------------------------------------------------------------------------


@given(n=st.integers(2, 33))
def test_in_a_knock_out_the_strongest_meet_last_and_walk_over_first(n: int) -> None:
    pairings, _ = play_all(plan(n, "knock_out"), 2, by_strength)
    assert len(pairings) == n - 1
    rounds = (n - 1).bit_length()
    assert set(pairings[-1].players) == {0, 1} and pairings[-1].round == rounds
    first = {who for p in pairings if p.round == 1 for who in p.players}
    assert set(range(n)) - first == set(range(2**rounds - n))
    out = [max(p.players) for p in pairings]
    assert sorted(out) == list(range(1, n))


def test_a_level_pairing_is_prolonged_and_in_the_end_goes_to_the_first_of_the_plan() -> None:
    pairings, results = play_all(plan(2, "knock_out"), 2, lambda pairing, number: (1, 1))
    assert pairings == [Pairing(0, 1, (0, 1), 2 + 2 * EXTENSIONS)] and len(results) == 2 + 2 * EXTENSIONS
    pairings, _ = play_all(plan(4, "knock_out"), 2, lambda pairing, number: (1, 1))
    assert pairings[-1].players == (0, 1)


def test_a_prolonged_pairing_is_not_decided_between_its_extra_matches() -> None:
    """The weaker one wins the first extra match, and the stronger one the second: it is level still."""
    progress, of = Progress(), plan(3, "knock_out")

    def play(number: int, ranks: Sequence[int]) -> Pairing:
        progress.add(result(pairing, number, ranks))
        return schedule(of, 2, progress)[0]

    pairing = schedule(of, 2, progress)[0]
    assert pairing.players == (1, 2) and pairing.matches == 2
    play(0, (1, 1))
    assert play(1, (1, 1)).matches == 4
    assert play(2, (2, 1)).matches == 4 and len(schedule(of, 2, progress)) == 1
    assert play(3, (2, 1)).matches == 6 and len(schedule(of, 2, progress)) == 1
    play(4, (2, 1))
    play(5, (1, 2))
    assert [p.players for p in schedule(of, 2, progress)] == [(1, 2), (0, 2)]


# -- whoever asks, whenever --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("format", ["round_robin", "swiss", "knock_out", "gauntlet"])
@given(n=st.integers(3, 9), seed=st.integers(0, 10**6), other=st.integers(0, 10**6))
def test_the_schedule_is_the_same_in_whatever_order_results_came(
    format: str, size: int, n: int, seed: int, other: int
) -> None:
    if size > 2 and format in ("knock_out", "gauntlet"):
        return
    of = plan(n, format)
    one, first = play_all(of, size, by_luck(seed), seed)
    two, second = play_all(of, size, by_luck(seed), other)
    assert one == two and {(r.pairing, r.game): r for r in first} == {(r.pairing, r.game): r for r in second}
    again = Progress()
    for each in sorted(first, key=lambda r: hash((other, r.pairing, r.game))):
        again.add(each)
    assert schedule(of, size, again) == one


@pytest.mark.parametrize("format", ["round_robin", "swiss", "knock_out"])
@given(n=st.integers(2, 9), seed=st.integers(0, 10**6))
def test_a_tournament_that_reads_its_results_one_by_one_knows_what_is_missing(format: str, n: int, seed: int) -> None:
    of = plan(n, format)
    tournament, wanted = Tournament(of), play_all(of, 2, by_luck(seed), seed)[0]
    ranks, seq = by_luck(seed), 0
    while not tournament.over:
        pairing, number = next(tournament.missing())
        seq += 1
        new = result(pairing, number, ranks(pairing, number))
        row = StoredResult(pairing.number, number, msgspec.json.encode(new).decode(), seq=seq)
        assert tournament.read([row]) == [new] and tournament.read([row]) == [] and tournament.seen == seq
    assert tournament.pairings == wanted and tournament.planned == tournament.progress.matches == seq
