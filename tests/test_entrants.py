"""Arenas in a store, on SQLite and a real PostgreSQL server: a name belongs to one key, a bout is there with its match
and ends once, nobody sits at more matches than it takes, and who is gone is not there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import count
from time import time_ns
from types import SimpleNamespace
from typing import Any

import pytest

from appender import new_match
from quincunx.core.words import Refused
from quincunx.store import contests as contests_module
from quincunx.store import entrants as entrants_module
from quincunx.store.contests import Rivals, StoredResult
from quincunx.store.entrants import StoredBout
from stores import Stores

pytestmark = pytest.mark.slow  # left out of `make check`

numbers = count()


class Arena:
    """One arena, in two stores."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.both = (stores.one, stores.two)
        self.id = f"arena{next(numbers)}"
        stores.run(stores.one.contests.create(self.id, "Arena", "khet", '{"game":"khet","format":"arena"}'))

    def enter(self, name: str, key: str | None = "k", **more: Any) -> Any:
        return self.both[0].entrants.enter(self.id, name, more.pop("kind", "program"), key_hash=key, **more)

    async def book(self, players: Sequence[str], places: dict[str, int], store: int = 0, round: int = 0) -> bool:
        """False if one of them plays already."""
        match = new_match(f"{self.id}-{next(numbers)}")
        booking = self.both[store].entrants.booking(self.id, match.id, players, places, round)
        try:
            await self.both[store].create(match, (), booking)
        except Refused as refused:
            assert refused.code == "busy_player" and await self.both[1].match(match.id) is None
            return False
        return True

    def under_way(self) -> list[StoredBout]:
        return self.stores.run(self.both[1].entrants.under_way(self.id))

    def results(self) -> list[int]:
        async def read() -> list[int]:
            return [row.pairing async for row in self.both[0].contests.results(self.id)]

        return self.stores.run(read())


@pytest.fixture
def arena(stores: Stores) -> Arena:
    return Arena(stores)


def test_a_name_belongs_to_the_key_that_came_first(arena: Arena) -> None:
    run, code = arena.stores.run, arena.stores.code
    first = run(arena.enter("Fox", "k1"))
    assert (first.name, first.kind, first.accepted, first.key_hash) == ("Fox", "program", True, "k1")
    assert run(arena.enter("Fox", "k1", accepted=False)) == first
    assert code(arena.enter("Fox", "k2")) == code(arena.enter("Fox", None)) == "name_taken"
    assert run(arena.enter("Fox", "k1", kind="upload", player="upload:x")).kind == "upload"
    run(arena.enter("Level", None, kind="computer", player="level:1"))
    assert code(arena.enter("Level", "k1")) == "name_taken"
    entrants = arena.both[1].entrants
    assert [each.name for each in run(entrants.all(arena.id))] == ["Fox", "Level"]
    assert run(entrants.counts([arena.id, "none"])) == {arena.id: 2}
    run(entrants.accept(arena.id, "Fox", False))
    fox = run(entrants.known(arena.id, "Fox"))
    assert fox is not None and not fox.accepted and fox.kind == "upload"
    assert code(entrants.accept(arena.id, "Nobody", True)) == "no_such_entrant"
    run(entrants.remove(arena.id, "Fox"))
    assert run(entrants.known(arena.id, "Fox")) is None


def test_of_many_who_take_one_name_at_once_one_has_it(arena: Arena) -> None:
    async def at_once() -> list[Any]:
        stores = arena.both * 5
        return await asyncio.gather(
            *(s.entrants.enter(arena.id, "Fox", "program", key_hash=f"k{n}") for n, s in enumerate(stores)),
            return_exceptions=True,
        )

    came = arena.stores.run(at_once())
    kept = [each for each in came if not isinstance(each, Refused)]
    assert len(kept) == 1 and len(came) == 10


def test_an_arena_has_an_end_and_a_size(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrants_module, "MOST_ENTRANTS", 2)
    arena.stores.run(arena.enter("a"))
    arena.stores.run(arena.enter("b"))
    assert arena.stores.code(arena.enter("c")) == "full"
    assert arena.stores.run(arena.enter("a")).name == "a"
    arena.stores.run(arena.both[0].contests.leave(arena.id, "", True))
    assert arena.stores.code(arena.enter("a")) == "closed"
    assert arena.stores.code(arena.both[0].entrants.enter("nowhere", "a", "program")) == "no_such_contest"
    late = arena.both[0].entrants.booking(arena.id, "late", "ab", {})
    assert arena.stores.code(arena.both[0].create(new_match("late"), (), late)) == "closed"
    assert arena.stores.run(arena.both[1].match("late")) is None


