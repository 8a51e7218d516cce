"""What commands write: files, with one sentence if they cannot; tables that grow in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.live import Live
from rich.table import Table

from quincunx.cli.speech import out
from quincunx.core.words import Refused, Words


def write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        words = Words("Le fichier {} ne peut pas être écrit ({}).", "The file {} cannot be written ({}).")
        raise Refused("unwritable_file", words.format(file, error.strerror)) from None


@contextmanager
def growing(table: Table) -> Iterator[Callable[[Table], None]]:
    """Shows a table again and again in a terminal; anywhere else once, in the end."""
    if out.is_terminal:
        with Live(table, console=out, auto_refresh=False, vertical_overflow="visible") as live:
            yield lambda grown: live.update(grown, refresh=True)
        return
    last = [table]
    yield lambda grown: last.__setitem__(0, grown)
    out.print(last[0])
