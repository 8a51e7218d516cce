"""Who is connected to the other processes of this server: of the matches that are in memory here, their seats that
somebody holds there."""

from __future__ import annotations

import asyncio
import os

from quincunx.server.live import LiveMatch
from quincunx.server.matches import LiveMatches
from quincunx.server.siblings import AllPresent, Ended, Present, Siblings, Word

ALL = 5.0  # seconds after which all is told again: a word may have been lost, or never said


class Presence:
    def __init__(self, siblings: Siblings, matches: LiveMatches) -> None:
        self._siblings, self._matches = siblings, matches
        siblings.listen(self._hear)
        matches.on_load = lambda live: self._tell(live, asks=True)
        matches.on_presence = self._tell
        self._heard: set[int] = set()  # processes
        if siblings.place.folder is not None:
            asyncio.get_running_loop().call_later(ALL, self._tell_all)

    def _tell(self, live: LiveMatch, asks: bool = False) -> None:
        self._siblings.tell(Present(os.getpid(), live.id, live.seats_held, asks))

    def _tell_all(self) -> None:
        held = {live.id: live.seats_held for live in self._matches.in_memory() if live.seats_held}
        self._siblings.tell(AllPresent(os.getpid(), held))
        for process in self._heard - self._siblings.others:
            self._hear(Ended(process))
        asyncio.get_running_loop().call_later(ALL, self._tell_all)

    def _hear(self, word: Word) -> None:
        if isinstance(word, Present | AllPresent):
            self._heard.add(word.process)
        if isinstance(word, Ended):
            self._heard.discard(word.process)
            for live in self._matches.in_memory():
                live.hear_of(word.process, ())
        elif isinstance(word, AllPresent):
            for live in self._matches.in_memory():
                live.hear_of(word.process, word.seats.get(live.id, ()))
        elif isinstance(word, Present) and (known := self._matches.known(word.match)) is not None:
            known.hear_of(word.process, word.seats)
            if word.asks and known.seats_held:
                self._siblings.answer(word.process, Present(os.getpid(), known.id, known.seats_held))
