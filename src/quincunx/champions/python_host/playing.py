"""The dialogue: the bot protocol on one side, the champion's five functions on the other.

    welcome                   a new match
    update                    the first one: the champion's file is run afresh, with all calls answered, then
                              partie_init; each phase once: the function of that phase, then its orders,
                              one for each update, and `seal`
    update with an outcome    partie_fin

What the champion prints goes to stderr. An error that it does not catch is printed there too, and the orders that it
had given before stand, as in the contest.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
import types
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from types import CodeType
from typing import Any, BinaryIO, cast

from .answers import CALLS, Answers, truncating
from .contest import names
from .old_python import compiled

FUNCTIONS = ("partie_init", "jouer_placement", "jouer_deplacement", "jouer_attaque", "partie_fin")
BY_PHASE = {"placement": "jouer_placement", "moves": "jouer_deplacement", "attacks": "jouer_attaque"}
AS_IN_THE_FINAL = {
    "order": "moves_first", "cooldowns": "short", "bastoooon": "plus", "loto": "anywhere", "vision": "wide",
}  # fmt: skip


class Champion:
    """A champion's file, run for one match."""

    def __init__(self, file: Path, code: CodeType, answers: Answers) -> None:
        calls = {name: truncating(getattr(answers, name)) for name in CALLS}
        api = types.ModuleType("api")
        api.__dict__.update(names(), **calls)
        sys.modules["api"] = sys.modules["_api"] = api
        self._known = set(sys.modules)
        module = types.ModuleType(file.stem)
        module.__dict__.update({name: value for name, value in vars(api).items() if not name.startswith("__")})
        module.__file__ = str(file)
        sys.modules[file.stem] = module
        exec(code, module.__dict__)
        self.functions: dict[str, Callable[[], object]] = {}
        for name in FUNCTIONS:
            if callable(found := module.__dict__.get(name)):
                self.functions[name] = found
            else:
                print(f"{file.name} does not define {name}().", file=sys.stderr)

    def ask(self, name: str) -> None:
        try:
            self.functions.get(name, lambda: None)()
        except Exception:
            traceback.print_exc()

    def leave(self) -> None:
        """Forgets the modules that it brought along: the next match must not find anything of this one."""
        for name in set(sys.modules) - self._known:
            del sys.modules[name]


class Dialogue:
    def __init__(self, file: Path, out: BinaryIO) -> None:
        self.file, self.out = file, out
        self.code: CodeType | None = None  # of the champion, in a match
        self.champion: Champion | None = None
        self.answers = Answers(0)
        self.asked: tuple[int, str] | None = None  # the turn and the phase
        self.waiting: list[str] = []  # orders to send
        self.sent = 0

    def hear(self, word: dict[str, Any]) -> None:
        kind = word.get("type")
        if kind == "welcome":
            self._begin(word)
        elif kind == "update" and self.code is not None:
            self._update(self.code, word)
        elif kind == "refused":
            print(f"refused: {word.get('code')}", file=sys.stderr)
            self._send()

    def _begin(self, welcome: dict[str, Any]) -> None:
        self.end()
        if welcome["game"] != "casus_belli":
            raise SystemExit(f"A champion of the contest plays casus_belli, not {welcome['game']}.")
        options = welcome.get("options", {})
        if other := [name for name, value in AS_IN_THE_FINAL.items() if options.get(name, value) != value]:
            raise SystemExit(f"A champion of the contest plays the preset `final`; these options differ: {other}.")
        self.answers, self.asked, self.waiting = Answers(welcome["yours"][0]), None, []
        self.code = compiled(self.file)

    def _update(self, code: CodeType, update: dict[str, Any]) -> None:
        self.answers.take(update["shown"], update.get("story", ()))
        if self.champion is None:
            self.champion = Champion(self.file, code, self.answers)
            self.champion.ask("partie_init")
        if update.get("outcome") is not None:
            self.end()
        elif self.answers.seat in update["to_act"]:
            phase: str = update["shown"]["phase"]
            now = (update["shown"]["turn"], phase)
            if now != self.asked:
                self.asked, self.answers.orders = now, {}
                self.champion.ask(BY_PHASE[phase])
                self.waiting = [*self.answers.orders.values(), "seal"]
            self._send()

    def _send(self) -> None:
        if self.waiting:
            self.sent += 1
            play = {"type": "play", "id": str(self.sent), "seat": self.answers.seat, "action": self.waiting.pop(0)}
            self.out.write(json.dumps(play).encode() + b"\n")
            self.out.flush()

    def end(self) -> None:
        if self.champion is not None:
            self.champion.ask("partie_fin")
            self.champion.leave()
        self.code = self.champion = None


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python_host FILE.py", file=sys.stderr)
        return 2
    file = Path(arguments[0]).resolve()
    sys.path[0], sys.argv = str(file.parent), [str(file)]
    into, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # the dialogue is ours alone
    os.dup2(2, 1)
    cast(TextIOWrapper, sys.stdout).reconfigure(line_buffering=True)
    dialogue = Dialogue(file, out)
    for line in into:
        dialogue.hear(json.loads(line))
    dialogue.end()
    return 0