def test_nobody_sits_at_more_matches_than_it_takes_whoever_books(arena: Arena) -> None:
    async def at_once() -> list[bool]:
        wanted = [("a", "b"), ("a", "c"), ("b", "c"), ("a", "level"), ("c", "level"), ("two", "level")]
        places = {"a": 1, "b": 1, "c": 1, "two": 2}  # a computer takes any number
        return await asyncio.gather(*(arena.book(pair, places, n % 2) for n, pair in enumerate(wanted * 3)))

    arena.stores.run(at_once())
    running = arena.under_way()
    sat = [name for bout in running for name in bout.players]
    assert max(sat.count(name) for name in "abc") == 1 and sat.count("two") == 2 and "a" in sat
    assert [bout.pairing for bout in running] == list(range(len(running)))
    found = arena.stores.run(arena.both[1].entrants.bout_of(running[0].match))
    assert found == running[0] and arena.stores.run(arena.both[0].entrants.bout_of("other")) is None


def test_a_bout_ends_once_with_its_result_or_with_none(arena: Arena) -> None:
    run = arena.stores.run
    assert run(arena.book("ab", {}, round=2)) and run(arena.book("cd", {}, round=2)) and run(arena.book("ac", {}))
    first, second, third = arena.under_way()
    assert run(arena.both[0].entrants.of_round(arena.id, 2)) == [first, second]

    async def at_once() -> list[bool]:
        row = StoredResult(first.pairing, 0, "{}", record=b"x")
        return await asyncio.gather(*(arena.both[n % 2].entrants.end(first, row) for n in range(6)))

    assert run(at_once()).count(True) == 1
    assert run(arena.both[0].entrants.end(second, None))
    assert arena.under_way() == [third] and arena.results() == [0]
    assert run(arena.both[0].entrants.end(second, StoredResult(second.pairing, 0, "{}"))) is False
    assert arena.results() == [0] and run(arena.both[1].contests.get(arena.id)).results == 1
    assert run(arena.book("bd", {}))
    assert [bout.pairing for bout in arena.under_way()] == [2, 3]


def test_those_of_a_process_that_is_gone_are_not_there(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(contests_module, "time", SimpleNamespace(monotonic=lambda: clock[0], time_ns=time_ns))
    run, one, two = arena.stores.run, arena.both[0].entrants, arena.both[1].entrants
    rivals = Rivals()
    run(one.be_present(arena.id, "p1", {"a": 1}, Rivals()))
    run(two.be_present(arena.id, "p2", {"b": 0, "c": 2}, Rivals()))
    assert run(one.present(arena.id, rivals)) == {"p1": {"a": 1}, "p2": {"b": 0, "c": 2}}
    clock[0] += contests_module.SILENCE - 1
    run(one.be_present(arena.id, "p1", {"a": 0}, rivals))
    assert run(two.present(arena.id, rivals)) == {"p1": {"a": 0}, "p2": {"b": 0, "c": 2}}
    clock[0] += 2
    assert run(two.present(arena.id, rivals)) == {"p1": {"a": 0}}
    assert run(two.present(arena.id, Rivals())) == {"p1": {"a": 0}, "p2": {"b": 0, "c": 2}}
    run(one.be_present(arena.id, "p1", {"a": 0}, rivals))
    assert run(two.present(arena.id, Rivals())) == {"p1": {"a": 0}}  # what the other said is forgotten
    run(one.leave(arena.id, "p1"))
    assert run(two.present(arena.id, rivals)) == {}


def test_an_arena_that_is_deleted_leaves_nothing(arena: Arena) -> None:
    run = arena.stores.run
    run(arena.enter("a"))
    run(arena.book("ab", {}))
    run(arena.both[0].entrants.be_present(arena.id, "p", {}, Rivals()))
    bout = arena.under_way()[0]
    run(arena.both[0].contests.delete(arena.id))
    assert run(arena.both[1].entrants.bout_of(bout.match)) is None
    assert run(arena.both[1].entrants.all(arena.id)) == []
    assert arena.id not in [each.id for each in run(arena.both[1].contests.unfinished())]
