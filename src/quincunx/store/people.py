"""People: a name and a key that a browser made, of which only the hash is kept; their friends and favourite setups.

A name is one person's, however it is written in capitals. Their seats are held by their key: whoever shows it on
another device has them all. Who wants to be forgotten is erased: name, key, ratings, history, friends, favourites,
setups, studies; the matches stay, with a seat that is nobody's.
"""

from __future__ import annotations

import secrets
import time
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.core.words import Refused, Words, expected
from quincunx.store import schema
from quincunx.store.database import new_row
from quincunx.store.shapes import Status
from quincunx.store.writer import Writer

people, friends, favourites = schema.people, schema.friends, schema.favourites
matches, seats = schema.matches, schema.seats

MOST_FRIENDS = 200
MOST_FAVOURITES = 100
MOST_PLAYING = 200  # matches that are listed
SHORTEST_NAME, LONGEST_NAME = 2, 24
SIGNS = " -'’._"  # in a name, beside letters and digits
DAY = 24 * 3600 * 1000

NAME = Words(
    "un nom de 2 à 24 lettres, chiffres, espaces, - ’ . ou _, dont au moins une lettre",
    "a name of 2 to 24 letters, digits, spaces, - ’ . or _, with a letter at least",
)
NAME_TAKEN = Words(
    "Quelqu’un s’appelle déjà {} ici : choisissez un autre nom.", "Somebody here is called {} already: choose another."
)
NO_PERSON = Words(
    "Personne ici n’a cette clé : choisissez d’abord un nom.", "Nobody here has this key: choose a name first."
)
NO_FRIEND = Words("Ce lien d’ami ne mène à personne.", "This friend’s link leads to nobody.")
SELF = Words("C’est votre propre lien : envoyez-le à quelqu’un.", "This is your own link: send it to somebody.")
FULL = Words("La liste est pleine ({}).", "The list is full ({}).")


class StoredPerson(msgspec.Struct, frozen=True):
    id: str
    name: str
    key_hash: str
    friend_code: str
    created: int
    seen: int


class HeldSeat(msgspec.Struct, frozen=True):
    """A seat of somebody's in a match that is not over."""

    match: str
    seat: int
    game: str
    status: Status


class Favourite(msgspec.Struct, frozen=True):
    game: str
    setup: str


