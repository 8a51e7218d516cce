"""People on this server: who asks, what came of their matches, their page, all their data, and how they are forgotten.

Whoever has the key is the person; a seat that is theirs is held by it. When a match ends, the process in which it did
settles it: a line in the history of everybody who sat there and, if it was rated, their new ratings (online.py). What a
crash leaves unsettled is made up for at the next start, and when somebody looks at their page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from quincunx.core.words import Refused
from quincunx.games import load
from quincunx.match.referee import Referee, Ruling
from quincunx.server.live import LiveMatch
from quincunx.server.lobby import Sitter, now
from quincunx.server.logs import log
from quincunx.server.matches import LiveMatches
from quincunx.server.people_shapes import HistoryLine, Me, MyFavourite, MyMatch, Standing
from quincunx.server.retries import persist
from quincunx.server.shapes import Rated
from quincunx.server.tokens import hash_of
from quincunx.store import StoredMatch, Unavailable
from quincunx.store.people import NO_PERSON, HeldSeat, StoredPerson
from quincunx.store.ratings import Finished, Result, StoredRating
from quincunx.store.studies import StoredStudy
from quincunx.tournament.online import DOUBT, START, Online, after
from quincunx.tournament.results import Result as Contested

PAGE = 50  # lines of history


class People:
    def __init__(self, matches: LiveMatches) -> None:
        self._matches = matches
        self.store = matches.store
        self._settling: set[asyncio.Task[None]] = set()
        matches.on_over = self._hear

    # -- who asks ------------------------------------------------------------------------------------------------

    async def sitter(self, key: str | None) -> Sitter | None:
        found = await self.store.people.by_key(hash_of(key)) if key else None
        return Sitter(found.id, found.name, key) if found and key else None

    async def known(self, key_hash: str) -> StoredPerson:
        found = await self.store.people.by_key(key_hash)
        if found is None:
            raise Refused("no_person", NO_PERSON)
        return found

    # -- what came of matches ------------------------------------------------------------------------------------

    def _hear(self, live: LiveMatch) -> None:
        """A match ended here."""
        if any(seat.person for seat in live.stored.seats):
            task = asyncio.create_task(self._settle_now(live.id))
            self._settling.add(task)
            task.add_done_callback(self._settling.discard)

    async def _settle_now(self, match: str) -> None:
        try:
            await self._settle(match)
        except Unavailable as error:  # it is made up for
            log.warning("store.unavailable", reason=str(error))

    async def take_up(self) -> None:
        """After a start: what an earlier process left."""

        async def look() -> None:
            await self._make_up(None)

        await persist(look)

    async def close(self) -> None:
        await asyncio.gather(*self._settling, return_exceptions=True)

    async def _make_up(self, person: str | None) -> None:
        for match in await self.store.ratings.unsettled(person):
            await self._settle(match)

    async def _settle(self, match: str) -> None:
        stored = await self.store.match(match)
        if stored is not None and (over := finished(stored)) is not None:
            await self.store.ratings.settle(over, partial(rate, over))

    # -- their page ----------------------------------------------------------------------------------------------

    async def page(self, person: StoredPerson) -> Me:
        await self._make_up(person.id)
        people = self.store.people
        rated = {each.game: each for each in (await self.store.ratings.of([person.id]))[person.id]}
        standings = tuple(
            Standing(each.game, each.wins, each.draws, each.losses, shown(rated.get(each.game)),
                     rated[each.game].matches if each.game in rated else 0)
            for each in await self.store.ratings.tallies(person.id)
        )  # fmt: skip
        return Me(
            name=person.name,
            created=person.created,
            standings=standings,
            playing=tuple(_mine(each) for each in await people.playing(person.id)),
            friends=tuple((await people.friends(person.id)).values()),
            friend_code=person.friend_code,
            favourites=await self._favourites(person),
        )

    async def _favourites(self, person: StoredPerson) -> tuple[MyFavourite, ...]:
        seen = {each.id: each for each in await self.store.setups.list(None, person.key_hash, texts=False)}
        found = []
        for each in await self.store.people.favourites(person.id):
            shipped = any(setup.name == each.setup for setup in load(each.game, "interpreted").setups)
            made = seen.get(each.setup)
            found.append(MyFavourite(each.game, each.setup, made.name if made else "", shipped or made is not None))
        return tuple(found)

    async def history(
        self, person: StoredPerson, before: str | None = None, game: str | None = None, limit: int = PAGE
    ) -> list[HistoryLine]:
        await self._make_up(person.id)
        played = await self.store.ratings.history(person.id, before, game, limit)
        names: dict[str, list[str]] = {}
        for at in range(0, len(played), PAGE):
            names |= await self.store.ratings.names([each.match for each in played[at : at + PAGE]])
        return [
            HistoryLine(each.match, each.game, each.seat, each.result, each.rated, each.at,
                        tuple(names.get(each.match, ())), each.before, each.rating)
            for each in played
        ]  # fmt: skip

    async def export(self, person: StoredPerson) -> dict[str, Any]:
        """Everything that is kept of somebody, but the hash of their key, which tells nothing."""
        owned = [each for each in await self.store.setups.list(None, person.key_hash) if each.owner == person.key_hash]
        studies = await self.store.studies.list(person.key_hash, texts=True)
        return {
            "format": "quincunx-person-1",
            "exported": now(),
            "person": await self.page(person),
            "last_seen": person.seen,
            "ratings": (await self.store.ratings.of([person.id]))[person.id],
            "history": await self.history(person, limit=10**6),
            "setups": [{name: getattr(each, name) for name in ("id", "game", "name", "text", "shared", "created")}
                       for each in owned],
            "studies": [_kept(each) for each in studies],
        }  # fmt: skip

    # -- forgetting ----------------------------------------------------------------------------------------------

    async def forget(self, person: StoredPerson) -> None:
        """Matches under way are given up first, for nobody would hold those seats any more, and settled: what others
        have won against them counts."""
        for held in await self.store.people.playing(person.id):
            live = await self._matches.get(held.match)
            if live is not None:
                await self._matches.ask(live, partial(_give_up, held))
        await self._make_up(person.id)
        for match in await self.store.people.forget(person.id):
            await self._matches.refresh(match)
        log.info("person.forgotten")


def finished(stored: StoredMatch) -> Finished | None:
    """What is to be written of a match that is over."""
    if stored.outcome is None:
        return None
    sat = [(seat.person, number) for number, seat in enumerate(stored.seats) if seat.person]
    seats, ranks = dict(sat), stored.outcome.ranks
    counts = stored.outcome.reason != "abort" and len(seats) == len(sat)  # who plays against themselves has won nothing
    results = {person: result_of(ranks, number) if counts else "void" for person, number in sat}
    rated = stored.rated and counts and len(sat) == len(stored.seats)
    return Finished(stored.id, stored.game, now(), rated, seats, results)


def result_of(ranks: Sequence[int], seat: int) -> Result:
    """First alone is a win; first together is a draw."""
    if ranks[seat] != min(ranks):
        return "loss"
    return "win" if ranks.count(ranks[seat]) == 1 else "draw"


def rate(over: Finished, known: Mapping[str, StoredRating]) -> dict[str, StoredRating]:
    places = {"win": 1, "draw": 1, "loss": 2}  # of two
    before = {person: Online(each.mu, each.sigma, each.matches) for person, each in known.items()}
    people = tuple(over.seats)
    ranks = tuple(places[over.results[person]] for person in people)
    new = after(before, Contested(0, 0, people, ranks))
    return {person: StoredRating(over.game, each.mu, each.sigma, each.matches) for person, each in new.items()}


def shown(rating: StoredRating | None) -> Rated | None:
    if rating is None:
        return None
    error = Online(rating.mu, rating.sigma).error
    return Rated(rating.mu, rating.mu - error, rating.mu + error)


def strength(mu: float | None, sigma: float | None) -> tuple[float, float]:
    return (START if mu is None else mu), (DOUBT if sigma is None else sigma)


def _kept(study: StoredStudy) -> dict[str, Any]:
    shown = {name: value for name, value in msgspec.structs.asdict(study).items() if name not in ("owner", "tree")}
    return {**shown, "tree": msgspec.Raw(study.tree.encode())}


def _mine(held: HeldSeat) -> MyMatch:
    return MyMatch(**msgspec.structs.asdict(held))


def _give_up(held: HeldSeat, referee: Referee, at: int) -> Ruling:
    return referee.abort(held.seat, at) if held.status == "open" else referee.resign(held.seat, at)
