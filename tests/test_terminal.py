"""`quincunx serve` on a real terminal: one line that stays, instead of a log; and a goodbye."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from test_server_lan import free_port

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-m", "quincunx", "serve", "--lang", "fr", "--port"]
PATIENCE = 120  # seconds that anything may take on a busy machine


class Terminal:
    """A program that believes a person looks at what it writes."""

    def __init__(self, command: list[str], **environment: str) -> None:
        self._ours, theirs = pty.openpty()
        env = {**os.environ, "COLUMNS": "100", "PYTHONPATH": "src", **environment}
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True
        )
        os.close(theirs)
        self.written = ""

    def until(self, pattern: str) -> re.Match[str]:
        while not (found := re.search(pattern, self.written)):
            assert select.select([self._ours], [], [], PATIENCE)[0], self.written
            self.written += self._read()
        return found

    def rest(self) -> str:
        while part := self._read():
            self.written += part
        self.process.wait(PATIENCE)
        return self.written

    def _read(self) -> str:
        try:
            return os.read(self._ours, 65536).decode(errors="replace")
        except OSError:  # the other end is closed
            return ""

    def lines(self) -> list[str]:
        """What stands there in the end, after everything that was wiped out again."""
        return [line.rsplit("\x1b[2K", 1)[-1] for line in self.written.replace("\r\n", "\n").split("\n")]


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def terminal(tmp_path: Path, port: int) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def open_one(*options: str, **environment: str) -> Terminal:
        command = [*COMMAND, str(port), "--database", str(tmp_path / "m.db"), *options]
        opened.append(Terminal(command, QUINCUNX_LAN="", **environment))
        return opened[-1]

    yield open_one
    for each in opened:
        if each.process.poll() is None:
            each.process.kill()
            each.process.wait()


def test_compiling_is_one_line_that_keeps_the_address_in_sight(
    terminal: Callable[..., Terminal], tmp_path: Path, port: int
) -> None:
    server = terminal(QUINCUNX_CACHE=str(tmp_path / "cold"))
    server.until(r"préparation de [^,]+, 2 sur \d+")
    assert server.lines() == [
        server.until(r"http://127\.0\.0\.1:\d+ · Ctrl-C arrête le serveur · préparation de [^,]+, \d+ sur \d+$")[0]
    ]
    assert f":{port} " in server.lines()[0]
    server.process.send_signal(signal.SIGINT)
    server.until("Le serveur s’arrête…")
    server.rest()
    assert server.lines() == ["Serveur arrêté. À bientôt\u00a0!", ""] and server.process.returncode == 0


def test_several_processes_have_one_line_and_one_goodbye(terminal: Callable[..., Terminal]) -> None:
    server = terminal("--processes", "1")
    server.until("tout est prêt")
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    os.kill(int(children[-1]), signal.SIGKILL)
    server.until(
        r"process\.ended  process=0  status=-9(.|\n)*tout est prêt(.|\n)*tout est prêt"
    )  # the next one has loaded
    server.process.send_signal(signal.SIGINT)
    assert server.rest().count("À bientôt") == 1 and server.process.returncode == 0
    assert [line for line in server.lines() if "À bientôt" in line] == server.lines()[-2:-1]


def test_elsewhere_the_log_has_a_line_for_each_thing(tmp_path: Path, port: int) -> None:
    command = [*COMMAND, str(port), "--database", str(tmp_path / "m.db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout and server.stderr
        assert server.stdout.readline() == f"Quincunx écoute sur http://127.0.0.1:{port}\n"
        server.send_signal(signal.SIGINT)
        assert server.stdout.read() == ""
        events = [json.loads(line)["event"] for line in server.stderr]
    assert events[0] == "server.started" and events[-1] == "server.stopped"


def test_who_cannot_begin_says_no_goodbye(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    (tmp_path / "m.db").write_text("no database at all, but a text that is long enough to look like one")
    server = terminal()
    told = server.rest()
    assert server.process.returncode == 2 and "À bientôt" not in told and len(server.lines()[0]) > 20
