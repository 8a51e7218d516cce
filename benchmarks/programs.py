"""What programs cost: rows of `make bench`, or alone `python benchmarks/programs.py [SEATS…]`.

First the way over pipes: a program that answers at once beside a player of ours that does, choice by choice in turns,
medians. Then matches in process, of players that hardly think; and whole matches of Casus Belli between 10, 30 and 100
programs, each a process of its own that reads all that it is told, gives an order to each champion and seals: how long
each turn takes, the first included, and whether anybody was late.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.compiling import PROCESSOR
from benchmarks.contest import CLOCK, Figures, Missing

from quincunx.games import Observation, load
from quincunx.match import Match
from quincunx.match.record import Happened
from quincunx.players import Player
from quincunx.players.programs.limits import Limits, Trouble
from quincunx.players.programs.naming import make_program
from quincunx.players.programs.program import Program, closing_programs
from quincunx.players.table import Table
from quincunx.tournament import Series

GAMES, MATCHES = ("connect_four", "khet", "cultist"), 20
RANDOM_MATCHES = 1000
WARS = (10, 30, 100)  # programs
ABOVE, WHOLE = "µs above a player" + CLOCK, "µs of a program" + CLOCK
TURN, LONGEST = "s a turn" + CLOCK, "s, the longest turn" + CLOCK
LIMIT = 1.0  # seconds for each turn of a war

FIRST = """
import sys
count = 0
for line in sys.stdin:
    if line.startswith('{"type":"welcome"'):
        seat = line.split('"yours":[')[1].split("]")[0]
    elif line.startswith('{"type":"update"') and '"outcome":null' in line:
        count += 1
        action = line.split('"legal":["')[1].split('"')[0]
        sys.stdout.write('{"type":"play","id":"%d","seat":%s,"action":"%s"}\\n' % (count, seat, action))
        sys.stdout.flush()
"""
GENERAL = """
import json, random, sys
count = 0
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "welcome":
        seat = said["yours"][0]
    elif said["type"] == "update" and seat in said["to_act"]:
        count += 1
        by_unit = {}
        for action in said["legal"]:
            by_unit.setdefault(action.split()[0], []).append(action)
        orders = [random.choice(choices) for unit, choices in by_unit.items() if unit != "seal"] + ["seal"]
        plays = [{"type": "play", "id": f"{count}-{k}", "seat": seat, "action": o} for k, o in enumerate(orders)]
        sys.stdout.write("".join(json.dumps(play) + "\\n" for play in plays))
        sys.stdout.flush()
"""


class First(Player):
    """The first legal action."""

    name = "first"

    def begin(self, seed: int) -> None: ...

    def choose(self, observation: Observation) -> int:
        game = observation.game
        return game.legal(game.imagine(observation, game.random(1)), observation.seat)[0]


def pipes(game: str, folder: Path) -> dict[str, float]:
    """Microseconds a move: of the player, of the program, and the difference."""
    bound = load(game, "compiled")
    (folder / "first.py").write_text(FIRST)
    program = make_program(f"program:{sys.executable} -S {folder / 'first.py'}", bound)
    took: dict[bool, list[float]] = {True: [], False: []}
    with closing_programs([program]):
        for number in range(MATCHES):
            players: list[Player | Program] = [First(), program] if number % 2 else [program, First()]
            match = Match(bound, seed=number, dice=number)
            table = Table(match, players)
            table.welcome()
            while not match.over and match.length < 60:
                whose, before = players[match.turn] is program, perf_counter()
                table.step()
                took[whose].append(1e6 * (perf_counter() - before))
            if not match.over:
                match.agree_draw()
            table.farewell()
    ours, theirs = median(took[False]), median(took[True])
    return {"player": ours, "program": theirs, "pipes": theirs - ours}


def war(seats: int, folder: Path) -> dict[str, Any]:
    """A match of so many programs, to its end: seconds of every turn, once all run, and who failed."""
    bound = load("casus_belli", "compiled")
    (folder / "general.py").write_text(GENERAL)
    setup = "hundred" if seats > 8 else None
    match = Match(bound, setup=setup, seed=1, seats=seats)
    limits = Limits(turn=LIMIT, start=120.0)
    programs = [make_program(f"program:{sys.executable} {folder / 'general.py'}", bound, limits) for _ in range(seats)]
    turns: list[float] = []
    with closing_programs(programs):
        table = Table(match, programs)
        table.welcome()
        for program in programs:
            with suppress(Trouble):  # which the match will tell
                program.greet()
        while not match.over:
            turn, before = bound.number(match.world, 0), perf_counter()
            while not match.over and bound.number(match.world, 0) == turn:
                table.step()
            turns.append(perf_counter() - before)
    failed = [entry.reason or entry.event for entry in match.entries if isinstance(entry, Happened)]
    return {"turns": len(turns), "median": median(turns), "longest": max(turns), "first": turns[0], "failed": failed}


@dataclass
class Pipes:
    """A move of a program that answers at once, beside one of a player that does."""

    id: str
    cores: int = 0

    @property
    def name(self) -> str:
        return f"a program in {self.id}, over pipes"

    def prepare(self) -> None:
        load(self.id, "compiled")

    def measure(self) -> Figures:
        with tempfile.TemporaryDirectory() as folder:
            found = pipes(self.id, Path(folder))
        return {ABOVE: found["pipes"], WHOLE: found["program"]}


@dataclass
class InProcess:
    """Whole matches of two players that choose at random."""

    id: str
    cores: int = 1

    @property
    def name(self) -> str:
        return f"{RANDOM_MATCHES} matches of {self.id} between two random"

    def prepare(self) -> None:
        load(self.id, "compiled")

    def measure(self) -> Figures:
        clock, before = perf_counter(), process_time()
        for _ in Series(self.id, ("random", "random"), games=RANDOM_MATCHES, records=False).run():
            pass
        return {PROCESSOR: process_time() - before, "s" + CLOCK: perf_counter() - clock}


@dataclass
class War:
    """A match of Casus Belli between so many programs."""

    seats: int
    cores: int = 0

    @property
    def name(self) -> str:
        return f"a war of {self.seats} programs"

    def prepare(self) -> None:
        load("casus_belli", "compiled")

    def measure(self) -> Figures:
        with tempfile.TemporaryDirectory() as folder:
            found = war(self.seats, Path(folder))
        if found["failed"]:
            raise Missing(f"{len(found['failed'])} of its programs failed: {found['failed'][0]}")
        return {TURN: found["median"], LONGEST: found["longest"]}


def main(seats: list[int]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for game in GAMES:
            figures = pipes(game, folder)
            print(f"{game:14}", "  ".join(f"{what} {value:6.0f} µs" for what, value in figures.items()), flush=True)
        for number in seats:
            found = war(number, folder)
            failed = found.pop("failed")
            print(f"{number:4} programs", json.dumps(found), f"failed: {len(failed)} {failed[:2]}", flush=True)
    print("load", os.getloadavg())


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or list(WARS))
