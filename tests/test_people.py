"""The people of a store, on SQLite and a real PostgreSQL server: one person for a name and a key, each match once in a
history, friends both ways, two who look for each other, and nothing left of who is forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from itertools import count
from typing import Any, TypeVar

import pytest
from sqlalchemy import Executable, insert, select, text

from appender import new_match
from quincunx.core.words import Refused
from quincunx.match import Outcome
from quincunx.match.clock import ClockRule
from quincunx.match.record import Happened
from quincunx.store import StoredSeat
from quincunx.store import seeks as seeking
from quincunx.store.people import MOST_FAVOURITES, Favourite, StoredPerson, check_name
from quincunx.store.ratings import Finished, StoredRating
from quincunx.store.schema import history, metadata, people
from quincunx.store.seeks import Seek, Wanted, seeks
from stores import Stores

pytestmark = pytest.mark.slow  # left out of `make check`

T = TypeVar("T")
numbers = count()
CLOCK = ClockRule("fischer", 600_000, 10_000)
WANTED = Wanted("khet", CLOCK, True)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine nobody counts as silent before they are."""
    monkeypatch.setattr(seeking, "SILENCE", 3_600_000)


def somebody(stores: Stores, name: str = "Ada") -> StoredPerson:
    n = next(numbers)
    return stores.run(stores.one.people.enter(f"{name} {n}", f"hash {n}"))


def over(stores: Stores, *people: StoredPerson) -> str:
    """A match of these that the first one has won."""
    seats = tuple(StoredSeat("person", each.name, "person", each.key_hash, each.id) for each in people)
    match = stores.match(seats=seats, rated=True)
    outcome = Outcome("resign", [1, 2], [])
    stores.run(stores.one.append(match, 0, [Happened("resign", 1, 1)], outcome=outcome))
    return match


def finished(match: str, winner: StoredPerson, loser: StoredPerson, rated: bool = True) -> Finished:
    return Finished(match, "khet", 7, rated, {winner.id: 0, loser.id: 1}, {winner.id: "win", loser.id: "loss"})


def plus_ten(finished: Finished, known: Mapping[str, StoredRating]) -> dict[str, StoredRating]:
    """The winner gains what the loser loses."""
    new = {}
    for person, result in finished.results.items():
        before = known.get(person, StoredRating("khet", 1500.0, 100.0, 0))
        change = 10 if result == "win" else -10
        new[person] = StoredRating("khet", before.mu + change, before.sigma, before.matches + 1)
    return new


def settle(stores: Stores, over: Finished) -> bool:
    return stores.run(stores.two.ratings.settle(over, lambda known: plus_ten(over, known)))


# -- names and keys -------------------------------------------------------------------------------------------------


def test_a_key_is_a_person_and_a_name_is_one_person_s(stores: Stores) -> None:
    ada = somebody(stores)
    assert stores.run(stores.two.people.by_key(ada.key_hash)) == ada
    assert stores.run(stores.two.people.by_key("another")) is None
    assert stores.code(stores.two.people.enter(ada.name.upper(), "another")) == "name_taken"
    renamed = stores.run(stores.two.people.enter(f"Lovelace {next(numbers)}", ada.key_hash))
    assert renamed.id == ada.id and renamed.name.startswith("Lovelace")
    assert stores.run(stores.one.people.by_name(ada.name)) is None


def test_of_many_who_want_a_name_at_once_one_gets_it(stores: Stores) -> None:
    n = next(numbers)

    async def rush() -> list[object]:
        doors = (stores.one.people, stores.two.people)
        wanted = [doors[k % 2].enter(("Eve", "eve")[k % 2] + f" {n}", f"rush {n} {k}") for k in range(8)]
        return await asyncio.gather(*wanted, return_exceptions=True)

    assert sum(isinstance(each, StoredPerson) for each in stores.run(rush())) == 1


@pytest.mark.parametrize("name", ["", "a", "42", "x" * 25, "a\u202eb", "a\nb<", "Ada\u200b", "<b>", "a" * 5000])
def test_names_are_bounded(name: str) -> None:
    with pytest.raises(Refused):
        check_name(name)


