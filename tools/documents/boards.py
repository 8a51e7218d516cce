"""The live boards of the site: what a ```board block shows, as the pages of the game draw it. The words of a block are
those of tools/boards.py; outside docs/rules it says which game it is about, too (`game: khet`). A whole match may be
played through in place: `record: records/khet.json`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any

import boards as rules_boards
import msgspec

from quincunx.match.changes import patch

if TYPE_CHECKING:
    from documents.contents import Page


@dataclass(frozen=True)
class Board:
    game: str
    lines: tuple[str, ...]  # without game and caption
    caption: str
    source: str

    @classmethod
    def of(cls, page: Page, block: str) -> Board:
        said = dict(line.partition(":")[::2] for line in block.strip().splitlines())
        folder, _, name = page.name.rpartition("/")
        game = said.get("game", name if folder in ("rules", "strategy") else "").strip()
        lines = tuple(line for line in block.strip().splitlines() if not line.startswith(("game:", "caption:")))
        return cls(game, lines, said.get("caption", "").strip(), page.source)

    @cached_property
    def name(self) -> str:
        return sha256("\n".join((self.game, *self.lines)).encode()).hexdigest()[:12]

    @property
    def address(self) -> str:
        return f"boards/{self.name}.json"

    @property
    def figure(self) -> str:
        caption = f"<figcaption>{escape(self.caption)}</figcaption>" if self.caption else ""
        return f'<figure class="live" data-game="{escape(self.game)}" data-board="{self.name}">{caption}</figure>\n'

    def frames(self) -> bytes:
        from documents.contents import ROOT

        said = rules_boards.said(list(self.lines), ROOT / self.source)
        shown = rules_boards.shown(self.game, said)
        return msgspec.json.encode({**shown, "frames": list(_briefly(shown["frames"]))})


def _briefly(frames: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each picture says what is otherwise than in the one before it, as updates do on the wire."""
    before: dict[str, Any] = {}
    for frame in frames:
        now = {name: getattr(frame["shown"], name) for name in frame["shown"].__struct_fields__}
        said = {name: patch(before.get(name), value) for name, value in now.items()}
        yield {**frame, "shown": {name: value for name, value in said.items() if before.get(name) != now[name]}}
        before = now
