"""What commands that seat programs ask for: how long a turn is, what a program may use, where the dialogue is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from quincunx.cli.speech import tr
from quincunx.core.words import Words, expected
from quincunx.players.programs.limits import Limits
from quincunx.players.table import Late

MB = 1 << 20

Time = Annotated[
    float,
    typer.Option(
        "--time", min=0.001, max=3600, help=tr("secondes par tour, pour un programme", "seconds a turn, of a program")
    ),
]
Start = Annotated[
    float,
    typer.Option(
        "--start", min=0, max=600, help=tr("secondes de plus pour sa première réponse", "more for its first answer")
    ),
]
Memory = Annotated[
    int,
    typer.Option(
        "--memory", min=16, max=1 << 20, help=tr("Mo de mémoire, par programme", "MB of memory, of a program")
    ),
]
Isolate = Annotated[
    bool,
    typer.Option(
        "--isolate", help=tr("sans réseau, fichiers en lecture seule (bwrap)", "no network, files read-only (bwrap)")
    ),
]
LateRule = Annotated[
    str,
    typer.Option(
        "--late",
        metavar="lose|fallback",
        help=tr("un programme en retard perd, ou joue par défaut", "a late program loses, or plays by default"),
    ),
]
Log = Annotated[
    Path | None,
    typer.Option("--log", metavar="DIR", help=tr("dossier où garder les dialogues", "folder that keeps the dialogues")),
]


def limits_of(time: float, start: float, memory: int, isolate: bool) -> Limits:
    return Limits(turn=time, start=start, memory=memory * MB, isolate=isolate)


def late_rule(text: str) -> Late:
    for name in get_args(Late):
        if text == name:
            return text  # type: ignore[return-value]
    raise expected(Words("lose ou fallback", "lose or fallback"), text)
