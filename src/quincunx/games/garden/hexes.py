"""The 29 hexes of the garden: their numbers, their names, who touches whom.

    a1 a2 a3 a4 a5               0  1  2  3  4           rows of 5 6 7 6 5, pointed side up;
  b1 b2 b3 b4 b5 b6            5  6  7  8  9 10          in the axial grid 5 × 7 row i begins at column
c1 c2 c3 c4 c5 c6 c7         11 12 13 14 15 16 17        2 1 0 0 0, and (i, j) touches (i, j ± 1),
  d1 d2 d3 d4 d5 d6            18 19 20 21 22 23         (i ± 1, j), (i - 1, j + 1) and (i + 1, j - 1);
    e1 e2 e3 e4 e5               24 25 26 27 28          the half turn takes cell k to 28 - k
"""

from __future__ import annotations

from quincunx.core.engine import table

CELLS = 29
ROWS = (5, 6, 7, 6, 5)
NAMES = tuple(f"{'abcde'[row]}{k + 1}" for row, length in enumerate(ROWS) for k in range(length))


def _neighbours() -> list[list[int]]:
    """West, north-west, north-east, east, south-east, south-west; -1 where the garden ends."""
    first = (2, 1, 0, 0, 0)
    grid = [(i, first[i] + k) for i, length in enumerate(ROWS) for k in range(length)]
    number = {cell: k for k, cell in enumerate(grid)}
    steps = [(0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1)]
    return [[number.get((i + y, j + x), -1) for y, x in steps] for i, j in grid]


NEIGHBOUR = table(_neighbours())
TOUCHES = table([[int(to in row and to >= 0) for to in range(CELLS)] for row in NEIGHBOUR])
RIM = tuple(cell for cell in range(CELLS) if -1 in NEIGHBOUR[cell])


def opposite(cell: int) -> int:
    """Where the half turn takes a cell."""
    return CELLS - 1 - cell


def around(cell: int) -> list[int]:
    return [to for to in NEIGHBOUR[cell] if to >= 0]
