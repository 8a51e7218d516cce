"""Who is connected to the other processes of this server: of the matches that are in memory here, their seats that
somebody holds there."""

from __future__ import annotations

import os

from quincunx.server.live import LiveMatch
from quincunx.server.matches import LiveMatches
from quincunx.server.siblings import Ended, Present, Siblings, Word


class Presence:
    def __init__(self, siblings: Siblings, matches: LiveMatches) -> None:
        self._siblings, self._matches = siblings, matches
        siblings.listen(self._hear)
        matches.on_load = lambda live: self._tell(live, asks=True)
        matches.on_presence = self._tell

    def _tell(self, live: LiveMatch, asks: bool = False) -> None:
        self._siblings.tell(Present(os.getpid(), live.id, live.seats_held, asks))

    def _hear(self, word: Word) -> None:
        if isinstance(word, Ended):
            for live in self._matches.in_memory():
                live.hear_of(word.process, ())
        elif isinstance(word, Present) and (known := self._matches.known(word.match)) is not None:
            known.hear_of(word.process, word.seats)
            if word.asks and known.seats_held:
                self._siblings.answer(word.process, Present(os.getpid(), known.id, known.seats_held))
