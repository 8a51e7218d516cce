"""A live match: one that this process has in memory, with its referee, its feeds and one lock.

What it publishes goes to its feeds (feeds.py), to who is connected (sessions) and to who listens for changes (clocks,
computers). It knows them by what it asks of them only: arrows point from them to here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from quincunx.core.board import Ripple
from quincunx.core.contract import PUBLIC
from quincunx.games import Game, World
from quincunx.match import Match, wire
from quincunx.match.record import Entry, Happened
from quincunx.match.referee import Referee
from quincunx.server.feeds import Feed
from quincunx.server.updates import CommonState, PendingChanges, Publication
from quincunx.server.views import Story, Views
from quincunx.store import StoredMatch

QUIET = ("draw_offered", "draw_declined", "take_back_asked", "take_back_declined")  # events that leave the board alone
CROWD, GATHER = 8, 0.0025  # so many clients of a match, and seconds for each that a publication may wait there

Listener = Callable[["LiveMatch"], None]  # called after every change; it must not wait


class Connected(Protocol):
    """A client that is connected to the match."""

    seats: frozenset[int]
    address: str

    def follow(self, since: int) -> None: ...

    def send_thinking(self, thinking: wire.Thinking) -> None: ...

    def send_waiting(self, waiting: wire.Waiting) -> None: ...

    def send_said(self, said: wire.Said) -> None: ...

    def dismiss(self) -> None: ...


class LiveMatch:
    def __init__(self, stored: StoredMatch, referee: Referee, clock: Callable[[], int]) -> None:
        self.stored = stored
        self._clock = clock
        self.referee = referee
        self.views = Views(referee.match)
        self.rematch: str | None = None
        self.seq = 0
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.connected: set[Connected] = set()
        self.feeds: dict[int, Feed] = {}
        self.looked: tuple[int, asyncio.Future[bytes]] | None = None  # what the public sees, and since which change
        self._present: dict[int, int] = {}  # how many clients hold a seat
        self._elsewhere: dict[int, tuple[int, ...]] = {}  # seats that clients of other processes hold
        self._there: frozenset[int] = frozenset()  # all of those
        self.on_presence: Callable[[LiveMatch], None] = lambda live: None
        self._pending = PendingChanges(0, 0)
        self._common: CommonState | None = None  # as it was published last
        self._since: int | None = None  # from this action on, all are to be told
        self._gathering: asyncio.TimerHandle | None = None
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
        return not (self.listeners or self.connected or self.lock.locked())

    def now(self) -> int:
        """Milliseconds since the match began; none before."""
        if self.stored.status == "open":
            return 0
        return max(0, self._last, self._clock() - (self.stored.began or self.stored.created) + self._ahead)

    def _to_act(self) -> tuple[int, ...]:
        match = self.match
        return () if match.over else tuple(s for s in range(self.referee.seats) if match.game.to_act(match.world, s))

    def shift(self, game: Game) -> None:
        """Goes on in another gear."""
        self.referee.shift(game)

    # -- going on ------------------------------------------------------------------------------------------------

    def stand(self, entries: list[Entry]) -> None:
        """Its referee has followed these, all that the store has of the match."""
        self.seq = len(entries)
        last = max((entry.at for entry in entries), default=0)
        self._ahead = max(0, last - self.now())
        self._last = last

    def take(self, entries: list[Entry]) -> None:
        """Follows entries that are stored; feeds that somebody wants get their story of each."""
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
        self.views.forget()
        self.to_act = self._to_act()

    def _add_stories(self, wanted: list[Feed], number: int, before: World) -> None:
        """The action that was just taken: each feed gets its own story of it, worked out once for those alike."""
        game, (seat, action) = self.match.game, self.match.standing[-1]
        ripple = game.ripple(before, self.match.world)
        self._pending.add(seat, ripple)
        told: dict[int, Story] = {}
        for feed in wanted:
            apart = ripple is None or (feed.observer == seat and not ripple.own)
            whose = self.views.alike(feed.observer) if apart else PUBLIC
            if whose not in told:
                told[whose] = self.views.story(game.clone(before), seat, action, whose, number)
            feed.add_story(number, told[whose])
        self._pending.story.extend(told.get(PUBLIC, ()))

    # -- publishing ----------------------------------------------------------------------------------------------

    def feed(self, observer: int) -> Feed:
        if observer not in self.feeds:
            self.feeds[observer] = Feed(self.views, observer)
        return self.feeds[observer]

    def publication(self) -> Publication:
        """What is new since the last one."""
        return Publication(self.common_state(), self._pending, self._common)

    def publish(self, since: int) -> None:
        """Of the actions from number `since` on, or of anything else that changed.

        Where many look, what changes nobody's board waits a moment for more of its kind, the longer the more they are:
        a hundred who seal are then told in a few words, and not in a hundred to each of a hundred."""
        self._since = since if self._since is None else min(self._since, since)
        if len(self.connected) < CROWD or self._pending.fields is None or self.match.over:
            self._publish_now()
        elif self._gathering is None:
            wait = GATHER * len(self.connected)
            self._gathering = asyncio.get_running_loop().call_later(wait, self._publish_now)
        for listener in list(self.listeners):
            listener(self)

    def _publish_now(self) -> None:
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering = None
        since, self._since = self._since, None
        for client in self.connected:
            client.follow(self.match.length if since is None else since)
        publication = self.publication()
        self._pending = PendingChanges(self.views.changes, self.match.length)
        self._common = publication.common
        for feed in self.feeds.values():
            if feed.subscribers:
                feed.publish(publication)

    def common_state(self) -> CommonState:
        """What every observer is shown alike, as it is now."""
        referee, at = self.referee, self.now()
        return CommonState(
            to_act=self.to_act,
            clocks=tuple(clock.shown(at) for clock in referee.clocks),
            seats=tuple(
                wire.SeatShown(seat.name, seat.kind, seat.player, self.is_present(number))
                for number, seat in enumerate(self.stored.seats)
            ),
            draw_offers=tuple(sorted(referee.draw_offers)),
            draw_declined=referee.draw_declined,
            take_back_asked=referee.take_back_asked,
            take_back_declined=referee.take_back_declined,
            outcome=self.match.outcome,
            why=self.match.why(),
            rematch=self.rematch,
            deadlines=tuple(clock.deadline() for clock in referee.clocks),
        )

    # -- coming and going ----------------------------------------------------------------------------------------

    def connect(self, client: Connected) -> None:
        """A client is there; the feeds of a screen that several seats share are kept going."""
        self.connected.add(client)
        for seat in client.seats:
            self._present[seat] = self._present.get(seat, 0) + 1
            if len(client.seats) > 1:
                self.feed(seat).keepers += 1
        if any(self._present[seat] == 1 for seat in client.seats):
            self.publish(self.match.length)
            self.on_presence(self)

    def is_present(self, seat: int) -> bool:
        """Is somebody connected, to whichever process, who holds the seat?"""
        return bool(self._present.get(seat)) or seat in self._there

    @property
    def seats_held(self) -> tuple[int, ...]:
        """By clients of this process."""
        return tuple(seat for seat, clients in self._present.items() if clients)

    def hear_of(self, process: int, seats: tuple[int, ...]) -> None:
        """So many seats are held by clients of another process."""
        before, self._elsewhere[process] = self._elsewhere.get(process, ()), seats
        if not seats:
            del self._elsewhere[process]
        if set(before) != set(seats):
            self._there = frozenset(seat for held in self._elsewhere.values() for seat in held)
            self.publish(self.match.length)

    def disconnect(self, client: Connected) -> None:
        self.connected.discard(client)
        for seat in client.seats:
            self._present[seat] -= 1
            if len(client.seats) > 1:
                self.feed(seat).keepers -= 1
        if any(not self._present[seat] for seat in client.seats):
            self.publish(self.match.length)
            self.on_presence(self)
