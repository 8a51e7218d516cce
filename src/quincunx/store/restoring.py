"""A backup becomes a database again, of either kind: into an empty one, or in the place of what is there.

The file itself is not touched: a copy of it is brought up to date, checked, and read row by row in one transaction of
the database. Matches that were being played go on with the time that was left on their clocks, however long ago it was.
Who thought for which seat, and who ran which contest, is not restored: those processes are gone.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Boolean,
    Connection,
    Table,
    bindparam,
    column,
    create_engine,
    delete,
    exists,
    insert,
    select,
    table,
    text,
    update,
)

from quincunx.core.words import Refused, Words
from quincunx.store.backup import NOT_OURS, Progress
from quincunx.store.database import TROUBLE, complete, connect, migrate, reason, writing
from quincunx.store.schema import matches, metadata
from quincunx.store.sqlite_file import Claim
from quincunx.store.uptime import UptimeClock, file_of

ROWS = 500  # written at once
PASSING = (
    "leases",
    "claims",
    "presence",
    "seeks",
    "remarks",
    "interventions",
)  # of processes that are gone; not every schema has all

NO_FILE = Words("Il n’y a pas de fichier {}.", "There is no file {}.")
DAMAGED = Words("Cette sauvegarde est abîmée : {}.", "This backup is damaged: {}.")
NOT_EMPTY = Words(
    "Cette base de données contient déjà des parties : prenez-en une vide, ou ajoutez --replace, qui efface tout ce "
    "qu’elle contient.",
    "This database already holds matches: take an empty one, or add --replace, which erases all that it holds.",
)
FAILED = Words("La base de données n’a pas pu être écrite : {}.", "The database could not be written: {}.")


def restore(
    file: Path, address: str, replace: bool = False, progress: Progress = lambda done, total: None
) -> dict[str, int]:
    """How many rows of each table there are now. All of them, or the database is as it was."""
    if not file.is_file():
        raise Refused("no_file", NO_FILE.format(file))
    with tempfile.TemporaryDirectory(prefix="quincunx-") as folder:
        copy = Path(folder, "backup.db")
        clock = _bring_up_to_date(file, copy)
        return asyncio.run(_fill(copy, clock, complete(address), replace, progress))


def _bring_up_to_date(file: Path, copy: Path) -> int:
    """A copy of the file that this version reads; the time by which its matches were played."""
    try:
        shutil.copyfile(file, copy)
        with closing(sqlite3.connect(copy)) as kept:
            if kept.execute("PRAGMA quick_check").fetchone() != ("ok",):
                raise Refused("damaged", DAMAGED.format(file))
            names = {name for (name,) in kept.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not names >= {"alembic_version", "backup", "matches"}:
                raise Refused("not_ours", NOT_OURS.format(file))
            (clock,) = kept.execute("SELECT clock FROM backup").fetchone()
            kept.execute("DROP TABLE backup")
            kept.commit()
        engine = create_engine(URL.create("sqlite", database=str(copy)))
        with engine.begin() as connection:
            migrate(connection)
        engine.dispose()
    except (sqlite3.DatabaseError, OSError) as error:
        raise Refused("damaged", DAMAGED.format(error)) from None
    return int(clock)


async def _fill(copy: Path, clock: int, url: URL, replace: bool, progress: Progress) -> dict[str, int]:
    engine = await connect(url)
    path = str(url.database) if url.get_backend_name() == "sqlite" else None
    try:
        claim = Claim(path) if path else None  # a server that runs on it would not notice
        try:
            ticking = UptimeClock(file_of(path) if path else None)
            later = ticking() - clock
            ticking.close()
            with closing(sqlite3.connect(copy)) as kept:
                async with writing(engine).begin() as connection:
                    return await connection.run_sync(_write_all, kept, later, replace, progress)
        finally:
            if claim:
                claim.release()
    except TROUBLE as error:
        raise Refused("no_database", FAILED.format(reason(error))) from None
    finally:
        await engine.dispose()


def _write_all(
    target: Connection, kept: sqlite3.Connection, later: int, replace: bool, progress: Progress
) -> dict[str, int]:
    """Inside the one transaction."""
    every = metadata.sorted_tables
    wanted = [each for each in every if each.name not in PASSING]
    if target.dialect.name == "postgresql":
        target.execute(text(f"LOCK TABLE {', '.join(each.name for each in every)} IN ACCESS EXCLUSIVE MODE"))
    if replace:
        target.execute(update(matches).values(rematch_of=None))
        for each in reversed(every):
            target.execute(delete(each))
    elif any(target.execute(select(exists(select(1).select_from(each)))).scalar() for each in wanted):
        raise Refused("not_empty", NOT_EMPTY)
    counts = {each.name: kept.execute(f"SELECT count(*) FROM {each.name}").fetchone()[0] for each in wanted}
    done, total = 0, sum(counts.values())
    for each in wanted:
        bare = table(each.name, *(column(name) for name in _names(each)))  # what is JSON there stays the text it is
        for rows in _portions(kept, each):
            target.execute(insert(bare), rows)
            done += len(rows)
            progress(done, total)
    _link(target, kept)
    playing = update(matches).where(matches.c.status == "playing", matches.c.began.is_not(None))
    target.execute(playing.values(began=matches.c.began + later))
    return counts


def _portions(kept: sqlite3.Connection, source: Table) -> Iterator[list[dict[str, Any]]]:
    """Rows as the database takes them. A match that follows another is linked when all are there."""
    truths = [each.name for each in source.c if isinstance(each.type, Boolean)]
    rows = kept.execute(f"SELECT {', '.join(_names(source))} FROM {source.name}")
    while found := rows.fetchmany(ROWS):
        portion = [dict(zip(_names(source), row, strict=True)) for row in found]
        for row in portion:
            row.update({name: None if row[name] is None else bool(row[name]) for name in truths})
            if source is matches:
                row["rematch_of"] = None
        yield portion


def _names(of: Table) -> list[str]:
    return [each.name for each in of.c]


def _link(target: Connection, kept: sqlite3.Connection) -> None:
    rows = kept.execute("SELECT id, rematch_of FROM matches WHERE rematch_of IS NOT NULL").fetchall()
    if rows:
        link = update(matches).where(matches.c.id == bindparam("follower")).values(rematch_of=bindparam("before"))
        target.execute(link, [{"follower": id, "before": before} for id, before in rows])
