"""The server: real processes, real sockets, real databases; killed with SIGKILL and started again."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, cast

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from quincunx.core.words import Refused
from quincunx.match import decode, replay
from quincunx.match.changes import patched
from quincunx.players.programs.remote import Bridge
from quincunx.server.sockets import CODES, _found, _match
from quincunx.store import Unavailable

pytestmark = pytest.mark.slow  # left out of `make check`

HERE = {"kind": "here", "name": "Ada"}
OPEN = {"kind": "open"}
COMPUTER = {"kind": "computer", "player": "greedy"}

SOURCES = os.pathsep.join(["src", os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)  # and games that are elsewhere


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class Server:
    """A server process on a free port of this machine."""

    def __init__(self, folder: Path, *options: str, **environment: str) -> None:
        self.port = free_port()
        self.database = str(folder / "matches.db")
        self.options = list(options)
        self.environment = environment
        self.database_url: str | None = None  # or one that several share
        self.base = ""  # the path below which it lies
        self.process: subprocess.Popen[bytes] | None = None
        self._said = Path(f"{self.database}-said")

    def start(self, stderr: IO[bytes] | None = None) -> None:
        """Until it says where it listens: whoever answers there before may be the server of another test, to which
        the system gave the same port."""
        for _ in range(3):
            if self._start(stderr):
                return
            self.port = free_port()
        raise OSError("every port is taken")

    def _start(self, stderr: IO[bytes] | None) -> bool:
        command = [sys.executable, "-m", "quincunx", "serve", "--port", str(self.port)]
        command += ["--database", self.database_url or self.database]
        command += self.options
        said = self._said
        with said.open("wb") as stdout:
            self.process = subprocess.Popen(
                command,
                stdout=stdout,
                stderr=stderr,
                env={**os.environ, "PYTHONPATH": SOURCES, "QUINCUNX_LAN": "127.0.0.2", **self.environment},
            )
        deadline = time.monotonic() + 60
        while self.url("") not in said.read_text():
            if self.process.poll() is not None:
                return False
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.02)
        return True

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{self.base}{path}"

    def make(self, game: str, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
        answer = httpx.post(self.url("/api/matches"), json={"game": game, "seats": seats, **more}, timeout=60)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def sit(self, match: str, *tokens: str) -> Client:
        return Client(connect(self.url(f"/ws/{match}").replace("http", "ws"), max_size=None).__enter__(), tokens)


class Client:
    _at = 0.0  # when the last update came

    def __init__(self, connection: ClientConnection, tokens: tuple[str, ...]) -> None:
        self.connection = connection
        self.updates: list[dict[str, Any]] = []
        self.send(type="hello", tokens=tokens)
        self.welcome = self.until("welcome")

    def send(self, **word: Any) -> None:
        self.connection.send(json.dumps(word))

    def receive(self) -> dict[str, Any]:
        word: dict[str, Any] = json.loads(self.connection.recv(timeout=60))
        if word["type"] == "update":
            self.updates.append(word)
        elif word["type"] == "changed":
            assert (self.updates[-1]["n"] + 1, self.updates[-1]["observer"]) == (word["n"], word["observer"])
            self.updates.append(patched(self.updates[-1], word, round(1000 * (time.monotonic() - self._at))))
        self._at = time.monotonic() if word["type"] in ("update", "changed") else self._at
        return word

    def until(self, *types: str) -> dict[str, Any]:
        while True:
            word = self.receive()
            if word["type"] in types:
                return word

    def play(self, id: str, seat: int, action: str) -> dict[str, Any]:
        self.send(type="play", id=id, seat=seat, action=action)
        return self.until("accepted", "refused")

    def now(self) -> dict[str, Any]:
        while not self.updates:
            self.receive()
        return self.updates[-1]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.kill()


def test_two_people_play_to_the_end_and_the_record_replays(server: Server) -> None:
    made = server.make("connect_four", HERE, OPEN, public=True)
    assert made["id"] in [match["id"] for match in httpx.get(server.url("/api/matches?status=open")).json()]
    joined = httpx.post(server.url(f"/api/matches/{made['code'].lower()}/join"), json={"name": "Bob"}).json()
    ada, bob = server.sit(made["id"], made["seats"][0]["token"]), server.sit(made["id"], joined["token"])
    assert ada.welcome["yours"] == [0] and bob.welcome["yours"] == [1]
    for n, column in enumerate("abababa"):
        assert (ada, bob)[n % 2].play(f"m{n}", n % 2, column)["type"] == "accepted"
    while bob.now()["outcome"] is None:
        bob.receive()
    assert bob.now()["outcome"]["ranks"] == [1, 2]
    assert [update["n"] for update in bob.updates] == list(range(1, len(bob.updates) + 1))
    record = httpx.get(server.url(f"/api/matches/{made['id']}/record")).content
    assert replay(decode(record)).length == 7


def test_a_move_that_is_sent_again_is_played_once(server: Server) -> None:
    made = server.make("connect_four", HERE, {**HERE, "name": "Bob"})
    client = server.sit(made["id"], *(held["token"] for held in made["seats"]))
    for _ in range(3):
        assert client.play("again", 0, "d") == {"type": "accepted", "id": "again"}
    while client.now()["shown"]["count"] != 1:
        client.receive()
    assert client.play("other", 0, "d")["code"] == "not_to_act"


def test_a_computer_answers(server: Server) -> None:
    made = server.make("khet", HERE, COMPUTER)
    client = server.sit(made["id"], made["seats"][0]["token"])
    for n in range(3):
        while client.now()["to_act"] != [0]:
            client.receive()
        action = client.now()["legal"][n]
        seen = len(client.updates)
        assert client.play(f"m{n}", 0, action)["type"] == "accepted"
        while len(client.updates) < seen + 2 and client.now()["outcome"] is None:
            client.receive()


def test_a_server_whose_port_is_taken_is_not_mistaken_for_who_has_it(server: Server, tmp_path: Path) -> None:
    other = Server(tmp_path)
    other.port = server.port
    other.start()
    try:
        made = other.make("connect_four", HERE, OPEN)
        assert other.sit(made["id"]).welcome["game"] == "connect_four"
        assert httpx.get(server.url(f"/api/matches/{made['id']}")).status_code == 404
    finally:
        other.kill()


def test_who_comes_to_a_match_that_is_not_there_is_told_so(server: Server) -> None:
    with connect(f"ws://127.0.0.1:{server.port}/ws/nothing") as connection:
        told = json.loads(connection.recv(timeout=60))
        assert (told["type"], told["code"]) == ("refused", "no_such_match") and told["words"]["fr"]
        with pytest.raises(ConnectionClosed) as closed:
            connection.recv(timeout=60)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404


def test_a_program_gives_up_a_match_that_is_not_there(server: Server) -> None:
    class Nothing:
        def close(self) -> None:
            pass

    address = f"ws://127.0.0.1:{server.port}/ws/nothing"
    with pytest.raises(Refused) as refused:
        Bridge(address, "token", cast(Any, Nothing()), lambda words: pytest.fail(words.en)).play()
    assert refused.value.code == "no_such_match"


def test_a_database_that_does_not_answer_is_no_match_that_is_not_there() -> None:
    class Silent:
        async def get(self, id: str) -> None:
            raise Unavailable("locked")

    found = asyncio.run(_found(_match(cast(Any, SimpleNamespace(matches=Silent())), "m")))
    assert isinstance(found, Refused) and CODES[found.code] == 4429 != CODES["no_such_match"]


def test_only_the_holder_of_a_token_plays(server: Server) -> None:
    made = server.make("khet", HERE, {**HERE, "name": "Bob"})
    watcher = server.sit(made["id"], "not-a-token")
    assert watcher.welcome["yours"] == [] and watcher.now()["legal"] == []
    assert watcher.play("m", 0, "H2-G1")["code"] == "not_yours"
    silver = server.sit(made["id"], made["seats"][0]["token"])
    assert silver.play("m", 1, "F8-F7")["code"] == "not_yours"
    assert silver.play("m", 0, "A1-A9")["code"] == "unreadable"
    assert silver.play("m", 0, "H2-G1")["type"] == "accepted"


@pytest.mark.parametrize(
    "frame", ["", "{}", "[1]", "nonsense", '{"type":"play"}', '{"type":"play","id":1,"seat":0,"action":"d"}',
              '{"type":"look","seat":99}', '{"type":"hello","tokens":[1]}', "[" * 5000,
              '{"type":"ask","seat":0,"what":"win"}'],
)  # fmt: skip
def test_a_word_that_means_nothing_is_refused_and_the_socket_goes_on(server: Server, frame: str) -> None:
    made = server.make("connect_four", HERE, OPEN)
    client = server.sit(made["id"], made["seats"][0]["token"])
    client.connection.send(frame)
    refused = client.until("refused")
    assert refused["words"] and "Traceback" not in json.dumps(refused)
    client.send(type="ping")
    assert client.until("pong")


@pytest.mark.parametrize("id", ["", "a b", "é", "a\n", "\0", "x" * 61, "x" * 5000])
def test_the_id_of_a_move_is_judged_at_the_door(server: Server, id: str) -> None:
    made = server.make("connect_four", HERE, {**HERE, "name": "Bob"})
    client = server.sit(made["id"], made["seats"][0]["token"])
    assert client.play(id, 0, "d")["code"] == "move_id"
    assert client.play("y" * 60, 0, "d") == {"type": "accepted", "id": "y" * 60}


def test_ids_that_begin_alike_are_two_moves(server: Server) -> None:
    made = server.make("connect_four", HERE, {**HERE, "name": "Bob"})
    client = server.sit(made["id"], *(held["token"] for held in made["seats"]))
    for n in range(4):
        assert client.play("x" * 58 + f"{n:02}", n % 2, "d")["type"] == "accepted"
    assert len(httpx.get(server.url(f"/api/matches/{made['id']}/record")).json()["entries"]) == 4


@pytest.mark.parametrize("where", ["{}", '{{"game":"khet","seats":{}}}', '{{"game":"khet","options":{{"a":{}}}}}'])
@pytest.mark.parametrize("path", ["/api/matches", "/api/games/khet/preview", "/api/records", "/api/setups"])
def test_what_is_nested_deeply_is_not_understood(server: Server, path: str, where: str) -> None:
    for deep in ("[" * 9000 + "]" * 9000, '{"a":' * 9000 + "1" + "}" * 9000):
        answer = httpx.post(server.url(path), content=where.format(deep), headers={"Content-Type": "application/json"})
        assert answer.status_code == 400 and answer.json()["words"], answer.text


@pytest.mark.parametrize(
    "body, status",
    [
        ({}, 400),
        ({"game": "chess", "seats": []}, 400),
        ({"game": "khet", "seats": [HERE]}, 400),
        ({"game": "khet", "seats": [HERE, {"kind": "computer", "player": "deep"}]}, 400),
        ({"game": "khet", "seats": [HERE, OPEN], "options": {"speed": 3}}, 400),
        ({"game": "khet", "seats": [HERE, OPEN], "text": "xS"}, 400),
        ({"game": "khet", "seats": [{"kind": "here", "name": ""}, OPEN]}, 400),
        ({"game": "khet", "seats": [HERE, OPEN], "clock": {"kind": "move"}}, 400),
        ({"game": "khet", "seats": [HERE, OPEN], "surprise": 1}, 400),
    ],
)
def test_a_match_that_cannot_be_is_refused(server: Server, body: dict[str, Any], status: int) -> None:
    answer = httpx.post(server.url("/api/matches"), json=body)
    assert answer.status_code == status
    assert "Traceback" not in answer.text


def test_a_page_of_another_site_is_turned_away(server: Server) -> None:
    made = server.make("connect_four", HERE, OPEN)
    evil = {"Origin": "http://evil.example"}
    address = f"ws://127.0.0.1:{server.port}/ws/{made['id']}"
    with pytest.raises(WebSocketException), connect(address, additional_headers=evil) as page:
        page.recv()


def test_secrets_stay_on_the_server(server: Server) -> None:
    """A fog match: nobody downloads it while it runs, the public sees no cells, and a shared screen waits."""
    made = server.make("chartichaud", HERE, {**HERE, "name": "Bob"}, options={"width": 8, "height": 6}, seed=4)
    assert httpx.get(server.url(f"/api/matches/{made['id']}/record")).json()["code"] == "running"
    both = server.sit(made["id"], *(held["token"] for held in made["seats"]))
    both.send(type="ping")
    assert both.receive()["type"] == "pong"  # nothing was shown before somebody said that it looks
    public = server.sit(made["id"])
    assert "gold" not in json.dumps(public.now()["story"])
    public.send(type="look", seat=0)
    assert public.until("refused")["code"] == "not_yours"
    one, two = (server.sit(made["id"], held["token"]) for held in made["seats"])
    before = two.now()
    assert one.play("m", 0, next(a for a in one.now()["legal"] if "move" in a))["type"] == "accepted"
    two.send(type="ping")
    assert two.until("pong") and two.now() == before  # what happens out of sight is not even counted
