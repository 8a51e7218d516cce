"""Figures of the documents are those of the committed results; nobody types them."""

from __future__ import annotations

import json

import figures


def test_the_table_of_speed_is_what_was_measured() -> None:
    results = json.loads(figures.RESULTS.read_text("utf-8"))
    page = figures.PAGE.read_text("utf-8")
    assert figures.written(page, results) == page, "python tools/figures.py"
    assert figures.table(results).count("\n| ") > 10


def test_a_figure_has_three_digits_and_a_missed_bar_is_seen() -> None:
    assert [figures.human(value, "moves/s") for value in (4_921_177, 131_190, 812, 21.5808)] == [
        "4.92 M moves/s", "131 k moves/s", "812 moves/s", "21.6 moves/s",
    ]  # fmt: skip
    missed = {
        "name": "Perft", "unit": "leaves/s (clock)", "ours": {"rounds": [1, 2, 9]}, "theirs": {"rounds": [4, 4, 4]},
        "value": 0.5, "is_ratio": True, "bar": 0.95, "at_most": False, "verdict": "MISSED",
    }  # fmt: skip
    assert figures.row(missed) == "| Perft | 2 leaves/s | 4 leaves/s | **0.5×** | ≥ 0.95 |"
