"""The other processes of this server: word to them and from them, by datagrams in the folder where they meet.

Each has a socket there under the number of its process. A word may be lost, where one has too much to do: what must not
be is in the store. The supervisor speaks here, too, when one of them has ended.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Self

import msgspec

from quincunx.server.place import Place

PATIENCE = 1.0  # seconds for the others to answer
LONGEST = 1 << 17  # bytes of a word


class Present(msgspec.Struct, frozen=True, tag=True):
    """Who is connected to a process for a match. `asks`: it would like to hear the same of the others."""

    process: int
    match: str
    seats: tuple[int, ...]
    asks: bool = False


class Ended(msgspec.Struct, frozen=True, tag=True):
    process: int


class LanOpened(msgspec.Struct, frozen=True, tag=True):
    """Somebody has opened the server to the network: all of its processes."""


class Wanted(msgspec.Struct, frozen=True, tag=True):
    """The metrics, by this process."""

    process: int
    id: int


class Measured(msgspec.Struct, frozen=True, tag=True):
    id: int
    number: int
    text: str


Word = Present | Ended | LanOpened | Wanted | Measured
_READ = msgspec.msgpack.Decoder(Word)


class Siblings:
    """Without a folder there are none, and every word is for nobody."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._socket: socket.socket | None = None
        self._ears: list[Callable[[Word], None]] = []
        self._numbers = count()
        self._answers: dict[int, tuple[int, dict[int, str], asyncio.Event]] = {}  # how many are to come, and have

    async def __aenter__(self) -> Self:
        if self.place.folder is not None:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._socket.setblocking(False)
            self._socket.bind(_path(self.place.folder, os.getpid()))
            asyncio.get_running_loop().add_reader(self._socket, self._read)
        return self

    async def __aexit__(self, *ended: object) -> None:
        if self._socket is not None and self.place.folder is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            Path(_path(self.place.folder, os.getpid())).unlink(missing_ok=True)

    def listen(self, ear: Callable[[Word], None]) -> None:
        self._ears.append(ear)

    def tell(self, word: Word) -> int:
        """To all others; how many there are."""
        return tell(self.place.folder, word) if self.place.folder else 0

    def answer(self, process: int, word: Word) -> None:
        if self.place.folder:
            _send(self.place.folder, process, word)

    async def ask_metrics(self) -> dict[int, str]:
        """By the place of each process that answers."""
        id, answers, complete = next(self._numbers), dict[int, str](), asyncio.Event()
        expected = self.tell(Wanted(os.getpid(), id))
        self._answers[id] = expected, answers, complete
        try:
            async with asyncio.timeout(PATIENCE):
                while len(answers) < expected:
                    await complete.wait()
        except TimeoutError:
            pass
        finally:
            del self._answers[id]
        return answers

    def _read(self) -> None:
        assert self._socket is not None
        with suppress(BlockingIOError):
            while True:
                word = _READ.decode(self._socket.recv(LONGEST))
                if isinstance(word, Measured):
                    self._take_answer(word)
                for ear in self._ears:
                    ear(word)

    def _take_answer(self, word: Measured) -> None:
        expected, answers, complete = self._answers.get(word.id, (0, {}, asyncio.Event()))
        answers[word.number] = word.text
        if len(answers) >= expected:
            complete.set()


def tell(folder: str, word: Word) -> int:
    """To all processes of a server but this one; how many there are."""
    return sum(_send(folder, process, word) for process in _processes(folder) if process != os.getpid())


def _processes(folder: str) -> Iterator[int]:
    for name in os.listdir(folder):
        process, dot, _ = name.partition(".sock")
        if dot and process.isdecimal():
            yield int(process)


def _send(folder: str, process: int, word: Word) -> bool:
    """False if it has ended, or does not keep up."""
    path = _path(folder, process)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.setblocking(False)
        try:
            out.sendto(msgspec.msgpack.encode(word), path)
            return True
        except ConnectionRefusedError:
            Path(path).unlink(missing_ok=True)  # it was killed
        except OSError:
            pass
    return False


def _path(folder: str, process: int) -> str:
    return str(Path(folder, f"{process}.sock"))
