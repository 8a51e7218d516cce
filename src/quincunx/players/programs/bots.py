"""Programs that have a name: a small file of the user's, so that names and not paths stand in records.

    {"rusher": "program:python3 /home/ada/bots/rusher.py"}

QUINCUNX_BOTS names another file.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from quincunx.core.words import Refused, Words, expected

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
A_NAME = Words(
    "un nom de 1 à 40 lettres, chiffres, points ou tirets", "a name of 1 to 40 letters, digits, dots or dashes"
)
UNKNOWN = Words(
    "Aucun programme ne s’appelle {} ; quincunx bots list les montre.",
    "No program is called {}; quincunx bots list shows them.",
)
BROKEN = Words("Le fichier {} est illisible ({}).", "The file {} cannot be read ({}).")
UNWRITABLE = Words("Le fichier {} ne peut pas être écrit ({}).", "The file {} cannot be written ({}).")


def path() -> Path:
    if named := os.environ.get("QUINCUNX_BOTS"):
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("quincunx") / "bots.json"


def read() -> dict[str, str]:
    """Every name with the player that it stands for."""
    try:
        return msgspec.json.decode(path().read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError) as error:
        raise Refused("unreadable_file", BROKEN.format(path(), error)) from None


def spec_of(name: str) -> str:
    """What `bot:NAME` stands for."""
    found = read().get(name)
    if found is None:
        raise Refused("no_such_bot", UNKNOWN.format(name))
    return found


def spec_for(kind: str, command: Sequence[str]) -> str:
    """The player of a command line. What it names beside it is found from everywhere: relative paths become whole."""
    words = [str(Path(word).absolute()) if Path(word).exists() else word for word in command]
    return f"{kind}:{shlex.join(words)}"


def add(name: str, spec: str) -> None:
    if not NAME.fullmatch(name):
        raise expected(A_NAME, name)
    _write({**read(), name: spec})


def remove(name: str) -> None:
    known = read()
    if known.pop(name, None) is None:
        raise Refused("no_such_bot", UNKNOWN.format(name))
    _write(known)


def _write(bots: dict[str, str]) -> None:
    """Whole or not at all."""
    try:
        path().parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path().parent, prefix=".bots-")
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(dict(sorted(bots.items()))), indent=1) + b"\n")
        os.replace(draft, path())
    except OSError as error:
        raise Refused("unwritable_file", UNWRITABLE.format(path(), error.strerror)) from None
