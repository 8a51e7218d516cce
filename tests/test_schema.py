"""What the pages' types are made from is what the server says: the schema is fresh, and what a real server sends of
every game, to a seat and to the public, fits it to the last field."""

from __future__ import annotations

import importlib
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from quincunx.games import load
from test_server import COMPUTER, HERE, Server

pytestmark = pytest.mark.slow

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
schema: Any = importlib.import_module("schema")

WHOLE: dict[str, Any] = json.loads(schema.FILE.read_text("utf-8"))
UPDATES = 12  # of each game


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


def test_the_file_is_what_would_be_written_now() -> None:
    assert json.loads(schema.schema()) == WHOLE, "make schema"


def test_the_protocol_s_file_is_what_would_be_written_now() -> None:
    assert json.loads(schema.protocol()) == json.loads(schema.PROTOCOL.read_text("utf-8")), "make schema"


def test_numbers_of_the_rules_are_those_of_the_rules() -> None:
    """Prices, movement, reserved squares: pages hold no copies of their own."""
    written = schema.facts()
    assert len(written) >= 4 and set(written) == set(schema.PAGES.glob("*/facts.json"))
    for path, text in written.items():
        assert json.loads(path.read_text("utf-8")) == json.loads(text), "make schema"


def faults(component: str, value: object) -> list[str]:
    """Where the value is not what the component says."""
    asked = {"$ref": schema.REF.format(name=component), "components": WHOLE["components"]}
    return [
        f"{component}{list(error.instance_path)}: {error.message}" for error in jsonschema_rs.iter_errors(asked, value)
    ]


@pytest.mark.parametrize("game", schema.with_pages())
def test_what_a_server_sends_fits_the_types(server: Server, game: str) -> None:
    rules = load(game)
    others = [COMPUTER] * (rules.seats(rules.new()) - 1)
    made = server.make(game, HERE, *others, public=True)
    player, watcher = server.sit(made["id"], made["seats"][0]["token"]), server.sit(made["id"])
    dice, told = random.Random(1), 0
    while len(player.updates) < UPDATES and player.now()["outcome"] is None:
        legal = player.now()["legal"]
        if legal:  # now and then the shortest: it ends a turn
            action = dice.choice([dice.choice(legal), min(legal, key=len)])
            player.play(f"m{len(player.updates)}", 0, action)
        player.receive()
    watcher.now()
    for update in player.updates + watcher.updates:
        told += len(update["story"])
        found = faults(f"{game}.Shown", update["shown"])
        found += [fault for event in update["story"] for fault in faults(f"{game}.Told", event)]
        assert not found, found
    assert told


@pytest.mark.parametrize("change", ({"player": None}, {"more": 1}))
def test_a_field_that_is_missing_or_more_is_found(change: dict[str, Any]) -> None:
    shown = {"columns": [[0]], "count": 1, "lined_up": False, "line": [], "player": 1}
    assert not faults("connect_four.Shown", shown)
    changed = {name: value for name, value in {**shown, **change}.items() if value is not None}
    assert faults("connect_four.Shown", changed)
