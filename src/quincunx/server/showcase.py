"""Computers that play each other on the home page when nobody does: one short match of two weak players, worked out in
a pool process when somebody looks, and shown move by move in their browser. Nothing of it is stored.

All who look within a while see the same one, so that it costs the same for a thousand.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import msgspec

from quincunx.core.contract import PUBLIC
from quincunx.games import cards, load
from quincunx.match.wire import write
from quincunx.server.frames import standing, walk
from quincunx.server.lobby import usual_start
from quincunx.server.match_shapes import Frame, Replayed
from quincunx.server.process_pool import Run
from quincunx.server.starting import new_seed
from quincunx.tournament.series import Series, play_one

LASTS = 120.0  # seconds until there is another
MOST_FRAMES = 80
LONGEST = 150_000  # bytes of them
PLAYERS = ("level:1", "greedy")


class Show(msgspec.Struct, frozen=True):
    game: str
    replay: Replayed


class Showcase:
    """`is_compiled`: where the machine code of a game is not there yet, playing it would take long."""

    def __init__(self, run: Run, is_compiled: Callable[[str], bool]) -> None:
        self._run = run
        self._is_compiled = is_compiled
        self._made: tuple[float, asyncio.Future[bytes]] | None = None
        self._shown = 0

    async def look(self) -> bytes:
        """The match that is shown now; `null` if there is none."""
        now = time.monotonic()
        if self._made is None or now - self._made[0] > LASTS or _failed(self._made[1]):
            games = [card.id for card in cards() if not card.fog and card.seats[0] == 2 and self._is_compiled(card.id)]
            if not games:
                return b"null"
            self._shown += 1
            game = games[self._shown % len(games)]
            self._made = now, asyncio.ensure_future(self._run(show, game, new_seed() % 2**31))
        return await asyncio.shield(self._made[1])

    def close(self) -> None:
        if self._made is not None:
            self._made[1].cancel()


def _failed(task: asyncio.Future[bytes]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def show(id: str, seed: int) -> bytes:
    """In a pool process: the first moves of a match from the usual start."""
    start = usual_start(load(id))
    players = PLAYERS if seed % 2 else PLAYERS[::-1]
    series = Series(id, players, seed=seed, setup=start.setup, options=dict(start.options), opening=2)
    record = play_one(series, 0).record
    assert record is not None
    played = standing(record.entries)[:MOST_FRAMES]
    frames: list[Frame] = []
    size = 0
    for frame in walk(record, played, range(len(played) + 1), PUBLIC):
        frames.append(frame)
        size += len(write(frame))
        if size > LONGEST:
            break
    names = tuple(seat.player for seat in record.seats)
    return write(Show(id, Replayed(len(frames), names, record.options, record.outcome, tuple(frames), PUBLIC)))
