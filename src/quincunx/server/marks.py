"""Marks of a class contest as a file that spreadsheets open: CSV in UTF-8, with the mark by which they know that it is.

A French spreadsheet expects semicolons and decimal commas, an English one commas and points. A name that begins like a
formula would be computed by whoever opens the file: it gets an apostrophe, which spreadsheets read as “this is text”.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from quincunx.core.words import Language, Words
from quincunx.server.shapes import ContestLine

BOM = "\ufeff"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
COLUMNS = (
    Words("nom", "name"),
    Words("parties", "matches"),
    Words("points", "points"),
    Words("victoires", "wins"),
    Words("nulles", "draws"),
    Words("défaites", "losses"),
    Words("part des points", "share"),
    Words("classement Elo", "rating"),
    Words("au moins", "low"),
    Words("au plus", "high"),
    Words("place", "place"),
    Words("incidents", "troubles"),
)


def marks(lines: Iterable[ContestLine], language: Language) -> bytes:
    """A row for each entrant, in the order of their places."""
    file = io.StringIO(newline="")
    file.write(BOM)
    writer = csv.writer(file, delimiter=";" if language == "fr" else ",", lineterminator="\r\n")
    writer.writerow([words.of(language) for words in COLUMNS])
    for line in lines:
        writer.writerow([cell(value, language) for value in _row(line)])
    return file.getvalue().encode()


def cell(value: str | float | None, language: Language) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(FORMULA) else value
    text = f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return text.replace(".", ",") if language == "fr" else text


def _row(line: ContestLine) -> list[str | float | None]:
    counted = line.matches + line.byes
    share = line.points / counted if counted else None
    rating = (line.rating.value, line.rating.low, line.rating.high) if line.rating else (None, None, None)
    return [
        line.name, line.matches, line.points, line.wins, line.draws, line.losses, share, *rating,
        line.place or None, sum(line.troubles.values()),
    ]  # fmt: skip
