"""Clocks: none, so long for each turn, Fischer's, or a bank of time. They advance by the times they are given.

A turn is the span in which the game waits for a seat, however many actions it takes: time is added per turn, never per
action, so that a clock does not count what the other side does out of sight.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from quincunx.core.words import Refused, Words

LONGEST = 30 * 24 * 3600 * 1000  # a month, in milliseconds
SHORT = {
    "base": Words("La réserve est trop courte : donnez aux joueurs le temps de jouer.",
                  "The reserve is too short: give the players time to play."),
    "turn": Words("Le temps par tour est trop court : donnez aux joueurs le temps de jouer.",
                  "The time per turn is too short: give the players time to play."),
}  # fmt: skip
LONG = {
    "base": Words("La réserve dépasse 30 jours.", "The reserve is over 30 days."),
    "turn": Words("Le temps par tour dépasse 30 jours.", "The time per turn is over 30 days."),
}


class ClockRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`none`; `move`: `turn` for each turn; `fischer`: `base`, and `turn` more after each turn; `bank`: `turn` for each
    turn, and what is over that comes out of `base`. All in milliseconds."""

    kind: Literal["none", "move", "fischer", "bank"] = "none"
    base: int = 0
    turn: int = 0

    def check(self) -> None:
        needs = {"none": (), "move": ("turn",), "fischer": ("base",), "bank": ("base", "turn")}[self.kind]
        for name in ("base", "turn"):
            value = getattr(self, name)
            if value < (name in needs):
                raise Refused("unreadable", SHORT[name], "clock")
            if value > LONGEST:
                raise Refused("unreadable", LONG[name], "clock")


class Clock:
    """The time of one seat."""

    def __init__(self, rule: ClockRule) -> None:
        self.rule = rule
        self.left = {"none": 0, "move": rule.turn, "fischer": rule.base, "bank": rule.base}[rule.kind]
        self.since: int | None = None  # when the turn began

    def begin(self, at: int) -> None:
        """The game waits for this seat from now on."""
        if self.since is None:
            self.since = at

    def end(self, at: int) -> None:
        """The turn is over."""
        if self.since is None:
            return
        used = max(0, at - self.since)
        self.since = None
        if self.rule.kind == "fischer":
            self.left = max(0, self.left - used) + self.rule.turn
        elif self.rule.kind == "bank":
            self.left -= max(0, used - self.rule.turn)
            self.left = max(0, self.left)

    def fall(self) -> None:
        """The flag has fallen: nothing is left, and nothing is added."""
        self.since = None
        self.left = 0

    def deadline(self) -> int | None:
        """When the flag falls, if the turn goes on."""
        if self.since is None or self.rule.kind == "none":
            return None
        return self.since + self.left + (self.rule.turn if self.rule.kind == "bank" else 0)

    def shown(self, at: int) -> int | None:
        """Milliseconds that are left at a time; None without a clock."""
        if self.rule.kind == "none":
            return None
        deadline = self.deadline()
        return self.left if deadline is None else max(0, deadline - at)
