"""The text protocol of Cultist Wars, so that a program written for that site plays here as it is.

    at first            0                        its seat
                        13 7                     width and height
                        .....x…                  seven rows, x an obstacle
    every turn          14                       living units, then each of them by number:
                        0 1 10 0 3 0             number, 1 a leader, HP, x, y, owner (2 nobody)
    it answers          WAIT | 0 MOVE 3 4 | 5 SHOOT 9 | 0 CONVERT 4

A second for the first turn, 50 ms for the others. A line that means nothing, or time that runs out, loses at once. One
that was not asked for answers the next question, which is asked nevertheless. On Node a program finds the functions of
the site (codingame.cjs).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from quincunx.core.words import Words
from quincunx.match.wire import Update, Welcome

GAME, PRESET = "cultist", "codingame"
WIDTH, HEIGHT = 13, 7
SITE = Path(__file__).with_name("codingame.cjs")


class CodinGameDialogue:
    turn: float | None = 0.05
    start: float | None = 0.95
    ahead = False

    def __init__(self) -> None:
        self._begun = False

    @property
    def environment(self) -> Mapping[str, str]:
        options = os.environ.get("NODE_OPTIONS", "")
        return {"NODE_OPTIONS": f'{options} --require "{SITE}"'.lstrip()}

    def begin(self, welcome: Welcome) -> bytes:
        return b""  # it is told with the first turn

    def ask(self, update: Update) -> bytes:
        lines = [] if self._begun else self._first(update)
        self._begun = True
        units = sorted(_plain(update)["units"], key=lambda unit: unit["id"])
        lines.append(str(len(units)))
        for unit in units:
            x, y = unit["cell"].split(",")
            lines.append(f"{unit['id']} {int(unit['leader'])} {unit['hp']} {x} {y} {unit['owner']}")
        return "".join(f"{line}\n" for line in lines).encode()

    def _first(self, update: Update) -> list[str]:
        rows = [["."] * WIDTH for _ in range(HEIGHT)]
        for obstacle in _plain(update)["obstacles"]:
            x, y = map(int, obstacle["cell"].split(","))
            rows[y][x] = "x"
        return [str(update.observer), f"{WIDTH} {HEIGHT}", *("".join(row) for row in rows)]

    def hear(self, line: bytes) -> str | None:
        return line.decode(errors="replace")

    def accept(self) -> bytes:
        return b""

    def refuse(self, code: str, words: Words) -> bytes | None:
        return None

    def end(self, update: Update) -> bytes:
        return b""


def _plain(update: Update) -> dict[str, Any]:
    """What it is shown, whether it comes from a game beside us or over the network."""
    shown: dict[str, Any] = msgspec.to_builtins(update.shown)
    return shown
