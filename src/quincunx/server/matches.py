"""The live matches of this process: read from the store when they are needed, and the one way in which they go on.

The life of a move here: the referee is asked (check) → the store appends and commits → the client is told (acknowledge)
→ everybody who looks sees it (publish). No process owns a match: if another one was faster, the append says so, what
it wrote is read, and the question is asked again.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

import msgspec

from quincunx.core.words import Refused
from quincunx.games import Game, load
from quincunx.match.record import Entry, Happened, Outcome
from quincunx.match.referee import Referee, Ruling
from quincunx.server import tasks
from quincunx.server.feeds import FEW, MOST_STORIES
from quincunx.server.live import LiveMatch
from quincunx.server.logs import log
from quincunx.server.match_shapes import MOST_ENTRIES
from quincunx.server.metrics import METRICS
from quincunx.server.pickling import unpack
from quincunx.server.process_pool import Run, run_here
from quincunx.server.tasks import follow, is_short
from quincunx.server.views import Story
from quincunx.store import (
    Answer,
    Appended,
    Conflict,
    Duplicate,
    Notification,
    Standing,
    Store,
    StoredMatch,
    Unavailable,
    damaged,
)
from quincunx.store.news import joined

MOST_LIVE = 2000  # in memory; the least recently used that nobody needs go first

LANES = 2  # matches that are read at a time when all are looked at: others read, too
AGAIN = 1.0  # seconds until those that could not be read are looked at again

TURNS = 4  # of the loop, in which a notification that has reached this process is heard

Question = Callable[[Referee, int], Ruling]


class LiveMatches:
    """All matches of this process. `game` gives the best gear of a game that is there now."""

    def __init__(self, store: Store, game: Callable[[str], Game] = load, run: Run = run_here) -> None:
        self.store = store
        self.run = run  # what would hold up the others, elsewhere
        self.game = game  # in the best gear that is there
        self.on_over: Callable[[LiveMatch], None] = lambda live: None  # it ended by a word of ours
        self.on_news: Callable[[LiveMatch], Awaitable[None]] | None = (
            None  # another process wrote something of it, more than moves
        )
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveMatch | None]] = {}
        self._told: dict[str, Notification] = {}  # by others, and not taken yet
        self._unfinished: set[asyncio.Task[None]] = set()
        self.on_load: Callable[[LiveMatch], None] = lambda live: None  # one that others may have in memory, too
        self.on_presence: Callable[[LiveMatch], None] = lambda live: None  # somebody has come, or is gone

    def __len__(self) -> int:
        return len(self._live)

    async def get(self, id: str) -> LiveMatch | None:
        """A match, read from the store if it is not in memory."""
        if id in self._live:
            self._live.move_to_end(id)
            return self._live[id]
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> LiveMatch | None:
        stored = await self.store.match(id)
        if stored is None:
            return None
        entries = [each.entry for each in await self.store.entries(id)]
        run = run_here if is_short(stored, entries) else self.run
        try:
            data = await run(follow, stored, msgspec.json.encode(entries))
        except Refused as refused:
            if refused.code == "damaged":
                log.warning("match.damaged", match=id, reason=refused.words.en)
            raise
        live = LiveMatch(stored, unpack(data, self.game(stored.game), entries)[0], self.store.clock)
        live.stand(entries)
        await self._find_rematch(live)
        self._keep(live)
        self.on_load(live)
        return live

    def known(self, id: str) -> LiveMatch | None:
        """One that is in memory."""
        return self._live.get(id)

    def in_memory(self) -> list[LiveMatch]:
        return list(self._live.values())

    def add(self, stored: StoredMatch, referee: Referee, entries: list[Entry]) -> None:
        """A match that was just made here, so that nobody else knows of it: what is stored need not be read."""
        live = LiveMatch(stored, referee, self.store.clock)
        live.stand(entries)
        self._keep(live)

    def _keep(self, live: LiveMatch) -> None:
        self._live[live.id] = live
        live.on_presence = self.on_presence
        self._make_room()

    def _make_room(self) -> None:
        excess = len(self._live) - MOST_LIVE
        if excess > 0:
            for id in [id for id, live in self._live.items() if live.idle][:excess]:
                del self._live[id]

    def is_watched(self, id: str) -> bool:
        return id in self._live and bool(self._live[id].connected)

    def _dismiss(self, live: LiveMatch) -> None:
        self._live.pop(live.id, None)
        for client in list(live.connected):
            client.dismiss()

    async def look(self, live: LiveMatch) -> bytes:
        """What the public sees now; worked out once until the match changes."""
        if live.looked is None or live.looked[0] != live.views.changes:
            game, world = live.match.game, live.match.world
            work = self.run(tasks.look, live.stored.game, world.options, game.to_bytes(world))
            live.looked = live.views.changes, asyncio.ensure_future(work)
        try:
            return await asyncio.shield(live.looked[1])
        except Refused:
            live.looked = None
            raise

    async def retell(self, live: LiveMatch, observer: int, whole: bool) -> None:
        """Before somebody looks: what the eye has not heard, if it is much, is told in another process."""
        feed, match = live.feed(observer), live.match
        async with feed.telling:
            length, since = match.length, feed.unheard(whole)
            if length - since <= FEW:
                return
            game = match.game
            start, actions = game.to_bytes(match.beginning()), list(match.standing)
            with suppress(Refused), feed.listening(length) as changed:  # who asks for too much hears the latest only
                data = await self.run(
                    tasks.retell, live.stored.game, match.world.options, start, actions, observer, since, MOST_STORIES
                )
                if not changed():
                    feed.remember(since, length, msgspec.json.decode(data, type=list[tuple[int, Story]]))

    async def refresh(self, id: str) -> None:
        """A seat was taken, a rematch made, or another process appended: read what is new, and tell it."""
        live = self._live.get(id)
        if live is None:
            return
        async with live.lock:
            stored = await self.store.match(id)
            if stored is None:  # it was deleted
                return self._dismiss(live)
            live.stored = stored
            since = live.match.length
            await self._catch_up(live)
            await self._find_rematch(live)
            live.publish(since)

    async def follow(self) -> None:
        """Other processes tell which matches went on."""
        async for told in self.store.notifications():
            try:
                if told.match is None:
                    self._later(self._look_at_all(list(self._live)))
                else:
                    self._hear(told.match, told)
            except Exception:  # of one match, which is read then; the others are heard of
                log.error("match.failed", match=told.match)
                self._later(self.refresh(str(told.match)))

    def _hear(self, id: str, told: Notification) -> None:
        """Most often it is a move that is told along: then it is taken at once. Whatever else it is takes its time, and
        holds up no other match."""
        live = self._live.get(id)
        if live and told.seq and not live.lock.locked() and self._take_told(live, told):
            return
        if id in self._told:
            self._told[id] = joined(self._told[id], told)
        elif live or id in self._loading:
            self._told[id] = told
            self._later(self._hear_out(id))

    def _take_told(self, live: LiveMatch, told: Notification) -> bool:
        """Nobody else must be about to append. False: it does not follow, or more than entries has to be read."""
        entries = told.beyond(live.seq)
        if entries:
            since = live.match.length
            live.take(entries)
            live.publish(since)
        return live.seq >= told.seq and not live.match.over

    async def _hear_out(self, id: str) -> None:
        """What a notification did not tell is read."""
        if loading := self._loading.get(id):
            await asyncio.wait([loading])
        live = self._live.get(id)
        if live is None:
            del self._told[id]
            return
        async with live.lock:
            told = self._told.pop(id)
            if told.seq and not live.match.over and not self._take_told(live, told):
                await self._hears_more(live, told.seq)
        if not told.seq or live.match.over:
            await self.refresh(id)
        if self.on_news and id in self._live and not told.seq:
            await self.on_news(live)

    async def _look_at_all(self, ids: list[str]) -> None:
        """Anything may have happened to them: those that somebody looks at come first, and no match waits for ever for
        another one that is damaged, or for a database that is away."""
        while ids := await self._look_at(sorted(ids, key=self.is_watched, reverse=True)):
            await asyncio.sleep(AGAIN)

    async def _look_at(self, ids: list[str]) -> list[str]:
        """Reads of these only what is new. Those that could not be read."""
        try:
            found = await self.store.standings(ids)
        except Unavailable as error:
            log.warning("store.unavailable", reason=str(error))
            return ids
        left, unread = iter(ids), list[str]()

        async def lane() -> None:
            for id in left:
                try:
                    await self._look_over(id, found.get(id))
                except Unavailable as error:
                    log.warning("store.unavailable", reason=str(error))
                    unread.append(id)
                except Exception as error:  # of one match; the others are looked at
                    log.warning("match.left", match=id, code=getattr(error, "code", type(error).__name__))

        await asyncio.gather(*(lane() for _ in range(LANES)))
        return unread

    async def _look_over(self, id: str, standing: Standing | None) -> None:
        live = self._live.get(id)
        if live is None:
            return
        if standing is None or _is_behind(live, standing):
            await self.refresh(id)
        if standing and standing.remark and self.on_news and id in self._live:
            await self.on_news(live)

    async def shift(self, id: str) -> None:
        """The machine code of a game is there: its matches go on with it."""
        game = self.game(id)
        for live in [live for live in self._live.values() if live.stored.game == id]:
            async with live.lock:
                live.shift(game)

    async def _find_rematch(self, live: LiveMatch) -> None:
        if live.match.over and live.rematch is None:
            following = await self.store.rematch_of(live.id)
            live.rematch = following.id if following else None

    async def _catch_up(self, live: LiveMatch) -> None:
        """Reads what another process appended."""
        live.take([each.entry for each in await self.store.entries(live.id, live.seq)])

    # -- going on ------------------------------------------------------------------------------------------------

    async def ask(
        self,
        live: LiveMatch,
        question: Question,
        move_id: str | None = None,
        acknowledge: Callable[[], None] = lambda: None,
    ) -> Refused | None:
        """Asks the referee, stores what follows, then takes and publishes it. None means: it is done, and durable."""
        async with live.lock:
            while True:
                ruling = question(live.referee, live.now())
                if isinstance(ruling, Refused):
                    if self.store.shared and await self._hears_more(live, live.seq + 1):
                        continue  # a process that has heard less must not refuse what is right by now
                    if move_id is None or not await self.store.knows_move(live.id, move_id):
                        return ruling
                    ruling = []  # it was acknowledged before, and is sent again
                if not ruling:
                    acknowledge()
                    return None
                ruling, outcome = _bounded(live, ruling)
                answer = await self._append(live, ruling, move_id, outcome)
                if isinstance(answer, Appended):
                    self._go_on(live, ruling, acknowledge)
                    return None
                if isinstance(answer, Conflict) and answer.last_seq < live.seq:  # what was written is not there
                    log.warning("match.damaged", match=live.id, reason="entries are gone")
                    return Refused("damaged", damaged(answer.last_seq + 1).words)
                await self._hears_more(live, answer.seq if isinstance(answer, Duplicate) else answer.last_seq)
                if isinstance(answer, Duplicate):
                    acknowledge()
                    return None

    async def _hears_more(self, live: LiveMatch, seq: int) -> bool:
        """Has another process appended something, up to `seq` at least? Then it is taken, and published. What has
        arrived of it need not be read."""
        before, since = live.seq, live.match.length
        for _ in range(TURNS if self.store.shared else 0):
            told = self._told.get(live.id)
            if told and told.seq >= seq and (entries := told.beyond(live.seq)):
                live.take(entries)
                break
            await asyncio.sleep(0)
        else:
            await self._catch_up(live)
        if live.seq > before:
            live.publish(since)
        return live.seq > before

    def _go_on(self, live: LiveMatch, ruling: list[Entry], acknowledge: Callable[[], None]) -> None:
        """With what is stored."""
        acknowledge()
        since = live.match.length
        live.take(ruling)
        live.publish(since)
        if live.match.over:
            self.on_over(live)

    async def _append(
        self, live: LiveMatch, ruling: list[Entry], move_id: str | None, outcome: Outcome | None
    ) -> Answer:
        began = time.perf_counter()
        try:
            answer = await self.store.append(live.id, live.seq, ruling, move_id, outcome=outcome)
        except BaseException:  # it may be written or not: whoever waits for it must hear of it
            self._later(self.refresh(live.id))
            raise
        METRICS.commit_seconds.observe(time.perf_counter() - began)
        return answer

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_in_the_end(work))
        self._unfinished.add(task)
        task.add_done_callback(self._unfinished.discard)


def _is_behind(live: LiveMatch, standing: Standing) -> bool:
    stored, last_seq, rematch, _ = standing
    return live.seq < last_seq or live.stored != stored or (live.rematch is None and rematch is not None)


async def _in_the_end(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Unavailable as error:  # when the database is back, it says to look at all
        log.warning("store.unavailable", reason=str(error))
    except Refused as refused:
        log.warning("match.left", code=refused.code)


def _bounded(live: LiveMatch, ruling: list[Entry]) -> tuple[list[Entry], Outcome | None]:
    """What is to be stored, and how the match stands then; one that goes round in circles for ever is ended."""
    outcome = live.referee.outcome_after(ruling)
    if outcome is None and live.seq + len(ruling) > MOST_ENTRIES:
        ruling = [Happened("abort", live.now(), reason="too many entries")]
        outcome = live.referee.outcome_after(ruling)
    return ruling, outcome
