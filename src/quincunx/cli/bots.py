"""`quincunx bots`: programs that have a name, so that names and not paths stand in records."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from quincunx.cli.speech import out, say, tr
from quincunx.core.words import Words, expected
from quincunx.players.programs import bots
from quincunx.players.programs.naming import KINDS
from quincunx.players.programs.process import check_command

app = typer.Typer(
    no_args_is_help=True,
)
Name = Annotated[str, typer.Argument(metavar="NAME", help=tr("le nom", "the name"))]


@app.command("add", help=tr("quincunx bots add NOM -- COMMANDE…", "quincunx bots add NAME -- COMMAND…"))
def add(
    name: Name,
    command: Annotated[list[str], typer.Argument(metavar="COMMAND…", help=tr("la commande", "the command"))],
    kind: Annotated[str, typer.Option(metavar="|".join(KINDS), help=tr("son protocole", "its protocol"))] = "program",
) -> None:
    if kind not in KINDS:
        raise expected(Words("un protocole parmi {}", "one of the protocols {}").format(", ".join(KINDS)), kind)
    spec = bots.spec_for(kind, command)
    check_command(KINDS[kind][0](spec.partition(":")[2]))
    bots.add(name, spec)
    say(Words("{} est prêt : bot:{}", "{} is ready: bot:{}").format(name, name))


@app.command("list", help=tr("Les programmes nommés.", "The named programs."))
def show() -> None:
    known = bots.read()
    if not known:
        return say(Words("Aucun programme n’a encore de nom.", "No program has a name yet."))
    table = Table(tr("nom", "name"), tr("programme", "program"))
    for name, spec in sorted(known.items()):
        table.add_row(f"bot:{name}", spec)
    out.print(table)


@app.command("remove", help=tr("Oublier un nom.", "Forget a name."))
def remove(name: Name) -> None:
    bots.remove(name)
    say(Words("{} est oublié.", "{} is forgotten.").format(name))
