"""Tasks for the process pool, whose processes import them by name: test_server_pool.py lets them be run."""

from __future__ import annotations

import os
import time
from pathlib import Path

from quincunx.core.words import Refused, Words
from quincunx.server import pool_process


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
    with pool_process._at_most(0.01):
        while True:
            pass


class Deaf:
    def __del__(self) -> None:
        while True:  # whatever is raised here is swallowed
            pass


def deaf() -> bytes:
    with pool_process._at_most(0.01):
        Deaf()
        while True:
            pass
