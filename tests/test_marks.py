"""Marks: a file that every spreadsheet opens in the same columns, and in which no name is a formula."""

from __future__ import annotations

import csv
import io

import pytest

from quincunx.core.words import Language
from quincunx.server.marks import BOM, COLUMNS, marks
from quincunx.server.shapes import ContestLine, Rated

NAMES = ["Ada", "Léa, B.", 'Bob "the ; rook"', "=cmd|' /C calc'!A0", "+1", "-1+1", "@SUM(A1)", "＝1", "\u200bx", "a'b"]


def line(name: str, place: int = 1) -> ContestLine:
    return ContestLine(name, place, 4, 2.5, 2, 1, 1, 0.25, {"late": 2, "exited": 1}, Rated(-12.5, -80.0, 55.04))


def rows(file: bytes, language: Language) -> list[list[str]]:
    text = file.decode("utf-8")
    assert text.startswith(BOM)
    return list(csv.reader(io.StringIO(text.removeprefix(BOM), newline=""), delimiter=";" if language == "fr" else ","))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_names_stay_in_their_cells_and_are_no_formulas(language: Language) -> None:
    head, *found = rows(marks([line(name) for name in NAMES], language), language)
    assert head == [words.of(language) for words in COLUMNS] and len(found) == len(NAMES)
    for name, row in zip(NAMES, found, strict=True):
        assert row[0].removeprefix("'") == name and row[0][0] not in "=+-@＝" and len(row) == len(COLUMNS)


def test_numbers_are_numbers() -> None:
    (_, row) = rows(marks([line("Ada", 3)], "en"), "en")
    assert row == ["Ada", "4", "2.5", "2", "1", "1", "0.625", "-12.5", "-80", "55.04", "3", "3"]
    (_, row) = rows(marks([line("Ada", 3)], "fr"), "fr")
    assert row == ["Ada", "4", "2,5", "2", "1", "1", "0,625", "-12,5", "-80", "55,04", "3", "3"]


def test_who_has_not_played_has_neither_place_nor_share() -> None:
    (_, row) = rows(marks([ContestLine("Ada", 0, 0, 0.0, 0, 0, 0, 0.0, {})], "en"), "en")
    assert row == ["Ada", "0", "0", "0", "0", "0", "", "", "", "", "", "0"]
