"""The store, on SQLite and on a real PostgreSQL server: what was acknowledged is there, once, in order."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, aclosing, closing
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from appender import append_against_others, append_for_ever, entry, new_match, open_and_create, process
from postgres import Cluster
from quincunx.core.words import Refused, Words
from quincunx.games import cards, load
from quincunx.match import Happened, Match, Outcome, Played, replay
from quincunx.match.clock import ClockRule
from quincunx.match.record import EventName
from quincunx.store import Appended, Conflict, Duplicate, Hint, Store, StoredMatch, StoredSeat, Unavailable
from quincunx.store.database import _write_ahead, complete
from quincunx.store.hints import _pages
from quincunx.store.schema import metadata
from quincunx.store.writer import BATCH, WAITING

T = TypeVar("T")
ids = (f"m{n}" for n in count())


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """One database for all tests: each makes its own matches."""
    if request.param == "sqlite":
        return str(tmp_path_factory.mktemp("store") / "matches.db")
    server: Cluster = request.getfixturevalue("postgres")
    return server.database()


class Tables:
    """Two stores on one database, and the loop in which they live."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.runner = asyncio.Runner()
        self._exit = AsyncExitStack()
        self.one, self.two = self.run(self._open()), self.run(self._open())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    async def _open(self) -> Store:
        return await self._exit.enter_async_context(Store.open(self.address))

    def code(self, work: Coroutine[Any, Any, Any]) -> str:
        """Of the refusal that the work meets."""
        with pytest.raises(Refused) as refused:
            self.run(work)
        return refused.value.code

    def close(self) -> None:
        self.run(self._exit.aclose())
        self.runner.close()

    def match(self, **more: Any) -> str:
        return self.run(self.one.create(new_match(next(ids), **more))).id


@pytest.fixture(scope="module")
def tables(address: str) -> Iterator[Tables]:
    tables = Tables(address)
    yield tables
    tables.close()


# -- entries --------------------------------------------------------------------------------------------------------

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
played = st.builds(Played, st.integers(-1, 5), words, st.integers(0, 2**62), words)
events = st.sampled_from(EventName.__args__)  # type: ignore[attr-defined]
happened = st.builds(Happened, events, st.integers(0, 2**62), st.none() | st.integers(0, 5), words, st.integers(0, 9))


@given(pages=st.lists(st.lists(played | happened, min_size=1, max_size=5), max_size=4))
def test_entries_are_read_back_as_they_were(tables: Tables, pages: list[list[Any]]) -> None:
    match = tables.match()
    seq = 0
    for page in pages:
        answer = tables.run(tables.one.append(match, seq, page, f"id-{seq}"))
        assert answer == Appended(seq + len(page))
        seq += len(page)
    stored = tables.run(tables.two.entries(match))
    assert [s.seq for s in stored] == list(range(1, seq + 1))
    assert [s.entry for s in stored] == [e for page in pages for e in page]
    assert [s.client_move_id for s in stored if s.client_move_id] == [f"id-{s}" for s in _begins(pages)]
    assert tables.run(tables.two.entries(match, seq // 2)) == stored[seq // 2 :]


def _begins(pages: list[list[Any]]) -> list[int]:
    return [sum(map(len, pages[:n])) for n in range(len(pages))]


wish = st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 6), st.integers(1, 3), st.integers(0, 8))


