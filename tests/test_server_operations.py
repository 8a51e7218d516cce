"""Running a server: health, proxies, bans and other commands of the administrator, a base path, TLS, retention, logs.
Real processes; 127.0.0.3 is the proxy that is believed, 127.0.0.4 one that is not."""

from __future__ import annotations

import asyncio
import io
import json
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import text
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from appender import entry, new_match
from postgres import Cluster
from quincunx.cli import main
from quincunx.cli.asking import confirm
from quincunx.cli.join import PAGES, read_address
from quincunx.cli.periods import read_period
from quincunx.core.words import Refused, Words
from quincunx.match import Outcome, decode, replay
from quincunx.server.bans import Bans
from quincunx.server.ending import call_off
from quincunx.server.http_connection import MOST, ConnectionLimits
from quincunx.server.lan import picture
from quincunx.server.operations import read_base_path, read_operations
from quincunx.server.pages import ROUTES
from quincunx.server.proxies import Proxies
from quincunx.server.tokens import new_id
from quincunx.store import Store
from test_server import HERE, OPEN, Server

pytestmark = pytest.mark.slow  # left out of `make check`

BOB = {**HERE, "name": "Bob"}
BELIEVED, STRANGER = "127.0.0.3", "127.0.0.4"
SOON = 10.0  # seconds, on a busy machine, for what takes one or two


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    running.options = ["--proxy", f"{BELIEVED},10.0.0.0/8", "--allowed-host", "play.example"]
    running.start()
    yield running
    running.kill()


def passed_on(server: Server, path: str, hops: str, by: str = BELIEVED, **headers: str) -> httpx.Response:
    """A request that a proxy says it was asked for by somebody."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=by)) as client:
        return client.get(server.url(path), headers={"X-Forwarded-For": hops, **headers})


def patiently(server: Server, path: str, hops: str, by: str, **headers: str) -> httpx.Response:
    """The same by a client whose rate another test may have used up."""
    while (answer := passed_on(server, path, hops, by, **headers)).status_code == 429:
        time.sleep(0.05)
    return answer


def socket_of(server: Server, match: str, hops: str) -> ClientConnection:
    address = server.url(f"/ws/{match}").replace("http", "ws")
    headers = {"X-Forwarded-For": hops}
    return connect(address, additional_headers=headers, source_address=(BELIEVED, 0)).__enter__()


Admin = Callable[..., "Ran"]


class Ran(NamedTuple):
    code: object
    out: str
    err: str


@pytest.fixture
def admin(server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Admin:
    """`quincunx admin …` beside the running server, without the time that a process takes to start."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("sys.stdin", io.StringIO())  # nobody is there

    def run(*words: str, language: str = "en") -> Ran:
        with pytest.raises(SystemExit) as ended:
            main(["--lang", language, "admin", *words, "--database", server.database])
        return Ran(ended.value.code, *capsys.readouterr())

    return run


def until(what: Any) -> None:
    """Waits for something to become true."""
    deadline = time.monotonic() + SOON
    while not what():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.05)


# -- health ---------------------------------------------------------------------------------------------------------


def test_it_is_alive_and_ready_and_says_nothing_else(server: Server) -> None:
    for path, status in (("/health", "ok"), ("/ready", "ready")):
        answer = httpx.get(server.url(path))
        assert (answer.status_code, answer.json()) == (200, {"status": status})
        assert answer.headers["cache-control"] == "no-store"


def test_without_its_file_a_server_is_alive_and_not_ready(tmp_path: Path) -> None:
    running = Server(tmp_path)
    running.start()
    try:
        Path(running.database).rename(tmp_path / "elsewhere")
        until(lambda: httpx.get(running.url("/ready")).status_code == 503)
        answer = httpx.get(running.url("/ready"))
        assert answer.json()["code"] == "unavailable" and str(tmp_path) not in answer.text
        assert httpx.get(running.url("/health")).status_code == 200
    finally:
        running.kill()


