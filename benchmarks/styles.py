"""How levels do against the opponents of style that a game brings (rush, turtle, harvest, harass), map by map.

    python benchmarks/styles.py chartichaud --levels 3 5 --pairs 20                    on the small map
    python benchmarks/styles.py casus_belli --levels 8 --maps default four --pairs 10 --minutes 9
    python benchmarks/styles.py                                                        only writes the tables

Levels have budgets of simulations, so a busy machine takes longer and measures the same. Every start is played from
every chair; the interval is that of 95 %, from the spread of the starts. What was played is kept in styles.json, with a
digest of what both players are made of, and goes on from there, in as many processes as one likes; tables are written
into docs/players.md. Nothing was chosen on these starts, and the ladder plays others: who changes the evaluation looks
at its effect with --aside.
"""

from __future__ import annotations

import fcntl
import os
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, process_time
from typing import NamedTuple

import msgspec

from quincunx.core.levels import Ground
from quincunx.games import load
from quincunx.match import Outcome
from quincunx.players.levels import MOST
from quincunx.tournament.makings import makings
from quincunx.tournament.pool import pool
from quincunx.tournament.score import Score, score_of
from quincunx.tournament.series import Series
from quincunx.tournament.starts import of_experiment, of_styles

RESULTS, PAGE = Path(__file__).parent / "styles.json", Path(__file__).parents[1] / "docs" / "players.md"
BEGIN, END = "<!-- styles -->\n", "<!-- /styles -->"


class Place(NamedTuple):
    words: str
    ground: Ground
    seats: int = 2


DUELS = {game: Ground(load(game, "interpreted").duel) for game in ("chartichaud", "casus_belli")}
MAPS = {
    "chartichaud": {
        "small": Place("10 × 8 for 60 turns, as the ladder", DUELS["chartichaud"]),
        "normal": Place("11 × 7 for 100 turns", Ground({"width": 11, "height": 7, "turns": 100})),
        "default": Place("16 × 9", Ground()),
        "telecom": Place("16 × 9, the rules of the course's server", Ground(preset="telecom")),
    },
    "casus_belli": {
        "small": Place("11 × 11 for 21 turns, as the ladder", DUELS["casus_belli"]),
        "default": Place("21 × 21 for 40 turns, drawn", Ground({"seats": 2})),
        "meadow": Place("the meadow", Ground({"seats": 2}, setup="meadow")),
        "castle": Place("the castle", Ground({"seats": 2}, setup="castle")),
        "final": Place("the castle with the rules of the final", Ground({"seats": 2}, "final", "castle")),
        "four": Place("21 × 21, against three of a style", Ground({"seats": 4}), seats=4),
    },
}


class Start(NamedTuple):
    """One that was played from every chair."""

    number: int
    score: float
    seconds: float  # of processor time


class Row(msgspec.Struct):
    """A level against a style on a map, and what came of it so far."""

    game: str
    map: str
    level: int
    style: str
    made: str  # of what both are made
    starts: list[float] = []
    seconds: float = 0.0  # of processor time

    @property
    def identity(self) -> tuple[object, ...]:
        return self.game, self.map, self.level, self.style, self.made

    @property
    def score(self) -> Score:
        return score_of(self.starts)

    def add(self, start: Start) -> None:
        """Whoever else plays this start finds the same: it counts once."""
        if start.number == len(self.starts):
            self.starts.append(start.score)
            self.seconds += start.seconds

    def series(self, seed: int) -> Series:
        place = MAPS[self.game][self.map]
        ground, players = place.ground, (f"level:{self.level}", *[self.style] * (place.seats - 1))
        return Series(
            self.game, players, games=place.seats, seed=seed, preset=ground.preset, setup=ground.setup,
            options=ground.options, records=False,
        )  # fmt: skip


def play(row: Row, number: int, aside: bool) -> Start:
    began = process_time()
    series = row.series(of_experiment(number) if aside else of_styles(number))
    scores = [beaten(series, bout.outcome, bout.number) for bout in series.run()]
    return Start(number, sum(scores) / len(scores), process_time() - began)


def beaten(series: Series, outcome: Outcome, number: int) -> float:
    """The part of the others whom the first player beats, a tie counting half."""
    mine, *others = (outcome.ranks[series.chairs(number).index(who)] for who in range(len(series.players)))
    return sum(1.0 if mine < rank else 0.5 if mine == rank else 0.0 for rank in others) / len(others)


def rows(game: str, maps: list[str], levels: list[int]) -> Iterator[Row]:
    found = load(game, "interpreted")
    for ground in maps:
        for level in levels:
            for style in found.opponents:
                made = f"{found.levels[level - 1].spec} {makings(game, style)}"
                yield Row(game, ground, level, style, made)


