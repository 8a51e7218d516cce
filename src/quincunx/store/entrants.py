"""Arenas: who takes part, which matches of this server belong to one, and who is there now.

A bout is an ordinary match that counts in an arena. It is booked in the transaction that makes its match, and ends in
the one that writes its result: so none is lost, and none counts twice. Whoever books one locks the arena's row; whether
its players are free is asked under that lock, so that several server processes may pair at once.

Who is there is written by each server process for those who are connected to it, and renewed like a claim
(contests.py): what a process said that is gone counts no more.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from quincunx.core.words import Refused, Words
from quincunx.store import schema
from quincunx.store.contests import NO_CONTEST, Rivals, StoredResult, insert_results, lock
from quincunx.store.writer import Writer

contests, entrants, bouts, presence = schema.contests, schema.entrants, schema.bouts, schema.presence

EntrantKind = Literal["program", "computer", "upload", "person"]  # from elsewhere; one of ours; a file that the server
# runs; somebody

MOST_ENTRANTS = 1000
_NAMES = msgspec.json.Decoder(tuple[str, ...])
_PRESENT = msgspec.json.Decoder(dict[str, int])

OTHER_KEY = Words(
    "Le nom {} est déjà pris dans cette arène : choisissez-en un autre.",
    "The name {} is taken in this arena: choose another.",
)
CLOSED = Words("Cette arène est fermée.", "This arena is closed.")
FULL = Words("Cette arène est complète ({} participants).", "This arena is full ({} entrants).").format(MOST_ENTRANTS)
NO_ENTRANT = Words("{} ne participe pas à cette arène.", "{} does not take part in this arena.")
BUSY = Words("{} joue déjà.", "{} plays already.")


class StoredEntrant(msgspec.Struct, frozen=True):
    name: str
    kind: EntrantKind
    player: str = ""
    key_hash: str | None = None
    accepted: bool = True
    created: int = 0


class StoredBout(msgspec.Struct, frozen=True):
    contest: str
    pairing: int
    match: str
    players: tuple[str, ...]  # by seat
    round: int = 0
    over: bool = False


class Booking(NamedTuple):
    """What is written along with a match, so that it is a bout of an arena from its first moment."""

    contest: str
    write: Callable[[Connection], None]
    written: list[StoredBout]  # the last one is the bout, once the match is there


class Entrants:
    """Entrants and bouts of the arenas of a store."""

    def __init__(self, reading: Callable[[], AbstractAsyncContextManager[AsyncConnection]], writer: Writer) -> None:
        self._reading = reading
        self._writer = writer

    # -- who takes part ------------------------------------------------------------------------------------------

    async def enter(
        self,
        contest: str,
        name: str,
        kind: EntrantKind,
        player: str = "",
        key_hash: str | None = None,
        accepted: bool = True,
    ) -> StoredEntrant:
        """Once. Again with the same key it may be of another kind, and stays as accepted as it was; with another key
        it is refused."""
        row = {"contest": contest, "name": name, "kind": kind, "player": player, "key_hash": key_hash,
               "accepted": accepted, "created": time.time_ns() // 1_000_000}  # fmt: skip

        def work(connection: Connection) -> StoredEntrant:
            _lock_open(connection, contest)
            known = connection.execute(_entrants(contest).where(entrants.c.name == name)).first()
            if known is None:
                count = select(func.count()).select_from(entrants).where(entrants.c.contest == contest)
                if connection.execute(count).scalar_one() >= MOST_ENTRANTS:
                    raise Refused("full", FULL)
                connection.execute(insert(entrants), row)
            elif known.key_hash != key_hash:
                raise Refused("name_taken", OTHER_KEY.format(name))
            elif (known.kind, known.player) != (kind, player):
                changed = update(entrants).where(entrants.c.contest == contest, entrants.c.name == name)
                connection.execute(changed.values(kind=kind, player=player))
            found = connection.execute(_entrants(contest).where(entrants.c.name == name)).one()
            return StoredEntrant(**found._mapping)

        return await self._writer.do(contest, work)

    async def all(self, contest: str) -> list[StoredEntrant]:
        """In the order in which they came."""
        async with self._reading() as connection:
            rows = await connection.execute(_entrants(contest).order_by(entrants.c.created, entrants.c.name))
            return [StoredEntrant(**row._mapping) for row in rows]

    async def known(self, contest: str, name: str) -> StoredEntrant | None:
        async with self._reading() as connection:
            found = (await connection.execute(_entrants(contest).where(entrants.c.name == name))).first()
            return None if found is None else StoredEntrant(**found._mapping)

    async def counts(self, contests: Sequence[str]) -> dict[str, int]:
        """How many take part in each of these."""
        query = select(entrants.c.contest, func.count()).where(entrants.c.contest.in_(contests))
        async with self._reading() as connection:
            rows = await connection.execute(query.group_by(entrants.c.contest))
            return {str(contest): int(count) for contest, count in rows}

    async def accept(self, contest: str, name: str, accepted: bool) -> None:
        """May it play?"""
        statement = update(entrants).where(entrants.c.contest == contest, entrants.c.name == name)

        def work(connection: Connection) -> None:
            if connection.execute(statement.values(accepted=accepted)).rowcount == 0:
                raise Refused("no_such_entrant", NO_ENTRANT.format(name))

        await self._writer.do(contest, work)

    async def remove(self, contest: str, name: str) -> None:
        """Its results stay."""
        statement = delete(entrants).where(entrants.c.contest == contest, entrants.c.name == name)
        await self._writer.do(contest, lambda connection: connection.execute(statement))

    # -- bouts ---------------------------------------------------------------------------------------------------

    def booking(
        self, contest: str, match: str, players: Sequence[str], places: Mapping[str, int], round: int = 0
    ) -> Booking:
        """For `Store.create`: the match becomes the next bout of an arena. Refused if one of the players has all its
        places taken; those that `places` does not name may play any number of matches."""

        written: list[StoredBout] = []

        def work(connection: Connection) -> None:
            _lock_open(connection, contest)
            running = connection.execute(select(bouts.c.players).where(_under_way(contest))).scalars()
            taken = Counter(name for text in running for name in _NAMES.decode(text))
            busy = next((name for name in players if taken[name] >= places.get(name, taken[name] + 1)), None)
            if busy is not None:
                raise Refused("busy_player", BUSY.format(busy))
            last = connection.execute(select(func.max(bouts.c.pairing)).where(bouts.c.contest == contest)).scalar()
            bout = StoredBout(contest, 0 if last is None else last + 1, match, tuple(players), round)
            row = msgspec.structs.asdict(bout) | {"players": schema.to_json(bout.players)}
            connection.execute(insert(bouts), row)
            written.append(bout)

        return Booking(contest, work, written)

    async def under_way(self, contest: str) -> list[StoredBout]:
        """Bouts that have not ended, in their order."""
        async with self._reading() as connection:
            rows = await connection.execute(select(bouts).where(_under_way(contest)).order_by(bouts.c.pairing))
            return [_bout(row) for row in rows]

    async def with_bouts_under_way(self) -> list[str]:
        """Contests of which a bout has not ended."""
        async with self._reading() as connection:
            found = await connection.execute(select(bouts.c.contest).where(~bouts.c.over).distinct())
            return sorted(str(contest) for (contest,) in found)

    async def of_round(self, contest: str, round: int) -> list[StoredBout]:
        """All bouts of a round, in their order; which of them have a result, the results say."""
        query = select(bouts).where(bouts.c.contest == contest, bouts.c.round == round).order_by(bouts.c.pairing)
        async with self._reading() as connection:
            return [_bout(row) for row in await connection.execute(query)]

    async def bout_of(self, match: str) -> StoredBout | None:
        """The bout that a match is, if it is one."""
        async with self._reading() as connection:
            row = (await connection.execute(select(bouts).where(bouts.c.match == match))).first()
            return None if row is None else _bout(row)

    async def end(self, bout: StoredBout, result: StoredResult | None) -> bool:
        """Writes what came of a bout; nothing, if nobody came. False if it had ended before."""
        mine = (bouts.c.contest == bout.contest, bouts.c.pairing == bout.pairing)
        at = time.time_ns() // 1_000_000

        def work(connection: Connection) -> bool:
            last = lock(connection, bout.contest)
            if connection.execute(update(bouts).where(*mine, ~bouts.c.over).values(over=True)).rowcount == 0:
                return False
            if result is not None and insert_results(connection, bout.contest, [result], last, at):
                written = update(contests).where(contests.c.id == bout.contest)
                connection.execute(written.values(results=last + 1))
            return True

        return await self._writer.do(bout.contest, work)

    # -- who is there --------------------------------------------------------------------------------------------

    async def be_present(self, contest: str, runner: str, names: Mapping[str, int], rivals: Rivals) -> None:
        """Those who are connected to this process, and how many matches each would take. To be renewed. What processes
        said that are gone, goes."""
        row = {"contest": contest, "runner": runner, "names": schema.to_json(dict(names)),
               "renewal": secrets.randbits(48)}  # fmt: skip

        def work(connection: Connection) -> None:
            new = (sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert)(presence).values(row)
            again = {name: new.excluded[name] for name in ("names", "renewal")}
            keys = [presence.c.contest, presence.c.runner]
            connection.execute(new.on_conflict_do_update(index_elements=keys, set_=again))
            others = _present(contest).where(presence.c.runner != runner)
            gone = [who for who, _, renewal in connection.execute(others).all() if not rivals.holds(who, renewal)]
            if gone:
                connection.execute(delete(presence).where(presence.c.contest == contest, presence.c.runner.in_(gone)))

        await self._writer.do(contest, work)

    async def leave(self, contest: str, runner: str) -> None:
        """A process ends, or nobody is connected to it any more."""
        statement = delete(presence).where(presence.c.contest == contest, presence.c.runner == runner)
        await self._writer.do(contest, lambda connection: connection.execute(statement))

    async def present(self, contest: str, rivals: Rivals) -> dict[str, dict[str, int]]:
        """By process, in the order of their names; without those that are gone."""
        async with self._reading() as connection:
            rows = (await connection.execute(_present(contest).order_by(presence.c.runner))).all()
        return {runner: _PRESENT.decode(names) for runner, names, renewal in rows if rivals.holds(runner, renewal)}


# -- statements -----------------------------------------------------------------------------------------------------


def _lock_open(connection: Connection, contest: str) -> None:
    """Others who write this arena wait (PostgreSQL; SQLite has one writer). Refused if it is closed."""
    found = connection.execute(select(contests.c.finished).where(contests.c.id == contest).with_for_update()).first()
    if found is None:
        raise Refused("no_such_contest", NO_CONTEST.format(contest))
    if found.finished is not None:
        raise Refused("closed", CLOSED)


def _entrants(contest: str) -> Select[Any]:
    columns = [column for column in entrants.c if column.name != "contest"]
    return select(*columns).where(entrants.c.contest == contest)


def _present(contest: str) -> Select[Any]:
    return select(presence.c.runner, presence.c.names, presence.c.renewal).where(presence.c.contest == contest)


def _under_way(contest: str) -> Any:
    return (bouts.c.contest == contest) & ~bouts.c.over


def _bout(row: Row[Any]) -> StoredBout:
    return StoredBout(**{**row._mapping, "players": _NAMES.decode(row.players)})
