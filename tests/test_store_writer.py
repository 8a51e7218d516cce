"""SQLite through a process that writes for several stores: it may be killed at any instant, and so may they."""

from __future__ import annotations

import asyncio
import random
import socket
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import Connection as Database

from appender import entry, new_match, process, write
from quincunx.core.words import Refused
from quincunx.store import Answer, Appended, Duplicate, Notification, Store, Unavailable, sqlite_process, writer
from quincunx.store.database import complete
from quincunx.store.sqlite_file import Claim
from quincunx.store.sqlite_process import WriterProcess
from quincunx.store.sqlite_words import Ask, Frames, Grant, frame

PATIENCE = 60.0


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "matches.db")


@pytest.fixture
def path() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:  # the path of a socket is short
        yield f"{folder}/writer"


@contextmanager
def writing(file: str, path: str) -> Iterator[BaseProcess]:
    with process(write, file, path) as (running, pipe):
        assert pipe.recv() == "ready"
        yield running


@asynccontextmanager
async def two(file: str, path: str) -> AsyncIterator[tuple[Store, Store]]:
    async with Store.open(file, writer=path) as one, Store.open(file, writer=path) as other:
        yield one, other


async def _hears(listening: AsyncIterator[Notification], match: str | None) -> None:
    async with asyncio.timeout(PATIENCE):
        async for notification in listening:
            if notification.match == match:
                return


def test_what_one_appends_the_other_hears_and_reads(file: str, path: str) -> None:
    async def run() -> None:
        async with two(file, path) as (one, other):
            heard = other.notifications()
            await _hears(heard, None)
            await one.create(new_match("m"))
            assert await one.append("m", 0, [entry("a")], "a") == Appended(1)
            await _hears(heard, "m")
            assert [stored.seq for stored in await other.entries("m")] == [1]
            assert await other.append("m", 1, [entry("b")], "a") == Duplicate(1)
            assert await other.append("m", 1, [entry("b")], "b") == Appended(2)
            assert abs(one.clock() - other.clock()) < 1000 * PATIENCE

    with writing(file, path):
        asyncio.run(run())


def test_a_file_that_is_written_for_others_is_no_other_servers(file: str, path: str) -> None:
    with writing(file, path):
        with pytest.raises(Refused) as refused:
            Claim(file)
        assert refused.value.code == "shared_file"
    Claim(file).release()  # until it ended, however it did


def test_whatever_was_asked_when_the_writer_is_killed_is_asked_again(file: str, path: str) -> None:
    """Appends and other work of two stores; the writer dies again and again. Each is there once, in its order."""
    dice, kills, told = random.Random(7), 6, dict[str, int]()

    async def play(one: Store, match: str, enough: asyncio.Event) -> None:
        await one.create(new_match(match))
        while not enough.is_set():
            seq = told.get(match, 0)
            answer = await one.append(match, seq, [entry(str(seq))], f"{match}-{seq}")
            assert isinstance(answer, Appended | Duplicate), answer
            told[match] = seq + 1
            if seq % 7 == 0:
                await one.leases.take(match, 0, seq, "me")

    async def run() -> None:
        enough = asyncio.Event()
        with writing(file, path) as running:
            async with two(file, path) as stores:
                players = [asyncio.create_task(play(stores[n % 2], f"m{n}", enough)) for n in range(6)]
                for _ in range(kills):
                    before = sum(told.values())
                    while sum(told.values()) < before + 20 and not any(each.done() for each in players):
                        await asyncio.sleep(0.001)
                    await asyncio.sleep(dice.uniform(0, 0.005))
                    running.kill()
                    running.join()
                    running = await asyncio.to_thread(again.enter_context, writing(file, path))
                enough.set()
                async with asyncio.timeout(PATIENCE):
                    await asyncio.gather(*players)
                for match, seq in told.items():
                    found = await stores[0].entries(match)
                    assert [each.client_move_id for each in found] == [f"{match}-{n}" for n in range(seq)]

    with ExitStack() as again:
        asyncio.run(run())


