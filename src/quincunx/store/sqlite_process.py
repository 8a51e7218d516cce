"""The process that writes a SQLite file for several server processes. It alone has the file (`Claim`), so that what all
of them append goes into one commit, and it tells each what the others wrote.

One thread, no event loop: it takes what has arrived, commits, answers, and looks again; while the disk flushes, the
next batch gathers in the sockets. Work that is not an append is done by whoever wants it, in a process of its own, when
it is granted the file (sqlite_line.py). SQLite's own locks are below all this: whoever is killed, and whenever, leaves
nothing half written.
"""

from __future__ import annotations

import selectors
import socket
import sqlite3
import time
from collections import deque
from contextlib import suppress
from pathlib import Path

from sqlalchemy import URL

from quincunx.store.database import prepare_file
from quincunx.store.sqlite_appender import AppendConnection
from quincunx.store.sqlite_file import Claim, Vanished, Watch
from quincunx.store.sqlite_words import Append, Ask, Done, Frames, GiveBack, Grant, Hello, News, Word, frame
from quincunx.store.uptime import BEAT, UptimeClock, file_of, time_of

MOST_UNREAD = 1 << 24  # bytes that a process has not read: it is cut off, and finds out for itself when it is back
LONGEST = 2.0  # seconds for which the file may be granted, and all moves wait; after that SQLite's own lock has to do
MOST_ROWS = 5000  # in a commit


