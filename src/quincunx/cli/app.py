"""The list of commands, and what happens when one of them is refused."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import typer

from quincunx import __version__
from quincunx.cli import (
    admin,
    analyse,
    arena,
    bot,
    bots,
    champion,
    check_bot,
    compare,
    export,
    games,
    inspect,
    join,
    keeping,
    ladder,
    load,
    machine,
    matches,
    mcp,
    new_bot,
    play,
    puzzles,
    schema,
    serve,
    telecom,
    tournament,
    train,
    tune,
)
from quincunx.cli.speech import complain, tr
from quincunx.core.words import Refused, Words

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
app.command(
    "games", help=tr("Les jeux ; games khet dit tout de l’un d’eux.", "The games; games khet tells all of one.")
)(games.games)
app.command("play", help=tr("Jouer dans le terminal.", "Play in the terminal."))(play.play)
app.command("match", help=tr("Faire jouer des programmes entre eux.", "Let computer players meet."))(matches.match)
app.command(
    "new-bot", help=tr("Commencer un bot, dans le langage de son choix.", "Begin a bot, in a language of one’s choice.")
)(new_bot.new_bot)
app.add_typer(tournament.app, name="tournament")
app.add_typer(arena.app, name="arena")
app.command("compare", help=tr("Le nouveau est-il meilleur ?", "Is the new one better?"))(compare.compare)
app.command("analyse", help=tr("Juger chaque coup d’une partie.", "Judge every move of a record."))(analyse.analyse)
app.command("ladder", help=tr("Mesurer les niveaux.", "Measure the levels."))(ladder.ladder)
app.command("tune", help=tr("Régler les poids d’une évaluation.", "Tune the weights of an evaluation."))(tune.tune)
app.command("train", help=tr("Entraîner un réseau qui évalue.", "Train a net that evaluates."))(train.train)
app.command("show", help=tr("Montrer une partie ou une position.", "Show a record or a position."))(inspect.show)
app.command("perft", help=tr("Compter les suites de coups.", "Count the sequences of moves."))(machine.perft)
app.command("replay", help=tr("Rejouer et vérifier une partie.", "Replay and verify a record."))(inspect.replay_file)
app.command("export", help=tr("Des parties en décisions, pour apprendre.", "Records as decisions, to learn from."))(
    export.export
)
app.command("import-data", help=tr("Vérifier des décisions en rejouant.", "Verify decisions by replaying."))(
    export.import_data
)
app.command("bench", help=tr("Mesurer la vitesse des règles.", "Measure the speed of the rules."))(machine.bench)
app.command("serve", help=tr("Ouvrir le serveur de parties.", "Open the server of matches."))(serve.serve)
app.command(
    "backup", help=tr("Sauvegarder les parties, pendant que le serveur tourne.", "Save the matches, while it runs.")
)(keeping.backup)
app.command("restore", help=tr("Ramener une sauvegarde.", "Bring a backup back."))(keeping.restore)
app.command("prune", help=tr("Supprimer les vieilles parties.", "Delete old matches."))(keeping.prune)
app.add_typer(admin.app, name="admin")
app.command("join", help=tr("Rejoindre une partie sur un autre ordinateur.", "Join a match on another computer."))(
    join.join
)
app.command(
    "telecom",
    help=tr(
        "Le serveur du cours de Chartichaud, pour ses clients.", "The course server of Chartichaud, for its clients."
    ),
)(telecom.telecom)
app.command("mcp", help=tr("Des outils pour un modèle de langage.", "Tools for a language model."))(mcp.mcp)
app.command("load", help=tr("Éprouver un serveur sous la charge.", "See what a server bears."))(load.load)
app.command("bot", help=tr("Faire jouer un programme sur un serveur.", "Let a program play on a server."))(bot.bot)
app.command("check-bot", help=tr("Éprouver un programme.", "Try a program out."))(check_bot.check_bot)
app.add_typer(puzzles.app, name="puzzles")
app.add_typer(bots.app, name="bots")
app.command("schema", help=tr("Le protocole en JSON Schema.", "The protocol as JSON Schema."))(schema.schema)
app.add_typer(champion.app, name="champion")
app.command("warm", help=tr("Compiler les jeux à l’avance.", "Compile the games ahead of time."))(machine.warm_games)


def _say_version(wanted: bool) -> None:
    if wanted:
        print(f"quincunx {__version__}")
        raise typer.Exit


@app.callback()
def _always(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help=tr("La version.", "The version.")),
    ] = False,
) -> None: ...


@cache
def _commands() -> Any:
    """Typer would read every signature again for each command line, which those who run many in one process pay for."""
    return typer.main.get_command(app)


def run(arguments: list[str]) -> int:
    """The exit code: 0, or 2 for input that cannot be taken, after one sentence."""
    try:
        result = _commands()(arguments or ["--help"], standalone_mode=False)
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
