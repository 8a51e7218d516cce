"""What is given to others, in dist/: the wheel with the built pages and documents, and a zip of the sources that stands
alone.

python tools/dist.py

The zip has what git tracks, as it is in the working tree; without git, everything that .gitignore does not name. Equal
sources make equal zips: files are sorted and have one date.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from fnmatch import fnmatch
from pathlib import Path, PurePath

import pages

from quincunx import __version__

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip knows
SITE = {  # of the documents, and of the games in them that need no server
    "index.html", "fr/index.html", "en/rules/khet.html", "live/live.js", "words.fr.js", "play/index.html", "play/sw.js",
    "play/games.json", "play/python/pyodide.asm.wasm", "play/python/msgspec.zip", "play/python/quincunx.zip",
}  # fmt: skip
WANTED = {
    "quincunx/py.typed", "quincunx/kits/templates/rust/json.rs", "quincunx/mcp/texts/rules/khet.fr.md",
    "quincunx/server/pages/index.html",
    *(f"quincunx/server/site/{name}" for name in SITE),
}  # fmt: skip


def sources() -> list[Path]:
    """Paths inside the project, sorted."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        found = [Path(name) for name in listed.decode().split("\0") if name]
    else:
        patterns = [line for line in (ROOT / ".gitignore").read_text("utf-8").splitlines() if line]
        found = [file.relative_to(ROOT) for file in ROOT.rglob("*")]
        found = [path for path in found if not is_ignored(path, patterns)]
    return sorted(path for path in found if (ROOT / path).is_file())


def is_ignored(path: PurePath, patterns: list[str]) -> bool:
    """As git reads the simple patterns of ours: a name anywhere, or a path from the top."""
    above = [path, *path.parents]
    for pattern in patterns:
        name = pattern.rstrip("/")
        here = above[1:] if pattern.endswith("/") else above
        if any(fnmatch(str(each) if "/" in name else each.name, name) for each in here):
            return True
    return False


def write_zip(file: Path, top: str) -> None:
    pack(file, {f"{top}/{path.as_posix()}": ROOT / path for path in sources()})


def pack(file: Path, contents: dict[str, Path]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in contents.items():
            entry = zipfile.ZipInfo(name, DATE)
            content = path.read_bytes()
            # scripts are executable, also where the files come from a zip whose modes were not kept
            entry.external_attr = (0o100755 if content.startswith(b"#!") else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def write_wheel(source: Path = ROOT, folder: Path = DIST) -> Path:
    command = ["wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", str(folder), str(source)]
    subprocess.run([sys.executable, "-m", "pip", *command], check=True)
    (wheel,) = folder.glob("*.whl")
    expect(wheel, WANTED)
    return wheel


def expect(file: Path, wanted: set[str]) -> None:
    """What nobody could do without, and what only a build brings along."""
    missing = sorted(wanted - set(zipfile.ZipFile(file).namelist()))
    if missing:
        raise pages.Failed(f"{file.name} lacks {', '.join(missing)}.")


def write_all() -> Path:
    """Both, and nothing that an earlier one left; returns the wheel."""
    DIST.mkdir(exist_ok=True)
    for old in DIST.iterdir():
        old.unlink()
    write_zip(DIST / f"quincunx-{__version__}.zip", f"quincunx-{__version__}")
    return write_wheel()


def main() -> int:
    try:
        write_all()
    except pages.Failed as failed:
        pages.say(str(failed))
        return 1
    for file in sorted(DIST.iterdir()):
        print(f"{file.relative_to(ROOT)}  {file.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
