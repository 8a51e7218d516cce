"""Playing over the network: 127.0.0.2 is the address that other computers would use."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin

from test_server import HERE, OPEN, Client, Server

pytestmark = pytest.mark.slow  # left out of `make check`

FAR = "127.0.0.2"
ENVIRONMENT = {**os.environ, "PYTHONPATH": "src", "QUINCUNX_LAN": FAR}
for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
    ENVIRONMENT.pop(name, None)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("QUINCUNX_LAN", FAR)
    running = Server(tmp_path)
    running.start()
    yield running
    running.kill()


def far(server: Server, path: str) -> str:
    return f"http://{FAR}:{server.port}{path}"


def reaches(url: str) -> bool:
    try:
        return httpx.get(url).status_code == 200
    except httpx.TransportError:
        return False


def quincunx(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "quincunx", "--lang", "en", *words]
    return subprocess.run(command, env=ENVIRONMENT | environment, capture_output=True, text=True, timeout=60)


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """A browser that writes down where it was sent."""
    script = tmp_path / "browser.sh"
    script.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/visited\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script


# -- opening --------------------------------------------------------------------------------------------------------


def test_the_network_comes_in_when_somebody_here_opens_and_not_before(server: Server) -> None:
    shown = httpx.get(server.url("/api/server")).json()
    assert (shown["lan"], shown["addresses"], shown["local"]) == (False, [], True)
    assert not reaches(far(server, "/api/server"))
    made = server.make("connect_four", HERE, OPEN)
    ada = server.sit(made["id"], made["seats"][0]["token"])
    assert httpx.get(server.url(f"/api/matches/{made['id']}/qr.svg")).json()["code"] == "lan_closed"
    for _ in range(2):  # asked twice, it is open
        opened = httpx.post(server.url("/api/server/lan"))
        assert opened.status_code == 200 and opened.json()["addresses"] == [far(server, "")]
    joined = httpx.post(far(server, f"/api/matches/{made['code']}/join"), json={"name": "Bob"}).json()
    with connect(f"ws://{FAR}:{server.port}/ws/{made['id']}", origin=Origin(far(server, ""))) as socket:
        bob = Client(socket, (joined["token"],))
        assert ada.play("m", 0, "d")["type"] == "accepted"  # the socket that was there before goes on
        assert bob.play("m", 1, "d")["type"] == "accepted"
    assert not httpx.get(far(server, "/api/server")).json()["local"]


def test_only_this_computer_opens_it(server: Server) -> None:
    evil = {"Host": "evil.example"}  # a name that another site lets point to this computer
    assert httpx.post(server.url("/api/server/lan"), headers=evil).json()["code"] == "unknown_host"
    other = {"Origin": "http://evil.example"}
    assert httpx.post(server.url("/api/server/lan"), headers=other).json()["code"] == "other_site"
    assert not httpx.get(server.url("/api/server")).json()["lan"]
    assert httpx.post(server.url("/api/server/lan")).status_code == 200
    assert httpx.post(far(server, "/api/server/lan")).json()["code"] == "not_here"


@pytest.mark.parametrize("origin", ["http://[", "null", "http://evil.example", "x"])
def test_a_strange_origin_opens_no_socket(server: Server, origin: str) -> None:
    made = server.make("connect_four", HERE, OPEN)
    address = server.url(f"/ws/{made['id']}").replace("http", "ws")
    with pytest.raises(WebSocketException), connect(address, origin=Origin(origin)) as page:
        page.recv()


def test_a_telephone_reads_the_link(server: Server) -> None:
    httpx.post(server.url("/api/server/lan"))
    made, other = (server.make("connect_four", HERE, OPEN) for _ in range(2))
    pictures = [httpx.get(server.url(f"/api/matches/{each['id']}/qr.svg")) for each in (made, other)]
    assert all(picture.headers["content-type"].startswith("image/svg+xml") for picture in pictures)
    assert b"<svg" in pictures[0].content and pictures[0].content != pictures[1].content
    assert b"<script" not in pictures[0].content


# -- the commands ---------------------------------------------------------------------------------------------------


class Serving:
    """`quincunx serve …` as somebody types it, and what it says."""

    def __init__(self, folder: Path, *words: str, **environment: str) -> None:
        database = str(folder / "m.db")
        command = [sys.executable, "-m", "quincunx", "--lang", "en", "serve", "--database", database, *words]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT | {"PYTHONUNBUFFERED": "1"} | environment
        )

    def says(self, pattern: str) -> str:
        """Waits for a line, and returns what it caught."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(pattern, line):
                return found[1]
        raise AssertionError(f"it never said {pattern}")

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *_: Any) -> None:
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(30) == 0
        assert self.process.stdout is not None
        self.process.stdout.close()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def test_serve_lan_tells_where_others_come_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    port = free_port()
    with Serving(tmp_path, "--port", str(port), "--lan") as serving:
        assert serving.says(r"network come to (\S+)") == f"http://{FAR}:{port}"
        assert reaches(f"http://{FAR}:{port}/api/server")
    assert not reaches(f"http://{FAR}:{port}/api/server")


