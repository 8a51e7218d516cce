"""Which games the documents and the kept files of this project tell of: those that have golden records.

A game that was just added needs none of them: it may still change, and nobody has written its pages yet. From its first
record on it has a page of rules, of strategy, examples of its notation and sessions of bots, in both languages, puzzles
and lessons.
"""

from __future__ import annotations

from pathlib import Path

from quincunx.games import cards

RECORDS = sorted((Path(__file__).parent.parent / "tests" / "golden").glob("*.json"))
SETTLED = {path.stem.partition("-")[0] for path in RECORDS}
CARDS = [card for card in cards() if card.id in SETTLED]
IDS = [card.id for card in CARDS]
