"""A real PostgreSQL server for tests, in a temporary folder, thrown away at the end.

The binaries are those of the system; where they are missing, root on Debian installs them (tools/system.sh). PostgreSQL
refuses to run as root, so root hands the folder to an unprivileged user. The server listens on a socket in that folder
only: no port is taken. Without a server the tests that need one are skipped, and the summary says so; with CI=true they
fail.

    with cluster() as server: server.database()      # "postgresql://…", a new, empty one
"""

from __future__ import annotations

import fcntl
import os
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
MISSING = "there is no PostgreSQL server here"

# The server's own settings are the careless ones, so that a store which relies on them is caught
SETTINGS = "listen_addresses=", "synchronous_commit=off", "wal_writer_delay=10s", "recovery_init_sync_method=syncfs"


class Missing(Exception):
    """There is no PostgreSQL, and none can be had."""


class Cluster:
    def __init__(self, binaries: Path, folder: Path) -> None:
        self._binaries = binaries
        self._folder = folder
        self._numbers = count(1)
        self._user = _unprivileged()
        if self._user:
            os.chown(folder, self._user.pw_uid, self._user.pw_gid)
        self.run("initdb", "-D", "data", "-U", "quincunx", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    def run(self, program: str, *arguments: str) -> str:
        as_user: dict[str, Any] = {}
        if self._user:
            as_user = {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}
        with tempfile.TemporaryFile() as said:  # a pipe would stay open as long as the server
            command = [str(self._binaries / program), *arguments]
            done = subprocess.run(
                command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said, timeout=120, **as_user
            )
            said.seek(0)
            text = said.read().decode(errors="replace")
        if done.returncode:
            log = self._folder / "log"
            last = log.read_text(errors="replace").splitlines()[-3:] if log.exists() else []
            raise Missing(" ".join([program, "failed:", *text.split(), *last]))
        return text

    def start(self) -> None:
        options = " ".join(["-k", str(self._folder), *(f'-c "{setting}"' for setting in SETTINGS)])
        self.run("pg_ctl", "-D", "data", "-l", "log", "-w", "-o", options, "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", "data", "-m", "immediate", "-w", "stop")  # nothing of it is wanted any more

    def crash(self) -> None:
        """All its processes at once, without a word to the disk; and up again."""
        self.run("pg_ctl", "-D", "data", "-m", "immediate", "-w", "stop")
        self.start()

    def sql(self, statement: str, database: str = "postgres") -> str:
        return self.run("psql", "-h", str(self._folder), "-U", "quincunx", "-d", database, "-Atqc", statement)

    def database(self) -> str:
        """The address of a new one."""
        name = f"test{next(self._numbers)}"
        self.sql(f"CREATE DATABASE {name}")
        return f"postgresql://quincunx@/{name}?host={self._folder}"


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Raises Missing where there can be none."""
    binaries = _binaries()
    folder = Path(tempfile.mkdtemp(prefix="quincunx-pg-", dir=_place()))
    try:
        server = Cluster(binaries, folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _place() -> str:
    """In memory if there is room: the death of a process is the same there, and quicker to get over. The path is short,
    for that of a socket has 107 bytes."""
    memory = Path("/dev/shm")
    return str(memory) if memory.is_dir() and shutil.disk_usage(memory).free > 2**30 else "/tmp"


def _binaries() -> Path:
    found = _find()
    if found is None:
        with open(Path(tempfile.gettempdir(), "quincunx-postgres.lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # of several test processes one installs
            found = _find() or _install()
    return found


def _find() -> Path | None:
    folders = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/").glob("usr/pgsql-*/bin")]
    folders.sort(key=lambda folder: int(re.sub(r"\D", "", str(folder)) or 0), reverse=True)
    on_path = shutil.which("postgres")
    if on_path:
        folders.append(Path(on_path).resolve().parent)
    return next((f for f in folders if all((f / name).exists() for name in ("initdb", "pg_ctl", "postgres"))), None)


def _install() -> Path:
    done = subprocess.run(
        ["sh", "tools/system.sh", "pg_createcluster:postgresql"], cwd=ROOT, capture_output=True, text=True
    )
    found = _find()
    if found is None:
        raise Missing(done.stderr.strip() or MISSING)
    return found


def _unprivileged() -> pwd.struct_passwd | None:
    """Whom root lets run the server; None for who is not root."""
    if os.getuid():
        return None
    users = {user.pw_name: user for user in pwd.getpwall()}
    return users.get("postgres") or users["nobody"]


# -- for pytest -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    try:
        context = cluster()
        server = context.__enter__()
    except (Missing, OSError, subprocess.SubprocessError) as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{MISSING}: {error}")
        pytest.skip(f"{MISSING}: {error}")
    yield server
    context.__exit__(None, None, None)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if MISSING in str(report.longrepr)]
    if skipped:
        terminalreporter.write_line(f"NOT TESTED on PostgreSQL, {len(skipped)} tests: {MISSING}.", red=True, bold=True)


if __name__ == "__main__":
    with cluster() as server:
        print(server.database(), flush=True)
        input("Enter ends it. ")
