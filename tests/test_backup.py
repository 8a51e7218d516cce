"""Backups: taken while matches are played, brought back into either kind of database, and everything replayed."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from appender import append_for_ever, new_match, process
from postgres import Cluster
from quincunx.core.words import Refused
from quincunx.games import cards
from quincunx.match import replay
from quincunx.match.clock import ClockRule
from quincunx.store import Store, StoredMatch
from quincunx.store.backup import back_up
from quincunx.store.restoring import restore
from test_server import HERE, SOURCES, Client, Server
from test_terminal import Terminal

pytestmark = pytest.mark.slow  # left out of `make check`

OPTIONS = {"casus_belli": {"seats": 2, "width": 11, "height": 11}, "chartichaud": {"width": 8, "height": 6}}
BOB = {**HERE, "name": "Bob"}


def quincunx(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "quincunx", "--lang", "en", *words]
    return subprocess.run(command, env={"PYTHONPATH": SOURCES, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True)


class Playing(threading.Thread):
    """Somebody who plays all matches at once, on shared screens, until told to stop; and what was acknowledged."""

    def __init__(self, server: Server, matches: list[dict[str, Any]]) -> None:
        super().__init__()
        self.acknowledged: list[tuple[str, str]] = []  # match, id of the move
        self.stopping = threading.Event()
        self.failed: BaseException | None = None
        self._random = random.Random(1)
        self._server, self._matches = server, matches

    def run(self) -> None:
        try:
            tables = [(made["id"], self._sit(made)) for made in self._matches]
            n = 0
            while not self.stopping.is_set():
                for id, clients in tables:
                    n += 1
                    self._move(id, clients, f"move-{n}")
        except BaseException as error:
            self.failed = error

    def _sit(self, made: dict[str, Any]) -> list[Client]:
        return [self._server.sit(made["id"], held["token"]) for held in made["seats"]]

    def _move(self, id: str, clients: list[Client], move: str) -> None:
        for client in clients:  # everybody has heard of the last move
            client.send(type="ping")
            client.until("pong")
        nows = [client.now() for client in clients]
        able = [seat for seat, now in enumerate(nows) if seat in now["to_act"] and now["legal"] and not now["outcome"]]
        if able:
            seat = self._random.choice(able)
            action = self._random.choice(nows[seat]["legal"])
            if clients[seat].play(move, seat, action)["type"] == "accepted":
                self.acknowledged.append((id, f"{seat}-{move}"))  # as it is stored


@pytest.fixture(params=["sqlite", "postgresql"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """Where matches are played, and where they are to come back: a database of the other kind."""
    file = str(tmp_path / "matches.db")
    server: Cluster = request.getfixturevalue("postgres")
    return (file, server.database()) if request.param == "sqlite" else (server.database(), file)


def test_a_backup_during_play_has_every_acknowledged_move_and_all_of_it_replays(
    places: tuple[str, str], tmp_path: Path
) -> None:
    """All games, several matches of each; from either kind of database into the other."""
    server = Server(tmp_path)
    server.database, again, file = *places, tmp_path / "backup"
    server.start()
    try:
        made = [
            server.make(card.id, HERE, BOB, options=OPTIONS.get(card.id, {}), public=True)
            for card in cards() for _ in range(3)
        ]  # fmt: skip
        playing = Playing(server, made)
        playing.start()
        while len(playing.acknowledged) < 4 * len(made) and playing.is_alive():
            time.sleep(0.02)
        before = list(playing.acknowledged)
        saved = quincunx("backup", str(file), "--database", server.database)
        during = len(playing.acknowledged) - len(before)
        playing.stopping.set()
        playing.join(60)
    finally:
        server.kill()
    assert playing.failed is None
    assert saved.returncode == 0, saved.stderr
    assert during > 0, "nobody played while it was saved"
    assert [each.name for each in tmp_path.glob("*.part*")] == []
    brought = quincunx("restore", str(file), "--database", again)
    assert brought.returncode == 0 and f"Matches: {len(made)};" in brought.stdout, brought.stderr
    asyncio.run(_replay_all(again, [each["id"] for each in made], set(before)))


async def _replay_all(address: str, ids: list[str], acknowledged: set[tuple[str, str]]) -> None:
    async with Store.open(address, alone=True) as store:
        found = set()
        for id in ids:
            stored = await store.match(id)
            assert stored is not None and stored.status in ("playing", "over")
            entries = await store.entries(id)
            found |= {(id, each.client_move_id) for each in entries}
            record = stored.record([each.entry for each in entries])
            assert len(replay(record).entries) == len(entries)  # every action checked, every digest compared
        assert acknowledged <= found


# -- whole or not at all --------------------------------------------------------------------------------------------


@pytest.fixture
def address(tmp_path: Path) -> str:
    """A small database, with one match that runs on a clock and one that followed another."""
    path = str(tmp_path / "matches.db")

    async def fill() -> None:
        async with Store.open(path) as store:
            clock = ClockRule("fischer", 60_000, 0)
            await store.create(new_match("first", code="ABCDEF", clock=clock))
            await store.create(new_match("second", rematch_of="first"))
            await store.leases.take("first", 0, 0, "somebody")
            await store.administration.ban("203.0.113.7", "spam")

    asyncio.run(fill())
    return path


def code(work: Any) -> str:
    with pytest.raises(Refused) as refused:
        work()
    return refused.value.code


def test_a_copy_that_others_write_to_meanwhile_is_of_one_instant(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page by page, while another process appends: what each append writes is there or not, and it comes to an end."""
    monkeypatch.setattr("quincunx.store.backup.PAGES", 1)
    with process(append_for_ever, address, ["first", "second"], "p") as (_, pipe):
        written = [pipe.recv() for _ in range(20)]
        heard = []

        def progress(done: int, total: int) -> None:
            heard.append((done, total))
            assert len(heard) < 5000, "it begins again and again"
            written.append(pipe.recv())  # it goes on meanwhile

        back_up(address, tmp_path / "b", progress=progress)
    assert len(heard) > 10 and heard[-1][0] == heard[-1][1]
    with closing(sqlite3.connect(tmp_path / "b")) as made:
        rows = made.execute("SELECT match, seq, client_move_id FROM entries").fetchall()
        assert made.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    moves = {(match, move) for match, _, move in rows if move}
    assert {(match, move) for match, _, move in written[:20]} <= moves
    for match in ("first", "second"):
        assert sorted(seq for other, seq, _ in rows if other == match) == list(
            range(1, 2 * sum(m == match for m, _ in moves) + 1)
        )


