"""The writer: everything that is written passes here, many at a time in one transaction (group commit).

    append ──┐                      ┌─ one transaction ───────────────────────────┐
    append ──┼──▶     queue     ──▶ │ other work, each in a savepoint             │ ──commit──▶ answers
    claim  ──┘    (what waits       │ rounds of appends                           │             notifications
                   while the last   └─────────────────────────────────────────────┘
                   commit runs)

A disk flushes a few hundred times a second, whatever is in the flush: under load a transaction carries what has
gathered meanwhile, and a little longer (`PACE`). An answer is given after the commit, never before.

A round: what is the last `seq` of each match, and which moves are known? Then, of one append for each match, the first
entry is inserted `ON CONFLICT DO NOTHING`. Whoever gets that row has the match until the commit, for all others need
the same row; the losers look again in the next round, and then see the truth. In SQLite, where whoever writes is alone,
a batch of appends is first tried in one statement (sqlite_appender.py), and other work has transactions of its own, a
few works in each: whoever moves does not wait until a hundred long matches are written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, bindparam, func, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from quincunx.core.words import Refused, Words
from quincunx.store.database import TROUBLE, unavailable, writing
from quincunx.store.news import Notification, joined
from quincunx.store.schema import entries, matches, to_json
from quincunx.store.shapes import Answer, Appended, Conflict, Duplicate, Unavailable
from quincunx.store.sqlite_appender import Change, Row, SqliteAppender, row
from quincunx.store.sqlite_file import Watch

T = TypeVar("T")
Work = Callable[[Connection], Any]  # in SQLite it runs in another thread
Changed = Callable[[Any], Iterable[str]]  # matches, by what the work returned

WAITING = 4096  # who comes when so many wait, waits before the door
BATCH = 512
PACE = 0.006  # seconds from one commit of moves to the next, in SQLite: it costs as much computing as a move does,
ENOUGH = 24  # unless so many wait
BETWEEN = 4  # works of another kind, in SQLite, between two batches of appends: no move waits for more

NO_MATCH = Words("Cette partie n’existe pas.", "There is no such match.")


@dataclass(eq=False, slots=True)
class Append:
    match: str
    after: int
    rows: list[dict[str, Any]]  # of the table `entries`
    client_move_id: str | None
    change: dict[str, Any] | None  # of the match: its status and outcome
    answer: asyncio.Future[Any]


@dataclass(eq=False, slots=True)
class Other:
    key: str  # rows are locked in the order of the keys, by every process: no deadlock
    work: Work
    answer: asyncio.Future[Any]
    notify: str | Changed | None  # the match of which others must hear, or how to tell which ones


Item = Append | Other


class Writer:
    """One for each store. `notify` tells other processes which matches went on, inside the transaction;
    `notify_neighbours` other stores of this process, after it. `appender`: not a thread here, but a line to the process
    that writes the file for several."""

    def __init__(
        self,
        engine: AsyncEngine,
        notify: Callable[[Connection, Sequence[Notification]], None],
        notify_neighbours: Callable[[Sequence[Notification]], None],
        appender: SqliteAppender | None = None,
    ) -> None:
        self._engine = writing(engine)
        file = str(engine.url.database) if engine.dialect.name == "sqlite" else None
        self._appender = appender or (SqliteAppender(file) if file else None)
        self._watch = Watch(file) if file else None
        self._notify = notify
        self._notify_neighbours = notify_neighbours
        self._queue: asyncio.Queue[Item | None] = asyncio.Queue()
        self._room = asyncio.Semaphore(WAITING)
        self._asked: set[asyncio.Future[Any]] = set()  # and not answered
        self._hurry = asyncio.Event()  # while commits are paced: this one is worth its price
        self._task = asyncio.create_task(self._run())
        self._closed = False

    async def append(
        self,
        match: str,
        after: int,
        rows: list[dict[str, Any]],
        client_move_id: str | None,
        change: dict[str, Any] | None,
    ) -> Answer:
        return cast(Answer, await self._ask(lambda f: Append(match, after, rows, client_move_id, change, f)))

    async def do(self, key: str, work: Callable[[Connection], T], notify: str | Changed | None = None) -> T:
        """Other work that writes. If it raises, nothing of it is written, and the others in its batch do not notice."""
        return cast(T, await self._ask(lambda f: Other(key, work, f, notify)))

    def check(self) -> None:
        """Raises what a commit would meet: a file that was deleted or replaced, or nobody who writes it."""
        if self._watch and self._appender:
            try:
                self._watch.check()
                self._appender.check()
            except OSError as error:
                raise unavailable(error) from error

    async def ready(self) -> None:
        """The same, but whoever writes has as long to come back as for a commit."""
        if self._appender:
            try:
                await self._appender.ready()
            except OSError as error:
                raise unavailable(error) from error
        self.check()

    async def close(self) -> None:
        """Writes what still waits."""
        self._closed = True
        while self._asked:
            await asyncio.wait(self._asked)
        await self._queue.put(None)
        await self._task
        if self._appender:
            await self._appender.close()
        if self._watch:
            self._watch.close()

    async def _ask(self, item: Callable[[asyncio.Future[Any]], Item]) -> Any:
        if self._closed:
            raise Unavailable("The store is closed.")
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked.add(answer)
        try:
            async with self._room:
                self._queue.put_nowait(asked := item(answer))
                if isinstance(asked, Other) or self._queue.qsize() >= ENOUGH:
                    self._hurry.set()
                return await answer
        except IntegrityError:
            raise
        except TROUBLE as error:
            raise unavailable(error) from error
        finally:
            self._asked.discard(answer)
            answer.cancel()

    # -- the task ------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        more, later, began = True, list[Item](), -inf
        loop = asyncio.get_running_loop()
        while more or later:
            taken = [] if later else [await self._queue.get()]
            if self._appender and taken and isinstance(taken[0], Append):
                await self._pace(began + PACE)
            began = loop.time()
            while len(taken) < BATCH and not self._queue.empty():
                taken.append(self._queue.get_nowait())
            if self._queue.empty():
                self._hurry.clear()
            more = more and None not in taken
            batch = [item for item in taken if item is not None]
            if self._appender:
                await self._serve([item for item in batch if isinstance(item, Append)])
                others = [*later, *(item for item in batch if isinstance(item, Other))]
                batch, later = others[:BETWEEN], others[BETWEEN:]
            await self._serve(batch)

    async def _pace(self, until: float) -> None:
        """Waits so long, but not while other work waits, or many moves do."""
        loop = asyncio.get_running_loop()
        if self._hurry.is_set() or until <= loop.time():
            return
        alarm = loop.call_at(until, self._hurry.set)
        await self._hurry.wait()
        alarm.cancel()

    async def _serve(self, batch: list[Item]) -> None:
        """Carries a batch; one that the database refuses is halved until only the guilty item fails."""
        try:
            answers, news = await self._carry(batch) if batch else ({}, [])
            if self._watch and batch:
                self._watch.check()
        except Exception as error:
            if len(batch) > 1 and not _is_cut_off(error):
                await self._serve(batch[: len(batch) // 2])
                await self._serve(batch[len(batch) // 2 :])
            else:
                for item in batch:
                    _answer(item.answer, error)
            return
        for item in batch:
            _answer(item.answer, answers[item])
        if not (self._appender and self._appender.spreads):
            self._notify_neighbours(news)

    async def _carry(self, batch: list[Item]) -> tuple[dict[Item, Any], list[Notification]]:
        if self._appender and isinstance(batch[0], Append):
            appends = cast(list[Append], batch)  # nothing else is in it
            if await self._appender.append(*_in_rows(appends)):
                last = {item.match: item.after + len(item.rows) for item in appends}
                return {item: Appended(last[item.match]) for item in appends}, [
                    Notification(*each) for each in last.items()
                ]
        if self._appender:
            return await self._appender.run(partial(self._transact, batch))
        async with self._engine.begin() as connection:
            return await connection.run_sync(partial(self._transact, batch))

    def _transact(self, batch: list[Item], connection: Connection) -> tuple[dict[Item, Any], list[Notification]]:
        answers: dict[Item, Any] = {}
        news: dict[str, Notification] = {}
        for other in sorted((item for item in batch if isinstance(item, Other)), key=lambda item: item.key):
            answers[other] = _in_savepoint(connection, other.work)
            news |= {match: Notification(match, 0) for match in _changed(other.notify, answers[other])}
        waiting = [item for item in batch if isinstance(item, Append)]
        while waiting:
            waiting = self._round(connection, waiting, answers, news)
        if news:
            self._notify(connection, list(news.values()))
        return answers, list(news.values())

    def _round(
        self, connection: Connection, waiting: list[Append], answers: dict[Item, Any], news: dict[str, Notification]
    ) -> list[Append]:
        """Answers all but those who were overtaken, here or in another process, and must look again."""
        last = _last_seqs(connection, waiting)
        known = _known_moves(connection, waiting)
        tries: dict[str, Append] = {}  # one of each match
        for item in waiting:
            before = known.get((item.match, item.client_move_id))
            if item.match not in last:
                answers[item] = Refused("no_such_match", NO_MATCH)
            elif before is not None:
                answers[item] = Duplicate(before)
            elif item.after != last[item.match]:
                answers[item] = Conflict(last[item.match])
            else:
                tries.setdefault(item.match, item)
        if tries:
            won = _insert_first(connection, [tries[match] for match in sorted(tries)])
            winners = [tries[match] for match in sorted(won)]
            _insert_rest(connection, winners)
            for item in winners:
                answers[item] = Appended(item.after + len(item.rows))
                heard = Notification(
                    item.match, answers[item].last_seq, tuple(to_json(r["payload"]) for r in item.rows)
                )
                news[item.match] = joined(news[item.match], heard) if item.match in news else heard
        return [item for item in waiting if item not in answers]


def _changed(notify: str | Changed | None, answer: Any) -> Iterable[str]:
    if isinstance(notify, str):
        return [notify]
    return [] if notify is None or isinstance(answer, Exception) else notify(answer)


# -- statements -----------------------------------------------------------------------------------------------------

_LAST = select(
    matches.c.id,
    select(func.coalesce(func.max(entries.c.seq), 0)).where(entries.c.match == matches.c.id).scalar_subquery(),
).where(matches.c.id.in_(bindparam("ids", expanding=True)))

_KNOWN = select(entries.c.match, entries.c.client_move_id, entries.c.seq).where(
    tuple_(entries.c.match, entries.c.client_move_id).in_(bindparam("moves", expanding=True))
)

_FIRST = {
    "sqlite": sqlite.insert(entries).on_conflict_do_nothing().returning(entries.c.match),
    "postgresql": postgresql.insert(entries).on_conflict_do_nothing().returning(entries.c.match),
}

_CHANGE = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"))
    .values(status=bindparam("new_status"), outcome=bindparam("new_outcome"))
)


def _last_seqs(connection: Connection, waiting: list[Append]) -> dict[str, int]:
    rows = connection.execute(_LAST, {"ids": list({item.match for item in waiting})})
    return {row[0]: row[1] for row in rows}


def _known_moves(connection: Connection, waiting: list[Append]) -> dict[tuple[str, str | None], int]:
    moves = list({(item.match, item.client_move_id) for item in waiting if item.client_move_id is not None})
    if not moves:
        return {}
    rows = connection.execute(_KNOWN, {"moves": moves})
    return {(match, move): seq for match, move, seq in rows}


def _insert_first(connection: Connection, tries: list[Append]) -> set[str]:
    """The matches whose next row is ours."""
    rows = connection.execute(_FIRST[connection.dialect.name], [item.rows[0] for item in tries])
    return set(rows.scalars())


def _insert_rest(connection: Connection, winners: list[Append]) -> None:
    rest = [row for item in winners for row in item.rows[1:]]
    if rest:
        connection.execute(entries.insert(), rest)
    changes = [{"match_id": item.match} | item.change for item in winners if item.change]
    if changes:
        connection.execute(_CHANGE, changes)


def _in_rows(appends: list[Append]) -> tuple[list[Row], list[Change]]:
    rows = [row(each, item.after) for item in appends for each in item.rows]
    changes = [(item.match, item.change) for item in appends if item.change]
    return rows, [(c["new_status"], c["new_outcome"] and to_json(c["new_outcome"]), match) for match, c in changes]


def _in_savepoint(connection: Connection, work: Work) -> Any:
    """What the work returns, or the exception that is its answer."""
    try:
        with connection.begin_nested():
            return work(connection)
    except IntegrityError as error:
        return error
    except DBAPIError:
        raise
    except Exception as error:
        return error


# -- small things ---------------------------------------------------------------------------------------------------


def _answer(answer: asyncio.Future[Any], result: Any) -> None:
    if answer.done():  # who asked is gone
        return
    if isinstance(result, BaseException):
        answer.set_exception(result)
    else:
        answer.set_result(result)


def _is_cut_off(error: Exception) -> bool:
    """Is the connection gone? Then trying again at once is of no use."""
    return isinstance(error, TROUBLE) and not (isinstance(error, DBAPIError) and not error.connection_invalidated)
