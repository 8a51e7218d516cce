"""Writes web/src/lib/api/openapi.json: what REST, the WebSocket and each game's views say, for the types of the pages.

python tools/schema.py, then `npm run types` in web/. A test compares the file with what this would write now.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from quincunx.core.board import Event
from quincunx.games import cards, package
from quincunx.match import wire
from quincunx.server.app import application

FILE = Path(__file__).parent.parent / "web" / "src" / "lib" / "api" / "openapi.json"
REF = "#/components/schemas/{name}"


def schema() -> str:
    whole: dict[str, Any] = json.loads(msgspec.json.encode(application(":memory:").openapi_schema.to_schema()))
    known: dict[str, Any] = whole["components"]["schemas"]
    words = [*get_args(wire.ToServer), *get_args(wire.ToClient)]
    known.update(_components(words))
    for card in cards():
        known.update(_prefixed(card.id, _components(_told(card.id))))
    return json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _components(types: list[Any]) -> dict[str, Any]:
    return msgspec.json.schema_components(types, ref_template=REF)[1]


def _told(game: str) -> list[Any]:
    """The view of a game, and every event of its story."""
    home = package(game).__name__
    view = import_module(f"{home}.view")
    events = [event for event in _below(Event) if event.__module__.startswith(f"{home}.")]
    return [get_type_hints(view.show)["return"], *sorted(events, key=lambda event: event.__name__)]


def _below(kind: type[Event]) -> list[type[Event]]:
    return [each for direct in kind.__subclasses__() for each in (direct, *_below(direct))]


def _prefixed(game: str, components: dict[str, Any]) -> dict[str, Any]:
    """Two games may have a struct of the same name: `khet.Shown`, `garden.Shown`."""
    text = json.dumps(components)
    for name in components:
        text = text.replace(f'"{REF.format(name=name)}"', f'"{REF.format(name=f"{game}.{name}")}"')
    return {f"{game}.{name}": component for name, component in json.loads(text).items()}


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(schema(), encoding="utf-8")
    print(f"{FILE.name}: {FILE.stat().st_size} bytes")
