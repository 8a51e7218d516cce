"""The explorer of openings: in a position, what was played in the public matches of this server and how they ended.

Matches are counted when somebody asks, each once and for ever (store/openings.py), their first actions, off the loop,
in the background: what is asked meanwhile is answered with what is counted. Only for games that begin the same way each
time, and without secrets.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Annotated

from litestar import get
from litestar.datastructures import State
from litestar.params import PathParameter
from msgspec import Struct

from quincunx.core.words import Refused, Words
from quincunx.games import package
from quincunx.server.frames import read_entries, standing
from quincunx.server.problems import refusals
from quincunx.server.rest import GameId
from quincunx.store import Store
from quincunx.store.openings import Step

DEPTH = 40  # actions of a match
PORTION = 50  # matches that are looked for at once
AGAIN = 5.0  # seconds before it looks for more
PATIENCE = 0.5  # seconds that whoever asks waits for what is being counted
NO_OPENINGS = Words(
    "Ce jeu n’a pas d’ouvertures : chaque partie commence autrement.",
    "This game has no openings: every match begins in another way.",
)

Digest = Annotated[str, PathParameter(pattern="^[0-9a-f]{16}$", description="of a position, as frames have it")]


class Opening(Struct, frozen=True):
    """An action that was played here, and how often the first seat won, nobody, and the second."""

    action: str
    first: int
    drawn: int
    second: int


def has_openings(game: str) -> bool:
    card = package(game).CARD
    return card.open and not card.drawn and card.seats == (2, 2)


@get("/api/games/{game:str}/openings/{position:str}", responses=refusals(404, 409))
async def openings(state: State, game: GameId, position: Digest) -> list[Opening]:
    """What was played here in finished matches, how often, and how it ended."""
    if not has_openings(game):
        raise Refused("no_openings", NO_OPENINGS)
    await state.explorer.wake(game)
    return [Opening(*tally) for tally in await state.store.openings.at(game, position)]


class Explorer:
    """Counts matches, one after the other."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counting: dict[str, asyncio.Task[None]] = {}
        self._looked: dict[str, float] = {}

    async def wake(self, game: str) -> None:
        """Looks for new matches, unless it has just done so, and waits a moment for what it finds."""
        now, task = monotonic(), self._counting.get(game)
        if (task is None or task.done()) and now - self._looked.get(game, -AGAIN) >= AGAIN:
            self._looked[game] = now
            self._counting[game] = asyncio.create_task(self.count(game))
        await asyncio.wait([self._counting[game]], timeout=PATIENCE)

    async def count(self, game: str) -> None:
        while found := await self._store.openings.unread(game, PORTION):
            for id in found:
                await self._count(id, game)

    async def _count(self, id: str, game: str) -> None:
        stored = await self._store.match(id)
        steps: list[Step] = []
        winner = None
        if stored is not None and stored.outcome is not None and stored.outcome.reason != "abort":
            entries = await self._store.entries_text(id)
            steps = await asyncio.to_thread(opening, stored.start_digest, entries)
            ranks = stored.outcome.ranks
            winner = None if ranks[0] == ranks[1] else int(ranks[0] > ranks[1])
        await self._store.openings.count(id, game, steps, winner)

    async def close(self) -> None:
        for task in self._counting.values():
            task.cancel()
        for task in self._counting.values():
            with suppress(asyncio.CancelledError):
                await task


def opening(start: str, entries: bytes) -> list[Step]:
    """The first actions, each with the position that it was played in."""
    played = standing(read_entries(entries))
    digests = [start, *(entry.digest for entry in played)]
    return [Step(digest, entry.action) for digest, entry in zip(digests, played[:DEPTH], strict=False)]


HANDLERS = (openings,)
