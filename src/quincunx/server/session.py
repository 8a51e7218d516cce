"""A session: one client of one match. It reads words, asks the referee, and subscribes to the feed that it may see.

Which feed is on the screen: that of the client's only seat; of several seats the one to act (a shared computer), but
under fog only the one that has said that it looks; the public's for those who watch, or any seat's if only computers
play. Who watches such a match under fog and names no seat follows the one to act.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import msgspec

from quincunx.core.contract import PUBLIC
from quincunx.core.words import Refused, Words
from quincunx.match import wire
from quincunx.match.asking import asked
from quincunx.match.referee import Referee, Ruling
from quincunx.server.budgets import LONGEST, TYPICAL, Budget
from quincunx.server.company import Company
from quincunx.server.fairness import covered
from quincunx.server.feeds import Feed
from quincunx.server.limits import Allowance, Bucket
from quincunx.server.live import LiveMatch
from quincunx.server.matches import LiveMatches, Question
from quincunx.server.metrics import METRICS
from quincunx.server.outbox import MOST_WAITING, Outbox
from quincunx.server.tokens import entropy
from quincunx.server.trying import attempt
from quincunx.server.visibility import computers_only, may_hear_thoughts, may_watch
from quincunx.store import Unavailable

MOST_TOKENS = 128
REMARKS = (0.25, 4)  # that one may make, a second and at once
LONG = 2000  # characters of a word that costs something to receive
A_WORD, A_SIGN = 1e-4, 5e-8  # seconds of the loop that a word and each of its characters cost, about
CALM = (10.0, 40)  # words that nobody is charged for, a second and at once: more than one who plays has to say

NOT_YOURS = Words("Cette place n’est pas la vôtre.", "This seat is not yours.")
UNREADABLE = Words("Ce message n’est pas compris.", "This message is not understood.")
UNKNOWN_FIELD = Words("Ce message a un champ inconnu : {}.", "This message has an unknown field: {}.")
TOO_FAST = Words("Trop de messages à la fois : patientez un instant.", "Too many messages at once: wait a moment.")
MOVE_ID = Words(
    "L’identifiant d’un coup a de 1 à 60 lettres, chiffres, - ou _.",
    "The id of a move has 1 to 60 letters, digits, - or _.",
)
NOT_BEGUN = Words("La partie attend encore des joueurs.", "The match still waits for players.")
COUNTS = Words(
    "Cette partie compte dans une arène : on n’y annule aucun coup, et elle ne s’interrompt pas.",
    "This match counts in an arena: nothing is taken back in it, and it is not called off.",
)
RATED = Words(
    "Cette partie est classée : on n’y annule aucun coup, et elle ne s’interrompt pas.",
    "This match is rated: nothing is taken back in it, and it is not called off.",
)
FRIENDLY = ("take_back", "allow_take_back", "abort")  # what may be asked where nothing is at stake
NO_MATCH = Words("Cette partie n’existe plus.", "This match does not exist any more.")
NO_STORE = Words("La partie n’a pas pu être enregistrée : réessayez.", "The match could not be saved: try again.")


class Session:
    def __init__(
        self,
        matches: LiveMatches,
        live: LiveMatch,
        send: Callable[[str], Awaitable[None]],
        allowance: Allowance,
        write: Callable[..., bool] = lambda *texts: False,  # at once, if that is possible
        budget: Budget | None = None,  # of the loop's time
    ) -> None:
        self.matches = matches
        self.live = live
        self.seats: frozenset[int] = frozenset()
        self.wants_board = False
        self.address = ""  # as limits.py sees it
        self.on_hello: Callable[[], None] = lambda: None  # somebody is there, and waits
        self.end: Callable[[int, str], None] = lambda code, reason: None  # of the socket, from our side
        self._feed: Feed | None = None  # what is on the screen
        self._followed: frozenset[int] = frozenset()  # seats whose turn brings their feed to the screen
        self._budget = budget or Budget(1.0, 1.0)
        self._words = Bucket(allowance.words, allowance.words_burst)
        self._calm = Bucket(*CALM)
        self.company: Company | None = None
        self._heard = 0  # the last remark before this client came
        self._remarks = Bucket(*REMARKS)
        self.outbox = Outbox(send, write)
        self._held: list[bytes] = []  # an acknowledgement, until the update that follows it: one way for both

    # -- from the client -----------------------------------------------------------------------------------------

    async def receive(self, data: str) -> None:
        if not self._words.take():
            await asyncio.sleep(self._words.wait())  # who talks too fast is read more slowly
        if not self._calm.take() or len(data) > LONG:
            await self._pay(data)
        try:
            word = wire.read(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            await self._pay(data)
            unknown = wire.unknown_field(error)
            return self._refuse("unreadable", UNKNOWN_FIELD.format(unknown) if unknown else UNREADABLE)
        try:
            wire.check_protocol(word)
        except Refused as refused:
            return self._refuse(refused.code, refused.words, word)
        try:
            await self._answer(word)
        except Unavailable:
            self._refuse("unavailable", NO_STORE, word)

    async def _pay(self, data: str) -> None:
        """What is long, or one of too many, or no word at all, is read at the pace of the client's budget."""
        self._budget.charge(A_WORD + len(data) * A_SIGN)
        while seconds := self._budget.wait():
            await asyncio.sleep(min(seconds, LONGEST))

    async def _admitted(self) -> None:
        while not await self._budget.admit():
            await asyncio.sleep(LONGEST)

    async def _answer(self, word: wire.ToServer) -> None:
        if isinstance(word, wire.Hello):
            await self._greet(word)
            if word.ready:
                await self._arrive()
        elif isinstance(word, wire.Ping):
            self._say(wire.Pong())
        elif isinstance(word, wire.Look):
            await self._look(word)
        elif word.seat not in self.seats:
            self._refuse("not_yours", NOT_YOURS, word)
        elif isinstance(word, wire.Say):
            await self._speak(word)
        elif not (isinstance(word, wire.Ask) and word.what == "abort") and await self._waits():
            self._refuse("not_begun", NOT_BEGUN, word)
        elif isinstance(word, wire.Play | wire.Try) and not wire.MOVE_ID.fullmatch(word.id):
            self._refuse("move_id", MOVE_ID, word)
        elif isinstance(word, wire.Play):
            await self._play(word)
        elif isinstance(word, wire.Try):
            await self._try(word)
        elif word.what in FRIENDLY and await self._counts():
            self._refuse("counts", RATED if self.live.stored.rated else COUNTS)
        else:
            refusal = await self.matches.ask(self.live, _question(word, self.live))
            if refusal:
                self._refuse(refusal.code, refusal.words)

    async def _waits(self) -> bool:
        """For players who are not there yet. Another process may know that the last of them has come."""
        live = self.live
        if live.stored.status == "open" and self.matches.store.shared:
            await self.matches.refresh(live.id)
        return live.stored.status == "open"

    async def _speak(self, word: wire.Say) -> None:
        refusal = await self.company.say(self.live, word, self._remarks.take) if self.company else None
        if refusal:
            self._refuse(refusal.code, refusal.words)

    async def _counts(self) -> bool:
        """Is something at stake? A rated match that somebody did not come to may be called off."""
        stored = self.live.stored
        if stored.rated:
            return stored.status != "open"
        return await self.matches.store.entrants.bout_of(stored.id) is not None

    async def _greet(self, word: wire.Hello) -> None:
        await self._admitted()
        with self._budget.measure():
            self._leave()
            live = self.live
            self.seats = frozenset(covered(live.stored, word.tokens[:MOST_TOKENS]))
            self.wants_board = word.board
            self._say(self._welcome())
            self._heard = self.company.heard(live) if self.company else 0
            live.connect(self)
            self.on_hello()
        if word.eye is not None and not may_watch(live, self.seats, word.eye):
            self._refuse("not_yours", NOT_YOURS)
            word = msgspec.structs.replace(word, eye=None)
        fog = live.match.game.card.fog
        if len(self.seats) > 1 and word.eye is None:
            if fog:  # on a shared screen, somebody must say that it looks
                return
            self._followed = self.seats
        elif fog and not self.seats and word.eye is None and computers_only(live):
            self._followed = frozenset(range(live.referee.seats))
        first = next((seat for seat in live.to_act if seat in self._followed), min(self.seats, default=PUBLIC))
        await self._look_through(first if word.eye is None else word.eye, word.last)

    async def _arrive(self) -> None:
        """Seats that were kept for whoever greets are theirs now; the last one who comes begins the match."""
        stored = self.live.stored
        kept = [seat for seat in self.seats if stored.seats[seat].kind == "awaited"]
        if kept and stored.status == "open":
            await self.matches.store.arrive(stored.id, kept)
            await self.matches.refresh(stored.id)
            if self.company:
                await self.company.catch_up(self.live, self, self._heard)

    def _welcome(self) -> wire.Welcome:
        stored = self.live.stored
        return wire.Welcome(
            match=stored.id,
            game=stored.game,
            yours=tuple(sorted(self.seats)),
            fog=self.live.match.game.card.fog,
            options=stored.options,
            clock=stored.clock,
            computers_only=computers_only(self.live),
            public=stored.public,
            code=stored.code if stored.public or self.seats else None,
            rematch_of=stored.rematch_of,
            start_known=stored.start_known,
            lists_all=self.live.match.game.lists_all,
            chat=self.company is not None and self.company.chat,
            rated=stored.rated,
        )

    async def _look(self, word: wire.Look) -> None:
        await self._admitted()
        if not may_watch(self.live, self.seats, word.seat):
            return self._refuse("not_yours", NOT_YOURS)
        self._followed = frozenset()
        shared = self.live.match.game.card.fog and len(self.seats) > 1
        await self._look_through(word.seat, word.last, recap=shared and word.seat in self.seats)

    async def _look_through(self, observer: int, last: int | None, recap: bool = False) -> None:
        self._unsubscribe()
        await self.matches.retell(self.live, observer, whole=last is not None)
        with self._budget.measure():
            feed = self.live.feed(observer)
            publication = self.live.publication()
            if recap:
                feed.recap(self, publication)
            else:
                feed.show(self, publication, last)
            self._subscribe(feed, has=True)

    async def _play(self, word: wire.Play) -> None:
        try:
            refusal = await self.matches.ask(self.live, *self._move(word))
        finally:
            self.send()  # what it did not see of its own move, it is told
        if refusal:
            self._refuse(refusal.code, refusal.words, word)

    async def _try(self, word: wire.Try) -> None:
        await self._admitted()
        with self._budget.measure():
            answer = attempt(self.live, word)
        if isinstance(answer, wire.Tried):
            self._say(answer)
        else:
            self._refuse(answer.code, answer.words, word)

    def _move(self, word: wire.Play) -> tuple[Question, str, Callable[[], None]]:
        """What the referee is asked, under which id, and how the client is told that it stands."""
        began = time.perf_counter()

        def question(referee: Referee, at: int) -> Ruling:
            return referee.submit(word.seat, word.action, at, entropy)

        def acknowledge() -> None:
            self._held.append(wire.write(wire.Accepted(word.id)))
            METRICS.acknowledgement_seconds.observe(time.perf_counter() - began)

        return question, f"{word.seat}-{word.id}", acknowledge

    # -- to the client -------------------------------------------------------------------------------------------

    def follow(self, since: int) -> None:
        """The match went on: on a shared screen the next seat looks, and is told what happened from `since` on."""
        if not self._followed:
            return
        turn = next((seat for seat in self.live.to_act if seat in self._followed), None)
        if turn is not None and self._feed is not None and self._feed.observer not in self.live.to_act:
            self._unsubscribe()
            feed = self.live.feed(turn)
            feed.skip_to(since)
            self._subscribe(feed, has=False)

    def send_thinking(self, thinking: wire.Thinking) -> None:
        """Only if it may be heard here, and a client that reads slowly can do without."""
        idle = self._feed is not None and self.waiting < MOST_WAITING // 4
        if idle and may_hear_thoughts(self.live, self.seats, thinking.seat):
            self._say(thinking)

    def send_waiting(self, waiting: wire.Waiting) -> None:
        """Whose turn it is everybody knows, and that it is not begun is no secret either."""
        self._say(waiting)

    def send_said(self, said: wire.Said) -> None:
        self._say(said)

    def dismiss(self) -> None:
        """The match is gone."""
        self._say(wire.Refused("no_such_match", NO_MATCH))
        self.end(4404, "no_such_match")

    def send(self, *texts: bytes) -> None:
        """Sends what was held back, and these."""
        if self._held:
            texts, self._held = (*self._held, *texts), []
        self.outbox.send(*texts)

    @property
    def waiting(self) -> int:
        """Messages that the client has not read."""
        return len(self.outbox)

    def _say(self, word: wire.ToClient) -> None:
        self.send(wire.write(word))

    def _refuse(self, code: str, words: Words, word: wire.ToServer | None = None) -> None:
        METRICS.refusals.count(code)
        self._budget.charge(TYPICAL)  # what is not refused has cost somebody thought
        self._say(wire.Refused(code, words, word.id if isinstance(word, wire.Play | wire.Try) else None))

    # -- coming and going ----------------------------------------------------------------------------------------

    def close(self) -> None:
        self._leave()

    def _leave(self) -> None:
        self._unsubscribe()
        self._followed = frozenset()
        self.live.disconnect(self)
        self.seats = frozenset()

    def _subscribe(self, feed: Feed, has: bool) -> None:
        self._feed = feed
        feed.subscribe(self, has)

    def _unsubscribe(self) -> None:
        if self._feed is not None:
            self._feed.unsubscribe(self)
            self._feed = None


def _question(word: wire.Ask, live: LiveMatch) -> Question:
    """What the referee is asked."""
    alone = all(s.kind != "person" for n, s in enumerate(live.stored.seats) if n != word.seat)
    return lambda referee, at: asked(referee, word, at, alone)
