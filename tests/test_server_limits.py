"""What a server refuses to those who ask for too much, what it counts, what it logs, and how it starts cold."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from quincunx.games import load
from quincunx.match import Happened, Match
from quincunx.server.budgets import A_BYTE, A_MATCH, AN_ENTRY, BUDGET, Budget
from quincunx.server.limits import Allowance, Bucket, Gate, Limits
from quincunx.server.lobby import Lobby
from quincunx.server.match_shapes import Fork, NewMatch, WantedSeat
from quincunx.server.matches import LiveMatches
from quincunx.store import Store
from test_server import HERE, Server

pytestmark = pytest.mark.slow  # left out of `make check`

BOB = {**HERE, "name": "Bob"}
STRICT = """
import sys, uvicorn
from quincunx.server.app import application
from quincunx.server.limits import Allowance, Limits
from quincunx.server.sockets import LISTENING
near = Allowance(words=50, words_burst=5, requests=0.001, requests_burst=200, sockets=3, matches=4)
uvicorn.run(application(sys.argv[2], limits=Limits(near=near)), port=int(sys.argv[1]), **LISTENING)
"""


class Other(Server):
    """Started otherwise, and it keeps what it logs."""

    def __init__(self, folder: Path, *command: str, **environment: str) -> None:
        super().__init__(folder)
        self.command = list(command) or ["-m", "quincunx", "serve", "--port", str(self.port), "--database"]
        self.environment = environment
        self.log = folder / "log"

    def start(self, stderr: IO[bytes] | None = None) -> None:
        environment = {**os.environ, "PYTHONPATH": "src", **self.environment}
        command = [sys.executable, *self.command, self.database]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env=environment)
        while True:
            try:
                httpx.get(self.url("/metrics"), timeout=5)
                return
            except httpx.TransportError:
                assert self.process.poll() is None
                time.sleep(0.05)

    def metrics(self) -> dict[str, float]:
        lines = httpx.get(self.url("/metrics")).text.splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Other]:
    server = Other(tmp_path)
    server.command = ["-c", STRICT, str(server.port)]
    server.start()
    yield server
    server.kill()


def test_too_many_matches_and_requests_are_turned_away(strict: Other) -> None:
    body = {"game": "connect_four", "seats": [HERE, BOB]}
    made = [httpx.post(strict.url("/api/matches"), json=body) for _ in range(5)]
    assert [answer.status_code for answer in made] == [201] * 4 + [429]
    assert int(made[-1].headers["Retry-After"]) > 600 and made[-1].json()["code"] == "too_many_requests"
    with httpx.Client() as client:
        answers = [client.get(strict.url("/no/such/path")) for _ in range(200)]
    assert [answer.status_code for answer in answers][::199] == [404, 429]
    assert "Content-Security-Policy" in answers[-1].headers


def test_one_client_does_not_fill_the_room_that_all_setups_and_studies_share(strict: Other) -> None:
    """Under ever new names, for what an owner may keep is counted by the owner."""
    tree = [{"parent": -1, "action": ""}]
    study = {"name": "s", "place": {"game": "connect_four", "start": {}}, "tree": tree}
    setup = {"game": "khet", "name": "s", "text": "nonsense", "shared": False}
    answers = [
        httpx.post(strict.url(path), json=body, headers={"X-Owner": f"{path}-{n}".replace("/", "-") * 3})
        for n in range(3)
        for path, body in (("/api/studies", study), ("/api/setups", setup))
    ]
    assert [answer.status_code == 429 for answer in answers] == [False] * 4 + [True] * 2, [a.text for a in answers]
    assert answers[0].status_code == 201 and answers[-1].json()["code"] == "too_many_requests"


def test_too_many_sockets_are_turned_away(strict: Other) -> None:
    made = strict.make("connect_four", HERE, BOB)
    clients = [strict.sit(made["id"]) for _ in range(3)]
    address = f"ws://127.0.0.1:{strict.port}/ws/{made['id']}"
    with pytest.raises(InvalidStatus) as refused, connect(address):
        pass
    answer = refused.value.response
    assert answer.status_code == 429 and answer.headers["Retry-After"] and b"connexions" in (answer.body or b"")
    clients[0].connection.close()
    while strict.metrics()["quincunx_sockets"] == 3:
        time.sleep(0.01)
    strict.sit(made["id"])


def test_who_talks_too_fast_is_read_more_slowly_but_heard(strict: Other) -> None:
    made = strict.make("connect_four", HERE, BOB)
    client = strict.sit(made["id"])
    for _ in range(30):
        client.send(type="ping")
    for _ in range(30):
        assert client.until("pong")


def test_a_bucket_holds_no_more_than_its_burst() -> None:
    bucket = Bucket(rate=1e-9, burst=3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]
    assert bucket.wait() > 1e8


def test_a_large_answer_costs_its_client_as_much_as_it_weighs() -> None:
    async def ask(size: int) -> float:
        async def app(scope: object, receive: object, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": bytes(size)})

        async def hear(message: object) -> None:
            pass

        scope = {"type": "http", "method": "GET", "path": "/", "client": ("192.0.2.1", 1)}
        gate = Gate(Limits(far=Allowance(loop=0.001, loop_burst=0.01)))
        await gate.guard(app, {})(scope, None, hear)
        return gate.loop(scope).wait()

    assert asyncio.run(ask(1000)) == 0.0
    assert asyncio.run(ask(20_000_000)) > 0.0


def test_a_fork_costs_its_client_as_many_entries_as_it_reads_and_writes(tmp_path: Path) -> None:
    async def cost(at: int, take_backs: int) -> float:
        async with Store.open(str(tmp_path / f"{at}-{take_backs}.db")) as store:
            lobby = Lobby(store, LiveMatches(store))
            seats = (WantedSeat("here", "Ada"), WantedSeat("here", "Bob"))
            made = await lobby.make(NewMatch("connect_four", seats))
            record = Match(load("connect_four"), seed=1)
            for _ in range(take_backs):
                record.act(0, record.game.parse(record.world, 0, "d"))
                record.take(Happened("take_back", 0, kept=0))
            for n in range(at):
                record.act(n % 2, record.game.parse(record.world, n % 2, "ab"[n // 6]))
            await store.append(made.id, 0, record.entries)
            budget = Budget(rate=1.0, burst=0.0)
            BUDGET.set(budget)
            live = await store.match(made.id)
            assert live is not None
            tokens = tuple(held.token for held in made.seats)
            await lobby.fork(live, Fork(at, seats, tokens=tokens))
            return -budget._left

    short, written, read = (asyncio.run(cost(*case)) for case in ((1, 0), (12, 0), (1, 2000)))
    assert 0.8 * A_MATCH < short < written - 5 * AN_ENTRY
    assert read > short + 2000 * 50 * A_BYTE


def test_metrics_are_for_this_computer_or_for_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under fog they would count what the other side does out of sight."""
    server = Server(tmp_path)
    server.start()
    try:
        assert httpx.get(server.url("/metrics")).status_code == 200
        for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):  # a proxy on this computer brings anybody
            refused = httpx.get(server.url("/metrics"), headers={header: "192.0.2.7"})
            assert refused.status_code == 403 and refused.json()["code"] == "not_here"
    finally:
        server.kill()
    monkeypatch.setenv("QUINCUNX_METRICS_TOKEN", "sesame")
    server.start()
    try:
        assert httpx.get(server.url("/metrics")).status_code == 403
        assert httpx.get(server.url("/metrics"), headers={"Authorization": "Bearer semolina"}).status_code == 403
        assert httpx.get(server.url("/metrics"), headers={"Authorization": "Bearer sesame"}).status_code == 200
    finally:
        server.kill()


