"""`quincunx train GAME`: a net that judges positions, from self-play; it goes on where it was ended."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from quincunx.cli import chart
from quincunx.cli.choices import GameId, load_compiled
from quincunx.cli.speech import out, say, tr
from quincunx.cli.writing import write
from quincunx.core.words import Refused, Words
from quincunx.games import load
from quincunx.players import nets

BARS = "▁▂▃▄▅▆▇█"
SHOWN = 8  # epochs in the terminal
PROVED = Words(
    "Contre {} en temps égal : {:.1f} % (à 95 % entre {:.1f} et {:.1f}, {} paires).",
    "Against {} at equal time: {:.1f} % (95 % between {:.1f} and {:.1f}, {} pairs).",
)
Whole = typer.Option(min=1)


def train(
    game: GameId,
    folder: Annotated[
        Path | None, typer.Option(help=tr("dossier, d’où reprendre", "folder, from which to go on"))
    ] = None,
    positions: Annotated[int | None, typer.Option(min=1, help=tr("par tour", "for each round"))] = None,
    rounds: Annotated[int | None, typer.Option(min=1, max=100, help=tr("tours", "rounds"))] = None,
    thought: Annotated[
        int | None, typer.Option(min=1, help=tr("nœuds ou simulations par coup", "nodes or simulations of a choice"))
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(min=1, help=tr("passages sur les positions", "passes over them"))
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=1000, help=tr("graine des tirages", "what everything is drawn from"))
    ] = 0,
    proof: Annotated[
        int, typer.Option(min=0, help=tr("paires contre le meilleur sans réseau", "pairs against the best without"))
    ] = 200,
    jobs: Annotated[int, typer.Option(min=1, max=256, help=tr("processus", "processes"))] = 2,
) -> None:
    from quincunx.learning.plan import resumed
    from quincunx.learning.recipes import recipe
    from quincunx.learning.run import train as run
    from quincunx.tournament.pool import pool

    rules = load(game, "interpreted")
    if rules.net_inputs is None:
        raise Refused("no_inputs", nets.CANNOT.format(rules.card.name))
    asked = {"positions": positions, "rounds": rounds, "thought": thought, "epochs": epochs}
    plan = recipe(game, seed, {name: value for name, value in asked.items() if value is not None})
    where = folder or Path(f"train-{game}")
    log = resumed(where, plan)
    load_compiled(game)
    with Live(console=out, refresh_per_second=2) as live, pool(jobs) as processes:
        shown = _Shown(game, live, log)
        run(log, where, processes, jobs, shown.tell)
        write(where / "curves.svg", chart.learning(game, log.curves(), log.levels()))
        if proof:
            shown.prove(where, proof, jobs)
    if (proved := log.proof) is not None:
        share = (100 * each for each in (proved.score, proved.low, proved.high))
        say(PROVED.format(proved.other, *share, len(proved.scores)))
    say(Words("Le réseau : {}. Il joue comme « net:{} ».", "The net: {}. It plays as “net:{}”.").format(
        where / "net.npz", where / "net.npz"
    ))  # fmt: skip


class _Shown:
    """What the terminal shows: how far it is, and how the losses fall."""

    def __init__(self, game: str, live: Live, log: Any) -> None:
        self._live, self._log = live, log
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            auto_refresh=False,
        )
        self._task = self._progress.add_task(game, total=None)
        self._what = ""

    def tell(self, what: str, done: int, of: int) -> None:
        words = {
            "play": tr("parties contre soi-même (positions)", "self-play (positions)"),
            "learn": tr("apprentissage (passages)", "learning (passes)"),
            "prove": tr("preuve (paires)", "proof (pairs)"),
        }
        if what != self._what:
            self._progress.reset(self._task)
            self._what = what
        self._progress.update(self._task, description=words[what], completed=done, total=of)
        self._live.update(Group(self._losses(), self._progress))

    def _losses(self) -> Table:
        table = Table()
        for heading in (
            tr("tour", "round"),
            tr("passage", "pass"),
            tr("appris", "learned"),
            tr("gardé à part", "held out"),
            "",
        ):
            table.add_column(heading, justify="right")
        seen = [each.seen for each in self._log.epochs]
        for each in self._log.epochs[-SHOWN:]:
            table.add_row(
                str(each.round), str(each.number), f"{each.learned:.5f}", f"{each.seen:.5f}", bar(each.seen, seen)
            )
        return table

    def prove(self, where: Path, pairs: int, jobs: int) -> None:
        from quincunx.learning.proving import begin, go_on

        game, file = self._log.plan.game, str(where / "net.npz")
        self._log.proof = self._log.proof or begin(game, file)
        self.tell("prove", len(self._log.proof.scores), pairs)
        for proof in go_on(self._log.proof, game, file, pairs, jobs):
            self._log.proof = proof
            self._log.save(where)
            self.tell("prove", len(proof.scores), pairs)


def bar(value: float, among: list[float]) -> str:
    """How high a number is among others."""
    low, high = min(among), max(among)
    return BARS[round((value - low) / (high - low) * (len(BARS) - 1))] if high > low else BARS[0]
