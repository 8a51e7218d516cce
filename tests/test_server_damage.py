"""What befalls the store behind the server's back is noticed: nothing is played on, nothing acknowledged in vain."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from test_server import HERE, Client, Server

pytestmark = pytest.mark.slow

BOB = {**HERE, "name": "Bob"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    running.start()
    yield running
    running.kill()


def begun(server: Server) -> tuple[dict[str, Any], Client]:
    made = server.make("connect_four", HERE, BOB)
    client = server.sit(made["id"], *(held["token"] for held in made["seats"]))
    for n, action in enumerate("dcdc"):
        assert client.play(f"m{n}", n % 2, action)["type"] == "accepted"
    return made, client


def alter(server: Server, statement: str) -> None:
    with closing(sqlite3.connect(server.database)) as database, database:
        assert database.execute(statement).rowcount == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET payload = json_set(payload, '$.action', 'e') WHERE seq = 2",
        "UPDATE entries SET payload = json_set(payload, '$.action', 'Ω') WHERE seq = 2",
        "UPDATE entries SET payload = json_set(payload, '$.seat', 0) WHERE seq = 2",
        'UPDATE entries SET payload = \'{"kind": "nonsense"}\' WHERE seq = 2',
        "DELETE FROM entries WHERE seq = 2",
        "UPDATE matches SET start = replace(start, '7/7/7/7/7/7', '7/7/7/7/7/3y3')",
    ],
)
def test_an_altered_match_is_told_and_not_played_on(server: Server, statement: str) -> None:
    made, client = begun(server)
    client.connection.close()
    server.kill()
    alter(server, statement)
    server.start()
    look = httpx.get(server.url(f"/api/matches/{made['id']}/look"))
    assert look.status_code == 409 and look.json()["code"] == "damaged"
    with pytest.raises(AssertionError, match="damaged"):
        _welcomed(server, made)
    whole, again = begun(server)  # the others go on
    assert again.play("m9", 0, "a")["type"] == "accepted" and whole["id"] != made["id"]


def _welcomed(server: Server, made: dict[str, Any]) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/ws/{made['id']}") as socket:
        word = json.loads(socket.recv(timeout=60))
        assert word["type"] == "welcome", word["code"]


def test_entries_that_go_missing_while_a_match_runs_are_noticed(server: Server) -> None:
    _, client = begun(server)
    alter(server, "DELETE FROM entries WHERE seq = 4")
    for n in (1, 2):
        refused = client.play(f"x{n}", 0, "a")
        assert refused["type"] == "refused" and refused["code"] == "damaged"


@pytest.mark.parametrize("harm", [os.remove, lambda name: os.replace(name, f"{name}.away")])
@pytest.mark.parametrize("ending", ["", "-wal"])
def test_nothing_is_acknowledged_once_the_file_is_gone(
    server: Server, ending: str, harm: Callable[[str], None]
) -> None:
    _, client = begun(server)
    harm(server.database + ending)
    for move in ("late", "late", "m3"):  # nor when it is sent again
        refused = client.play(move, 0, "a")
        assert refused["type"] == "refused" and refused["code"] == "unavailable"
    body = {"game": "connect_four", "seats": [HERE, BOB]}
    assert httpx.post(server.url("/api/matches"), json=body).status_code == 503


def test_a_second_server_on_one_file_is_sent_to_postgresql(server: Server) -> None:
    port = str(Server(Path()).port)
    command = [sys.executable, "-m", "quincunx", "--lang", "en", "serve", "--port", port, "--database", server.database]
    second = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert second.returncode == 2 and "PostgreSQL" in second.stderr and "Traceback" not in second.stderr
    server.kill()
    server.start()  # who was killed left no lock behind
