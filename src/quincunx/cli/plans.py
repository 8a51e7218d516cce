"""The plan of a tournament as a command line says it: a file, or a game and its players."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import msgspec

from quincunx.cli.choices import read_text
from quincunx.core.options import read_options
from quincunx.core.words import Words, expected
from quincunx.games import load
from quincunx.players.programs.naming import preset_for
from quincunx.players.table import Late
from quincunx.tournament import plan as plan_module
from quincunx.tournament.plan import Entrant, Plan, Start, read_plan, varied

FORMATS = tuple(
    each for each in get_args(plan_module.Format) if each != "arena"
)  # that one is opened by another command
LATE = get_args(Late)


def plan_of(
    what: list[str],
    said: dict[str, Any],
    timed: dict[str, Any],
    preset: str | None,
    setups: list[str],
    options: list[str],
) -> Plan:
    """From a file, or from a game and its players."""
    said = {key: value for key, value in said.items() if value is not None}
    timed = {key: value for key, value in timed.items() if value is not None}
    if len(what) == 1 and (what[0].endswith(".toml") or Path(what[0]).is_file()):
        if said or timed or preset or setups or options:
            words = Words("les réglages dans le plan {}", "the settings in the plan {}")
            raise expected(words.format(what[0]), ", ".join([*said, *timed]) or "--setup")
        return read_plan(Path(what[0]))
    if len(what) < 3:
        raise expected(Words("un plan, ou un jeu et ses joueurs", "a plan, or a game and its players"), " ".join(what))
    game, *players = what
    values = dict(read_options(load(game, "interpreted").options, options))
    preset = preset or preset_for(players)
    starts = [_start(game, preset, setup, values) for setup in setups] or [Start("", preset, None, values)]
    whole = {"game": game, "players": _apart(players), "starts": starts, **said}
    _one_of("format", said, FORMATS)
    _one_of("late", timed, LATE)
    plan = msgspec.convert({**msgspec.to_builtins(whole), "time": timed}, Plan)
    return plan if "opening" in said else varied(plan)


def _one_of(option: str, said: dict[str, Any], known: tuple[str, ...]) -> None:
    if option in said and said[option] not in known:
        words = Words("--{} avec l’un de {}", "--{} with one of {}")
        raise expected(words.format(option, ", ".join(known)), said[option])


def _start(game: str, preset: str | None, setup: str, values: dict[str, Any]) -> Start:
    """A setup by its name, or the text of a file."""
    if any(setup == known.name for known in load(game, "interpreted").setups):
        return Start(setup, preset, setup, values)
    return Start(Path(setup).stem, preset, read_text(Path(setup)), values)


def _apart(players: list[str]) -> list[Entrant]:
    """The same player twice gets a number: `level:3 #2`."""
    seen: dict[str, int] = {}
    found = []
    for spec in players:
        seen[spec] = seen.get(spec, 0) + 1
        found.append(Entrant(spec, f"{spec.removeprefix('bot:')} #{seen[spec]}" if seen[spec] > 1 else ""))
    return found
