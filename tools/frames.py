"""For those who draw boards: plays a game and writes what one seat saw, frame by frame, for web/gallery.html.

python tools/frames.py khet [--eye 0] [--actions 60] [--seed 1] [--player greedy]
                            [--preset …] [--setup …] [--position …]
python tools/frames.py          a short match of every game: on these the pages' laws for boards are tested
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import msgspec

from quincunx.core.contract import CHANCE, NOBODY
from quincunx.games import cards, load
from quincunx.players import make


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("game", nargs="?")
    for name, default in (("eye", 0), ("actions", 60), ("seed", 1)):
        asked.add_argument(f"--{name}", type=int, default=default)
    asked.add_argument("--player", default="greedy")
    asked.add_argument("--preset")
    asked.add_argument("--setup")
    asked.add_argument("--position")
    given = asked.parse_args()
    if given.game:
        write(given)
    else:
        for card in cards():
            write(asked.parse_args([card.id, "--actions", "40"]))


def write(given: argparse.Namespace) -> None:
    game = load(given.game)
    world = game.new(given.preset, setup=given.setup, position=given.position, seed=given.seed)
    players = [make(given.player, game, given.seed + seat) for seat in range(game.seats(world))]
    dice = game.random(given.seed)

    def frame(action: str, story: list[Any]) -> dict[str, Any]:
        view = game.view(world, given.eye)
        texts = [game.text(world, given.eye, action) for action in game.legal(world, given.eye)]
        seen = {"shown": game.show(view), "board": game.board(view), "legal": texts, "story": story}
        return {**seen, "turn": game.turn(world), "action": action}

    frames = [frame("", [])]
    while len(frames) <= given.actions and (seat := game.turn(world)) != NOBODY:
        action = game.roll(world, dice) if seat == CHANCE else players[seat].choose(game.view(world, seat))
        text = game.text(world, seat, action)
        story = game.apply_and_tell(world, seat, action, given.eye, len(frames) - 1)
        frames.append(frame(text, story))
    told = {"card": game.card, "eye": given.eye, "options": world.options, "frames": frames}
    file = Path(__file__).parent.parent / "web" / "gallery" / f"{given.game}.json"
    file.write_bytes(msgspec.json.encode(told))
    print(f"{file.name}: {len(frames)} frames, {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
