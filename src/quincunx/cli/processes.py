"""`quincunx serve --processes N`: one command and one port, several processes on the same matches.

Each process listens on the port for itself (SO_REUSEPORT): the system hands connections out among those that listen,
and to nobody who is not ready yet or has died. The supervisor only holds the port.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

from quincunx.cli.join import show
from quincunx.cli.loop import quick_loop
from quincunx.cli.serve import Doorman, Page, address_of, free_door, innermost, run_app
from quincunx.core.words import Refused, Words
from quincunx.games import cards, load
from quincunx.server.logs import Lines
from quincunx.server.operations import Operations
from quincunx.server.place import Place
from quincunx.server.siblings import Ended, tell
from quincunx.server.supervisor import Channel, Logged, Post, Ready, Supervisor, Told, Word
from quincunx.store.database import complete
from quincunx.store.sqlite_process import WriterProcess

NOT_HERE = Words(
    "--processes ne va pas sur ce système : il lui faut fork et SO_REUSEPORT (Linux).",
    "--processes does not work on this system: it needs fork and SO_REUSEPORT (Linux).",
)
NO_CLASS = Words(
    "Une classe se tient dans un seul processus : --classroom sans --processes.",
    "A class is held in one process: --classroom without --processes.",
)


@dataclass(frozen=True)
class Wanted:
    """What was asked for on the command line, settled."""

    host: str
    port: int
    lan: bool
    database: str
    workers: int
    allowed: Sequence[str]
    operations: Operations
    processes: int


def supervise(wanted: Wanted, page: Page | None) -> None:
    """Until Ctrl-C."""
    if not hasattr(os, "fork") or not hasattr(socket, "SO_REUSEPORT"):
        raise Refused("not_here", NOT_HERE)
    import quincunx.server.app  # noqa: F401  # once, for all of them
    from quincunx.server.lan import door

    free = free_door(wanted.host, wanted.port) if page else door(wanted.host, wanted.port)
    port = free.getsockname()[1]
    free.close()
    address = address_of(wanted.host, port, wanted.operations)
    with (
        closing(door(wanted.host, port, shared=True)),
        closing(Doorman()) as doorman,
        tempfile.TemporaryDirectory(prefix="quincunx-") as folder,
    ):
        places = [Place(number, wanted.processes, folder) for number in range(wanted.processes)]
        posts = [Post(str(place.number), partial(_serve, wanted, port, place, doorman)) for place in places]
        if complete(wanted.database).get_backend_name() == "sqlite":
            posts.insert(0, Post("writer", partial(_write, wanted.database, places[0]), overlaps=False))
        front = _Front(doorman, address, len(places), page)
        Supervisor(posts, front.hear, doorman.stopping, lambda pid: tell(folder, Ended(pid)), _games()).run()


class _Front:
    """Says for all of them how they are."""

    def __init__(self, doorman: Doorman, address: str, count: int, page: Page | None) -> None:
        self._doorman, self._address, self._count, self._page = doorman, address, count, page
        self._handler: logging.Handler = doorman.line or logging.StreamHandler()
        if not doorman.line:
            self._handler.setFormatter(Lines(readable=False))
        self._ready: set[str] = set()
        self._told: list[str] = []

    def hear(self, post: Post, word: Word) -> None:
        if isinstance(word, Ready) and post.overlaps:
            self._ready.add(post.name)
            if len(self._ready) == self._count and self._address:
                self._open(self._address)
                self._address = ""
        elif isinstance(word, Told) and word.addresses != self._told:
            self._told = word.addresses
            self._doorman.tell_addresses(word.addresses)
        elif isinstance(word, Logged):
            told = {"msg": word.event, "levelno": word.level, "levelname": logging.getLevelName(word.level)}
            self._handler.handle(logging.makeLogRecord({**told, "fields": word.fields}))

    def _open(self, address: str) -> None:
        self._doorman.listen(address)
        if self._page:
            with self._doorman.aside():
                show(self._page(address))


def _games() -> Iterator[None]:
    """Loads them one by one: whoever is forked later has them."""
    from quincunx.players.warming import is_warm

    for card in cards():
        load(card.id, "interpreted")
        yield
        if is_warm(card.id):
            load(card.id, "compiled")
        yield


# -- in a process of its own ----------------------------------------------------------------------------------------


def _serve(wanted: Wanted, port: int, place: Place, doorman: Doorman, channel: Channel) -> None:
    from quincunx.server.app import application
    from quincunx.server.hosts import Hosts
    from quincunx.server.lan import door

    names, reporter = Hosts(wanted.host, wanted.allowed), _Reporter(channel)
    listener = _Sender(channel) if doorman.line else None
    if doorman.line:
        doorman.line.let_go()
    workers = place.share(wanted.workers)
    app = application(
        wanted.database, workers, names=names, listener=listener, operations=wanted.operations, place=place
    )
    sock = door(wanted.host, port, shared=True)
    try:
        with asyncio.Runner(loop_factory=quick_loop()) as runner:
            runner.run(run_app(app, wanted.host, sock, wanted.lan, None, names, reporter, wanted.operations))
    except BaseExceptionGroup as group:
        raise innermost(group) from None


def _write(database: str, place: Place, channel: Channel) -> None:
    assert place.writer is not None
    writer = WriterProcess(complete(database), place.writer)
    signal.signal(signal.SIGTERM, lambda number, frame: writer.stop())
    channel.say(Ready())
    writer.run()
    writer.close()


class _Reporter(Doorman):
    """Tells the supervisor instead."""

    signals = (signal.SIGTERM,)

    def __init__(self, channel: Channel) -> None:
        self.line = None
        self._channel = channel

    def listen(self, address: str) -> None:
        self._channel.say(Ready())

    def tell_addresses(self, addresses: list[str]) -> None:
        self._channel.say(Told(addresses))


class _Sender(logging.Handler):
    """To the terminal that the supervisor has."""

    def __init__(self, channel: Channel) -> None:
        super().__init__()
        self._channel = channel

    def emit(self, record: logging.LogRecord) -> None:
        fields: dict[str, Any] = dict(getattr(record, "fields", {"words": record.getMessage()}))
        if record.exc_info:
            fields["trace"] = logging.Formatter().formatException(record.exc_info)
        event = record.msg if hasattr(record, "fields") else record.name
        self._channel.say(Logged(str(event), record.levelno, fields))
