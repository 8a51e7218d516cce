"""The public list of matches, page by page: a page is kept as bytes until a match is made, begins or ends.

Who opens Home asks for one, and asks again; a page may have ten thousand names. Other processes with the same database
are seen within a second.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from typing import NamedTuple

import msgspec

from quincunx.server.lobby import listed
from quincunx.store import Status, Store

MOST_PAGES = 16  # that are kept, the least recently wanted goes first
FRESH = 1.0  # seconds after which others may have written something
PORTION = 10  # matches after which others have their turn

Wanted = tuple[Status | None, str | None, int, str | None]  # status, game, how many, the last id of the page before


class _Page(NamedTuple):
    version: int
    until: float
    text: bytes


class Listing:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._pages: OrderedDict[Wanted, _Page] = OrderedDict()

    async def page(self, status: Status | None, game: str | None, limit: int, before: str | None) -> bytes:
        """The newest first, those after the match `before`."""
        wanted = status, game, limit, before
        page = self._pages.pop(wanted, None)
        if page is None or page.version != self._store.list_version or time.monotonic() > page.until:
            version, until = self._store.list_version, time.monotonic() + FRESH
            page = _Page(version, until, await self._read(wanted))
        self._pages[wanted] = page
        if len(self._pages) > MOST_PAGES:
            self._pages.popitem(last=False)
        return page.text

    async def _read(self, wanted: Wanted) -> bytes:
        status, game, limit, before = wanted
        found = await self._store.list_matches(status, game, limit=limit, before=before)
        portions = []
        for first in range(0, len(found), PORTION):
            portions.append(b",".join([msgspec.json.encode(listed(row)) for row in found[first : first + PORTION]]))
            await asyncio.sleep(0)
        return b"[" + b",".join(portions) + b"]"
