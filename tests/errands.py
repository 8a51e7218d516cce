"""Work for other processes, which import it by its name: test_server_chores.py lets it be done."""

from __future__ import annotations

import os
import time
from pathlib import Path

from quincunx.core.words import Refused, Words
from quincunx.server import chore


def whoami() -> bytes:
    return str(os.getpid()).encode()


def wait_for(path: str) -> bytes:
    while not Path(path).exists():
        time.sleep(0.01)
    return b"there"


def refuse() -> bytes:
    raise Refused("no", Words("non", "no"))


def die() -> bytes:
    os._exit(1)


def fail() -> bytes:
    raise KeyError("a bug")


def endless() -> bytes:
    with chore._at_most(0.01):
        while True:
            pass
