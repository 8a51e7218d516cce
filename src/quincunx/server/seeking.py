"""Finding an opponent of one's strength: seeks meet whose game, clock and stakes are the same.

How far apart two may be grows while they wait, for each by how sure their rating is and how long they have waited; who
came just now is not thrown before somebody who has waited for minutes. An invitation of a friend asks for no strength.
Whoever says that they still wait looks for an opponent for themselves: no process has to be awake for it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence

from quincunx.core.words import Refused, Words
from quincunx.match.clock import ClockRule
from quincunx.server.budgets import charge
from quincunx.server.limits import TOO_MANY
from quincunx.server.lobby import Lobby, Sitter, usual_start
from quincunx.server.match_shapes import Held
from quincunx.server.people import shown, strength
from quincunx.server.people_shapes import Found, NewSeek, SeekShown, Sought
from quincunx.store import StoredMatch, StoredSeat
from quincunx.store.ratings import StoredRating
from quincunx.store.seeks import Seek, Wanted

NEAR = 100.0  # Elo that two may be apart at once, beside their doubts,
WIDENING = 40.0  # and more for every second
WIDEST = 2000
TRIES = 3
MINUTE = 60_000
CLOCKS = (  # so that people meet, there are few
    ClockRule("fischer", 3 * MINUTE, 5_000),
    ClockRule("fischer", 10 * MINUTE, 10_000),
    ClockRule("fischer", 30 * MINUTE, 30_000),
    ClockRule("move", 0, 24 * 60 * MINUTE),
)
NO_CLOCK = Words("Cette pendule n’est pas proposée ici.", "This clock is not offered here.")
NOT_A_FRIEND = Words("{} n’est pas dans vos amis.", "{} is not among your friends.")


class Seeking:
    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._store = lobby.store

    async def seek(self, sitter: Sitter, asked: NewSeek, may_make: Callable[[], bool] = lambda: True) -> Sought:
        """They look for an opponent, or still do. `may_make`: may they make one more match?"""
        wanted = await self._wanted(sitter, asked)
        match = await self._store.seeks.say(sitter.id, wanted)
        charge(entries=0)  # each is a transaction, as a match is
        if match is not None:
            return Sought(await self._found(sitter, match), 0, ())
        seeks = await self._store.seeks.all()
        mine = next((each for each in seeks if each.person == sitter.id), None)
        if mine is None:  # found by another in this very moment: they hear of it when they ask again
            return Sought(None, 0, ())
        for other in candidates(mine, seeks)[:TRIES]:
            if not may_make():
                raise Refused("too_many_requests", TOO_MANY.format(60))
            made = await self._meet(mine, other)
            if made is not None:
                return Sought(await self._found(sitter, made.id), 0, ())
        return Sought(None, round(reach(mine)), listed(seeks, sitter.id))

    async def look(self, person: str | None) -> tuple[SeekShown, ...]:
        return listed(await self._store.seeks.all(), person)

    async def _wanted(self, sitter: Sitter, asked: NewSeek) -> Wanted:
        self._lobby.matches.game(asked.game)
        if asked.clock not in CLOCKS:
            raise Refused("no_such_clock", NO_CLOCK, "clock")
        if asked.friend is None:
            return Wanted(asked.game, asked.clock, asked.rated)
        friends = await self._store.people.friends(sitter.id)
        friend = next((id for id, name in friends.items() if name == asked.friend), None)
        if friend is None:
            raise Refused("no_such_person", NOT_A_FRIEND.format(asked.friend), "friend")
        return Wanted(asked.game, asked.clock, asked.rated, friend)

    async def _meet(self, one: Seek, two: Seek) -> StoredMatch | None:
        """Their match, with sides that are drawn; None if the other is gone, or has met somebody else."""
        both = secrets.SystemRandom().sample([one, two], 2)
        seats = [StoredSeat("person", each.name, "person", each.key_hash, each.person) for each in both]
        wanted = one.wanted
        start = usual_start(self._lobby.matches.game(wanted.game))
        try:
            return await self._lobby.arrange(
                start, seats, wanted.clock, lambda match: self._store.seeks.pairing(match, one, two),
                rated=wanted.rated, public=wanted.friend is None,
            )  # fmt: skip
        except Refused as refused:
            if refused.code != "seek_gone":
                raise
            return None

    async def _found(self, sitter: Sitter, match: str) -> Found | None:
        stored = await self._store.match(match)
        seat = next((n for n, each in enumerate(stored.seats) if each.person == sitter.id), None) if stored else None
        return None if stored is None or seat is None else Found(stored.id, stored.game, Held(seat, sitter.key))


def reach(seek: Seek) -> float:
    """Elo by which their opponent may differ from them by now."""
    _, sigma = strength(seek.mu, seek.sigma)
    return min(float(WIDEST), NEAR + sigma + WIDENING * seek.waited / 1000)


def candidates(mine: Seek, seeks: Iterable[Seek]) -> list[Seek]:
    """Whom one could meet now, the nearest in strength first."""
    found = []
    for other in seeks:
        if other.person == mine.person or not _alike(mine.wanted, other.wanted):
            continue
        apart = abs(strength(mine.mu, mine.sigma)[0] - strength(other.mu, other.sigma)[0])
        if mine.wanted.friend is None and other.wanted.friend is None:
            if apart <= min(reach(mine), reach(other)):
                found.append((apart, other))
        elif (mine.wanted.friend, other.wanted.friend) == (other.person, mine.person):
            found.append((apart, other))
    return [other for _, other in sorted(found, key=lambda each: each[0])]


def listed(seeks: Sequence[Seek], person: str | None) -> tuple[SeekShown, ...]:
    """Those that somebody may know of: what is for a friend, only the friend does, and who asked."""
    return tuple(
        SeekShown(
            each.name, each.wanted.game, each.wanted.clock, each.wanted.rated,
            shown(StoredRating(each.wanted.game, each.mu, each.sigma or 0.0, 0)) if each.mu is not None else None,
            mine=person == each.person, invites_me=each.wanted.friend is not None and each.wanted.friend == person,
        )
        for each in seeks
        if each.wanted.friend is None or person in (each.wanted.friend, each.person)
    )  # fmt: skip


def _alike(one: Wanted, two: Wanted) -> bool:
    return (one.game, one.clock, one.rated) == (two.game, two.clock, two.rated)
