"""`quincunx compare OLD NEW`: is the new one better? It plays pairs of matches until the answer is known."""

from __future__ import annotations

from secrets import randbits
from typing import Annotated

import typer

from quincunx.cli.choices import Options, Preset
from quincunx.cli.plans import plan_of
from quincunx.cli.speech import tr
from quincunx.cli.tournament import Cluster, Database, Jobs, play
from quincunx.core.words import Words, expected
from quincunx.games import cards
from quincunx.players.programs.naming import game_of
from quincunx.tournament.plan import OPENING
from quincunx.tournament.starts import of_experiment

MOST = 40_000  # matches after which it is given up
A_GAME = Words("--game, un jeu parmi {}", "--game, one of the games {}")


def compare(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help=tr("l’ancien : level:3, bot:NOM…", "the old one: level:3, bot:NAME…"))
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help=tr("le nouveau", "the new one"))],
    game: Annotated[str | None, typer.Option("--game", help=tr("le jeu", "the game"))] = None,
    sprt: Annotated[
        str, typer.Option("--sprt", metavar='"elo0=0 elo1=10"', help=tr("ce qui est demandé", "what is asked"))
    ] = "elo0=0 elo1=10",
    matches: Annotated[int, typer.Option(min=2, help=tr("au plus", "at most"))] = MOST,
    opening: Annotated[
        int, typer.Option(min=0, max=100, help=tr("actions tirées au sort d’abord", "actions drawn at random at first"))
    ] = OPENING,
    seed: Annotated[
        int | None, typer.Option(min=0, help=tr("graine des tirages", "what starts and dice are drawn from"))
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(min=0.001, max=3600, help=tr("secondes par tour, d’un programme", "seconds a turn, of a program")),
    ] = None,
    preset: Preset = None,
    setup: Annotated[
        list[str] | None,
        typer.Option("--setup", help=tr("un départ ; plusieurs à tour de rôle", "a start; several in turn")),
    ] = None,
    option: Options = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    database: Database = None,
) -> int:
    played = game or game_of([old, new])
    if played is None:
        raise expected(A_GAME.format(", ".join(card.id for card in cards())), None)
    drawn = (
        of_experiment(randbits(30)) if seed is None else seed
    )  # a program may be another one each time, under the same name
    said = {
        "matches": matches + matches % 2,
        "sprt": sprt,
        "opening": opening,
        "seed": drawn,
        "name": f"{new} – {old}"[:60],
    }
    plan = plan_of([played, old, new], said, {"turn": time}, preset, setup or [], option or [])
    return play(plan, jobs, cluster, database)
