"""`quincunx serve --processes`: several processes on one port and the same matches, on SQLite and PostgreSQL. Any of
them is killed, all are replaced one after the other, and whoever plays or watches goes on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

from postgres import Cluster
from quincunx.cli import main
from quincunx.server.limits import Limits
from quincunx.server.metrics import METRICS, together
from test_server import HERE, Client, Server, free_port
from test_server_operations import BELIEVED, certified

pytestmark = pytest.mark.slow  # left out of `make check`

BOB = {**HERE, "name": "Bob"}
PATIENCE = 60.0
HOST = "127.0.0.1"
LOST = (OSError, WebSocketException, httpx.HTTPError)


class Family(Server):
    """A server of several processes."""

    @property
    def children(self) -> list[int]:
        assert self.process is not None
        return _children(self.process.pid)

    @property
    def sockets(self) -> dict[str, int]:
        """By process."""
        text = httpx.get(self.url("/metrics"), timeout=PATIENCE).text
        return {each: int(n) for each, n in re.findall(r'quincunx_sockets\{process="(\d+)"\} (\d+)', text)}

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(PATIENCE)


class SecureFamily(Family):
    def url(self, path: str) -> str:
        return super().url(path).replace("http:", "https:")


class Watcher:
    """Comes back when its connection is lost, as pages do."""

    def __init__(self, server: Server, match: str, *tokens: str) -> None:
        self._server, self._match, self._tokens = server, match, tokens
        self.client = self._come()

    def _come(self) -> Client:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self._server.sit(self._match, *self._tokens)
            except LOST:
                assert time.monotonic() < until, "nobody answers"
                time.sleep(0.02)

    def until(self, seen: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first update of that kind."""
        until = time.monotonic() + 2 * PATIENCE
        while time.monotonic() < until:
            try:
                while not seen(now := self.client.now()):
                    self.client.receive()
                return now
            except LOST:
                self.client = self._come()
        raise AssertionError(f"nobody sees it: {self.client.updates[-1:]}")

    def come_back(self) -> None:
        """If the connection is lost, which one notices when one says something."""
        while True:
            try:
                self.client.send(type="ping")
                self.client.until("pong")
                return
            except LOST:
                self.client = self._come()

    def play(self, number: int) -> None:
        """The first action that it may, when so many were played, until somebody says that it is stored."""
        action = self.until(lambda update: update["shown"]["count"] == number and bool(update["legal"]))["legal"][0]
        while True:
            try:
                word = self.client.play(f"m{number}", number % 2, action)
                assert word["type"] == "accepted", word
                return
            except LOST:
                self.client = self._come()


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Family]:
    running = Family(tmp_path_factory.mktemp("server"), "--processes", "2", "--proxy", BELIEVED)
    if request.param == "postgresql":
        cluster: Cluster = request.getfixturevalue("postgres")
        running.database_url = cluster.database()
    running.start()
    yield running
    running.kill()


@pytest.fixture
def match(server: Family) -> dict[str, Any]:
    return server.make("connect_four", HERE, BOB)


def _command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "quincunx", "--lang", "en", *words],
        capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, "PYTHONPATH": "src"},
    )  # fmt: skip


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _until(what: Callable[[], Any]) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until, "it does not happen"
        time.sleep(0.02)


def _crowd(server: Family, match: dict[str, Any]) -> list[Watcher]:
    """Those who play and those who watch, on both processes."""
    all_there = [Watcher(server, match["id"], held["token"]) for held in match["seats"]]
    while len([n for n in server.sockets.values() if n]) < 2 or len(all_there) < 4:
        all_there.append(Watcher(server, match["id"]))
    return all_there


def _all_see(crowd: list[Watcher], length: int) -> None:
    """All are shown so many stones, and that both who play are there."""
    for each in crowd:
        each.come_back()
    for each in crowd:
        update = each.until(lambda update: update["shown"]["count"] >= length and _both_present(update))
        assert update["shown"]["count"] == length


def _both_present(update: dict[str, Any]) -> bool:
    return [seat["present"] for seat in update["seats"]] == [True, True]


def test_who_watches_another_process_sees_the_same(server: Family, match: dict[str, Any]) -> None:
    crowd = _crowd(server, match)
    for n in range(4):
        crowd[n % 2].play(n)
        _all_see(crowd, n + 1)
    crowd[1].client.connection.close()  # Bob leaves: all hear of it, wherever he was
    for each in (crowd[0], *crowd[2:]):
        each.until(lambda update: [seat["present"] for seat in update["seats"]] == [True, False])
    for each in crowd:
        each.client.connection.close()


