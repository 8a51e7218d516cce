"""The folder of machine code: one file a compiled rule, under the user's cache folder; old ones are swept out.

This is the only file of `core` and `games` that touches the disk. QUINCUNX_CACHE names another folder.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache as once
from importlib.metadata import version
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

LARGEST = 256 * 2**20  # bytes of machine code that are kept
DOOR = ".door"  # ends the name of a twin that can be called from Python
OLDEST = 60 * 24 * 3600  # seconds since a file was last used
MAKE = 2  # of compiler.py: one more whenever it makes other code of the same rule


@once
def _versions() -> str:
    """Code of one release of the compiler, or of our part of it, is nothing to another."""
    python = f"py{sys.version_info[0]}{sys.version_info[1]}"
    return "-".join([f"make{MAKE}", python, *(f"{name}{version(name)}" for name in ("numba", "llvmlite", "numpy"))])


def root() -> Path:
    named = os.environ.get("QUINCUNX_CACHE")
    return Path(named) if named else user_cache_path("quincunx")


def folder() -> Path:
    return root() / "compiled" / _versions()


def holds(name: str) -> bool:
    """Is there code for the twin of this name, to be called from Python (for any processor)?"""
    return next(folder().glob(f"{name}{DOOR}.*"), None) is not None


def read(name: str) -> Any:
    """What was written under this name, or None if there is nothing usable."""
    path = folder() / name
    try:
        data = pickle.loads(path.read_bytes())
        os.utime(path)  # it is in use
    except Exception:  # missing, truncated, of another build, unreadable: the rule is compiled again
        return None
    return data


def write(name: str, data: bytes) -> None:
    """Whole or not at all, also when two processes write the same; a read-only disk only costs speed."""
    with suppress(OSError):
        folder().mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=folder(), prefix="draft-")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(draft, folder() / name)


def sweep(largest: int = LARGEST, oldest: float = OLDEST) -> int:
    """Removes what was not used for long, then the least recently used until the rest fits; returns how many."""
    found = [(path.stat().st_mtime, path.stat().st_size, path) for path in root().glob("compiled/*/*")]
    kept, removed = 0, 0
    limit = time.time() - oldest
    for used, size, path in sorted(found, reverse=True):
        kept += size
        if kept > largest or used < limit:
            with suppress(OSError):  # another process may sweep as well
                path.unlink()
                removed += 1
    for versions in root().glob("compiled/*"):
        with suppress(OSError):
            versions.rmdir()  # only if it is empty
    return removed
