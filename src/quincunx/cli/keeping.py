"""`quincunx backup`, `restore` and `prune`: what a server's matches are kept in, saved, brought back and kept small."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from quincunx.cli.asking import YES, confirm
from quincunx.cli.periods import read_period
from quincunx.cli.serve import own_file
from quincunx.cli.speech import out, say, tr
from quincunx.core.words import Words
from quincunx.store import Store
from quincunx.store.backup import back_up
from quincunx.store.database import complete
from quincunx.store.restoring import restore as bring_back

SAVED = Words("{} ({} Mo). Parties : {} ; entrées : {}.", "{} ({} MB). Matches: {}; entries: {}.")
RESTORED = Words("Tout est revenu. Parties : {} ; entrées : {}.", "All is back. Matches: {}; entries: {}.")
ERASES = Words("Tout ce que contient {} sera effacé.", "All that is in {} will be erased.")
PRUNED = Words("Parties supprimées : {}.", "Matches deleted: {}.")

Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="PATH|URL",
        envvar="QUINCUNX_DATABASE",
        show_envvar=False,
        help=tr("fichier SQLite ou URL PostgreSQL (celle du serveur)", "SQLite file or PostgreSQL URL (the server’s)"),
    ),
]


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=tr("le fichier à écrire", "the file to write"))],
    database: Database = None,
    force: Annotated[
        bool, typer.Option("--force", help=tr("remplacer le fichier", "replace the file if there is one"))
    ] = False,
) -> None:
    with _bar(tr("Sauvegarde", "Backup")) as progress:
        saved = back_up(database or own_file(), file, force, progress)
    say(SAVED.format(file, f"{saved.bytes / 1e6:.1f}", saved.matches, saved.entries))


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=tr("la sauvegarde", "the backup"))],
    database: Annotated[
        str,
        typer.Option(
            metavar="PATH|URL",
            help=tr("où : une base vide, SQLite ou PostgreSQL", "where: an empty one, of either kind"),
        ),
    ],
    replace: Annotated[
        bool, typer.Option("--replace", help=tr("effacer ce qu’elle contient", "erase what is in it"))
    ] = False,
    yes: YES = False,
) -> None:
    if replace:
        confirm(ERASES.format(complete(database).render_as_string(hide_password=True)), yes)
    with _bar(tr("Restauration", "Restore")) as progress:
        counts = bring_back(file, database, replace, progress)
    say(RESTORED.format(counts["matches"], counts["entries"]))


def prune(
    keep: Annotated[str, typer.Option(metavar="90d", help=tr("garder si longtemps", "keep them for so long"))],
    database: Database = None,
) -> None:
    address, period = database or own_file(), read_period(keep)
    say(PRUNED.format(asyncio.run(_prune(address, period))))


async def _prune(address: str, period: int) -> int:
    async with Store.open(address) as store:
        return await store.deletion.prune(store.clock() - period)


@contextmanager
def _bar(words: str) -> Iterator[Callable[[int, int], None]]:
    """On a terminal only."""
    if not out.is_terminal:
        yield lambda done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=out) as progress:
        task = progress.add_task(words, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