def test_who_answers_before_its_process_has_heard_of_the_move_is_not_refused(
    server: Family, match: dict[str, Any]
) -> None:
    """As soon as one move is acknowledged the next is sent, to the other process, whatever that has heard by then."""
    tokens = [held["token"] for held in match["seats"]]
    ada, bob = server.sit(match["id"], tokens[0]), server.sit(match["id"], tokens[1])
    while len([n for n in server.sockets.values() if n]) < 2:
        bob.connection.close()
        bob = server.sit(match["id"], tokens[1])
    columns = ada.now()["legal"]
    for n in range(18):
        word = (ada, bob)[n % 2].play(f"m{n}", n % 2, columns[n // 6])
        assert word["type"] == "accepted", (n, word)
    for each in (ada, bob):
        each.connection.close()


def test_whichever_process_is_killed_its_matches_go_on(server: Family, match: dict[str, Any]) -> None:
    crowd, played = _crowd(server, match), 0
    before = server.children
    for victim in before:  # of SQLite the one that writes, too
        os.kill(victim, signal.SIGKILL)
        for _ in range(2):
            crowd[played % 2].play(played)
            played += 1
        _all_see(crowd, played)
    _until(lambda: len(server.children) == len(before) and not set(server.children) & set(before))
    _until(lambda: set(server.sockets) == {"0", "1"})
    record = httpx.get(server.url(f"/api/matches/{match['id']}/record"), timeout=PATIENCE).json()
    assert len(record["entries"]) == played
    for each in crowd:
        each.client.connection.close()


def test_a_rolling_restart_replaces_all_and_takes_nobody_with_it(server: Family, match: dict[str, Any]) -> None:
    crowd, played = _crowd(server, match), 0
    before = set(server.children)
    assert server.process is not None
    server.process.send_signal(signal.SIGHUP)
    while set(server.children) & before or len(server.children) < len(before):
        assert httpx.get(server.url("/health"), timeout=PATIENCE).status_code == 200
        if played < 18:  # then the fourth stone would lie in a row
            crowd[played % 2].play(played)
            played += 1
        time.sleep(0.05)
    _all_see(crowd, played)
    for each in crowd:
        each.client.connection.close()


def test_metrics_are_those_of_all_processes(server: Family) -> None:
    _until(lambda: set(server.sockets) == {"0", "1"})
    text = httpx.get(server.url("/metrics"), timeout=PATIENCE).text
    for name in ("quincunx_commit_seconds_count", "quincunx_memory_bytes", "quincunx_live_matches"):
        assert set(re.findall(name + r'\{process="(\d)"\}', text)) == {"0", "1"}
    assert len(re.findall("# HELP quincunx_sockets ", text)) == 1
    assert re.findall(r'quincunx_commit_seconds_bucket\{process="0",le="\+Inf"\} \d+\n', text)


def _admin(server: Family, *words: str) -> None:
    """`quincunx admin …` beside the server, without the time that a process takes to start."""
    with pytest.raises(SystemExit) as ended:
        main(["--lang", "en", "admin", *words, "--database", server.database_url or server.database])
    assert ended.value.code == 0


def _statuses(server: Family, path: str, by: str = HOST, hops: str = "") -> set[int]:
    """Of eight connections: that a process gets none of them is rare."""
    door = httpx.HTTPTransport(verify=False, local_address=by, limits=httpx.Limits(max_keepalive_connections=0))
    with httpx.Client(transport=door, timeout=PATIENCE, headers={"X-Forwarded-For": hops} if hops else {}) as client:
        return {client.get(server.url(path)).status_code for _ in range(8)}


def test_a_ban_holds_in_all_processes_and_so_does_its_end(server: Family) -> None:
    def statuses() -> set[int]:
        return _statuses(server, "/health", BELIEVED, "203.0.113.9")

    assert statuses() == {200}
    _admin(server, "ban", "203.0.113.0/24", "--yes")
    _until(lambda: statuses() == {403})
    _admin(server, "unban", "203.0.113.0/24")
    _until(lambda: statuses() == {200})


def test_a_match_that_is_ended_and_deleted_is_so_for_all_who_look_whatever_their_process(
    server: Family, match: dict[str, Any]
) -> None:
    crowd = _crowd(server, match)
    _admin(server, "end", match["id"], "--yes")
    for each in crowd:
        assert each.until(lambda update: update["outcome"] is not None)["outcome"]["reason"] == "abort"
    _admin(server, "delete", match["id"], "--yes")
    for each in crowd:
        assert each.client.until("refused")["code"] == "no_such_match"
    assert _statuses(server, f"/api/matches/{match['id']}") == {404}


def test_without_the_process_that_writes_a_server_is_not_ready_and_with_the_next_it_is(tmp_path: Path) -> None:
    running = Family(tmp_path, "--processes", "2")
    running.start()
    writer, supervisor = running.children[0], running.process
    assert supervisor is not None
    try:
        _until(lambda: _statuses(running, "/ready") == {200})
        supervisor.send_signal(signal.SIGSTOP)  # so that it starts no other
        os.kill(writer, signal.SIGKILL)
        _until(lambda: _statuses(running, "/ready") == {503})
        assert _statuses(running, "/health") == {200}
        supervisor.send_signal(signal.SIGCONT)
        _until(lambda: _statuses(running, "/ready") == {200})
        assert writer not in running.children
    finally:
        supervisor.send_signal(signal.SIGCONT)
        running.kill()


def test_opened_to_the_network_by_one_process_it_is_by_all(server: Family) -> None:
    elsewhere = f"http://127.0.0.2:{server.port}"

    def doors() -> int:
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(line[1] == f"0200007F:{server.port:04X}" and line[3] == "0A" for line in lines)

    assert httpx.post(server.url("/api/server/lan"), timeout=PATIENCE).json()["lan"]
    _until(lambda: doors() == 2)
    assert httpx.get(f"{elsewhere}/health", timeout=PATIENCE).status_code == 200
    os.kill(server.children[-1], signal.SIGKILL)
    _until(lambda: doors() == 2 and len(server.sockets) == 2)  # and so it is by one that comes later
    for _ in range(4):
        assert httpx.get(server.url("/api/server"), timeout=PATIENCE).json()["lan"]


def test_nobody_else_has_its_file_or_its_port(tmp_path: Path) -> None:
    running = Family(tmp_path, "--processes", "1")
    running.start()
    other = ["--port", str(free_port()), "--database", str(tmp_path / "other.db")]
    for taken in (["--port", str(running.port)], ["--database", running.database]):
        for more in ([], ["--processes", "2"]):
            done = _command("serve", *other, *taken, *more)
            assert done.returncode == 2 and str(taken[1]) in done.stderr, done.stderr
    assert _command("admin", "list", "--database", running.database).returncode == 0  # commands beside it are welcome
    assert running.stop() == 0


def test_if_one_cannot_be_replaced_the_old_ones_stay(tmp_path: Path) -> None:
    with certified(tmp_path) as (certificate, key):
        options = ("--processes", "2", "--tls-cert", certificate, "--tls-key", key)
        running = SecureFamily(tmp_path, *options)
        said = tmp_path / "log"
        with said.open("wb") as log:
            running.start(log)
        before = set(running.children)
        whole = Path(key).read_bytes()
        Path(key).write_text("no key")
        assert running.process is not None
        running.process.send_signal(signal.SIGHUP)
        _until(lambda: "restart.failed" in said.read_text())
        assert len(set(running.children) & before) >= 2  # of the three, the writer is replaced first
        assert httpx.get(running.url("/health"), verify=False, timeout=PATIENCE).status_code == 200
        Path(key).write_bytes(whole)
        running.process.send_signal(signal.SIGHUP)
        _until(lambda: not set(running.children) & before and len(running.children) == 3)
        assert running.stop() == 0


def test_all_of_them_end_with_the_one_that_was_started(tmp_path: Path) -> None:
    running = Family(tmp_path, "--processes", "2")
    running.start()
    children = running.children
    assert len(children) == 3
    helpers = [pid for child in children for pid in _children(child)]
    running.kill()
    _until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in (*children, *helpers)))


