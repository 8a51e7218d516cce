"""Nim, taken out of docs/adding-a-game.md, as a folder of `quincunx/games/` for a while; with other lines if asked."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quincunx import games
from quincunx.games import folder

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "adding-a-game.md"
BLOCKS = re.findall(r"^```python (\S+)/(\S+)\n(.*?)^```$", DOCUMENT.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def write_package(folder: Path, id: str = "nim") -> None:
    (folder / id).mkdir()
    for game, name, code in BLOCKS:
        if game == "nim":
            (folder / id / name).write_text(code, encoding="utf-8")


def change(folder: Path, name: str, old: str, new: str) -> None:
    """One line of one file of the game in this folder; an empty `old`: more at its end."""
    path = folder / "nim" / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1) if old else text + new, encoding="utf-8")


@contextmanager
def among_the_games(folder: Path) -> Iterator[None]:
    """As if what is in the folder were in `quincunx/games/`."""
    games.__path__.append(str(folder))
    try:
        yield
    finally:
        games.__path__.remove(str(folder))
        forget()


def forget(id: str = "nim") -> None:
    games._found.pop(id, None)
    games._load.cache_clear()
    folder.examined.cache_clear()
    for name in [name for name in sys.modules if name.startswith(f"quincunx.games.{id}")]:
        del sys.modules[name]
