"""By which names a server may be called, in real processes and behind any other listener."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from quincunx.server.app import application
from quincunx.server.hosts import Hosts
from test_server import HERE
from test_server_lan import FAR, Serving, free_port

pytestmark = pytest.mark.slow

BOB = {**HERE, "name": "Bob"}


def test_loopback_what_it_listens_on_and_what_was_allowed() -> None:
    names = Hosts("192.168.1.7", ["Play.Example.org"])
    for known in ("localhost:8765", "LOCALHOST", "127.0.0.1", "127.9.9.9:1", "[::1]:8765", "192.168.1.7:8765"):
        assert names.know(known), known
    assert names.know("play.example.org:443") and names.know("play.example.org.")
    for strange in (
        "",
        "evil.example",
        "192.168.1.8",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "[::2]",
        "[",
    ):
        assert not names.know(strange), strange
    name = socket.gethostname()
    assert not names.know("10.0.0.4") and not names.know(name)
    names.open_to(["10.0.0.4"])
    assert names.know("10.0.0.4:80") and names.know(name)


def test_who_listens_everywhere_is_reached_by_any_figures_and_by_no_strange_name() -> None:
    names = Hosts("0.0.0.0")
    assert names.know("192.0.2.9:8765") and names.know("[2001:db8::1]") and not names.know("evil.example")


def test_a_strange_name_gets_nothing_and_a_known_one_all(tmp_path: Path) -> None:
    port = free_port()
    with Serving(tmp_path, "--port", str(port), "--allowed-host", "play.example") as serving:
        serving.says(r"listens on (\S+)")
        url, ws = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}"
        for path in ("/", "/api/matches", "/metrics", "/nowhere"):
            answer = httpx.get(url + path, headers={"Host": f"evil.example:{port}"})
            assert answer.status_code == 421 and answer.json()["code"] == "unknown_host", path
            assert answer.json()["words"]["fr"] and "Content-Security-Policy" in answer.headers
        assert httpx.get(url + "/api/matches", headers={"Host": "play.example"}).status_code == 200
        body = {"game": "connect_four", "seats": [HERE, BOB]}
        made = httpx.post(url + "/api/matches", json=body, headers={"Host": f"localhost:{port}"}).json()
        with socket.create_connection(("127.0.0.1", port)) as line, pytest.raises(InvalidStatus) as refused:
            connect(f"ws://evil.example:{port}/ws/{made['id']}", sock=line)
        assert refused.value.response.status_code == 421
        with connect(f"{ws}/ws/{made['id']}") as client:
            client.send('{"type":"ping"}')
            assert json.loads(client.recv())["type"] == "pong"
        assert httpx.get(url, headers={"Host": FAR}).status_code == 200  # it is of this computer, in figures


def test_behind_another_listener_sockets_work_too(tmp_path: Path) -> None:
    """One without our short way out, and whose names are its own affair."""
    with TestClient(application(str(tmp_path / "m.db"))) as client:
        made: Any = client.post("/api/matches", json={"game": "connect_four", "seats": [HERE, BOB]}).json()
        with client.websocket_connect(f"/ws/{made['id']}") as socket:
            socket.send_json({"type": "hello", "tokens": [held["token"] for held in made["seats"]]})
            assert socket.receive_json()["yours"] == [0, 1]
            assert socket.receive_json()["type"] == "update"
            socket.send_json({"type": "play", "id": "m", "seat": 0, "action": "d"})
            assert socket.receive_json() == {"type": "accepted", "id": "m"}
