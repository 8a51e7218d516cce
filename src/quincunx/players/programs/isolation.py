"""A program without network and with a read-only file system, by bubblewrap; asked for, and refused if it is missing."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from quincunx.core.words import Refused, Words

MISSING = Words(
    "Pour isoler un programme il faut bubblewrap (bwrap), sous Linux ; il n’est pas installé.",
    "To isolate a program takes bubblewrap (bwrap) on Linux; it is not installed.",
)
HOMES = ("/home", "/root", "/mnt", "/media", "/srv", "/var/lib", "/run")  # where people and services keep theirs


def isolated(command: Sequence[str], folder: Path) -> list[str]:
    """The command, shut in: it sees the system's programs and its own folder, to read; a /tmp of its own to write."""
    bwrap = shutil.which("bwrap") if sys.platform == "linux" else None
    if bwrap is None:
        raise Refused("no_isolation", MISSING)
    hidden = [part for home in HOMES if Path(home).is_dir() for part in ("--tmpfs", home)]
    shown = [part for path in _needed(command, folder) for part in ("--ro-bind", path, path)]
    return [
        bwrap, "--ro-bind", "/", "/", *hidden, "--tmpfs", "/tmp", "--dev", "/dev", "--proc", "/proc", *shown,
        "--unshare-all", "--die-with-parent", "--new-session", "--chdir", str(folder), "--", *command,
    ]  # fmt: skip


def _needed(command: Sequence[str], folder: Path) -> list[str]:
    """What it must see although it may stand in a hidden place: its folder, its program, the Python that runs it."""
    program = shutil.which(command[0])
    found = [folder.resolve()]
    if program is not None:
        found += [Path(program).absolute().parent, Path(program).resolve().parent]
    found += [Path(word).resolve().parent for word in command[1:] if word.startswith("/") and Path(word).is_file()]
    if program is not None and Path(program).resolve() == Path(sys.executable).resolve():
        found += [Path(sys.prefix), Path(sys.base_prefix)]
    return list(dict.fromkeys(str(path) for path in found if str(path) != "/"))
