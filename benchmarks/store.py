"""How many appends a second the store acknowledges, beside the flushes that the disk does.

python benchmarks/store.py [FOLDER or postgresql://…] [SECONDS]
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from quincunx.match import Played
from quincunx.store import Appended, Store, StoredMatch, StoredSeat


def flushes(folder: str, seconds: float) -> float:
    """Writes of 4 KiB to the end of a file, each flushed, a second."""
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        begin, n = time.perf_counter(), 0
        while time.perf_counter() - begin < seconds:
            os.write(file.fileno(), bytes(4096))
            os.fdatasync(file.fileno())
            n += 1
        return n / (time.perf_counter() - begin)


async def appends(address: str, matches: int, seconds: float) -> tuple[float, float]:
    """Appends a second, and the median milliseconds of one, when so many matches are played at once."""
    waits: list[float] = []
    seats = (StoredSeat("person", "A"), StoredSeat("person", "B"))
    async with Store.open(address) as store:

        async def play(id: str, until: float) -> None:
            seq = 0
            while (begin := time.perf_counter()) < until:
                entry = Played(seq % 2, "H2-G1", seq * 1000, "0123456789abcdef")
                answer = await store.append(id, seq, [entry], f"move-{seq}")
                assert isinstance(answer, Appended)
                seq = answer.last_seq
                waits.append(time.perf_counter() - begin)

        ids = [f"{time.time_ns()}-{n}" for n in range(matches)]
        start = [StoredMatch(id, "khet", 1, {}, "start", "digest", seats, created=0) for id in ids]
        await asyncio.gather(*map(store.create, start))
        begin = time.perf_counter()
        await asyncio.gather(*(play(id, begin + seconds) for id in ids))
        return len(waits) / (time.perf_counter() - begin), sorted(waits)[len(waits) // 2] * 1000


def main() -> None:
    where = sys.argv[1] if len(sys.argv) > 1 else tempfile.gettempdir()
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 3.0
    for matches in (1, 50, 500):
        disk = "" if "://" in where else f"; the disk alone just before: {flushes(where, 1.0):.0f} flushes/s"
        with tempfile.TemporaryDirectory(dir=None if "://" in where else where) as folder:
            address = where if "://" in where else str(Path(folder, "bench.db"))
            rate, wait = asyncio.run(appends(address, matches, seconds))
        print(f"{matches:4} matches at once: {rate:8.0f} appends/s, median {wait:6.1f} ms{disk}")


if __name__ == "__main__":
    main()
