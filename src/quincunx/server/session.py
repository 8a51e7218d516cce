"""One client at one table: it reads words, asks the table, and sends what its observer may see.

Whatever it sends goes through a bounded queue: a client that does not read is let go, and holds up nobody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from quincunx.core.contract import PUBLIC
from quincunx.core.words import Refused, Words
from quincunx.games.facade import Refusal
from quincunx.match import wire
from quincunx.match.referee import Referee, Ruling
from quincunx.server import eyes
from quincunx.server.tables import News, Question, Table, Tables, entropy
from quincunx.server.tokens import opens

LONGEST_QUEUE = 200
NOT_YOURS = Words("Cette place n’est pas la vôtre.", "This seat is not yours.")
UNREADABLE = Words("Ce message n’est pas compris.", "This message is not understood.")


class Gone(Exception):
    """The client does not read what it is sent."""


class Session:
    def __init__(self, tables: Tables, table: Table, send: Callable[[bytes], Awaitable[None]]) -> None:
        self.tables = tables
        self.table = table
        self.seats: frozenset[int] = frozenset()
        self._eye: int | None = None  # whose view is on the screen
        self._last: wire.Update | None = None
        self._n = 0
        self._send = send
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(LONGEST_QUEUE)
        self._full = False

    # -- from the client -----------------------------------------------------------------------------------------

    async def hear(self, data: str | bytes) -> None:
        try:
            word = wire.read(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._say(wire.Refused("unreadable", UNREADABLE))
            return
        if isinstance(word, wire.Hello):
            self._greet(word)
        elif isinstance(word, wire.Ping):
            self._say(wire.Pong())
        elif isinstance(word, wire.Look):
            self._look(word.seat)
        elif word.seat not in self.seats:
            self._say(wire.Refused("not_yours", NOT_YOURS, word.id if isinstance(word, wire.Play) else None))
        elif isinstance(word, wire.Play):
            await self._play(word)
        else:
            refusal = await self.tables.ask(self.table, _question(word, self.table))
            if refusal:
                self._say(wire.Refused(refusal.code, refusal.words))

    def _greet(self, word: wire.Hello) -> None:
        self._leave_seats()
        stored = self.table.stored.seats
        self.seats = frozenset(n for n, seat in enumerate(stored) for t in word.tokens if opens(t, seat.token_hash))
        for seat in self.seats:
            self.table.present[seat] = self.table.present.get(seat, 0) + 1
        self.table.watchers.add(self.on_news)
        fog = self.table.match.game.card.fog
        self._say(wire.Welcome(self.table.id, self.table.stored.game, tuple(sorted(self.seats)), fog))
        if not fog or len(self.seats) <= 1:  # on a shared screen, somebody must say that it looks
            self._look(min(self.seats, default=PUBLIC))

    def _look(self, observer: int) -> None:
        if not eyes.may_watch(self.table, self.seats, observer):
            self._say(wire.Refused("not_yours", NOT_YOURS))
            return
        self._eye, self._last = observer, None
        self._show([])

    async def _play(self, word: wire.Play) -> None:
        game = self.table.match.game

        def question(referee: Referee, at: int) -> Ruling:
            try:
                action = game.parse(referee.match.world, word.seat, word.action)
            except Refused as refused:
                return Refusal(refused.code, refused.words)
            return referee.submit(word.seat, action, at, entropy)

        refusal = await self.tables.ask(self.table, question, f"{word.seat}-{word.id}"[:64])
        if refusal:
            self._say(wire.Refused(refusal.code, refusal.words, word.id))
        else:
            self._say(wire.Accepted(word.id))

    # -- to the client -------------------------------------------------------------------------------------------

    def on_news(self, table: Table, news: News) -> None:
        if self._eye is not None:
            self._show(news.stories.get(self._eye, []))

    def _show(self, story: list[object]) -> None:
        assert self._eye is not None
        shown = eyes.update(self.table, self._eye, story, self._n + 1)
        if not eyes.same(self._last, shown):
            self._n, self._last = shown.n, shown
            self._say(shown)

    def _say(self, word: wire.ToClient) -> None:
        try:
            self._queue.put_nowait(wire.write(word))
        except asyncio.QueueFull:
            self._full = True

    async def speak(self) -> None:
        """Sends what there is to send, until the client is gone."""
        while True:
            await self._send(await self._queue.get())
            if self._full:
                raise Gone

    def close(self) -> None:
        self.table.watchers.discard(self.on_news)
        self._leave_seats()

    def _leave_seats(self) -> None:
        for seat in self.seats:
            self.table.present[seat] -= 1
        self.seats = frozenset()


def _question(word: wire.Ask, table: Table) -> Question:
    """What the referee is asked."""
    alone = all(s.kind != "person" for n, s in enumerate(table.stored.seats) if n != word.seat)
    questions: dict[str, Question] = {
        "resign": lambda referee, at: referee.resign(word.seat, at),
        "draw": lambda referee, at: referee.offer_draw(word.seat, at),
        "decline_draw": lambda referee, at: referee.decline_draw(word.seat, at),
        "take_back": lambda referee, at: referee.ask_take_back(word.seat, at, alone),
        "allow_take_back": lambda referee, at: referee.answer_take_back(word.seat, True, at),
        "refuse_take_back": lambda referee, at: referee.answer_take_back(word.seat, False, at),
        "abort": lambda referee, at: referee.abort(word.seat, at),
    }
    return questions[word.what]
