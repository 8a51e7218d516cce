"""`quincunx tune GAME`: the weights of a game's evaluation, tuned by self-play; a log keeps every step."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from quincunx.cli.choices import GameId, Gear, Options, Preset, gear_name, load_compiled, new_world, read_text
from quincunx.cli.speech import out, say, tr
from quincunx.cli.writing import write
from quincunx.core.words import Refused, Words
from quincunx.games import Game, load, package
from quincunx.players import make
from quincunx.players.analysis import adviser
from quincunx.tournament import Series
from quincunx.tournament.duel import Arena, arena
from quincunx.tournament.score import Score, score_of
from quincunx.tournament.starts import of_experiment
from quincunx.tournament.tuning import Tuning, resumed

NODES, SIMULATIONS = 2000, 100
NO_WEIGHTS = Words("L’évaluation de {} n’a pas de poids (WEIGHTS).", "The evaluation of {} has no weights (WEIGHTS).")
PROOF_SEED = 500_000_000  # starts that no step has seen


def tune(
    game: GameId,
    steps: Annotated[int, typer.Option(min=1, help=tr("nombre de pas", "number of steps"))] = 100,
    games: Annotated[int, typer.Option(min=2, help=tr("parties par pas", "matches for each step"))] = 64,
    proof: Annotated[
        int, typer.Option(min=0, help=tr("parties contre les anciens poids", "matches against the old weights"))
    ] = 400,
    player: Annotated[str | None, typer.Option(help="alphabeta:nodes=2000")] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=10**6, help=tr("graine des tirages", "what everything is drawn from"))
    ] = 0,
    opening: Annotated[
        int, typer.Option(min=0, max=100, help=tr("actions tirées au sort d’abord", "actions drawn at random at first"))
    ] = 4,
    preset: Preset = None,
    option: Options = None,
    log: Annotated[Path | None, typer.Option(help=tr("journal, d’où reprendre", "log, from which to go on"))] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, help=tr("processus", "processes"))] = 1,
    gear: Gear = "compiled",
    save: Annotated[
        bool, typer.Option("--write", help=tr("écrire dans evaluate.py", "write into evaluate.py"))
    ] = False,
) -> None:
    rules = load(game, "interpreted")
    if not rules.weights:
        raise Refused("no_weights", NO_WEIGHTS.format(rules.card.name))
    player = player or adviser(rules.card, nodes=NODES if adviser(rules.card).startswith("alphabeta") else SIMULATIONS)
    make(player, rules)
    games += games % 2
    options = dict(new_world(rules, preset, None, option, 0, players=2).options)
    series = Series(game, (player, player), games, seed, options=options, gear=gear_name(gear), opening=opening)
    file = log or Path(f"tune-{game}.json")
    tuning = resumed(file, Tuning(game, player, games, seed, rules.weights))
    if gear_name(gear) == "compiled":
        load_compiled(game)
    with arena(jobs) as place:
        _run(tuning, steps, series, place, file)
        old = [value for _, value, _, _ in tuning.weights]
        proved = score_of(place.duel(_proof(series, proof), tuning.best, old)) if proof and tuning.best != old else None
    _tell(tuning, proved)
    if save:
        _write(rules, tuning)


def _run(tuning: Tuning, steps: int, series: Series, place: Arena, file: Path) -> None:
    def measure(up: list[int], down: list[int], seed: int) -> float:
        return score_of(place.duel(replace(series, seed=of_experiment(seed)), up, down)).mean

    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=out
    ) as progress:
        task = progress.add_task(tuning.game, total=steps, completed=len(tuning.steps))
        for step in tuning.run(steps, measure):
            tuning.save(file)
            shown = " ".join(f"{name}={value:.0f}" for (name, *_), value in zip(tuning.weights, step.now, strict=True))
            progress.update(task, advance=1, description=f"{tuning.game} {step.score:.2f}  {shown}")


def _proof(series: Series, matches: int) -> Series:
    return replace(series, games=matches + matches % 2, seed=PROOF_SEED + series.seed)


def _tell(tuning: Tuning, proved: Score | None) -> None:
    table = Table()
    table.add_column(tr("poids", "weight"))
    for heading in (tr("avant", "before"), tr("après", "after"), tr("bornes", "range")):
        table.add_column(heading, justify="right")
    for (name, value, low, high), found in zip(tuning.weights, tuning.best, strict=True):
        table.add_row(name, str(value), str(found), f"{low}–{high}")
    out.print(table)
    if proved is not None:
        words = Words(
            "Contre les anciens poids : {:.1f} % (à 95 % entre {:.1f} et {:.1f}, {} paires).",
            "Against the old weights: {:.1f} % (95 % between {:.1f} and {:.1f}, {} pairs).",
        )
        say(words.format(100 * proved.mean, 100 * proved.low, 100 * proved.high, proved.pairs))


def _write(game: Game, tuning: Tuning) -> None:
    """Only the numbers change: comments and ranges stay."""
    module = import_module(f"{package(game.card.id).__name__}.evaluate")
    file = Path(str(module.__file__))
    text = read_text(file)
    for (name, *_), value in zip(tuning.weights, tuning.best, strict=True):
        text, found = re.subn(rf'(\("{re.escape(name)}", )-?\d+(?=,)', rf"\g<1>{value}", text)
        if found != 1:
            words = Words("{} n’a pas de ligne pour le poids {}.", "{} has no line for the weight {}.")
            raise Refused("no_such_weight", words.format(file.name, name))
    write(file, text)
    say(Words("Écrit dans {}.", "Written into {}.").format(file))
