"""Connect Four in writing.

An action is the letter of its column: `d`. A position is its six rows from the top, `y` yellow, `r` red, a number for
so many empty cells: `7/7/7/7/3r3/3y3`.
"""

from __future__ import annotations

import re
from functools import cache

from quincunx.core.options import Value
from quincunx.core.words import Words, expected
from quincunx.games.connect_four.rules import COLUMN_FULL, COLUMNS, PITCH, ROWS, State, Terms, four

LETTERS = "abcdefg"
STONES = "yr"

REFUSALS = {COLUMN_FULL: ("column_full", Words("Cette colonne est pleine.", "This column is full."))}


def cell_name(cell: int) -> str:
    return f"{LETTERS[cell // PITCH]}{cell % PITCH + 1}"


def text(terms: Terms, s: State, seat: int, action: int) -> str:
    return LETTERS[action]


def parse(terms: Terms, s: State, seat: int, text: str) -> int:
    column = LETTERS.find(text.strip().lower() or "?")
    if column < 0 or len(text.strip()) != 1:
        raise expected(Words("une colonne de a à g", "a column from a to g"), text)
    return column


def terms(options: dict[str, Value]) -> Terms:
    terms = Terms()
    terms.seats, terms.misere = 2, int(options["misere"])
    return terms


def stone_at(s: State, column: int, row: int) -> int:
    """The seat whose stone lies there (row 0 at the bottom), or -1."""
    cell = column * PITCH + row
    return 0 if s.stones[0] >> cell & 1 else 1 if s.stones[1] >> cell & 1 else -1


def position(terms: Terms, s: State) -> str:
    yellow, red = (int(f"{stones:b}") for stones in s.stones)  # its bits as digits
    cells = f"{yellow + 2 * red:0{COLUMNS * PITCH}}"[::-1]  # of all of them: 0, 1 yellow, 2 red
    return "/".join([_row(cells[row::PITCH]) for row in range(ROWS - 1, -1, -1)])


@cache
def _row(cells: str) -> str:
    """Of all rows that there can be, a few thousand, each is worked out once."""
    text = cells.translate({ord("0"): ".", ord("1"): "y", ord("2"): "r"})
    return re.sub(r"\.+", lambda empty: str(len(empty[0])), text)


def read(options: dict[str, Value], text: str) -> tuple[Terms, State]:
    """Refuses what no match can reach by its counts or by stones in the air."""
    wanted = Words("six rangées de sept cases, comme 7/7/7/7/3r3/3y3", "six rows of seven, like 7/7/7/7/3r3/3y3")
    rows = [re.sub(r"\d", lambda digit: "." * int(digit[0]), row) for row in text.strip().lower().split("/")]
    if len(rows) != ROWS or any(len(row) != COLUMNS or set(row) - set("yr.") for row in rows):
        raise expected(wanted, text)
    s = State()
    for height, row in enumerate(reversed(rows)):
        for column, stone in enumerate(row):
            if stone != ".":
                if height and rows[ROWS - height][column] == ".":
                    raise expected(
                        Words("des jetons posés les uns sur les autres", "discs that rest on something"), text
                    )
                s.stones[STONES.index(stone)] |= 1 << column * PITCH + height
    yellow, red = (stones.bit_count() for stones in s.stones)
    if yellow - red not in (0, 1):
        raise expected(
            Words(
                "autant de jetons jaunes que de rouges, ou un de plus", "as many yellow discs as red ones, or one more"
            ),
            text,
        )
    s.count = yellow + red
    last = s.count - 1 & 1
    if four(s.stones[1 - last]):
        raise expected(Words("une partie qui s’arrête à quatre", "a game that stops at four in a row"), text)
    s.lined_up = int(four(s.stones[last]))
    return terms(options), s