def test_a_database_that_keeps_silent_is_noticed_in_time_and_so_is_its_return(
    tmp_path: Path, postgres: Cluster
) -> None:
    running = Server(tmp_path)
    running.database = postgres.database()
    running.start()

    async def silence() -> None:
        async with Store.open(running.database) as store, store._engine.begin() as connection:
            await connection.execute(text("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE"))
            await asyncio.to_thread(until, lambda: httpx.get(running.url("/ready")).status_code == 503)
            began = time.monotonic()
            answers = [httpx.get(running.url("/ready")).status_code for _ in range(5)]
            assert answers == [503] * 5 and time.monotonic() - began < SOON  # nobody waits for ever
            waiting = text(
                "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%alembic_version%' AND state = 'active'"
            )
            found = (await connection.execute(waiting)).scalar()
            assert found is not None and found <= 2  # this one, and the one look that waits for all who ask

    try:
        assert httpx.get(running.url("/ready")).status_code == 200
        asyncio.run(silence())
        until(lambda: httpx.get(running.url("/ready")).status_code == 200)
    finally:
        running.kill()


# -- proxies --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("peer", "hops", "client"),
    [
        ("10.0.0.2", ["198.51.100.4"], "198.51.100.4"),
        ("10.0.0.2", ["127.0.0.1", "198.51.100.4"], "198.51.100.4"),  # what the client wrote itself is not believed
        ("10.0.0.2", ["198.51.100.4", "10.0.0.9"], "198.51.100.4"),  # two proxies of ours
        ("10.0.0.2", ["6.6.6.6", "198.51.100.4", "10.0.0.9"], "198.51.100.4"),
        ("10.0.0.2", ["10.0.0.7"], "10.0.0.7"),  # somebody among the proxies
        ("10.0.0.2", ["nonsense"], "nonsense"),
        ("198.51.100.9", ["127.0.0.1"], "198.51.100.9"),
        ("::ffff:10.0.0.2", ["2001:db8::7"], "2001:db8::7"),
    ],
)
def test_the_client_is_the_last_hop_that_is_no_proxy_of_ours(peer: str, hops: list[str], client: str) -> None:
    assert Proxies(["10.0.0.0/8"]).client(peer, hops) == client


def test_limits_count_the_client_behind_the_proxy(server: Server) -> None:
    with httpx.Client(transport=httpx.HTTPTransport(local_address=BELIEVED)) as proxy:
        headers = {"X-Forwarded-For": "198.51.100.5"}
        answers = [proxy.get(server.url("/health"), headers=headers).status_code for _ in range(400)]
        headers["X-Forwarded-For"] += ":4711"  # another port of the same
        more = [proxy.get(server.url("/health"), headers=headers).status_code for _ in range(40)]
    assert answers[0] == 200 and 429 in answers and 429 in more
    assert passed_on(server, "/health", "198.51.100.6").status_code == 200  # another one behind the same proxy
    assert passed_on(server, "/health", "198.51.100.5", by=STRANGER).status_code == 200  # whom nobody believes