@pytest.mark.parametrize(
    ("name", "meant"), [("  Ada   L.  ", "Ada L."), ("Zoé", "Zoé"), ("Ａｄａ", "Ada"), ("Łukasz-O’B_1",) * 2]
)
def test_names_are_written_in_one_way(name: str, meant: str) -> None:
    assert check_name(name) == meant


# -- history and ratings --------------------------------------------------------------------------------------------


def test_a_match_is_settled_once_whoever_does_it(stores: Stores) -> None:
    ada, bob = somebody(stores), somebody(stores)
    match = over(stores, ada, bob)
    assert match in stores.run(stores.two.ratings.unsettled(ada.id))

    async def both() -> list[bool]:
        end = finished(match, ada, bob)
        doors = (stores.one.ratings, stores.two.ratings)
        return await asyncio.gather(*(doors[k % 2].settle(end, lambda known: plus_ten(end, known)) for k in range(6)))

    assert sorted(stores.run(both())) == [False] * 5 + [True]
    assert stores.run(stores.one.ratings.unsettled(ada.id)) == []
    ratings = stores.run(stores.one.ratings.of([ada.id, bob.id], "khet"))
    assert [each.mu for each in (*ratings[ada.id], *ratings[bob.id])] == [1510.0, 1490.0]
    (line,) = stores.run(stores.one.ratings.history(ada.id))
    assert (line.match, line.result, line.rating, line.before) == (match, "win", 1510.0, None)
    assert stores.run(stores.two.ratings.names([match])) == {match: [ada.name, bob.name]}


def test_a_history_goes_on_where_it_stopped_and_what_was_called_off_is_not_in_it(stores: Stores) -> None:
    ada, bob = somebody(stores), somebody(stores)
    for n in range(5):
        settle(stores, finished(f"page {ada.id} {n}", ada, bob, rated=n % 2 == 0))
    void = Finished(f"void {ada.id}", "khet", 9, False, {ada.id: 0}, {ada.id: "void"})
    settle(stores, void)
    history = stores.one.ratings.history
    first = stores.run(history(ada.id, limit=3))
    rest = stores.run(history(ada.id, before=first[-1].match))
    assert len({each.match for each in (*first, *rest)}) == len(first) + len(rest) == 5
    (tally,) = stores.run(stores.one.ratings.tallies(bob.id))
    assert (tally.wins, tally.draws, tally.losses) == (0, 0, 5)
    assert stores.run(stores.one.ratings.of([ada.id]))[ada.id][0].matches == 3


# -- forgetting -----------------------------------------------------------------------------------------------------


def test_nothing_is_left_of_who_is_forgotten(stores: Stores) -> None:
    ada, bob = somebody(stores), somebody(stores)
    match = over(stores, ada, bob)
    settle(stores, finished(match, ada, bob))
    stores.run(stores.one.people.befriend(ada.id, bob.friend_code))
    stores.run(stores.one.people.favour(ada.id, Favourite("khet", "classic"), True))
    stores.run(stores.one.seeks.say(ada.id, WANTED))
    stores.run(stores.one.setups.create("khet", "Mine", khet(), ada.key_hash))
    stores.run(stores.one.studies.create(ada.key_hash, "Mine", "khet", 1, {}, "a start", match, "[]"))
    assert stores.run(stores.two.people.forget(ada.id)) == [match]

    async def everything() -> str:
        async with stores.one._engine.connect() as connection:
            rows = [await connection.execute(table.select()) for table in metadata.sorted_tables]
            return repr([row for found in rows for row in found])

    kept = stores.run(everything())
    assert ada.name not in kept and ada.key_hash not in kept and ada.id not in kept
    assert bob.name in kept and bob.key_hash in kept
    found = stores.run(stores.two.match(match))
    assert found is not None and [seat.name for seat in found.seats] == ["", bob.name]
    assert len(stores.run(stores.two.ratings.history(bob.id))) == 1
    assert stores.run(stores.two.people.friends(bob.id)) == {}
    assert stores.run(stores.one.people.enter(ada.name, ada.key_hash)).id != ada.id  # name and key are free again


