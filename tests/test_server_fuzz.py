"""Nonsense at the doors of the server: clean refusals, no 5xx, no growth of memory.

Real words and requests are bent: other types, other numbers, cut off, doubled, deep, binary. `make fuzz` sends half a
million of each (QUINCUNX_FUZZ says how many). They come from many addresses of this computer, since the server lets no
single one have much of its time; so the test waits for work, not for a budget.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from quincunx.games import load
from test_server import HERE, Server

pytestmark = pytest.mark.slow

MANY = int(os.environ.get("QUINCUNX_FUZZ", "1000"))
BLOCK = 40  # frames on one socket, requests on one line
ADDRESSES = [f"127.0.1.{n}" for n in range(1, 65)]  # that they come from in turn
MEGABYTES = 24  # that the server may grow by, once it has seen the first quarter

ANSWERS = ("welcome", "update", "changed", "accepted", "refused", "pong", "thinking", "tried", "said", "waiting")
NUMBERS = [-1, 0, 1, 7, 0.5, -1e308, 2**31, 2**63, -(2**63), 10**400, float("nan"), float("inf")]
OWNER = "somebody-of-no-importance"
ID, TOKEN = "an existing match", "and one of its tokens"  # in the place of which they are put
TEXTS = ["", "H2-G1", "d", "end", "\0", "\ud7ff", "a" * 5000, "../../x", "%00", "é ’ \u202e", "seal", "0,0"]
WORDS: list[dict[str, Any]] = [
    {"type": "hello", "tokens": ["abc"], "last": 3},
    {"type": "play", "id": "m1", "seat": 0, "action": "d"},
    {"type": "ask", "seat": 0, "what": "resign"},
    {"type": "look", "seat": 0, "last": 1},
    {"type": "try", "id": "t1", "seat": 0, "action": "d"},
    {"type": "say", "seat": 0, "phrase": "hello", "text": ""},
    {"type": "ping"},
]
REQUESTS: list[tuple[str, str, Any]] = [
    ("POST", "/api/matches", {"game": "khet", "seats": [HERE, {"kind": "open"}], "clock": {"kind": "none"}}),
    ("POST", "/api/matches/{}/join", {"name": "Bob", "seat": 1}),
    ("POST", "/api/matches/{}/rematch", {"tokens": [TOKEN]}),
    ("POST", "/api/matches/{}/fork", {"at": 0, "seats": [HERE, HERE]}),
    ("POST", "/api/matches/{}/hint", {"tokens": [TOKEN], "seat": 0}),
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
    ("GET", "/api/contests?limit=5", None),
    ("GET", "/api/contests/{}", None),
    ("GET", "/api/contests/x/records/0/{}", None),
    ("GET", "/api/contests/x/records/0/0/reel?frames={}", None),
    ("POST", "/api/contests/{}/records/0/0/open", None),
    ("POST", "/api/matches/{}/outlook", {"tokens": [TOKEN], "seat": 0}),
    ("GET", "/api/matches/{}/outlooks", None),
    ("GET", "/api/matches/{}/look", None),
    ("POST", "/api/positions", {"match": ID, "at": 0}),
    ("POST", "/api/positions/thought", {"match": ID, "at": 0}),
    (
        "POST",
        "/api/studies",
        {"name": "s", "place": {"game": "khet", "start": {}}, "tree": [{"parent": -1, "action": ""}]},
    ),
    ("GET", "/api/studies", None),
    ("GET", "/api/studies/{}", None),
    ("PUT", "/api/studies/{}", {"name": "x"}),
    ("DELETE", "/api/studies/{}", None),
    ("POST", "/api/people", {"name": "Ada"}),
    ("GET", "/api/people/me", None),
    ("GET", "/api/people/me/history", None),
    ("DELETE", "/api/people/me", None),
    ("POST", "/api/people/me/device", {"key": "abc"}),
    ("POST", "/api/people/me/friends", {"code": "abc"}),
    ("POST", "/api/people/me/favourites", {"game": "khet", "setup": "imhotep"}),
    ("POST", "/api/seeks", {"game": "khet", "clock": {"kind": "fischer", "base": 1000, "turn": 0}, "rated": False}),
    ("GET", "/api/seeks", None),
    ("GET", "/api/games/khet/puzzles", None),
    ("GET", "/api/games/khet/puzzles/{}", None),
    ("POST", "/api/games/khet/puzzles/{}/try", {"action": "H2-G1"}),
    ("GET", "/api/games/khet/openings/{}", None),
    ("POST", "/api/arenas", {"game": "khet", "name": "a", "turn": 5, "computers": ["level:1"]}),
    ("POST", "/api/arenas/{}/close", None),
    ("POST", "/api/classroom/join", {"code": "abc", "name": "Ada"}),
    ("POST", "/api/classroom/pupil", {"key": "abc"}),
    ("POST", "/api/classroom/teacher", {"key": "abc"}),
    ("GET", "/metrics", None),
    ("GET", "/{}", None),
]


class Nonsense(Random):
    """Draws what no client means, now and then about what is there: `known` are ids by the beginning of their paths."""

    known: Mapping[str, Sequence[str]] = {}
    token = "abc"

    def text(self) -> str:
        if self.random() < 0.5:
            return self.choice(TEXTS)
        return "".join(map(chr, self.choices(range(0xD7FF), k=self.randrange(30))))

    def anything(self, depth: int = 0) -> Any:
        way = self.randrange(7 if depth < 3 else 5)
        if way == 5:
            return [self.anything(depth + 1) for _ in range(self.randrange(4))]
        if way == 6:
            return {self.text(): self.anything(depth + 1) for _ in range(self.randrange(4))}
        return (None, self.random() < 0.5, self.choice(NUMBERS), self.randrange(-(2**70), 2**70), self.text())[way]

    def bent(self, plain: Any) -> Any:
        """One of its values, or the whole, is something else."""
        if not isinstance(plain, dict) or self.random() < 0.1:
            return self.anything()
        word = dict(plain)
        for name in self.choices([*word, "more"], k=self.randrange(1, 3)):
            if self.random() < 0.5:
                word[name] = self.bent(word[name]) if isinstance(word.get(name), dict) else self.anything()
            else:
                word.pop(name, None)
        return word

    def frame(self) -> str | bytes:
        way = self.randrange(8)
        if way == 0:
            return self.randbytes(self.randrange(60))
        if way == 1:
            return self.text()
        if way == 2:
            return self.choice(["[", '{"type":', '{"a":[{"b":']) * self.randrange(1, 400)
        text = written(self.bent(self.choice(WORDS)))
        return text[: self.randrange(len(text) + 1)] if way == 3 else text

    def request(self) -> tuple[str, str, bytes]:
        method, path, body = self.choice(REQUESTS)
        if self.random() < 0.25:
            method = self.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"])
        sent = written(self.bent(body)) if body is not None or self.random() < 0.5 else ""
        if self.random() < 0.2:
            sent = sent[: len(sent) // 2]
        matches = self.known.get("/api/matches/", ["abc"])
        sent = sent.replace(ID, self.choice(matches)).replace(TOKEN, self.token)
        there = next((ids for begins, ids in self.known.items() if path.startswith(begins)), [])
        text = self.choice(there) if there and self.random() < 0.5 else quote(_bytes(self.text()), safe="")
        return method, path.format(text), _bytes(sent)


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    running = Server(folder)
    with (folder / "log").open("wb") as log:
        running.start(log)
    while set(httpx.get(running.url("/api/server"), timeout=60).json()["compiling"].values()) != {"ready"}:
        time.sleep(0.1)  # the machine code of all games takes tens of megabytes, whatever is said
    yield running
    running.kill()
    logged = (folder / "log").read_text()
    assert "Traceback" not in logged, logged[logged.index("Traceback") - 500 :][:3000]


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


def test_words_that_mean_nothing(server: Server) -> None:
    made = server.make("connect_four", HERE, {**HERE, "name": "Bob"})
    growth, nonsense = Growth(server), Nonsense(1)
    place = f"ws://127.0.0.1:{server.port}/ws/{made['id']}"
    for n in range(max(1, MANY // BLOCK)):
        source = ADDRESSES[n % len(ADDRESSES)], 0
        with connect(place, max_size=None, max_queue=None, compression=None, source_address=source) as client:
            if nonsense.random() < 0.5:
                client.send(json.dumps({"type": "hello", "tokens": [made["seats"][0]["token"]]}))
            answered(client, [nonsense.frame() for _ in range(BLOCK)])
        growth.count(BLOCK)
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
            assert word["type"] in ANSWERS
            assert "Traceback" not in json.dumps(word)
            if word["type"] == "pong":
                return
    except ConnectionClosed as closed:
        assert closed.rcvd is not None and closed.rcvd.code != 1011, closed  # 1011: an error inside


def what_is_there(server: Server) -> tuple[dict[str, list[str]], str]:
    """A match that waits, one that is over, a setup, a study, an arena and a puzzle; and the token of both matches."""

    def post(path: str, body: dict[str, Any]) -> str:
        answer = httpx.post(server.url(path), json=body, headers={"X-Owner": OWNER}, timeout=60)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    over = server.make("connect_four", HERE, {**HERE, "name": "Bob"})
    token = over["seats"][0]["token"]
    client = server.sit(over["id"], token)
    client.send(type="ask", seat=0, what="resign")
    while not client.now()["outcome"]:
        client.receive()
    waits = server.make("khet", HERE, {"kind": "open"})
    study = {"name": "s", "place": {"game": "khet", "start": {}}, "tree": [{"parent": -1, "action": ""}]}
    puzzles = httpx.get(server.url("/api/games/khet/puzzles"), timeout=60).json()
    setup = {"game": "khet", "name": "mine", "text": load("khet").setups[0].text}
    return {
        "/api/matches/": [over["id"], waits["id"]],
        "/api/setups/": [post("/api/setups", setup)],
        "/api/studies/": [post("/api/studies", study)],
        "/api/arenas/": [post("/api/arenas", {"game": "khet", "name": "a", "turn": 5, "computers": ["greedy"]})],
        "/api/games/khet/puzzles/": [puzzles[0]["id"]],
    }, token


def test_requests_that_mean_nothing(server: Server) -> None:
    growth, nonsense, answers = Growth(server), Nonsense(2), Counter[int]()
    nonsense.known, nonsense.token = what_is_there(server)
    for n in range(max(1, MANY // BLOCK)):
        source = ADDRESSES[n % len(ADDRESSES)], 0
        line = HTTPConnection("127.0.0.1", server.port, timeout=60, source_address=source)
        for _ in range(BLOCK):
            method, path, body = nonsense.request()
            owner = {"X-Owner": OWNER} if nonsense.random() < 0.5 else {}
            line.request(method, path, body, {"Content-Type": "application/json", **owner})
            answer = line.getresponse()
            told = answer.read()
            assert answer.status < 500, (method, path, body, told)
            assert b"Traceback" not in told
            answers[answer.status] += 1
        growth.count(BLOCK)
        line.close()
    assert growth.megabytes() < MEGABYTES
    assert answers[429] < MANY // 2, answers  # most of it was looked at


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
