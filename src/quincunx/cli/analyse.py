"""`quincunx analyse FILE`: every move of a record, with the engine's score, its better move, and a graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from quincunx.cli.chart import course
from quincunx.cli.choices import load_compiled, read_text
from quincunx.cli.drawing import owner_style
from quincunx.cli.speech import language, say, tr
from quincunx.cli.writing import growing, write
from quincunx.core.words import Words, expected
from quincunx.games import load
from quincunx.match import Match, Played, decode, replay
from quincunx.match.record import Entry
from quincunx.players import analysis
from quincunx.players.analysis import Verdict, adviser, thinker

SIGNS = {"": "", "mistake": "?", "blunder": "??"}
STYLES = {"": "", "mistake": "yellow", "blunder": "bold red"}
SECONDS = 0.5


def analyse(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=tr("une partie enregistrée", "a record"))],
    seconds: Annotated[
        float | None, typer.Option("--time", min=0.001, max=3600, help=tr("secondes par coup", "seconds for each move"))
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(min=1, max=10**12, help=tr("nœuds ou simulations", "nodes or simulations for each move")),
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, max=99, help=tr("les coups d’une place", "one seat’s moves"))
    ] = None,
    svg: Annotated[Path | None, typer.Option(help=tr("graphe de l’évaluation", "graph of the evaluation"))] = None,
    json: Annotated[bool, typer.Option("--json", help=tr("résultat en JSON", "result as JSON"))] = False,
    gear: Annotated[str, typer.Option(help="compiled | interpreted")] = "compiled",
) -> None:
    record = decode(read_text(file).encode())
    if seconds is not None and nodes is not None:
        raise expected(Words("--time ou --nodes", "--time or --nodes"), "--time --nodes")
    game = load(record.game, "interpreted") if gear == "interpreted" else load_compiled(record.game)
    match = replay(record, game)
    if seat is not None and seat >= len(match.seats):
        raise expected(Words("une place de 0 à {}", "a seat from 0 to {}").format(len(match.seats) - 1), seat)
    player = adviser(game.card, SECONDS if seconds is None else seconds, nodes)
    verdicts = analysis.analyse(match.beginning(), _standing(record.entries), player, thinker(player, game), seat)
    found = list(verdicts) if json else _told(verdicts, match)
    if svg is not None:
        write(svg, graph(match, found))
    if json:
        told = {"game": record.game, "engine": player, "moves": found}
        typer.echo(msgspec.json.encode(told).decode())
    else:
        _sum_up(match, found, player)


def _standing(entries: list[Entry]) -> list[tuple[int, str]]:
    """What was not taken back."""
    kept: list[tuple[int, str]] = []
    for entry in entries:
        if isinstance(entry, Played):
            kept.append((entry.seat, entry.action))
        elif entry.event == "take_back":
            del kept[entry.kept :]
    return kept


def _told(verdicts: Iterable[Verdict], match: Match) -> list[Verdict]:
    """A row for each, as it comes."""
    found: list[Verdict] = []
    table = Table(box=None)
    table.add_column("", justify="right")
    for heading in (tr("joueur", "player"), tr("coup", "move")):
        table.add_column(heading)
    for heading in (tr("avant", "before"), tr("après", "after")):
        table.add_column(heading, justify="right")
    table.add_column(tr("mieux", "better"))
    with growing(table) as show:
        for verdict in verdicts:
            found.append(verdict)
            _add_row(table, verdict, match)
            show(table)
    return found


def _add_row(table: Table, verdict: Verdict, match: Match) -> None:
    after = "–" if verdict.after is None else f"{100 * verdict.after:.0f} %"
    line = " ".join(verdict.line[:3]) if verdict.line[:1] == (verdict.best,) else verdict.best
    table.add_row(
        str(verdict.n),
        Text(match.game.card.seat_name(verdict.seat).of(language()), style=owner_style(verdict.seat)),
        Text(f"{verdict.action} {SIGNS[verdict.mark]}".strip(), style=STYLES[verdict.mark]),
        f"{100 * verdict.before:.0f} %",
        after,
        Text("" if verdict.best == verdict.action else line, style="dim" if not verdict.mark else ""),
    )


def _sum_up(match: Match, found: Sequence[Verdict], player: str) -> None:
    words = Words(
        "{} : {} coups, {} erreurs (?), {} fautes graves (??).", "{}: {} moves, {} mistakes (?), {} blunders (??)."
    )
    for seat, who in enumerate(match.seats):
        theirs = [verdict.mark for verdict in found if verdict.seat == seat]
        if theirs:
            say(words.format(who.name, len(theirs), theirs.count("mistake"), theirs.count("blunder")))
    say(Words("Chances de gagner, d’après {}.", "Chances to win, as {} sees them.").format(player))


def graph(match: Match, found: Sequence[Verdict]) -> str:
    """The chance of each seat over the match; of two seats in an open game one line says all."""
    game, spoken = match.game, language()
    both = game.card.plain
    lines: list[list[tuple[float, float]]] = [[] for _ in match.seats]
    marks: list[tuple[float, float, str, str]] = []
    for verdict in found:
        turned = both and verdict.seat == 1
        own = 0 if both else verdict.seat
        lines[own].append((verdict.n - 1, 1 - verdict.before if turned else verdict.before))
        if verdict.mark and verdict.after is not None:
            told = f"{verdict.n}. {verdict.action} ({verdict.best})"
            marks.append((verdict.n, 1 - verdict.after if turned else verdict.after, verdict.mark, told))
    if both and match.outcome is not None and found:
        ranks = match.outcome.ranks
        lines[0].append((found[-1].n, 0.5 if ranks[0] == ranks[1] else float(ranks[0] < ranks[1])))
    drawn = [seat for seat, points in enumerate(lines) if points]
    names = [game.card.seat_name(seat).of(spoken) for seat in drawn]
    title = f"{game.card.name.of(spoken)}: " + " – ".join(seat.name for seat in match.seats)
    return course(title, names, [lines[seat] for seat in drawn], marks, match.length)
