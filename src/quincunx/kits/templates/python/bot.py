"""The bot: one JSON message a line on stdin and stdout, until stdin ends. What to play is asked in idea.py.

There is nothing to change here.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any, TextIO

from idea import choose
from view import View


class Bot:
    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.view = View()
        self.plays = 0
        self.tried: list[str] = []  # since the last update

    def hear(self, message: dict[str, Any]) -> None:
        kind = message.get("type")
        if kind == "welcome":  # a match begins
            self.view = View()
            self.view.greet(message)
        elif kind == "update":
            self.view.see(message)
            self.tried = []
            if self.view.seat in message["to_act"] and not message.get("outcome"):
                self.play(choose(self.view))
                self.view.first = False
        elif kind == "refused" and message.get("id") == str(self.plays) and self.tried:
            print("refused:", self.tried[-1], message.get("words"), file=sys.stderr)
            others = [action for action in self.view.legal if action not in self.tried]
            self.play(random.choice(others or self.view.legal))

    def play(self, action: str) -> None:
        self.plays += 1
        self.tried.append(action)
        said = {"type": "play", "id": str(self.plays), "seat": self.view.seat, "action": action}
        print(json.dumps(said), file=self.out, flush=True)


def main() -> None:
    bot = Bot(sys.stdout)
    sys.stdout = sys.stderr  # what an idea prints is not part of the dialogue
    for line in sys.stdin.buffer:
        if line.strip():
            bot.hear(json.loads(line))


if __name__ == "__main__":
    main()
