"""Writes what was measured into docs/speed.md: of `make bench` the rows with a bar and all rows of some parts, from
benchmarks/results.json; of `make offline` all that is in benchmarks/offline.json, once it was run.

python tools/figures.py          a test compares

Each table stands between two comments; what is said around it is written by hand. Above it stand the day and the
machine of most of its rows; a row of another day or machine says so.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

from quincunx.games import load

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results.json"
PAGE = ROOT / "docs" / "speed.md"
CLOCK = " (clock)"  # after a unit
OFFLINE = ROOT / "benchmarks" / "offline.json"
PLACE = r"(<!-- from benchmarks/{}\.json{} -->\n).*?(<!-- to here -->\n)"
HEAD = ("| one core | ours | theirs | ratio | bar |", "|---|---|---|---|---|")
PARTS = ("", "Khet from Python")  # in one table
PLACES = {  # of the parts with a table of their own: how the part begins
    "batches": "Environments: a batch",
    "turns": "Environments: PettingZoo's AEC",
    "trees": "Monte Carlo tree search",
    "time": "Time is kept",
    "servers": "Servers",
}
OWN_HEAD = ("| | ours | theirs, or beside it | ratio | bar |", HEAD[1])
LARGE = ((1e6, 1e6, " M"), (1e4, 1e3, " k"))  # from where on, counted in, said as


def human(value: float, unit: str) -> str:
    """Three digits, and no more zeros than anybody reads."""
    for least, size, letter in LARGE:
        if value >= least:
            return f"{value / size:.3g}{letter} {unit}"
    return f"{value:,.0f} {unit}" if value >= 1000 else f"{value:.3g} {unit}"


def row(found: dict[str, Any]) -> str:
    unit, beside, value = found["unit"], found.get("beside") or {"unit": "", "rounds": []}, found["value"]
    ours, theirs = (
        shown(found["ours"], unit),
        shown(found["theirs"] or beside, beside["unit"] or found.get("their_unit", unit)),
    )
    ratio = (f"{value:,.0f}×" if value >= 1000 else f"{value:.3g}×") if found["is_ratio"] else ""
    if found["verdict"] == "MISSED":
        ours, ratio = (ours, f"**{ratio}**") if ratio else (f"**{ours}**", "")
    bar = "" if found["bar"] is None else f"{'≤' if found['at_most'] else '≥'} {found['bar']}"
    return f"| {found['name']} | {ours} | {theirs} | {ratio} | {bar} |"


def shown(side: dict[str, Any], unit: str) -> str:
    return human(median(side["rounds"]), unit.removesuffix(CLOCK)) if side["rounds"] else ""


def day(results: dict[str, Any]) -> str:
    measured = results["machine"].get("measured")
    return f"Measured on {measured}" if measured else "Measured before results named their day"


def where(results: dict[str, Any]) -> str:
    machine, versions = results["machine"], results["versions"]
    on = f"{machine['cores']} cores of {machine['processor']}, Python {versions['python']}"
    return f"{day(results)}, on {on}, llvmlite {versions['llvmlite']}"


def dated(results: dict[str, Any], rows: list[dict[str, Any]], head: tuple[str, ...]) -> str:
    places = [where(each.get("on", results)) for each in rows]
    usual = Counter(places).most_common(1)[0][0]
    named = [
        each if place == usual else {**each, "name": f"{each['name']} ({place[0].lower()}{place[1:]})"}
        for each, place in zip(rows, places, strict=True)
    ]
    return "\n".join((f"{usual}.", "", *head, *(row(each) for each in named), ""))


def table(results: dict[str, Any]) -> str:
    return dated(results, [each for each in results["rows"] if each["part"] in PARTS and each["bar"] is not None], HEAD)


def own_table(results: dict[str, Any], beginning: str) -> str:
    """Of a part; nothing as long as none of its rows was measured."""
    rows = [each for each in results["rows"] if each["part"].startswith(beginning) and each["value"] is not None]
    return dated(results, rows, OWN_HEAD) if rows else ""


def offline(results: dict[str, Any]) -> str:
    machine, level = results["machine"], results["level"]
    head = (f"| | first position (bar 5 s) | level {level} answers (bar 1 s) |", "|---|---|---|")
    rows = [
        f"| {load(each['game']).card.name.en} | {each['first']:.1f} s | {each['answer']:.1f} s |"
        for each in results["rows"]
    ]
    on = f"{machine['cores']} cores of {machine['processor']}, the best of {results['rounds']}"
    return "\n".join((f"{day(results)}, on {on}.", "", *head, *rows, ""))


def written(page: str, name: str, text: str, part: str = "") -> str:
    of_part = part and f": {part}"
    place = re.compile(PLACE.format(name, of_part), re.DOTALL)
    if not place.search(page):
        raise SystemExit(f"docs/speed.md has no place for what is in {name}.json{of_part}.")
    return place.sub(lambda found: f"{found[1]}\n{text}\n{found[2]}" if text else f"{found[1]}{found[2]}", page)


def all_written(page: str) -> str:
    results = json.loads(RESULTS.read_text("utf-8"))
    page = written(page, "results", table(results))
    for part, beginning in PLACES.items():
        page = written(page, "results", own_table(results, beginning), part)
    if OFFLINE.is_file():
        page = written(page, "offline", offline(json.loads(OFFLINE.read_text("utf-8"))))
    return page


def main() -> int:
    PAGE.write_text(all_written(PAGE.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
