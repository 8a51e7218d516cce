"""Matches that go: retention and deletion, on both kinds of database; bans, and word of what was done."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Column, ForeignKey, Table, Text, insert, select, update
from sqlalchemy.schema import CreateTable, DropTable

from appender import entry, new_match
from quincunx.core.words import Refused
from quincunx.match import Outcome
from quincunx.store import Appended, StoredMatch, StoredSeat, schema
from quincunx.store.administration import Intervention, read_network
from quincunx.store.deletion import ERASED, MARKED
from stores import Stores, ids

pytestmark = pytest.mark.slow  # left out of `make check`

OLD, NEW = 1_000, 1_000_000  # when a match was made; what ended before CUT goes
CUT = 500_000
OVER = Outcome("played", [1, 0], [1, 2])


def over(stores: Stores, entries: int = 3, created: int = OLD, at: int = 5, **more: Any) -> str:
    """A match that is over, by its last entry."""
    match = stores.match(created=created, **more)
    stores.run(_set(stores, match, began=created))
    written = [entry(str(n), at) for n in range(entries)]
    assert isinstance(stores.run(stores.one.append(match, 0, written, outcome=OVER)), Appended)
    return match


async def _set(stores: Stores, match: str, **values: Any) -> None:
    async with stores.one._engine.begin() as connection:
        await connection.execute(update(schema.matches).where(schema.matches.c.id == match).values(values))


async def _left(stores: Stores, match: str) -> int:
    """Rows of it, whatever they are."""
    count = 0
    async with stores.one._engine.connect() as connection:
        for table, column in ((schema.matches, "id"), (schema.seats, "match"), (schema.entries, "match")):
            count += len((await connection.execute(select(1).where(table.c[column] == match))).all())
    return count


def is_there(stores: Stores, match: str) -> bool:
    return stores.run(stores.two.match(match)) is not None


def prune(stores: Stores, **more: Any) -> int:
    return stores.run(stores.one.deletion.prune(CUT, **more))


def test_what_is_over_and_old_goes_and_nothing_else(stores: Stores) -> None:
    prune(stores)
    gone = [over(stores) for _ in range(MARKED + 3)] + [over(stores, entries=2 * ERASED + 7)]
    playing, recent = stores.match(created=OLD), over(stores, created=NEW)
    open_one = stores.run(stores.one.create(_open())).id
    lasted = over(stores, at=CUT)  # begun long ago, and ended just now
    spared = over(stores)
    stays = {playing: "playing", open_one: "open", recent: "over", lasted: "over", spared: "over"}
    assert prune(stores, spare=lambda match: match == spared) == len(gone)
    assert [stores.run(_left(stores, match)) for match in gone] == [0] * len(gone)
    assert {match: stores.status(match)[0] for match in stays} == stays
    assert prune(stores) == 1 and not is_there(stores, spared)
    assert prune(stores) == 0


def _open() -> StoredMatch:
    return new_match(next(ids), seats=(StoredSeat("person", "Ann"), StoredSeat("open", "")), created=OLD)


def test_a_chain_of_rematches_goes_when_its_last_match_may(stores: Stores) -> None:
    first = over(stores)
    second = over(stores, rematch_of=first)
    third = stores.match(rematch_of=second, created=OLD)  # is being played
    assert prune(stores) == 0 and is_there(stores, first) and is_there(stores, second)
    stores.run(stores.one.append(third, 0, [entry("end")], outcome=OVER))
    stores.run(_set(stores, third, began=OLD))
    assert prune(stores) == 3
    assert not any(is_there(stores, match) for match in (first, second, third))


def test_what_any_other_table_refers_to_stays(stores: Stores) -> None:
    """Contests of this server's own matches, say: whatever table it is, its matches are kept."""
    needs = Table("needs", schema.metadata, Column("match", Text, ForeignKey("matches.id"), primary_key=True))
    match = over(stores)

    async def refer(statement: Any) -> None:
        async with stores.one._engine.begin() as connection:
            await connection.execute(statement)

    try:
        stores.run(refer(CreateTable(needs)))
        stores.run(refer(insert(needs).values(match=match)))
        assert prune(stores) == 0 and is_there(stores, match)
        assert stores.code(stores.one.deletion.delete(match)) == "needed"
        assert stores.run(_left(stores, match)) == 1 + 2 + 3
    finally:
        stores.run(refer(DropTable(needs)))
        schema.metadata.remove(needs)
    assert prune(stores) == 1


def test_a_match_that_is_half_erased_exists_for_nobody_and_is_erased_in_the_end(stores: Stores) -> None:
    match = over(stores, entries=5, code="HALFCO", public=True)
    stores.run(_set(stores, match, status="deleted"))  # as a process leaves it that was killed
    assert not is_there(stores, match) and stores.run(stores.two.by_code("HALFCO")) is None
    assert match not in [each.id for each in stores.run(stores.two.list_matches())]
    assert stores.code(stores.one.deletion.delete(match)) == "no_such_match"
    assert prune(stores) == 0
    assert stores.run(_left(stores, match)) == 0


def test_a_match_is_deleted_by_order_but_not_while_it_is_played(stores: Stores) -> None:
    playing, done = stores.match(), over(stores, created=NEW)
    follower = over(stores, created=NEW, rematch_of=done)
    assert stores.code(stores.one.deletion.delete(playing)) == "running"
    assert stores.code(stores.one.deletion.delete("nothing")) == "no_such_match"
    before = stores.run(stores.one.administration.last())
    stores.run(stores.one.deletion.delete(done))
    assert not is_there(stores, done) and stores.run(_left(stores, done)) == 0
    found = stores.run(stores.two.match(follower))
    assert found is not None and found.rematch_of is None
    assert stores.run(stores.two.administration.since(before)) == [Intervention(before + 1, "deleted", done)]


# -- bans -----------------------------------------------------------------------------------------------------------


def test_bans_are_kept_and_told(stores: Stores) -> None:
    admin, before = stores.one.administration, stores.run(stores.two.administration.last())
    assert stores.run(admin.ban("203.0.113.7", "spam")) == "203.0.113.7"
    stores.run(admin.ban("203.0.113.7", "much spam"))
    stores.run(admin.ban("2001:db8::99"))
    kept = stores.run(stores.two.administration.bans())
    assert [(ban.address, ban.reason) for ban in kept] == [("203.0.113.7", "much spam"), ("2001:db8::/64", "")]
    assert stores.run(admin.unban("203.0.113.7")) and not stores.run(admin.unban("203.0.113.7"))
    assert stores.run(admin.unban("2001:db8::/64"))
    told = stores.run(stores.two.administration.since(before))
    assert [(each.number - before, each.kind) for each in told] == [
        (1, "banned"), (2, "banned"), (3, "banned"), (4, "unbanned"), (5, "unbanned"),
    ]  # fmt: skip
    assert stores.run(stores.two.administration.bans()) == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (" 203.0.113.7 ", "203.0.113.7"),
        ("203.0.113.7/24", "203.0.113.0/24"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:DB8:0::1", "2001:db8::/64"),
        ("2001:db8::/32", "2001:db8::/32"),
    ],
)
def test_an_address_has_one_spelling(given: str, kept: str) -> None:
    assert read_network(given) == kept


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("127.0.0.1", "oneself"),
        ("::1", "oneself"),
        ("0.0.0.0/0", "oneself"),
        ("::/0", "oneself"),
        ("here", "unreadable"),
    ],
)
def test_this_computer_and_nonsense_are_not_banned(given: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_network(given)
    assert refused.value.code == code
