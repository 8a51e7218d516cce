"""The table of a tournament in the terminal, live while it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from quincunx.cli.speech import out, say, tr
from quincunx.core.words import Words
from quincunx.tournament.plan import Plan
from quincunx.tournament.ratings import Rating
from quincunx.tournament.results import Result
from quincunx.tournament.standings import Line, Standings, by_share
from quincunx.tournament.tables import Row
from quincunx.tournament.tournament import PairedTest, Tournament, signed

REFRESH = 0.5  # seconds between two tables
MOST_LINES = 40


def standings_table(title: str, lines: Sequence[Line], ratings: Mapping[str, Rating] | None = None) -> Table:
    """`ratings`: if they are to stand there, too."""
    table = Table(title=title)
    table.add_column("#", justify="right")
    table.add_column(tr("joueur", "player"))
    for heading in (
        tr("points", "points"), tr("parties", "matches"), tr("gagnées", "wins"), tr("nulles", "draws"),
        tr("perdues", "losses"), tr("réflexion", "think time"),
    ):  # fmt: skip
        table.add_column(heading, justify="right")
    if ratings is not None:
        table.add_column("Elo", justify="right")
    for place, line in enumerate(lines[:MOST_LINES], 1):
        share = f"{100 * line.share:.1f} %"
        counts = (str(line.matches), str(line.wins), str(line.draws), str(line.losses))
        found = (ratings or {}).get(line.name)
        rated = [f"{signed(found.elo)} ± {found.error:.0f}"] if found else []
        table.add_row(str(place), line.name, share, *counts, f"{1000 * line.think_time:.1f} ms", *rated)
    return table


def crossed(lines: Sequence[Line], rows: Sequence[Row]) -> Table:
    """What each made of each other, in percent; columns have the numbers of the rows."""
    table = Table(title=tr("chacun contre chacun, en %", "everybody against everybody, in %"))
    table.add_column("#", justify="right")
    table.add_column(tr("joueur", "player"))
    for place in range(1, len(lines) + 1):
        table.add_column(str(place), justify="right")
    against = {row.player: row.against for row in rows}
    for place, line in enumerate(lines, 1):
        met = [against.get(line.name, {}).get(other.name) for other in lines]
        table.add_row(str(place), line.name, *(f"{100 * each.all.share:.0f}" if each else "" for each in met))
    return table


def test_line(test: PairedTest) -> Words:
    return test.words


class Watching:
    """A table and a bar that grow while matches end; where there is no terminal, the table in the end."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.standings = Standings([entrant.name for entrant in plan.entrants])
        self._tournament: Tournament | None = None
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=out
        )
        self._task = self._progress.add_task(plan.called, total=None)
        self._live = Live(self._shown(), console=out, auto_refresh=False) if out.is_terminal else None
        self._next = 0.0

    def follow(self, tournament: Tournament) -> None:
        self._tournament = tournament

    def add(self, results: Sequence[Result]) -> None:
        for result in results:
            self.standings.add(result)
        if self._live and monotonic() >= self._next:
            self._next = monotonic() + REFRESH
            self._live.update(self._shown(), refresh=True)

    def _shown(self) -> Group:
        if self._tournament:
            played, planned = self._tournament.progress.matches, self._tournament.planned
            self._progress.update(self._task, completed=played, total=planned)
        return Group(self.table(), self._progress)

    def table(self) -> Table:
        tournament, standings = self._tournament, self.standings
        lines = tournament.ordered(standings) if tournament else by_share(standings.lines.values())
        return standings_table(self._plan.id, lines)

    def __enter__(self) -> Watching:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live:
            self._live.update(self.table(), refresh=True)
            self._live.stop()
        else:
            out.print(self.table())
        if self._tournament and self._tournament.test:
            say(test_line(self._tournament.test))