class Peer:
    """A server process."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self.frames = Frames()
        self.unsent = bytearray()
        self.known = False  # it has greeted


class WriterProcess:
    def __init__(self, url: URL, path: str) -> None:
        """Refused if the file cannot be opened, or another server has it. `path`: of the socket."""
        file = str(url.database)
        prepare_file(url)
        self._claim = Claim(file)
        self._clock = UptimeClock(file_of(file), begin=time_of(file))
        self._watch = Watch(file)
        self._connection = AppendConnection(file)
        self._door = _listen(path)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._door, selectors.EVENT_READ, None)
        self._peers: set[Peer] = set()
        self._appends: deque[tuple[Peer, Append]] = deque()
        self._asks: deque[tuple[Peer, int]] = deque()
        self._holder: tuple[Peer, int] | None = None
        self._until = 0.0  # for which it was granted
        self._wake = socket.socketpair()
        self._selector.register(self._wake[0], selectors.EVENT_READ, None)
        self._stopped = False

    def stop(self) -> None:
        """From a handler of signals."""
        self._stopped = True
        self._wake[1].send(b"!")

    def run(self) -> None:
        """Until it is told to end: then what has arrived is written first."""
        beat = time.monotonic()
        while not self._stopped:
            busy = bool(self._appends) and self._holder is None
            for key, events in self._selector.select(0 if busy else BEAT / 1000):
                self._serve(key.data, events)
            self._go_on()
            if time.monotonic() >= beat:
                beat = time.monotonic() + BEAT / 1000
                self._clock.keep()
                self._spread(Hello(self._clock()), None)
        self._go_on()

    def close(self) -> None:
        for peer in list(self._peers):
            self._flush(peer)
            self._lose(peer)
        self._selector.close()
        for end in (self._door, *self._wake):
            end.close()
        self._clock.close()
        self._connection.close()
        self._watch.close()
        self._claim.release()

    # -- reading -------------------------------------------------------------------------------------------------

    def _serve(self, peer: Peer | None, events: int) -> None:
        if peer is None:
            return None if self._stopped else self._let_in()
        if events & selectors.EVENT_WRITE:
            self._flush(peer)
        if events & selectors.EVENT_READ and peer in self._peers:
            self._read(peer)

    def _let_in(self) -> None:
        end, _ = self._door.accept()
        end.setblocking(False)
        peer = Peer(end)
        self._peers.add(peer)
        self._selector.register(end, selectors.EVENT_READ, peer)

    def _read(self, peer: Peer) -> None:
        try:
            data = peer.end.recv(1 << 20)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return self._lose(peer)
        for word in peer.frames.feed(data):
            self._take(peer, word)

    def _take(self, peer: Peer, word: Word) -> None:
        if isinstance(word, Append):
            self._appends.append((peer, word))
        elif isinstance(word, Ask):
            self._asks.append((peer, word.id))
        elif isinstance(word, GiveBack):
            if self._holder == (peer, word.id):
                self._holder = None
            if word.news:
                self._spread(News(word.news), peer)
        elif isinstance(word, Hello):
            peer.known = True
            self._clock.follow(word.clock)  # it has lived on while there was no writer
            self._send(peer, Hello(self._clock()))

    def _lose(self, peer: Peer) -> None:
        """It has ended. What it wrote at last with the file in its hands it could tell nobody."""
        if peer not in self._peers:
            return
        self._peers.discard(peer)
        self._selector.unregister(peer.end)
        peer.end.close()
        self._asks = deque(each for each in self._asks if each[0] is not peer)
        if self._holder and self._holder[0] is peer:
            self._holder = None
            self._spread(News(None), None)

    # -- writing -------------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        if self._holder and time.monotonic() > self._until:
            self._lose(self._holder[0])  # it comes back when it can, and asks again
        if self._holder is None and self._appends:
            self._commit()
        if self._holder is None and self._asks:
            self._holder = self._asks.popleft()
            self._until = time.monotonic() + LONGEST
            self._send(self._holder[0], Grant(self._holder[1]))

    def _commit(self) -> None:
        """All that wait in one transaction; if that is not clean, those of each process in one of its own."""
        batch: list[tuple[Peer, Append]] = []
        rows = 0
        while self._appends and (not batch or rows + self._appends[0][1].count <= MOST_ROWS):
            batch.append(self._appends.popleft())
            rows += batch[-1][1].count
        done = self._write([append for _, append in batch])
        if done == (False, None) and len(batch) > 1:
            for each in batch:
                self._answer([each], self._write([each[1]]))
        else:
            self._answer(batch, done)

    def _write(self, appends: list[Append]) -> tuple[bool, str | None]:
        changes = [change for append in appends for change in append.changes]
        rows = b"[" + b",".join(append.rows for append in appends) + b"]"
        try:
            clean = self._connection.append(rows.decode(), changes)
            self._watch.check()
            return clean, None
        except (sqlite3.Error, Vanished) as error:
            return False, str(error)

    def _answer(self, batch: list[tuple[Peer, Append]], done: tuple[bool, str | None]) -> None:
        """The others hear of it first: who is told that a move stands may ask another process the next moment."""
        if done[0]:
            for peer in list(self._peers):
                news = [each for other, append in batch if other is not peer for each in append.news]
                if news and peer.known:
                    self._send(peer, News(news))
        for peer, append in batch:
            self._send(peer, Done(append.id, *done))

    # -- sending -------------------------------------------------------------------------------------------------

    def _spread(self, word: Word, but: Peer | None) -> None:
        for peer in list(self._peers):
            if peer is not but and peer.known:
                self._send(peer, word)

    def _send(self, peer: Peer, word: Word) -> None:
        if peer in self._peers:
            peer.unsent += frame(word)
            self._flush(peer)

    def _flush(self, peer: Peer) -> None:
        try:
            with suppress(BlockingIOError):
                while peer.unsent:
                    del peer.unsent[: peer.end.send(peer.unsent)]
        except OSError:
            return self._lose(peer)
        if len(peer.unsent) > MOST_UNREAD:
            return self._lose(peer)
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if peer.unsent else 0)
        if self._selector.get_key(peer.end).events != events:
            self._selector.modify(peer.end, events, peer)


def _listen(path: str) -> socket.socket:
    Path(path).unlink(missing_ok=True)  # of a writer that was killed
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    door.bind(path)
    door.listen(128)
    return door
