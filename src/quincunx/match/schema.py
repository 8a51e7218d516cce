"""JSON Schema of the words on the wire and of what each game shows and tells: for programs, and for the pages' types.

`words` has every message of wire.py under its name; `of_game` the view of a game as `khet.Shown`, any event of its
stories as `khet.Told`, and what these consist of.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib import import_module
from typing import Any, get_args, get_type_hints

import msgspec

from quincunx.core.board import Board, Event
from quincunx.games import package
from quincunx.games.folder import events_of
from quincunx.match import wire

REF = "#/components/schemas/{name}"
DRAFT = "https://json-schema.org/draft/2020-12/schema"

Components = dict[str, Any]


def words() -> Components:
    """Every message, and what all games have in common."""
    unions = (wire.ToServer, wire.ToClient, wire.ToArena, wire.FromArena)
    messages = list(dict.fromkeys(each for union in unions for each in get_args(union)))
    return msgspec.json.schema_components(messages, ref_template=REF)[1] | _sent([Board, Event])


def of_game(game: str) -> Components:
    """What its seats are shown and told; parts that all games have are in `words`."""
    home = package(game).__name__
    view = get_type_hints(import_module(f"{home}.view").show)["return"]
    events = events_of(package(game))
    components = _sent([view, *events])
    components["Told"] = {"anyOf": [{"$ref": REF.format(name=event.__name__)} for event in events]}
    common = _sent([Board, Event])
    return _prefixed(game, {name: each for name, each in components.items() if name not in common})


def document(games: Iterable[str]) -> dict[str, Any]:
    """All of it as one file: a line of a program is a `Play` or an `Ask`, a line to it any of the others."""
    components = words()
    for game in games:
        components |= of_game(game)
    said, told = ("Ask", "Play"), ("Accepted", "Refused", "Update", "Welcome")
    return {
        "$schema": DRAFT,
        "title": f"Quincunx, protocol {wire.PROTOCOL}",
        "anyOf": [{"$ref": REF.format(name=name)} for name in (*said, *told)],
        "components": {"schemas": dict(sorted(components.items()))},
    }


def _sent(types: list[Any]) -> Components:
    """Structs that are only written: each has all its fields, defaults too, and no other."""
    _, components = msgspec.json.schema_components(types, ref_template=REF)
    for component in components.values():
        component.update(required=sorted(component["properties"]), additionalProperties=False)
    return components


def _prefixed(game: str, components: Components) -> Components:
    """Two games may have a struct of the same name: `khet.Shown`, `garden.Shown`."""
    text = json.dumps(components)
    for name in components:
        text = text.replace(f'"{REF.format(name=name)}"', f'"{REF.format(name=f"{game}.{name}")}"')
    return {f"{game}.{name}": component for name, component in json.loads(text).items()}
