"""Connections that say nothing, or too slowly, are let go and keep nobody out."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from quincunx.server import compiling, http_connection
from quincunx.server.compiling import Warming
from test_server import HERE
from test_server_limits import Other

IMPATIENT = """
import sys, uvicorn
from quincunx.server import http_connection
from quincunx.server.app import application
from quincunx.server.sockets import LISTENING
http_connection.HEAD, http_connection.BODY, http_connection.CONNECTIONS.silent_near = 4.0, 4.0, 5
uvicorn.run(application(sys.argv[2]), port=int(sys.argv[1]), **LISTENING)
"""


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Other]:
    server = Other(tmp_path_factory.mktemp("door"))
    server.command = ["-c", IMPATIENT, str(server.port)]
    server.start()
    yield server
    server.kill()


def knock(server: Other, said: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=60, source_address=(source, 0))
    connection.sendall(said)
    return connection


def is_closed(connection: socket.socket) -> bool:
    """Waits for its end."""
    try:
        while connection.recv(1000):
            pass
    except ConnectionError:
        pass
    connection.close()
    return True


@pytest.mark.slow
def test_heads_and_bodies_that_never_end_are_closed(impatient: Other) -> None:
    head = b"POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    slow = [
        knock(impatient),
        knock(impatient, b"GET / HTTP/1.1\r\nX-Slow: "),
        knock(impatient, head + b"Content-Length: 1000\r\n\r\n{"),
        knock(impatient, b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),  # answered, then silent
    ]
    assert all(map(is_closed, slow))
    made = impatient.make("connect_four", HERE, HERE)
    client = impatient.sit(made["id"], made["seats"][0]["token"])
    other = knock(impatient)
    assert is_closed(other)  # by then the time for a head is over for all who came before
    assert client.play("m", 0, "d")["type"] == "accepted"  # a socket is no silent connection
    assert [line for line in impatient.log.read_text().splitlines() if "race" in line] == []


def test_silent_connections_make_room_for_those_who_speak(impatient: Other) -> None:
    silent = [knock(impatient) for _ in range(8)]
    assert all(map(is_closed, silent[:3]))
    assert httpx.get(impatient.url("/api/games")).status_code == 200
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
    with httpx.Client(transport=elsewhere) as client:
        assert client.get(impatient.url("/api/games")).status_code == 200
    for connection in silent[3:]:
        connection.close()
    turned = impatient.metrics()
    assert turned['quincunx_turned_away_total{what="silent"}'] >= 3


def test_a_server_raises_its_file_limit(impatient: Other) -> None:
    assert impatient.process is not None
    lines = Path(f"/proc/{impatient.process.pid}/limits").read_text().splitlines()
    soft, hard = next(line.split()[3:5] for line in lines if line.startswith("Max open files"))
    assert int(soft) == min(int(hard), 65_536)


def test_compiling_tries_again_when_it_could_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[str] = []

    class Poor(Warming):
        async def _compile(self, id: str) -> None:
            tries.append(id)
            if len(tries) < 3:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            self._states[id] = "ready"

    monkeypatch.setattr(compiling, "PAUSE", 0.0)
    monkeypatch.setattr(compiling, "is_warm", lambda id: False)

    async def ready(id: str) -> None: ...

    warming = Poor(ready)
    asyncio.run(warming.run())
    assert len(set(tries[:3])) == 1 and set(warming.shown().values()) == {"ready"}


def test_what_the_system_refuses_is_one_line_in_the_log_and_a_bug_is_a_trace(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(http_connection.quiet)
        refusal = OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        loop.call_exception_handler({"message": "accept", "exception": refusal})
        loop.call_exception_handler({"message": "a bug", "exception": KeyError("x")})

    asyncio.run(fail())
    refused, bug = caplog.records
    assert (refused.message, refused.exc_info) == ("loop.failed", None)
    assert bug.exc_info is not None
