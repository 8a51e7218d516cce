"""`quincunx export` and `quincunx import-data`: records as rows to learn from, and back.

What it takes to write them (pyarrow, an extra) is imported when somebody asks for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from quincunx.cli.choices import read_text
from quincunx.cli.speech import say, tr
from quincunx.cli.writing import write
from quincunx.core.words import Words, expected
from quincunx.match import MatchRecord, decode, encode

Records = Annotated[
    list[Path], typer.Argument(metavar="RECORDS…", help=tr("parties enregistrées, ou dossiers", "records, or folders"))
]
Optional = Annotated[
    list[Path] | None,
    typer.Argument(metavar="RECORDS…", help=tr("si le fichier ne les contient pas", "if the file does not hold them")),
]


def export(
    records: Records,
    to: Annotated[
        tuple[str, Path],
        typer.Option(metavar="parquet FILE", help=tr("le format, et le fichier à écrire", "the format, and the file")),
    ],
    with_records: Annotated[
        bool,
        typer.Option(
            "--with-records",
            help=tr("y mettre aussi les parties, secrets compris", "put the matches in, too, with their secrets"),
        ),
    ] = False,
) -> None:
    from quincunx.envs import parquet

    kind, file = to
    if kind != "parquet":
        raise expected(Words("--to parquet FICHIER", "--to parquet FILE"), kind)
    found = _read(records)
    rows = parquet.export(found, file, with_records)
    say(Words("{} : {} parties, {} décisions.", "{}: {} matches, {} decisions.").format(file, len(found), rows))


def import_data(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=tr("un fichier de décisions", "a file of decisions"))],
    records: Optional = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help=tr("dossier où écrire les parties", "folder to write the records to")),
    ] = None,
) -> None:
    from quincunx.envs import parquet

    found = parquet.verify(file, _read(records or []))
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
        for number, record in enumerate(found):
            write(save / f"{record.game}-{number:05}.json", encode(record).decode())
    say(Words("Vérifié : {} parties, tout concorde.", "Verified: {} matches, all agree.").format(len(found)))


def _read(paths: list[Path]) -> list[MatchRecord]:
    files = [each for path in paths for each in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    return [decode(read_text(file).encode()) for file in files]
