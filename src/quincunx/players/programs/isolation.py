"""A program without network and with read-only files, by bubblewrap; asked for, and refused if that is missing."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from quincunx.core.words import Refused, Words

MISSING = Words(
    "Pour isoler un programme il faut bubblewrap (bwrap), sous Linux ; il n’est pas installé.",
    "To isolate a program takes bubblewrap (bwrap) on Linux; it is not installed.",
)
HOMES = ("/home", "/root", "/mnt", "/media", "/srv", "/var/lib", "/run")  # where people and services keep theirs


def isolated(command: Sequence[str], folder: Path) -> list[str]:
    """The command, shut in: it sees the system's programs and its own folder, to read; a /tmp of its own to write."""
    bwrap = shutil.which("bwrap") if sys.platform == "linux" else None
    if bwrap is None:
        raise Refused("no_isolation", MISSING)
    command = [_whole(shutil.which(command[0]) or command[0]), *(_whole(word) for word in command[1:])]
    hidden = [part for home in HOMES if Path(home).is_dir() for part in ("--tmpfs", home)]
    shown = [part for path in _needed(command, folder) for part in ("--ro-bind", path, path)]
    return [
        bwrap, "--ro-bind", "/", "/", *hidden, "--tmpfs", "/tmp", "--dev", "/dev", "--proc", "/proc", *shown,
        "--unshare-all", "--die-with-parent", "--new-session", "--chdir", str(folder.resolve()), "--", *command,
    ]  # fmt: skip


def _whole(word: str) -> str:
    """A file by the way to it that has no links: those may lead through what is hidden. A link itself stays one."""
    path = Path(word)
    return str(path.parent.resolve() / path.name) if path.is_absolute() and path.is_file() else word


def _needed(command: Sequence[str], folder: Path) -> list[str]:
    """What it must see although it may stand in a hidden place: its folder, its files, the Python that runs it."""
    files = [Path(word) for word in command if word.startswith("/") and Path(word).is_file()]
    found = [folder.resolve(), *(path.parent for path in files), *(path.resolve().parent for path in files)]
    if Path(command[0]).resolve() == Path(sys.executable).resolve():
        found += [Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()]
    return list(dict.fromkeys(str(path) for path in found if str(path) != "/"))
