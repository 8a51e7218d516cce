"""The first turn that the pages play with a reader: every step is legal where it is asked for."""

from __future__ import annotations

import re
from pathlib import Path

from quincunx.games import load

TUTORIAL = Path(__file__).parents[2] / "web" / "src" / "games" / "garden" / "tutorial.ts"


def test_every_step_of_the_tutorial_can_be_played() -> None:
    text = TUTORIAL.read_text(encoding="utf-8")
    seed = re.search(r"seed: (\d+)", text)
    head = re.search(r"options: \{ (.*) \}", text)
    assert seed and head
    options = dict(re.findall(r"(\w+): '?(\w+)'?", head[1]))
    game = load("garden", gear="interpreted")
    world = game.new(seed=int(seed[1]), **options | {"creatures": int(options["creatures"])})
    plays = re.findall(r"play: '(.+)'", text)
    assert len(plays) >= 4
    for play in plays:
        seat = game.turn(world)
        action = game.parse(world, seat, play)
        assert game.check(world, seat, action) is None, play
        game.apply(world, seat, action)
