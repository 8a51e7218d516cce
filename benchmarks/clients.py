"""The generator of the rows about servers, a process of its own, and one and the same for all of them.

python benchmarks/clients.py quincunx|boardgameio ADDRESS MATCHES

All matches are made and all sockets opened before the clock starts. Then all games of Connect Four, known beforehand
and the same for every server, are played to their ends, every move as soon as the one before it is acknowledged.
Half as many are played before that and not counted: by then both have their machine code.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from urllib.parse import SplitResult, urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.contest import BURDEN, CLOCK
from benchmarks.protocols import GAME, BoardgameIo

from quincunx.games import cards, load
from quincunx.loadtest import host
from quincunx.loadtest.clients import Clients, Script, Times
from quincunx.loadtest.protocol import Quincunx, ServerProtocol

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
    protocol = BoardgameIo() if who == "boardgameio" else Quincunx(GAME, 2, scripted=True)
    place = urlsplit(address)
    if who == "quincunx":
        for card in cards():
            await host.compiled(place, card.id)
    await _play(place, protocol, games(matches // 2, seed=3))
    times, seconds = await _play(place, protocol, games(matches), host.processes(place))
    if times.errors or times.finished != matches:
        raise SystemExit(f"{times.finished} of {matches} games were finished; errors: {times.errors}")
    figures = {"moves/s" + CLOCK: times.moves_a_second, "p99 ms": times.p99, "moves": times.moves}
    return figures if seconds is None else figures | {BURDEN: 1e6 * seconds / times.moves}


async def _play(
    place: SplitResult, protocol: ServerProtocol, scripts: list[Script], processes: Sequence[int] = ()
) -> tuple[Times, float | None]:
    """The games of these scripts, and the seconds that the server's processes computed meanwhile."""
    clients = Clients(place, protocol, scripts=scripts)
    await clients.sit(len(scripts))
    before = host.processor(processes)
    times = await clients.play()
    after = host.processor(processes)
    await clients.leave()
    return times, None if before is None or after is None else after - before


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(sys.argv[1], sys.argv[2], int(sys.argv[3])))))
