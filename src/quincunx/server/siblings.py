"""The other processes of this server: word to them and from them, by datagrams in the folder where they meet.

Each has a socket there under the number of its process. The system keeps ten words for one that has much to do: what it
does not take is sent again soon, and of who is present the newest only. The supervisor speaks here, too, when one of
them has ended.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Self

import msgspec

from quincunx.server.place import Place

PATIENCE = 1.0  # seconds for the others to answer
LONGEST = 1 << 17  # bytes of a word
LISTED = 0.2  # seconds for which it is known who is there
RETRY = 0.01  # seconds until a word is sent again that was not taken
BUSY = 0.1  # seconds for one that does not take what the supervisor says


class Present(msgspec.Struct, frozen=True, tag=True):
    """Who is connected to a process for a match. `asks`: it would like to hear the same of the others."""

    process: int
    match: str
    seats: tuple[int, ...]
    asks: bool = False


class AllPresent(msgspec.Struct, frozen=True, tag=True):
    """Who is connected to a process, by match; to no other match is anybody."""

    process: int
    seats: dict[str, tuple[int, ...]]


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


Word = Present | AllPresent | Ended | LanOpened | Wanted | Measured
_READ = msgspec.msgpack.Decoder(Word)


class _Wire:
    """To one of the others. What it does not take waits, in its order."""

    def __init__(self, path: str) -> None:
        """OSError if it has ended."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self.unsent: dict[Hashable, Word] = {}
        try:
            self._socket.connect(path)
        except OSError:
            self.close()
            raise

    def send(self, word: Word) -> None:
        key: Hashable = word
        if isinstance(word, Present):
            key = Present, word.match
            older = self.unsent.pop(key, word)
            if isinstance(older, Present) and older.asks:
                word = Present(word.process, word.match, word.seats, asks=True)
        elif isinstance(word, AllPresent):
            key = AllPresent
            self.unsent.pop(key, None)
        self.unsent[key] = word
        self.flush()

    def flush(self) -> None:
        """ConnectionError if it has ended."""
        while self.unsent:
            key, word = next(iter(self.unsent.items()))
            data = msgspec.msgpack.encode(word)
            try:
                if len(data) <= LONGEST:
                    self._socket.send(data)
            except BlockingIOError:
                return
            except ConnectionError:
                raise
            except OSError:
                pass  # this one the system never takes
            del self.unsent[key]

    def close(self) -> None:
        self._socket.close()


class Siblings:
    """Without a folder there are none, and every word is for nobody."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._socket: socket.socket | None = None
        self._ears: list[Callable[[Word], None]] = []
        self._numbers = count()
        self._wires: dict[int, _Wire] = {}
        self._others: set[int] = set()
        self._listed = 0.0
        self._retry: asyncio.TimerHandle | None = None
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
            self._socket = None
            if self._retry:
                self._retry.cancel()
            for wire in self._wires.values():
                wire.close()
            Path(_path(self.place.folder, os.getpid())).unlink(missing_ok=True)

    def listen(self, ear: Callable[[Word], None]) -> None:
        self._ears.append(ear)

    @property
    def others(self) -> set[int]:
        """The processes that are there."""
        if self.place.folder and time.monotonic() > self._listed + LISTED:
            self._listed, self._others = time.monotonic(), set(_others(self.place.folder))
        return self._others

    def tell(self, word: Word) -> int:
        """To all others; how many there are."""
        for process in list(self.others):
            self.answer(process, word)
        return len(self._others)

    def answer(self, process: int, word: Word) -> None:
        if self.place.folder and self._socket is not None:
            with self._unless_ended(process):
                if process not in self._wires:
                    self._wires[process] = _Wire(_path(self.place.folder, process))
                self._wires[process].send(word)
            self._retry_soon()

    @contextmanager
    def _unless_ended(self, process: int) -> Iterator[None]:
        try:
            yield
        except (ConnectionError, FileNotFoundError):  # it was killed, or has left
            self._others.discard(process)
            if wire := self._wires.pop(process, None):
                wire.close()
            Path(_path(str(self.place.folder), process)).unlink(missing_ok=True)

    def _retry_soon(self) -> None:
        if self._retry is None and any(wire.unsent for wire in self._wires.values()):
            self._retry = asyncio.get_running_loop().call_later(RETRY, self._send_again)

    def _send_again(self) -> None:
        self._retry = None
        for process, wire in list(self._wires.items()):
            with self._unless_ended(process):
                wire.flush()
        self._retry_soon()

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
                if isinstance(word, Present | AllPresent):
                    self._others.add(word.process)
                if isinstance(word, Measured):
                    self._take_answer(word)
                for ear in self._ears:
                    ear(word)

    def _take_answer(self, word: Measured) -> None:
        expected, answers, complete = self._answers.get(word.id, (0, {}, asyncio.Event()))
        answers[word.number] = word.text
        if len(answers) >= expected:
            complete.set()


def tell(folder: str, word: Word) -> None:
    """To all processes of a server, by one that has no loop: it waits a little for those that are busy."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.settimeout(BUSY)
        for process in _others(folder):
            with suppress(OSError):
                out.sendto(msgspec.msgpack.encode(word), _path(folder, process))


def _others(folder: str) -> Iterator[int]:
    for name in os.listdir(folder):
        process, dot, _ = name.partition(".sock")
        if dot and process.isdecimal() and int(process) != os.getpid():
            yield int(process)


def _path(folder: str, process: int) -> str:
    return str(Path(folder, f"{process}.sock"))
