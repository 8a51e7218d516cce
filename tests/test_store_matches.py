"""Hints, matches, seats, leases and setups in the store, on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appender import entry, new_match
from postgres import Cluster
from quincunx.games import cards, load
from quincunx.match import Happened, Outcome
from quincunx.match.clock import ClockRule
from quincunx.store import Notification, Store, StoredMatch, StoredSeat
from quincunx.store.notifications import _pages, _read
from quincunx.store.store import PAGE, PORTION
from quincunx.store.writer import BATCH
from stores import Address, Stores, ids

pytestmark = pytest.mark.slow  # left out of `make check`

# -- long matches ---------------------------------------------------------------------------------------------------


def test_a_long_match_is_written_and_read_in_portions_and_shown_when_it_is_whole(stores: Stores) -> None:
    entries = [entry(f"e{n}") for n in range(2 * PORTION + 7)]
    over = new_match(next(ids), status="over", outcome=Outcome("played", [1, 0], [1, 2]), public=True)

    async def write() -> None:
        writing = asyncio.create_task(stores.one.create(over, entries))
        while not (begun := await stores.two.match(over.id)):
            await asyncio.sleep(0)
        assert not begun.public or writing.done()
        made = await writing
        assert [stored.entry for stored in await stores.two.entries(made.id)] == entries
        assert [stored.seq for stored in await stores.two.entries(made.id, PORTION)][:1] == [PORTION + 1]
        found = await stores.two.match(made.id)
        assert found is not None and (found.status, found.public, found.outcome) == ("over", True, over.outcome)

    stores.run(write())


def test_how_far_matches_have_come_is_told_of_many_at_once(stores: Stores) -> None:
    async def look() -> None:
        over = new_match(next(ids), status="over", outcome=Outcome("played", [1, 0], [1, 2]))
        many = [await stores.one.create(new_match(next(ids))) for _ in range(PAGE + 1)]
        many += [await stores.one.create(over), await stores.one.create(new_match(next(ids), rematch_of=over.id))]
        await stores.one.append(many[0].id, 0, [entry("a"), entry("b")])
        await stores.one.remarks.say(many[1].id, 0, None, "hello")
        found = await stores.two.standings([match.id for match in many] + ["none"])
        assert {id: (last, remark) for id, (_, last, _, remark) in found.items() if last or remark} == {
            many[0].id: (2, 0),
            many[1].id: (0, 1),
        }
        assert {id: each.rematch for id, each in found.items() if each.rematch} == {over.id: many[-1].id}
        assert [found[match.id].stored for match in many] == [await stores.two.match(match.id) for match in many]
        assert len(found) == len(many)

    stores.run(look())


# -- heard ----------------------------------------------------------------------------------------------------------


def test_others_hear_of_what_was_appended_and_the_store_itself_does_not(stores: Stores) -> None:
    async def listen() -> None:
        match, own = (
            (await stores.one.create(new_match(next(ids)))).id,
            (await stores.one.create(new_match(next(ids)))).id,
        )
        async with asyncio.timeout(20), aclosing(stores.two.notifications()) as heard:  # type: ignore[type-var]
            assert await anext(heard) == Notification(None, 0)
            await stores.two.append(own, 0, [entry("mine")])
            await stores.one.append(match, 0, [entry("a"), entry("b")])
            assert reached(await anext(heard)) == (match, 2)
            await stores.one.append(match, 1, [entry("refused")])
            await stores.one.append(match, 2, [entry("c")])
            told = await anext(heard)
            assert reached(told) == (match, 3)
            if stores.two.shared:  # the entries come along
                assert told.beyond(2) == [entry("c")]

    stores.run(listen())


def test_hints_of_a_large_batch_all_arrive(stores: Stores) -> None:
    async def listen() -> None:
        long = "x" * 50
        many = [(await stores.one.create(new_match(f"{long}-{next(ids)}"))).id for _ in range(3)]
        many += await asyncio.gather(*(_create(stores.one, f"{long}-{next(ids)}") for _ in range(300)))
        async with asyncio.timeout(30), aclosing(stores.two.notifications()) as heard:  # type: ignore[type-var]
            await anext(heard)
            await asyncio.gather(*(stores.one.append(match, 0, [entry("a")]) for match in many))
            assert {reached(await anext(heard)) for _ in many} == {(match, 1) for match in many}

    stores.run(listen())


def test_a_notice_is_never_too_long_for_postgresql() -> None:
    """Of entries, those that fit travel; of the others it is told how far they go."""
    news = [Notification("x" * (n % 64 + 1), n, (f'"{"é" * (n * 17 % 6000)}"',)) for n in range(BATCH)]
    pages = list(_pages("origin", news))
    assert all(len(page.encode()) < 8000 for page in pages)
    read = [_read(page) for page in pages]
    told = [each for origin, page in read for each in page if origin == "origin"]
    assert [(match, seq) for match, seq, _ in told] == [reached(each) for each in news]
    texts = [
        (tuple(bytes(text).decode() for text in texts), each.texts)
        for (_, _, texts), each in zip(told, news, strict=True)
    ]
    assert all(carried in ((), whole) for carried, whole in texts)
    assert all(carried for carried, whole in texts if len(whole[0].encode()) < 3000)


def reached(told: Notification) -> tuple[str | None, int]:
    return told.match, told.seq


async def _create(store: Store, id: str) -> str:
    return (await store.create(new_match(id))).id


def test_after_a_lost_connection_a_hint_says_to_look_again(postgres: Cluster) -> None:
    stores = Stores(Address(postgres.database()))

    async def listen() -> None:
        match = (await stores.one.create(new_match(next(ids)))).id
        async with asyncio.timeout(30), aclosing(stores.two.notifications()) as heard:  # type: ignore[type-var]
            assert await anext(heard) == Notification(None, 0)
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
            await asyncio.to_thread(postgres.sql, cut)
            assert await anext(heard) == Notification(None, 0)
            await stores.one.append(match, 0, [entry("a")])
            assert reached(await anext(heard)) == (match, 1)

    stores.run(listen())
    stores.close()


def test_a_hint_of_another_version_says_to_look_again(postgres: Cluster) -> None:
    address = postgres.database()
    stores = Stores(Address(address))

    async def listen() -> None:
        async with asyncio.timeout(30), aclosing(stores.two.notifications()) as heard:  # type: ignore[type-var]
            assert await anext(heard) == Notification(None, 0)
            database = address.partition("@/")[2].partition("?")[0]
            await asyncio.to_thread(postgres.sql, "SELECT pg_notify('quincunx_entries', 'origin m:1')", database)
            assert await anext(heard) == Notification(None, 0)

    stores.run(listen())
    stores.close()


def test_hints_end_when_the_store_closes(address: str) -> None:
    async def listen() -> list[Notification]:
        async with asyncio.timeout(20), Store.open(address) as store:
            heard = store.notifications()
            first = [await anext(heard)]
        return first + [hint async for hint in heard]

    assert asyncio.run(listen()) == [Notification(None, 0)]


# -- matches and seats ----------------------------------------------------------------------------------------------


def test_a_match_is_read_back_as_it_was(stores: Stores) -> None:
    first = stores.match()
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
    created = stores.run(stores.one.create(match, [entry("dice")]))
    assert created == match and created.status == "open" and created.began is None
    assert stores.run(stores.two.match(match.id)) == created
    assert stores.run(stores.two.by_code("ABCD")) == created
    assert stores.run(stores.two.rematch_of(first)) == created
    assert stores.run(stores.two.match("nowhere")) is None
    assert [s.entry for s in stores.run(stores.two.entries(match.id))] == [entry("dice")]
    for same in ({"code": "ABCD"}, {"rematch_of": first}, {"rematch_of": "nowhere"}):
        assert stores.code(stores.one.create(new_match(next(ids), **same))) == "taken"
    assert stores.code(stores.one.create(new_match("a b"))) == "unreadable"


@given(claims=st.permutations([(seat, who) for seat in range(3) for who in range(2)]))
def test_a_seat_is_taken_once_and_the_last_one_begins_the_match(stores: Stores, claims: list[tuple[int, int]]) -> None:
    match = stores.match(seats=(StoredSeat("open", ""),) * 3)
    both = (stores.one, stores.two)

    async def all_at_once() -> list[bool]:
        work = [both[who].claim_seat(match, seat, f"name{who}", f"hash{who}", now=5000) for seat, who in claims]
        return await asyncio.gather(*work)

    won = {seat: who for (seat, who), yes in zip(claims, stores.run(all_at_once()), strict=True) if yes}
    found = stores.run(stores.one.match(match))
    assert found is not None and (found.status, found.began) == ("playing", 5000)
    assert found.seats == tuple(StoredSeat("person", f"name{won[n]}", "person", f"hash{won[n]}") for n in range(3))
    assert not stores.run(stores.one.claim_seat(match, 0, "late", "x"))
    assert not stores.run(stores.one.claim_seat("nowhere", 0, "lost", "x"))


def test_two_who_take_the_last_two_seats_at_once_begin_the_match(stores: Stores) -> None:
    matches = [stores.match(seats=(StoredSeat("open", ""),) * 2) for _ in range(20)]

    async def all_at_once() -> list[bool]:
        left = [stores.one.claim_seat(match, 0, "left", "x") for match in matches]
        right = [stores.two.claim_seat(match, 1, "right", "y") for match in matches]
        return await asyncio.gather(*left, *right)

    assert all(stores.run(all_at_once()))
    assert [stores.status(match)[0] for match in matches] == ["playing"] * 20


def test_lists_are_paged_newest_first(stores: Stores) -> None:
    open_seat = (StoredSeat("open", ""), StoredSeat("person", "B"))
    listed = [
        stores.match(game="listed", created=9000 + n // 2, public=n % 3 > 0, seats=open_seat if n % 2 else ())
        for n in range(10)
    ]

    def ids_of(found: list[StoredMatch]) -> list[str]:
        return [match.id for match in found]

    def find(*words: Any, **more: Any) -> list[StoredMatch]:
        return stores.run(stores.one.list_matches(*words, **more))

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


def test_one_worker_thinks_for_a_seat(stores: Stores) -> None:
    match = stores.match(seats=(StoredSeat("computer", "C", "greedy"), StoredSeat("computer", "D", "greedy")))

    def lease(store: Store, seat: int, seq: int, worker: str, now: int) -> bool:
        return stores.run(store.leases.take(match, seat, seq, worker, for_ms=100, now=now))

    assert lease(stores.one, 0, 4, "left", 10**9)  # each store's clock is its own
    assert lease(stores.two, 1, 4, "right", 0)
    assert not lease(stores.two, 0, 4, "right", 0)
    assert lease(stores.one, 0, 4, "left", 10**9 + 3)  # renewed
    assert not lease(stores.two, 0, 4, "right", 150)  # heard of just now
    assert not lease(stores.two, 0, 4, "right", 249)
    assert lease(stores.two, 0, 6, "right", 150)  # another turn
    assert not lease(stores.one, 0, 4, "left", 10**9 + 4)
    assert lease(stores.two, 0, 6, "right", 160)
    assert not lease(stores.one, 0, 6, "left", 10**9 + 200)  # it was renewed since then
    assert lease(stores.one, 0, 6, "left", 10**9 + 300)  # it was silent
    stores.run(stores.two.leases.release(match, 0, "right"))  # not his any more
    assert not lease(stores.two, 0, 6, "right", 260)
    stores.run(stores.one.leases.release(match, 0, "left"))
    assert lease(stores.two, 0, 6, "right", 260)
    assert not stores.run(stores.one.leases.take("nowhere", 0, 0, "left"))


def test_after_a_start_only_matches_that_a_clock_drives_are_taken_up(stores: Stores) -> None:
    computer = (StoredSeat("computer", "C", "greedy"), StoredSeat("person", "P"))
    quiet, people = stores.match(seats=computer), stores.match(clock=ClockRule("move", turn=1000))
    timed = stores.match(seats=computer, clock=ClockRule("move", turn=1000))

    def found() -> list[str]:
        return [id for id in stores.run(stores.two.timed_with_computers()) if id in (quiet, people, timed)]

    assert found() == [timed]
    stores.run(stores.one.append(timed, 0, [Happened("abort", 0)], outcome=Outcome("abort", [0, 0], [1, 1])))
    assert found() == []


def test_of_many_workers_who_ask_at_once_one_gets_the_lease(stores: Stores) -> None:
    matches = [stores.match(seats=(StoredSeat("computer", "C"),)) for _ in range(10)]

    async def all_at_once() -> list[bool]:
        return await asyncio.gather(
            *(stores.one.leases.take(match, 0, 0, "left", now=0) for match in matches),
            *(stores.two.leases.take(match, 0, 0, "right", now=0) for match in reversed(matches)),
        )

    assert sum(stores.run(all_at_once())) == 10


# -- setups ---------------------------------------------------------------------------------------------------------


def test_the_shipped_setups_of_every_game_can_be_kept(stores: Stores) -> None:
    setups = stores.one.setups
    kept = []
    for card in cards():
        for shipped in load(card.id, "interpreted").setups:
            setup = stores.run(setups.create(card.id, f"  {shipped.name} ", shipped.text, "ann"))
            kept.append(setup)
            assert setup.name == shipped.name
            assert stores.run(stores.two.setups.get(setup.id)) == setup
            file = stores.run(setups.export(setup.id))
            assert stores.code(setups.take_in(setup.game, setup.name, file, "ann")) == "name_taken"
            windows = b"\xef\xbb\xbf" + file.replace(b"\n", b"\r\n")
            assert stores.run(setups.take_in(card.id, f"{shipped.name} 2", windows)).text == setup.text
        assert {s.id for s in kept if s.game == card.id} <= {s.id for s in stores.run(setups.list(card.id))}
    assert len(kept) > 2


def test_a_setup_is_changed_renamed_and_deleted(stores: Stores) -> None:
    setups = stores.one.setups
    classic, imhotep, *_ = load("khet", "interpreted").setups
    one = stores.run(setups.create("khet", "One", classic.text))
    two = stores.run(setups.create("khet", "Two", imhotep.text))
    assert stores.code(setups.create("khet", "One", classic.text)) == "name_taken"
    assert stores.code(setups.rename(two.id, " One")) == "name_taken"
    assert stores.run(setups.rename(two.id, "Éléphant")).name == "Éléphant"  # one sign, however it was typed
    saved = stores.run(setups.save(one.id, imhotep.text))
    assert saved.text == two.text and saved.changed >= one.changed and saved.created == one.created
    assert stores.code(setups.save(one.id, "nonsense")) != "name_taken"
    assert stores.run(setups.get(one.id)) == saved
    stores.run(setups.delete(one.id))
    for work in (setups.get, setups.delete, setups.export):
        assert stores.code(work(one.id)) == "no_such_setup"
    assert stores.code(setups.rename(one.id, "Three")) == "no_such_setup"
    assert stores.code(setups.save(one.id, classic.text)) == "no_such_setup"


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\nb", "a\0", "\x1b[31m", "a\u202eb", "\ud800", "a\u2028"])
def test_names_that_cannot_be_shown_are_refused(stores: Stores, name: str) -> None:
    board = load("khet", "interpreted").setups[0].text
    assert stores.code(stores.one.setups.create("khet", name, board)) == "unreadable"


@pytest.mark.parametrize("board", ["", "x" * 300_000, "xS . kS", "\0", "\ud800"])
def test_what_its_game_does_not_accept_is_not_stored(stores: Stores, board: str) -> None:
    before = stores.run(stores.one.setups.list())
    stores.code(stores.one.setups.create("khet", "Bad", board))
    stores.code(stores.one.setups.create("no such game", "Bad", board))
    stores.code(stores.one.setups.take_in("khet", "Bad", b"\xff\xfe"))
    assert stores.run(stores.one.setups.list()) == before
