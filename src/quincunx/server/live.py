"""LiveMatches: the matches that this process has in memory, each with its referee, its feeds and one lock.

The life of a move here: the referee is asked (check) → the store appends and commits → the client is told (acknowledge)
→ everybody who looks sees it (publish). No process owns a match: if another one was faster, the append says so, what
it wrote is read, and the question is asked again.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from quincunx.core.board import Ripple
from quincunx.core.contract import PUBLIC
from quincunx.core.words import Refused
from quincunx.games import Game, World, load
from quincunx.games.facade import Refusal
from quincunx.match import Match
from quincunx.match.record import Entry, Happened
from quincunx.match.referee import Referee, Ruling
from quincunx.match.wire import write
from quincunx.server import tasks
from quincunx.server.feeds import FEW, MOST_STORIES, Feed
from quincunx.server.logs import log
from quincunx.server.metrics import METRICS
from quincunx.server.pickling import unpack
from quincunx.server.process_pool import Run, run_here
from quincunx.server.shapes import MOST_ENTRIES
from quincunx.server.tasks import follow, is_short
from quincunx.server.updates import CommonState, PendingChanges, Publication, Story
from quincunx.store import Appended, Conflict, Duplicate, Store, StoredMatch, Unavailable, damaged

if TYPE_CHECKING:
    from quincunx.server.session import Session

QUIET = ("draw_offered", "draw_declined", "take_back_asked", "take_back_declined")  # events that leave the board alone
CROWD, GATHER = 8, 0.05  # so many sockets at a match, and seconds that a publication may wait there
MOST_LIVE = 2000  # in memory; the least recently used that nobody needs go first

Question = Callable[[Referee, int], Ruling]
Watcher = Callable[["LiveMatch"], None]  # told after every change; it must not wait


class LiveMatch:
    """One match in memory."""

    def __init__(self, stored: StoredMatch, referee: Referee, clock: Callable[[], int]) -> None:
        self.stored = stored
        self._clock = clock
        self.referee = referee
        self.rematch: str | None = None
        self.seq = 0
        self.changes = 0  # of the board: who looked since then need not look again
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.sessions: set[Session] = set()
        self.present: dict[int, int] = {}  # how many sockets hold a seat
        self.feeds: dict[int, Feed] = {}
        self._shown: dict[int, tuple[Any, bytes]] = {}  # to each observer since the last change, also as bytes
        self._boards: dict[int, msgspec.Raw] = {}
        self.looked: tuple[int, asyncio.Future[bytes]] | None = None  # what the public sees, and since which change
        self._pending = PendingChanges(0, 0)
        self._common: CommonState | None = None  # as all were told it last
        self._since: int | None = None  # from this action on, all are to be told
        self._telling: asyncio.TimerHandle | None = None
        self.to_act = self._to_act()
        self._last = 0  # when the last entry was written: another process may have read its clock a little later
        self._ahead = 0  # milliseconds by which the match was further than our clock when it was read

    @property
    def id(self) -> str:
        return self.stored.id

    @property
    def match(self) -> Match:
        return self.referee.match

    @property
    def idle(self) -> bool:
        return not (self.watchers or self.sessions or self.lock.locked())

    def now(self) -> int:
        """Milliseconds since the match began; none before."""
        if self.stored.status == "open":
            return 0
        return max(0, self._last, self._clock() - (self.stored.began or self.stored.created) + self._ahead)

    def _to_act(self) -> tuple[int, ...]:
        match = self.match
        return () if match.over else tuple(s for s in range(self.referee.seats) if match.game.to_act(match.world, s))

    # -- going on ------------------------------------------------------------------------------------------------

    def stand(self, entries: list[Entry]) -> None:
        """Its referee has followed these, all that the store has of the match."""
        self.seq = len(entries)
        last = max((entry.at for entry in entries), default=0)
        self._ahead = max(0, last - self.now())
        self._last = last

    def take(self, entries: list[Entry]) -> None:
        """Follows entries that are stored; those who look, or will, are told their story of each."""
        match = self.match
        wanted = [feed for feed in self.feeds.values() if feed.wanted]
        for entry in entries:
            number, before = match.length, match.world
            if wanted and not self.referee.foresaw(entry):
                before = match.game.clone(before)
            self.referee.take([entry])
            if isinstance(entry, Happened):
                self._pending.add(PUBLIC, Ripple({}, own=True) if entry.event in QUIET else None)
            elif wanted:
                self._add_stories(wanted, number, before)
            if match.length < number:
                for feed in self.feeds.values():
                    feed.forget(match.length)
        self.seq += len(entries)
        self._last = max([self._last, *(entry.at for entry in entries)])
        self.changes += 1
        self._shown.clear()
        self._boards.clear()
        self.to_act = self._to_act()

    def _add_stories(self, wanted: list[Feed], number: int, before: World) -> None:
        """The action that was just taken: each feed gets its own story of it, worked out once for those alike."""
        game, (seat, action) = self.match.game, self.match.standing[-1]
        ripple = game.ripple(before, self.match.world)
        self._pending.add(seat, ripple)
        told: dict[int, Story] = {}
        for feed in wanted:
            apart = ripple is None or (feed.observer == seat and not ripple.own)
            whose = self._alike(feed.observer) if apart else PUBLIC
            if whose not in told:
                told[whose] = _story(game, game.clone(before), seat, action, whose, number)
            feed.add_story(number, told[whose])
        self._pending.story.extend(told.get(PUBLIC, ()))

    def publication(self) -> Publication:
        """Since the last time that all were told."""
        return Publication(self, self._pending, self._common)

    def tell(self, since: int) -> None:
        """Publishes: of the actions from number `since` on, or of anything else that changed.

        Where many look, what changes nobody's board waits a moment for more of its kind: a hundred who seal are then
        told in a few words, and not in a hundred to each of a hundred."""
        self._since = since if self._since is None else min(self._since, since)
        if len(self.sessions) < CROWD or self._pending.fields is None or self.match.over:
            self._tell_all()
        elif self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(GATHER, self._tell_all)
        for watcher in list(self.watchers):
            watcher(self)

    def _tell_all(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None
        since, self._since = self._since, None
        for session in self.sessions:
            session.follow(self.match.length if since is None else since)
        publication = self.publication()
        self._pending, self._common = PendingChanges(self.changes, self.match.length), publication.common
        for feed in self.feeds.values():
            if feed.subscribers:
                feed.publish(publication)

    # -- looking -------------------------------------------------------------------------------------------------

    def feed(self, observer: int) -> Feed:
        if observer not in self.feeds:
            self.feeds[observer] = Feed(self, observer)
        return self.feeds[observer]

    def shown(self, observer: int) -> bytes:
        """What an observer is shown now, as it goes over the wire."""
        whose, game = self._alike(observer), self.match.game
        if whose not in self._shown:
            shown = game.show(game.view(self.match.world, whose))
            self._shown[whose] = shown, write(shown)
        return self._shown[whose][1]

    def fields(self, observer: int) -> dict[str, Any]:
        """The same, one by one."""
        self.shown(observer)
        return msgspec.structs.asdict(self._shown[self._alike(observer)][0])

    def _alike(self, observer: int) -> int:
        """Whose eyes see the same: where nobody sees anything else than the others, the public's."""
        return PUBLIC if self.match.game.alike else observer

    def board(self, observer: int) -> msgspec.Raw:
        """The board that any client can draw, as it goes over the wire."""
        whose, game = self._alike(observer), self.match.game
        if whose not in self._boards:
            self._boards[whose] = msgspec.Raw(write(game.board(game.view(self.match.world, whose))))
        return self._boards[whose]

    def tell_again(self, observer: int, since: int) -> Iterator[tuple[int, tuple[msgspec.Raw, ...]]]:
        """Plays the match again, and tells an observer the actions from number `since` on."""
        game, world = self.match.game, self.match.world_at(since)
        for number, (seat, action) in enumerate(self.match.standing[since:], since):
            yield number, _story(game, world, seat, action, observer, number)

    def shift(self, game: Game) -> None:
        """Goes on in another gear."""
        self.referee.shift(game)


