"""Who of an arena would begin a match now: how many each takes at once, how long it has waited, and who let others wait
in vain and is left aside for a while. It lasts as long as the process: nothing of it needs to be remembered."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from quincunx.store.entrants import StoredBout, StoredEntrant
from quincunx.tournament.matchmaking import PACE, Candidate

FIRST_STRIKE, LONGEST_STRIKE = 10.0, 600.0  # seconds for which one who did not come to its match meets nobody


class Places:
    """`is_ready`: may computers play, with their machine code there? `computers`: how many matches each at once.
    `runs_uploads`: can this server run files that others sent?"""

    def __init__(self, is_ready: Callable[[], bool], computers: int, runs_uploads: Callable[[], bool]) -> None:
        self._is_ready = is_ready
        self._computers = computers
        self._runs_uploads = runs_uploads
        self._strikes: dict[str, tuple[int, float]] = {}  # how often one did not come, and until when it meets nobody
        self._free_since: dict[str, float] = {}
        self._began: dict[str, float] = {}  # when the last match of each was made

    def of(self, entrant: StoredEntrant, present: Mapping[str, int]) -> int:
        """How many matches it would play at once. `present`: what those say who are connected."""
        if not entrant.accepted or self._strikes.get(entrant.name, (0, 0.0))[1] > time.monotonic():
            return 0
        if entrant.kind == "computer":
            return self._computers if self._is_ready() else 0
        return int(self._runs_uploads()) if entrant.kind == "upload" else present.get(entrant.name, 0)

    def candidates(
        self, entrants: Iterable[StoredEntrant], present: Mapping[str, int], running: Iterable[StoredBout]
    ) -> list[Candidate]:
        """Those who are there, whether they play or not."""
        now, taken = time.monotonic(), Counter(name for bout in running for name in bout.players)
        found = []
        for entrant in entrants:
            places = self.of(entrant, present)
            free = max(0, places - taken[entrant.name])
            since = self._free_since.setdefault(entrant.name, now) if free else self._free_since.pop(entrant.name, now)
            rested = now - self._began.get(entrant.name, now - PACE)
            waited = now - since if free else 0.0
            if places:
                found.append(Candidate(entrant.name, free, entrant.kind == "computer", waited, rested))
        return found

    def begin(self, players: Iterable[str]) -> None:
        """A match of these was made."""
        self._began.update(dict.fromkeys(players, time.monotonic()))

    def strike(self, absent: Iterable[str]) -> None:
        """Who let others wait in vain meets nobody for a while, longer each time."""
        for name in absent:
            times = self._strikes.get(name, (0, 0.0))[0] + 1
            self._strikes[name] = times, time.monotonic() + min(FIRST_STRIKE * 2 ** (times - 1), LONGEST_STRIKE)

    def forgive(self, name: str) -> None:
        """It came."""
        self._strikes.pop(name, None)
