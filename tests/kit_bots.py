"""A pupil's computer, for tests: a kit fetched from the server, and the command that a page shows, run as it stands."""

from __future__ import annotations

import io
import os
import shlex
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from test_server import SOURCES, Server

SLOW = """
import random
import time

from view import View


def choose(view: View) -> str:
    time.sleep({seconds})
    return random.choice(view.legal)
"""


def fetch_kit(server: Server, game: str, folder: Path, idea: str = "") -> Path:
    """The kit in Python as its archive has it, with an idea of one's own."""
    packed = httpx.get(server.url(f"/api/kits/{game}/python"), timeout=60)
    zipfile.ZipFile(io.BytesIO(packed.content)).extractall(folder)
    kit = folder / f"{game}-python"
    if idea:
        (kit / "idea.py").write_text(idea)
    return kit


@contextmanager
def running(command: str, kit: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`quincunx bot --arena … -- ` with the kit's bot at its end."""
    program, *words = shlex.split(command)
    assert (program, words[0], words[-1]) == ("quincunx", "bot", "--")
    environment = {**os.environ, "PYTHONPATH": SOURCES, "QUINCUNX_BOTS": str(kit.parent / "bots.json")}
    bot = subprocess.Popen(
        [sys.executable, "-m", "quincunx", *words, sys.executable, "bot.py"], cwd=kit, env=environment
    )
    try:
        yield bot
    finally:
        bot.send_signal(signal.SIGKILL)
        bot.wait()