@given(wishes=st.lists(wish, max_size=40))
def test_any_interleaving_leaves_one_gapless_line_in_each_match(
    tables: Tables, wishes: list[tuple[int, int, int, int, int]]
) -> None:
    """Two stores append at once, after whatever seq, with ids that come again."""
    matches = [tables.match() for _ in range(3)]
    stores = (tables.one, tables.two)

    async def all_at_once() -> list[Any]:
        work = [
            stores[who].append(matches[which], after, [entry(f"{n}.{k}") for k in range(many)], f"id-{move}")
            for n, (who, which, after, many, move) in enumerate(wishes)
        ]
        return await asyncio.gather(*work)

    answers = tables.run(all_at_once())
    for which, match in enumerate(matches):
        stored = tables.run(tables.one.entries(match))
        assert [s.seq for s in stored] == list(range(1, len(stored) + 1))
        written = {s.seq: s for s in stored}
        expected: dict[int, str] = {}
        for n, ((_, where, after, many, move), answer) in enumerate(zip(wishes, answers, strict=True)):
            if where != which:
                continue
            if isinstance(answer, Appended):
                assert answer.last_seq == after + many
                expected |= {after + 1 + k: f"{n}.{k}" for k in range(many)}
            elif isinstance(answer, Duplicate):
                assert written[answer.seq].client_move_id == f"id-{move}"
            else:
                assert answer.last_seq != after and answer.last_seq <= len(stored)
        actions = {seq: s.entry.action for seq, s in written.items() if isinstance(s.entry, Played)}
        assert actions == expected  # what was acknowledged, all of it, and nothing else
        sent = [s.client_move_id for s in stored if s.client_move_id]
        assert len(sent) == len(set(sent))


def test_a_conflict_tells_the_truth_and_writes_nothing(tables: Tables) -> None:
    match = tables.match()
    run = tables.run
    assert run(tables.one.append(match, 0, [entry("a"), entry("b")], "x")) == Appended(2)
    assert run(tables.two.append(match, 1, [entry("c")], "y")) == Conflict(2)
    assert run(tables.two.append(match, 7, [entry("c")], "y")) == Conflict(2)
    assert run(tables.two.append(match, -1, [entry("c")], "y")) == Conflict(2)
    assert run(tables.two.append(match, 2, [entry("c")], "x")) == Duplicate(1)
    assert run(tables.two.append(match, 2, [entry("c")], "y")) == Appended(3)
    assert run(tables.one.append(match, 0, [entry("c")], "y")) == Duplicate(3)
    other = tables.match()
    assert run(tables.one.append(other, 0, [entry("a")], "x")) == Appended(1)  # ids are of a match


def test_what_cannot_be_is_refused_and_does_not_hurt_the_others_in_its_batch(tables: Tables) -> None:
    good, bad = tables.match(), tables.match()

    async def together() -> list[Any]:
        work: list[Awaitable[Any]] = [
            tables.one.append(good, 0, [entry("a")]),
            tables.one.append("nowhere", 0, [entry("a")]),
            tables.one.append(bad, 0, [entry("a", at=2**70)]),  # the database cannot write this number
            tables.one.create(new_match(good)),
            tables.one.append(good, 1, [entry("b")]),
        ]
        return await asyncio.gather(*work, return_exceptions=True)

    first, nowhere, number, again, second = tables.run(together())
    assert (first, second) == (Appended(1), Appended(2))
    assert isinstance(nowhere, Refused) and nowhere.code == "no_such_match"
    assert isinstance(again, Refused) and again.code == "taken"
    assert isinstance(number, Exception) and tables.run(tables.one.entries(bad)) == []
    for wrong in ("", "x" * 65, "a b", "é", "a\0"):
        assert tables.code(tables.one.append(good, 2, [entry("c")], wrong)) == "unreadable"
    assert tables.code(tables.one.append(good, 2, [])) == "unreadable"


def test_work_that_raises_leaves_nothing_and_does_not_hurt_the_others_in_its_batch(tables: Tables) -> None:
    match = tables.match()

    async def give_up(connection: AsyncConnection) -> None:
        await connection.execute(text("UPDATE matches SET game = 'lost' WHERE id = :id"), {"id": match})
        raise Refused("no", Words("Non.", "No."))

    async def together() -> list[Any]:
        work: list[Awaitable[Any]] = [tables.one._writer.do("x", give_up), tables.one.append(match, 0, [entry("a")])]
        return await asyncio.gather(*work, return_exceptions=True)

    no, yes = tables.run(together())
    found = tables.run(tables.one.match(match))
    assert isinstance(no, Refused) and yes == Appended(1) and found is not None and found.game == "khet"


