"""The contests of a store, on SQLite and a real PostgreSQL server: every match once, in one line without gaps, and
whoever runs a contest takes what nobody else plays."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Event as ThreadEvent
from time import time_ns
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quincunx.core.words import Refused
from quincunx.store import Unavailable
from quincunx.store import contests as contests_module
from quincunx.store.contests import Match, Rivals, Step, StoredResult
from quincunx.tournament import runner as runner_module
from quincunx.tournament.executors import _Cluster
from quincunx.tournament.plan import Plan
from quincunx.tournament.playing import Task, perform
from quincunx.tournament.runner import Runner, read_tournament
from stores import Stores

pytestmark = pytest.mark.slow  # left out of `make check`

numbers = count()


def nothing(news: Sequence[StoredResult], held: set[Match]) -> list[Match]:
    return []


class Contest:
    """One contest, and runners in two stores."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.both = (stores.one.contests, stores.two.contests)
        self.id = f"c{next(numbers)}"
        stores.run(self.both[0].create(self.id, "Cup", "khet", "{}"))
        self.rivals = {name: Rivals() for name in "abc"}

    async def advance(
        self, runner: str, played: Sequence[Match] = (), seen: int = 0, holding: Sequence[Match] = (), wants: int = 0
    ) -> Step:
        """`wants`: so many of the matches (0, 0), (0, 1) … that others do not hold."""
        rows = [StoredResult(*match, f'"{runner}"', record=bytes(match)) for match in played]

        def choose(news: Sequence[StoredResult], held: set[Match]) -> list[Match]:
            return [(0, n) for n in range(100) if (0, n) not in held][:wants]

        store = self.both[ord(runner) % 2]
        return await store.advance(self.id, runner, rows, seen, holding, choose, self.rivals[runner])

    def run(self, *args: Any, **more: Any) -> Step:
        return self.stores.run(self.advance(*args, **more))

    def all(self, after: int = 0) -> list[StoredResult]:
        async def read() -> list[StoredResult]:
            return [row async for row in self.both[0].results(self.id, after)]

        return self.stores.run(read())


@pytest.fixture
def contest(stores: Stores) -> Contest:
    return Contest(stores)


def test_a_contest_is_made_once_and_found_by_how_it_begins(stores: Stores) -> None:
    one, two = stores.one.contests, stores.two.contests

    async def at_once() -> list[Any]:
        return await asyncio.gather(*(each.create("cup-27", "Cup", "khet", "{}") for each in (one, two) * 5))

    assert len(set(map(msgspec.json.encode, stores.run(at_once())))) == 1
    stores.run(one.create("cup-28", "Other", "khet", "{}"))
    assert stores.run(two.get("cup-28")).name == "Other"
    for unclear in ("cup-2", "", "cup%", "cup-270"):
        assert stores.code(two.get(unclear)) == "no_such_contest"
    assert [c.id for c in stores.run(two.latest())][:1] == ["cup-28"]
    stores.run(one.delete("cup-28"))
    assert stores.run(two.get("cup-")).id == "cup-27"
    stores.run(one.delete("cup-27"))
    assert stores.code(one.advance("cup-27", "a", [], 0, [], nothing, Rivals())) == "no_such_contest"


match = st.tuples(st.integers(0, 2), st.integers(0, 5))


@given(writes=st.lists(st.tuples(st.sampled_from("abc"), st.lists(match, max_size=6)), max_size=12))
def test_of_many_who_write_the_same_matches_one_is_kept_in_a_line_without_gaps(
    stores: Stores, writes: list[tuple[str, list[Match]]]
) -> None:
    contest = Contest(stores)

    async def at_once() -> list[Step]:
        return await asyncio.gather(*(contest.advance(runner, played) for runner, played in writes))

    steps, stored = stores.run(at_once()), contest.all()
    assert [row.seq for row in stored] == list(range(1, len(stored) + 1))
    keys = [(row.pairing, row.number) for row in stored]
    assert len(set(keys)) == len(keys) and set(keys) == {key for _, played in writes for key in played}
    for (_, played), step in zip(writes, steps, strict=True):
        assert [row.seq for row in step.news] == list(range(1, len(step.news) + 1))
        assert set(played) <= {(row.pairing, row.number) for row in step.news}  # its own are among them
    assert stores.run(stores.one.contests.get(contest.id)).results == len(stored)


def test_results_are_told_after_what_was_seen_with_their_records_apart(contest: Contest) -> None:
    contest.run("a", [(0, 0), (0, 1)])
    step = contest.run("b", [(1, 7)], seen=1)
    assert [(row.seq, row.pairing, row.number, row.result) for row in step.news] == [(2, 0, 1, '"a"'), (3, 1, 7, '"b"')]
    assert all(row.record is None and row.at > 0 for row in step.news)
    assert [row.seq for row in contest.all(2)] == [3]
    record = contest.both[1].record
    assert contest.stores.run(record(contest.id, 1, 7)) == bytes((1, 7))
    assert contest.stores.run(record(contest.id, 1, 8)) is None
    assert contest.run("b", [(1, 7)], seen=3).news == []  # it was there, and known


