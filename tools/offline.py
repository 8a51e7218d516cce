"""Builds the games that need no server into build/offline: pages, Python for the browser, an engine for each game.

python tools/offline.py            if what is there is not what the sources would give

It is the site's folder play/ (tools/docs.py): a static folder that any host serves. Python is Pyodide from npm, at the
version of web/package-lock.json; msgspec comes from PyPI, in the version that we test with; both are fetched when this
is built, and nothing is fetched from elsewhere when somebody plays.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tools")]

import pages  # noqa: E402

FOLDER = ROOT / "build" / "offline"
STAMP = ROOT / "build" / "offline.built"
SECRETS = ROOT / "build" / "engines_with_secrets"
WHEELS = ROOT / "build" / "wheels"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
MSGSPEC = "msgspec==0.22.0 --hash=sha256:{}"
HASH = "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
WHOLE = ("core", "search", "games")  # rooms that come entire: players/fingerprint.py reads all of their sources
MOST = 8_000_000  # bytes of gzip
ICON = ROOT / "web" / "public" / "icon.svg"
ICONS = ROOT / "web" / "src" / "offline" / "icons"  # the same as PNG: tools/icons.py
MANIFEST = {
    "name": "Quincunx",
    "short_name": "Quincunx",
    "description": "Six jeux de stratégie, sans réseau — six strategy games, offline",
    "start_url": "./index.html",
    "scope": "./",
    "display": "standalone",
    "background_color": "#f6f0e4",
    "theme_color": "#f6f0e4",
    "icons": [
        {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
        *({"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in (192, 512)),
    ],
}


def digest() -> str:
    files = [
        *(file for folder in ("offline", "server", "store", "match", "players") for file in _sources(folder)),
        *(file for room in WHOLE for file in _sources(room)),
        Path(__file__),
    ]
    found = sha256(pages.digest().encode())
    for file in sorted(files):
        found.update(f"{file.relative_to(ROOT).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()


def build() -> Path:
    """The folder, fresh."""
    if not pages.engines_are_fresh():
        pages.build_engines()
    if STAMP.is_file() and STAMP.read_text() == digest() and FOLDER.is_dir():
        return FOLDER
    STAMP.unlink(missing_ok=True)
    pages.install(dev=False)
    pages.say("Building the games that need no server …")
    _engines()
    out = ("--outDir", str(FOLDER))
    pages.node("node_modules/vite/bin/vite.js", "build", "--config", "play.config.ts", *out, "--logLevel", "error")
    (FOLDER / "play.html").rename(FOLDER / "index.html")
    _python(FOLDER / "python")
    asyncio.run(_shown(FOLDER))
    for icon in (ICON, *ICONS.glob("*.png")):
        shutil.copyfile(icon, FOLDER / icon.name)
    (FOLDER / "manifest.webmanifest").write_text(json.dumps(MANIFEST, ensure_ascii=False), "utf-8")
    _service_worker(FOLDER)
    weigh(FOLDER)
    STAMP.write_text(digest())
    return FOLDER


def _engines() -> None:
    """Of the games with secrets: those of the others are the pages' own."""
    from quincunx.games import cards

    pages.compile_engines(SECRETS, *(card.id for card in cards() if not card.open))


# -- Python ---------------------------------------------------------------------------------------------------------


def _python(folder: Path) -> None:
    folder.mkdir()
    for name in PYODIDE:
        shutil.copyfile(pages.WEB / "node_modules" / "pyodide" / name, folder / name)
    about = json.loads((pages.WEB / "node_modules" / "pyodide" / "pyodide-lock.json").read_text())["info"]
    nothing = {"info": about, "packages": {}}  # none of its own packages can be asked for
    (folder / "pyodide-lock.json").write_text(json.dumps(nothing))
    shutil.copyfile(_wheel(about), folder / "msgspec.zip")
    with zipfile.ZipFile(folder / "quincunx.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(_needed()):
            entry = zipfile.ZipInfo(file.relative_to(ROOT / "src").as_posix())  # always the same bytes
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, file.read_bytes())


