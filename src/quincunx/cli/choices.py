"""What several commands ask for: a game with its preset, options, and a setup by name or file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from quincunx.cli.speech import out, tr
from quincunx.core.options import read_options
from quincunx.core.words import Refused, Words, expected
from quincunx.games import Game, GearName, World, load
from quincunx.players.warming import is_warm, warm

LARGEST_SEED = 2**53 - 1  # what every reader of JSON keeps exactly

GameId = Annotated[str, typer.Argument(help=tr("le jeu, comme khet", "the game, such as khet"), metavar="GAME")]
Preset = Annotated[str | None, typer.Option(help=tr("un préréglage du jeu", "a preset of the game"))]
SetupName = Annotated[
    str | None, typer.Option("--setup", help=tr("position de départ : un nom ou un fichier", "a setup: name or file"))
]
Options = Annotated[
    list[str] | None, typer.Option("--option", help=tr("une option : nom=valeur", "an option: name=value"))
]
Seed = Annotated[
    int | None, typer.Option(min=0, max=LARGEST_SEED, help=tr("graine du tirage", "what the start is drawn from"))
]
Gear = Annotated[str, typer.Option(help="compiled | interpreted")]


def gear_name(text: str) -> GearName:
    for name in ("compiled", "interpreted", "checked"):
        if text == name:
            return name
    raise expected(Words("compiled ou interpreted", "compiled or interpreted"), text)


def read_text(path: Path) -> str:
    """A file that somebody named; one sentence if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "UTF-8?"
        words = Words("Le fichier {} ne peut pas être lu ({}).", "The file {} cannot be read ({}).")
        raise Refused("unreadable_file", words.format(path, reason)) from None


def new_world(
    game: Game,
    preset: str | None,
    setup: str | None,
    options: list[str] | None,
    seed: int | None,
    players: int | None = None,
) -> World:
    """The start that a command line describes; where a game takes several numbers of seats, as many as there are
    `players`, unless an option says otherwise."""
    values: dict[str, Any] = dict(read_options(game.options, options or []))
    if players is not None and any(option.name == "seats" for option in game.options):
        values.setdefault("seats", players)
    if setup is not None and not any(setup == s.name for s in game.setups) and _is_file(setup):
        setup = read_text(Path(setup))
    return game.new(preset, setup=setup, seed=seed or 0, **values)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def load_compiled(id: str) -> Game:
    """The compiled game with its searches, so that processes which play it find all of it in the cache."""
    if not is_warm(load(id, "interpreted").card.id):
        with out.status(tr("Compilation de", "Compiling") + f" {id}…"):
            warm(id)
    return load(id, "compiled")
