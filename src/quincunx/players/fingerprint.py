"""Which rules, and which bytes: a page that is given positions must have been built from the same sources.

The digest of plans (core/engine.py) changes with the release of Python, for it knows the bytecode; this one does not.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

import quincunx

SHARED = ("core", "search")


@cache
def sources(id: str) -> str:
    """Of everything that makes up a game and its searches."""
    top = Path(quincunx.__file__).parent
    found = sha256()
    for folder in (*SHARED, f"games/{id}"):
        for file in sorted((top / folder).rglob("*.py")):
            found.update(f"{file.relative_to(top).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()[:16]