def test_more_results_than_are_read_at_once(contest: Contest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contests_module, "PORTION", 3)
    contest.run("a", [(0, n) for n in range(7)])
    assert [row.number for row in contest.all()] == list(range(7))


# -- claims ------------------------------------------------------------------------------------------------------------


def test_nobody_takes_what_another_holds(contest: Contest) -> None:
    assert contest.run("a", wants=3).taken == [(0, 0), (0, 1), (0, 2)]
    assert contest.run("b", wants=2).taken == [(0, 3), (0, 4)]
    assert sorted(contest.stores.run(contest.both[0].playing(contest.id))) == [(0, n) for n in range(5)]
    assert contest.run("a", [(0, 0)], holding=[(0, 1)], wants=0).taken == []  # it has given (0, 2) up
    assert contest.run("b", holding=[(0, 3), (0, 4)], wants=1).taken == [(0, 0)]  # who chooses knows what is over
    contest.stores.run(contest.both[1].leave(contest.id, "a", False))
    assert contest.run("c", wants=2).taken == [(0, 1), (0, 2)]


def test_a_runner_that_stays_silent_or_is_known_to_be_gone_holds_nothing(
    contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(contests_module, "time", SimpleNamespace(monotonic=lambda: clock[0], time_ns=time_ns))
    contest.run("a", wants=2)
    contest.run("b", wants=1)  # sees the claim of a for the first time
    clock[0] += contests_module.SILENCE - 1
    assert contest.run("b", wants=1).taken == [(0, 2)]
    contest.run("a", holding=[(0, 0), (0, 1)])  # it lives
    clock[0] += 2
    assert contest.run("b", wants=1).taken == [(0, 2)]
    clock[0] += contests_module.SILENCE
    assert contest.run("b", wants=1).taken == [(0, 0)]
    contest.run("a", holding=[(0, 1)])  # it was only slow: it may go on
    contest.rivals["c"] = Rivals(lambda runner: runner == "a")
    assert contest.run("c", wants=2).taken == [(0, 1), (0, 2)]


def test_a_contest_is_finished_once(contest: Contest) -> None:
    assert contest.stores.run(contest.both[0].get(contest.id)).finished is None
    contest.stores.run(contest.both[0].leave(contest.id, "a", True))
    at = contest.stores.run(contest.both[1].get(contest.id)).finished
    contest.stores.run(contest.both[1].leave(contest.id, "b", True))
    assert at is not None and contest.stores.run(contest.both[1].get(contest.id)).finished == at


# -- runners -----------------------------------------------------------------------------------------------------------


def plan(**more: Any) -> Plan:
    return msgspec.convert(
        {"name": f"n{next(numbers)}", "game": "connect_four", "players": ["random", "greedy"], "matches": 60, **more},
        Plan,
    )


class Threads(ThreadPoolExecutor):
    """Of this process; it keeps in mind what was played."""

    def __init__(self, played: list[Match]) -> None:
        super().__init__(2)
        self._played = played

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        self._played += [(args[0].pairing, number) for number in args[0].numbers]
        return super().submit(fn, *args, **kwargs)


async def play_together(stores: Stores, of: Plan, told: list[list[Any]], played: list[Match]) -> list[bool]:
    """A runner in each store."""
    runners = [
        Runner(store.contests, of, lambda: Threads(played), lambda: 2, heard.extend)
        for store, heard in zip((stores.one, stores.two), told, strict=True)
    ]
    return await asyncio.gather(*(runner.run() for runner in runners))


@pytest.mark.parametrize("format", ["round_robin", "swiss", "knock_out"])
def test_two_runners_share_a_tournament_and_hear_of_every_result_once(stores: Stores, format: str) -> None:
    of, told = plan(format=format, players=["random", "greedy", "level:1"], matches=20), [list[Any](), list[Any]()]
    played: list[Match] = []
    assert stores.run(play_together(stores, of, told, played)) == [True, True]
    assert len(set(played)) == len(played) == len(told[0])  # nothing twice
    contest = stores.run(stores.one.contests.get(of.id))
    tournament, results = stores.run(read_tournament(stores.two.contests, contest))
    assert tournament.over and contest.finished is not None and tournament.planned == len(results) == contest.results
    for heard in told:
        assert sorted(map(msgspec.json.encode, heard)) == sorted(map(msgspec.json.encode, results))
    assert stores.run(stores.one.contests.playing(of.id)) == []


def test_what_a_task_raises_is_told_and_the_claims_are_free(stores: Stores) -> None:
    of = plan(starts=[{"setup": "nonsense"}])
    with pytest.raises(Refused):
        stores.run(Runner(stores.one.contests, of, lambda: ThreadPoolExecutor(1), lambda: 1).run())


def test_a_runner_that_is_told_it_is_enough_ends_what_it_plays_and_another_goes_on(stores: Stores) -> None:
    of, heard = plan(matches=1000), list[Any]()

    async def half() -> bool:
        enough = asyncio.Event()

        def told(new: Sequence[Any]) -> None:
            heard.extend(new)
            if heard:
                enough.set()

        return await Runner(stores.one.contests, of, lambda: ThreadPoolExecutor(1), lambda: 1, told).run(enough)

    assert not stores.run(half())
    stored = stores.run(stores.two.contests.get(of.id))
    assert 0 < len(heard) == stored.results < 1000 and stored.finished is None
    assert stores.run(stores.two.contests.playing(of.id)) == []
    assert stores.run(play_together(stores, of, [[], []], [])) == [True, True]
    assert stores.run(stores.two.contests.get(of.id)).results == 1000


def test_while_the_database_is_away_a_runner_waits_and_loses_nothing(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writes fail by turns before anything happens, in the middle, after another runner wrote, and after a commit."""
    of, heard, told = plan(matches=60), list[Any](), list[str]()
    honest, leave = stores.one.contests.advance, stores.one.contests.leave
    (other,) = perform(Task(msgspec.json.encode(of), 0, (0, 1), (59,))).matches
    fails = ["before", "middle", "after", "leave"]

    async def advance(id: str, me: str, played: Any, seen: int, holding: Any, choose: Any, rivals: Rivals) -> Step:
        if not played or "leave" in fails[:1]:
            return await honest(id, me, played, seen, holding, choose, rivals)
        fail = fails.pop(0)
        if fail == "middle":  # what was written is rolled back, and the next numbers are another runner's
            choose([msgspec.structs.replace(row, seq=seen + n) for n, row in enumerate(played, 1)], set())
            row = StoredResult(0, 59, other.result.decode(), record=other.record)
            await stores.two.contests.advance(id, "b", [row], 0, [], nothing, Rivals())
        elif fail == "after":
            await honest(id, me, played, seen, holding, choose, rivals)
        raise Unavailable("The database does not answer.")

    async def left(*given: Any) -> None:
        if fails:
            fails.clear()
            raise Unavailable("The database does not answer.")
        await leave(*given)

    monkeypatch.setattr(stores.one.contests, "advance", advance)
    monkeypatch.setattr(stores.one.contests, "leave", left)
    monkeypatch.setattr(runner_module, "PAUSE", 0.01)
    runner = Runner(
        stores.one.contests, of, lambda: ThreadPoolExecutor(1), lambda: 1, heard.extend, lambda: told.append("away")
    )
    assert stores.run(asyncio.wait_for(runner.run(), 60))
    assert not fails and sorted(each.game for each in heard) == list(range(60)) and told
    assert stores.run(stores.two.contests.get(of.id)).results == 60
    assert stores.run(stores.two.contests.playing(of.id)) == []


def test_enough_while_the_database_is_away_writes_what_was_played_first(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    of, fails, enough = plan(matches=500), [3], asyncio.Event()
    honest, played_ones = stores.one.contests.advance, list[Match]()

    async def advance(id: str, me: str, played: Any, *more: Any) -> Step:
        if played and fails[0]:
            fails[0] -= 1
            enough.set()
            raise Unavailable("The database does not answer.")
        return await honest(id, me, played, *more)

    monkeypatch.setattr(stores.one.contests, "advance", advance)
    monkeypatch.setattr(runner_module, "PAUSE", 0.01)
    runner = Runner(stores.one.contests, of, lambda: Threads(played_ones), lambda: 1)
    assert not stores.run(asyncio.wait_for(runner.run(enough), 60))
    assert stores.run(stores.two.contests.get(of.id)).results > 0 and not fails[0]


class FakeCluster:
    """A client of dask whose executor is threads: what is asked of it here is the same."""

    status = "running"

    def scheduler_info(self, **_: Any) -> dict[str, int]:
        return {"n_workers": 1}

    def get_executor(self, **_: Any) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1)


def test_what_a_cluster_plays_is_not_called_back() -> None:
    """Whether it waits or is being played, here nobody knows: whoever is told it was called back would not write it."""
    begun, go_on = ThreadEvent(), ThreadEvent()

    def played() -> str:
        begun.set()
        go_on.wait(60)
        return "a result"

    cluster = _Cluster(FakeCluster(), "tcp://here")
    running = cluster.submit(played)
    assert begun.wait(60)
    assert not running.cancel()
    go_on.set()
    assert running.result(60) == "a result"
