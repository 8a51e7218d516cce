"""Writes what was measured into docs/speed.md: of `make bench` the rows with a bar, from benchmarks/results.json; of
`make offline` all that is in benchmarks/offline.json, once it was run.

python tools/figures.py          a test compares

Each table stands between two comments; what is said around it is written by hand.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from statistics import median
from typing import Any

from quincunx.games import load

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results.json"
PAGE = ROOT / "docs" / "speed.md"
OFFLINE = ROOT / "benchmarks" / "offline.json"
PLACE = r"(<!-- from benchmarks/{}\.json -->\n).*?(<!-- to here -->\n)"
HEAD = ("| one core | ours | theirs | ratio | bar |", "|---|---|---|---|---|")
PARTS = ("", "Khet from Python")  # the others have tables with more to say, or none
LARGE = ((1e6, 1e6, " M"), (1e4, 1e3, " k"))  # from where on, counted in, said as


def human(value: float, unit: str) -> str:
    """Three digits, and no more zeros than anybody reads."""
    for least, size, letter in LARGE:
        if value >= least:
            return f"{value / size:.3g}{letter} {unit}"
    return f"{value:.3g} {unit}"


def row(found: dict[str, Any]) -> str:
    unit = str(found["unit"]).removesuffix(" (clock)")
    ours, theirs = (human(median(side["rounds"]), unit) if side else "" for side in (found["ours"], found["theirs"]))
    value = found["value"]
    ratio = (f"{value:,.0f}×" if value >= 1000 else f"{value:.3g}×") if found["is_ratio"] else ""
    if found["verdict"] == "MISSED":
        ratio = f"**{ratio}**"
    bar = f"{'≤' if found['at_most'] else '≥'} {found['bar']}"
    return f"| {found['name']} | {ours} | {theirs} | {ratio} | {bar} |"


def day(results: dict[str, Any]) -> str:
    measured = results["machine"].get("measured")
    return f"Measured on {measured}" if measured else "Measured before results named their day"


def table(results: dict[str, Any]) -> str:
    rows = [row(each) for each in results["rows"] if each["part"] in PARTS and each["bar"] is not None]
    machine, versions = results["machine"], results["versions"]
    on = f"{machine['cores']} cores of {machine['processor']}, Python {versions['python']}"
    return "\n".join((f"{day(results)}, on {on}, llvmlite {versions['llvmlite']}.", "", *HEAD, *rows, ""))


def offline(results: dict[str, Any]) -> str:
    machine, level = results["machine"], results["level"]
    head = (f"| | first position (bar 5 s) | level {level} answers (bar 1 s) |", "|---|---|---|")
    rows = [
        f"| {load(each['game']).card.name.en} | {each['first']:.1f} s | {each['answer']:.1f} s |"
        for each in results["rows"]
    ]
    on = f"{machine['cores']} cores of {machine['processor']}, the best of {results['rounds']}"
    return "\n".join((f"{day(results)}, on {on}.", "", *head, *rows, ""))


def written(page: str, name: str, text: str) -> str:
    place = re.compile(PLACE.format(name), re.DOTALL)
    if not place.search(page):
        raise SystemExit(f"docs/speed.md has no place for what is in {name}.json.")
    return place.sub(lambda found: f"{found[1]}\n{text}\n{found[2]}", page)


def all_written(page: str) -> str:
    page = written(page, "results", table(json.loads(RESULTS.read_text("utf-8"))))
    if OFFLINE.is_file():
        page = written(page, "offline", offline(json.loads(OFFLINE.read_text("utf-8"))))
    return page


def main() -> int:
    PAGE.write_text(all_written(PAGE.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
