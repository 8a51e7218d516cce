"""The folder of machine code, under the user's cache folder; old files are swept out.

This is the only file of `core` and `games` that touches the disk. QUINCUNX_CACHE names another folder.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

LARGEST = 256 * 2**20  # bytes of machine code that are kept
OLDEST = 60 * 24 * 3600  # seconds since a file was last used


def root() -> Path:
    if named := os.environ.get("QUINCUNX_CACHE"):
        return Path(named)
    from platformdirs import user_cache_path  # most processes never ask

    return user_cache_path("quincunx")


def folder() -> Path:
    return root() / "compiled"


def exists(name: str) -> bool:
    return (folder() / name).is_file()


def read(name: str) -> bytes | None:
    """What was written under this name, if it is there."""
    path = folder() / name
    try:
        data = path.read_bytes()
        os.utime(path)  # it is in use
    except OSError:
        return None
    return data


def write(name: str, data: bytes) -> None:
    """Whole or not at all, also when two processes write the same; a read-only disk only costs speed."""
    import tempfile  # most processes only read

    with suppress(OSError):
        folder().mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=folder(), prefix="draft-")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(draft, folder() / name)


def sweep(largest: int = LARGEST, oldest: float = OLDEST) -> int:
    """Removes what was not used for long, then the least recently used until the rest fits; returns how many."""
    found = [(path.stat().st_mtime, path.stat().st_size, path) for path in folder().rglob("*") if path.is_file()]
    kept, removed = 0, 0
    limit = time.time() - oldest
    for used, size, path in sorted(found, reverse=True):
        kept += size
        if kept > largest or used < limit:
            with suppress(OSError):  # another process may sweep as well
                path.unlink()
                removed += 1
    for left in folder().glob("*/"):  # of the times when each version had a folder
        with suppress(OSError):
            left.rmdir()  # only if it is empty
    return removed
