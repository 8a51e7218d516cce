"""The entries of the store, on SQLite and a real PostgreSQL server: what was acknowledged is there, once, in order."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from appender import append_against_others, append_for_ever, entry, new_match, process
from postgres import Cluster
from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.match import Happened, Match, Outcome, Played, replay
from quincunx.match.record import EventName
from quincunx.store import Appended, Conflict, Duplicate, Store, StoredSeat
from quincunx.store.writer import BATCH, BETWEEN, WAITING
from stores import Address, Stores

pytestmark = pytest.mark.slow  # left out of `make check`

# -- entries --------------------------------------------------------------------------------------------------------

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
played = st.builds(Played, st.integers(-1, 5), words, st.integers(0, 2**62), words)
events = st.sampled_from(EventName.__args__)  # type: ignore[attr-defined]
quoted = st.lists(words, max_size=2).map(tuple)
happened = st.builds(
    Happened, events, st.integers(0, 2**62), st.none() | st.integers(0, 5), words, quoted, words, st.integers(0, 9)
)


@given(pages=st.lists(st.lists(played | happened, min_size=1, max_size=5), max_size=4))
def test_entries_are_read_back_as_they_were(stores: Stores, pages: list[list[Any]]) -> None:
    match = stores.match()
    seq = 0
    for page in pages:
        answer = stores.run(stores.one.append(match, seq, page, f"id-{seq}"))
        assert answer == Appended(seq + len(page))
        seq += len(page)
    stored = stores.run(stores.two.entries(match))
    assert [s.seq for s in stored] == list(range(1, seq + 1))
    assert [s.entry for s in stored] == [e for page in pages for e in page]
    assert [s.client_move_id for s in stored if s.client_move_id] == [f"id-{s}" for s in _begins(pages)]
    assert stores.run(stores.two.entries(match, seq // 2)) == stored[seq // 2 :]
    for begin in {*_begins(pages), seq}:
        assert stores.run(stores.two.knows_move(match, f"id-{begin}")) == (begin < seq)


def _begins(pages: list[list[Any]]) -> list[int]:
    return [sum(map(len, pages[:n])) for n in range(len(pages))]


wish = st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 6), st.integers(1, 3), st.integers(0, 8))


@given(wishes=st.lists(wish, max_size=40))
def test_any_interleaving_leaves_one_gapless_line_in_each_match(
    stores: Stores, wishes: list[tuple[int, int, int, int, int]]
) -> None:
    """Two stores append at once, after whatever seq, with ids that come again."""
    matches = [stores.match() for _ in range(3)]
    both = (stores.one, stores.two)

    async def all_at_once() -> list[Any]:
        work = [
            both[who].append(matches[which], after, [entry(f"{n}.{k}") for k in range(many)], f"id-{move}")
            for n, (who, which, after, many, move) in enumerate(wishes)
        ]
        return await asyncio.gather(*work)

    answers = stores.run(all_at_once())
    for which, match in enumerate(matches):
        stored = stores.run(stores.one.entries(match))
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


def test_a_conflict_tells_the_truth_and_writes_nothing(stores: Stores) -> None:
    match = stores.match()
    run = stores.run
    assert run(stores.one.append(match, 0, [entry("a"), entry("b")], "x")) == Appended(2)
    assert run(stores.two.append(match, 1, [entry("c")], "y")) == Conflict(2)
    assert run(stores.two.append(match, 7, [entry("c")], "y")) == Conflict(2)
    assert run(stores.two.append(match, -1, [entry("c")], "y")) == Conflict(2)
    assert run(stores.two.append(match, 2, [entry("c")], "x")) == Duplicate(1)
    assert run(stores.two.append(match, 2, [entry("c")], "y")) == Appended(3)
    assert run(stores.one.append(match, 0, [entry("c")], "y")) == Duplicate(3)
    other = stores.match()
    assert run(stores.one.append(other, 0, [entry("a")], "x")) == Appended(1)  # ids are of a match


def test_what_cannot_be_is_refused_and_does_not_hurt_the_others_in_its_batch(stores: Stores) -> None:
    good, bad = stores.match(), stores.match()

    async def together() -> list[Any]:
        work: list[Awaitable[Any]] = [
            stores.one.append(good, 0, [entry("a")]),
            stores.one.append("nowhere", 0, [entry("a")]),
            stores.one.append(bad, 0, [entry("a", at=2**70)]),  # the database cannot write this number
            stores.one.create(new_match(good)),
            stores.one.append(good, 1, [entry("b")]),
        ]
        return await asyncio.gather(*work, return_exceptions=True)

    first, nowhere, number, again, second = stores.run(together())
    assert (first, second) == (Appended(1), Appended(2))
    assert isinstance(nowhere, Refused) and nowhere.code == "no_such_match"
    assert isinstance(again, Refused) and again.code == "taken"
    assert isinstance(number, Exception) and stores.run(stores.one.entries(bad)) == []
    for wrong in ("", "x" * 65, "a b", "é", "a\0"):
        assert stores.code(stores.one.append(good, 2, [entry("c")], wrong)) == "unreadable"
    assert stores.code(stores.one.append(good, 2, [])) == "unreadable"


def test_work_that_raises_leaves_nothing_and_does_not_hurt_the_others_in_its_batch(stores: Stores) -> None:
    match = stores.match()

    def give_up(connection: Connection) -> None:
        connection.execute(text("UPDATE matches SET game = 'lost' WHERE id = :id"), {"id": match})
        raise Refused("no", Words("Non.", "No."))

    async def together() -> list[Any]:
        work: list[Awaitable[Any]] = [stores.one._writer.do("x", give_up), stores.one.append(match, 0, [entry("a")])]
        return await asyncio.gather(*work, return_exceptions=True)

    no, yes = stores.run(together())
    found = stores.run(stores.one.match(match))
    assert isinstance(no, Refused) and yes == Appended(1) and found is not None and found.game == "khet"


def test_a_move_does_not_wait_until_all_other_work_is_done(stores: Stores) -> None:
    match, done, many = stores.match(), list[int](), 10 * BETWEEN

    def long_work(number: int) -> Callable[[Connection], None]:
        def work(connection: Connection) -> None:
            time.sleep(0.01)
            done.append(number)

        return work

    async def together() -> int:
        if stores.one._engine.dialect.name != "sqlite":  # there others do not wait, and all is one transaction
            return 0
        works = [asyncio.create_task(stores.one._writer.do(f"w{n:03}", long_work(n))) for n in range(many)]
        while not done:
            await asyncio.sleep(0.001)
        assert await stores.one.append(match, 0, [entry("a")]) == Appended(1)
        by_then = len(done)
        await asyncio.gather(*works)
        return by_then

    assert stores.run(together()) <= 2 * BETWEEN < many
    assert done in ([], list(range(many)))


def test_other_work_in_sqlite_is_done_beside_the_loop(stores: Stores) -> None:
    thread = stores.run(stores.one._writer.do("x", lambda _: threading.get_ident()))
    assert (thread == threading.get_ident()) == (stores.one._engine.dialect.name != "sqlite")


def test_more_may_ask_at_once_than_the_queue_holds(stores: Stores) -> None:
    matches = [stores.match() for _ in range(3)]
    many = 2 * WAITING // 3

    async def flood() -> list[Any]:
        return await asyncio.gather(
            *(stores.one.append(m, seq, [entry(str(seq))], f"id-{seq}") for seq in range(0, many, 64) for m in matches),
            *(stores.one.append(m, 0, [entry("first")], "id-0") for m in matches for _ in range(BATCH)),
            *(stores.two.append(m, 1, [entry("second")]) for m in matches for _ in range(WAITING // 2)),
        )

    answers = stores.run(flood())
    assert len(answers) > WAITING
    for match in matches:
        stored = stores.run(stores.one.entries(match))
        assert [s.seq for s in stored] == [1, 2][: len(stored)] and stored
    assert sum(isinstance(a, Appended) for a in answers) == sum(
        len(stores.run(stores.one.entries(match))) for match in matches
    )


def test_the_outcome_is_written_with_the_last_entry_or_not_at_all(stores: Stores) -> None:
    match = stores.match()
    outcome = Outcome("resign", [1, 0], [1, 2])
    assert isinstance(stores.run(stores.one.append(match, 5, [entry("a")], outcome=outcome)), Conflict)
    assert stores.status(match) == ("playing", None)
    end = Happened("resign", 7, 1)
    assert isinstance(stores.run(stores.one.append(match, 0, [end], outcome=outcome)), Appended)
    assert stores.status(match) == ("over", outcome)


def test_a_match_replays_from_the_store(stores: Stores) -> None:
    game = Match(load("khet", "interpreted"), seed=3)
    record = game.record()
    fields = {name: getattr(record, name) for name in ("game", "rules", "options", "start", "start_digest", "seed")}
    seats = tuple(StoredSeat("person", seat.name) for seat in record.seats)
    id = stores.match(seats=seats, **fields)
    game.play("H2-G1", at=5).play("F8-F7", at=9).resign(0, at=12)
    stores.run(stores.one.append(id, 0, game.entries, outcome=game.outcome))
    stored = stores.run(stores.two.match(id))
    assert stored is not None
    again = stored.record([each.entry for each in stores.run(stores.two.entries(id))])
    assert again == game.record()
    assert replay(again).outcome == game.outcome


# -- several processes ----------------------------------------------------------------------------------------------


def test_two_processes_write_the_same_matches(stores: Stores) -> None:
    matches = [stores.match() for _ in range(4)]
    said: dict[str, list[tuple[str, int, str]]] = {"left": [], "right": []}
    with ExitStack() as stack:
        pipes = {
            name: stack.enter_context(process(append_against_others, stores.address, matches, name, 12))[1]
            for name in said
        }
        for pipe in pipes.values():
            assert pipe.recv() == "ready"
        for pipe in pipes.values():
            pipe.send("go")
        for name, pipe in pipes.items():
            said[name] = list(iter(pipe.recv, None))
    for match in matches:
        stored = stores.run(stores.one.entries(match))
        assert [s.seq for s in stored] == list(range(1, 25))
        acknowledged = {(seq, move) for moves in said.values() for where, seq, move in moves if where == match}
        assert {(s.seq, s.client_move_id) for s in stored} == acknowledged
        assert len(acknowledged) == 24


def test_no_acknowledged_move_is_lost_when_a_process_is_killed(stores: Stores) -> None:
    matches = [stores.match() for _ in range(4)]
    chance = random.Random(7)
    acknowledged: set[tuple[str, int, str]] = set()
    for death in range(20):
        with process(append_for_ever, stores.address, matches, f"life{death}") as (child, pipe):
            acknowledged.add(pipe.recv())
            child.join(chance.uniform(0, 0.06))
            child.kill()
            child.join()
            with pytest.raises((EOFError, ConnectionResetError)):
                while True:
                    acknowledged.add(pipe.recv())
    assert len(acknowledged) >= 20
    _check_after_crash(stores.run, stores.one, matches, acknowledged)


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
    stores = Stores(Address(postgres.database()))
    matches = [stores.match() for _ in range(4)]
    acknowledged: set[tuple[str, int, str]] = set()
    for death in range(2):
        with process(append_for_ever, stores.address, matches, f"life{death}") as (_, pipe):
            acknowledged |= {pipe.recv() for _ in range(20)}
            postgres.crash()
            with pytest.raises((EOFError, ConnectionResetError)):  # its process gives up: the database was away
                while True:
                    acknowledged.add(pipe.recv())
    _check_after_crash(stores.run, stores.one, matches, acknowledged)
    stores.close()
