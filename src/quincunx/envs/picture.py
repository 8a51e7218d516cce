"""A board as text for a terminal, and as a picture: what environments render.

The picture is drawn with Pillow, which needs no window and no screen: squares or shifted hexagon rows, a disc in the
colour of its owner, and on it the text of the game's notation.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quincunx.core.board import Board, Cell
from quincunx.core.colours import colours_of
from quincunx.envs.missing import needed

SIDE, MARGIN, LINE = 48, 28, 18  # pixels: of a cell, around the board, of a line of notes
LINES = 7  # that notes may take: a film wants pictures of one size, whatever there is to say
PAPER, FAINT, DARK = "#17140f", "#a89f8d", "#17140f"
OFF = "\x1b[0m"


def ansi(board: Board) -> str:
    """With the colours of a terminal; without them the notation still says everything."""
    width = max(3, *(len(cell.text) + 2 for row in board.cells for cell in row), *(len(n) + 1 for n in board.columns))
    margin = max((len(name) for name in board.rows), default=0) + 1
    names = " " * margin + "".join(name.center(width) for name in board.columns)
    widest = max(len(row) for row in board.cells)
    lines = [] if board.hexagonal else [names]
    for y, (name, row) in enumerate(zip(board.rows, board.cells, strict=True)):
        cells = "".join(_coloured(cell, x + y, width) for x, cell in enumerate(row))
        lines.append(name.rjust(margin - 1) + " " * (1 + (widest - len(row)) * width // 2) + cells)
    return "\n".join([*lines, *(note.en for note in board.notes)]) + "\n"


def _coloured(cell: Cell, place: int, width: int) -> str:
    ink, ground = colours_of(cell, place)
    return f"\x1b[1;38;2;{_rgb(ink)};48;2;{_rgb(ground)}m{(cell.text or '·').center(width)}{OFF}"


def _rgb(colour: str) -> str:
    return ";".join(str(int(colour[k : k + 2], 16)) for k in (1, 3, 5))


def image(board: Board) -> NDArray[np.uint8]:
    """Rows, columns, red-green-blue; of one size throughout a match."""
    widest = max(len(row) for row in board.cells)
    width, height = widest * SIDE + 2 * MARGIN, len(board.cells) * SIDE + 2 * MARGIN
    picture = needed("PIL.Image", "envs").new("RGB", (width, height + LINE * LINES * bool(board.notes)), PAPER)
    pen = needed("PIL.ImageDraw", "envs").Draw(picture)
    for y, (name, row) in enumerate(zip(board.rows, board.cells, strict=True)):
        left = MARGIN + (widest - len(row)) * SIDE // 2
        _write(pen, MARGIN // 2, MARGIN + y * SIDE + SIDE // 2, name, FAINT, 13)
        for x, cell in enumerate(row):
            _draw(pen, left + x * SIDE, MARGIN + y * SIDE, cell, x + y)
    for x, name in enumerate(() if board.hexagonal else board.columns):
        _write(pen, MARGIN + x * SIDE + SIDE // 2, MARGIN // 2, name, FAINT, 13)
    for k, line in enumerate(_lines([note.en for note in board.notes], width - 2 * MARGIN)[:LINES]):
        pen.text((MARGIN, height - MARGIN // 2 + k * LINE), line, fill=FAINT, font=_font(13))
    return np.array(picture, np.uint8)


def _lines(notes: list[str], width: int) -> list[str]:
    """Broken between words where they would be too long."""
    lines: list[str] = []
    for note in notes:
        line = ""
        for word in note.split():
            longer = f"{line} {word}".strip()
            if line and _font(13).getlength(longer) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return lines


def _draw(pen: Any, left: int, top: int, cell: Cell, place: int) -> None:
    ink, ground = colours_of(cell, place)
    pen.rectangle((left, top, left + SIDE - 1, top + SIDE - 1), fill=ground)
    if cell.owner >= 0:
        pen.ellipse((left + 4, top + 4, left + SIDE - 5, top + SIDE - 5), fill=ink)
    if cell.strong:
        pen.ellipse((left + 2, top + 2, left + SIDE - 3, top + SIDE - 3), outline=ink, width=2)
    size = 18 if len(cell.text) < 3 else 14 if len(cell.text) < 5 else 10
    _write(pen, left + SIDE // 2, top + SIDE // 2, cell.text, DARK if cell.owner >= 0 else ink, size)


def _write(pen: Any, x: int, y: int, text: str, colour: str, size: int) -> None:
    if text:
        pen.text((x, y), text, fill=colour, font=_font(size), anchor="mm")


@cache
def _font(size: int) -> Any:
    """Pillow's own: no file of this computer is asked for."""
    return needed("PIL.ImageFont", "envs").load_default(size)
