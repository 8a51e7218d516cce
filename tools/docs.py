"""Builds the site: what docs/ and the code say, in two languages, with live boards.

python tools/docs.py             where the server finds it, if what is there is not what the sources would give
python tools/docs.py FOLDER      likewise, as a static folder for any host

Its folder play/ has the games, which need no server (tools/offline.py).
"""

from __future__ import annotations

import shutil
import sys
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tools")]

import offline  # noqa: E402
import pages  # noqa: E402
from documents.building import STAMP, build  # noqa: E402
from documents.contents import Missing  # noqa: E402

SITE = ROOT / "src" / "quincunx" / "server" / "site"
MADE_OF = (
    "docs/**/*",
    "benchmarks/*.svg",
    "tools/documents/*",
    "tools/boards.py",
    "src/quincunx/**/*.py",
    "src/quincunx/games/*/lessons.json",
    "*.md",
    "docs/contents.toml",
)


def digest() -> str:
    found = sha256(offline.digest().encode())
    for file in sorted({file for pattern in MADE_OF for file in ROOT.glob(pattern) if file.is_file()}):
        found.update(f"{file.relative_to(ROOT).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()


def make(folder: Path) -> None:
    texts = build(folder)
    pages.install(dev=False)
    out = ("--outDir", str(folder / "live"))
    pages.node("node_modules/vite/bin/vite.js", "build", "--config", "docs.config.ts", *out, "--logLevel", "error")
    weight = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    shutil.copytree(offline.build(), folder / "play")
    pages.say(f"{len(texts)} pages of documents, {weight / 1e6:.1f} MB")


def main(arguments: list[str]) -> int:
    try:
        folder = Path(arguments[0]).resolve() if arguments else SITE
        if not (folder / STAMP).is_file() or (folder / STAMP).read_text() != digest():
            make(folder)
            (folder / STAMP).write_text(digest())
    except (Missing, pages.Failed) as wrong:
        pages.say(str(wrong))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