def test_metrics_count_and_logs_tell_nothing_secret(tmp_path: Path) -> None:
    server = Other(tmp_path)
    server.command = ["-m", "quincunx", "serve", "--port", str(server.port), "--database"]
    server.start()
    made = server.make("connect_four", HERE, BOB)
    token = made["seats"][0]["token"]
    client = server.sit(made["id"], token)
    assert client.play("m", 0, "d")["type"] == "accepted"
    assert client.play("m2", 0, "d")["type"] == "refused"
    counted = server.metrics()
    assert counted["quincunx_acknowledgement_seconds_count"] == 1
    assert counted['quincunx_refusals_total{code="not_to_act"}'] == 1
    assert counted["quincunx_sockets"] == 1 and counted["quincunx_live_matches"] == 1
    text = httpx.get(server.url("/metrics")).text
    assert all(re.fullmatch(r'# (HELP|TYPE) .+|[a-z_]+(\{[a-z]+="[^"]*"\})? \S+', line) for line in text.splitlines())
    server.kill()
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert lines[0]["event"] == "server.started" and all({"time", "level", "event"} <= set(line) for line in lines)
    for secret in (made["id"], made["code"], token):
        assert secret not in text and secret not in server.log.read_text()


def test_with_nothing_compiled_the_computer_answers_and_the_game_goes_on_compiled(tmp_path: Path) -> None:
    server = Other(tmp_path, QUINCUNX_CACHE=str(tmp_path / "cache"))
    server.command = ["-m", "quincunx", "serve", "--port", str(server.port), "--database"]
    server.start()
    made = server.make("connect_four", HERE, {"kind": "computer", "player": "alphabeta"})
    assert server.metrics()['quincunx_compiled{game="khet"}'] < 1
    client = server.sit(made["id"], made["seats"][0]["token"])
    client.now()
    assert client.play("m0", 0, "d")["type"] == "accepted"
    while client.now()["shown"]["count"] != 2:
        client.receive()
    while server.metrics()['quincunx_compiled{game="connect_four"}'] < 1:
        time.sleep(0.1)
    assert client.play("m1", 0, "c")["type"] == "accepted"
    while client.now()["shown"]["count"] != 4:
        client.receive()
    steps = [json.loads(line) for line in server.log.read_text().splitlines() if '"compiling"' in line]
    assert steps[0]["game"] == "connect_four"  # what somebody plays comes first
    server.kill()
