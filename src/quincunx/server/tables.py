"""Tables: the matches that this process has in memory, each with its referee, its eyes and one lock.

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
from quincunx.server import starts
from quincunx.server.chores import Do, at_once
from quincunx.server.eyes import FEW, MOST_STORIES, Eye
from quincunx.server.logs import log
from quincunx.server.metrics import METRICS
from quincunx.server.news import Common, News, Stir, Story
from quincunx.server.shapes import MOST_ENTRIES
from quincunx.server.starts import follow, is_short
from quincunx.server.travel import unpack
from quincunx.store import Appended, Conflict, Duplicate, Store, StoredMatch, Unavailable, damaged

if TYPE_CHECKING:
    from quincunx.server.session import Session

QUIET = ("draw_offered", "draw_declined", "take_back_asked", "take_back_declined")  # events that leave the board alone
CROWD, GATHER = 8, 0.05  # so many sockets at a table, and seconds that news may wait there
MOST_TABLES = 2000  # in memory; the least recently used that nobody needs go first

Question = Callable[[Referee, int], Ruling]
Watcher = Callable[["Table"], None]  # told after every change; it must not wait


class Table:
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
        self.eyes: dict[int, Eye] = {}
        self._shown: dict[int, tuple[Any, bytes]] = {}  # to each observer since the last change, also as bytes
        self._boards: dict[int, msgspec.Raw] = {}
        self.looked: tuple[int, asyncio.Future[bytes]] | None = None  # what the public sees, and since which change
        self._stir = Stir(0, 0)
        self._common: Common | None = None  # as all were told it last
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
        live = [eye for eye in self.eyes.values() if eye.live]
        for entry in entries:
            number, before = match.length, match.world
            if live and not self.referee.foresaw(entry):
                before = match.game.clone(before)
            self.referee.take([entry])
            if isinstance(entry, Happened):
                self._stir.add(PUBLIC, Ripple({}, own=True) if entry.event in QUIET else None)
            elif live:
                self._hear(live, number, before)
            if match.length < number:
                for eye in self.eyes.values():
                    eye.forget(match.length)
        self.seq += len(entries)
        self._last = max([self._last, *(entry.at for entry in entries)])
        self.changes += 1
        self._shown.clear()
        self._boards.clear()
        self.to_act = self._to_act()

    def _hear(self, live: list[Eye], number: int, before: World) -> None:
        """The action that was just taken: each eye is told its own story of it, worked out once for those alike."""
        game, (seat, action) = self.match.game, self.match.standing[-1]
        ripple = game.ripple(before, self.match.world)
        self._stir.add(seat, ripple)
        told: dict[int, Story] = {}
        for eye in live:
            apart = ripple is None or (eye.observer == seat and not ripple.own)
            whose = self._alike(eye.observer) if apart else PUBLIC
            if whose not in told:
                told[whose] = _story(game, game.clone(before), seat, action, whose, number)
            eye.hear(number, told[whose])
        self._stir.story.extend(told.get(PUBLIC, ()))

    def news(self) -> News:
        """Since the last time that all were told."""
        return News(self, self._stir, self._common)

    def tell(self, since: int) -> None:
        """Publishes: of the actions from number `since` on, or of anything else that changed.

        Where many look, what changes nobody's board waits a moment for more of its kind: a hundred who seal are then
        told in a few words, and not in a hundred to each of a hundred."""
        self._since = since if self._since is None else min(self._since, since)
        if len(self.sessions) < CROWD or self._stir.fields is None or self.match.over:
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
        news = self.news()
        self._stir, self._common = Stir(self.changes, self.match.length), news.common
        for eye in self.eyes.values():
            if eye.lookers:
                eye.publish(news)

    # -- looking -------------------------------------------------------------------------------------------------

    def eye(self, observer: int) -> Eye:
        if observer not in self.eyes:
            self.eyes[observer] = Eye(self, observer)
        return self.eyes[observer]

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


class Tables:
    """All tables of this process. `game` gives the best gear of a game that is there now."""

    def __init__(self, store: Store, game: Callable[[str], Game] = load, do: Do = at_once) -> None:
        self.store = store
        self.do = do  # what would hold up the others, elsewhere
        self.game = game  # in the best gear that is there
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._unfinished: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def sessions(self) -> int:
        return sum(len(table.sessions) for table in self._tables.values())

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
        entries = [each.entry for each in await self.store.entries(id)]
        do = at_once if is_short(stored, entries) else self.do
        try:
            data = await do(follow, stored, msgspec.json.encode(entries))
        except Refused as refused:
            if refused.code == "damaged":
                log.warning("match.damaged", match=id, reason=refused.words.en)
            raise
        table = Table(stored, unpack(data, self.game(stored.game), entries)[0], self.store.clock)
        table.stand(entries)
        await self._look_for_rematch(table)
        self._keep(table)
        return table

    def add(self, stored: StoredMatch, referee: Referee, entries: list[Entry]) -> None:
        """A match that was just made here, so that nobody else knows of it: what is stored need not be read."""
        table = Table(stored, referee, self.store.clock)
        table.stand(entries)
        self._keep(table)

    def _keep(self, table: Table) -> None:
        self._tables[table.id] = table
        self._make_room()

    def _make_room(self) -> None:
        excess = len(self._tables) - MOST_TABLES
        if excess > 0:
            for id in [id for id, table in self._tables.items() if table.idle][:excess]:
                del self._tables[id]

    async def look(self, table: Table) -> bytes:
        """What the public sees now; worked out once until the table changes."""
        if table.looked is None or table.looked[0] != table.changes:
            game, world = table.match.game, table.match.world
            work = self.do(starts.look, table.stored.game, world.options, game.to_bytes(world))
            table.looked = table.changes, asyncio.ensure_future(work)
        try:
            return await asyncio.shield(table.looked[1])
        except Refused:
            table.looked = None
            raise

    async def retell(self, table: Table, observer: int, whole: bool) -> None:
        """Before somebody looks: what the eye has not heard, if it is much, is told in another process."""
        eye, match = table.eye(observer), table.match
        async with eye.telling:
            length, since = match.length, eye.unheard(whole)
            if length - since <= FEW:
                return
            game = match.game
            start, actions = game.to_bytes(match.beginning()), list(match.standing)
            with suppress(Refused), eye.listening(length) as changed:  # who asks for too much hears the latest only
                data = await self.do(
                    starts.retell, table.stored.game, match.world.options, start, actions, observer, since, MOST_STORIES
                )
                if not changed():
                    eye.remember(since, length, msgspec.json.decode(data, type=list[tuple[int, Story]]))

    async def refresh(self, id: str) -> None:
        """A seat was taken, a rematch made, or another process appended: read what is new, and tell it."""
        table = self._tables.get(id)
        if table is None:
            return
        async with table.lock:
            table.stored = await self.store.match(id) or table.stored
            since = table.match.length
            await self._catch_up(table)
            await self._look_for_rematch(table)
            table.tell(since)

    async def follow(self) -> None:
        """Other processes tell which matches went on."""
        async for hint in self.store.hints():
            for id in [hint.match] if hint.match else list(self._tables):
                try:
                    await self.refresh(id)
                except Unavailable as error:  # when the database is back, it hints to look at all
                    log.warning("store.unavailable", reason=str(error))

    async def shift(self, id: str) -> None:
        """The machine code of a game is there: its tables go on with it."""
        game = self.game(id)
        for table in [table for table in self._tables.values() if table.stored.game == id]:
            async with table.lock:
                table.shift(game)

    async def _look_for_rematch(self, table: Table) -> None:
        if table.match.over and table.rematch is None:
            following = await self.store.rematch_of(table.id)
            table.rematch = following.id if following else None

    async def _catch_up(self, table: Table) -> None:
        table.take([each.entry for each in await self.store.entries(table.id, table.seq)])

    async def ask(
        self,
        table: Table,
        question: Question,
        move_id: str | None = None,
        acknowledge: Callable[[], None] = lambda: None,
    ) -> Refusal | None:
        """Asks the referee, stores what follows, then takes and tells it. None means: it is done, and durable."""
        async with table.lock:
            while True:
                ruling = question(table.referee, table.now())
                if isinstance(ruling, Refusal):
                    if move_id is None or not await self.store.knows_move(table.id, move_id):
                        return ruling
                    ruling = []  # it was acknowledged before, and is sent again
                if not ruling:
                    acknowledge()
                    return None
                outcome = table.referee.outcome_after(ruling)
                if outcome is None and table.seq + len(ruling) > MOST_ENTRIES:  # somebody goes round in circles
                    ruling = [Happened("abort", table.now(), reason="too many entries")]
                    outcome = table.referee.outcome_after(ruling)
                began = time.perf_counter()
                try:
                    answer = await self.store.append(table.id, table.seq, ruling, move_id, outcome=outcome)
                except BaseException:  # it may be written or not: whoever waits for it must hear of it
                    self._later(self.refresh(table.id))
                    raise
                METRICS.commit_seconds.observe(time.perf_counter() - began)
                if isinstance(answer, Conflict) and answer.last_seq < table.seq:  # what was written is not there
                    log.warning("match.damaged", match=table.id, reason="entries are gone")
                    return Refusal("damaged", damaged(answer.last_seq + 1).words)
                if not isinstance(answer, Appended):
                    since = table.match.length
                    await self._catch_up(table)
                    table.tell(since)
                if not isinstance(answer, Appended | Duplicate):
                    continue
                acknowledge()
                if isinstance(answer, Appended):
                    since = table.match.length
                    table.take(ruling)
                    table.tell(since)
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
