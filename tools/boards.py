"""The live boards of the rules: what every ```board block of docs/rules shows, played by the rules themselves.

python tools/boards.py           writes web/src/games/<id>/rules.json; a test compares

A block says where it begins and what is played, one thing a line:

    ```board
    position: 10/10/…            or setup: classic, or nothing for the game's own start; preset:, seed: as well
    options: turns=20 draws=off
    eye: 0                       whose eyes; the public's otherwise
    play: H2-G1; F8-F7           by whoever is to act, dice included; `1: F8-F7` names the seat
    caption: The piece goes, then the beam.
    record: records/khet.json    instead of all but eye and caption: a match in docs/, played through
    ```
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from quincunx.core.contract import PUBLIC
from quincunx.games import Game, World, load
from quincunx.match import decode
from quincunx.server.frames import standing

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "docs" / "rules"
FENCE = re.compile(r"^```board\n(.*?)^```", re.MULTILINE | re.DOTALL)
KEYS = {"position", "setup", "preset", "seed", "options", "eye", "play", "caption", "record"}


def blocks(game: str) -> dict[str, dict[str, str]]:
    """Of both languages, by their names; the same board with two captions is one."""
    found: dict[str, dict[str, str]] = {}
    for file in sorted(RULES.glob(f"{game}.*.md")):
        for text in FENCE.findall(file.read_text("utf-8")):
            lines = [line for line in text.strip().splitlines() if not line.startswith("caption:")]
            found[sha256("\n".join(lines).encode()).hexdigest()[:12]] = said(lines, file)
    return found


def said(lines: list[str], file: Path) -> dict[str, str]:
    found = {}
    for line in lines:
        key, colon, value = line.partition(":")
        if not colon or key not in KEYS:
            raise SystemExit(f"{file.name}: expected one of {sorted(KEYS)} but got {line!r}")
        found[key] = value.strip()
    return found


def begun(game: Game, said: dict[str, str]) -> World:
    """Where a board begins."""
    words = (word.partition("=") for word in said.get("options", "").split())
    options: dict[str, Any] = {name: _value(value) for name, _, value in words}
    setup, position, seed = said.get("setup"), said.get("position"), int(said.get("seed", "1"))
    return game.new(said.get("preset"), setup=setup, position=position, seed=seed, **options)


def shown(id: str, said: dict[str, str]) -> dict[str, Any]:
    """The frames of one board, as the pages draw them."""
    game = load(id, "interpreted")
    played = list(_played(said.get("play", "")))
    if "record" in said:
        record = decode((RULES.parent / said["record"]).read_bytes())
        played = [(entry.seat, entry.action) for entry in standing(record.entries)]
        options: dict[str, Any] = dict(record.options)
        world = game.new(position=record.start, **options)
    else:
        world = begun(game, said)
    eye = int(said.get("eye", PUBLIC))
    frames: list[Any] = [{"shown": game.show(game.view(world, eye)), "story": []}]
    for number, (seat, text) in enumerate(played):
        who = game.turn(world) if seat is None else seat
        action = game.parse(world, who, text)
        refusal = game.check(world, who, action)
        if refusal:
            raise SystemExit(f"{id}: {text!r}: {refusal.words.en}")
        story = game.apply_and_tell(world, who, action, eye, number)
        frames.append({"shown": game.show(game.view(world, eye)), "story": story})
    return {"seats": game.seats(world), "eye": eye, "options": world.options, "frames": frames}


def _played(text: str) -> Iterator[tuple[int | None, str]]:
    for part in filter(None, (part.strip() for part in text.split(";"))):
        named = re.fullmatch(r"(-?\d+): (.*)", part)
        yield (int(named[1]), named[2]) if named else (None, part)


def _value(text: str) -> bool | int | str:
    if text in ("on", "off"):
        return text == "on"
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def written(game: str) -> bytes:
    found = {name: shown(game, said) for name, said in blocks(game).items()}
    return msgspec.json.encode(dict(sorted(found.items()))) + b"\n"


def file_of(game: str) -> Path:
    return ROOT / "web" / "src" / "games" / game / "rules.json"


def games() -> list[str]:
    return sorted({file.name.split(".")[0] for file in RULES.glob("*.md")})


def main() -> None:
    for game in games():
        if blocks(game):
            file_of(game).write_bytes(written(game))
            print(f"{game}: {len(blocks(game))} boards, {file_of(game).stat().st_size} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
