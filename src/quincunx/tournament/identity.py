"""The name of a runner, in which those on the same computer read whether it still lives."""

from __future__ import annotations

import os
import secrets
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path


def new_runner() -> str:
    return f"{_here()}/{os.getpid()}/{secrets.token_hex(4)}"


def is_gone(runner: str) -> bool:
    """Is it known that it ended? Of a runner elsewhere nothing is known."""
    here, _, rest = runner.rpartition("/")[0].rpartition("/")
    if here != _here() or not rest.isdecimal() or os.name != "posix":
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


@cache
def _here() -> str:
    """This computer since it was started, and what its processes are counted in: a container counts for itself."""
    boot = space = ""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()[:8]
        space = str(os.stat("/proc/self/ns/pid").st_ino)
    return (
        f"{socket.gethostname()}-{boot}-{space}" if boot and space else f"{socket.gethostname()}-{secrets.token_hex(4)}"
    )
