"""Boards in the terminal: any game's grid of cells, with Rich."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text

from quincunx.cli.speech import language, out
from quincunx.core.board import Board, Cell
from quincunx.core.words import Language

OWNERS = ("#e8e8e8", "#ff5f56", "#ffd23f", "#5fd75f", "#d787ff", "#5fafff")
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


def draw(board: Board, language: Language, glyphs: bool) -> RenderableType:
    """Glyphs need colours to tell whose they are; without colours the notation does."""

    def mark(cell: Cell) -> str:
        return cell.glyph or cell.text if glyphs else cell.text or "·"

    width = max(3, *(len(mark(cell)) + 2 for row in board.cells for cell in row), *(len(c) + 1 for c in board.columns))
    margin = max((len(name) for name in board.rows), default=0) + 1
    widest = max(len(row) for row in board.cells)
    lines = [_names(board, width, margin)] if not board.hexagonal else []
    for y, (name, row) in enumerate(zip(board.rows, board.cells, strict=True)):
        line = Text()
        line.append(name.rjust(margin - 1) + " ", style="dim")
        line.append(" " * ((widest - len(row)) * width // 2))
        for x, cell in enumerate(row):
            line.append(mark(cell).center(width), style=_style(cell, x + y))
        line.append(f" {name}", style="dim")
        lines.append(line)
    if not board.hexagonal:
        lines.append(_names(board, width, margin))
    return Group(*lines, *(Text(note.of(language)) for note in board.notes))


def _mark(cell: Cell) -> str:
    return cell.glyph or cell.text


def _names(board: Board, width: int, margin: int) -> Text:
    return Text(" " * margin + "".join(name.center(width) for name in board.columns), style="dim")


def _style(cell: Cell, place: int) -> Style:
    words = cell.ground.split()
    ground = next((GROUNDS[word] for word in words if word in GROUNDS), GROUNDS[""])[place % 2]
    if "unseen" in words:
        ground = _darker(ground)
    colour = OWNERS[cell.owner % len(OWNERS)] if cell.owner >= 0 else "#a89f8d"
    return Style(color=colour, bgcolor=ground, bold=True, underline=cell.strong)


def _darker(colour: str) -> str:
    return "#" + "".join(f"{int(colour[k : k + 2], 16) * 5 // 9:02x}" for k in (1, 3, 5))


def print_board(board: Board) -> None:
    out.print(draw(board, language(), glyphs=out.color_system is not None))


def owner_style(seat: int) -> str:
    return f"bold {OWNERS[seat % len(OWNERS)]}"
