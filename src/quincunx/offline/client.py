"""The one who looks at a table: reads words, asks, and is told. Which view is on the screen is said as on the server:
that of the only seat; of several seats the one to act, but under fog only the one that has said that it looks; where
only computers play, whose eyes one likes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from quincunx.core.contract import PUBLIC
from quincunx.core.words import Refused, Words
from quincunx.match import wire
from quincunx.match.asking import asked
from quincunx.offline.table import Table
from quincunx.server.feeds import Feed
from quincunx.server.tokens import entropy
from quincunx.server.trying import attempt

NOT_YOURS = Words("Cette place n’est pas la vôtre.", "This seat is not yours.")
UNREADABLE = Words("Ce message n’est pas compris.", "This message is not understood.")
ALONE = Words("Personne ne peut vous entendre ici.", "Nobody can hear you here.")


def token_of(seat: int) -> str:
    """Of a seat of this browser: there is nobody to keep it from."""
    return f"seat-{seat}"


class Client:
    def __init__(self, table: Table, say: Callable[[bytes], None]) -> None:
        self.table = table
        self.live = table.live
        self.seats: frozenset[int] = frozenset()
        self.address = ""
        self.wants_board = False
        self._write = say
        self._feed: Feed | None = None  # what is on the screen
        self._followed: frozenset[int] = frozenset()  # seats whose turn brings their feed to the screen
        self._connected = False
        table.troubled.add(self._refuse)

    # -- from the page -------------------------------------------------------------------------------------------

    def hear(self, text: str) -> None:
        try:
            word = wire.read(text)
        except msgspec.DecodeError:
            return self._refuse(Refused("unreadable", UNREADABLE))
        if isinstance(word, wire.Hello):
            self._greet(word)
        elif isinstance(word, wire.Ping):
            self._say(wire.Pong())
        elif isinstance(word, wire.Look):
            self._look(word)
        elif word.seat not in self.seats:
            self._refuse(Refused("not_yours", NOT_YOURS), word)
        elif isinstance(word, wire.Play):
            self._play(word)
        elif isinstance(word, wire.Try):
            answer = attempt(self.live, word)
            self._refuse(answer, word) if isinstance(answer, Refused) else self._say(answer)
        elif isinstance(word, wire.Ask):
            self._ask(word)
        else:
            self._refuse(Refused("alone", ALONE))

    def _play(self, word: wire.Play) -> None:
        refusal = self.table.ask(
            lambda referee, at: referee.submit(word.seat, word.action, at, entropy),
            f"{word.seat}-{word.id}",
            lambda: self._say(wire.Accepted(word.id)),
        )
        if refusal:
            self._refuse(refusal, word)

    def _ask(self, word: wire.Ask) -> None:
        alone = all(s.kind != "person" for n, s in enumerate(self.live.stored.seats) if n != word.seat)
        refusal = self.table.ask(lambda referee, at: asked(referee, word, at, alone))
        if refusal:
            self._refuse(refusal)

    def _greet(self, word: wire.Hello) -> None:
        self._leave()
        live = self.live
        people = [n for n, seat in enumerate(live.stored.seats) if seat.kind == "person"]
        self.seats = frozenset(n for n in people if token_of(n) in word.tokens)
        self.wants_board = word.board
        self._say(self._welcome())
        live.connect(self)
        self._connected = True
        fog = live.match.game.card.fog
        eye = word.eye if word.eye is not None and self._may_watch(word.eye) else None
        if len(self.seats) > 1 and eye is None:
            if fog:  # somebody must say that it looks
                return
            self._followed = self.seats
        elif fog and not self.seats and eye is None and self._computers_only:
            self._followed = frozenset(range(live.referee.seats))
        first = next((seat for seat in live.to_act if seat in self._followed), min(self.seats, default=PUBLIC))
        self._look_through(first if eye is None else eye, word.last)

    def _look(self, word: wire.Look) -> None:
        if not self._may_watch(word.seat):
            return self._refuse(Refused("not_yours", NOT_YOURS))
        self._followed = frozenset()
        shared = self.live.match.game.card.fog and len(self.seats) > 1
        self._look_through(word.seat, word.last, recap=shared and word.seat in self.seats)

    def _look_through(self, observer: int, last: int | None, recap: bool = False) -> None:
        self._unsubscribe()
        self.table.retell(observer, whole=last is not None)
        feed, publication = self.live.feed(observer), self.live.publication()
        if recap:
            feed.recap(self, publication)
        else:
            feed.show(self, publication, last)
        self._subscribe(feed, has=True)

    def _may_watch(self, observer: int) -> bool:
        if observer == PUBLIC or observer in self.seats:
            return True
        return 0 <= observer < self.live.referee.seats and (self.live.match.over or self._computers_only)

    @property
    def _computers_only(self) -> bool:
        return all(seat.kind == "computer" for seat in self.live.stored.seats)

    def _welcome(self) -> wire.Welcome:
        stored, game = self.live.stored, self.live.match.game
        return wire.Welcome(
            match=stored.id,
            game=stored.game,
            yours=tuple(sorted(self.seats)),
            fog=game.card.fog,
            options=stored.options,
            clock=stored.clock,
            computers_only=self._computers_only,
            public=False,
            code=None,
            rematch_of=stored.rematch_of,
            lists_all=game.lists_all,
        )

    # -- to the page ---------------------------------------------------------------------------------------------

    def send(self, update: bytes) -> None:
        self._write(update)

    def follow(self, since: int) -> None:
        """The match went on: on a shared screen the next seat looks, and is told what happened from `since` on."""
        turn = next((seat for seat in self.live.to_act if seat in self._followed), None)
        if turn is not None and self._feed is not None and self._feed.observer not in self.live.to_act:
            self._unsubscribe()
            feed = self.live.feed(turn)
            feed.skip_to(since)
            self._subscribe(feed, has=False)

    def send_thinking(self, thinking: wire.Thinking) -> None:
        self._say(thinking)

    def send_waiting(self, waiting: wire.Waiting) -> None:
        self._say(waiting)

    def send_said(self, said: wire.Said) -> None:
        self._say(said)

    def dismiss(self) -> None:
        """Nobody takes its match away."""

    def close(self) -> None:
        self.table.troubled.discard(self._refuse)
        self._leave()

    def _say(self, word: wire.ToClient) -> None:
        self._write(wire.write(word))

    def _refuse(self, refused: Refused, word: wire.ToServer | None = None) -> None:
        id = word.id if isinstance(word, wire.Play | wire.Try) else None
        self._say(wire.Refused(refused.code, refused.words, id))

    def _leave(self) -> None:
        self._unsubscribe()
        self._followed = frozenset()
        if self._connected:
            self.live.disconnect(self)
        self._connected = False
        self.seats = frozenset()

    def _subscribe(self, feed: Feed, has: bool) -> None:
        self._feed = feed
        feed.subscribe(self, has)

    def _unsubscribe(self) -> None:
        if self._feed is not None:
            self._feed.unsubscribe(self)
            self._feed = None
