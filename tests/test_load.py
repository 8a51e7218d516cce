"""The clients of `quincunx load`: they play real matches on a real server; their figures agree with the server's."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import SplitResult

import pytest

from quincunx.cli.app import run
from quincunx.core.contract import CHANCE
from quincunx.games import load
from quincunx.loadtest import host
from quincunx.loadtest.clients import Clients, Times, percentile
from quincunx.loadtest.protocol import Made, Quincunx
from quincunx.loadtest.rest import ask
from quincunx.loadtest.socket import Socket
from quincunx.match import Played
from quincunx.store import Store

pytestmark = pytest.mark.slow  # left out of `make check`


class Wire(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def close(self) -> None:
        self.closed = True


def frames(texts: list[bytes]) -> bytes:
    """As a server sends them; the last length needs eight bytes."""
    whole = b""
    for text in texts:
        n = len(text)
        wide = bytes((n,)) if n < 126 else bytes((126,)) + n.to_bytes(2) if n < 2**16 else bytes((127,)) + n.to_bytes(8)
        whole += b"\x81" + wide + text
    return whole


@pytest.mark.parametrize("seed", range(5))
def test_messages_come_whole_however_the_network_cuts_them(seed: int) -> None:
    async def listen() -> list[bytes]:
        heard: list[bytes] = []
        socket = Socket("host", "/", heard.append, lambda reason: None)
        socket.connection_made(Wire())
        data = b"HTTP/1.1 101 Switching Protocols\r\nA: b\r\n\r\n" + frames(texts)
        random, at = Random(seed), 0
        while at < len(data):
            size = random.choice((1, 2, 3, 7, 100, 40_000))
            socket.data_received(data[at : at + size])
            at += size
        return heard

    texts = [b"", b"a", b"b" * 125, b"c" * 126, b"d" * 65_535, b"e" * 65_536, b"f"]
    assert asyncio.run(listen()) == texts


def test_a_ping_is_answered_and_a_piece_waits_for_the_rest() -> None:
    async def listen() -> tuple[list[bytes], list[bytes], bool]:
        heard: list[bytes] = []
        socket, wire = Socket("host", "/", heard.append, lambda reason: None), Wire()
        socket.connection_made(wire)
        socket.data_received(
            b"HTTP/1.1 101 \r\n\r\n" + b"\x01\x02ab" + b"\x89\x02hi" + b"\x80\x01c" + b"\x88\x02\x03\xe8"
        )
        return heard, wire.written[1:], wire.closed

    assert asyncio.run(listen()) == ([b"abc"], [b"\x8a\x82\0\0\0\0hi"], True)


@pytest.mark.parametrize("share, figure", [(0.0, 1), (0.5, 50), (0.99, 99), (0.991, 100), (1.0, 100)])
def test_percentiles(share: float, figure: float) -> None:
    assert percentile(list(range(1, 101)), share) == figure
    assert percentile([], share) == 0


def test_the_times_are_in_order() -> None:
    times = Times.of([0.003, 0.001, 0.002], 2.0, 0, {})
    assert (times.moves, times.p50, times.longest, times.moves_a_second) == (3, 2.0, 3.0, 1.5)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("load") / "matches.db"


@pytest.fixture(scope="module")
def server(database: Path) -> Iterator[SplitResult]:
    with host.quincunx(str(database)) as address:
        yield address


def stored_moves(database: Path, ids: list[str]) -> int:
    async def count() -> int:
        async with Store.open(str(database)) as store:
            stored = [each.entry for id in ids for each in await store.entries(id)]
            return sum(isinstance(entry, Played) and entry.seat != CHANCE for entry in stored)

    return asyncio.run(count())


class Noting(Quincunx):
    """Keeps the ids of the matches that it made."""

    def __init__(self, game: str, seats: int, **more: Any) -> None:
        super().__init__(game, seats, **more)
        self.ids: list[str] = []

    async def make(self, address: SplitResult) -> Made:
        made = await super().make(address)
        self.ids.append(made.id)
        return made


@pytest.mark.parametrize("game", ["khet", "connect_four", "garden", "chartichaud"])
def test_what_is_counted_is_what_the_server_stored(server: SplitResult, database: Path, game: str) -> None:
    """As fast as possible, until matches were played out where they are short: every move once, none refused."""
    bound = load(game, "interpreted")
    seats = bound.seats(bound.new(seed=1))

    async def play() -> tuple[Times, list[str], int]:
        protocol = Noting(game, seats, seed=1)
        clients = Clients(server, protocol)
        await clients.sit(3)
        times = await clients.play(1.0)
        await clients.leave()
        return times, protocol.ids, len(clients.waits)

    times, ids, answered = asyncio.run(play())
    assert times.errors == {} and 0 < times.moves <= answered
    assert times.finished <= len(ids) <= 3 + times.finished
    assert 0 < times.p50 <= times.p95 <= times.p99 <= times.longest
    assert stored_moves(database, ids) == answered


def test_known_games_are_played_to_their_ends(server: SplitResult) -> None:
    script = [(n % 2, column) for n, column in enumerate("abababa")]

    async def play() -> tuple[Times, object]:
        clients = Clients(server, Quincunx("connect_four", 2, scripted=True), scripts=[script])
        await clients.sit(4)
        ids = [match.made.id for match in clients.under_way]
        times = await clients.play()
        await clients.leave()
        return times, [(await ask(server, "GET", f"/api/matches/{id}")).read()["status"] for id in ids]

    times, states = asyncio.run(play())
    assert (times.moves, times.finished, times.errors) == (28, 4, {})
    assert states == ["over"] * 4


def test_an_illegal_move_is_an_error_and_not_a_silence(server: SplitResult) -> None:
    async def play() -> Times:
        clients = Clients(server, Quincunx("connect_four", 2, scripted=True), scripts=[[(0, "a"), (0, "a")]])
        await clients.sit(1)
        times = await clients.play()
        await clients.leave()
        return times

    times = asyncio.run(play())
    assert (times.moves, times.finished, times.errors) == (1, 0, {"not_to_act": 1})


def test_the_command_keeps_what_it_shows(server: SplitResult, tmp_path: Path) -> None:
    file = tmp_path / "load.json"
    command = ["load", server.geturl(), "--matches", "4", "--rate", "20", "--seconds", "1", "--json", str(file)]
    assert run(command) == 0
    report = json.loads(file.read_bytes())
    assert report["matches"] == 4 and report["sockets"] == 8 and report["times"]["errors"] == {}
    assert report["moves_a_second"] == pytest.approx(report["times"]["moves"] / report["times"]["seconds"])
    assert 0 < report["committing"] < report["in_server"]  # by the server's own figures
    assert report["times"]["moves"] <= 4 * 21  # never faster than was asked
    assert report["memory_before"] is None or report["memory_after"] >= report["memory_before"] / 2


def test_all_processes_of_a_server_are_measured_beside_a_neighbour_that_goes_with_it(tmp_path: Path) -> None:
    file = tmp_path / "load.json"
    command = ["load", "--processes", "2", "--neighbour", "--matches", "4", "--rate", "20", "--seconds", "1"]
    assert run([*command, "--json", str(file)]) == 0
    report = json.loads(file.read_bytes())
    assert (report["processes"], report["neighbour"], report["bar"]) == (3, True, None)  # the one that writes, too
    assert report["processor"] > 0 and report["memory_after"] > 0
    assert 0 < report["committing"] < report["in_server"]
    beside = [Path(f"/proc/{each}/cmdline").read_text() for each in host.children(os.getpid())]
    assert not any(host.BUSY in command for command in beside)


def test_idle_sockets_only_sit(server: SplitResult, tmp_path: Path) -> None:
    file = tmp_path / "idle.json"
    assert run(["load", server.geturl(), "--idle", "10", "--json", str(file)]) == 0
    report = json.loads(file.read_bytes())
    assert (report["sockets"], report["times"]) == (10, None)


@pytest.mark.parametrize("address", ["nonsense", "ftp://127.0.0.1:1", "http://127.0.0.1"])
def test_an_address_that_is_none_is_refused(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["load", address]) == 2
    assert "http://" in capsys.readouterr().err
