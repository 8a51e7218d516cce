"""A champion at a table of its own: it holds seat 0 of a hand-made position, the test plays the others."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from quincunx.games import load
from quincunx.match import Match

GAME = load("casus_belli", "interpreted")
SEALED = ["seal"]


def position(rows: str, seats: Sequence[str], start: str = "0,0", turns: str = "0/20", now: str = "0.0") -> str:
    """`seats` as a position text has them: points|palantír|zone|thief|barbarian|elf."""
    lines = rows.split()
    return " ".join([f"{len(lines[0])}x{len(lines)}", start, turns, now, "/".join(lines), "-", *seats])


def team(*units: str, points: int = 0, palantir: str = "-", zone: str = "-") -> str:
    """Each unit as `cell facing`, or with health and both cooldowns behind it."""
    written = []
    for unit in units:
        cell, facing, health, *waits = [*unit.split(), *["10", "0", "0"][len(unit.split()) - 2 :]]
        written.append(f"{cell}:{facing}:{health}:{':'.join(waits)}:{cell}:-")
    return "|".join([str(points), palantir, zone, *written])


class Seated:
    """A champion's process, told what a referee would tell it."""

    def __init__(self, command: list[str], scripts: Path) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PROBE": str(scripts)},
        )
        self.scripts = scripts
        self.unheard: list[Any] = []
        self.penumbra: list[list[str]] = []  # of its units, in a view that has it

    def begin(self, match: Match) -> None:
        self.match = match
        self._say({"type": "welcome", "game": "casus_belli", "yours": [0], "options": match.world.options, "new": 1})

    def _say(self, word: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(msgspec.json.encode(word) + b"\n")
        self.process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1].decode()
        word: dict[str, Any] = json.loads(line)
        return word

    def update(self) -> None:
        match = self.match
        story, self.unheard = self.unheard, []
        seats = range(len(match.seats))
        waited = [] if match.over else [n for n in seats if match.game.to_act(match.world, n)]
        shown = msgspec.to_builtins(match.game.show(match.game.view(match.world, 0)))
        for own, cells in zip(shown["own"], self.penumbra, strict=False):
            own["penumbra"] = cells
        self._say({"type": "update", "shown": shown, "story": story, "to_act": waited, "outcome": match.outcome})

    def script(self, name: str, *lines: str) -> None:
        (self.scripts / name).write_text("\n".join(lines), "utf-8")

    def phase(self, *others: Sequence[str]) -> list[str]:
        """Its orders, up to its seal; then the others give theirs."""
        played: list[str] = []
        while not played or played[-1] != "seal":
            self.update()
            word = self._hear()
            assert word.keys() == {"type", "id", "seat", "action"} and word["type"] == "play"
            played.append(word["action"])
            self._act(0, played[-1])
        for seat, orders in enumerate(others or [SEALED] * (len(self.match.seats) - 1), 1):
            for order in orders:
                self._act(seat, order)
        return played

    def _act(self, seat: int, order: str) -> None:
        before = self.match.world
        action = self.match.game.parse(before, seat, order)
        self.match.act(seat, action)
        self.unheard += self.match.game.apply_and_tell(self.match.game.clone(before), seat, action, 0, 0)

    def end(self) -> list[str]:
        """What it printed, line by line."""
        if self.match.over:
            self.update()
        _, notes = self.process.communicate(timeout=20)
        assert self.process.returncode == 0, notes.decode()
        return notes.decode().splitlines()


def final(text: str, seats: int = 2) -> Match:
    return Match(GAME, "final", position=text, seats=seats)
