"""`quincunx schema`: JSON Schema of every message of the bot protocol, and of what games show and tell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from quincunx.cli.speech import tr
from quincunx.cli.writing import write
from quincunx.games import cards, load
from quincunx.match.schema import document


def schema(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME…]", help=tr("de ces jeux seulement", "of these games only"))
    ] = None,
    to: Annotated[Path | None, typer.Option(metavar="FILE", help=tr("où l’écrire", "where to write it"))] = None,
) -> None:
    games = [load(id, "interpreted").card.id for id in game] if game else [card.id for card in cards()]
    text = json.dumps(document(games), indent=1, sort_keys=True, ensure_ascii=False)
    if to is None:
        typer.echo(text)
    else:
        write(to, text + "\n")
