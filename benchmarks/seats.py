"""What a turn of many people costs the server: `python benchmarks/seats.py [SEATS]`.

A match of Casus Belli, every seat a socket of its own. All sit down, each gives one order, then all seal, one after the
other, and the last seal resolves the turn. Counted: the server's processor time, the bytes that it sent, the memory.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from functools import partial
from pathlib import Path
from urllib.parse import SplitResult

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.contest import Figures

from quincunx.games import cards
from quincunx.loadtest import host
from quincunx.loadtest.protocol import Made, Quincunx
from quincunx.loadtest.socket import Socket

GAME, SEATS, PATIENCE = "casus_belli", 100, 120.0
ORDER, SEAL = "elf face E", "seal"


class Room:
    """All who sit there, and the bytes that they heard."""

    def __init__(self, address: SplitResult, seats: int) -> None:
        self.address = address
        self.protocol = Quincunx(GAME, seats, setup="hundred", options={"seats": seats})
        self.sockets: list[Socket] = []
        self.bytes = 0
        self._heard = asyncio.Event()
        self._moves = 0

    async def sit(self) -> None:
        self.made: Made = await self.protocol.make(self.address)
        loop = asyncio.get_running_loop()
        for seat in range(len(self.made.tokens)):
            make = partial(Socket, self.address.netloc, self.protocol.path(self.made), self._hear, self._lost)
            _, socket = await loop.create_connection(make, self.address.hostname or "", self.address.port or 80)
            await socket.opened
            self.sockets.append(socket)
            await self._say(seat, self.protocol.hello(self.made, seat)[0], b'{"type":"welcome"')

    async def play(self, action: str) -> None:
        """Everybody, each when the one before is told that it stands."""
        for seat in range(len(self.sockets)):
            self._moves += 1
            await self._say(seat, self.protocol.play(self.made, seat, self._moves, action), b'{"type":"accepted"')

    async def settle(self) -> None:
        """Until everybody has heard all that was said, and what the server gathered before it says so."""
        await asyncio.sleep(0.5)
        for seat in range(len(self.sockets)):
            await self._say(seat, b'{"type":"ping"}', b'{"type":"pong"')

    async def leave(self) -> None:
        """Everybody goes; it returns when all are gone."""
        for socket in self.sockets:
            socket.close()
        await asyncio.gather(*(socket.closed for socket in self.sockets))

    async def _say(self, seat: int, word: bytes, answer: bytes) -> None:
        self._awaited = answer
        self._heard.clear()
        self.sockets[seat].send(word)
        async with asyncio.timeout(PATIENCE):
            await self._heard.wait()

    def _hear(self, text: bytes) -> None:
        self.bytes += len(text)
        if text.startswith(b'{"type":"refused"'):
            raise SystemExit(text.decode())
        if text.startswith(self._awaited):
            self._heard.set()

    def _lost(self, reason: str) -> None:
        raise SystemExit(reason)


async def measure(address: SplitResult, seats: int) -> Figures:
    for card in cards():
        await host.compiled(address, card.id)
    warm = Room(address, 3)  # the server has met the game
    await warm.sit()
    await warm.play(SEAL)
    await warm.settle()
    await warm.leave()
    room, serving = Room(address, seats), host.processes(address)
    figures: dict[str, float] = {}
    for name, step in (("sit", room.sit()), ("orders", room.play(ORDER)), ("seals", room.play(SEAL))):
        computed, sent = host.processor(serving) or 0.0, room.bytes
        await step
        await room.settle()
        figures[f"{name} s"] = round((host.processor(serving) or 0.0) - computed, 2)
        figures[f"{name} MB"] = round((room.bytes - sent) / 1e6, 2)
    figures["memory MB"] = round((host.memory(serving) or 0) / 1e6)
    await room.leave()
    return figures


def main() -> None:
    seats = int(sys.argv[1]) if len(sys.argv) > 1 else SEATS
    with tempfile.TemporaryDirectory() as folder, host.quincunx(str(Path(folder, "matches.db"))) as address:
        print(json.dumps(asyncio.run(measure(address, seats))))


if __name__ == "__main__":
    main()
