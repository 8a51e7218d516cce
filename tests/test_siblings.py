"""What the processes of a server tell each other: nothing is lost where one has much to do, and who is there is
known in the end."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from quincunx.server import presence
from quincunx.server.place import Place
from quincunx.server.presence import Presence
from quincunx.server.siblings import AllPresent, Ended, Present, Siblings, Word

OTHER = 1 << 30  # no process has this number


class Busy:
    """Another process, which reads when it is told to."""

    def __init__(self, folder: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / f"{OTHER}.sock"))
        self._socket.setblocking(False)

    async def hear(self, count: int) -> list[Word]:
        loop, read = asyncio.get_running_loop(), msgspec.msgpack.Decoder(Word)
        async with asyncio.timeout(20):
            return [read.decode(await loop.sock_recv(self._socket, 1 << 17)) for _ in range(count)]

    def close(self) -> None:
        self._socket.close()


def test_what_a_busy_process_does_not_take_is_sent_again_the_newest_of_each_match(tmp_path: Path) -> None:
    many = 3 * int(Path("/proc/sys/net/unix/max_dgram_qlen").read_text())

    async def run() -> None:
        other = Busy(tmp_path)
        async with Siblings(Place(folder=str(tmp_path))) as siblings:
            for seats in ((0,), (0, 1)):
                for n in range(many):
                    siblings.tell(Present(1, f"m{n}", seats, asks=seats == (0,)))
            siblings.tell(Ended(7))
            heard = list[Word]()
            while not heard or heard[-1] != Ended(7):
                heard += await other.hear(1)
            newest = {word.match: word.seats for word in heard if isinstance(word, Present)}
            assert newest == {f"m{n}": (0, 1) for n in range(many)}
            assert {word.match for word in heard if isinstance(word, Present) and word.asks} == set(newest)
            other.close()
            assert siblings.tell(Ended(8)) == 0  # it was killed, and its socket is gone
            assert list(tmp_path.glob(f"{OTHER}.sock")) == []

    asyncio.run(run())


def test_who_is_there_is_told_again_and_who_has_died_unheard_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "ALL", 0.0)

    async def run() -> None:
        heard: dict[int, tuple[int, ...]] = {}
        live = SimpleNamespace(id="m", seats_held=(1,), hear_of=heard.__setitem__)
        matches: Any = SimpleNamespace(in_memory=lambda: [live], known={"m": live}.get)
        other = Busy(tmp_path)
        async with Siblings(Place(folder=str(tmp_path))) as siblings:
            Presence(siblings, matches)
            [told] = await other.hear(1)
            assert isinstance(told, AllPresent) and told.seats == {"m": (1,)}
            for ear in siblings._ears:
                ear(AllPresent(OTHER, {"m": (0,)}))
            assert heard == {OTHER: (0,)}
            other.close()
            async with asyncio.timeout(20):
                while heard[OTHER]:
                    await asyncio.sleep(0)

    asyncio.run(run())
