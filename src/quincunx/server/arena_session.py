"""One entrant's connection to an arena: it enters, says when it would play, is told where to sit and how it went."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from quincunx.core.words import Refused, Words
from quincunx.match import wire
from quincunx.server.arena import MOST_PLACES, Arena
from quincunx.server.limits import Allowance, Bucket
from quincunx.server.metrics import METRICS
from quincunx.server.outbox import Outbox
from quincunx.server.session import NO_STORE, UNKNOWN_FIELD, UNREADABLE
from quincunx.server.tokens import seat_token
from quincunx.store import Unavailable

NOT_ENTERED = Words("Il faut d’abord entrer (enter).", "Enter first (enter).")
ONE_NAME = Words("Une connexion n’a qu’un nom.", "A connection has one name.")
PLACES = Words("De 0 à {} parties à la fois.", "From 0 to {} matches at once.").format(MOST_PLACES)
TOO_MANY = Words(
    "Trop de nouveaux participants à la fois : réessayez plus tard.", "Too many new entrants at once: try again later."
)


class ArenaSession:
    """`may_be_new`: may this client bring one more name into the world?"""

    def __init__(
        self, arena: Arena, outbox: Outbox, allowance: Allowance, may_be_new: Callable[[], bool] = lambda: True
    ) -> None:
        self.name = ""  # until it has entered
        self.token = ""
        self.takes = 0
        self.seated: set[str] = set()
        self.dismissed = asyncio.Event()
        self.outbox = outbox
        self._arena = arena
        self._may_be_new = may_be_new
        self._words = Bucket(allowance.words, allowance.words_burst)

    async def receive(self, text: str) -> None:
        if not self._words.take():
            await asyncio.sleep(self._words.wait())  # who talks too fast is read more slowly
        try:
            await self._answer(wire.read_to_arena(text))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            unknown = wire.unknown_field(error)
            self._refuse(Refused("unreadable", UNKNOWN_FIELD.format(unknown) if unknown else UNREADABLE))
        except Refused as refused:
            self._refuse(refused)
        except Unavailable:
            self._refuse(Refused("unavailable", NO_STORE))

    async def _answer(self, word: wire.ToArena) -> None:
        if isinstance(word, wire.Ping):
            self.say(wire.Pong())
        elif isinstance(word, wire.Enter):
            await self._enter(word)
        elif not self.name:
            raise Refused("not_entered", NOT_ENTERED)
        elif not 0 <= word.matches <= MOST_PLACES:
            raise Refused("unreadable", PLACES)
        else:
            self.takes = word.matches
            self._arena.wake()

    async def _enter(self, word: wire.Enter) -> None:
        wire.check_protocol(word)
        if self.name and word.name.strip() != self.name:
            raise Refused("one_name", ONE_NAME)
        if word.name.strip() not in self._arena.entrants and not self._may_be_new():
            raise Refused("too_many_requests", TOO_MANY)
        await self._arena.loaded.wait()
        entrant = await self._arena.enter(word.name, word.key)
        self.name, self.token = entrant.name, seat_token(word.key, self._arena.id)
        self._arena.join(self)

    def say(self, word: wire.FromArena) -> None:
        self.outbox.send(wire.write(word))

    def dismiss(self, refused: Refused) -> None:
        """This connection counts no more."""
        self._refuse(refused)
        self.dismissed.set()

    def close(self) -> None:
        self._arena.leave(self)

    def _refuse(self, refused: Refused) -> None:
        METRICS.refusals.count(refused.code)
        self.say(wire.Refused(refused.code, refused.words))