def _needed() -> set[Path]:
    """What is loaded when all games are, in a process of its own; and the rooms that are read as text."""
    ask = (
        "import sys; from quincunx.offline import page; from quincunx.games import cards, load;"
        "[load(card.id, 'interpreted') for card in cards()];"
        "print(*(m.__file__ for n, m in sys.modules.items() if n.split('.')[0] == 'quincunx'), sep='\\n')"
    )
    run = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); {ask}"
    told = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=True).stdout
    return {Path(line) for line in told.split("\n") if line} | {file for room in WHOLE for file in _sources(room)}


def _sources(room: str) -> list[Path]:
    return list((ROOT / "src" / "quincunx" / room).rglob("*.py"))


def _wheel(about: dict[str, str]) -> Path:
    """msgspec for the browser's Python: its version and that of its interface are said by Pyodide."""
    python = about["python"].rpartition(".")[0]
    there = sorted(WHEELS.glob(f"msgspec-*-cp{python.replace('.', '')}-*_{about['abi_version']}_wasm32.whl"))
    for file in there:
        if sha256(file.read_bytes()).hexdigest() == HASH:
            return file
    WHEELS.mkdir(parents=True, exist_ok=True)
    wanted = WHEELS / "wanted.txt"
    wanted.write_text(MSGSPEC.format(HASH) + "\n")
    kind = ("--implementation", "cp", "--python-version", python, "--abi", f"cp{python.replace('.', '')}")
    platform = ("--platform", f"pyemscripten_{about['abi_version']}_wasm32", "--only-binary", ":all:", "--no-deps")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--require-hashes", "-r", str(wanted)]
    if subprocess.run([*pip, *kind, *platform, "--dest", str(WHEELS)], stdout=sys.stderr).returncode:
        raise pages.Failed("msgspec for the browser's Python did not come.")
    return next(WHEELS.glob("msgspec-*.whl"))


# -- what is written down -------------------------------------------------------------------------------------------


async def _shown(folder: Path) -> None:
    """What the games offer, and how each begins: for those who have not begun to play."""
    from quincunx.offline.house import House

    async def nobody(job: Any) -> Any:
        raise AssertionError("nobody plays while the site is built")

    house = House({}, nobody, lambda id, text: None)
    _, games = await house.answer("GET", "/api/games", {}, "")
    (folder / "games.json").write_bytes(games)
    looks = {}
    for game in json.loads(games):
        usual: dict[str, Any] = next((length for length in game["lengths"] if length.get("usual")), {})
        start = {"setup": usual.get("setup"), "options": usual.get("options", {}), "seed": 7}
        path = f"/api/games/{game['card']['id']}/preview"
        looks[game["card"]["id"]] = json.loads((await house.answer("POST", path, {}, json.dumps(start)))[1])
    (folder / "looks.json").write_text(json.dumps(looks, separators=(",", ":"), ensure_ascii=False), "utf-8")


def _service_worker(folder: Path) -> None:
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    version = sha256(b"".join(sha256(file.read_bytes()).digest() for _, file in sorted(files.items()))).hexdigest()[:16]
    first = (folder / "index.html").read_text("utf-8")
    shell = [name for name in sorted(files) if "/" not in name or name in first]
    written = f"const VERSION = {version!r};\nconst SHELL = {json.dumps(shell)};\n"
    written += f"const ALL = {json.dumps(sorted(files))};\n"
    (folder / "sw.js").write_text(written + (pages.WEB / "src" / "offline" / "sw.js").read_text("utf-8"), "utf-8")


def weigh(folder: Path) -> int:
    """Bytes of gzip of all of it; a failure if it is too much."""
    weight = sum(len(gzip.compress(file.read_bytes(), 9)) for file in folder.rglob("*") if file.is_file())
    pages.say(f"{'offline games':>19} {weight / 1000:6.0f} kB of {MOST / 1000:.0f}")
    if weight > MOST:
        raise pages.Failed("The games that need no server are too heavy.")
    return weight


def main() -> int:
    try:
        build()
    except pages.Failed as failed:
        pages.say(str(failed))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
