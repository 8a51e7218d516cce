"""Writes web/src/lib/api/openapi.json: what REST, the WebSocket and each game's views say, for the types of the pages;
and facts.json of each game's pages: prices and other numbers of the rules that they need, its view.FACTS.

python tools/schema.py, then `npm run types` in web/. A test compares the files with what this would write now.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from quincunx.core.board import Board, Event
from quincunx.games import cards, package
from quincunx.match import wire
from quincunx.server.app import application

WEB = Path(__file__).parent.parent / "web" / "src"
FILE = WEB / "lib" / "api" / "openapi.json"
PAGES = WEB / "games"
REF = "#/components/schemas/{name}"


def schema() -> str:
    whole: dict[str, Any] = json.loads(msgspec.json.encode(application(":memory:").openapi_schema.to_schema()))
    known: dict[str, Any] = whole["components"]["schemas"]
    words = [*get_args(wire.ToServer), *get_args(wire.ToClient)]
    known.update(msgspec.json.schema_components(words, ref_template=REF)[1])
    shared = _sent([Board, Event])[1]
    known.update(shared)
    for game in with_pages():
        known.update(_of_game(game, leave=shared))
    return json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


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


def _sent(types: list[Any]) -> tuple[Any, dict[str, Any]]:
    """Structs that the server only writes: each has all its fields, defaults too, and no other."""
    outside, components = msgspec.json.schema_components(types, ref_template=REF)
    for component in components.values():
        component.update(required=sorted(component["properties"]), additionalProperties=False)
    return outside, components


def _of_game(game: str, leave: dict[str, Any]) -> dict[str, Any]:
    """`khet.Shown`, its view; `khet.Told`, any event of its story; and what these consist of."""
    home = package(game).__name__
    view = get_type_hints(import_module(f"{home}.view").show)["return"]
    events = sorted(
        (each for each in _below(Event) if each.__module__.startswith(f"{home}.")), key=lambda e: e.__name__
    )
    _, components = _sent([view, *events])
    components["Told"] = {"anyOf": [{"$ref": REF.format(name=event.__name__)} for event in events]}
    return _prefixed(game, {name: each for name, each in components.items() if name not in leave})


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
    for path, text in facts().items():
        path.write_text(text, encoding="utf-8")
