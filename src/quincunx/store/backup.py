"""A backup: all of a database at one instant, in one SQLite file of our schema, whatever kind the database is.

    SQLite      ──backup API, inside one read transaction──┐
                                                           ├──▶ FILE.part ──fsync, rename──▶ FILE
    PostgreSQL  ──rows of one REPEATABLE READ snapshot─────┘

Servers go on meanwhile. What was acknowledged before the backup began is in it. It has the schema of its source, which
is not brought up to date for it; whoever restores it sees to that. One table more, `backup`, says when it was made and
which time matches were played by then (uptime.py).
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from alembic.runtime.migration import MigrationContext
from sqlalchemy import JSON, URL, Boolean, Connection, MetaData, Table, Text, cast, create_engine, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from quincunx import __version__
from quincunx.core.words import Refused, Words
from quincunx.store.database import TROUBLE, complete, migrate, reason
from quincunx.store.uptime import time_of

Progress = Callable[[int, int], None]  # so much of so much

PAGES = 1000  # of SQLite, copied at once
ROWS = 500  # of PostgreSQL, read at once

NO_SOURCE = Words("La base de données ne peut pas être lue : {}.", "The database cannot be read: {}.")
NOTHING = Words("Il n’y a pas de base de données {}.", "There is no database {}.")
NOT_OURS = Words("Ce n’est pas une base de données de Quincunx : {}.", "This is no database of Quincunx: {}.")
UNWRITABLE = Words("Le fichier {} ne peut pas être écrit ({}).", "The file {} cannot be written ({}).")
EXISTS = Words(
    "{} existe déjà : choisissez un autre nom, ou ajoutez --force pour le remplacer.",
    "{} exists already: choose another name, or add --force to replace it.",
)
ITSELF = Words("{} est la base de données elle-même.", "{} is the database itself.")


class Saved(NamedTuple):
    matches: int
    entries: int
    bytes: int


def back_up(address: str, file: Path, force: bool = False, progress: Progress = lambda done, total: None) -> Saved:
    """Whole or not at all: until all of it is on the disk, nothing stands under its name."""
    url = complete(address)
    lite = url.get_backend_name() == "sqlite"
    if lite and file.exists() and Path(str(url.database)).exists() and file.samefile(str(url.database)):
        raise Refused("itself", ITSELF.format(file))
    if file.exists() and not force:
        raise Refused("exists", EXISTS.format(file))
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        part.touch(0o600)  # hashes of tokens are in it, and matches that are nobody else's
        if lite:
            _copy_file(str(url.database), part, progress)
        else:
            asyncio.run(_copy_rows(url, part, progress))
        saved = _finish(part)
        os.replace(part, file)
        _flush(file.parent)
    except OSError as error:
        raise Refused("unwritable_file", UNWRITABLE.format(file, error.strerror or error)) from None
    finally:
        for name in (part, Path(f"{part}-journal"), Path(f"{part}-wal"), Path(f"{part}-shm")):
            with suppress(OSError):
                name.unlink()
    return saved


# -- SQLite ---------------------------------------------------------------------------------------------------------


def _copy_file(path: str, part: Path, progress: Progress) -> None:
    if not Path(path).is_file():
        raise Refused("no_database", NOTHING.format(path))
    at = time_of(path)
    try:
        source = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        with closing(source), closing(sqlite3.connect(part, isolation_level=None)) as target:
            source.execute("BEGIN")  # one snapshot: else each write of the server would make the copy begin again
            if not source.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
                raise Refused("not_ours", NOT_OURS.format(path))
            source.backup(target, pages=PAGES, progress=lambda _, left, total: progress(total - left, total))
            target.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
            _sign(target, at)
    except sqlite3.DatabaseError as error:
        raise Refused("no_database", NO_SOURCE.format(error)) from None


# -- PostgreSQL -----------------------------------------------------------------------------------------------------


async def _copy_rows(url: URL, part: Path, progress: Progress) -> None:
    engine = create_async_engine(url, isolation_level="REPEATABLE READ", hide_parameters=True)
    try:
        async with engine.connect() as source:
            await source.execute(text("SET TRANSACTION READ ONLY"))
            revision = await source.run_sync(_revision)
            tables = _make_tables(part, revision)
            total = 0
            for table in tables:
                total += (await source.execute(select(func.count()).select_from(table))).scalar() or 0
            done = 0
            with closing(sqlite3.connect(part, isolation_level=None)) as target:
                target.execute("PRAGMA synchronous = OFF")  # flushed once, when it is whole
                target.execute("BEGIN")
                for table in tables:
                    async for rows in _portions(source, table):
                        _write(target, table, rows)
                        done += len(rows)
                        progress(done, total)
                target.execute("COMMIT")
                _sign(target, time.time_ns() // 1_000_000)
    except TROUBLE as error:
        raise Refused("no_database", NO_SOURCE.format(reason(error))) from None
    finally:
        await engine.dispose()


def _revision(connection: Connection) -> str:
    heads = MigrationContext.configure(connection).get_current_heads()
    if len(heads) != 1:
        raise Refused("not_ours", NOT_OURS.format(connection.engine.url.database))
    return heads[0]


def _make_tables(part: Path, revision: str) -> list[Table]:
    """Empty ones, as the revision has them; what refers to others comes after them."""
    engine, made = create_engine(URL.create("sqlite", database=str(part))), MetaData()
    with engine.begin() as connection:
        migrate(connection, revision)
        made.reflect(connection)
    engine.dispose()
    return [table for table in made.sorted_tables if table.name != "alembic_version"]


async def _portions(source: AsyncConnection, table: Table) -> Any:
    """JSON as the text that it is: it comes back to the byte."""
    columns = [cast(column, Text).label(column.name) if isinstance(column.type, JSON) else column for column in table.c]
    async with source.stream(select(*columns), execution_options={"yield_per": ROWS}) as result:
        async for rows in result.partitions(ROWS):
            yield rows


def _write(target: sqlite3.Connection, table: Table, rows: Any) -> None:
    names = ", ".join(f'"{column.name}"' for column in table.c)
    marks = ", ".join("?" * len(table.c))
    truths = [index for index, column in enumerate(table.c) if isinstance(column.type, Boolean)]
    plain = [[int(v) if i in truths and v is not None else v for i, v in enumerate(row)] for row in rows]
    target.executemany(f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})', plain)


# -- both -----------------------------------------------------------------------------------------------------------


def _sign(target: sqlite3.Connection, clock: int) -> None:
    target.execute("DROP TABLE IF EXISTS backup")
    target.execute("CREATE TABLE backup (made INTEGER NOT NULL, clock INTEGER NOT NULL, version TEXT NOT NULL)")
    target.execute("INSERT INTO backup VALUES (?, ?, ?)", (time.time_ns() // 1_000_000, clock, __version__))


def _finish(part: Path) -> Saved:
    """What is in it, once it is on the disk and in order."""
    with closing(sqlite3.connect(part)) as made:
        if made.execute("PRAGMA foreign_key_check").fetchone() or made.execute("PRAGMA quick_check").fetchone() != (
            "ok",
        ):
            raise Refused("damaged", NO_SOURCE.format("its rows do not fit together"))
        matches, entries = (
            made.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("matches", "entries")
        )
    _flush(part)
    return Saved(matches, entries, part.stat().st_size)


def _flush(path: Path) -> None:
    if os.name != "posix" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
