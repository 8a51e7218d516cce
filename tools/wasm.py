"""Every game as WebAssembly, in build/wasm: <game>.wasm, and <game>.json, which says how to call it.

python tools/wasm.py [GAME …] [--shared] [--open] [--folder FOLDER]

With --shared, for a memory that threads share; with --open, of the games without secrets: those that pages think about.
A table says how large they are, and how long it took.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from quincunx.games import cards  # noqa: E402
from quincunx.players.portable import portable  # noqa: E402

FOLDER = ROOT / "build" / "wasm"


def write(id: str, folder: Path, *, shared: bool = False) -> tuple[bytes, bytes]:
    """Both files; returns what is in them."""
    made = portable(id, shared=shared)
    described = json.dumps(made.description, separators=(",", ":")).encode()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{id}.wasm").write_bytes(made.code)
    (folder / f"{id}.json").write_bytes(described)
    return made.code, described


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--shared", action="store_true", help="for a memory that threads share")
    parser.add_argument("--open", action="store_true", help="games without secrets")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args()
    games = asked.games or [card.id for card in cards() if card.open or not asked.open]
    print(f"{'':14}{'kB':>8}{'gzipped':>10}{'described':>11}{'seconds':>9}")
    for id in games:
        begun = time.perf_counter()
        code, described = write(id, asked.folder, shared=asked.shared)
        seconds = time.perf_counter() - begun
        packed, told = (len(gzip.compress(part, 9)) / 1000 for part in (code, described))
        print(f"{id:14}{len(code) / 1000:8.1f}{packed:10.1f}{told:11.1f}{seconds:9.2f}")


if __name__ == "__main__":
    main()
