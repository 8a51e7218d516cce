"""Casus Belli, maps as text: read, checked, written, and packed into the terms.

    9 5              width height
    4 2              start: x y
    2                turns of the placement
    20               turns
    ....F....        . grass   _ road   ~ marsh   # wall   F forest   T tower   H hotspot
    .##...##.
    .#T_H_T#.
    .##...##.
    ....F....

What cannot be read is refused with its line and column, both counted from 1.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from quincunx.core.words import Refused, Words, expected, unfit
from quincunx.games.casus_belli.field import CUT_OFF, FIRST_HOTSPOT, HOTSPOTS, SIDE, Terms

GROUND = "._~#FT"
LETTERS = GROUND + "H" * HOTSPOTS + GROUND  # by the code of a cell
MOST_TURNS = 9999


class Chart(NamedTuple):
    """A map as it was written."""

    width: int
    height: int
    start: tuple[int, int]
    placement: int
    turns: int
    rows: tuple[str, ...]


def refused(line: int, column: int, what: Words, came: object) -> Refused:
    where = Words("{2} à la ligne {0}, colonne {1}", "{2} on line {0}, column {1}").format(line, column, what)
    return expected(where, came)


def read_map(text: str) -> Chart:
    lines = text.strip("\r\n").splitlines()
    width, height = _numbers(
        lines, 1, (Words("une largeur", "a width"), 1, SIDE), (Words("une hauteur", "a height"), 1, SIDE)
    )
    start = _numbers(
        lines,
        2,
        (Words("un x de départ", "an x of the start"), 0, width - 1),
        (Words("un y de départ", "a y of the start"), 0, height - 1),
    )
    (placement,) = _numbers(
        lines, 3, (Words("un nombre de tours de placement", "a number of placement turns"), 0, MOST_TURNS)
    )
    (turns,) = _numbers(lines, 4, (Words("un nombre de tours", "a number of turns"), 1, MOST_TURNS))
    rows = tuple(line.rstrip() for line in lines[4:])
    check_rows(width, height, rows, first_line=5)
    if rows[start[1]][start[0]] == "#":
        fr, en = (
            "Ligne {}, colonne {} : le départ est dans un mur.",
            "On line {}, column {}: the start is inside a wall.",
        )
        raise unfit(fr, en, 5 + start[1], start[0] + 1)
    return Chart(width, height, (start[0], start[1]), placement, turns, rows)


def _numbers(lines: list[str], line: int, *wanted: tuple[Words, int, int]) -> list[int]:
    """The numbers of a line: as many as are wanted, each between its bounds."""
    text = lines[line - 1] if line <= len(lines) else ""
    words = list(re.finditer(r"\S+", text))
    values = []
    for k, (name, low, high) in enumerate(wanted):
        what = Words("{} de {} à {}", "{} from {} to {}").format(name, low, high)
        if k >= len(words):
            raise refused(line, len(text) + 1, what, "")
        if not re.fullmatch(r"[0-9]{1,6}", words[k][0]) or not low <= int(words[k][0]) <= high:
            raise refused(line, words[k].start() + 1, what, words[k][0])
        values.append(int(words[k][0]))
    if len(words) > len(wanted):
        end = words[len(wanted)]
        raise refused(line, end.start() + 1, Words("la fin de la ligne", "the end of the line"), end[0])
    return values


def check_rows(width: int, height: int, rows: tuple[str, ...], first_line: int = 1) -> None:
    """As many rows as the height says, as long as the width says, with letters of the ground."""
    for y, row in enumerate(rows[:height]):
        stray = re.search(r"[^._~#FTH]", row)
        if stray:
            what = Words("une case parmi . _ ~ # F T H", "one of the cells . _ ~ # F T H")
            raise refused(first_line + y, stray.start() + 1, what, stray[0])
        if len(row) != width:
            what = Words("{} cases", "{} cells").format(width)
            raise refused(first_line + y, min(len(row), width) + 1, what, len(row))
    if len(rows) != height:
        what = Words("{} rangées", "{} rows").format(height)
        raise refused(first_line + min(len(rows), height), 1, what, len(rows))
    if len(_spots(rows)) > HOTSPOTS:
        x, y = min(_spots(rows)[HOTSPOTS], key=lambda cell: (cell[1], cell[0]))
        fr, en = "Ligne {}, colonne {} : {} hotspots au plus.", "On line {}, column {}: {} hotspots at most."
        raise unfit(fr, en, first_line + y, x + 1, HOTSPOTS)


def _spots(rows: tuple[str, ...]) -> list[set[tuple[int, int]]]:
    """The hotspots, from the top left: each the cells of H that hang together."""
    left = [(x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter == "H"]
    apart, found = set(left), []
    for cell in left:
        if cell in apart:
            found.append(_flood(cell, apart))
            apart -= found[-1]
    return found


def _flood(start: tuple[int, int], inside: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """All cells that hang together with the first, itself included."""
    reached, edge = {start}, [start]
    while edge:
        x, y = edge.pop()
        for there in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            if there in inside and there not in reached:
                reached.add(there)
                edge.append(there)
    return reached


def reachable(rows: tuple[str, ...], start: tuple[int, int]) -> set[tuple[int, int]]:
    return _flood(start, {(x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != "#"})


@lru_cache(maxsize=64)
def pack_ground(rows: tuple[str, ...], start: tuple[int, int]) -> tuple[tuple[int, ...], int]:
    """The numbers that the terms hold (see field.py), and how many hotspots there are."""
    width, reached = len(rows[0]), reachable(rows, start)
    spots = _spots(rows)
    number = {cell: k for k, spot in enumerate(spots) for cell in spot}
    words = [0] * 5000
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter == "H":
                code = FIRST_HOTSPOT + number[x, y]
            else:
                code = GROUND.index(letter) + (0 if letter == "#" or (x, y) in reached else CUT_OFF)
            cell = y * width + x
            words[cell >> 3] |= code << (cell & 7) * 7
    return tuple(words), len(spots)


def put_ground(terms: Terms, rows: tuple[str, ...], start: tuple[int, int], hotspots: bool) -> None:
    """Without hotspots their cells are plain grass."""
    if not hotspots:
        rows = tuple(row.replace("H", ".") for row in rows)
    words, spots = pack_ground(rows, start)
    terms.width, terms.height, terms.start = len(rows[0]), len(rows), start[1] * len(rows[0]) + start[0]
    terms.ground[:] = words
    terms.hotspots = spots


@lru_cache(maxsize=64)
def _rows(width: int, height: int, ground: tuple[int, ...]) -> tuple[str, ...]:
    cells = "".join(LETTERS[word >> shift & 127] for word in ground for shift in range(0, 56, 7))
    return tuple(cells[y * width : (y + 1) * width] for y in range(height))


def rows_of(terms: Terms) -> tuple[str, ...]:
    return _rows(*extent(terms))


def extent(terms: Terms) -> tuple[int, int, tuple[int, ...]]:
    """The map as a key: its width, its height and the words of its ground, which may hold much more."""
    return terms.width, terms.height, tuple(terms.ground[: (terms.width * terms.height + 7) // 8])


def write_map(chart: Chart) -> str:
    head = f"{chart.width} {chart.height}\n{chart.start[0]} {chart.start[1]}\n{chart.placement}\n{chart.turns}\n"
    return head + "\n".join(chart.rows) + "\n"
