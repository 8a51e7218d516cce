"""The games that need no server: how soon a board is there, and how soon a level answers:
`python benchmarks/offline.py [--rounds N] [--level N] [GAME …]`.

For each game, in Chromium on the static folder (tools/offline.py), the best of some rounds, each in a browser that has
nothing yet:

- **first position**: seconds from the click on *Begin* until the board takes a move: Python and rules are fetched and
  started, and have begun a match (bar 5 s);
- **answer**: seconds from a move of one's own until the computer's first choice is kept (bar 1 s at level 5).

What was measured of all games at level 5 goes into benchmarks/offline.json, and by tools/figures.py into docs/speed.md.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src"), str(ROOT / "tests"), str(ROOT / "tools")]

import offline  # noqa: E402
from benchmarks.machine import machine, versions  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from browser import FLAGS, Screen, _find, _install  # noqa: E402
from quincunx.games import cards  # noqa: E402
from test_offline_games import answered, begins, hosted  # noqa: E402

RESULTS = ROOT / "benchmarks" / "offline.json"
SOON, AT_ONCE = 5.0, 1.0  # seconds
LEVEL = 5  # of the bar


def measure(browser: Browser, site: str, game: str, level: int) -> tuple[float, float]:
    context = browser.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
    screen = Screen(context)
    screen.page.goto(f"{site}#/new/{game}")
    screen.page.get_by_role("button", name="Begin").wait_for()
    pressed = time.perf_counter()
    begins(screen, site, game, level)
    began = time.perf_counter()
    answered(screen, game)
    done = time.perf_counter()
    context.close()
    return began - pressed, done - began


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[card.id for card in cards()])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--level", type=int, default=LEVEL)
    asked = parser.parse_args()
    offline.build()
    rows: list[dict[str, Any]] = []
    print(f"| | first position (bar {SOON:.0f} s) | level {asked.level} answers (bar 1 s at level 5) |")
    print("|---|--:|--:|")
    with hosted() as site, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=_find() or _install(), args=FLAGS)
        for game in asked.games:
            rounds = [measure(browser, site, game, asked.level) for _ in range(asked.rounds)]
            first, answer = (min(each) for each in zip(*rounds, strict=True))
            rows.append({"game": game, "first": round(first, 2), "answer": round(answer, 2)})
            print(f"| {game} | {first:.1f} s | {answer:.1f} s |", flush=True)
        browser.close()
    whole = asked.level == LEVEL and len(rows) == len(cards())
    if whole:
        found = {"machine": machine(), "versions": versions(), "rounds": asked.rounds, "level": LEVEL, "rows": rows}
        RESULTS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return int(any(row["first"] > SOON or (asked.level == LEVEL and row["answer"] > AT_ONCE) for row in rows))


if __name__ == "__main__":
    sys.exit(main())
