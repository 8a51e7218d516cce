"""A match of every game at one computer, from the first turn to the result, on the board, with the keyboard alone.

Under fog the screen is handed over between the turns, and whenever nobody holds it the page has nothing of either seat.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from browser import Screen, Visitor
from keys import Fingers
from test_pages import ADA, BOB, LAZY, current, facts, server, shortest_khet  # noqa: F401
from test_server import Client, Server

pytestmark = pytest.mark.slow

MATCHES: dict[str, dict[str, Any]] = {
    "connect_four": {},
    "khet": {},
    "cultist": {"turns": 40},
    "chartichaud": {"width": 6, "height": 5, "turns": 12},
    "garden": {"rounds": 10},
    "casus_belli": {"seats": 2, "width": 9, "height": 9, "placement": 0, "turns": 21},
}
HASTE = {"chartichaud": 5, "garden": 5, "casus_belli": 2}  # every so many actions end a turn
KINDS = {  # of actions that a match of these must have seen
    "connect_four": {"drop"},
    "khet": {"step", "turn"},
    "cultist": {"MOVE", "SHOOT", "CONVERT", "WAIT"},
    "chartichaud": {"move", "harvest", "build", "recruit", "end"},
    "garden": {"place", "move", "end"},
    "casus_belli": {"path", "face", "attack", "palantir", "treachery", "bastoooon", "fus", "reveal", "loto", "seal"},
}


def kind(game: str, action: str) -> str:
    if game == "connect_four":
        return "drop"
    if game == "khet":
        return "turn" if action[2:] in "+-" else "step"
    if game == "garden":
        return "place" if "+" in action else "move" if "-" in action[:3] else action.split()[0]
    return next(word for word in re.split(r"[ \d,]+", action) if word and word not in ("thief", "barbarian", "elf"))


class Curious:
    """Plays what it played least, and ends every turn soon."""

    def __init__(self, game: str, seed: int = 3) -> None:
        self.game, self.played, self._random, self._acted = game, Counter[str](), random.Random(seed), 0
        self._script = shortest_khet(least=12) if game == "khet" else []

    def choose(self, legal: list[str]) -> str:
        self._acted += 1
        if self._script:
            action = self._script.pop(0)
        elif LAZY.get(self.game) in legal and self._acted % HASTE[self.game] == 0:
            action = LAZY[self.game]
        else:
            rare = min((kind(self.game, each) for each in legal), key=self._weariness)
            action = self._random.choice([each for each in legal if kind(self.game, each) == rare])
        self.played[kind(self.game, action)] += 1
        return action

    def _weariness(self, kind: str) -> int:
        return self.played[kind] * (20 if kind == "WAIT" else 1)


class Table:
    """Two people and one screen, and a client beside it for each seat, which knows what may be done."""

    def __init__(self, running: Server, screen: Screen, game: str) -> None:
        made = running.make(game, ADA, BOB, options=MATCHES[game], seed=SEEDS.get(game, 1))
        self.game, self.screen, self.fingers = game, screen, Fingers(screen, game)
        self.eyes: dict[int, Client] = {held["seat"]: running.sit(made["id"], held["token"]) for held in made["seats"]}
        self.handed = 0
        screen.sit(made["id"], *made["seats"], server=running)

    def play_to_the_end(self, curious: Curious) -> None:
        for _ in range(400):
            seat = self._ready()
            if seat is None:
                return
            now = current(self.eyes[seat])
            self._act(seat, curious.choose(now["legal"]), now)
        raise AssertionError("the match does not end")

    def _act(self, seat: int, action: str, before: dict[str, Any]) -> None:
        for _ in range(5):  # whoever presses before the page shows the new turn, presses again
            self.fingers.play(action, before["shown"])
            for _ in range(30):
                if current(self.eyes[seat])["n"] != before["n"]:
                    return
                self.screen.page.wait_for_timeout(50)
        raise AssertionError(f"the keys for {action} do nothing")

    def _ready(self) -> int | None:
        """The seat that has the screen and something to do, after the hand-overs; None once the match is over."""
        for _ in range(1000):
            said = self.screen.page.evaluate(STATE)
            if said["over"]:
                return None
            if said["button"]:
                if said["button"].startswith("I am"):
                    self._nothing_shows()
                self.screen.page.keyboard.press(said["way"])
            else:
                for seat, eye in self.eyes.items():
                    if said["seat"] == NAMES[seat] and len(current(eye)["legal"]) == said["count"]:
                        return seat
            self.screen.page.wait_for_timeout(20)
        raise AssertionError(f"nobody can act: {said}")

    def _nothing_shows(self) -> None:
        self.handed += 1
        hidden = [fact for eye in self.eyes.values() for fact in facts(current(eye)["shown"])]
        source = self.screen.page.content()
        assert hidden and not any(fact in source for fact in hidden)
        assert not self.screen.page.locator("[role=grid], aside, li").count()


NAMES = {0: "Ada", 1: "Bob"}
SEEDS = {"chartichaud": 6, "garden": 3}  # of matches that see everything
STATE = """() => {
  const wanted = /^(I am|Begin my turn|Pass the screen)/;
  const button = [...document.querySelectorAll('button')].find((each) => wanted.test(each.textContent.trim()));
  const heading = document.querySelector('.status h1')?.textContent ?? '';
  const lists = [...document.querySelectorAll('summary')].map((each) => each.textContent);
  const said = lists.find((each) => each.includes('possible move')) ?? '';
  return {
    over: !!document.querySelector('#result'),
    button: button?.textContent.trim() ?? '',
    way: button && document.activeElement !== button ? 'Tab' : 'Enter',
    seat: heading.replace(' to play', '').split(', ')[0],
    count: said.startsWith('The only') ? 1 : Number(said.match(/[0-9]+/)?.[0] ?? -1),
  };
}"""


@pytest.mark.parametrize("game", MATCHES)
def test_a_match_is_played_on_the_board_by_keys_alone(server: Server, visitor: Visitor, game: str) -> None:  # noqa: F811
    table, curious = Table(server, visitor(), game), Curious(game)
    table.play_to_the_end(curious)
    assert set(curious.played) >= KINDS[game]
    assert table.handed > 4 or game not in ("chartichaud", "casus_belli")
    keyboard = table.screen.page.keyboard
    while str(table.screen.page.evaluate("() => document.activeElement.textContent")) != "Replay":
        keyboard.press("Tab")
    keyboard.press("Enter")
    table.screen.page.wait_for_url("**/replay/**")
