"""`quincunx match`: computer players meet, many times, or once in the browser, or once more."""

from __future__ import annotations

from math import isinf
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from quincunx.cli import programs
from quincunx.cli.choices import (
    LARGEST_SEED,
    Gear,
    Options,
    Preset,
    SetupName,
    gear_name,
    load_compiled,
    new_world,
    read_text,
)
from quincunx.cli.join import PORT
from quincunx.cli.speech import language, out, say, tr
from quincunx.cli.watch import wanted, watch
from quincunx.core.words import Refused, Words, expected
from quincunx.games import Game, GearName, load
from quincunx.match import MatchRecord, Outcome, decode, encode
from quincunx.players.levels import label
from quincunx.players.programs.naming import preset_for
from quincunx.tournament import Effort, Series
from quincunx.tournament.rerun import rerun
from quincunx.tournament.results import points
from quincunx.tournament.score import Score, score_of
from quincunx.tournament.series import pair_score
from quincunx.tournament.standings import Line
from quincunx.tournament.starts import EXPERIMENTS

SAME = Words("Les {} entrées se répètent.", "All {} entries are repeated.")
DEPARTS = Words(
    "Entrée {} : {} a joué {}, et joue maintenant {}.", "Entry {}: {} played {} and now plays {}."
)  # fmt: skip


def match(
    game: Annotated[
        str | None, typer.Argument(help=tr("le jeu, comme khet", "the game, such as khet"), metavar="GAME")
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER…",
            help="level:7 random greedy alphabeta:time=0.5 mcts:simulations=1000 program:COMMAND bot:NAME",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help=tr("nombre de parties", "number of matches"))] = 2,
    seed: Annotated[
        int, typer.Option(min=0, max=LARGEST_SEED, help=tr("graine des tirages", "what starts and dice are drawn from"))
    ] = EXPERIMENTS,
    preset: Preset = None,
    setup: SetupName = None,
    option: Options = None,
    opening: Annotated[
        int,
        typer.Option(min=0, max=100, help=tr("actions tirées au sort d’abord", "actions drawn at random at first")),
    ] = 0,
    jobs: Annotated[int, typer.Option(min=1, max=256, help=tr("processus", "processes"))] = 1,
    save: Annotated[Path | None, typer.Option(help=tr("dossier des parties", "folder for the records"))] = None,
    json: Annotated[bool, typer.Option("--json", help=tr("résultat en JSON", "result as JSON"))] = False,
    gear: Gear = "compiled",
    time: programs.Time = 5.0,
    start: programs.Start = 10.0,
    late: programs.LateRule = "lose",
    memory: programs.Memory = 1024,
    isolate: programs.Isolate = False,
    log: programs.Log = None,
    open_browser: Annotated[
        bool,
        typer.Option("--open", help=tr("regarder une partie dans le navigateur", "watch one match in the browser")),
    ] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help=tr("avec --open", "with --open"))] = PORT,
    again: Annotated[
        Path | None,
        typer.Option(
            "--rerun", metavar="RECORD", help=tr("rejouer une partie enregistrée", "play a recorded match again")
        ),
    ] = None,
) -> int:
    if again is not None:
        return _repeat(again, gear_name(gear))
    if game is None or not players:
        raise expected(Words("un jeu et ses joueurs", "a game and its players"), game)
    bound = _bound(game, gear_name(gear))
    preset = preset or preset_for(players)
    world = new_world(bound, preset, setup, option, seed, len(players))
    fixed = bound.position(world) if setup is not None else None  # otherwise every pair of matches has its own start
    options: dict[str, Any] = dict(world.options)
    limits = programs.limits_of(time, start, memory, isolate)
    series = Series(
        game, tuple(players), games, seed, preset, None, fixed, options, gear_name(gear), opening,
        limits, programs.late_rule(late), None if log is None else str(log), records=save is not None,
    )  # fmt: skip
    series.check()
    if open_browser:
        watch(wanted(game, players, options, _setup_text(bound, setup), seed), port)
        return 0
    meeting = _play(series, jobs, save, quiet=json)
    if json:
        typer.echo(msgspec.json.encode(meeting.told()).decode())
    else:
        out.print(meeting.table())
        if meeting.score is not None:
            say(_difference(meeting.score))
    return 0


