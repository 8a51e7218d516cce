"""What the bot knows when it is to act. There is nothing to change here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class View:
    game: str = ""
    options: dict[str, Any] = field(default_factory=dict)  # of the match
    lists_all: bool = True  # False: other actions of the game's notation than the listed ones are legal, too
    seat: int = 0  # yours, from 0
    first: bool = True  # the first choice of a match: forget what you remember
    shown: dict[str, Any] = field(default_factory=dict)  # what you see of the game
    legal: list[str] = field(default_factory=list)  # the actions that you may play now
    story: list[dict[str, Any]] = field(default_factory=list)  # what happened since the last view
    clock: int | None = None  # your milliseconds, if there is a clock

    def greet(self, welcome: dict[str, Any]) -> None:
        self.game = welcome["game"]
        self.options = welcome.get("options", {})
        self.lists_all = welcome.get("lists_all", True)
        self.seat = welcome["yours"][0]

    def see(self, update: dict[str, Any]) -> None:
        self.shown = update["shown"]
        self.legal = update["legal"]
        self.story = update.get("story", [])
        clocks = update.get("clocks") or []
        self.clock = clocks[self.seat] if self.seat < len(clocks) else None
