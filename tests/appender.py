"""Processes that append, for tests of the store: forked from a server that has imported everything, so they start fast
and can be killed at any instant."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from quincunx.match import Played
from quincunx.match.record import Entry
from quincunx.store import Appended, Conflict, Duplicate, Store, StoredMatch, StoredSeat
from quincunx.store.database import complete
from quincunx.store.sqlite_process import WriterProcess

_context = multiprocessing.get_context("forkserver")


@cache
def _start_server() -> None:
    """It imports what its children need, and finds it where we do."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    _context.set_forkserver_preload(["appender", "pytest"])
    forkserver.ensure_running()
    os.environ["PYTHONPATH"] = before or ""


@contextmanager
def process(target: Callable[..., None], *arguments: Any) -> Iterator[tuple[BaseProcess, Connection]]:
    """A process, and the pipe on which it speaks; it is dead at the end."""
    _start_server()
    ours, theirs = _context.Pipe()
    child = _context.Process(target=target, args=(theirs, *arguments))
    child.start()
    theirs.close()
    try:
        yield child, ours
    finally:
        child.kill()
        child.join()
        ours.close()


def write(pipe: Connection, file: str, path: str) -> None:
    """The process that writes a file of SQLite for several stores."""
    writer = WriterProcess(complete(file), path)
    pipe.send("ready")
    writer.run()


def new_match(id: str, **more: Any) -> StoredMatch:
    seats = more.pop("seats", (StoredSeat("person", "Ann", token_hash="a"), StoredSeat("person", "Bob")))
    fields: dict[str, Any] = {
        "game": "khet",
        "rules": 1,
        "options": {"laser": True},
        "start": "…",
        "start_digest": "d",
        "created": 1000,
    } | more
    return StoredMatch(id=id, seats=seats, **fields)


def entry(word: str, at: int = 0) -> Entry:
    return Played(0, word, at, "digest")


def append_for_ever(pipe: Connection, address: str, matches: list[str], name: str) -> None:
    """Appends to all the matches at once, and says of each move when it was acknowledged."""

    async def play(store: Store, match: str) -> None:
        seq = len(await store.entries(match))
        while True:
            move = f"{name}-{seq}"
            answer = await store.append(match, seq, [entry(move), entry(move + "-dice")], move)
            assert isinstance(answer, Appended)
            pipe.send((match, seq + 1, move))
            seq = answer.last_seq

    async def main() -> None:
        async with Store.open(address) as store, asyncio.TaskGroup() as group:
            for match in matches:
                group.create_task(play(store, match))

    asyncio.run(main())


def append_against_others(pipe: Connection, address: str, matches: list[str], name: str, moves: int) -> None:
    """Wants a number of moves in each match, whoever else writes there, and sends each of them twice."""

    async def play(store: Store, match: str) -> None:
        last = 0
        for n in range(moves):
            move = f"{name}-{n}"
            while isinstance(answer := await store.append(match, last, [entry(move)], move), Conflict):
                last = answer.last_seq
            assert isinstance(answer, Appended)
            again = await store.append(match, 0, [entry(move)], move)
            assert again == Duplicate(answer.last_seq), (again, answer)
            pipe.send((match, answer.last_seq, move))
            last = answer.last_seq

    async def main() -> None:
        pipe.send("ready")
        pipe.recv()
        async with Store.open(address) as store, asyncio.TaskGroup() as group:
            for match in matches:
                group.create_task(play(store, match))
        pipe.send(None)

    asyncio.run(main())


def open_and_create(pipe: Connection, address: str, name: str) -> None:
    """Opens a database that may be new, together with others."""

    async def main() -> None:
        pipe.send("ready")
        pipe.recv()
        async with Store.open(address) as store:
            await store.create(new_match(name))
        pipe.send(None)

    asyncio.run(main())
