"""How soon a board is there, and how smoothly it moves: `python benchmarks/pages.py [--rounds N] [GAME …]`.

For each game, in Chromium against the real server, the best of some rounds, each with an empty cache:

- **drawn**: milliseconds from the navigation to a match until its board is on the screen (a frame was painted with it);
- **longest task**: of the page's thread while the stories of a match are told at normal speed: scripts, styles, layout
  and painting together, in milliseconds of the processor, as the browser's trace has them (the time on the clock, which
  `longtask` takes, grows with whatever else the machine does), and the heaviest kind of work in it;
- **moved**: the properties that animations and transitions changed meanwhile.

It fails where a board takes more than a second, a task more than 50 ms, or anything but transform and opacity moves.
"""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

from browser import FLAGS, _find, _install  # noqa: E402
from screens import Screens  # noqa: E402
from test_server import Server  # noqa: E402

SOON = 1000  # milliseconds
LONG = 50
STEPS = 20  # actions whose stories are told
TRACED = ["-*", "devtools.timeline", "disabled-by-default-devtools.timeline"]
REACHED = "(steps) => Number(document.querySelector('input[type=range]').value) >= steps"
CHEAP = {"transform", "opacity"}
WATCH = """
  window.moved = new Set();
  const wait = () => document.querySelector('[role=grid]')
    ? requestAnimationFrame(() => setTimeout(() => window.drawn = performance.now())) : requestAnimationFrame(wait);
  wait();
"""
SAMPLE = """() => {
  const sample = () => {
    for (const motion of document.getAnimations())
      for (const frame of motion.effect?.getKeyframes() ?? [])
        for (const name of Object.keys(frame))
          if (!['offset', 'computedOffset', 'easing', 'composite'].includes(name)) window.moved.add(name);
    requestAnimationFrame(() => setTimeout(sample, 40));
  };
  sample();
}"""


class Task(NamedTuple):
    milliseconds: float = 0.0
    work: str = ""  # what it did longest


class Found(NamedTuple):
    drawn: float
    longest: Task
    moved: frozenset[str]


def visit(browser: Browser, address: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB").new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_function("() => window.drawn")
    return page


def drawn(browser: Browser, address: str) -> float:
    page = visit(browser, address)
    took = float(page.evaluate("() => window.drawn"))
    page.context.close()
    return took


def told(browser: Browser, address: str) -> tuple[Task, frozenset[str]]:
    """Tells the stories of a replay one after the other."""
    page = visit(browser, address)
    page.wait_for_load_state("networkidle")
    page.evaluate(SAMPLE)
    browser.start_tracing(page=page, categories=TRACED)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(REACHED, arg=STEPS, timeout=240_000)
    trace = json.loads(browser.stop_tracing())
    moved = frozenset(page.evaluate("() => [...window.moved]"))
    page.context.close()
    return longest(trace["traceEvents"]), moved


def longest(events: list[dict[str, Any]]) -> Task:
    """The longest task of the page's thread in a trace, and what it did longest."""
    pages = {e["pid"] for e in events if e["name"] == "TimerFire" or e["name"] == "FireAnimationFrame"}
    thread = {
        (e["pid"], e["tid"])
        for e in events
        if e["name"] == "thread_name" and e["args"]["name"] == "CrRendererMain" and e["pid"] in pages
    }
    work = [e for e in events if e.get("ph") == "X" and (e["pid"], e["tid"]) in thread and "tdur" in e]
    tasks = [e for e in work if e["name"] == "RunTask"]
    if not tasks:
        raise SystemExit("The browser's trace has no tasks.")
    worst = max(tasks, key=lambda e: float(e["tdur"]))
    inside = [e for e in work if e is not worst and worst["ts"] <= e["ts"] < worst["ts"] + worst["dur"]]
    heaviest = max(inside, key=lambda e: float(e["tdur"]), default=worst)
    return Task(worst["tdur"] / 1000, f"{heaviest['name']} {heaviest['tdur'] / 1000:.0f}")


def measure(browser: Browser, screens: Screens, game: str, rounds: int, stories: bool) -> Found:
    made, over = screens.matches[game], screens.over[game]
    held = made["seats"][0]
    match = screens.server.url(f"/match/{made['id']}#seat={held['seat']}&token={held['token']}")
    soonest = min(drawn(browser, match) for _ in range(rounds))
    if not stories:
        return Found(soonest, Task(), frozenset())
    tellings = [told(browser, screens.server.url(f"/replay/{over['id']}")) for _ in range(rounds)]
    return Found(soonest, min(task for task, _ in tellings), frozenset().union(*(moved for _, moved in tellings)))


def main() -> int:
    asked = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    asked.add_argument("games", nargs="*", help="only these")
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--drawn", action="store_true", help="no stories: only how soon a board is there")
    given: Any = asked.parse_args()
    server = Server(Path(tempfile.mkdtemp()))
    server.start()
    bad = 0
    try:
        screens = Screens(server)
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=_find() or _install(), args=FLAGS)
            print(f"{'':14} {'drawn':>8} {'longest task':>14}  {'of it':28} moved")
            for game in given.games or screens.games:
                found = measure(browser, screens, game, given.rounds, not given.drawn)
                took, moved = f"{found.longest.milliseconds:.0f} ms", ", ".join(sorted(found.moved))
                print(f"{game:14} {found.drawn:5.0f} ms {took:>14}  {found.longest.work:28} {moved}", flush=True)
                bad += found.drawn > SOON or found.longest.milliseconds > LONG or not found.moved <= CHEAP
            browser.close()
    finally:
        server.kill()
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
