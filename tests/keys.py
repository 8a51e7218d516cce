"""Ten fingers on a board: an action becomes the keys that a person would press, arrow by arrow, and nothing is typed.

fingers = Fingers(screen, "khet")
fingers.play("B4-C4", shown)      # walks to B4, Enter, walks to C4, Enter, Space
"""

from __future__ import annotations

import re
from typing import Any

from browser import Screen

NAMED = {"khet": "data-square", "cultist": "data-name"}  # how cells say their name; the others: data-cell
ARROWS = {"N": "ArrowUp", "E": "ArrowRight", "S": "ArrowDown", "W": "ArrowLeft"}
WAYS = {"north": "N", "east": "E", "south": "S", "west": "W"}
LETTERS = {
    "end": "e", "sky": "s", "candy": "c", "barbecue": "b", "pool": "p", "pillage": "l", "poison": "o", "forge": "g",
    "immobilise": "i", "shelter": "a",
}  # fmt: skip
NEXT = """([name, to]) => {
  const here = document.activeElement?.closest('[role=gridcell]');
  if (!here) return 'Tab';
  if (here.getAttribute(name) === to) return '';
  const there = document.querySelector(`[role=gridcell][${name}="${to}"]`);
  const middle = (cell) => { const box = cell.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2, box.width / 4]; };
  const numbers = (text) => [...text.split(',').map(Number), 0.5];
  const [x, y, near] = there ? middle(here) : numbers(here.getAttribute(name));
  const [tx, ty] = there ? middle(there) : numbers(to);
  if (Math.abs(ty - y) > near) return ty > y ? 'ArrowDown' : 'ArrowUp';
  return tx > x ? 'ArrowRight' : 'ArrowLeft';
}"""


class Fingers:
    def __init__(self, screen: Screen, game: str) -> None:
        self.screen, self.game = screen, game

    def press(self, *keys: str) -> None:
        for key in keys:
            self.screen.page.keyboard.press(key)

    def play(self, action: str, shown: dict[str, Any]) -> None:
        self.press("Escape", "Escape")  # whatever was selected
        getattr(self, f"_{self.game}")(action, shown)

    def go(self, cell: str) -> None:
        """Walks the cursor to a cell; Tab leads into the board."""
        for _ in range(120):
            key = self.screen.page.evaluate(NEXT, [NAMED.get(self.game, "data-cell"), cell])
            if not key:
                return
            self.press(key)
        raise AssertionError(f"no key leads to {cell}")

    def pick(self, *cells: str) -> None:
        for cell in cells:
            self.go(cell)
            self.press("Enter")

    def shows(self, selector: str) -> bool:
        return self.screen.page.locator(selector).count() > 0

    def _connect_four(self, action: str, shown: dict[str, Any]) -> None:
        self.pick(f"{'abcdefg'.index(action)},{len(action)}")

    def _khet(self, action: str, shown: dict[str, Any]) -> None:
        start, rest = action[:2], action[2:]
        self.pick(start)
        if rest in ("+", "-"):
            self.press("e" if rest == "+" else "q")
        else:
            self.pick(rest[1:])
        self.press("Space")

    def _cultist(self, action: str, shown: dict[str, Any]) -> None:
        if action == "WAIT":
            return self.press("w", "Enter")
        cells = {unit["id"]: unit for unit in shown["units"]}
        unit, verb, first, *second = re.split("[ ,]", action)
        self.pick(cells[int(unit)]["cell"])
        victim = cells.get(int(first)) if not second else None
        if victim and verb == "SHOOT" and victim["owner"] == cells[int(unit)]["owner"]:
            self.press("t")
        self.pick(str(victim["cell"]) if victim else f"{first},{second[0]}")
        if self.shows("button.yes"):  # a shot that is seldom meant
            self.press("Enter")

    def _chartichaud(self, action: str, shown: dict[str, Any]) -> None:
        verb, *rest = action.split()
        if verb == "end":
            self.press("e")
            return self.press("e") if self.shows(".turn [role=alert]") else None
        self.pick(rest[0] if verb in ("harvest", "build") else rest[1])
        if verb == "move":
            self.press(str(("civilian", "military", "building").index(rest[0]) + 1))
            while self.screen.page.locator(".many output").inner_text() != "1":
                self.press("-")
            self.press(f"Shift+{ARROWS[WAYS[rest[2]]]}")
        else:
            self.press({"harvest": "h", "build": "b", "recruit": rest[0][0]}[verb])

    def _garden(self, action: str, shown: dict[str, Any]) -> None:
        power, _, cells = action.rpartition(" ") if " " in action else ("", "", action)
        if action in LETTERS:
            self.press(LETTERS[action])
        elif "+" in action:
            self.pick(action[:2])
            self.press(action[3:])
        else:
            if power:
                self.press(LETTERS[power])
            self.pick(*cells.split("-"))
        if self.shows(".bar .main") and not self.shows(".bar .main kbd"):  # a question
            self.press("Enter")

    def _casus_belli(self, action: str, shown: dict[str, Any]) -> None:
        role, what, *rest = [*action.split(), ""]
        if role == "seal":
            return self.press("s", "Enter")
        number = str(("thief", "barbarian", "elf").index(role) + 1)
        self.press(number)
        if not self.shows(".champion[aria-pressed=true]"):
            self.press(number)
        if what in ("path", "face"):
            steps = rest[0] if what == "path" else ""
            self.press(*(ARROWS[step] for step in steps))
            facing = rest[0] if what == "face" else rest[2] if "face" in rest else ""
            return self.press(f"Shift+{ARROWS[facing]}" if facing else "Enter")
        self.press({"attack": "a", "hold": "h", "palantir": "x", "bastoooon": "x", "reveal": "x"}.get(what, "c"))
        if rest[0]:
            self.pick(rest[0])
