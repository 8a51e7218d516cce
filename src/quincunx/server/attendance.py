"""Which matches are seen to when no person acts: those where somebody is, or comes soon, or a flag is about to fall.

Half a minute after the last client left a match, its computers stop in the middle of their thought and its clocks are
left alone; both go on when somebody comes back. That holds for matches among computers too. Where a flag falls within
the hour, they go on.
"""

from __future__ import annotations

import asyncio

from quincunx.core.words import Refused
from quincunx.server.clocks import SOON, Clocks, until_flag
from quincunx.server.computers import Computers
from quincunx.server.live import LiveMatch
from quincunx.server.logs import log
from quincunx.server.matches import LiveMatches

PATIENCE = 30.0  # seconds without a client after which nobody waits any more


class Attendance:
    def __init__(self, clocks: Clocks, computers: Computers, patience: float = PATIENCE) -> None:
        self.clocks = clocks
        self.computers = computers
        self._patience = patience
        self._timers: dict[str, asyncio.TimerHandle] = {}  # of matches where nobody is

    async def take_up(self, matches: LiveMatches) -> None:
        """After a start: goes on with the matches of computers that have a clock. The others wait for somebody."""
        for id in await matches.store.timed_with_computers():
            try:
                live = await matches.get(id)
            except Refused as refused:  # one match of older rules must not keep the others waiting
                log.warning("match.left", code=refused.code)
                continue
            if live is not None:
                self.attend(live)

    def attend(self, live: LiveMatch) -> None:
        """Somebody came, or a match was made."""
        if not live.match.over:
            self.clocks.attend(live)
            self.computers.attend(live)
        self.leave(live)

    def leave(self, live: LiveMatch) -> None:
        """Somebody left a match, or came: does anybody wait?"""
        timer = self._timers.pop(live.id, None)
        if timer is not None:
            timer.cancel()
        if not live.connected and not live.match.over:
            self._timers[live.id] = asyncio.get_running_loop().call_later(self._patience, self._rest, live)

    async def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        await self.clocks.close()
        await self.computers.close()

    def _rest(self, live: LiveMatch) -> None:
        seconds = until_flag(live)
        if seconds is not None and seconds < SOON:
            self.leave(live)  # looks again later
        else:
            del self._timers[live.id]
            self.clocks.release(live)
            self.computers.release(live)
