"""A program without network and with read-only files, by bubblewrap; asked for, and refused if that is missing.

isolated   a program that its owner runs here and does not quite trust: it sees the system, but nobody's home
sealed     a file that somebody else has sent: it sees Python and its own files, and can write nowhere
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from quincunx.core.words import Refused, Words
from quincunx.players.programs.codingame import SITE

MISSING = Words(
    "Pour isoler un programme il faut bubblewrap (bwrap), sous Linux ; il n’est pas installé.",
    "To isolate a program takes bubblewrap (bwrap) on Linux; it is not installed.",
)
REFUSES = Words(
    "bubblewrap (bwrap) est installé, mais trop ancien (il faut la version 0.8), ou ce système l’empêche d’isoler.",
    "bubblewrap (bwrap) is installed, but it is too old (this needs 0.8), or this system does not let it isolate.",
)
APART = (  # without capabilities: who runs the server as root would otherwise hand them on, and mounts could be undone
    "--unshare-all", "--cap-drop", "ALL", "--die-with-parent", "--new-session"
)  # fmt: skip
SEAL = Path(__file__).with_name("seal.py")
ALONE = ("-E", "-s", "-S", "-B")  # Python and its own library, nothing that was installed or is set
TRIAL = 20.0  # seconds
SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/nix/store", "/etc/ld.so.cache", "/etc/alternatives")
HOMES = ("/home", "/root", "/mnt", "/media", "/srv", "/var/lib", "/run")  # where people and services keep theirs


def isolated(command: Sequence[str], folder: Path) -> list[str]:
    """The command, shut in: it sees the system's programs and its own folder, to read; a /tmp of its own to write."""
    bwrap = _bubblewrap()
    command = [_whole(shutil.which(command[0]) or command[0]), *(_whole(word) for word in command[1:])]
    hidden = [part for home in HOMES if Path(home).is_dir() for part in ("--tmpfs", home)]
    shown = [part for path in _needed(command, folder) for part in ("--ro-bind", path, path)]
    return [
        bwrap, "--ro-bind", "/", "/", *hidden, "--tmpfs", "/tmp", "--dev", "/dev", "--proc", "/proc",
        "--ro-bind", "/proc/sys", "/proc/sys", *shown,
        *APART, "--chdir", str(folder.resolve()), "--", *command,
    ]  # fmt: skip


def sealed(arguments: Sequence[str], files: Mapping[str, Path]) -> list[str]:
    """This Python with these arguments, shut in with nothing but its own library and `files`: the names under which
    it sees folders. No network, no environment, no other processes, no /proc (through which root, even shut in, could
    change the system), no namespaces of its own, and no place to write, in memory either."""
    python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()  # not that of a virtual environment
    prefix = Path(sys.base_prefix).resolve()
    shown = [part for path in SYSTEM for part in _as_it_is(Path(path))]
    if not prefix.is_relative_to("/usr"):
        shown += ["--ro-bind", str(prefix), str(prefix)]
    own = [part for name, path in files.items() for part in ("--ro-bind", str(path.resolve()), name)]
    return [
        _bubblewrap(), *shown, *own, "--ro-bind", str(SEAL), "/seal.py",
        "--dev", "/dev", "--remount-ro", "/dev", "--remount-ro", "/", *APART,
        "--unshare-user", "--disable-userns", "--clearenv", "--setenv", "PYTHONIOENCODING", "utf-8",
        "--chdir", next(iter(files), "/"), "--",
        str(python), *ALONE, "/seal.py", *ALONE, *arguments,
    ]  # fmt: skip


def check_isolation() -> None:
    """Refused where programs cannot be sealed: bubblewrap is missing, or the system allows it nothing."""
    try:
        tried = subprocess.run(sealed(["-c", ""], {}), capture_output=True, timeout=TRIAL, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        raise Refused("no_isolation", REFUSES) from None
    if tried.returncode:
        raise Refused("no_isolation", REFUSES)


def _bubblewrap() -> str:
    found = shutil.which("bwrap") if sys.platform == "linux" else None
    if found is None:
        raise Refused("no_isolation", MISSING)
    return found


def _as_it_is(path: Path) -> list[str]:
    """Of the system, to read: many have /bin as a link to /usr/bin."""
    if path.is_symlink():
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind", str(path), str(path)] if path.exists() else []


def _whole(word: str) -> str:
    """A file by the way to it that has no links: those may lead through what is hidden. A link itself stays one."""
    path = Path(word)
    return str(path.parent.resolve() / path.name) if path.is_absolute() and path.is_file() else word


def _needed(command: Sequence[str], folder: Path) -> list[str]:
    """What it must see although it may stand in a hidden place: its folder, its files, the Python that runs it, and
    what a program on Node loads first (codingame.py)."""
    files = [Path(word) for word in command if word.startswith("/") and Path(word).is_file()]
    found = [
        folder.resolve(),
        SITE.resolve(),
        *(path.parent for path in files),
        *(path.resolve().parent for path in files),
    ]
    if Path(command[0]).resolve() == Path(sys.executable).resolve():
        found += [Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()]
    return list(dict.fromkeys(str(path) for path in found if str(path) != "/"))
