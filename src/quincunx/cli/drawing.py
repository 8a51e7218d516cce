"""Boards in the terminal: any game's grid of cells, with Rich."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text

from quincunx.cli.speech import language, out
from quincunx.core.board import Board, Cell
from quincunx.core.colours import OWNERS, colours_of
from quincunx.core.words import Language


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


def _names(board: Board, width: int, margin: int) -> Text:
    return Text(" " * margin + "".join(name.center(width) for name in board.columns), style="dim")


def _style(cell: Cell, place: int) -> Style:
    ink, ground = colours_of(cell, place)
    return Style(color=ink, bgcolor=ground, bold=True, underline=cell.strong)


def print_board(board: Board) -> None:
    out.print(draw(board, language(), glyphs=out.color_system is not None))


def owner_style(seat: int) -> str:
    return f"bold {OWNERS[seat % len(OWNERS)]}"
