"""Clocks that run out: when a flag falls, the referee is asked what follows. Nobody need be there.

The clocks themselves are the referee's (match/clock.py), which has no time of its own: here is who looks at the time.
"""

from __future__ import annotations

import asyncio

from quincunx.server.live import LiveMatch
from quincunx.server.matches import LiveMatches
from quincunx.server.retries import persist
from quincunx.server.tokens import entropy

SOON = 3600.0  # seconds: no alarm is set for later; it is set again then


class _Alarm:
    """Of one match."""

    def __init__(self, live: LiveMatch) -> None:
        self.live = live
        self.timer: asyncio.TimerHandle | None = None
        self.ringing: asyncio.Task[None] | None = None

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.ringing is not None and self.ringing is not asyncio.current_task():
            self.ringing.cancel()


class Clocks:
    def __init__(self, matches: LiveMatches) -> None:
        self._matches = matches
        self._alarms: dict[str, _Alarm] = {}

    def attend(self, live: LiveMatch) -> None:
        """Sees to the clocks of a match until it is over, or released."""
        if live.id not in self._alarms:
            self._alarms[live.id] = _Alarm(live)
            live.listeners.add(self._on_change)
        self._on_change(live)

    def release(self, live: LiveMatch) -> None:
        live.listeners.discard(self._on_change)
        alarm = self._alarms.pop(live.id, None)
        if alarm is not None:
            alarm.stop()

    async def close(self) -> None:
        ringing = [alarm.ringing for alarm in self._alarms.values() if alarm.ringing is not None]
        for alarm in list(self._alarms.values()):
            self.release(alarm.live)
        await asyncio.gather(*ringing, return_exceptions=True)

    def _on_change(self, live: LiveMatch) -> None:
        if live.match.over:
            self.release(live)
        else:
            self._set(self._alarms[live.id])

    def _set(self, alarm: _Alarm) -> None:
        """Wakes up when the next flag falls."""
        if alarm.timer is not None:
            alarm.timer.cancel()
        seconds = until_flag(alarm.live)
        if seconds is not None:
            loop = asyncio.get_running_loop()
            alarm.timer = loop.call_later(min(seconds, SOON) + 0.001, self._ring, alarm)

    def _ring(self, alarm: _Alarm) -> None:
        if alarm.ringing is None or alarm.ringing.done():
            alarm.ringing = asyncio.create_task(self._expire(alarm.live))
            alarm.ringing.add_done_callback(lambda _: self._rang(alarm))

    async def _expire(self, live: LiveMatch) -> None:
        async def ask() -> None:
            await self._matches.ask(live, lambda referee, at: referee.expire(at, entropy))

        await persist(ask)

    def _rang(self, alarm: _Alarm) -> None:
        if self._alarms.get(alarm.live.id) is alarm:
            self._set(alarm)


def until_flag(live: LiveMatch) -> float | None:
    """Seconds until the next flag falls; 0 where a seat that is gone is to act; None if none does."""
    if live.stored.status != "playing" or live.match.over:
        return None
    if any(seat in live.match.gone for seat in live.to_act):
        return 0.0
    ends = [end for clock in live.referee.clocks if (end := clock.deadline()) is not None]
    return max(0, min(ends) - live.now()) / 1000 if ends else None
