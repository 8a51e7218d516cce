"""What the administrator does in other processes, once a second: bans come and go, matches end or are deleted."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from quincunx.core.words import Refused
from quincunx.server.bans import Bans
from quincunx.server.logs import log
from quincunx.server.matches import LiveMatches
from quincunx.store import Store, Unavailable

PAUSE = 1.0  # seconds between two looks


class Interventions:
    def __init__(self, store: Store, bans: Bans, matches: LiveMatches) -> None:
        self._admin = store.administration
        self._bans = bans
        self._matches = matches
        self._seen = 0

    async def begin(self) -> None:
        """Before anybody is let in."""
        self._seen = await self._admin.last()
        await self._read_bans()

    async def follow(self) -> None:
        silent = False
        while True:
            await asyncio.sleep(PAUSE)
            try:
                await self.look()
                silent = False
            except Unavailable as error:
                if not silent:  # once, however long it lasts
                    log.warning("store.unavailable", reason=str(error))
                silent = True
            except Exception:  # whatever it is, the next ban must be heard
                log.error("interventions.failed")

    async def look(self) -> None:
        news = await self._admin.since(self._seen)
        if any(each.kind in ("banned", "unbanned") for each in news):
            await self._read_bans()
        for each in news:
            if each.kind in ("ended", "deleted"):
                with suppress(Refused):  # it is damaged: who plays it is told so when they move
                    await self._matches.refresh(each.what)
                log.info(f"match.{each.kind}", match=each.what)
            self._seen = each.number

    async def _read_bans(self) -> None:
        bans = await self._admin.bans()
        self._bans.replace(ban.address for ban in bans)
        if bans:
            log.info("bans", count=len(bans))
