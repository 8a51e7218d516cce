"""What people at a table say to each other: phrases by their names, each read in one's own language; texts only where
the host allows it. Who is connected to another process hears it, too: it passes through the store (remarks.py)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from quincunx.core.words import Refused, Words
from quincunx.match import wire
from quincunx.server.live import Connected, LiveMatch
from quincunx.store import Store
from quincunx.store.remarks import Remark

LONGEST_TEXT = 200
MOST_HEARD = 5000  # matches of which is known what was heard

NO_TEXT = Words(
    "Sur ce serveur, on se parle par phrases toutes faites.", "On this server people talk in ready-made phrases."
)
NOTHING = Words("Ce message est vide ou trop long.", "This message is empty or too long.")
TOO_MUCH = Words("Doucement : laissez aux autres le temps de lire.", "Slowly: leave the others time to read.")
NO_COMPANY = Words("Personne d’autre n’est à cette table.", "Nobody else is at this table.")


class Company:
    """`chat`: may people write what they like?"""

    def __init__(self, store: Store, chat: bool = False) -> None:
        self._store = store
        self.chat = chat
        self._heard: OrderedDict[str, int] = OrderedDict()  # by match: the number of the last remark

    async def say(self, live: LiveMatch, word: wire.Say, may_speak: Callable[[], bool]) -> Refused | None:
        """`may_speak`: not too often."""
        others = _people(live) - {word.seat}
        text = " ".join(word.text.split())
        if not others:
            return Refused("no_company", NO_COMPANY)
        if text and not self.chat:
            return Refused("no_text", NO_TEXT)
        if (word.phrase is None) == (not text) or len(text) > LONGEST_TEXT or not text.isprintable():
            return Refused("nothing_said", NOTHING)
        if not may_speak():
            return Refused("too_much", TOO_MUCH)
        await self._store.remarks.say(live.id, word.seat, word.phrase, text)
        await self.hear(live)
        return None

    def heard(self, live: LiveMatch) -> int:
        """The number of the last remark that this process told those who are connected."""
        return self._heard.get(live.id, 0)

    async def catch_up(self, live: LiveMatch, client: Connected, heard: int) -> None:
        """Who was expected, and has come, hears what was said before: the remarks up to `heard`, and later ones."""
        if heard:
            for remark in await self._store.remarks.since(live.id, 0):
                if remark.number <= heard:
                    client.send_said(_said(remark))
        await self.hear(live)

    async def hear(self, live: LiveMatch) -> None:
        """Something is new of a match: perhaps somebody said something."""
        if not live.connected or len(_people(live)) < 2:
            return
        for remark in await self._store.remarks.since(live.id, self._heard.get(live.id, 0)):
            if remark.number <= self._heard.get(live.id, 0):
                continue  # heard meanwhile
            self._heard[live.id] = remark.number
            for client in list(live.connected):
                if not any(live.stored.seats[seat].kind == "program" for seat in client.seats):
                    client.send_said(_said(remark))
        while len(self._heard) > MOST_HEARD:
            self._heard.popitem(last=False)


def _said(remark: Remark) -> wire.Said:
    return wire.Said(remark.seat, remark.phrase, remark.text)


def _people(live: LiveMatch) -> set[int]:
    """Seats of people: those who have come, and those who are expected."""
    kinds = ("person", "awaited")
    return {n for n, seat in enumerate(live.stored.seats) if seat.kind in kinds and seat.player == "person"}
