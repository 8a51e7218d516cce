"""A match that the administrator calls off: nobody has won. Any process may do it; servers hear of it.

Also one that cannot be played on, because it is damaged or follows other rules, comes to its end this way.
"""

from __future__ import annotations

import msgspec

from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.match.record import Entry, Happened, Outcome
from quincunx.server.pickling import unpack
from quincunx.server.tasks import follow
from quincunx.store import Appended, Conflict, Store, StoredMatch

OVER = Words("Cette partie est déjà terminée.", "This match is over already.")
REASON = "administrator"


async def call_off(store: Store, match: str) -> None:
    """It is durable when this returns."""
    after: int | None = None  # the last entry of a match whose entries cannot be read
    while True:
        stored = await store.match(match)
        if stored is None or stored.status == "over":
            raise Refused("over", OVER)
        try:
            entries = [each.entry for each in await store.entries(match)]
        except Refused:
            entries = []
        last = max((entry.at for entry in entries), default=0)
        at = last if stored.status == "open" else max(last, store.clock() - (stored.began or stored.created))
        ending = Happened("abort", at, reason=REASON)
        outcome = _outcome(stored, entries, ending)
        answer = await store.append(match, len(entries) if after is None else after, [ending], outcome=outcome)
        if isinstance(answer, Appended):
            await store.administration.tell("ended", match)
            return
        after = answer.last_seq if isinstance(answer, Conflict) and not entries else None


def _outcome(stored: StoredMatch, entries: list[Entry], ending: Happened) -> Outcome:
    """As the referee of a running server would find it."""
    try:
        referee = unpack(follow(stored, msgspec.json.encode(entries)), load(stored.game), entries)[0]
        outcome: Outcome | None = referee.outcome_after([ending])
        if outcome is not None:
            return outcome
    except Refused:  # nobody can play it on
        pass
    return Outcome("abort", [0] * len(stored.seats), [1] * len(stored.seats))