def test_more_may_ask_at_once_than_the_queue_holds(tables: Tables) -> None:
    matches = [tables.match() for _ in range(3)]
    many = 2 * WAITING // 3

    async def flood() -> list[Any]:
        return await asyncio.gather(
            *(tables.one.append(m, seq, [entry(str(seq))], f"id-{seq}") for seq in range(0, many, 64) for m in matches),
            *(tables.one.append(m, 0, [entry("first")], "id-0") for m in matches for _ in range(BATCH)),
            *(tables.two.append(m, 1, [entry("second")]) for m in matches for _ in range(WAITING // 2)),
        )

    answers = tables.run(flood())
    assert len(answers) > WAITING
    for match in matches:
        stored = tables.run(tables.one.entries(match))
        assert [s.seq for s in stored] == [1, 2][: len(stored)] and stored
    assert sum(isinstance(a, Appended) for a in answers) == sum(
        len(tables.run(tables.one.entries(match))) for match in matches
    )


def test_the_outcome_is_written_with_the_last_entry_or_not_at_all(tables: Tables) -> None:
    match = tables.match()
    outcome = Outcome("resign", [1, 0], [1, 2])
    assert isinstance(tables.run(tables.one.append(match, 5, [entry("a")], outcome=outcome)), Conflict)
    assert _status(tables, match) == ("playing", None)
    end = Happened("resign", 7, 1)
    assert isinstance(tables.run(tables.one.append(match, 0, [end], outcome=outcome)), Appended)
    assert _status(tables, match) == ("over", outcome)


def _status(tables: Tables, match: str) -> tuple[str, Outcome | None]:
    found = tables.run(tables.two.match(match))
    assert found is not None
    return found.status, found.outcome


def test_a_match_replays_from_the_store(tables: Tables) -> None:
    game = Match(load("khet", "interpreted"), seed=3)
    record = game.record()
    fields = {name: getattr(record, name) for name in ("game", "rules", "options", "start", "start_digest", "seed")}
    seats = tuple(StoredSeat("person", seat.name) for seat in record.seats)
    id = tables.match(seats=seats, **fields)
    game.play("H2-G1", at=5).play("F8-F7", at=9).resign(0, at=12)
    tables.run(tables.one.append(id, 0, game.entries, outcome=game.outcome))
    stored = tables.run(tables.two.match(id))
    assert stored is not None
    again = stored.record(tables.run(tables.two.entries(id)))
    assert again == game.record()
    assert replay(again).outcome == game.outcome


# -- several processes ----------------------------------------------------------------------------------------------


def test_two_processes_write_the_same_matches(tables: Tables) -> None:
    matches = [tables.match() for _ in range(4)]
    said: dict[str, list[tuple[str, int, str]]] = {"left": [], "right": []}
    with ExitStack() as stack:
        pipes = {
            name: stack.enter_context(process(append_against_others, tables.address, matches, name, 12))[1]
            for name in said
        }
        for pipe in pipes.values():
            assert pipe.recv() == "ready"
        for pipe in pipes.values():
            pipe.send("go")
        for name, pipe in pipes.items():
            said[name] = list(iter(pipe.recv, None))
    for match in matches:
        stored = tables.run(tables.one.entries(match))
        assert [s.seq for s in stored] == list(range(1, 25))
        acknowledged = {(seq, move) for moves in said.values() for where, seq, move in moves if where == match}
        assert {(s.seq, s.client_move_id) for s in stored} == acknowledged
        assert len(acknowledged) == 24


def test_no_acknowledged_move_is_lost_when_a_process_is_killed(tables: Tables) -> None:
    matches = [tables.match() for _ in range(4)]
    chance = random.Random(7)
    acknowledged: set[tuple[str, int, str]] = set()
    for death in range(20):
        with process(append_for_ever, tables.address, matches, f"life{death}") as (child, pipe):
            acknowledged.add(pipe.recv())
            child.join(chance.uniform(0, 0.06))
            child.kill()
            child.join()
            with pytest.raises((EOFError, ConnectionResetError)):
                while True:
                    acknowledged.add(pipe.recv())
    assert len(acknowledged) >= 20
    _check_after_crash(tables.run, tables.one, matches, acknowledged)


def _check_after_crash(
    run: Callable[..., Any], store: Store, matches: list[str], acknowledged: set[tuple[str, int, str]]
) -> None:
    for match in matches:
        stored = run(store.entries(match))
        assert [s.seq for s in stored] == list(range(1, len(stored) + 1))
        moves = [(match, s.seq, s.client_move_id) for s in stored if s.client_move_id]
        assert len({move for _, _, move in moves}) == len(moves) == len(stored) / 2  # a move and its dice, or neither
        assert {said for said in acknowledged if said[0] == match} <= set(moves)


def test_no_acknowledged_move_is_lost_when_postgresql_crashes(postgres: Cluster) -> None:
    """Its settings are careless (synchronous_commit=off): the store must insist."""
    tables = Tables(postgres.database())
    matches = [tables.match() for _ in range(4)]
    acknowledged: set[tuple[str, int, str]] = set()
    for death in range(2):
        with process(append_for_ever, tables.address, matches, f"life{death}") as (_, pipe):
            acknowledged |= {pipe.recv() for _ in range(20)}
            postgres.crash()
            with pytest.raises((EOFError, ConnectionResetError)):  # its process gives up: the database was away
                while True:
                    acknowledged.add(pipe.recv())
    _check_after_crash(tables.run, tables.one, matches, acknowledged)
    tables.close()


def test_several_processes_open_a_new_database_at_once(
    address: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    new = str(tmp_path / "sub" / "new.db")
    if "://" in address:
        new = request.getfixturevalue("postgres").database()
    with ExitStack() as stack:
        pipes = [stack.enter_context(process(open_and_create, new, f"m{n}"))[1] for n in range(4)]
        assert [pipe.recv() for pipe in pipes] == ["ready"] * 4
        for pipe in pipes:
            pipe.send("go")
        assert [pipe.recv() for pipe in pipes] == [None] * 4


def test_who_finds_a_new_file_of_sqlite_locked_waits(tmp_path: Path) -> None:
    """SQLite itself says at once that it is locked, however long it was told to wait."""
    path = str(tmp_path / "a.db")
    with ThreadPoolExecutor() as pool, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE t (x)")
        other.execute("BEGIN IMMEDIATE")
        waiting = pool.submit(_write_ahead, path)
        with pytest.raises(TimeoutError):
            waiting.result(0.1)
        other.execute("COMMIT")
        waiting.result()
    with closing(sqlite3.connect(path)) as third:
        assert third.execute("PRAGMA journal_mode").fetchone() == ("wal",)


# -- hints ----------------------------------------------------------------------------------------------------------


def test_others_hear_of_what_was_appended_and_the_store_itself_does_not(tables: Tables) -> None:
    async def listen() -> None:
        match, own = (
            (await tables.one.create(new_match(next(ids)))).id,
            (await tables.one.create(new_match(next(ids)))).id,
        )
        async with asyncio.timeout(20), aclosing(tables.two.hints()) as hints:  # type: ignore[type-var]
            assert await anext(hints) == Hint(None, 0)
            await tables.two.append(own, 0, [entry("mine")])
            await tables.one.append(match, 0, [entry("a"), entry("b")])
            assert await anext(hints) == Hint(match, 2)
            await tables.one.append(match, 1, [entry("refused")])
            await tables.one.append(match, 2, [entry("c")])
            assert await anext(hints) == Hint(match, 3)

    tables.run(listen())


def test_hints_of_a_large_batch_all_arrive(tables: Tables) -> None:
    async def listen() -> None:
        long = "x" * 50
        many = [(await tables.one.create(new_match(f"{long}-{next(ids)}"))).id for _ in range(3)]
        many += await asyncio.gather(*(_create(tables.one, f"{long}-{next(ids)}") for _ in range(300)))
        async with asyncio.timeout(30), aclosing(tables.two.hints()) as hints:  # type: ignore[type-var]
            await anext(hints)
            await asyncio.gather(*(tables.one.append(match, 0, [entry("a")]) for match in many))
            assert {await anext(hints) for _ in many} == {Hint(match, 1) for match in many}

    tables.run(listen())


def test_a_notice_is_never_too_long_for_postgresql() -> None:
    news = [("x" * (n % 64 + 1), n) for n in range(BATCH)]
    pages = list(_pages("origin", news))
    assert all(len(page) < 8000 for page in pages)
    assert [word for page in pages for word in page.split()[1:]] == [f"{match}:{seq}" for match, seq in news]
    assert {page.split()[0] for page in pages} == {"origin"}


async def _create(store: Store, id: str) -> str:
    return (await store.create(new_match(id))).id


def test_after_a_lost_connection_a_hint_says_to_look_again(postgres: Cluster) -> None:
    tables = Tables(postgres.database())

    async def listen() -> None:
        match = (await tables.one.create(new_match(next(ids)))).id
        async with asyncio.timeout(30), aclosing(tables.two.hints()) as hints:  # type: ignore[type-var]
            assert await anext(hints) == Hint(None, 0)
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
            await asyncio.to_thread(postgres.sql, cut)
            assert await anext(hints) == Hint(None, 0)
            await tables.one.append(match, 0, [entry("a")])
            assert await anext(hints) == Hint(match, 1)

    tables.run(listen())
    tables.close()


def test_hints_end_when_the_store_closes(address: str) -> None:
    async def listen() -> list[Hint]:
        async with asyncio.timeout(20), Store.open(address) as store:
            hints = store.hints()
            first = [await anext(hints)]
        return first + [hint async for hint in hints]

    assert asyncio.run(listen()) == [Hint(None, 0)]


# -- matches and seats ----------------------------------------------------------------------------------------------


def test_a_match_is_read_back_as_it_was(tables: Tables) -> None:
    first = tables.match()
    seats = (StoredSeat("computer", "Zoé", "alphabeta:depth=3"), StoredSeat("open", ""), StoredSeat("program", "bot"))
    match = new_match(
        next(ids),
        seats=seats,
        seed=2**62,
        clock=ClockRule("fischer", 1000, 5),
        public=True,
        code="ABCD",
        rematch_of=first,
    )
    created = tables.run(tables.one.create(match, [entry("dice")]))
    assert created == match and created.status == "open" and created.began is None
    assert tables.run(tables.two.match(match.id)) == created
    assert tables.run(tables.two.by_code("ABCD")) == created
    assert tables.run(tables.two.rematch_of(first)) == created
    assert tables.run(tables.two.match("nowhere")) is None
    assert [s.entry for s in tables.run(tables.two.entries(match.id))] == [entry("dice")]
    for same in ({"code": "ABCD"}, {"rematch_of": first}, {"rematch_of": "nowhere"}):
        assert tables.code(tables.one.create(new_match(next(ids), **same))) == "taken"
    assert tables.code(tables.one.create(new_match("a b"))) == "unreadable"


@given(claims=st.permutations([(seat, who) for seat in range(3) for who in range(2)]))
def test_a_seat_is_taken_once_and_the_last_one_begins_the_match(tables: Tables, claims: list[tuple[int, int]]) -> None:
    match = tables.match(seats=(StoredSeat("open", ""),) * 3)
    stores = (tables.one, tables.two)

    async def all_at_once() -> list[bool]:
        work = [stores[who].claim_seat(match, seat, f"name{who}", f"hash{who}", now=5000) for seat, who in claims]
        return await asyncio.gather(*work)

    won = {seat: who for (seat, who), yes in zip(claims, tables.run(all_at_once()), strict=True) if yes}
    found = tables.run(tables.one.match(match))
    assert found is not None and (found.status, found.began) == ("playing", 5000)
    assert found.seats == tuple(StoredSeat("person", f"name{won[n]}", "person", f"hash{won[n]}") for n in range(3))
    assert not tables.run(tables.one.claim_seat(match, 0, "late", "x"))
    assert not tables.run(tables.one.claim_seat("nowhere", 0, "lost", "x"))


def test_two_who_take_the_last_two_seats_at_once_begin_the_match(tables: Tables) -> None:
    matches = [tables.match(seats=(StoredSeat("open", ""),) * 2) for _ in range(20)]

    async def all_at_once() -> list[bool]:
        left = [tables.one.claim_seat(match, 0, "left", "x") for match in matches]
        right = [tables.two.claim_seat(match, 1, "right", "y") for match in matches]
        return await asyncio.gather(*left, *right)

    assert all(tables.run(all_at_once()))
    assert [_status(tables, match)[0] for match in matches] == ["playing"] * 20


def test_lists_are_paged_newest_first(tables: Tables) -> None:
    open_seat = (StoredSeat("open", ""), StoredSeat("person", "B"))
    listed = [
        tables.match(game="listed", created=9000 + n // 2, public=n % 3 > 0, seats=open_seat if n % 2 else ())
        for n in range(10)
    ]

    def ids_of(found: list[StoredMatch]) -> list[str]:
        return [match.id for match in found]

    def find(*words: Any, **more: Any) -> list[StoredMatch]:
        return tables.run(tables.one.list_matches(*words, **more))

    everything = find(None, "listed", public_only=False)
    assert [(m.created, m.id) for m in everything] == sorted(((m.created, m.id) for m in everything), reverse=True)
    assert set(ids_of(everything)) == set(listed)
    pages: list[str] = []
    while page := find(None, "listed", public_only=False, limit=3, before=pages[-1] if pages else None):
        assert len(page) <= 3
        pages += ids_of(page)
    assert pages == ids_of(everything)
    assert ids_of(find(None, "listed")) == [m.id for m in everything if m.public]
    assert ids_of(find("open", "listed", public_only=False)) == [m.id for m in everything if m.seats]
    assert find("over", "listed") == []


def test_one_worker_thinks_for_a_seat(tables: Tables) -> None:
    match = tables.match(seats=(StoredSeat("computer", "C", "greedy"), StoredSeat("computer", "D", "greedy")))
    people = tables.match()

    def lease(store: Store, seat: int, seq: int, worker: str, now: int) -> bool:
        return tables.run(store.lease(match, seat, seq, worker, for_ms=100, now=now))

    def waiting(now: int) -> list[str]:
        found = tables.run(tables.two.waiting_for_computers(now=now))
        assert people not in found
        return [id for id in found if id == match]

    assert waiting(0) == [match]
    assert lease(tables.one, 0, 4, "left", 0)
    assert waiting(50) == [match]  # for the other seat
    assert lease(tables.two, 1, 4, "right", 0)
    assert waiting(50) == []
    assert not lease(tables.two, 0, 4, "right", 99)
    assert lease(tables.one, 0, 4, "left", 99)  # renewed
    assert not lease(tables.two, 0, 4, "right", 150)
    assert lease(tables.two, 0, 6, "right", 150)  # another turn
    assert not lease(tables.one, 0, 4, "left", 151)
    assert lease(tables.one, 0, 6, "left", 250)  # it ran out
    tables.run(tables.two.release(match, 0, "right"))  # not his any more
    assert not lease(tables.two, 0, 6, "right", 260)
    tables.run(tables.one.release(match, 0, "left"))
    assert lease(tables.two, 0, 6, "right", 260)
    assert not tables.run(tables.one.lease("nowhere", 0, 0, "left"))
    tables.run(tables.one.append(match, 0, [Happened("abort", 0)], outcome=Outcome("abort", [0, 0], [1, 1])))
    assert waiting(10**6) == []


def test_of_many_workers_who_ask_at_once_one_gets_the_lease(tables: Tables) -> None:
    matches = [tables.match(seats=(StoredSeat("computer", "C"),)) for _ in range(10)]

    async def all_at_once() -> list[bool]:
        return await asyncio.gather(
            *(tables.one.lease(match, 0, 0, "left", now=0) for match in matches),
            *(tables.two.lease(match, 0, 0, "right", now=0) for match in reversed(matches)),
        )

    assert sum(tables.run(all_at_once())) == 10


# -- setups ---------------------------------------------------------------------------------------------------------


def test_the_shipped_setups_of_every_game_can_be_kept(tables: Tables) -> None:
    setups = tables.one.setups
    kept = []
    for card in cards():
        for shipped in load(card.id, "interpreted").setups:
            setup = tables.run(setups.create(card.id, f"  {shipped.name} ", shipped.text, "ann"))
            kept.append(setup)
            assert setup.name == shipped.name
            assert tables.run(tables.two.setups.get(setup.id)) == setup
            file = tables.run(setups.export(setup.id))
            assert tables.code(setups.take_in(setup.game, setup.name, file)) == "name_taken"
            windows = b"\xef\xbb\xbf" + file.replace(b"\n", b"\r\n")
            assert tables.run(setups.take_in(card.id, f"{shipped.name} 2", windows)).text == setup.text
        assert {s.id for s in kept if s.game == card.id} <= {s.id for s in tables.run(setups.list(card.id))}
    assert len(kept) > 2


def test_a_setup_is_changed_renamed_and_deleted(tables: Tables) -> None:
    setups = tables.one.setups
    classic, imhotep, *_ = load("khet", "interpreted").setups
    one = tables.run(setups.create("khet", "One", classic.text))
    two = tables.run(setups.create("khet", "Two", imhotep.text))
    assert tables.code(setups.create("khet", "One", classic.text)) == "name_taken"
    assert tables.code(setups.rename(two.id, " One")) == "name_taken"
    assert tables.run(setups.rename(two.id, "Éléphant")).name == "Éléphant"  # one sign, however it was typed
    saved = tables.run(setups.save(one.id, imhotep.text))
    assert saved.text == two.text and saved.changed >= one.changed and saved.created == one.created
    assert tables.code(setups.save(one.id, "nonsense")) != "name_taken"
    assert tables.run(setups.get(one.id)) == saved
    tables.run(setups.delete(one.id))
    for work in (setups.get, setups.delete, setups.export):
        assert tables.code(work(one.id)) == "no_such_setup"
    assert tables.code(setups.rename(one.id, "Three")) == "no_such_setup"
    assert tables.code(setups.save(one.id, classic.text)) == "no_such_setup"


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\nb", "a\0", "\x1b[31m", "a\u202eb", "\ud800", "a\u2028"])
def test_names_that_cannot_be_shown_are_refused(tables: Tables, name: str) -> None:
    board = load("khet", "interpreted").setups[0].text
    assert tables.code(tables.one.setups.create("khet", name, board)) == "unreadable"


@pytest.mark.parametrize("board", ["", "x" * 300_000, "xS . kS", "\0", "\ud800"])
def test_what_its_game_does_not_accept_is_not_stored(tables: Tables, board: str) -> None:
    before = tables.run(tables.one.setups.list())
    tables.code(tables.one.setups.create("khet", "Bad", board))
    tables.code(tables.one.setups.create("no such game", "Bad", board))
    tables.code(tables.one.setups.take_in("khet", "Bad", b"\xff\xfe"))
    assert tables.run(tables.one.setups.list()) == before


# -- opening --------------------------------------------------------------------------------------------------------


def test_the_migrations_make_what_the_schema_says(tables: Tables) -> None:
    async def difference() -> Any:
        async with tables.one._engine.connect() as connection:
            return await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), metadata)
            )

    assert tables.run(difference()) == []


def test_every_connection_waits_for_the_disk(tables: Tables) -> None:
    async def settings() -> list[Any]:
        async with tables.one._engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                names = ["SHOW synchronous_commit", "SHOW fsync"]
            else:
                names = ["PRAGMA synchronous", "PRAGMA journal_mode", "PRAGMA foreign_keys", "PRAGMA busy_timeout"]
            return [(await connection.execute(text(name))).scalar() for name in names]

    assert tables.run(settings()) in (["on", "on"], [2, "wal", 1, 30_000])


def test_a_newer_database_is_refused(address: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    new = str(tmp_path / "new.db")
    if "://" in address:
        new = request.getfixturevalue("postgres").database()

    async def meet_the_future() -> None:
        async with Store.open(new) as store, store._engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '999'"))
        async with Store.open(new):
            pass

    with pytest.raises(Refused, match=r"newer version of Quincunx \(999\)"):
        asyncio.run(meet_the_future())


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("a/b.db", "sqlite+aiosqlite:///a/b.db"),
        ("/a/b%20c.db", "sqlite+aiosqlite:////a/b%2520c.db"),
        ("sqlite:////a/b.db", "sqlite+aiosqlite:////a/b.db"),
        ("sqlite+aiosqlite:///b.db", "sqlite+aiosqlite:///b.db"),
        ("postgres://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgresql://u:p@h:1/d?sslmode=require", "postgresql+asyncpg://u:p@h:1/d?ssl=require"),
    ],
)
def test_an_address_is_completed(given: str, meant: str) -> None:
    assert complete(given).render_as_string(hide_password=False) == meant


@pytest.mark.parametrize(
    "bad", ["mysql://u:secret@h/d", "sqlite://", "sqlite:///:memory:", "", "postgresql://u:secret@h:x/"]
)
def test_an_address_that_means_no_database_is_refused_without_its_password(bad: str) -> None:
    with pytest.raises(Refused) as refused:
        complete(bad)
    assert "secret" not in str(refused.value)


def test_a_database_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    async def open_store(address: str) -> None:
        async with Store.open(address):
            pass

    (tmp_path / "file").write_text("not a database, but long enough to be looked at " * 100)
    nobody = f"postgresql://u:secret@/d?host={tmp_path}"
    for address in (str(tmp_path), str(tmp_path / "file"), str(tmp_path / "file" / "x.db"), nobody):
        with pytest.raises(Refused) as refused:
            asyncio.run(open_store(address))
        assert refused.value.code == "no_database" and "secret" not in str(refused.value)


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    async def too_late() -> None:
        async with Store.open(str(tmp_path / "a.db")) as store:
            match = await store.create(new_match("m"))
        await store.append(match.id, 0, [entry("a")])

    with pytest.raises(Unavailable):
        asyncio.run(too_late())


def test_what_still_waits_is_written_before_the_store_closes(tmp_path: Path) -> None:
    async def leave() -> None:
        async with Store.open(str(tmp_path / "a.db")) as store:
            await store.create(new_match("m"))
            asked = asyncio.create_task(store.append("m", 0, [entry("a")]))
            await asyncio.sleep(0)
        assert await asked == Appended(1)

    asyncio.run(leave())
    with sqlite3.connect(tmp_path / "a.db") as database:
        assert database.execute("SELECT match, seq FROM entries").fetchall() == [("m", 1)]
    database.close()
