"""The colours of a board (board.py), for whoever draws one: terminals, pictures."""

from __future__ import annotations

from quincunx.core.board import Cell

OWNERS = ("#e8e8e8", "#ff5f56", "#ffd23f", "#5fd75f", "#d787ff", "#5fafff")
NOBODYS = "#a89f8d"
GROUNDS = {  # each in two shades, so that squares can be told apart
    "": ("#26221c", "#2f2a23"),
    "wall": ("#6b6355", "#6b6355"),
    "unknown": ("#0b0b0d", "#0b0b0d"),
    "reserved0": ("#48505a", "#4f5863"),
    "reserved1": ("#5a1f1c", "#642320"),
    "grass": ("#1f4a25", "#25552b"),
    "forest": ("#12331a", "#12331a"),
    "sand": ("#6b5a2c", "#756331"),
    "mud": ("#4a3524", "#523b29"),
    "water": ("#173a5e", "#1b426a"),
    "marsh": ("#2b4a45", "#2b4a45"),
    "road": ("#55503f", "#55503f"),
    "tower": ("#473a5e", "#473a5e"),
    "hotspot": ("#7a5a1e", "#7a5a1e"),
    "gold": ("#5c4a12", "#665314"),
    "sky": ("#2f6f9e", "#2f6f9e"),
    "candy": ("#8a3f78", "#8a3f78"),
    "barbecue": ("#8f3a1f", "#8f3a1f"),
    "pool": ("#1e6a86", "#1e6a86"),
}


def colours_of(cell: Cell, place: int) -> tuple[str, str]:
    """Of what stands on a cell, and of its ground; `place` is the sum of its column and its row."""
    words = cell.ground.split()
    ground = next((GROUNDS[word] for word in words if word in GROUNDS), GROUNDS[""])[place % 2]
    if "unseen" in words:
        ground = _darker(ground)
    return OWNERS[cell.owner % len(OWNERS)] if cell.owner >= 0 else NOBODYS, ground


def _darker(colour: str) -> str:
    return "#" + "".join(f"{int(colour[k : k + 2], 16) * 5 // 9:02x}" for k in (1, 3, 5))
