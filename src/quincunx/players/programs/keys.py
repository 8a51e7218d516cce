"""Keys by which programs are known in arenas: a small file for each, beside the names of programs (bots.py).

    keys/5d41402abc4b2a76.json    {"arena": "connect-four-27b1c9d3e0", "name": "Fox", "key": "…"}

Whoever has the key is that entrant. It is made once, and nobody but its owner can read the file.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from quincunx.core.words import Refused, Words
from quincunx.players.programs import bots

OTHER = Words(
    "Une autre clé de {} est déjà dans {} : effacez ce fichier si elle ne sert plus.",
    "Another key of {} is in {} already: delete that file if it is of no more use.",
)


class Key(msgspec.Struct, frozen=True):
    arena: str
    name: str
    key: str


def path_of(arena: str, name: str) -> Path:
    digest = sha256(f"{arena}/{name}".encode()).hexdigest()[:16]
    return bots.path().parent / "keys" / f"{digest}.json"


def key_of(arena: str, name: str, given: str | None = None) -> str:
    """The key that a program has in an arena; a new one, or the one that was `given`, if it has none. Of several who
    ask at once all get the same."""
    path = path_of(arena, name)
    known = _read(path)
    if known is None:
        _write(path, Key(arena, name, given or secrets.token_urlsafe(24)))
        known = _read(path)
    if known is None or (given is not None and known != given):
        raise Refused("other_key", OTHER.format(name, path))
    return known


def _read(path: Path) -> str | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Key).key
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise Refused("unreadable_file", bots.BROKEN.format(path, error)) from None


def _write(path: Path, key: Key) -> None:
    """Whole or not at all, and never over one that is there."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".key-")  # for its owner alone
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(key), indent=1) + b"\n")
        try:
            os.link(draft, path)
        except FileExistsError:  # somebody else was faster
            pass
        finally:
            with suppress(OSError):
                os.unlink(draft)
    except OSError as error:
        raise Refused("unwritable_file", bots.UNWRITABLE.format(path, error.strerror)) from None