def _story(game: Game, world: World, seat: int, action: int, observer: int, number: int) -> tuple[msgspec.Raw, ...]:
    """Plays an action, and says what an observer is told of it, as it goes over the wire."""
    return tuple([msgspec.Raw(write(event)) for event in game.told(world, seat, action, observer, number)])


class LiveMatches:
    """All matches of this process. `game` gives the best gear of a game that is there now."""

    def __init__(self, store: Store, game: Callable[[str], Game] = load, run: Run = run_here) -> None:
        self.store = store
        self.run = run  # what would hold up the others, elsewhere
        self.game = game  # in the best gear that is there
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveMatch | None]] = {}
        self._unfinished: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._live)

    @property
    def sessions(self) -> int:
        return sum(len(live.sessions) for live in self._live.values())

    async def get(self, id: str) -> LiveMatch | None:
        """The table of a match, read from the store if it is not in memory."""
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
        return live

    def add(self, stored: StoredMatch, referee: Referee, entries: list[Entry]) -> None:
        """A match that was just made here, so that nobody else knows of it: what is stored need not be read."""
        live = LiveMatch(stored, referee, self.store.clock)
        live.stand(entries)
        self._keep(live)

    def _keep(self, live: LiveMatch) -> None:
        self._live[live.id] = live
        self._make_room()

    def _make_room(self) -> None:
        excess = len(self._live) - MOST_LIVE
        if excess > 0:
            for id in [id for id, live in self._live.items() if live.idle][:excess]:
                del self._live[id]

    async def look(self, live: LiveMatch) -> bytes:
        """What the public sees now; worked out once until the match changes."""
        if live.looked is None or live.looked[0] != live.changes:
            game, world = live.match.game, live.match.world
            work = self.run(tasks.look, live.stored.game, world.options, game.to_bytes(world))
            live.looked = live.changes, asyncio.ensure_future(work)
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
            live.stored = await self.store.match(id) or live.stored
            since = live.match.length
            await self._catch_up(live)
            await self._find_rematch(live)
            live.tell(since)

    async def follow(self) -> None:
        """Other processes tell which matches went on."""
        async for notification in self.store.notifications():
            for id in [notification.match] if notification.match else list(self._live):
                try:
                    await self.refresh(id)
                except Unavailable as error:  # when the database is back, it says to look at all
                    log.warning("store.unavailable", reason=str(error))

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
        live.take([each.entry for each in await self.store.entries(live.id, live.seq)])

    async def ask(
        self,
        live: LiveMatch,
        question: Question,
        move_id: str | None = None,
        acknowledge: Callable[[], None] = lambda: None,
    ) -> Refusal | None:
        """Asks the referee, stores what follows, then takes and tells it. None means: it is done, and durable."""
        async with live.lock:
            while True:
                ruling = question(live.referee, live.now())
                if isinstance(ruling, Refusal):
                    if move_id is None or not await self.store.knows_move(live.id, move_id):
                        return ruling
                    ruling = []  # it was acknowledged before, and is sent again
                if not ruling:
                    acknowledge()
                    return None
                outcome = live.referee.outcome_after(ruling)
                if outcome is None and live.seq + len(ruling) > MOST_ENTRIES:  # somebody goes round in circles
                    ruling = [Happened("abort", live.now(), reason="too many entries")]
                    outcome = live.referee.outcome_after(ruling)
                began = time.perf_counter()
                try:
                    answer = await self.store.append(live.id, live.seq, ruling, move_id, outcome=outcome)
                except BaseException:  # it may be written or not: whoever waits for it must hear of it
                    self._later(self.refresh(live.id))
                    raise
                METRICS.commit_seconds.observe(time.perf_counter() - began)
                if isinstance(answer, Conflict) and answer.last_seq < live.seq:  # what was written is not there
                    log.warning("match.damaged", match=live.id, reason="entries are gone")
                    return Refusal("damaged", damaged(answer.last_seq + 1).words)
                if not isinstance(answer, Appended):
                    since = live.match.length
                    await self._catch_up(live)
                    live.tell(since)
                if not isinstance(answer, Appended | Duplicate):
                    continue
                acknowledge()
                if isinstance(answer, Appended):
                    since = live.match.length
                    live.take(ruling)
                    live.tell(since)
                return None

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_in_the_end(work))
        self._unfinished.add(task)
        task.add_done_callback(self._unfinished.discard)


async def _in_the_end(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Unavailable as error:
        log.warning("store.unavailable", reason=str(error))


def entropy() -> int:
    return secrets.randbits(63)
