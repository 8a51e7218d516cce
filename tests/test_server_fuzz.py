"""Nonsense at the doors of the server: clean refusals, no 5xx, no growth of memory.

Hypothesis bends real words and requests: other types, other numbers, cut off, doubled, deep, binary. `make fuzz` sends
100,000 of them (QUINCUNX_FUZZ says how many).
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from test_server import HERE, Server

pytestmark = pytest.mark.slow

MANY = int(os.environ.get("QUINCUNX_FUZZ", "4000"))
BLOCK = 40  # in one example
MEGABYTES = 24  # that the server may grow by, once it has seen the first quarter

numbers = st.integers() | st.sampled_from([-1, 0, 1, 2**31, 2**63, -(2**63), 10**400]) | st.floats()
texts = st.text(max_size=30) | st.sampled_from(["", "H2-G1", "d", "end", "\0", "\ud7ff", "a" * 5000, "../../x", "%00"])
anything = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
WORDS: list[dict[str, Any]] = [
    {"type": "hello", "tokens": ["abc"], "last": 3},
    {"type": "play", "id": "m1", "seat": 0, "action": "d"},
    {"type": "ask", "seat": 0, "what": "resign"},
    {"type": "look", "seat": 0, "last": 1},
    {"type": "ping"},
]
REQUESTS: list[tuple[str, str, Any]] = [
    ("POST", "/api/matches", {"game": "khet", "seats": [HERE, {"kind": "open"}], "clock": {"kind": "none"}}),
    ("POST", "/api/matches/{}/join", {"name": "Bob", "seat": 1}),
    ("POST", "/api/matches/{}/rematch", {"tokens": ["abc"]}),
    ("POST", "/api/matches/{}/fork", {"at": 0, "seats": [HERE, HERE]}),
    ("POST", "/api/matches/{}/hint", {"tokens": ["abc"], "seat": 0}),
    ("POST", "/api/matches/{}/analysis", {"have": 0}),
    ("POST", "/api/games/khet/preview", {"setup": "classic"}),
    ("POST", "/api/setups", {"game": "khet", "name": "mine", "text": "x33/a"}),
    ("POST", "/api/records", {"format": 1, "game": "khet"}),
    ("POST", "/api/setups/file", {"game": "khet"}),
    ("GET", "/api/matches/{}", None),
    ("GET", "/api/matches/{}/record", None),
    ("GET", "/api/matches/{}/replay?seat=0&from=0&count=5", None),
    ("GET", "/api/matches?status=open&game=khet&limit=5", None),
    ("GET", "/api/setups/{}", None),
    ("DELETE", "/api/setups/{}", None),
    ("PUT", "/api/setups/{}", {"name": "x"}),
    ("GET", "/metrics", None),
    ("GET", "/{}", None),
]


@st.composite
def bent(draw: st.DrawFn, plain: Any) -> Any:
    """One of its values, or the whole, is something else."""
    if not isinstance(plain, dict) or draw(st.integers(0, 9)) == 0:
        return draw(anything)
    word = dict(plain)
    for name in draw(st.lists(st.sampled_from([*word, "more"]), min_size=1, max_size=2)):
        if draw(st.booleans()):
            word[name] = draw(bent(word[name]) if isinstance(word.get(name), dict) else anything)
        else:
            word.pop(name, None)
    return word


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@st.composite
def frames(draw: st.DrawFn) -> str | bytes:
    way = draw(st.integers(0, 7))
    if way == 0:
        return draw(st.binary(max_size=60))
    if way == 1:
        return draw(st.text(max_size=60))
    if way == 2:
        return draw(st.sampled_from(["[", '{"type":', '{"a":[{"b":'])) * draw(st.integers(1, 400))
    text = written(draw(bent(draw(st.sampled_from(WORDS)))))
    return text[: draw(st.integers(0, len(text)))] if way == 3 else text


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, str, bytes]:
    method, path, body = draw(st.sampled_from(REQUESTS))
    if draw(st.integers(0, 3)) == 0:
        method = draw(st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"]))
    sent = written(draw(bent(body))) if body is not None or draw(st.booleans()) else ""
    if draw(st.integers(0, 5)) == 0:
        sent = sent[: len(sent) // 2]
    quoted = quote(draw(texts).encode("utf-8", "replace"), safe="")
    return method, path.format(quoted), sent.encode("utf-8", "replace")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


def resident(server: Server) -> float:
    """Megabytes of the server process."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


class Growth:
    """Looks at the memory after the first quarter, and at the end."""

    def __init__(self, server: Server) -> None:
        self._server, self.sent, self._first = server, 0, 0.0

    def count(self, n: int) -> None:
        self.sent += n
        if not self._first and self.sent > MANY // 4:
            self._first = resident(self._server)

    def megabytes(self) -> float:
        return resident(self._server) - self._first


def examples(n: int) -> settings:
    return settings(
        max_examples=max(1, n // BLOCK), deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip


def test_words_that_mean_nothing(server: Server) -> None:
    made = server.make("connect_four", HERE, {**HERE, "name": "Bob"})
    growth = Growth(server)

    @examples(MANY)
    @given(st.lists(frames(), min_size=BLOCK, max_size=BLOCK), st.booleans())
    def send(block: list[str | bytes], greets: bool) -> None:
        with connect(f"ws://127.0.0.1:{server.port}/ws/{made['id']}", max_size=None, max_queue=None) as client:
            if greets:
                client.send(json.dumps({"type": "hello", "tokens": [made["seats"][0]["token"]]}))
            answered(client, block)
        growth.count(len(block))

    send()
    assert growth.megabytes() < MEGABYTES
    assert httpx.get(server.url(f"/api/matches/{made['id']}")).status_code == 200


def answered(client: ClientConnection, block: list[str | bytes]) -> None:
    """Every frame is answered or ignored; the server may hang up, but with a code that says why."""
    try:
        for frame in block:
            client.send(frame)
        client.send('{"type":"ping"}')
        while True:
            word = json.loads(client.recv(timeout=60))
            assert word["type"] in ("welcome", "update", "changed", "accepted", "refused", "pong", "thinking")
            assert "Traceback" not in json.dumps(word)
            if word["type"] == "pong":
                return
    except ConnectionClosed as closed:
        assert closed.rcvd is not None and closed.rcvd.code != 1011, closed  # 1011: an error inside


def test_requests_that_mean_nothing(server: Server) -> None:
    growth = Growth(server)
    with httpx.Client(base_url=server.url("/"), timeout=60) as client:

        @examples(MANY)
        @given(st.lists(requests(), min_size=BLOCK, max_size=BLOCK))
        def send(block: list[tuple[str, str, bytes]]) -> None:
            for method, path, body in block:
                answer = client.request(method, path, content=body, headers={"Content-Type": "application/json"})
                assert answer.status_code < 500, (method, path, body, answer.text)
                assert "Traceback" not in answer.text
            growth.count(len(block))

        send()
    assert growth.megabytes() < MEGABYTES


@pytest.mark.parametrize(
    "raw",
    [b"GET /\r\n\r\n", b"\0" * 2000, b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
     b"POST /api/matches HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"GET /" + b"a" * 100_000,
     b"POST /api/matches HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n{}"],
)  # fmt: skip
def test_what_is_not_even_http(server: Server, raw: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(raw)
        line.shutdown(socket.SHUT_WR)
        answer = line.recv(4096)
    assert not answer.startswith(b"HTTP/1.1 5")
    assert httpx.get(server.url("/api/matches")).status_code == 200
