"""The cells of Cultist: 13 × 7, in rows of 16 with an edge around them; distances, and the lines of fire.

y\\x      0   1   2  ..  12  edge          a cell is (y + 1) * 16 + x: 16 (top left) to 124 (bottom right),
edge     0   1   2  ..  12  13 14 15       so that x = cell & 15, its neighbours are cell ± 1 and cell ± 16,
0       16  17  18  ..  28  29 30 31       nothing ever steps off the board, and the difference of two cells
..                                         in range says which line joins them
6      112 113 114  .. 124 125 ..
edge   128 129  ..         143
"""

from __future__ import annotations

from quincunx.core.engine import rule, table

WIDTH, HEIGHT, PITCH, SIZE = 13, 7, 16, 144
RANGE = 6  # of a shot
LINE_AT = RANGE * PITCH


def cell_at(x: int, y: int) -> int:
    return (y + 1) * PITCH + x


@rule
def distance(a: int, b: int) -> int:
    return abs((a & 15) - (b & 15)) + abs((a >> 4) - (b >> 4))


def _line(dx: int, dy: int) -> list[int]:
    """From the shooter to (dx, dy), as differences of cells: what lies strictly between, in order, then zeros.

    The line is always drawn from the upper end to the lower one, so that it is the same in both directions.
    """
    x, y, end_x, end_y = (dx, dy, 0, 0) if dy < 0 else (0, 0, dx, dy)
    wide, high, step = abs(dx), abs(dy), 1 if end_x > x else -1
    error, cells = wide - high, []
    while (x, y) != (end_x, end_y):
        cells.append(y * PITCH + x)
        twice = 2 * error
        if twice > -high:
            error, x = error - high, x + step
        if twice < wide:
            error, y = error + wide, y + 1
    between = cells[1:][::-1] if dy < 0 else cells[1:]
    return between + [0] * (RANGE - len(between))


def _lines() -> list[list[int]]:
    """[LINE_AT + target - shooter] -> the line, for targets in range."""
    lines = [[0] * RANGE for _ in range(2 * LINE_AT + 1)]
    for dy in range(-RANGE, RANGE + 1):
        for dx in range(abs(dy) - RANGE, RANGE - abs(dy) + 1):
            lines[LINE_AT + dy * PITCH + dx] = _line(dx, dy)
    return lines


LINE = table(_lines())
STEP = table([-PITCH, 1, PITCH, -1])  # up, right, down, left