def kept(file: Path) -> dict[tuple[object, ...], Row]:
    """What was played and still says something: of the players of now."""
    known = msgspec.json.decode(file.read_bytes(), type=list[Row]) if file.exists() else []
    today = {row.identity for game, maps in MAPS.items() for row in rows(game, [*maps], [*range(1, MOST + 1)])}
    return {row.identity: row for row in known if row.identity in today and row.starts}


@contextmanager
def alone_with(file: Path) -> Iterator[None]:
    """Several processes measure at once: who writes begins with what the others wrote."""
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def note(file: Path, row: Row, start: Start) -> Row:
    """Adds a start to what the file holds by now."""
    with alone_with(file):
        played = kept(file)
        there = played.setdefault(row.identity, row)
        there.add(start)
        written = file.with_suffix(".new")
        written.write_bytes(msgspec.json.format(msgspec.json.encode([*played.values()]), indent=0) + b"\n")
        written.replace(file)
    return there


def tables(played: list[Row]) -> str:
    """A table a game: a map and a level a line, a style a column."""
    lines: list[str] = []
    for game, maps in MAPS.items():
        found = load(game, "interpreted")
        cells = {(row.map, row.level, row.style): row for row in played if row.game == game}
        styles = [*found.opponents]
        lines += [
            "",
            "| " + " | ".join([found.card.name.en, "level", *(f"`{style}`" for style in styles)]) + " |",
            "|---" * (2 + len(styles)) + "|",
        ]
        for name, place in maps.items():
            for level in range(1, MOST + 1):
                line = [cells.get((name, level, style)) for style in styles]
                if any(line):
                    lines.append("| " + " | ".join([place.words, str(level), *map(cell, line)]) + " |")
    return "\n".join(lines).strip() + "\n"


def cell(row: Row | None) -> str:
    if row is None:
        return ""
    score = row.score
    return f"{100 * score.mean:.0f} % ({100 * score.low:.0f}–{100 * score.high:.0f}), {score.pairs}"


def document(page: Path, text: str) -> None:
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    page.write_text(before + BEGIN + text + END + rest.split(END)[1], encoding="utf-8")


def measure(wanted: list[Row], starts: int, minutes: float, *, aside: bool, file: Path, jobs: int = 1) -> None:
    """Whoever has played least plays next, so that an early end leaves something of each."""
    played, began = {} if aside else kept(file), monotonic()
    waiting = [played.get(row.identity, row) for row in wanted]
    running: dict[Future[Start], Row] = {}
    with pool(jobs) if jobs > 1 else ThreadPoolExecutor(1) as players:
        while True:
            waiting = [row for row in waiting if len(row.starts) < starts]
            while waiting and len(running) < jobs and monotonic() - began < 60 * minutes:
                row = min(waiting, key=lambda row: len(row.starts))
                waiting.remove(row)
                running[players.submit(play, row, len(row.starts), aside)] = row
            if not running:
                return
            for ended in wait(running, return_when=FIRST_COMPLETED).done:
                row, start = running.pop(ended), ended.result()
                if aside:
                    row.add(start)
                else:
                    row = note(file, row, start)
                about = f"{row.game} {row.map:8} level {row.level} {row.style:8}"
                print(f"{about} {cell(row)}  {row.seconds:.0f} s", flush=True)
                waiting.append(row)


def main() -> None:
    parser = ArgumentParser(description="How levels do against opponents of style.")
    parser.add_argument("game", nargs="?", choices=MAPS, help="nothing: only write the tables")
    parser.add_argument("--levels", type=int, nargs="+", default=[3], choices=range(1, MOST + 1), metavar="N")
    parser.add_argument("--maps", nargs="+", default=["small"], help="small, default and others: see MAPS")
    parser.add_argument("--styles", nargs="+", help="only these")
    parser.add_argument("--pairs", type=int, default=10, metavar="N", help="starts, each from every chair (10)")
    parser.add_argument("--minutes", type=float, default=60.0, metavar="N", help="begin a start for so long (60)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--aside", action="store_true", help="on starts of experiments, and nothing is written")
    wanted = parser.parse_args()
    if wanted.game:
        if unknown := set(wanted.maps) - set(MAPS[wanted.game]):
            parser.error(f"unknown map: {', '.join(sorted(unknown))}; there are {', '.join(MAPS[wanted.game])}")
        chosen = [
            row for row in rows(wanted.game, wanted.maps, wanted.levels) if row.style in (wanted.styles or [row.style])
        ]
        how = {"aside": wanted.aside, "file": RESULTS, "jobs": wanted.jobs}
        measure(chosen, wanted.pairs, wanted.minutes, **how)
    if wanted.aside:
        return
    with alone_with(PAGE):
        document(PAGE, tables([*kept(RESULTS).values()]))


if __name__ == "__main__":
    main()