def test_a_proxy_of_this_computer_that_nobody_named_is_one_client_from_elsewhere(server: Server) -> None:
    """And has not the limits of this computer, which are none to speak of."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=STRANGER)) as proxy:
        answers = [
            proxy.get(server.url("/health"), headers={"X-Forwarded-For": f"198.51.100.{n % 250}"}).status_code
            for n in range(400)
        ]
        assert 429 in answers
        assert proxy.get(server.url("/health")).status_code == 200  # the computer itself


def test_nobody_becomes_this_computer_by_saying_so(server: Server) -> None:
    for by in (BELIEVED, STRANGER):
        for hops in ("127.0.0.1", "127.0.0.1, 198.51.100.7"):
            assert patiently(server, "/metrics", hops, by).status_code == 403
            assert patiently(server, "/api/server", hops, by, Host="play.example").json()["local"] is False


class Line:
    """A connection, as far as it is counted."""

    def __init__(self, address: str) -> None:
        self.client = address, 1

    def leave(self, why: str) -> None: ...


def test_a_proxy_has_as_many_connections_as_its_clients_need() -> None:
    connections = ConnectionLimits()
    connections.forwards = Proxies(["10.0.0.0/8"]).trust
    for address, may_come in (("10.0.0.2", True), ("198.51.100.2", False)):
        came = [connections.come(address, Line(address)) for _ in range(MOST + 1)]  # type: ignore[arg-type]
        assert came[0] and came[-1] is may_come


def test_links_are_those_by_which_the_proxy_is_known(server: Server) -> None:
    made = server.make("connect_four", HERE, OPEN)
    said = {"Host": "play.example", "X-Forwarded-Proto": "https"}
    assert passed_on(server, "/api/server", "198.51.100.8", **said).json()["addresses"] == ["https://play.example"]
    drawn = passed_on(server, f"/api/matches/{made['id']}/qr.svg", "198.51.100.8", **said)
    assert drawn.content == picture(f"https://play.example/match/{made['code']}")
    stranger = passed_on(server, f"/api/matches/{made['id']}/qr.svg", "198.51.100.8", STRANGER, **said)
    assert stranger.content == picture(f"http://play.example/match/{made['code']}")  # no certificate that he speaks of


# -- bans -----------------------------------------------------------------------------------------------------------


def test_a_ban_holds_within_seconds_and_so_does_its_end(server: Server, admin: Admin) -> None:
    made = server.make("connect_four", HERE, OPEN)
    bad, good = socket_of(server, made["id"], "203.0.113.7"), socket_of(server, made["id"], "203.0.114.7")
    asked = admin("ban", "203.0.113.0/24")
    assert asked.code == 2 and "--yes" in asked.err  # nobody is there to be asked
    assert admin("ban", "203.0.113.0/24", "--reason", "spam", "--yes").code == 0
    with pytest.raises(ConnectionClosed) as closed:
        bad.recv(timeout=SOON)
    assert closed.value.rcvd is not None and (closed.value.rcvd.code, closed.value.rcvd.reason) == (4403, "banned")
    refused = passed_on(server, "/", "203.0.113.200")
    assert (refused.status_code, refused.json()["code"]) == (403, "banned") and refused.json()["words"]["fr"]
    with pytest.raises(InvalidStatus) as turned:
        socket_of(server, made["id"], "203.0.113.7")
    assert turned.value.response.status_code == 403
    good.send('{"type":"ping"}')
    assert json.loads(good.recv(timeout=SOON))["type"] == "pong"
    spoofed = passed_on(server, "/health", "203.0.113.7, 198.51.100.30")  # what a client writes is nobody's address
    assert spoofed.status_code == 200
    assert passed_on(server, "/health", "203.0.113.7", STRANGER).status_code == 200
    assert passed_on(server, "/health", "198.51.100.30, 203.0.113.7").status_code == 403  # nor does it hide one
    listed = json.loads(admin("list-bans", "--json").out)
    assert [(ban["address"], ban["reason"]) for ban in listed] == [("203.0.113.0/24", "spam")]
    assert "203.0.113.0/24" in admin("list-bans").out
    assert admin("unban", "203.0.113.0/24").code == 0
    until(lambda: passed_on(server, "/health", "203.0.113.7").status_code == 200)
    assert admin("unban", "203.0.113.0/24").code == 2
    good.close()


def test_a_ban_holds_in_every_process_and_after_a_restart(tmp_path: Path, postgres: Cluster) -> None:
    database, servers = postgres.database(), []
    for n in range(2):
        (tmp_path / str(n)).mkdir()
        running = Server(tmp_path / str(n))
        running.database, running.options = database, ["--proxy", BELIEVED]
        running.start()
        servers.append(running)

    async def ban() -> None:
        async with Store.open(database) as store:
            await store.administration.ban("2001:db8::7")

    def is_banned(running: Server) -> bool:
        return passed_on(running, "/health", "2001:db8::99").status_code == 403  # of the same household

    try:
        assert not any(map(is_banned, servers))
        asyncio.run(ban())
        until(lambda: all(map(is_banned, servers)))
        servers[0].kill()
        servers[0].start()
        assert is_banned(servers[0])  # from its first answer on
    finally:
        for running in servers:
            running.kill()


def test_networks_of_both_kinds_are_found() -> None:
    bans = Bans()
    bans.replace(["203.0.113.7", "198.51.100.0/24", "2001:db8::/64", "2001:db9::/32"])
    for banned in ("203.0.113.7", "198.51.100.9", "2001:db8::", "2001:db9:1::"):
        assert bans.forbid(banned), banned
    for free in ("203.0.113.8", "198.51.101.9", "2001:db8:1::", "127.0.0.1", "", "nonsense"):
        assert not bans.forbid(free), free
    bans.replace([])
    assert not bans.forbid("203.0.113.7")


# -- matches --------------------------------------------------------------------------------------------------------


def test_a_match_is_called_off_and_those_who_play_see_it(server: Server, admin: Admin) -> None:
    made = server.make("khet", HERE, BOB, clock={"kind": "fischer", "base": 600_000})
    client = server.sit(made["id"], *(held["token"] for held in made["seats"]))
    assert client.play("m1", 0, client.now()["legal"][0])["type"] == "accepted"
    refused = admin("delete", made["id"], "--yes", language="fr")
    assert refused.code == 2 and f"quincunx admin end {made['id']}" in refused.err
    assert admin("end", made["id"], "--yes").code == 0
    while client.now()["outcome"] is None:
        client.receive()
    assert client.now()["outcome"]["reason"] == "abort"
    record = httpx.get(server.url(f"/api/matches/{made['id']}/record")).content
    assert replay(decode(record)).outcome is not None
    assert admin("end", made["id"], "--yes").code == 2  # it is over
    shown = json.loads(admin("show", made["id"], "--json").out)
    assert (shown["status"], shown["reason"], shown["entries"], shown["names"]) == ("over", "abort", 2, ["Ada", "Bob"])
    assert made["seats"][0]["token"] not in str(shown)


def test_no_id_is_an_option_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-vKhetKhetKh", "KhetKhetKhet"])
    monkeypatch.setattr("secrets.token_urlsafe", lambda length: next(drawn))
    assert new_id() == "KhetKhetKhet"


def test_a_match_is_deleted_and_who_looked_at_it_is_told(server: Server, admin: Admin) -> None:
    made = server.make("connect_four", HERE, OPEN)
    client = server.sit(made["id"], made["seats"][0]["token"])
    assert admin("delete", made["code"].lower(), "--yes").code == 0
    told = client.until("refused")
    assert told["code"] == "no_such_match" and told["words"]["fr"]
    with pytest.raises(ConnectionClosed) as closed:
        client.receive()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404
    assert httpx.get(server.url(f"/api/matches/{made['id']}")).status_code == 404
    assert admin("show", made["id"]).code == 2


def test_the_administrator_sees_all_matches_and_no_secrets(server: Server, admin: Admin) -> None:
    made = server.make("chartichaud", HERE, BOB)
    listed = json.loads(admin("list", "--json", "--game", "chartichaud", "--status", "playing").out)
    assert [each["id"] for each in listed] == [made["id"]] and not {"start", "seed"} & listed[0].keys()
    french = admin("list", "--limit", "5", language="fr").out
    assert made["id"] in french and "en cours" in french
    assert "chartichaud" in admin("show", made["id"]).out
    assert admin("list", "--status", "lost").code == 2
    assert admin("list", "--game", "chess").code == 2


def test_a_match_that_nobody_can_play_on_is_ended_all_the_same(tmp_path: Path) -> None:
    """One whose entries have a gap, and one of a game that there is no more."""

    async def end() -> list[tuple[str, str]]:
        async with Store.open(str(tmp_path / "m.db")) as store:
            await store.create(new_match("gap"), [entry("x"), entry("y"), entry("z")])
            await store.create(new_match("old", rules=0), [entry("x")])
            async with store._engine.begin() as connection:
                await connection.execute(text("DELETE FROM entries WHERE match = 'gap' AND seq = 2"))
            for match in ("gap", "old"):
                await call_off(store, match)
            found = [await store.match(match) for match in ("gap", "old")]
            assert [each.kind for each in await store.administration.since(0)] == ["ended", "ended"]
            return [(each.status, each.outcome.reason) for each in found if each and each.outcome]

    assert asyncio.run(end()) == [("over", "abort"), ("over", "abort")]


class Typed:
    """Somebody at a terminal."""

    def __init__(self, answer: str) -> None:
        self.answer = answer

    def isatty(self) -> bool:
        return True

    def readline(self) -> str:
        return f"{self.answer}\n"


@pytest.mark.parametrize(
    ("answer", "goes_on"), [("y", True), ("Oui", True), ("", False), ("n", False), ("yess", False)]
)
def test_what_cannot_be_undone_is_asked_first(answer: str, goes_on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Typed(answer))
    if goes_on:
        confirm(Words("…", "…"), False)
    else:
        with pytest.raises(Refused):
            confirm(Words("…", "…"), False)


# -- retention and logs ---------------------------------------------------------------------------------------------


def test_a_server_lets_old_matches_go_and_says_so(tmp_path: Path) -> None:
    running = Server(tmp_path)
    running.options = ["--keep", "90d"]

    async def fill() -> None:
        async with Store.open(running.database) as store:
            for id, created in (("old", 1000), ("new", time.time_ns() // 1_000_000)):
                match = new_match(id, created=created, status="over", outcome=Outcome("draw", [0, 0], [1, 1]))
                await store.create(match, [entry("x")])
            async with store._engine.begin() as connection:
                await connection.execute(text("UPDATE matches SET began = created"))

    asyncio.run(fill())
    with (tmp_path / "log").open("wb") as log:
        running.start(log)
    try:
        until(lambda: httpx.get(running.url("/api/matches/old")).status_code == 404)
        assert httpx.get(running.url("/api/matches/new")).status_code == 200
        until(lambda: "matches.pruned" in (tmp_path / "log").read_text())  # it is gone before all of it is erased
    finally:
        running.kill()
    told = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [each["count"] for each in told if each["event"] == "matches.pruned"] == [1]


@pytest.mark.parametrize(("given", "days"), [("90d", 90), (" 7 J ", 7), ("48h", 2), ("1440m", 1)])
def test_how_long(given: str, days: float) -> None:
    assert read_period(given) == days * 86_400_000


@pytest.mark.parametrize("bad", ["", "90", "d", "0d", "-1d", "1y"])
def test_no_time_at_all(bad: str) -> None:
    with pytest.raises(Refused):
        read_period(bad)


# -- below a path ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kept"), [("", ""), ("/", ""), ("/games", "/games"), ("games/", "/games"), ("/a/b-c/", "/a/b-c")]
)
def test_a_base_path_has_one_spelling(given: str, kept: str) -> None:
    assert read_base_path(given) == kept


@pytest.mark.parametrize("bad", ["/a b", "/..", "//", "/a//b", '/"x', "/%2e"])
def test_no_path_at_all(bad: str) -> None:
    if bad == "//":
        assert read_base_path(bad) == ""
    else:
        with pytest.raises(Refused):
            read_base_path(bad)


def test_everything_lies_below_the_path(tmp_path: Path) -> None:
    running = Server(tmp_path)
    running.options = ["--base-path", "/games", "--proxy", BELIEVED, "--allowed-host", "play.example"]
    running.options += ["--log-level", "warning"]
    running.base = "/games"
    with (tmp_path / "log").open("wb") as log:
        running.start(log)
    root = f"http://127.0.0.1:{running.port}"
    try:
        assert httpx.get(root).headers["location"] == "/games/"
        for path in ("/api/server", "/match/x", "/gamesome", "/ws/x", "/games2/api/server"):
            answer = httpx.get(root + path)
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
            assert "Content-Security-Policy" in answer.headers
        for path in ("/health", "/ready", "/metrics"):
            assert httpx.get(root + path).status_code == httpx.get(running.url(path)).status_code == 200
        page = httpx.get(running.url("/new/khet"))
        assert page.status_code == 200 and 'href="/games/' in page.text and '="/assets' not in page.text
        assert httpx.get(running.url("")).text == page.text
        made = running.make("connect_four", HERE, OPEN)
        client = running.sit(made["id"], made["seats"][0]["token"])
        assert client.welcome["yours"] == [0]
        with pytest.raises(InvalidStatus) as refused:
            connect(f"{root.replace('http', 'ws')}/ws/{made['id']}").__enter__()
        assert refused.value.response.status_code == 404
        said = {"Host": "play.example", "X-Forwarded-Proto": "https"}
        drawn = passed_on(running, f"/api/matches/{made['id']}/qr.svg", "198.51.100.8", **said)
        assert drawn.content == picture(f"https://play.example/games/match/{made['code']}")
    finally:
        running.kill()
    assert "server.started" not in (tmp_path / "log").read_text()  # which is no warning


@pytest.mark.parametrize(
    ("given", "base", "code"),
    [
        ("play.example", "http://play.example:8765", None),
        ("https://play.example/games", "https://play.example:443/games", None),
        ("https://play.example/games/", "https://play.example:443/games", None),
        ("https://play.example/a/b/match/ABCDEF", "https://play.example:443/a/b", "ABCDEF"),
        ("https://play.example/match/ABCDEF/", "https://play.example:443", "ABCDEF"),
        ("https://play.example/games/join", "https://play.example:443/games", None),
        ("http://play.example:80/new/khet", "http://play.example:80", None),
    ],
)
def test_commands_find_a_server_below_a_path(given: str, base: str, code: str | None) -> None:
    assert read_address(given) == (base, code)
    assert set(PAGES) == set(ROUTES) - {""}  # whatever is no page is where the server lies


# -- TLS ------------------------------------------------------------------------------------------------------------


@contextmanager
def certified(folder: Path) -> Iterator[tuple[str, str]]:
    """A certificate for this computer, and its key."""
    files = str(folder / "cert.pem"), str(folder / "key.pem")
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-out", files[0], "-keyout", files[1], *subject], capture_output=True,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    yield files


class SecureServer(Server):
    def url(self, path: str) -> str:
        return super().url(path).replace("http", "https", 1)


def test_a_server_with_a_certificate_speaks_tls_and_nothing_else(tmp_path: Path) -> None:
    with certified(tmp_path) as (certificate, key):
        running = SecureServer(tmp_path)
        running.options = ["--tls-cert", certificate, "--tls-key", key]
        running.start()
        trusting = ssl.create_default_context(cafile=certificate)
        try:
            with httpx.Client(verify=trusting) as client:
                assert client.get(running.url("/api/server")).status_code == 200
                body = {"game": "connect_four", "seats": [HERE, BOB]}
                made = client.post(running.url("/api/matches"), json=body).json()
            address = f"wss://localhost:{running.port}/ws/{made['id']}"
            with connect(address, ssl=trusting) as line:
                line.send(json.dumps({"type": "hello", "tokens": [held["token"] for held in made["seats"]]}))
                assert json.loads(line.recv(timeout=SOON))["yours"] == [0, 1]
                line.recv(timeout=SOON)
                line.send(json.dumps({"type": "play", "id": "m", "seat": 0, "action": "d"}))
                assert json.loads(line.recv(timeout=SOON)) == {"type": "accepted", "id": "m"}
            with pytest.raises(httpx.TransportError):
                httpx.get(running.url("/health").replace("https", "http"))
            with pytest.raises(httpx.ConnectError):
                httpx.get(running.url("/health"))  # whom nobody vouches for
        finally:
            running.kill()


def test_what_is_no_certificate_is_one_sentence(tmp_path: Path) -> None:
    nothing, other = tmp_path / "none.pem", tmp_path / "other.pem"
    other.write_text("no certificate")
    for certificate, key in ((nothing, nothing), (other, other), (other, None), (None, other)):
        with pytest.raises(Refused) as refused:
            read_operations(None, "info", (), "", certificate, key)
        assert refused.value.code == "no_tls" and "no certificate" not in refused.value.words.en.lower()
    for level, proxies in (("loud", ()), ("info", ("localhost",))):
        with pytest.raises(Refused):
            read_operations(None, level, proxies, "", None, None)


# -- commands in words ----------------------------------------------------------------------------------------------


def test_prune_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    running = Server(tmp_path)

    async def fill() -> None:
        async with Store.open(running.database) as store:
            match = new_match("old", status="over", outcome=Outcome("draw", [0, 0], [1, 1]))
            await store.create(match, [entry("x")])
            async with store._engine.begin() as connection:
                await connection.execute(text("UPDATE matches SET began = created"))

    asyncio.run(fill())
    with pytest.raises(SystemExit) as ended:
        main(["--lang", "fr", "prune", "--keep", "90j", "--database", running.database])
    assert ended.value.code == 0 and capsys.readouterr().out == "Parties supprimées\u00a0: 1.\n"
