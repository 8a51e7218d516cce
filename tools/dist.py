"""What is given to others, in dist/: the wheel with the built pages, and a zip of the sources that stands alone.

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
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sources():
            entry = zipfile.ZipInfo(f"{top}/{path.as_posix()}", DATE)
            content = (ROOT / path).read_bytes()
            # scripts are executable, also where the files come from a zip whose modes were not kept
            entry.external_attr = (0o100755 if content.startswith(b"#!") else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def write_wheel() -> Path:
    command = ["wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", str(DIST), str(ROOT)]
    subprocess.run([sys.executable, "-m", "pip", *command], check=True)
    (wheel,) = DIST.glob("*.whl")
    wanted = {"quincunx/server/pages/index.html", "quincunx/py.typed", "quincunx/kits/templates/rust/json.rs"}
    missing = wanted - set(zipfile.ZipFile(wheel).namelist())
    if missing:
        raise pages.Failed(f"The wheel lacks {', '.join(missing)}.")
    return wheel


def main() -> int:
    DIST.mkdir(exist_ok=True)
    for old in (*DIST.glob("*.whl"), *DIST.glob("*.zip")):
        old.unlink()
    try:
        archive = DIST / f"quincunx-{__version__}.zip"
        write_zip(archive, f"quincunx-{__version__}")
        wheel = write_wheel()
    except pages.Failed as failed:
        pages.say(str(failed))
        return 1
    for file in (archive, wheel):
        print(f"{file.relative_to(ROOT)}  {file.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