def test_others_hear_whose_seats_are_nobody_s_now(stores: Stores) -> None:
    """Another process has the name and the key in memory."""
    ada, bob = somebody(stores), somebody(stores)
    sat = {over(stores, ada, bob) for _ in range(3)}

    async def heard() -> set[str | None]:
        news = stores.two.notifications()
        await anext(news)  # to look at all: it listens
        await stores.one.people.forget(ada.id)
        found: set[str | None] = set()
        while not sat <= found:
            found.add((await anext(news)).match)
        await news.aclose()  # type: ignore[attr-defined]
        return found

    assert stores.run(heard()) >= sat


def test_who_is_forgotten_while_their_match_is_settled_is_forgotten(stores: Stores) -> None:
    ada, bob = somebody(stores), somebody(stores)
    line = insert(history).values(
        person=ada.id, match=over(stores, ada, bob), game="khet", seat=0, result="win", rated=False, at=1
    )
    settling = [select(people.c.id).where(people.c.id == ada.id).with_for_update(), line]
    stores.run(meanwhile(stores, settling, stores.one.people.forget(ada.id)))
    assert stores.run(stores.two.ratings.history(ada.id)) == []
    assert stores.run(stores.two.people.by_key(ada.key_hash)) is None


async def meanwhile(stores: Stores, first: Sequence[Executable], work: Coroutine[Any, Any, T]) -> T:
    """Something that another process has begun and does not end before the work waits for it. In SQLite, where whoever
    writes is alone, it ends before the work begins."""
    here = "datname = current_database() AND wait_event_type = 'Lock'"
    waits = text(f"SELECT count(*) FROM pg_stat_activity WHERE {here}")
    async with stores.two._engine.connect() as other, stores.two._engine.connect() as watching:
        for statement in first:
            await other.execute(statement)
        alone = other.dialect.name == "sqlite"
        if alone:
            await other.commit()
        task = asyncio.create_task(work)
        while not alone and not (await watching.execute(waits)).scalar():
            await watching.rollback()
            await asyncio.sleep(0.01)
        await other.commit()
    return await task


def khet() -> str:
    from quincunx.games import load

    game = load("khet", "interpreted")
    return next(setup.text for setup in game.setups if setup.name == "classic")


# -- friends and favourites -----------------------------------------------------------------------------------------


def test_friends_are_friends_both_ways_until_one_has_enough(stores: Stores) -> None:
    ada, bob = somebody(stores), somebody(stores)
    assert stores.run(stores.one.people.befriend(ada.id, bob.friend_code)) == bob.name
    stores.run(stores.two.people.befriend(ada.id, bob.friend_code))
    assert stores.run(stores.two.people.friends(bob.id)) == {ada.id: ada.name}
    assert stores.code(stores.one.people.befriend(ada.id, ada.friend_code)) == "yourself"
    assert stores.code(stores.one.people.befriend(ada.id, "nobody’s")) == "no_such_person"
    stores.run(stores.one.people.unfriend(bob.id, ada.name))
    assert stores.run(stores.two.people.friends(ada.id)) == {}
    assert stores.code(stores.one.people.befriend(ada.id, bob.friend_code)) == "no_such_person"  # that link is dead


def test_favourites_have_an_end(stores: Stores) -> None:
    ada = somebody(stores)
    for n in range(MOST_FAVOURITES):
        stores.run(stores.one.people.favour(ada.id, Favourite("khet", f"s{n}"), True))
    assert stores.code(stores.one.people.favour(ada.id, Favourite("khet", "more"), True)) == "full"
    stores.run(stores.one.people.favour(ada.id, Favourite("khet", "s0"), False))
    stores.run(stores.one.people.favour(ada.id, Favourite("khet", "more"), True))
    assert len(stores.run(stores.two.people.favourites(ada.id))) == MOST_FAVOURITES


# -- looking for an opponent ----------------------------------------------------------------------------------------


