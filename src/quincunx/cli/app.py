"""The command line: which command is meant, and what happens when it is refused.

Only the module of the command that is meant is loaded: who asks for the version does not wait for databases.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer

from quincunx import __version__
from quincunx.cli import start
from quincunx.cli.commands import COMMANDS, Command
from quincunx.cli.speech import complain, language, tr
from quincunx.core.words import Refused, Words


def whole() -> typer.Typer:
    """With every command."""
    return _program({command.name for command in COMMANDS})


def _program(loaded: set[str]) -> typer.Typer:
    app = typer.Typer(
        name="quincunx",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help=tr(
            "Jouer, programmer et étudier des jeux de stratégie. --lang fr|en choisit la langue.",
            "Play, program and study turn-based strategy games. --lang fr|en chooses the language.",
        ),
    )
    app.callback()(_always)
    for command in COMMANDS:
        _add(app, command, command.name in loaded)
    return app


def _add(app: typer.Typer, command: Command, loaded: bool) -> None:
    where, _, what = command.where.partition(".")
    found = getattr(import_module(f"quincunx.cli.{where}"), what or "app") if loaded else _not_meant
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=command.name, help=command.help.of(language()))
    else:
        app.command(command.name, help=command.help.of(language()))(found)


def _not_meant() -> None:
    """Stands for a command that is listed and not run."""


def _say_version(wanted: bool) -> None:
    if wanted:
        print(f"quincunx {__version__}")
        raise typer.Exit


def _always(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help=tr("La version.", "The version.")),
    ] = False,
) -> None: ...


@cache
def _commands(meant: str) -> Any:
    """Typer would read every signature again for each command line, which those who run many in one process pay for."""
    return typer.main.get_command(_program({meant}))


def run(arguments: list[str]) -> int:
    """The exit code: 0, or 2 for input that cannot be taken, after one sentence."""
    try:
        if not arguments:
            arguments = start.chosen() if start.somebody_is_there() else start.COMMANDS
        meant = next((word for word in arguments if not word.startswith("-")), "")
        result = _commands(meant)(arguments, standalone_mode=False) if arguments else 0
    except Refused as refused:
        complain(refused.words)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except Exception as error:
        if not hasattr(error, "format_message"):  # not a mistake on the command line, but ours
            raise
        complain(_in_words(error))
        return 2
    return result if isinstance(result, int) else 0


def _in_words(error: Any) -> Words:
    """The parser of command lines speaks English only: the usual mistakes in French as well."""
    english = error.format_message().rstrip(".") + "."
    name = getattr(getattr(error, "param", None), "name", "") or getattr(error, "option_name", "")
    french = {
        "NoSuchOption": f"Option inconnue : {name}. Voir --help.",
        "MissingParameter": f"Il manque : {name}. Voir --help.",
        "BadParameter": f"Valeur refusée pour {name} : {getattr(error, 'message', '').rstrip('.')}.",
    }
    return Words(
        french.get(type(error).__name__, f"Commande mal formée, voir --help ({english.rstrip('.')})."), english
    )