def hold(pipe: Connection, file: str, path: str) -> None:
    """Takes the file for some work, and does not come to its end."""

    async def run() -> None:
        async with Store.open(file, writer=path) as one:
            await one.create(new_match("half"))

            def work(connection: Database) -> None:
                connection.exec_driver_sql("UPDATE matches SET game = 'lost' WHERE id = 'half'")
                pipe.send("holds")
                pipe.recv()

            await one._writer.do("half", work)

    asyncio.run(run())


def test_who_is_killed_with_the_file_in_its_hands_leaves_it_to_the_others(file: str, path: str) -> None:
    async def run() -> None:
        async with Store.open(file, writer=path) as one:
            heard = one.notifications()
            await _hears(heard, None)
            with process(hold, file, path) as (holder, pipe):
                assert await asyncio.to_thread(pipe.recv) == "holds"
                waiting = asyncio.create_task(one.create(new_match("next")))
                moving = asyncio.create_task(one.append("half", 0, [entry("a")]))
                holder.kill()
                async with asyncio.timeout(PATIENCE):
                    await waiting
                    assert await moving == Appended(1)
                await _hears(heard, None)  # it may have written something, and told nobody
            found = await one.match("half")
            assert found is not None and found.game == "khet"

    with writing(file, path):
        asyncio.run(run())


def test_who_keeps_the_file_for_too_long_loses_it_and_moves_go_on(
    file: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A creation, the longest work that there is, needed 0.08 s at most on a busy machine."""
    assert sqlite_process.LONGEST <= 2.0
    monkeypatch.setattr(sqlite_process, "LONGEST", 0.01)

    async def run() -> None:
        async with Store.open(file, writer=path) as one:
            await one.create(new_match("m"))
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sleeper:
                sleeper.connect(path)
                sleeper.sendall(frame(Ask(7)))
                told, frames = list[Any](), Frames()
                while not told:
                    told += frames.feed(await asyncio.to_thread(sleeper.recv, 1000))
                assert told == [Grant(7)]
                async with asyncio.timeout(PATIENCE):
                    assert await one.append("m", 0, [entry("a")]) == Appended(1)
                    await one.create(new_match("next"))

    there = list[WriterProcess]()

    def write_here() -> None:
        there.append(WriterProcess(complete(file), path))
        there[0].run()
        there[0].close()

    writing = Thread(target=write_here)
    writing.start()
    try:
        asyncio.run(run())
    finally:
        there[0].stop()
        writing.join()


def test_without_a_writer_the_database_does_not_answer(file: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quincunx.store.sqlite_line.PATIENCE", 0.2)

    async def run() -> None:
        with writing(file, path) as running:
            async with Store.open(file, writer=path) as one:
                await one.create(new_match("m"))
                assert await one.administration.answers() == ""
                running.kill()
                running.join()
                with pytest.raises(Unavailable):
                    await one.append("m", 0, [entry("a")])
                with pytest.raises(Unavailable):
                    await one.administration.answers()
                assert await one.match("m")  # it can still be read
        with pytest.raises(Refused) as refused:
            async with Store.open(file, writer=path):
                pass
        assert refused.value.code == "no_database"

    asyncio.run(run())
    with sqlite3.connect(file) as found:
        assert found.execute("SELECT count(*) FROM entries").fetchone() == (0,)


def test_commits_of_moves_are_paced_but_no_longer_than_other_work_or_many_moves_wait(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PACE", 1e9)  # seconds: nothing but a reason ends it

    async def run() -> None:
        async with Store.open(file) as store, asyncio.timeout(PATIENCE):
            ids = [f"m{n}" for n in range(writer.ENOUGH)]
            await asyncio.gather(*(store.create(new_match(id)) for id in ids))

            def moves(number: int, after: int) -> list[asyncio.Task[Answer]]:
                return [asyncio.create_task(store.append(id, after, [entry("a")])) for id in ids[:number]]

            early = moves(writer.ENOUGH - 1, 0)
            assert not (await asyncio.wait(early, timeout=0.05))[0]
            await store.create(new_match("other"))
            assert await asyncio.gather(*early) == [Appended(1)] * len(early)
            early = moves(1, 1)
            assert not (await asyncio.wait(early, timeout=0.05))[0]
            many = [asyncio.create_task(store.append(ids[1], 1 + n, [entry("a")])) for n in range(writer.ENOUGH)]
            assert await early[0] == Appended(2)
            await asyncio.gather(*many)

    asyncio.run(run())