class People:
    """The people of a store."""

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer

    async def enter(self, name: str, key_hash: str) -> StoredPerson:
        """Whoever has this key is called so from now on; they are new, if the key is."""
        name = check_name(name)
        named = {"name": name, "folded": folded(name), "seen": _now()}
        fresh = {"id": secrets.token_urlsafe(9), "key_hash": key_hash, "friend_code": new_friend_code(),
                 "created": _now()}  # fmt: skip

        def work(connection: Connection) -> StoredPerson:
            changed = update(people).where(people.c.key_hash == key_hash).values(named)
            if connection.execute(changed).rowcount == 0:
                connection.execute(insert(people), fresh | named)
            return StoredPerson(**connection.execute(_people().where(people.c.key_hash == key_hash)).one()._mapping)

        try:
            return await self._writer.do(key_hash, work)
        except IntegrityError:
            raise Refused("name_taken", NAME_TAKEN.format(name), "name") from None

    async def by_key(self, key_hash: str) -> StoredPerson | None:
        """Whoever has this key. That they were here is noted, once a day."""
        found = await self._one(people.c.key_hash == key_hash)
        if found is not None and found.seen < _now() - DAY:
            statement = update(people).where(people.c.id == found.id).values(seen=_now())
            await self._writer.do(key_hash, lambda connection: connection.execute(statement))
        return found

    async def by_name(self, name: str) -> StoredPerson | None:
        return await self._one(people.c.folded == folded(name))

    async def names(self, ids: Sequence[str]) -> dict[str, str]:
        async with self._reading() as connection:
            rows = await connection.execute(select(people.c.id, people.c.name).where(people.c.id.in_(ids)))
            return {str(id): str(name) for id, name in rows}

    async def playing(self, person: str) -> list[HeldSeat]:
        """Their matches that are not over, the newest first."""
        query = select(seats.c.match, seats.c.number, matches.c.game, matches.c.status)
        query = query.join(matches, matches.c.id == seats.c.match)
        query = query.where(seats.c.person == person, matches.c.status.in_(("open", "playing")))
        async with self._reading() as connection:
            rows = await connection.execute(query.order_by(matches.c.created.desc()).limit(MOST_PLAYING))
            return [HeldSeat(*row) for row in rows]

    async def forget(self, person: str) -> list[str]:
        """Erases somebody. The matches in which a seat is nobody's now."""
        other = (schema.ratings, schema.history, favourites, schema.seeks)
        nobodys = {"person": None, "name": "", "token_hash": None}
        # Whoever settles a match of theirs just now comes first (PostgreSQL): what they write is erased, too
        locked = select(people.c.key_hash).where(people.c.id == person).with_for_update()

        def work(connection: Connection) -> list[str]:
            key_hash = connection.execute(locked).scalar()
            sat = list(connection.execute(select(seats.c.match).where(seats.c.person == person)).scalars())
            connection.execute(update(seats).where(seats.c.person == person).values(nobodys))
            for table in other:
                connection.execute(delete(table).where(table.c.person == person))
            connection.execute(delete(friends).where(or_(friends.c.person == person, friends.c.friend == person)))
            for table in (schema.setups, schema.studies):
                connection.execute(delete(table).where(table.c.owner == key_hash))
            connection.execute(delete(people).where(people.c.id == person))
            return sat

        return await self._writer.do(person, work, notify=lambda sat: sat)

    # -- friends -------------------------------------------------------------------------------------------------

    async def befriend(self, person: str, code: str) -> str:
        """Both ways, with whoever gave the code away. The friend's name."""

        def work(connection: Connection) -> str:
            other = connection.execute(_people().where(people.c.friend_code == code)).first()
            if other is None:
                raise Refused("no_such_person", NO_FRIEND)
            if other.id == person:
                raise Refused("yourself", SELF)
            for one, two in ((person, other.id), (other.id, person)):
                count = select(func.count()).select_from(friends).where(friends.c.person == one)
                if connection.execute(count).scalar_one() >= MOST_FRIENDS:
                    raise Refused("full", FULL.format(MOST_FRIENDS))
                row = {"person": one, "friend": two}
                connection.execute(new_row(connection, friends).values(row).on_conflict_do_nothing())
            return str(other.name)

        return await self._writer.do("friends", work)

    async def unfriend(self, person: str, name: str) -> None:
        """Both ways, and the code of who did it is another one: who has the old link does not come back by it."""
        other = select(people.c.id).where(people.c.folded == folded(name)).scalar_subquery()
        mine, theirs = friends.c.person == person, friends.c.friend == person
        pair = or_(mine & (friends.c.friend == other), theirs & (friends.c.person == other))
        renewed = update(people).where(people.c.id == person).values(friend_code=new_friend_code())

        def work(connection: Connection) -> None:
            if connection.execute(delete(friends).where(pair)).rowcount:
                connection.execute(renewed)

        await self._writer.do("friends", work)

    async def friends(self, person: str) -> dict[str, str]:
        """Names by id, in their order."""
        query = select(people.c.id, people.c.name).join(friends, friends.c.friend == people.c.id)
        async with self._reading() as connection:
            rows = await connection.execute(query.where(friends.c.person == person).order_by(people.c.folded))
            return {str(id): str(name) for id, name in rows}

    # -- favourite setups ----------------------------------------------------------------------------------------

    async def favour(self, person: str, favourite: Favourite, wanted: bool) -> None:
        row = {"person": person} | msgspec.structs.asdict(favourite)
        same = [favourites.c[name] == value for name, value in row.items()]

        def work(connection: Connection) -> None:
            if not wanted:
                connection.execute(delete(favourites).where(*same))
                return
            count = select(func.count()).select_from(favourites).where(favourites.c.person == person)
            if connection.execute(count).scalar_one() >= MOST_FAVOURITES:
                raise Refused("full", FULL.format(MOST_FAVOURITES))
            connection.execute(new_row(connection, favourites).values(row).on_conflict_do_nothing())

        await self._writer.do(person, work)

    async def favourites(self, person: str) -> list[Favourite]:
        query = select(favourites.c.game, favourites.c.setup).where(favourites.c.person == person)
        async with self._reading() as connection:
            rows = await connection.execute(query.order_by(favourites.c.game, favourites.c.setup))
            return [Favourite(*row) for row in rows]

    async def _one(self, condition: Any) -> StoredPerson | None:
        async with self._reading() as connection:
            row = (await connection.execute(_people().where(condition))).first()
            return None if row is None else StoredPerson(**row._mapping)


def check_name(name: str) -> str:
    """The name without spaces around it or doubled in it; equal-looking ways to write it are made one."""
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    fits = SHORTEST_NAME <= len(name) <= LONGEST_NAME and all(sign.isalnum() or sign in SIGNS for sign in name)
    if not fits or not any(sign.isalpha() for sign in name):
        raise expected(NAME, name[: 2 * LONGEST_NAME], "name")
    return name


def folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def new_friend_code() -> str:
    return secrets.token_urlsafe(12)


def _people() -> Select[Any]:
    return select(*(column for column in people.c if column.name != "folded"))


def _now() -> int:
    return time.time_ns() // 1_000_000
