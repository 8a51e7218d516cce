"""The sessions of docs/bots.*.md: in every game a small program plays a match to its end, and what was said is written
down, shortened, between the marks of the page, and whole in docs/sessions.

python tools/bot_sessions.py           a test compares

The program is a process like any other; it notes every line that it hears and says. Only the name of the match and the
milliseconds of its clock, which are never the same twice, are replaced.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from quincunx.games import load
from quincunx.match import Match, Seat
from quincunx.players.player import Player
from quincunx.players.programs.naming import make_program
from quincunx.players.programs.program import Program, closing_programs
from quincunx.players.roster import make
from quincunx.players.table import Table

ROOT = Path(__file__).resolve().parent.parent
FILES = ROOT / "docs" / "sessions"
PAGES = {language: ROOT / "docs" / f"bots.{language}.md" for language in ("en", "fr")}
MARK = re.compile(r"(<!-- session (\w+) -->\n)(.*?)(<!-- /session -->)", re.DOTALL)
LEFT_OUT = {"en": "⋮   {} more lines", "fr": "⋮   encore {} lignes"}
WIDTH = 116
HEARD, SAID = "▶ ", "◀ "

PROGRAM = """
import json, random, sys
opening, then, notes = json.loads(sys.argv[1]), sys.argv[2], open(sys.argv[3], "w")
dice, plays, seat, legal = random.Random(5), 0, 0, []

def message(action):
    global plays
    if action == "resign":
        return {"type": "ask", "seat": seat, "what": "resign"}
    plays += 1
    return {"type": "play", "id": str(plays), "seat": seat, "action": action}

for line in sys.stdin:
    print(line, end="", file=notes, flush=True)
    heard = json.loads(line)
    if heard["type"] == "welcome":
        seat = heard["yours"][0]
    if heard["type"] == "update":
        legal = heard["legal"] if seat in heard["to_act"] else []
    if heard["type"] in ("update", "refused") and legal:
        actions = opening.pop(0) if opening else [then if then in [*legal, "resign"] else dice.choice(legal)]
        said = "".join(json.dumps(message(action), separators=(",", ":")) + "\\n" for action in actions)
        for out in (notes, sys.stdout):
            print(said, end="", file=out, flush=True)
