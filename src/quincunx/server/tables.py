"""Tables: the matches that this process has in memory, each with its referee, its watchers and one lock.

The life of a move here: the referee is asked (check) → the store appends and commits → the client is told (acknowledge)
→ everybody who watches sees it (publish). No process owns a match: if another one was faster, the append says so, what
it wrote is read, and the question is asked again.
"""

from __future__ import annotations

import asyncio
import copy
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from quincunx.core.contract import PUBLIC
from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.games.facade import Refusal
from quincunx.match import Match, Outcome, Played, Seat
from quincunx.match.record import Entry
from quincunx.match.referee import Referee, Ruling
from quincunx.store import Appended, Duplicate, Store, StoredMatch

MOST_TABLES = 2000  # in memory; the least recently used without watchers go first

Question = Callable[[Referee, int], Ruling]
Watcher = Callable[["Table", "News"], None]  # told after every change; it must not wait


class News:
    """What changed: for each observer the events that it was told."""

    def __init__(self) -> None:
        self.stories: dict[int, list[Any]] = {}


class Table:
    """One match in memory."""

    def __init__(self, stored: StoredMatch, referee: Referee) -> None:
        self.stored = stored
        self.referee = referee
        self.seq = 0
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.present: dict[int, int] = {}  # how many sockets hold a seat

    @property
    def id(self) -> str:
        return self.stored.id

    @property
    def match(self) -> Match:
        return self.referee.match

    def now(self) -> int:
        """Milliseconds since the match began."""
        return max(0, time.time_ns() // 1_000_000 - (self.stored.began or self.stored.created))

    def observers(self) -> list[int]:
        return [*range(self.referee.seats), PUBLIC]

    def take(self, entries: list[Entry]) -> News:
        """Follows entries that are stored, and notes what each observer is told of them."""
        news = News()
        game = self.match.game
        for entry in entries:
            if isinstance(entry, Played):
                before = self.match.world
                action = game.parse(before, entry.seat, entry.action)
                for observer in self.observers():
                    told = game.story(game.clone(before), entry.seat, action, observer)
                    if told:
                        news.stories.setdefault(observer, []).extend(game.tell(before, observer, told))
            self.referee.take([entry])
        self.seq += len(entries)
        return news

    def outcome_after(self, entries: list[Entry]) -> Outcome | None:
        """How the match would stand, without touching it."""
        draft = copy.copy(self.match)
        draft.world = self.match.game.clone(self.match.world)
        draft.entries, draft.standing, draft.gone = [], list(self.match.standing), set(self.match.gone)
        for entry in entries:
            draft.take(entry)
        return draft.outcome

    def tell(self, news: News) -> None:
        for watcher in list(self.watchers):
            watcher(self, news)


class Tables:
    """All tables of this process."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table | None]] = {}

    async def get(self, id: str) -> Table | None:
        """The table of a match, read from the store if it is not in memory."""
        if id in self._tables:
            self._tables.move_to_end(id)
            return self._tables[id]
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Table | None:
        stored = await self.store.match(id)
        if stored is None:
            return None
        table = Table(stored, _referee(stored))
        table.take([each.entry for each in await self.store.entries(id)])
        self._tables[id] = table
        self._make_room()
        return table

    def _make_room(self) -> None:
        for id in [id for id, table in self._tables.items() if not table.watchers and not table.lock.locked()]:
            if len(self._tables) <= MOST_TABLES:
                return
            del self._tables[id]

    async def refresh(self, id: str) -> None:
        """A seat was taken, or another process appended: read what is new."""
        table = self._tables.get(id)
        if table is None:
            return
        async with table.lock:
            table.stored = await self.store.match(id) or table.stored
            table.tell(await self._catch_up(table))

    async def _catch_up(self, table: Table) -> News:
        return table.take([each.entry for each in await self.store.entries(table.id, table.seq)])

    async def ask(self, table: Table, question: Question, move_id: str | None = None) -> Refusal | None:
        """Asks the referee, stores what follows, then takes and tells it. None means: it is done, and durable."""
        async with table.lock:
            while True:
                ruling = question(table.referee, table.now())
                if isinstance(ruling, Refusal):
                    return None if move_id and await self._is_stored(table, move_id) else ruling
                if not ruling:
                    return None
                outcome = table.outcome_after(ruling)
                answer = await self.store.append(table.id, table.seq, ruling, move_id, outcome=outcome)
                if isinstance(answer, Appended):
                    table.tell(table.take(ruling))
                    return None
                table.tell(await self._catch_up(table))
                if isinstance(answer, Duplicate):
                    return None

    async def _is_stored(self, table: Table, move_id: str) -> bool:
        """A move that was acknowledged and sent again is refused by the referee, though it was played."""
        return any(each.client_move_id == move_id for each in await self.store.entries(table.id))


def _referee(stored: StoredMatch) -> Referee:
    game = load(stored.game)
    options: dict[str, Any] = dict(stored.options)
    seats = [Seat(seat.name, seat.player) for seat in stored.seats]
    if stored.rules != game.card.version:
        raise Refused("other_rules", Words("Cette partie suit d’autres règles.", "This match follows other rules."))
    match = Match.unplayed(game, stored.start, seats, stored.seed, options)
    return Referee(match, stored.clock)


def entropy() -> int:
    return secrets.randbits(63)
