"""`quincunx ladder`: the levels measured against each other, live; ratings and a plot written into the documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from quincunx.cli import chart
from quincunx.cli.choices import load_compiled
from quincunx.cli.speech import language, out, say, tr
from quincunx.cli.writing import growing, write
from quincunx.core.words import Words
from quincunx.games import cards, load
from quincunx.players.levels import MOST
from quincunx.tournament.ladder import Ladder, Rung
from quincunx.tournament.ratings import Rating, rate
from quincunx.tournament.results import Result

ANCHOR = "random"
LABELS = [ANCHOR, *map(str, range(1, MOST + 1))]
PLACE = re.compile(r"(<!-- ladder -->\n).*(<!-- /ladder -->)", re.DOTALL)
PICTURE = "ratings.svg"
WON, DRAWN, LOST = (1, 2), (1, 1), (2, 1)
PAIRS = {1.0: (WON, WON), 0.75: (WON, DRAWN), 0.5: (DRAWN, DRAWN), 0.25: (DRAWN, LOST), 0.0: (LOST, LOST)}


def ladder(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…")] = None,
    file: Annotated[Path, typer.Option(help=tr("les résultats", "the results"))] = Path("benchmarks/ladder.json"),
    minutes: Annotated[
        float | None,
        typer.Option(min=0, help=tr("commencer pendant tant de minutes", "begin batches for so many minutes")),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, help=tr("processus", "processes"))] = 1,
    docs: Annotated[
        Path, typer.Option(help=tr("page entre les marques de laquelle écrire", "the page that is written into"))
    ] = Path("docs/players.md"),
) -> None:
    for game in games or [card.id for card in cards()]:
        load(game, "interpreted")  # refuses an unknown one before anything starts
    climbing = Ladder.open(file, games or None)
    began = monotonic()

    def enough() -> bool:
        return minutes is not None and monotonic() - began >= 60 * minutes

    if not enough():
        for game in {rung.game for rung in climbing.todo if not rung.done}:
            load_compiled(game)
        _climb(climbing, jobs, enough)
    else:
        out.print(_table(climbing.todo))
    if docs.is_file():
        _document(docs, climbing.rungs)
    left = sum(not rung.done for rung in climbing.todo)
    if left:
        say(Words("Il reste {} échelons à mesurer.", "{} rungs are still to be measured.").format(left))


def _climb(climbing: Ladder, jobs: int, enough: Callable[[], bool]) -> None:
    """A table that grows in a terminal; anywhere else a line for every batch, and the table in the end."""
    with growing(_table(climbing.todo)) as show:

        def told(rung: Rung) -> None:
            show(_table(climbing.todo))
            if not out.is_terminal:
                say(_progress(rung, climbing.todo))

        climbing.climb(told, jobs, enough)


def _progress(rung: Rung, rungs: Sequence[Rung]) -> Words:
    score = rung.score
    words = Words(
        "{} {} – {} : {} paires, {:.1f} % ({:.0f}–{:.0f}) ; {}",
        "{} {} – {}: {} pairs, {:.1f} % ({:.0f}–{:.0f}); {}",
    )
    figures = (100 * figure for figure in (score.mean, score.low, score.high))
    return words.format(rung.game, rung.upper, rung.lower, score.pairs, *figures, _spent(rungs))


def _spent(rungs: Sequence[Rung]) -> Words:
    """Processor time so far and, of the rungs that were begun, to come."""
    left = [rung.seconds_left for rung in rungs]
    known = sum(seconds for seconds in left if seconds is not None)
    words = Words("processeur {:.0f} min, reste {} {:.0f}", "processor {:.0f} min, {} {:.0f} left")
    return words.format(sum(rung.seconds for rung in rungs) / 60, "≥" if None in left else "≈", known / 60)


def _table(rungs: Sequence[Rung]) -> Table:
    table = Table(box=None, caption=_spent(rungs).of(language()))
    for heading in (tr("jeu", "game"), tr("échelon", "rung")):
        table.add_column(heading)
    for heading in (tr("score", "score"), "95 %", tr("paires", "pairs"), tr("durée", "time"), tr("but", "bar"), ""):
        table.add_column(heading, justify="right")
    for rung in rungs:
        score = rung.score
        if score.pairs:
            figures = (f"{100 * score.mean:.1f} %", f"{100 * score.low:.0f}–{100 * score.high:.0f}")
        else:
            figures = ("", "")
        name = load(rung.game, "interpreted").card.name.of(language())
        table.add_row(
            name, f"{rung.upper} – {rung.lower}", *figures, str(score.pairs), f"{rung.seconds:.0f} s",
            f"{100 * rung.bar:.0f} %", _state(rung),
        )  # fmt: skip
    return table


def _state(rung: Rung) -> Text:
    score = rung.score
    if not rung.done:
        return Text("…", style="dim")
    if score.low <= 0.5:
        return Text(tr("non", "no"), style="bold red")
    return Text("✓", style="green") if score.mean >= rung.bar else Text("<", style="yellow")


# -- documents ------------------------------------------------------------------------------------------------------


def ratings(rungs: Sequence[Rung]) -> dict[str, dict[str, Rating]]:
    """Of every game that was measured, by its id."""
    found: dict[str, dict[str, Rating]] = {}
    for game in dict.fromkeys(rung.game for rung in rungs):
        of_game = [rung for rung in rungs if rung.game == game]
        rated = rate([each for n, rung in enumerate(of_game) for each in _results(n, rung)], ANCHOR).players
        if len(rated) > 1:
            found[game] = rated
    return found


def _results(number: int, rung: Rung) -> Iterator[Result]:
    """Of a pair only its score is kept: two matches that come to the same."""
    for pair, score in enumerate(rung.pairs):
        for game, ranks in enumerate(PAIRS[score]):
            yield Result(number, 2 * pair + game, (rung.upper, rung.lower), ranks, pair=pair)


def _document(page: Path, rungs: Sequence[Rung]) -> None:
    """Figures and plot, in English as all documents are."""
    found = ratings(rungs)
    names = {game: load(game, "interpreted").card.name.en for game in found}
    lines = {
        names[game]: [(n, rated[spec].elo) for n, spec in enumerate(_specs()) if spec in rated]
        for game, rated in found.items()
    }
    text = page.read_text(encoding="utf-8")
    written = PLACE.sub(lambda place: place[1] + "\n".join(_figures(found, names, rungs)) + "\n" + place[2], text)
    write(page, written)
    if found:
        write(page.parent / PICTURE, chart.ratings("Ratings of the levels", LABELS, lines))


def _specs() -> list[str]:
    return [ANCHOR, *(f"level:{n}" for n in range(1, MOST + 1))]


def _figures(found: dict[str, dict[str, Rating]], names: dict[str, str], rungs: Sequence[Rung]) -> list[str]:
    if not found:
        return ["Nothing was measured yet."]
    others = [spec for spec in dict.fromkeys(s for rated in found.values() for s in rated) if spec not in _specs()]
    columns = [*_specs(), *others]
    lines = [
        f"![Ratings of the levels]({PICTURE})",
        "",
        "| Elo | " + " | ".join(columns) + " |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for game, rated in found.items():
        cells = [f"{rated[s].elo:.0f} ± {rated[s].error:.0f}" if s in rated else "" for s in columns]
        lines.append(
            f"| {names[game]} | "
            + " | ".join(["0" if s == ANCHOR else c for s, c in zip(columns, cells, strict=True)])
            + " |"
        )
    lines += ["", "| game | rung | score | 95 % | pairs | bar | processor |", "|---|---|---|---|---|---|---|"]
    for rung in rungs:
        score = rung.score
        if score.pairs:
            lines.append(
                f"| {names[rung.game]} | `{rung.upper}` – `{rung.lower}` | {100 * score.mean:.1f} % | "
                f"{100 * score.low:.1f}–{100 * score.high:.1f} % | {score.pairs}{'' if rung.done else ' …'} | "
                f"{100 * rung.bar:.0f} % | "
                f"{rung.seconds:.0f} s |"
            )
    if not all(rung.done for rung in rungs):
        lines += ["", "… not played to its end yet."]
    return lines