"""


@dataclass(frozen=True)
class Session:
    """A match, and what of it is shown."""

    opening: list[list[str]]  # answers, those of one write together; then `then`, or any legal action
    fields: tuple[str, ...]  # of `shown`
    then: str = ""  # afterwards this, wherever it is legal
    against: str = "random"
    seed: int = 1
    lines: int = 8  # of the dialogue that stand there, before those that are left out
    options: dict[str, Any] = field(default_factory=dict)


SESSIONS = {
    "connect_four": Session([["h"], ["d"], ["d"], ["d"], ["d"]], ("columns", "count", "player"), lines=7),
    "khet": Session([["F4-F3"], ["J4+"]], ("pieces", "player", "beams", "leaves"), against="greedy", lines=5),
    "cultist": Session(
        [["0 CONVERT 3"], ["3 MOVE 2 3"]],
        ("units", "counts", "turn", "turns", "player"),
        lines=5,
        options={"turns": 12},
    ),
    "chartichaud": Session(
        [["build 0,0"], ["recruit military 0,0"], ["end"]],
        ("turn", "player", "points", "purse", "places"),
        then="end",
        lines=8,
        options={"turns": 6, "width": 8, "height": 6},
    ),
    "garden": Session(
        [["a3-b3"], ["end"], ["b3+1"], ["a3+1"], ["end"]],
        ("hexes", "players", "player", "phase", "round"),
        then="resign",
        lines=9,
    ),
    "casus_belli": Session(
        [["thief path EE", "elf path NN face S", "seal"], ["seal"], ["seal"], ["barbarian path SS", "seal"], ["seal"]],
        ("start", "turn", "turns", "phase", "points", "sealed", "units", "own"),
        then="resign",
        lines=9,
        options={"seats": 2, "width": 11, "height": 11, "turns": 21},
    ),
}


@cache
def dialogue(game: str) -> list[tuple[bool, dict[str, Any]]]:
    """A whole match as the program has it: what it said (True) and what it heard, in order."""
    session, rules = SESSIONS[game], load(game, "interpreted")
    seats = [Seat("ada", "bot:ada"), Seat(session.against, session.against)]
    match = Match(rules, seed=session.seed, dice=session.seed, players=seats, **session.options)
    with tempfile.TemporaryDirectory() as folder:
        bot, notes = Path(folder, "bot.py"), Path(folder, "notes")
        bot.write_text(PROGRAM, encoding="utf-8")
        command = [sys.executable, str(bot), json.dumps(session.opening), session.then, str(notes)]
        program = make_program(f"program:{shlex.join(command)}", rules)
        players: list[Player | Program | None] = [program, make(session.against, rules, session.seed)]
        with closing_programs([program]):
            Table(match, players).play()
        lines = notes.read_text("utf-8").splitlines()
    return [(message["type"] in ("play", "ask"), message) for message in map(json.loads, lines)]


def whole(game: str) -> str:
    """The session as a file: a line for each message, under who said it."""
    lines = [{"program" if said else "referee": _same_each_time(message)} for said, message in dialogue(game)]
    return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)


def _same_each_time(message: dict[str, Any]) -> dict[str, Any]:
    """A message without what would be different next time."""
    told = dict(message)
    if told["type"] == "welcome":
        told["match"] = "9f86d081884c7d65"
    if told["type"] == "update":
        told["clocks"] = [None if left is None else 5000 for left in told["clocks"]]
    return told


# -- as the page has it ---------------------------------------------------------------------------------------------


def block(game: str, language: str) -> str:
    """The session as text: its beginning, and its end."""
    session, whole = SESSIONS[game], dialogue(game)
    shown, last = whole[: session.lines], whole[-2:]
    left_out = LEFT_OUT[language].format(len(whole) - len(shown) - len(last))
    lines = [*_written(shown, session), left_out, *_written(last, session)]
    return "```\n" + "\n".join(lines) + "\n```\n"


def _written(messages: list[tuple[bool, dict[str, Any]]], session: Session) -> Iterator[str]:
    for said, message in messages:
        first, *more = _wrapped(_text(_kept(message, session)))
        yield (SAID if said else HEARD) + first
        yield from ("  " + line for line in more)


SHORT = {  # what of a long message is shown, where it says something
    "welcome": ("type", "match", "game", "yours", "fog", "options", "clock", "protocol", "lists_all"),
    "update": ("type", "n", "observer", "shown", "story", "legal", "to_act", "clocks", "outcome", "why"),
}


def _kept(message: dict[str, Any], session: Session) -> dict[str, Any]:
    """A message without most of what is there every time."""
    told = _same_each_time(message)
    if told["type"] == "update":
        told["shown"] = _some(told["shown"], session.fields)
        told = {name: value for name, value in told.items() if value is not None or name not in ("outcome", "why")}
    return _some(told, SHORT.get(told["type"], tuple(told)))


def _some(value: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """These fields of it, in its own order; the others are one `…`."""
    kept = {name: each for name, each in value.items() if name in names}
    return kept if len(kept) == len(value) else {**kept, "…": None}


def _text(value: Any, depth: int = 0) -> str:
    """As JSON, but for what was left out."""
    if isinstance(value, dict):
        most = len(value) if depth < 2 else 8
        named = [(name, each) for name, each in value.items() if name != "…"][:most]
        parts = [f"{json.dumps(name)}:{_text(each, depth + 1)}" for name, each in named]
        return "{" + ",".join(parts + ["…"] * (len(parts) < len(value))) + "}"
    if isinstance(value, list):
        most = 1 if value and isinstance(value[0], dict) else 7
        parts = [_text(each, depth + 1) for each in value[:most]]
        return "[" + ",".join(parts + ["…"] * (len(parts) < len(value))) + "]"
    return json.dumps(value, ensure_ascii=False)


def _wrapped(text: str) -> list[str]:
    """In lines of a page, broken after commas that stand outside of texts."""
    lines, start, comma, quoted = [], 0, 0, False
    for k, sign in enumerate(text):
        if sign == '"' and text[k - 1] != "\\":
            quoted = not quoted
        if k - start >= WIDTH and comma > start:
            lines.append(text[start:comma])
            start = comma
        if sign == "," and not quoted:
            comma = k + 1
    return [*lines, text[start:]]


def written(language: str) -> str:
    """The page with its sessions."""
    page = PAGES[language].read_text("utf-8")
    return MARK.sub(lambda found: found[1] + block(found[2], language) + found[4], page)


if __name__ == "__main__":
    for language, page in PAGES.items():
        page.write_text(written(language), encoding="utf-8")
    FILES.mkdir(exist_ok=True)
    for game in SESSIONS:
        (FILES / f"{game}.jsonl").write_text(whole(game), encoding="utf-8")