def waiting(stores: Stores, *people: StoredPerson) -> list[Seek]:
    ids = [each.id for each in people]
    return sorted((s for s in stores.run(stores.two.seeks.all()) if s.person in ids), key=lambda s: ids.index(s.person))


def pair(stores: Stores, one: Seek, two: Seek) -> str:
    """Their match, made in one transaction with the end of their search."""
    id = f"pair{next(numbers)}"
    kept = tuple(StoredSeat("awaited", each.name, "person", each.key_hash, each.person) for each in (one, two))
    made = new_match(id, seats=kept)
    return stores.run(stores.one.create(made, booking=stores.one.seeks.pairing(id, one, two))).id


def test_two_who_look_for_each_other_meet_once(stores: Stores) -> None:
    ada, bob, eve = somebody(stores), somebody(stores), somebody(stores)
    for each in (ada, bob, eve):
        assert stores.run(stores.one.seeks.say(each.id, WANTED)) is None
    one, two, three = waiting(stores, ada, bob, eve)
    match = pair(stores, one, two)
    with pytest.raises(Refused) as refused:
        pair(stores, three, two)
    assert refused.value.code == "seek_gone"
    assert [each.person for each in waiting(stores, ada, bob, eve)] == [eve.id]
    for each in (ada, bob, ada, bob):  # as often as they ask: an answer may be lost
        assert stores.run(stores.two.seeks.say(each.id, WANTED)) == match
    stores.run(stores.one.arrive(match, [1]))
    assert stores.run(stores.two.seeks.say(bob.id, WANTED)) is None  # who has come looks for another one
    assert stores.run(stores.two.seeks.say(ada.id, WANTED)) == match
    stores.run(stores.one.append(match, 0, [Happened("abort", 1)], outcome=Outcome("abort", [1, 1], [])))
    assert stores.run(stores.two.seeks.say(ada.id, WANTED)) is None  # it was called off


def test_who_leaves_or_is_silent_is_looked_for_no_more(stores: Stores) -> None:
    ada, bob, eve = somebody(stores), somebody(stores), somebody(stores)
    for each in (ada, bob, eve):
        stores.run(stores.one.seeks.say(each.id, WANTED))
    one, two, three = waiting(stores, ada, bob, eve)
    stores.run(stores.two.seeks.leave(ada.id))
    late = seeks.update().where(seeks.c.person == bob.id).values(seen=seeks.c.seen - seeking.SILENCE - 1)
    stores.run(stores.one._writer.do("test", lambda connection: connection.execute(late)))
    assert [each.person for each in waiting(stores, ada, bob, eve)] == [eve.id]
    for gone in (one, two):
        with pytest.raises(Refused):
            pair(stores, three, gone)
    assert stores.run(stores.one.seeks.say(bob.id, WANTED)) is None  # back again, from the beginning
    assert waiting(stores, bob)[0].waited < seeking.SILENCE


def test_who_wants_something_else_meanwhile_is_not_met(stores: Stores) -> None:
    ada, bob = somebody(stores), somebody(stores)
    for each in (ada, bob):
        stores.run(stores.one.seeks.say(each.id, WANTED))
    one, two = waiting(stores, ada, bob)
    stores.run(stores.two.seeks.say(bob.id, Wanted("khet", CLOCK, False)))
    with pytest.raises(Refused):
        pair(stores, one, two)


def test_who_says_it_twice_at_once_looks_once(stores: Stores) -> None:
    """By two processes: neither finds anything said before."""
    ada = somebody(stores)
    row = insert(seeks).values(person=ada.id, game="khet", clock=CLOCK, rated=True, since=1, seen=1)
    said = stores.run(meanwhile(stores, [row], stores.one.seeks.say(ada.id, WANTED)))
    assert said is None
    assert stores.run(stores.one.seeks.say(ada.id, WANTED)) is None and len(waiting(stores, ada)) == 1


def test_who_was_forgotten_looks_for_nobody(stores: Stores) -> None:
    ada = somebody(stores)
    stores.run(stores.one.people.forget(ada.id))
    assert stores.code(stores.two.seeks.say(ada.id, WANTED)) == "no_person"