def test_open_opens_the_browser_once_the_server_answers(tmp_path: Path, browser: Path) -> None:
    port = free_port()
    with Serving(tmp_path, "--port", str(port), "--open", BROWSER=f"{browser} %s") as serving:
        url = serving.says(r"browser opens at (\S+)")
        assert url == f"http://127.0.0.1:{port}" and reaches(url)
        again = quincunx("serve", "--open", "--port", str(port), "--database", str(tmp_path / "n.db"))
        assert again.returncode == 0 and url in again.stdout and not (tmp_path / "n.db").exists()
    assert (tmp_path / "visited").read_text().split() == [url]


def test_without_a_browser_the_address_is_said_and_another_programs_port_is_left_alone(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        with Serving(tmp_path, "--port", str(taken), "--open") as serving:
            url = serving.says(r"Open (\S+) in a browser")
            assert url != f"http://127.0.0.1:{taken}" and reaches(url)
        refused = quincunx("serve", "--port", str(taken), "--database", str(tmp_path / "n.db"))
        assert refused.returncode == 2 and "Cannot listen" in refused.stderr


def test_a_database_that_cannot_be_opened_is_one_sentence(tmp_path: Path) -> None:
    refused = quincunx("serve", "--port", str(free_port()), "--database", "postgresql://127.0.0.1:1/none")
    assert refused.returncode == 2 and len(refused.stderr.splitlines()) == 1


def test_join_finds_the_match_or_says_why_not(server: Server, browser: Path, tmp_path: Path) -> None:
    httpx.post(server.url("/api/server/lan"))
    made = server.make("connect_four", HERE, OPEN)
    link = f"http://{FAR}:{server.port}/match/{made['code']}"
    for words in ([f"{FAR}:{server.port}", made["code"]], [link]):
        joined = quincunx("join", *words, "--no-browser")
        assert joined.returncode == 0 and link in joined.stdout, joined.stderr
    opened = quincunx("join", f"{FAR}:{server.port}", BROWSER=f"{browser} %s")
    assert opened.returncode == 0
    assert (tmp_path / "visited").read_text().split() == [f"http://{FAR}:{server.port}/join"]
    unknown = quincunx("join", f"{FAR}:{server.port}", "ZZZZZZ", "--no-browser")
    assert unknown.returncode == 2 and "no match ZZZZZZ" in unknown.stderr


def test_join_says_when_nothing_or_something_else_is_there(tmp_path: Path) -> None:
    silent = quincunx("join", f"{FAR}:{free_port()}", "--no-browser")
    assert silent.returncode == 2 and "No Quincunx answers" in silent.stderr
    for address in ("ftp://x", "http://", "a b", "[", "x:99999", "http://x:y"):
        odd = quincunx("join", address, "--no-browser")
        assert odd.returncode == 2 and "This needs an address" in odd.stderr, address
    code = quincunx("join", FAR, "../etc", "--no-browser")
    assert code.returncode == 2 and "This needs a code" in code.stderr
