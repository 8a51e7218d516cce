"""Cultist: the story, folded over what a page shows, gives what it shows next."""

from __future__ import annotations

from typing import Any

import pytest

from cases import long_journey, travel
from quincunx.core.board import Event
from quincunx.games import load
from quincunx.games.cultist import view


def fold(units: dict[int, dict[str, Any]], obstacles: dict[str, int], event: Event) -> None:
    if isinstance(event, view.Moved | view.Wandered):
        assert units[event.unit]["cell"] == event.cells[0]
        units[event.unit]["cell"] = event.cells[1]
    elif isinstance(event, view.Converted):
        assert units[event.unit]["owner"] == event.before
        units[event.unit]["owner"] = event.owner
    elif isinstance(event, view.Shot) and event.struck >= 0:
        units[event.struck]["hp"] = event.hp
    elif isinstance(event, view.Shot) and event.damage:
        obstacles[event.cells[-1]] = event.hp
    elif isinstance(event, view.Died):
        del units[event.unit]
    elif isinstance(event, view.Destroyed):
        del obstacles[event.cells[0]]


@pytest.mark.parametrize(
    "options", [{}, {"preset": "codingame"}, {"neutrals": "wander", "destructible": True}], ids=str
)
def test_the_story_folded_over_a_view_gives_the_next_one(options: dict[str, Any]) -> None:
    game = load("cultist", "interpreted")
    kinds = set()
    for seed in range(12):
        world = game.new(seed=seed, **options)
        shown = game.show(game.view(world, 0))
        units = {u.id: {"owner": u.owner, "hp": u.hp, "cell": u.cell} for u in shown.units}
        obstacles = {o.cell: o.hp for o in shown.obstacles}
        for step in travel(world, long_journey(seed, 150), seed):
            after = game.clone(world)
            for event in game.tell(world, 0, game.apply_and_log(after, *step, 0)):
                kinds.add(type(event))
                fold(units, obstacles, event)
            shown = game.show(game.view(after, 0))
            assert units == {u.id: {"owner": u.owner, "hp": u.hp, "cell": u.cell} for u in shown.units}
            assert obstacles == {o.cell: o.hp for o in shown.obstacles}
    assert {view.Moved, view.Shot, view.Converted, view.Waited} <= kinds


@pytest.mark.parametrize("options", [{"preset": "codingame"}, {"destructible": True}, {}], ids=str)
def test_a_shot_does_what_was_shown_before_it(options: dict[str, Any]) -> None:
    game = load("cultist", "interpreted")
    shots = 0
    for seed in range(6):
        world = game.new(seed=seed, **options)
        for step in travel(world, long_journey(seed, 120), seed):
            text = game.text(world, *step)
            aims = {aim.action: aim for aim in game.show(game.view(world, 1)).aims}
            offered = [game.text(world, step[0], action) for action in game.legal(world)] if step[0] >= 0 else []
            assert list(aims) == [each for each in offered if "SHOOT" in each]
            for event in game.tell(world, 0, game.apply_and_log(game.clone(world), *step, 0)):
                if isinstance(event, view.Shot):
                    shots += 1
                    aim = aims[text]
                    assert (aim.cells, aim.damage, aim.struck) == (event.cells, event.damage, event.struck)
    assert shots
