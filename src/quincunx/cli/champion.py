"""`quincunx champion`: champions of the original contest of Casus Belli."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from quincunx import champions
from quincunx.cli.speech import say, tr
from quincunx.core.words import Words

app = typer.Typer(
    no_args_is_help=True,
)


@app.callback()
def _always() -> None: ...


@app.command(
    "build", help=tr("Faire d’un champion en C ou en C++ un programme.", "Make a program of a champion in C or C++.")
)
def build(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help=tr("ses sources", "its sources"))],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="PROGRAM", help=tr("le programme", "the program"))],
) -> None:
    champions.build(files, output)
    say(Words("{} est prêt : program:{}", "{} is ready: program:{}").format(output, output))