class _Meeting:
    """What a series came to."""

    def __init__(self, series: Series) -> None:
        self.series = series
        self.standings = [Line(spec) for spec in series.players]
        self.efforts = [Effort() for _ in series.players]
        self.outcomes: dict[int, Outcome] = {}

    @property
    def score(self) -> Score | None:
        """Of the first of two players."""
        pairs = len(self.outcomes) // 2
        if len(self.series.players) != 2 or pairs == 0:
            return None
        return score_of([pair_score(self.series, self.outcomes, pair) for pair in range(pairs)])

    def told(self) -> dict[str, Any]:
        """In JSON there is no infinity: such a difference is null."""
        series = self.series
        rows = [
            {
                "player": s.name, "wins": s.wins, "draws": s.draws, "losses": s.losses, "points": s.points,
                "seconds_per_choice": e.average, "nodes_per_second": e.speed,
            }
            for s, e in zip(self.standings, self.efforts, strict=True)
        ]  # fmt: skip
        found: dict[str, Any] = {"game": series.game, "games": series.games, "seed": series.seed, "players": rows}
        if self.score is not None:
            score = self.score
            names = ("elo", "low", "high")
            elo = {name: None if isinf(value) else value for name, value in zip(names, score.elo, strict=True)}
            found["score"] = {"mean": score.mean, "low": score.low, "high": score.high, "pairs": score.pairs}
            found["difference"] = elo
        return found

    def table(self) -> Table:
        table = Table()
        table.add_column(tr("joueur", "player"))
        for heading in (
            tr("gagnées", "wins"), tr("nulles", "draws"), tr("perdues", "losses"), tr("score", "score"),
            tr("réflexion", "think time"), tr("nœuds/s", "nodes/s"),
        ):  # fmt: skip
            table.add_column(heading, justify="right")
        for s, e in zip(self.standings, self.efforts, strict=True):
            share = f"{100 * s.share:.1f} %"
            speed = f"{e.speed:,.0f}" if e.nodes else "–"
            results = (str(s.wins), str(s.draws), str(s.losses), share)
            table.add_row(_named(s.name), *results, f"{1000 * e.average:.1f} ms", speed)
        return table


def _play(series: Series, jobs: int, save: Path | None, quiet: bool) -> _Meeting:
    meeting = _Meeting(series)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=out,
        disable=quiet, transient=True,
    ) as progress:  # fmt: skip
        task = progress.add_task(" – ".join(series.players), total=series.games)
        for number, outcome, efforts, record in series.run(jobs):
            ranked = zip(series.chairs(number), outcome.ranks, points(outcome.ranks), strict=True)
            for who, rank, gained in ranked:
                meeting.standings[who].add(rank, gained, outcome.ranks.count(1))
            for effort, more in zip(meeting.efforts, efforts, strict=True):
                effort.add(more)
            meeting.outcomes[number] = outcome
            if save is not None and record is not None:
                _save(save, series.game, number, record)
            progress.advance(task)
    return meeting


def _difference(score: Score) -> Words:
    middle, low, high = (f"{value:+.0f}" if not isinf(value) else "+∞" if value > 0 else "−∞" for value in score.elo)
    return Words(
        "Différence : {} Elo (à 95 % entre {} et {}, {} paires).",
        "Difference: {} Elo (95 % between {} and {}, {} pairs).",
    ).format(middle, low, high, score.pairs)


def _named(spec: str) -> str:
    """`level:7` with its name."""
    number = spec.removeprefix("level:")
    return f"{spec} · {label(int(number)).of(language()).partition(' · ')[2]}" if number != spec else spec


def _repeat(file: Path, gear: GearName) -> int:
    record = decode(read_text(file).encode())
    game = _bound(record.game, gear)
    left = rerun(record, game)
    if left is None:
        say(SAME.format(len(record.entries)))
        return 0
    say(DEPARTS.format(left.number, record.seats[left.seat].name, left.recorded, left.chosen))
    return 1


def _bound(game: str, gear: GearName) -> Game:
    return load_compiled(game) if gear == "compiled" else load(game, gear)


def _setup_text(game: Game, setup: str | None) -> str | None:
    if setup is None:
        return None
    return next((each.text for each in game.setups if each.name == setup), None) or read_text(Path(setup))


def _save(folder: Path, game: str, number: int, record: MatchRecord) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{game}-{number:05}.json").write_bytes(encode(record))
    except OSError as error:
        words = Words("Le dossier {} ne peut pas être écrit ({}).", "The folder {} cannot be written ({}).")
        raise Refused("unwritable_folder", words.format(folder, error.strerror)) from None