def test_ctrl_c_stops_all_of_them_with_a_goodbye(tmp_path: Path) -> None:
    running = Family(tmp_path, "--processes", "2")
    with (tmp_path / "log").open("wb") as log:
        running.start(log)
    children = running.children
    client = running.sit(running.make("khet", HERE, BOB)["id"])
    assert running.process is not None
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(PATIENCE) == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in children)
    assert (tmp_path / "log").read_text().count("server.stopped") == 2
    with pytest.raises(WebSocketException):
        while True:
            client.receive()
    assert client.connection.close_code == 1012


@pytest.mark.parametrize(
    "options, told",
    [
        (["--database", "/dev/null/matches.db"], "database"),
        (["--classroom"], "A class is held in one process"),
        (["--processes", "0"], "--processes"),
    ],
)
def test_what_cannot_be_is_one_sentence(options: list[str], told: str, tmp_path: Path) -> None:
    port = str(free_port())
    done = _command("serve", "--port", port, "--processes", "2", "--database", str(tmp_path / "m.db"), *options)
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_what_all_processes_have_together_is_divided() -> None:
    whole, half = Limits(), Limits().shared_by(2)
    assert half.far.matches * 2 == whole.far.matches and half.far.pool * 2 == whole.far.pool
    assert (half.far.requests, half.far.sockets, half.sockets) == (whole.far.requests, whole.far.sockets, whole.sockets)
    assert Limits().shared_by(1) == whole


def test_what_processes_tell_is_put_together_by_metric() -> None:
    METRICS.refusals.count("made_up")
    text = together({1: METRICS.text(), 0: METRICS.text()})
    samples = [line for line in text.splitlines() if not line.startswith("#")]
    assert all('{process="' in line for line in samples)
    refusals = [line for line in samples if "made_up" in line]
    assert [line.partition(" ")[0] for line in refusals] == [
        f'quincunx_refusals_total{{process="{n}",code="made_up"}}' for n in (0, 1)
    ]
    assert len(re.findall("^# TYPE", text, re.MULTILINE)) == len(vars(METRICS))
