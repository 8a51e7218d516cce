"""The list of matches: a page is read once, and read again when something in it would be otherwise."""

from __future__ import annotations

import pytest

from appender import entry, new_match
from quincunx.match import Outcome
from quincunx.server.listing import MOST_PAGES, Listing
from quincunx.store import StoredSeat
from stores import Stores, ids

pytestmark = pytest.mark.slow  # left out of `make check`

SEATS = (StoredSeat("open", ""), StoredSeat("awaited", "Ada"))


def test_a_page_is_kept_until_a_match_begins_or_ends(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quincunx.server.listing.FRESH", 1e9)

    async def look() -> None:
        listing = Listing(stores.one)

        async def page() -> bytes:
            text = await listing.page(None, "paged", 50, None)
            assert await listing.page(None, "paged", 50, None) is text
            return text

        assert await page() == b"[]"
        match = await stores.one.create(new_match(next(ids), game="paged", public=True, seats=SEATS))
        made = await page()
        assert match.id.encode() in made and b'"status":"open"' in made and b'"open_seats":[0]' in made
        await stores.one.append(match.id, 0, [entry("a")])
        assert await page() is made  # what is played does not show
        assert await stores.one.claim_seat(match.id, 0, "Bob", "hash")
        joined = await page()
        assert b'"open_seats":[]' in joined and b'"Bob"' in joined
        await stores.one.arrive(match.id, [1])
        assert b'"status":"playing"' in await page()
        await stores.one.append(match.id, 1, [entry("b")], outcome=Outcome("played", [1, 0], [1, 2]))
        assert b'"status":"over"' in await page()

    stores.run(look())


def test_pages_that_are_kept_are_few_and_get_old(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    async def look() -> None:
        listing = Listing(stores.two)
        first = await listing.page(None, None, 1, None)
        for limit in range(2, MOST_PAGES + 2):
            await listing.page(None, None, limit, None)
        assert len(listing._pages) == MOST_PAGES
        monkeypatch.setattr("quincunx.server.listing.FRESH", -1.0)
        await listing.page(None, None, 1, None)
        await stores.one.create(new_match(next(ids), public=True, created=2**50))  # another process, to this one
        assert await listing.page(None, None, 1, None) != first

    stores.run(look())
