"""The server that is looked at: started for the occasion or found by its port, its memory, and the disk under it."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from urllib.parse import SplitResult, urlsplit

from quincunx.core.words import Refused, Words
from quincunx.loadtest.clients import percentile
from quincunx.loadtest.rest import ask

PATIENCE = 60.0  # seconds for a server to answer
BUSY = """
import os
parent = os.getppid()
while os.getppid() == parent:
    sum(range(100_000))
"""
NO_SERVER = Words("Aucun serveur ne répond à {}.", "No server answers at {}.")


@contextmanager
def started(command: Sequence[str], port: int, look: str, **environment: str) -> Iterator[SplitResult]:
    """The address of a server, which ends with the block."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    try:
        address = urlsplit(f"http://127.0.0.1:{port}")
        asyncio.run(answers(address, look, process))
        yield address
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def quincunx(database: str, processes: int | None = None) -> Iterator[SplitResult]:
    """`processes`: so many under a supervisor; None: one, without."""
    port = free_port()
    command = [sys.executable, "-m", "quincunx", "serve", "--port", str(port), "--database", database]
    command += [] if processes is None else ["--processes", str(processes)]
    with started(command, port, "/api/matches") as address:
        yield address


@contextmanager
def neighbour() -> Iterator[None]:
    """Something else on this computer that computes for as long as the block lasts, and no longer than we do."""
    busy = subprocess.Popen([sys.executable, "-c", BUSY])
    try:
        yield
    finally:
        busy.kill()
        busy.wait()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


async def answers(address: SplitResult, look: str, process: subprocess.Popen[bytes] | None = None) -> None:
    """Waits until it does; Refused if that takes too long, or if it has ended."""
    until = perf_counter() + (PATIENCE if process else 5)
    while perf_counter() < until and (process is None or process.poll() is None):
        try:
            await ask(address, "GET", look)
            return
        except OSError:
            await asyncio.sleep(0.05)
    raise Refused("no_server", NO_SERVER.format(address.netloc))


async def compiled(address: SplitResult, game: str) -> None:
    """Waits until a server that tells how far it is has compiled a game, or for as long as one waits for anything."""
    until = perf_counter() + PATIENCE
    while perf_counter() < until:
        answer = await ask(address, "GET", "/api/server")
        if answer.status != 200 or answer.read().get("compiling", {}).get(game, "ready") == "ready":
            return
        await asyncio.sleep(0.2)


def listener(address: SplitResult) -> int | None:
    """The process that listens there, if it is on this machine and the system tells."""
    if address.hostname not in ("127.0.0.1", "127.0.0.2", "localhost", "::1") or not Path("/proc/net/tcp").exists():
        return None
    port = f":{address.port:04X}"
    lines = [line.split() for name in ("tcp", "tcp6") for line in _read(Path("/proc/net", name)).splitlines()[1:]]
    sockets = {f"socket:[{line[9]}]" for line in lines if line[1].endswith(port) and line[3] == "0A"}
    for folder in Path("/proc").glob("[0-9]*/fd"):
        try:
            if any(os.readlink(file) in sockets for file in folder.iterdir()):
                return int(folder.parent.name)
        except OSError:
            continue  # another user's, or ended
    return None


def processes(address: SplitResult) -> list[int]:
    """Of the server that listens there: that one, or all that its supervisor keeps, the one that writes among them."""
    one = listener(address)
    if one is None:
        return []
    above = supervisor(address)
    forked = _read(Path(f"/proc/{above}/cmdline")) == _read(Path(f"/proc/{one}/cmdline"))
    return children(above) if forked else [one]


def supervisor(address: SplitResult) -> int:
    """Of a server of several processes."""
    return int(_stat(listener(address))[1])


def children(process: int) -> list[int]:
    return [int(word) for word in _read(Path(f"/proc/{process}/task/{process}/children")).split()]


def memory(processes: Sequence[int]) -> int | None:
    """Bytes that processes have in memory; what several of them share is counted once."""
    if not processes:
        return None
    file, field = ("status", "VmRSS:") if len(processes) == 1 else ("smaps_rollup", "Pss:")
    lines = [line.split() for each in processes for line in _read(Path(f"/proc/{each}", file)).splitlines()]
    found = [int(line[1]) for line in lines if line[:1] == [field]]
    return 1024 * sum(found) if len(found) == len(processes) else None


def processor(processes: Sequence[int]) -> float | None:
    """Seconds that processes have computed, the system's work for them included."""
    found = [words for each in processes if (words := _stat(each))]
    ticks = sum(int(tick) for words in found for tick in words[11:13])
    return ticks / os.sysconf("SC_CLK_TCK") if found else None


def _stat(process: int | None) -> list[str]:
    """From its state on."""
    return _read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()


async def stages(address: SplitResult) -> dict[str, float]:
    """Seconds and numbers of what our server measures of a move, so far, in all its processes; nothing, where it does
    not tell."""
    try:
        answer = await ask(address, "GET", "/metrics")
    except OSError:
        return {}
    lines = [line.split() for line in answer.body.decode(errors="replace").splitlines() if answer.status == 200]
    found = defaultdict[str, float](float)
    for line in lines:
        name = line[0].partition("{")[0] if line else ""
        if name.endswith(("_sum", "_count")):
            found[name] += float(line[-1])
    return found


def mean(name: str, before: dict[str, float], after: dict[str, float]) -> float | None:
    """Milliseconds of a stage, between two looks."""
    seconds, times = (after.get(f"{name}_{what}", 0.0) - before.get(f"{name}_{what}", 0.0) for what in ("sum", "count"))
    return 1000 * seconds / times if times else None


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def commits(folder: Path, seconds: float = 2.0) -> float:
    """The 99th percentile, in milliseconds, of what the disk alone needs to keep 4 KiB more of a file for good."""
    waits: list[float] = []
    with tempfile.TemporaryFile(dir=folder) as file:
        begin = perf_counter()
        while (before := perf_counter()) - begin < seconds:
            os.write(file.fileno(), bytes(4096))
            os.fsync(file.fileno())
            waits.append(perf_counter() - before)
    return 1000 * percentile(sorted(waits), 0.99)
