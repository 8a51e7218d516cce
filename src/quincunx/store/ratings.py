"""What came of people's matches, and how strong they are in each game.

A match that is over is written once into the history of each person who sat at it, with the ratings that follow if it
was rated: whether that was done, the history says, so any process may do it at any time. How ratings move is not known
here; whoever settles a match brings the function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Literal

import msgspec
from sqlalchemy import Connection, and_, case, delete, exists, func, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.store import schema
from quincunx.store.writer import Writer

people, ratings, history = schema.people, schema.ratings, schema.history
matches, seats = schema.matches, schema.seats

Result = Literal["win", "draw", "loss", "void"]  # void: called off, or played against oneself; in no list
MOST_LISTED = 10_000


class StoredRating(msgspec.Struct, frozen=True):
    game: str
    mu: float
    sigma: float
    matches: int


class Played(msgspec.Struct, frozen=True):
    """A match in somebody's history."""

    match: str
    game: str
    seat: int
    result: Result
    rated: bool
    at: int
    before: float | None = None
    rating: float | None = None


class Tally(msgspec.Struct, frozen=True):
    """All that somebody has played of a game."""

    game: str
    wins: int
    draws: int
    losses: int


class Finished(msgspec.Struct, frozen=True):
    """A match that is over. `seats`: who sat where, of those who are people."""

    match: str
    game: str
    at: int
    rated: bool
    seats: dict[str, int]
    results: dict[str, Result]


Rate = Callable[[Mapping[str, StoredRating]], Mapping[str, StoredRating]]  # by person; whoever is missing is new


class Ratings:
    """Ratings and history of the people of a store."""

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer

    async def settle(self, over: Finished, rate: Rate) -> bool:
        """Once for each match. It is rated only if everybody who sat at it is still known. False: nothing was new."""

        def work(connection: Connection) -> bool:
            locked = select(people.c.id).where(people.c.id.in_(over.seats)).order_by(people.c.id).with_for_update()
            known = set(connection.execute(locked).scalars())
            written = select(history.c.person).where(history.c.match == over.match)
            left = known - set(connection.execute(written).scalars())
            if not left:
                return False
            rated = over.rated and left == set(over.seats)
            before = _ratings(connection, over.game, sorted(known)) if rated else {}
            after = rate(before) if rated else {}
            for person in sorted(left):
                row = Played(
                    over.match, over.game, over.seats[person], over.results[person], rated, over.at,
                    before[person].mu if person in before else None, after[person].mu if rated else None,
                )  # fmt: skip
                connection.execute(insert(history), {"person": person} | msgspec.structs.asdict(row))
            for person, new in after.items():
                mine = and_(ratings.c.person == person, ratings.c.game == over.game)
                connection.execute(delete(ratings).where(mine))
                connection.execute(insert(ratings), {"person": person} | msgspec.structs.asdict(new))
            return True

        return await self._writer.do("ratings", work)

    async def unsettled(self, person: str | None = None) -> list[str]:
        """Matches that are over and in the history of somebody who sat there are not."""
        done = exists().where(history.c.match == seats.c.match, history.c.person == seats.c.person)
        query = select(seats.c.match).join(matches, matches.c.id == seats.c.match).distinct()
        query = query.where(seats.c.person.is_not(None), matches.c.status == "over", ~done)
        if person is not None:
            query = query.where(seats.c.person == person)
        async with self._reading() as connection:
            return [str(match) for match in (await connection.execute(query.limit(MOST_LISTED))).scalars()]

    async def of(self, persons: Sequence[str], game: str | None = None) -> dict[str, list[StoredRating]]:
        """By person."""
        query = select(ratings).where(ratings.c.person.in_(persons)).order_by(ratings.c.game)
        if game is not None:
            query = query.where(ratings.c.game == game)
        found: dict[str, list[StoredRating]] = {person: [] for person in persons}
        async with self._reading() as connection:
            for person, *rating in await connection.execute(query):
                found[person].append(StoredRating(*rating))
        return found

    async def tallies(self, person: str) -> list[Tally]:
        counts = [func.sum(case((history.c.result == each, 1), else_=0)) for each in ("win", "draw", "loss")]
        query = select(history.c.game, *counts).where(history.c.person == person).group_by(history.c.game)
        query = query.where(history.c.result != "void")
        async with self._reading() as connection:
            return [Tally(*row) for row in await connection.execute(query.order_by(history.c.game))]

    async def history(
        self, person: str, before: str | None = None, game: str | None = None, limit: int = MOST_LISTED
    ) -> list[Played]:
        """The latest first; `before`: the match that was the last one of the page before."""
        columns = [history.c[name] for name in Played.__struct_fields__]
        query = select(*columns).where(history.c.person == person, history.c.result != "void")
        if game is not None:
            query = query.where(history.c.game == game)
        if before is not None:
            other = history.alias()
            mine = and_(other.c.match == before, other.c.person == person)
            then = select(other.c.at).where(mine).scalar_subquery()
            query = query.where(or_(history.c.at < then, and_(history.c.at == then, history.c.match < before)))
        async with self._reading() as connection:
            rows = await connection.execute(query.order_by(history.c.at.desc(), history.c.match.desc()).limit(limit))
            return [Played(*row) for row in rows]

    async def names(self, matches: Sequence[str]) -> dict[str, list[str]]:
        """Who sat at these matches, by seat: names of people, what computers are. Matches that are gone are missing."""
        label = case((seats.c.kind == "computer", seats.c.player), else_=seats.c.name)
        query = select(seats.c.match, label).where(seats.c.match.in_(matches)).order_by(seats.c.match, seats.c.number)
        found: dict[str, list[str]] = {}
        async with self._reading() as connection:
            for match, name in await connection.execute(query):
                found.setdefault(match, []).append(name)
        return found


def _ratings(connection: Connection, game: str, persons: Sequence[str]) -> dict[str, StoredRating]:
    rows = connection.execute(select(ratings).where(ratings.c.game == game, ratings.c.person.in_(persons)))
    return {person: StoredRating(*rating) for person, *rating in rows}