def test_a_backup_that_fails_leaves_what_was_there(address: str, tmp_path: Path) -> None:
    file = tmp_path / "b"
    back_up(address, file)
    before = file.read_bytes()
    assert code(lambda: back_up(address, file)) == "exists"

    def interrupted(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        back_up(address, file, force=True, progress=interrupted)
    assert code(lambda: back_up(str(tmp_path / "none.db"), tmp_path / "c")) == "no_database"
    assert code(lambda: back_up(str(file.with_name("x")), tmp_path / "c")) == "no_database"
    (tmp_path / "other.db").write_bytes(b"no database at all, but longer than a header of one " * 40)
    assert code(lambda: back_up(str(tmp_path / "other.db"), tmp_path / "c")) == "no_database"
    assert code(lambda: back_up(address, tmp_path / "nowhere" / "c")) == "unwritable_file"
    assert code(lambda: back_up(address, Path(address), force=True)) == "itself"
    assert file.read_bytes() == before
    assert {each.name for each in tmp_path.iterdir() if "part" in each.name or each.name == "c"} == set()
    assert file.stat().st_mode & 0o077 == 0  # there are hashes of tokens in it


def test_on_a_terminal_one_sees_how_far_it_is_and_is_asked_first(address: str, tmp_path: Path) -> None:
    file = tmp_path / "b"
    command = [sys.executable, "-m", "quincunx", "--lang", "fr"]
    saving = Terminal([*command, "backup", str(file), "--database", address])
    assert "Sauvegarde" in saving.rest() and "100%" in saving.written and saving.process.returncode == 0
    refusing = Terminal([*command, "restore", str(file), "--database", address, "--replace"])
    refusing.until(r"Continuer")
    os.write(refusing._ours, b"n\n")
    assert "Rien n’a été fait" in refusing.rest() and refusing.process.returncode == 2


def test_a_restore_is_into_an_empty_database_unless_told_otherwise(address: str, tmp_path: Path) -> None:
    file, again = tmp_path / "b", str(tmp_path / "again.db")
    back_up(address, file)
    counts = restore(file, again)
    assert (counts["matches"], counts["seats"], counts["bans"]) == (2, 4, 1)
    assert code(lambda: restore(file, again)) == "not_empty"
    asked = quincunx("restore", str(file), "--database", again, "--replace")
    assert asked.returncode == 2 and "--yes" in asked.stderr  # nobody is there to be asked
    assert quincunx("restore", str(file), "--database", again, "--replace", "--yes").returncode == 0

    async def look() -> tuple[list[StoredMatch | None], bool]:
        async with Store.open(again) as store:
            taken = await store.leases.take("first", 0, 0, "somebody else")
            return [await store.match(id) for id in ("first", "second")], taken

    (first, second), free = asyncio.run(look())
    assert first is not None and second is not None
    assert (first.code, second.rematch_of, first.options) == ("ABCDEF", "first", {"laser": True})
    assert free, "a lease of a process that is gone came back"


def test_a_restore_that_cannot_be_whole_changes_nothing(address: str, tmp_path: Path) -> None:
    file, again = tmp_path / "b", str(tmp_path / "again.db")
    back_up(address, file)
    shutil.copy(file, tmp_path / "newer")
    with closing(sqlite3.connect(tmp_path / "newer")) as newer:
        newer.execute("UPDATE alembic_version SET version_num = '999'")
        newer.commit()
    assert code(lambda: restore(tmp_path / "newer", again)) == "newer_database"
    assert code(lambda: restore(tmp_path / "nothing", again)) == "no_file"
    assert code(lambda: restore(Path(address), again)) == "not_ours"  # a database, and no backup
    damaged = bytearray(file.read_bytes())
    damaged[4096 * 3 : 4096 * 4] = bytes(4096)
    (tmp_path / "damaged").write_bytes(damaged)
    assert code(lambda: restore(tmp_path / "damaged", again)) == "damaged"

    def interrupted(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        restore(file, again, progress=interrupted)
    assert restore(file, again)["matches"] == 2  # it is still empty


def test_nobody_restores_under_a_running_server(address: str, tmp_path: Path) -> None:
    file, again = tmp_path / "b", str(tmp_path / "again.db")
    back_up(address, file)

    async def meanwhile() -> str:
        async with Store.open(again, alone=True):
            return await asyncio.to_thread(code, lambda: restore(file, again))

    assert asyncio.run(meanwhile()) == "shared_file"


def test_clocks_go_on_with_what_was_left(address: str, tmp_path: Path) -> None:
    """However much later, and on another computer: a match is as old as it was when it was saved."""

    async def age(path: str) -> int:
        async with Store.open(path, alone=True) as store:
            found = await store.match("first")
            assert found is not None and found.began is not None
            return store.clock() - found.began

    before = asyncio.run(age(address))  # and its clock is kept beside it
    with open(f"{address}-clock", "w") as clock:
        clock.write(f"{time.time_ns() // 1_000_000 - 10_000_000:015d}\n")  # of a computer that slept for hours
    with closing(sqlite3.connect(address)) as kept:
        kept.execute("UPDATE matches SET began = began - 10000000")
        kept.commit()
    back_up(address, tmp_path / "b")
    restore(tmp_path / "b", str(tmp_path / "again.db"))
    after = asyncio.run(age(str(tmp_path / "again.db")))
    assert before <= after < before + 60_000


def test_a_backup_of_an_older_version_is_brought_up_to_date(address: str, tmp_path: Path, postgres: Cluster) -> None:
    """Of PostgreSQL, whose tables have to be made again for it: those of its own version."""
    old = postgres.database()
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import text
    from sqlalchemy.ext.asyncio import create_async_engine

    from quincunx.store.database import complete

    config = Config()
    config.set_main_option("script_location", "quincunx.store:migrations")

    def migrate(connection: Any) -> None:
        config.attributes["connection"] = connection
        command.upgrade(config, "001")

    async def make() -> None:
        engine = create_async_engine(complete(old))
        async with engine.begin() as connection:
            await connection.run_sync(migrate)
            values = "'m', 'khet', 1, '{\"laser\": true}', '…', 'd', '{\"kind\":\"none\"}', true, 1, 'over'"
            names = "id, game, rules, options, start, start_digest, clock, public, created, status"
            await connection.execute(text(f"INSERT INTO matches ({names}) VALUES ({values})".replace(":", "\\:")))
        await engine.dispose()

    asyncio.run(make())
    back_up(old, tmp_path / "b")
    assert restore(tmp_path / "b", str(tmp_path / "again.db"))["matches"] == 1

    async def look() -> StoredMatch | None:
        async with Store.open(str(tmp_path / "again.db")) as store:
            return await store.match("m")

    found = asyncio.run(look())
    assert found is not None and found.public is True and found.options == {"laser": True}
