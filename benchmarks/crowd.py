"""The generator of the rows about servers, a process of its own, and one and the same for all of them.

python benchmarks/crowd.py quincunx|boardgameio ADDRESS MATCHES

All matches are made and all sockets opened before the clock starts. Then all games of Connect Four, known beforehand
and the same for every server, are played to their ends, every move as soon as the one before it is acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.contest import BURDEN, CLOCK
from benchmarks.tongues import GAME, BoardgameIo

from quincunx.cli.crowd import host
from quincunx.cli.crowd.play import Crowd, Script
from quincunx.cli.crowd.tongue import Quincunx
from quincunx.games import load

DRAFTS = 30  # random games, of which the longest is played: little making of matches, much playing


def games(n: int, seed: int = 7) -> list[Script]:
    random = Random(seed)
    return [max((_game(random) for _ in range(DRAFTS)), key=len) for _ in range(n)]


def _game(random: Random) -> Script:
    game = load(GAME, "interpreted")
    world, moves = game.new(), []
    while not game.over(world):
        seat, action = game.turn(world), random.choice(game.legal(world))
        moves.append((seat, game.text(world, seat, action)))
        game.apply(world, seat, action)
    return moves


async def measure(who: str, address: str, matches: int) -> dict[str, float]:
    tongue = BoardgameIo() if who == "boardgameio" else Quincunx(GAME, 2, scripted=True)
    crowd = Crowd(urlsplit(address), tongue, scripts=games(matches))
    await crowd.sit(matches)
    process = host.listener(crowd.address)
    before = host.processor(process)
    times = await crowd.play()
    after = host.processor(process)
    await crowd.leave()
    if times.errors or times.finished != matches:
        raise SystemExit(f"{times.finished} of {matches} games were finished; errors: {times.errors}")
    figures = {"moves/s" + CLOCK: times.moves_a_second, "p99 ms": times.p99, "moves": times.moves}
    return figures if before is None or after is None else figures | {BURDEN: 1e6 * (after - before) / times.moves}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(sys.argv[1], sys.argv[2], int(sys.argv[3])))))
