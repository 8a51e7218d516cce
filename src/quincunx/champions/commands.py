"""The command line that plays a champion: a Python file with its host, a C or C++ source once it is built."""

from __future__ import annotations

import hashlib
import os
import shlex
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from quincunx.champions.building import CXX, NATIVE, C, build, compiler_of, flags_of, with_headers
from quincunx.core import cache
from quincunx.core.words import Words, expected

PREFIX = "champion:"
HOST = Path(__file__).parent / "python_host"
WANTED = Words(
    "le fichier d’un champion en Python (.py), en C (.c) ou en C++ (.cc, .cpp)",
    "a champion’s file in Python (.py), C (.c) or C++ (.cc, .cpp)",
)


def command_of(spec: str) -> list[str]:
    """For `champion:FILE`. What is written in C or C++ is built if it was not built before."""
    file = _file(spec.removeprefix(PREFIX))
    if file.suffix not in (".py", *C, *CXX) or not file.is_file():
        raise expected(WANTED, str(file))
    file = file.resolve()
    return [sys.executable, str(HOST), str(file)] if file.suffix == ".py" else [str(_built(file))]


def _file(text: str) -> Path:
    """As it is written, or as a shell would read it."""
    if not (file := Path(text).expanduser()).is_file():
        with suppress(ValueError):
            (text,) = shlex.split(text)
    return file if file.is_file() else Path(text)


def _built(source: Path) -> Path:
    """The champion as a program, with the machine code of rules; the name says what it was made of."""
    folder = cache.folder() / "champions"
    made = folder / f"{source.stem}-{_digest(source)}"
    if not made.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix="draft-") as draft:
            build([source], Path(draft) / "champion")
            os.replace(Path(draft) / "champion", made)
    with suppress(OSError):
        os.utime(made)  # it is in use
    return made


def _digest(source: Path) -> str:
    """Of the source with its headers, the library, and the compiler with its options."""
    digest = hashlib.sha256(repr([compiler_of(source), flags_of([source])]).encode())
    for path in (*with_headers([source]), *sorted(NATIVE.iterdir())):
        if path.is_file():
            digest.update(f"\n{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:20]
