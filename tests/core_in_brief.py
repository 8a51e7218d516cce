"""The core in brief, for a Python that may have no more than what the core needs: every gear plays the same games.

python tests/core_in_brief.py    # a line of JSON: its version, whether it compiles, and a digest of every journey
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from quincunx.core.compile.selftest import trouble
from quincunx.core.contract import CHANCE
from quincunx.core.engine import Gear, rule
from quincunx.core.random import below, seeded
from quincunx.games import GearName, load

GEARS: tuple[GearName, ...] = ("interpreted", "compiled", "checked")
GAMES, STEPS = ("connect_four", "khet", "garden"), 60


@rule
def hurried(x: int) -> int:
    return sum([k * x for k in range(3)])


def journey(id: str, gear: GearName) -> str:
    """A digest of what is legal, what is refused, what is written and what is in memory, all the way."""
    game, choices, seen = load(id, gear), seeded(11), sha256()
    world, dice = game.new(seed=3), game.random(5)
    for _ in range(STEPS):
        seat = game.turn(world)
        if seat < CHANCE:
            break
        actions = game.legal(world) if seat >= 0 else [game.roll(world, dice)]
        action = actions[below(choices, len(actions))]
        text = game.text(world, seat, action)
        assert game.check(world, seat, action) is None and game.parse(world, seat, text) == action
        seen.update(repr((seat, actions, text, game.check(world, seat, 2**62), game.key(world))).encode())
        game.apply(world, seat, action)
        seen.update(game.to_bytes(world))
        assert game.to_bytes(game.from_bytes(world.options, game.to_bytes(world))) == game.to_bytes(world)
    return seen.hexdigest()


def refuses_comprehensions() -> bool:
    """They are inlined from Python 3.12 on, and must be seen all the same."""
    try:
        Gear("brief", {}, compiled=False).bind(hurried)
    except TypeError as refusal:
        return "comprehension" in str(refusal)
    return False


def main() -> None:
    journeys = {f"{id} {gear}": journey(id, gear) for id in GAMES for gear in GEARS}
    version = ".".join(map(str, sys.version_info[:3]))
    print(json.dumps([version, trouble(), refuses_comprehensions(), journeys]))


if __name__ == "__main__":
    main()
