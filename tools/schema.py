"""Writes web/src/lib/api/openapi.json: what REST, the WebSocket and each game's views say, for the types of the pages;
docs/protocol.schema.json, the same words for programs, as `quincunx schema` prints them; and facts.json of each game's
pages: prices and other numbers of the rules that they need, its view.FACTS.

python tools/schema.py, then `npm run types` in web/. A test compares the files with what this would write now.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from settled import IDS

from quincunx.games import cards, package
from quincunx.match.schema import REF, document, of_game, words
from quincunx.server.app import application

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web" / "src"
FILE = WEB / "lib" / "api" / "openapi.json"
PROTOCOL = ROOT / "docs" / "protocol.schema.json"
PAGES = WEB / "games"

__all__ = ["FILE", "PAGES", "PROTOCOL", "REF", "facts", "protocol", "schema", "with_pages"]


def schema() -> str:
    whole: dict[str, Any] = json.loads(msgspec.json.encode(application(":memory:").openapi_schema.to_schema()))
    known: dict[str, Any] = whole["components"]["schemas"]
    known.update(words())
    for game in with_pages():
        known.update(of_game(game))
    return _text(whole)


def protocol() -> str:
    return _text(document(IDS))


def facts() -> dict[Path, str]:
    """The files of numbers that pages would otherwise hold as copies."""
    found = {game: getattr(import_module(f"{package(game).__name__}.view"), "FACTS", None) for game in with_pages()}
    return {
        PAGES / game / "facts.json": json.dumps(said, indent=2, ensure_ascii=False) + "\n"
        for game, said in found.items()
        if said is not None
    }


def with_pages() -> list[str]:
    """The games that draw what they are shown; the others are drawn by the generic board, which needs no types."""
    return [card.id for card in cards() if (PAGES / card.id).is_dir()]


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    for file, text in {FILE: schema(), PROTOCOL: protocol(), **facts()}.items():
        file.write_text(text, encoding="utf-8")
        print(f"{file.name}: {file.stat().st_size} bytes")
