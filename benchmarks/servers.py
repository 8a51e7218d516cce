"""Servers of matches as contestants: ours on SQLite, in one process and in two, boardgame.io's in memory,
and one that does nothing.

    benchmarks/boardgameio/    made once by `npm ci`; remove its node_modules to have that made again

Each measurement starts a new server and a new generator, on all cores, as they would share them in real life.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree, which
from urllib.parse import SplitResult

from benchmarks.contest import Figures, Missing

from quincunx.core.words import Refused
from quincunx.loadtest import host

HERE = Path(__file__).parent
NODE = HERE / "boardgameio"
MATCHES = 200  # at once


@contextmanager
def quincunx() -> Iterator[SplitResult]:
    with tempfile.TemporaryDirectory() as folder, host.quincunx(str(Path(folder, "matches.db"))) as address:
        yield address


@contextmanager
def two_processes() -> Iterator[SplitResult]:
    with tempfile.TemporaryDirectory() as folder, host.quincunx(str(Path(folder, "matches.db")), 2) as address:
        yield address


@contextmanager
def boardgameio() -> Iterator[SplitResult]:
    port = host.free_port()
    command = ["node", str(NODE / "server.js"), str(port)]
    with host.started(command, port, "/games", NODE_ENV="production") as address:
        yield address


@contextmanager
def echo() -> Iterator[SplitResult]:
    port = host.free_port()
    with host.started([sys.executable, str(HERE / "echo.py"), str(port)], port, "/") as address:
        yield address


def install() -> None:
    """boardgame.io and what it needs, in the exact versions of package-lock.json."""
    if (NODE / "node_modules").exists():
        return
    npm = which("npm")
    if npm is None or which("node") is None:
        raise Missing("there is no node with npm")
    done = subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=NODE, capture_output=True, check=False)
    if done.returncode:
        rmtree(NODE / "node_modules", ignore_errors=True)
        raise Missing("boardgame.io cannot be installed")


@dataclass(frozen=True)
class Served:
    """Moves that a server acknowledges, in a second by the clock."""

    name: str
    protocol: str
    server: Callable[[], AbstractContextManager[SplitResult]]
    prepare: Callable[[], None] = lambda: None
    cores: int = 0

    def measure(self) -> Figures:
        try:
            with self.server() as address:
                command = [sys.executable, str(HERE / "clients.py"), self.protocol, address.geturl(), str(MATCHES)]
                done = subprocess.run(command, capture_output=True, check=False)
        except Refused as refused:
            raise Missing(refused.words.en) from None
        if done.returncode:
            raise Missing((done.stderr.decode(errors="replace").strip().splitlines() or ["no figures"])[-1][:200])
        figures: Figures = json.loads(done.stdout)
        return figures
