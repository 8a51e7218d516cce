"""Opening a database: its address, how each connection is set up, and bringing the tables up to date."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from quincunx.core.words import Refused, Words, expected
from quincunx.store.schema import to_json
from quincunx.store.shapes import Unavailable

PATIENCE = 30  # seconds that a writer waits for another process to end its transaction
READERS = 4  # connections to SQLite, each with a thread: a fifth reader waits, which is shorter than starting one
MIGRATING = 0x5175696E  # the number of PostgreSQL's lock under which one process at a time brings tables up to date
TROUBLE = (DBAPIError, PoolTimeout, OSError, sqlite3.Error, asyncpg.PostgresError, asyncpg.InterfaceError)

SQLITE = """
    PRAGMA synchronous = FULL
    PRAGMA fullfsync = ON
    PRAGMA foreign_keys = ON
"""  # FULL: a commit returns when it is on the disk; fullfsync: also on macOS

UNOPENED = Words("La base de données ne s’ouvre pas : {}.", "The database cannot be opened: {}.")

COMMON: dict[str, Any] = {
    "hide_parameters": True,  # errors never tell what is in a match
    "json_serializer": to_json,
    "json_deserializer": str,  # left as it is: the column knows its type
}


def complete(address: str) -> URL:
    """The URL that an address means: a path, `sqlite:///path` or `postgresql://…`, with or without the driver."""
    wanted = Words("un chemin, sqlite:///chemin ou postgresql://…", "a path, sqlite:///path or postgresql://…")
    if "://" not in address:
        url = URL.create("sqlite", database=address)
    else:
        try:
            url = make_url(address)
        except (ArgumentError, ValueError):
            raise expected(wanted, address.partition("://")[0]) from None  # never the address: it may hold a password
    kind = url.drivername.partition("+")[0]
    if kind == "sqlite" and url.database and ":memory:" not in url.database:
        return url.set(drivername="sqlite+aiosqlite")
    if kind in ("postgresql", "postgres"):
        query: dict[str, Any] = dict(url.query)
        if "sslmode" in query:  # as libpq says it
            query["ssl"] = query.pop("sslmode")
        return url.set(drivername="postgresql+asyncpg", query=query)
    raise expected(wanted, url.drivername)


def prepare_file(url: URL) -> None:
    """Brings the tables of a SQLite file up to date, for processes that will find them so."""
    path = str(url.database)
    _make_folder(path)
    engine = sqlite_writing(path)
    try:
        _write_ahead(path)
        with engine.begin() as connection:
            _migrate(connection)
    except TROUBLE as error:
        raise Refused("no_database", UNOPENED.format(reason(error))) from error
    finally:
        engine.dispose()


async def connect(url: URL, prepared: bool = False) -> AsyncEngine:
    """An engine whose tables are up to date; `prepared`: they are already."""
    if url.get_backend_name() == "sqlite":
        engine = _sqlite(url)
    else:
        engine = _postgresql(url)
    if prepared:
        return engine
    try:
        if url.get_backend_name() == "sqlite":
            await asyncio.to_thread(_write_ahead, url.database or "")
        async with writing(engine).begin() as connection:
            await connection.run_sync(_migrate)
    except Refused:
        await engine.dispose()
        raise
    except TROUBLE as error:
        await engine.dispose()
        words = Words("La base de données ne s’ouvre pas : {}.", "The database cannot be opened: {}.")
        raise Refused("no_database", words.format(reason(error))) from error
    return engine


def writing(engine: AsyncEngine) -> AsyncEngine:
    """The same engine, for transactions that write: in SQLite they take the lock at once, instead of on the way."""
    return engine.execution_options(writing=True)


def unavailable(error: BaseException) -> Unavailable:
    return Unavailable(f"The database does not answer: {reason(error)}.")


def reason(error: BaseException) -> str:
    """What the database said, in a line, without what it was asked."""
    said = str(getattr(error, "orig", None) or error)
    return (said.splitlines() or [type(error).__name__])[0].rstrip(".")


def _make_folder(path: str) -> None:
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        words = Words("Le dossier de la base ne peut être créé : {}.", "The folder of the database cannot be made: {}.")
        raise Refused("no_database", words.format(error.strerror)) from error


def _sqlite(url: URL) -> AsyncEngine:
    _make_folder(url.database or "")
    options = {"connect_args": {"timeout": PATIENCE}, "pool_size": READERS, "max_overflow": 0, "pool_timeout": PATIENCE}
    engine = create_async_engine(url, **options, **COMMON)
    _set_up(engine.sync_engine)
    return engine


def sqlite_writing(path: str) -> Engine:
    """One connection to a file of SQLite, for the thread that writes."""
    url = URL.create("sqlite", database=path)
    engine = create_engine(url, connect_args={"timeout": PATIENCE}, pool_size=1, max_overflow=0, **COMMON)
    _set_up(engine)
    return engine.execution_options(writing=True)


def _set_up(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
        for line in SQLITE.strip().splitlines():
            cursor = connection.cursor()
            cursor.execute(line.strip())
            cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgresql(url: URL) -> AsyncEngine:
    return create_async_engine(
        url,
        pool_pre_ping=True,
        isolation_level="READ COMMITTED",
        connect_args={"server_settings": {"synchronous_commit": "on", "application_name": "quincunx"}},
        **COMMON,
    )


def _write_ahead(path: str) -> None:
    """WAL is a mark in the file. Of several who set it on a new file at once, SQLite turns some away at once."""
    for attempt in range(100):
        with closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or attempt == 99:
                    raise
        time.sleep(0.01 * (attempt + 1))


def _migrate(connection: Connection) -> None:
    """Inside a transaction that others wait for: SQLite's write lock, or a lock of PostgreSQL."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": MIGRATING})
        if connection.execute(text("SHOW fsync")).scalar() == "off":
            logging.getLogger(__name__).warning("PostgreSQL runs with fsync=off: a power cut may lose moves.")
    migrate(connection)


def database_time(connection: Connection) -> int:
    """Milliseconds since 1970, as the database sees it: a file is on the computer of whoever writes it."""
    if connection.dialect.name == "sqlite":
        return time.time_ns() // 1_000_000
    return int(connection.execute(text("SELECT extract(epoch FROM clock_timestamp()) * 1000")).scalar_one())


def new_row(connection: Connection, table: Table) -> Any:
    """An insertion that may say what happens where there is such a row already."""
    return (sqlite_dialect if connection.dialect.name == "sqlite" else postgresql).insert(table)


def migrate(connection: Connection, to: str = "head") -> None:
    """Brings the tables up to date, or up to an earlier revision."""
    config = Config()
    config.set_main_option("script_location", "quincunx.store:migrations")
    config.attributes["connection"] = connection
    script = ScriptDirectory.from_config(config)
    known = {revision.revision for revision in script.walk_revisions()}
    current = MigrationContext.configure(connection).get_current_heads()
    if not known.issuperset(current) or to not in known | {"head"}:
        words = Words(
            "Cette base de données vient d’une version plus récente de Quincunx ({}) : mettez Quincunx à jour.",
            "This database was made by a newer version of Quincunx ({}): update Quincunx.",
        )
        raise Refused("newer_database", words.format(", ".join(current) or to))
    if set(current) != set(script.get_heads()):
        command.upgrade(config, to)
