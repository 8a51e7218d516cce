"""Studies and openings in the store, on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

import asyncio

import pytest

from appender import new_match
from quincunx.core.options import Value
from quincunx.match import Outcome
from quincunx.store.openings import Step
from stores import Stores, ids

pytestmark = pytest.mark.slow  # left out of `make check`


def test_a_study_is_kept_changed_and_listed_for_its_owner(stores: Stores) -> None:
    one, two = stores.one.studies, stores.two.studies
    options: dict[str, Value] = {"turns": 6, "wild": True}
    made = stores.run(one.create("ada", "  Mine ", "cultist", 1, options, "a start", None, '[{"parent":-1}]'))
    assert stores.run(two.get(made.id)) == made and (made.name, made.options) == ("Mine", options)
    changed = stores.run(two.change(made.id, "Other", "[]"))
    assert (changed.name, changed.tree, changed.start) == ("Other", "[]", "a start")
    (listed,) = stores.run(one.list("ada"))
    assert (listed.id, listed.name, listed.tree) == (made.id, "Other", "")
    assert stores.run(one.list("eve")) == [] and stores.run(one.count("ada"))[0] == 1
    stores.run(two.delete(made.id))
    assert stores.code(one.get(made.id)) == "no_such_study"


def test_a_match_is_counted_once_whoever_counts_it_and_however_many_at_a_time(stores: Stores) -> None:
    """Two stores at once, in different orders; a position that a match came through twice counts once."""
    over = Outcome("played", [1, 0], [1, 2])
    game = "counted"
    made = [stores.match(status="over", outcome=over, public=True, game=game) for _ in range(6)]
    hidden = stores.match(status="over", outcome=over, game=game)
    running = stores.match(status="playing", public=True, game=game)
    steps = [Step("start", "a"), Step("next", "b"), Step("start", "a")]

    async def count() -> None:
        assert sorted(await stores.one.openings.unread(game, 100)) == sorted(made)
        work = [
            store.openings.count(match, game, steps, winner)
            for store, order in ((stores.one, made), (stores.two, made[::-1]))
            for match in order
            for winner in [(0, 1, None)[made.index(match) % 3]]
        ]
        await asyncio.gather(*work)
        for store in (stores.one, stores.two):
            assert await store.openings.at(game, "start") == [("a", 2, 2, 2)]
            assert await store.openings.at(game, "next") == [("b", 2, 2, 2)]
            assert await store.openings.unread(game, 100) == []

    stores.run(count())
    assert hidden not in made and running not in made


def test_a_match_without_an_opening_is_seen_once(stores: Stores) -> None:
    over = Outcome("abort", [0, 0], [1, 1])
    match = stores.run(
        stores.one.create(new_match(next(ids), status="over", outcome=over, public=True, game="aborted"))
    ).id
    assert stores.run(stores.one.openings.unread("aborted", 5)) == [match]
    stores.run(stores.one.openings.count(match, "aborted", [], None))
    assert stores.run(stores.two.openings.unread("aborted", 5)) == []
