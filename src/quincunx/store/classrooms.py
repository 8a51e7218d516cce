"""Classrooms: who teaches, who has joined, which contests are theirs, the rounds of these, and uploaded files.

Of a teacher's token and of pupils' keys only hashes are kept. A round is who was to meet whom: what of it has been
played, the bouts and results of its contest say (entrants.py), so that whoever comes after a crash knows what is left.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, Select, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.core.words import Refused, Words
from quincunx.store import schema
from quincunx.store.contests import StoredContest
from quincunx.store.writer import Writer

classrooms, pupils, rounds, uploads = schema.classrooms, schema.pupils, schema.rounds, schema.uploads
class_contests, entrants = schema.class_contests, schema.entrants

RoundFormat = Literal["round_robin", "swiss", "free"]  # free: the arena's own matchmaker, no rounds
UploadKind = Literal["program", "codingame", "champion"]  # which protocol a file speaks

MOST_PUPILS = 300
MOST_CONTESTS = 200
LONGEST_NOTES = 4000  # characters
_MEETINGS = msgspec.json.Decoder(list[tuple[str, ...]])

NAME_TAKEN = Words(
    "Quelqu’un de la classe s’appelle déjà {} : choisissez un autre nom, ou demandez à l’enseignant de le libérer.",
    "Somebody in the class is called {} already: choose another name, or ask the teacher to free it.",
)
FULL = Words("La classe est complète ({} élèves).", "The class is full ({} pupils).").format(MOST_PUPILS)
TOO_MANY = Words("La classe a déjà {} concours.", "The class has {} contests already.").format(MOST_CONTESTS)
NO_PUPIL = Words("Personne de la classe ne s’appelle {}.", "Nobody in the class is called {}.")
STRANGER = Words(
    "Ce concours est celui d’une classe : entrez-y d’abord avec son code (page /class), puis prenez la commande que "
    "cette page donne.",
    "This contest is a class’s: join that first with its code (page /class), then use the command that the page gives.",
)
CODE_TAKEN = Words("Une autre classe a ce code.", "Another class has this code.")
BEGUN = Words("Cette ronde est déjà lancée.", "This round was started already.")


class StoredClassroom(msgspec.Struct, frozen=True):
    id: str
    name: str
    code: str
    teacher_hash: str
    created: int = 0


class StoredPupil(msgspec.Struct, frozen=True):
    name: str
    key_hash: str
    created: int = 0


class StoredClassContest(msgspec.Struct, frozen=True):
    contest: str
    format: RoundFormat
    matches: int


class StoredRound(msgspec.Struct, frozen=True):
    number: int
    meetings: list[tuple[str, ...]]
    created: int = 0


class StoredUpload(msgspec.Struct, frozen=True):
    name: str  # whose it is
    file: str
    kind: UploadKind
    text: bytes = b""
    created: int = 0
    notes: str = ""


class Classrooms:
    """The classrooms of a store."""

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer

    async def open(self, fresh: StoredClassroom) -> StoredClassroom:
        """The class of that name, which is made if there is none. Refused (`taken`) if another has its code."""
        row = msgspec.structs.asdict(msgspec.structs.replace(fresh, created=_now()))
        mine = select(classrooms).where(classrooms.c.name == fresh.name)

        def work(connection: Connection) -> StoredClassroom:
            connection.execute(_new(connection)(classrooms).values(row).on_conflict_do_nothing())
            found = connection.execute(mine).first()
            if found is None:
                raise Refused("taken", CODE_TAKEN)
            return StoredClassroom(**found._mapping)

        return await self._writer.do(fresh.name, work)

    async def set_teacher(self, id: str, teacher_hash: str) -> None:
        """Another token from now on."""
        statement = update(classrooms).where(classrooms.c.id == id).values(teacher_hash=teacher_hash)
        await self._writer.do(id, lambda connection: connection.execute(statement))

    async def teacher_hash(self, id: str) -> str:
        async with self._reading() as connection:
            found = await connection.execute(select(classrooms.c.teacher_hash).where(classrooms.c.id == id))
            return str(found.scalar_one())

    # -- pupils --------------------------------------------------------------------------------------------------

    async def join(self, id: str, name: str, key_hash: str) -> StoredPupil:
        """Again with the same key is the same pupil; a name that differs from a pupil's only in its capitals is that
        pupil's."""

        def work(connection: Connection) -> StoredPupil:
            connection.execute(select(classrooms.c.id).where(classrooms.c.id == id).with_for_update())
            known = [StoredPupil(**row._mapping) for row in connection.execute(_pupils(id))]
            same = next((each for each in known if each.name.casefold() == name.casefold()), None)
            if same is not None and same.key_hash == key_hash:
                return same
            if same is not None:
                raise Refused("name_taken", NAME_TAKEN.format(name), "name")
            if len(known) >= MOST_PUPILS:
                raise Refused("full", FULL)
            row = {"classroom": id, "name": name, "key_hash": key_hash, "created": _now()}
            connection.execute(insert(pupils), row)
            return StoredPupil(name, key_hash, int(str(row["created"])))

        return await self._writer.do(id, work)

    async def pupil(self, id: str, name: str) -> StoredPupil | None:
        async with self._reading() as connection:
            found = (await connection.execute(_pupils(id).where(pupils.c.name == name))).first()
            return None if found is None else StoredPupil(**found._mapping)

    async def pupils(self, id: str) -> list[StoredPupil]:
        """By name."""
        async with self._reading() as connection:
            rows = await connection.execute(_pupils(id))
            return sorted((StoredPupil(**row._mapping) for row in rows), key=lambda each: each.name.casefold())

    async def check_entry(self, contest: str, name: str, key_hash: str) -> None:
        """A contest of a class is for its pupils: others are refused."""
        whose = select(class_contests.c.classroom).where(class_contests.c.contest == contest)
        async with self._reading() as connection:
            id = (await connection.execute(whose)).scalar()
            if id is None:
                return
            known = (await connection.execute(_pupils(id).where(pupils.c.name == name))).first()
        if known is None or known.key_hash != key_hash:
            raise Refused("not_yours", STRANGER)

    async def remove(self, id: str, name: str) -> None:
        """The name is free again, in the contests, too. What was played stays; uploads go."""
        theirs = select(class_contests.c.contest).where(class_contests.c.classroom == id)

        def work(connection: Connection) -> None:
            gone = delete(pupils).where(pupils.c.classroom == id, pupils.c.name == name)
            if connection.execute(gone).rowcount == 0:
                raise Refused("no_such_pupil", NO_PUPIL.format(name))
            for table in (uploads, entrants):
                connection.execute(delete(table).where(table.c.contest.in_(theirs), table.c.name == name))

        await self._writer.do(id, work)

    # -- contests and rounds -------------------------------------------------------------------------------------

    async def new_contest(self, id: str, contest: StoredContest, format: RoundFormat, matches: int) -> None:
        """A contest of this class, and that it is, at once."""
        row = {**msgspec.structs.asdict(contest), "created": _now()}
        link = {"contest": contest.id, "classroom": id, "format": format, "matches": matches}
        count = select(func.count()).select_from(class_contests).where(class_contests.c.classroom == id)

        def work(connection: Connection) -> None:
            if connection.execute(count).scalar_one() >= MOST_CONTESTS:
                raise Refused("full", TOO_MANY)
            connection.execute(insert(schema.contests), row)
            connection.execute(insert(class_contests), link)

        await self._writer.do(contest.id, work)

    async def contests(self, id: str) -> list[StoredClassContest]:
        query = select(class_contests.c.contest, class_contests.c.format, class_contests.c.matches)
        async with self._reading() as connection:
            rows = await connection.execute(query.where(class_contests.c.classroom == id))
            return [StoredClassContest(**row._mapping) for row in rows]

    async def begin_round(self, contest: str, number: int, meetings: Sequence[Sequence[str]]) -> None:
        """Once: of two who start the same round, the second is refused."""
        row = {"contest": contest, "number": number, "meetings": schema.to_json(meetings), "created": _now()}
        try:
            await self._writer.do(contest, lambda connection: connection.execute(insert(rounds), row))
        except IntegrityError:
            raise Refused("running", BEGUN) from None

    async def rounds(self, contest: str) -> list[StoredRound]:
        """In their order."""
        query = select(rounds.c.number, rounds.c.meetings, rounds.c.created).where(rounds.c.contest == contest)
        async with self._reading() as connection:
            rows = (await connection.execute(query.order_by(rounds.c.number))).all()
            return [StoredRound(row.number, _MEETINGS.decode(row.meetings), row.created) for row in rows]

    # -- uploads -------------------------------------------------------------------------------------------------

    async def keep_upload(self, contest: str, upload: StoredUpload) -> None:
        """In the place of the one before."""
        row = {"contest": contest, **msgspec.structs.asdict(upload), "created": _now(), "notes": ""}

        def work(connection: Connection) -> None:
            new = _new(connection)(uploads).values(row)
            again = {name: new.excluded[name] for name in ("file", "kind", "text", "created", "notes")}
            connection.execute(
                new.on_conflict_do_update(index_elements=[uploads.c.contest, uploads.c.name], set_=again)
            )

        await self._writer.do(contest, work)

    async def upload(self, contest: str, name: str) -> StoredUpload | None:
        """With its text."""
        columns = [column for column in uploads.c if column.name != "contest"]
        query = select(*columns).where(uploads.c.contest == contest, uploads.c.name == name)
        async with self._reading() as connection:
            found = (await connection.execute(query)).first()
            return None if found is None else StoredUpload(**{**found._mapping, "text": bytes(found.text)})

    async def uploads(self, contest: str) -> dict[str, StoredUpload]:
        """By whose they are, without their texts."""
        columns = [column for column in uploads.c if column.name not in ("contest", "text")]
        async with self._reading() as connection:
            rows = await connection.execute(select(*columns).where(uploads.c.contest == contest))
            return {row.name: StoredUpload(**row._mapping) for row in rows}

    async def note(self, contest: str, name: str, notes: str) -> None:
        """What an upload has written to stderr in the latest match in which it did; of much, the end."""
        if not notes:
            return
        mine = update(uploads).where(uploads.c.contest == contest, uploads.c.name == name)
        kept = notes.replace("\0", "�")[-LONGEST_NOTES:]  # PostgreSQL keeps no zeros in texts
        await self._writer.do(contest, lambda connection: connection.execute(mine.values(notes=kept)))


def _now() -> int:
    return time.time_ns() // 1_000_000


def _new(connection: Connection) -> Any:
    return sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert


def _pupils(id: str) -> Select[Any]:
    return select(pupils.c.name, pupils.c.key_hash, pupils.c.created).where(pupils.c.classroom == id)
