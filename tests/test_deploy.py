"""What is in deploy/: nginx before a real server, commands that exist, metrics that there are. No container is run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped,unused-ignore]
from typer.main import get_command
from websockets.sync.client import connect
from websockets.typing import Origin

from quincunx.cli.app import whole
from quincunx.server.lan import picture
from quincunx.server.metrics import METRICS
from test_server import HERE, OPEN, Client, Server, free_port

DEPLOY = Path(__file__).parent.parent / "deploy"
MISSING = "there is no nginx here"


# -- nginx ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Server]]:
    """The address of the proxy, with our own file, and the server behind it."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        subprocess.run(["sh", "tools/system.sh", "nginx:nginx-light"], cwd=DEPLOY.parent, capture_output=True)
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip(MISSING)
    folder = tmp_path_factory.mktemp("site")
    server, port = Server(folder), free_port()
    server.options, server.base = (
        ["--base-path", "/games", "--proxy", "127.0.0.1", "--allowed-host", "site.example"],
        "/games",
    )
    server.start()
    ours = (DEPLOY / "nginx.conf").read_text()
    ours = ours.replace("server quincunx:8765", f"server 127.0.0.1:{server.port}")
    ours = ours.replace("listen 80;", f"listen 127.0.0.1:{port};")
    paths = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error;"
        f"events {{}} http {{ access_log off; {paths}\n{ours}\n}}"
    )
    running = subprocess.Popen([program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error")])
    address = f"http://127.0.0.1:{port}"
    try:
        while True:
            assert running.poll() is None, (folder / "error").read_text()
            try:
                httpx.get(address)
                break
            except httpx.TransportError:
                pass
        yield address, server
    finally:
        running.terminate()
        running.wait()
        server.kill()


@pytest.mark.slow
def test_a_match_is_played_through_nginx(site: tuple[str, Server]) -> None:
    address, _ = site
    assert httpx.get(f"{address}/games").headers["location"].endswith("/games/")
    assert httpx.get(f"{address}/games/").status_code == 200
    body, origin = {"game": "connect_four", "seats": [HERE, OPEN]}, {"Origin": address}
    made = httpx.post(f"{address}/games/api/matches", json=body, headers=origin).json()
    joined = httpx.post(f"{address}/games/api/matches/{made['code']}/join", json={"name": "Bob"}, headers=origin).json()
    sockets = [
        connect(f"{address.replace('http', 'ws')}/games/ws/{made['id']}", origin=Origin(address)).__enter__()
        for _ in range(2)
    ]
    tokens = (made["seats"][0]["token"],), (joined["token"],)
    clients = [Client(socket, held) for socket, held in zip(sockets, tokens, strict=True)]
    for n, column in enumerate("abababa"):
        assert clients[n % 2].play(f"m{n}", n % 2, column)["type"] == "accepted"
    while clients[1].now()["outcome"] is None:
        clients[1].receive()
    for socket in sockets:
        socket.close()


@pytest.mark.slow
def test_who_comes_through_nginx_is_nobody_here_whatever_he_says(site: tuple[str, Server]) -> None:
    address, server = site
    for claimed in ({}, {"X-Forwarded-For": "127.0.0.1"}, {"X-Forwarded-For": "", "X-Real-IP": "127.0.0.1"}):
        assert httpx.get(f"{address}/games/metrics", headers=claimed).status_code == 403
        assert httpx.get(f"{address}/games/api/server", headers=claimed).json()["local"] is False
    assert httpx.get(server.url("/metrics")).status_code == 200
    made = server.make("connect_four", HERE, OPEN)
    drawn = httpx.get(f"{address}/games/api/matches/{made['id']}/qr.svg", headers={"Host": "site.example:81"})
    assert drawn.content == picture(f"http://site.example:81/games/match/{made['code']}")


# -- commands and figures -------------------------------------------------------------------------------------------


def commands() -> dict[str, list[str]]:
    """Every `quincunx …` that our files run."""
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    unit = (DEPLOY / "quincunx.service").read_text()
    started = re.search(r"^ExecStart=\S*/(quincunx .*)$", unit, re.MULTILINE)
    ran = re.search(r"^CMD (\[.*\])$", dockerfile, re.MULTILINE)
    assert started and ran
    return {
        "Dockerfile": json.loads(ran[1]),
        "compose.yaml": composed["services"]["quincunx"]["command"],
        "quincunx.service": shlex.split(started[1]),
    }


@pytest.mark.parametrize("file", ["Dockerfile", "compose.yaml", "quincunx.service"])
def test_what_is_run_is_a_command_of_ours(file: str) -> None:
    program, name, *options = commands()[file]
    command = get_command(whole()).commands[name]  # type: ignore[attr-defined]
    assert program == "quincunx"
    assert command.make_context(name, list(options)).params["host"] in ("0.0.0.0", "127.0.0.1")


def test_the_files_name_each_other() -> None:
    composed: Any = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = composed["services"]
    assert (DEPLOY / services["quincunx"]["build"]["context"] / services["quincunx"]["build"]["dockerfile"]).is_file()
    for volume in services["proxy"]["volumes"]:
        assert (DEPLOY / volume.partition(":")[0]).is_file()
    upstream = re.search(r"server (\w+):(\d+);", (DEPLOY / "nginx.conf").read_text())
    assert upstream and upstream[1] in services and f"EXPOSE {upstream[2]}" in (DEPLOY / "Dockerfile").read_text()
    subnet = composed["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert subnet in services["quincunx"]["command"]  # whoever forwards is believed, and nobody else
    used = {name for service in services.values() for name in service["networks"]}
    assert used == set(composed["networks"])


def test_the_unit_is_one_for_systemd(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd-analyze here")
    unit = tmp_path / "quincunx.service"
    unit.write_text((DEPLOY / "quincunx.service").read_text().replace("/opt/quincunx/bin/quincunx", "/bin/true"))
    checked = subprocess.run([program, "verify", str(unit)], capture_output=True, text=True)
    said = [line for line in checked.stderr.splitlines() if "quincunx.service" in line]
    assert checked.returncode == 0 and said == []


def test_the_dashboard_asks_for_metrics_that_there_are() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text())
    asked = {
        name for panel in board["panels"] for target in panel["targets"]
        for name in re.findall(r"\bquincunx_\w+", target["expr"])
    }  # fmt: skip
    told = set(re.findall(r"^(quincunx_\w+)[{ ]", METRICS.text(), re.MULTILINE))
    kinds = {metric.name for metric in vars(METRICS).values()}
    labelled = {metric.name for metric in vars(METRICS).values() if metric.name not in told}  # none was counted yet
    assert asked <= told | labelled
    shown = {re.sub(r"_(bucket|count|sum)$", "", name) for name in asked}
    assert shown == kinds  # and none is left out


def test_the_dashboard_tells_the_processes_of_a_server_apart() -> None:
    """Each of them answers with its own numbers: what is not added up has a line for each process."""
    board = json.loads((DEPLOY / "grafana.json").read_text())
    targets = [target for panel in board["panels"] for target in panel["targets"]]
    plain = [target for target in targets if not re.search(r"\b(sum|max|min|avg)\b", target["expr"])]
    assert plain and all("{{process}}" in target["legendFormat"] for target in plain)
