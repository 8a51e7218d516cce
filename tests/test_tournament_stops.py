"""Tournaments that end by themselves: when the sequential test knows its answer, when a program is late; and whatever
they keep of their matches meanwhile, which does not grow with the number of these."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

import msgspec
import pytest

from quincunx.cli.standings import Watching
from quincunx.store import Store
from quincunx.store.contests import StoredResult
from quincunx.tournament.plan import Plan, Time
from quincunx.tournament.playing import Done, Finished, Task, perform
from quincunx.tournament.results import Result
from quincunx.tournament.runner import Runner
from quincunx.tournament.tournament import PairedTest, Tournament

SPRT = "elo0=0 elo1=100"


def pairs_won_by(winner: str, pairs: int, first: int = 0) -> list[Result]:
    """Of `old` and `new`, from both chairs."""
    found = []
    for number in range(2 * first, 2 * (first + pairs)):
        players = ("old", "new") if number % 2 == 0 else ("new", "old")
        ranks = (1, 2) if players[0] == winner else (2, 1)
        found.append(Result(0, number, players, ranks, pair=number // 2))
    return found


# -- the sequential test ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("winner, verdict, sign", [("new", "elo1", 1), ("old", "elo0", -1)])
def test_the_second_player_is_the_one_that_is_asked_about(winner: str, verdict: str, sign: int) -> None:
    test = PairedTest(SPRT)
    for result in pairs_won_by(winner, 40):
        test.add(result)
    assert (test.decided, test.state.verdict) == (True, verdict) and sign * test.state.estimate.elo > 0
    assert ("is better" in test.words.en) == (winner == "new") and test.state.pairs < 40


def test_pairs_count_in_their_order_whoever_ends_first() -> None:
    """The first pairs are won, later ones lost: what is known after them depends on nothing else."""
    results = [*pairs_won_by("new", 6), *pairs_won_by("old", 30, first=6)]
    states = []
    for order in (results, results[::-1], results[1::2] + results[::2]):
        test = PairedTest(SPRT)
        for result in order:
            test.add(result)
        states.append(test.state)
    assert states[0] == states[1] == states[2] and states[0].verdict == "elo0"


def test_a_match_without_its_partner_says_nothing_and_neither_do_pairs_behind_it() -> None:
    test = PairedTest(SPRT)
    for result in pairs_won_by("new", 40)[1:]:
        test.add(result)
    assert test.state.pairs == 0 and not test.decided
    test.add(pairs_won_by("new", 1)[0])
    assert test.decided


def test_a_tournament_is_over_as_soon_as_its_test_is() -> None:
    plan = Plan("connect_four", ("old", "new"), matches=40_000, sprt=SPRT)
    tournament, read = Tournament(plan), 0
    for result in pairs_won_by("new", 100):
        if tournament.over:
            break
        tournament.read([StoredResult(0, result.game, msgspec.json.encode(result).decode())])
        read += 1
    assert tournament.over and 2 <= read < 100 and next(tournament.missing(), None) is None


@pytest.mark.slow
@pytest.mark.parametrize("old, new, better", [("random", "greedy", True), ("greedy", "random", False)])
def test_compare_says_which_is_better_and_stops(tmp_path: Path, old: str, new: str, better: bool) -> None:
    ran = _quincunx(tmp_path, "compare", old, new, "--game", "connect_four", "--sprt", SPRT, "--seed", "7")
    assert ran.returncode == 0, ran.stderr
    assert ("The second is better" in ran.stdout) == better and ("is not better" in ran.stdout) != better
    (estimate,) = re.findall(r"Difference: ([+-]\d+) Elo", ran.stdout)
    assert (int(estimate) > 0) == better
    shown = _quincunx(tmp_path, "tournament", "show", new)
    (played,) = re.findall(r"(\d+) matches played; it is over", shown.stdout)
    assert int(played) < 2000  # of 40,000


@pytest.mark.slow
def test_a_start_that_never_changes_is_warned_of_once(tmp_path: Path) -> None:
    said = [
        _quincunx(tmp_path, "tournament", "connect_four", "greedy", "random", "--matches", "4", "--seed", seed, *more)
        for seed, more in (("1", ["--opening", "0"]), ("2", []))
    ]
    assert [ran.stdout.count("All matches begin alike") for ran in said] == [1, 0]


def _quincunx(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "quincunx", "--lang", "en", *words, "--database", "results.db"]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "120"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", env=environment)


# -- time ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_program_that_does_not_answer_in_the_time_of_the_plan_loses(tmp_path: Path) -> None:
    """In the time that is usual it would answer, though nonsense."""
    slow = tmp_path / "slow.py"
    slow.write_text("import time\ntime.sleep(2)\nprint('nonsense\\n' * 9, flush=True)\ntime.sleep(60)\n", "utf-8")
    player = f"program:{sys.executable} {slow}"
    plan = Plan("connect_four", ("random", player), time=Time(turn=0.2, start=0.5))
    done = perform(Task(msgspec.json.encode(plan), 0, (0, 1), (0, 1)))
    for match, lost in zip(done.matches, (1, 0), strict=True):  # from either chair
        result = msgspec.json.decode(match.result, type=Result)
        assert result.players[lost] == player and result.ranks[lost] == 2 and result.ranks[1 - lost] == 1
        assert ": late" in result.troubles[lost] and result.troubles[1 - lost] == ""


# -- what is kept ----------------------------------------------------------------------------------------------------


class Pretended(Executor):
    """An executor that plays nothing: every match ends at once, as the chairs say."""

    def submit(self, fn: Any, /, *given: Any, **named: Any) -> Future[Any]:
        (task,) = given
        players = ("old", "new")
        done: Future[Any] = Future()
        done.set_result(Done([self._match(task.pairing, n, players[:: 1 - 2 * (n % 2)]) for n in task.numbers], 1e-3))
        return done

    def _match(self, pairing: int, number: int, players: Sequence[str]) -> Finished:
        result = Result(pairing, number, tuple(players), (1, 2), pair=number // 2, seconds=(1.0, 1.0), choices=(9, 9))
        return Finished(pairing, number, msgspec.json.encode(result), b"", "here/1")

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None: ...


def objects(*kept: Any) -> int:
    """How many can be reached from these: every result that somebody holds is among them."""
    seen, left = set[int](), list(kept)
    while left:
        each = left.pop()
        if id(each) not in seen and not isinstance(each, (type, ModuleType, FunctionType, MethodType)):
            seen.add(id(each))
            left += gc.get_referents(each)
    return len(seen)


async def kept_after(matches: int, file: Path) -> int:
    plan = Plan("connect_four", ("old", "new"), matches=matches, sprt="elo0=0 elo1=1")
    async with Store.open(str(file)) as store:
        watching, told = Watching(plan), 0

        def hear(new: Sequence[Result]) -> None:
            nonlocal told
            told += len(new)
            watching.add(new)

        runner = Runner(store.contests, plan, Pretended, lambda: 2, hear)
        watching.follow(runner.tournament)
        assert await runner.run() and told == matches
        parts = (runner._running, runner._ready, runner._losses, runner._rivals)
        return objects(runner.tournament, watching.standings, *parts)


@pytest.mark.slow
def test_what_a_runner_keeps_does_not_grow_with_the_number_of_matches(tmp_path: Path) -> None:
    few, many = (asyncio.run(kept_after(n, tmp_path / f"{n}.db")) for n in (1000, 6000))
    assert many < few + 100
