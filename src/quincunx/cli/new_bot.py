"""`quincunx new-bot`: a folder with a bot that plays, in the language of one's choice, and one place for one's idea."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from quincunx.cli.choices import GameId
from quincunx.cli.speech import language, say, tr
from quincunx.core.words import Words
from quincunx.kits import languages, write_kit

WRITTEN = Words(
    "Un bot en {language} est dans {folder}. Votre idée s’écrit dans {idea} ; README.md dit le reste. Pour l’essayer :",
    "A bot in {language} is in {folder}. Your idea goes into {idea}; README.md tells the rest. To try it:",
)


def new_bot(
    game: GameId,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=tr("le dossier à créer", "the folder to make"))],
    made_in: Annotated[str, typer.Option("--language", help=" | ".join(languages()))] = "python",
) -> None:
    chosen = write_kit(game, made_in, folder, language())
    say(WRITTEN.format(language=chosen.name, folder=folder, idea=chosen.idea))
    commands = [f"cd {folder}", chosen.build, f'quincunx match {game} "program:{chosen.run}" level:1']
    for command in commands:
        if command:
            typer.echo(f"  {command}")
