"""Measures Quincunx beside its peers: `python benchmarks/run.py [--rounds N] [--only NAME ...]`.

Everything in one run, the contestants in turn in every round; a row compares the medians. The table says plainly what
was missed, and `benchmarks/results.json` keeps every round; a run of some rows takes the place of the same rows of
before, with its day and its machine. The first run makes the peers' environments.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.contest import Missing, Result, Row, kept, run, tables
from benchmarks.machine import load_average, machine, versions
from benchmarks.rows import ENVIRONMENTS, agreements, rows
from rich.console import Console

from quincunx.games import cards
from quincunx.players.warming import warm

RESULTS = Path(__file__).parent / "results.json"
console = Console(width=None if sys.stdout.isatty() else 132)


def main() -> int:
    parser = ArgumentParser(description="Quincunx beside its peers, in one run.")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="of every contestant (5)")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="rows whose names contain one of these")
    wanted = parser.parse_args()
    chosen = choose(rows(), wanted.only)
    if not chosen or wanted.rounds < 1:
        names = "\n".join(f"  {row.name}" for row in rows())
        console.print(f"Expected at least one round, and names of rows:\n{names}", markup=False)
        return 2
    for card in cards():
        warm(card.id)  # games are measured as the cache has them once all of them was compiled
    if not agree():
        return 1
    begin = time.perf_counter()
    with console.status("") as status:
        results = run(chosen, wanted.rounds, status.update)
    for table in tables(results):
        console.print(table)
    for reason in sorted({result.missing for result in results if result.missing}):
        console.print(f"Missing: {reason}", markup=False)
    missed = [result.row.name for result in results if result.verdict == "MISSED"]
    console.print(
        f"Missed: {'; '.join(missed)}" if missed else "Every bar that could be measured is met.", markup=False
    )
    console.print(f"{time.perf_counter() - begin:.0f} s, {wanted.rounds} rounds; load {load_average()}")
    keep(results, some=bool(wanted.only))
    return 0


def choose(all_rows: list[Row], names: list[str]) -> list[Row]:
    return [row for row in all_rows if not names or any(name.lower() in row.name.lower() for name in names)]


def agree() -> bool:
    """Says whether C++ and Quincunx play the same games; without that a comparison would mean nothing."""
    try:
        for name, ours, theirs in agreements():
            if ours != theirs:
                console.print(f"Expected the same from both in {name} but got {ours} and {theirs}", markup=False)
                return False
            console.print(f"The same in C++ and here: {name}: {ours}", markup=False, highlight=False)
    except Missing as reason:
        console.print(f"Nothing to compare checksums with: {reason}", markup=False)
    return True


def keep(results: list[Result], some: bool) -> None:
    on = {
        "machine": machine(),
        "versions": versions() | {environment.package: environment.version() for environment in ENVIRONMENTS},
    }
    found: dict[str, Any] = {**on, "rows": kept(results)}
    if some and RESULTS.is_file():
        found = merged(json.loads(RESULTS.read_text("utf-8")), found["rows"], on, [row.name for row in rows()])
    RESULTS.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    console.print(f"Kept in {RESULTS.relative_to(Path.cwd()) if RESULTS.is_relative_to(Path.cwd()) else RESULTS}")


def merged(before: dict[str, Any], some: list[dict[str, Any]], on: dict[str, Any], order: list[str]) -> dict[str, Any]:
    """The results of before with some rows measured anew: those say on what, the others keep theirs. A row that could
    not be measured takes no figure away."""
    found = {row["name"]: row for row in before["rows"]}
    found |= {row["name"]: {**row, "on": on} for row in some if row["value"] is not None}
    places = {name: place for place, name in enumerate(order)}
    return {**before, "rows": sorted(found.values(), key=lambda row: places.get(row["name"], len(places)))}


if __name__ == "__main__":
    sys.exit(main())
