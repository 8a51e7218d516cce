"""Scenes of Chartichaud for its tests: positions written as text, and orders as a player types them."""

from __future__ import annotations

from typing import Any

import pytest

from quincunx.games import GearName, World, load
from quincunx.games.chartichaud import notation
from quincunx.games.chartichaud.grid import PITCH, View

GAME = load("chartichaud", "interpreted")
both_presets = pytest.mark.parametrize("preset", ["seed", "telecom"])


def scene(text: str, preset: str = "seed", gear: GearName = "interpreted", **options: Any) -> World:
    return load("chartichaud", gear).new(preset, position=text, **options)


def play(world: World, *orders: str) -> World:
    for order in orders:
        seat = world.game.turn(world)
        action = world.game.parse(world, seat, order)
        assert world.game.check(world, seat, action) is None, order
        world.game.apply(world, seat, action)
    return world


def refusal(world: World, order: str) -> str | None:
    seat = world.game.turn(world)
    refused = world.game.check(world, seat, world.game.parse(world, seat, order))
    return refused.code if refused else None


def at(world: World, seat: int, x: int, y: int) -> str:
    return notation.stack_text(GAME.state(world).units[seat][y * PITCH + x])


def told(world: World, order: str, observer: int) -> list[str]:
    """The English story of an order."""
    game, seat = world.game, world.game.turn(world)
    events = game.apply_and_log(game.clone(world), seat, game.parse(world, seat, order), observer)
    return [event.words.en for event in game.tell(world, observer, events)]


def view_of(world: World, seat: int) -> View:
    plain: View = world.game.plain(View, world.game.view(world, seat).rows)
    return plain
