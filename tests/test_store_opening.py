"""Opening a database: addresses, migrations, several at once; and closing it."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, text

from appender import entry, new_match, open_and_create, process
from quincunx.core.words import Refused
from quincunx.store import Appended, Store, Unavailable
from quincunx.store.database import _write_ahead, complete
from quincunx.store.schema import metadata
from stores import Stores

pytestmark = pytest.mark.slow  # left out of `make check`


def test_several_processes_open_a_new_database_at_once(
    address: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    new = str(tmp_path / "sub" / "new.db")
    if "://" in address:
        new = request.getfixturevalue("postgres").database()
    with ExitStack() as stack:
        pipes = [stack.enter_context(process(open_and_create, new, f"m{n}"))[1] for n in range(4)]
        assert [pipe.recv() for pipe in pipes] == ["ready"] * 4
        for pipe in pipes:
            pipe.send("go")
        assert [pipe.recv() for pipe in pipes] == [None] * 4


def test_who_finds_a_new_file_of_sqlite_locked_waits(tmp_path: Path) -> None:
    """SQLite itself says at once that it is locked, however long it was told to wait."""
    path = str(tmp_path / "a.db")
    with ThreadPoolExecutor() as pool, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE t (x)")
        other.execute("BEGIN IMMEDIATE")
        waiting = pool.submit(_write_ahead, path)
        with pytest.raises(TimeoutError):
            waiting.result(0.1)
        other.execute("COMMIT")
        waiting.result()
    with closing(sqlite3.connect(path)) as third:
        assert third.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_the_migrations_make_what_the_schema_says(stores: Stores) -> None:
    async def difference() -> Any:
        async with stores.one._engine.connect() as connection:
            return await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), metadata)
            )

    assert stores.run(difference()) == []


def test_setups_of_before_stay_seen_by_everybody(tmp_path: Path) -> None:
    """A file that release 0.2 wrote: one table, before anybody owned anything alone."""
    path = tmp_path / "old.db"
    kept = ("a", "khet", "One", "text", None, 1, 2), ("b", "khet", "Two", "text", "hash", 1, 2)

    config = Config()
    config.set_main_option("script_location", "quincunx.store:migrations")
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "001")
    engine.dispose()

    async def seen() -> list[tuple[str, str, bool]]:
        async with Store.open(str(path)) as store:
            return [(each.name, each.owner, each.shared) for each in await store.setups.list(owner="")]

    with closing(sqlite3.connect(path)) as old:
        old.executemany("INSERT INTO setups VALUES (?, ?, ?, ?, ?, ?, ?)", kept)
        old.commit()
    assert asyncio.run(seen()) == [("One", "", True), ("Two", "hash", True)]


def test_every_connection_waits_for_the_disk(stores: Stores) -> None:
    async def settings() -> list[Any]:
        async with stores.one._engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                names = ["SHOW synchronous_commit", "SHOW fsync"]
            else:
                names = ["PRAGMA synchronous", "PRAGMA journal_mode", "PRAGMA foreign_keys", "PRAGMA busy_timeout"]
            return [(await connection.execute(text(name))).scalar() for name in names]

    assert stores.run(settings()) in (["on", "on"], [2, "wal", 1, 30_000])


def test_a_newer_database_is_refused(address: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    new = str(tmp_path / "new.db")
    if "://" in address:
        new = request.getfixturevalue("postgres").database()

    async def meet_the_future() -> None:
        async with Store.open(new) as store, store._engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '999'"))
        async with Store.open(new):
            pass

    with pytest.raises(Refused, match=r"newer version of Quincunx \(999\)"):
        asyncio.run(meet_the_future())


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("a/b.db", "sqlite+aiosqlite:///a/b.db"),
        ("/a/b%20c.db", "sqlite+aiosqlite:////a/b%2520c.db"),
        ("sqlite:////a/b.db", "sqlite+aiosqlite:////a/b.db"),
        ("sqlite+aiosqlite:///b.db", "sqlite+aiosqlite:///b.db"),
        ("postgres://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgresql://u:p@h:1/d?sslmode=require", "postgresql+asyncpg://u:p@h:1/d?ssl=require"),
    ],
)
def test_an_address_is_completed(given: str, meant: str) -> None:
    assert complete(given).render_as_string(hide_password=False) == meant


@pytest.mark.parametrize(
    "bad", ["mysql://u:secret@h/d", "sqlite://", "sqlite:///:memory:", "", "postgresql://u:secret@h:x/"]
)
def test_an_address_that_means_no_database_is_refused_without_its_password(bad: str) -> None:
    with pytest.raises(Refused) as refused:
        complete(bad)
    assert "secret" not in str(refused.value)


def test_a_database_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    async def open_store(address: str) -> None:
        async with Store.open(address):
            pass

    (tmp_path / "file").write_text("not a database, but long enough to be looked at " * 100)
    nobody = f"postgresql://u:secret@/d?host={tmp_path}"
    for address in (str(tmp_path), str(tmp_path / "file"), str(tmp_path / "file" / "x.db"), nobody):
        with pytest.raises(Refused) as refused:
            asyncio.run(open_store(address))
        assert refused.value.code == "no_database" and "secret" not in str(refused.value)


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    async def too_late() -> None:
        async with Store.open(str(tmp_path / "a.db")) as store:
            match = await store.create(new_match("m"))
        await store.append(match.id, 0, [entry("a")])

    with pytest.raises(Unavailable):
        asyncio.run(too_late())


def test_what_still_waits_is_written_before_the_store_closes(tmp_path: Path) -> None:
    async def leave() -> None:
        async with Store.open(str(tmp_path / "a.db")) as store:
            await store.create(new_match("m"))
            asked = asyncio.create_task(store.append("m", 0, [entry("a")]))
            await asyncio.sleep(0)
        assert await asked == Appended(1)

    asyncio.run(leave())
    with sqlite3.connect(tmp_path / "a.db") as database:
        assert database.execute("SELECT match, seq FROM entries").fetchall() == [("m", 1)]
    database.close()
