"""Cultist: the line of fire, against the integer form of the ruling written once more."""

from __future__ import annotations

import pytest

from quincunx.games.cultist.grid import LINE, LINE_AT, cell_at

Cell = tuple[int, int]


def drawn(start: Cell, end: Cell) -> list[Cell]:
    """The cells strictly between, by the integer form of the ruling, from `start`."""
    (x, y), dx, dy = start, abs(end[0] - start[0]), abs(end[1] - start[1])
    sx, sy = (1 if end[0] > x else -1), (1 if end[1] > y else -1)
    err, cells = dx - dy, []
    while (x, y) != end:
        e2 = 2 * err
        if e2 > -dy:
            err -= dy
            x += sx
        if e2 < dx:
            err += dx
            y += sy
        cells.append((x, y))
    return cells[:-1]


def table_line(start: Cell, end: Cell) -> list[Cell]:
    a, b = cell_at(*start), cell_at(*end)
    return [((a + o) & 15, ((a + o) >> 4) - 1) for o in LINE[LINE_AT + b - a] if o]


CELLS = [(x, y) for y in range(7) for x in range(13)]
PAIRS = [(a, b) for a in CELLS for b in CELLS if 0 < abs(a[0] - b[0]) + abs(a[1] - b[1]) <= 6]


@pytest.mark.parametrize(
    ("dx", "dy", "cells"),
    [
        (1, 2, "01"), (1, 3, "01 12"), (1, 4, "01 02 13"), (1, 5, "01 02 13 14"), (2, 1, "10"), (2, 2, "11"),
        (2, 3, "11 12"), (2, 4, "01 12 13"), (3, 1, "10 21"), (3, 2, "11 21"), (3, 3, "11 22"), (4, 1, "10 20 31"),
        (4, 2, "10 21 31"), (5, 1, "10 20 31 41"),
    ],
)  # fmt: skip
def test_the_lines_of_the_ruling(dx: int, dy: int, cells: str) -> None:
    assert " ".join(f"{x}{y}" for x, y in table_line((0, 0), (dx, dy))) == cells


def test_every_line_in_range_is_drawn_from_the_upper_end() -> None:
    assert len(PAIRS) == 4284
    for a, b in PAIRS:
        expected = drawn(a, b) if a[1] <= b[1] else drawn(b, a)[::-1]
        assert table_line(a, b) == expected
        assert table_line(b, a) == expected[::-1]
        assert table_line((12 - a[0], a[1]), (12 - b[0], b[1])) == [(12 - x, y) for x, y in expected]
    assert sum(table_line(a, b) != drawn(a, b) for a, b in PAIRS) == 588
    flipped = [[(x, 6 - y) for x, y in table_line((a[0], 6 - a[1]), (b[0], 6 - b[1]))] for a, b in PAIRS]
    assert any(line != table_line(a, b) for line, (a, b) in zip(flipped, PAIRS, strict=True))
