"""Figures of the documents are those of the committed results; nobody types them."""

from __future__ import annotations

import json

import figures


def test_the_table_of_speed_is_what_was_measured() -> None:
    results = json.loads(figures.RESULTS.read_text("utf-8"))
    page = figures.PAGE.read_text("utf-8")
    assert figures.all_written(page) == page, "python tools/figures.py"
    assert figures.table(results).count("\n| ") > 10


def test_what_was_measured_without_a_server_has_its_place() -> None:
    rows = [{"game": "khet", "first": 3.21, "answer": 0.4}]
    machine = {"cores": 2, "processor": "P", "measured": "2026-11-20"}
    text = figures.offline({"machine": machine, "rounds": 3, "level": 5, "rows": rows})
    assert text.startswith("Measured on 2026-11-20, on 2 cores of P, the best of 3.")
    assert "| Khet | 3.2 s | 0.4 s |" in text
    assert text in figures.written(figures.PAGE.read_text("utf-8"), "offline", text)


def test_a_figure_has_three_digits_and_a_missed_bar_is_seen() -> None:
    assert [figures.human(value, "moves/s") for value in (4_921_177, 131_190, 812, 21.5808)] == [
        "4.92 M moves/s", "131 k moves/s", "812 moves/s", "21.6 moves/s",
    ]  # fmt: skip
    missed = {
        "name": "Perft", "unit": "leaves/s (clock)", "ours": {"rounds": [1, 2, 9]}, "theirs": {"rounds": [4, 4, 4]},
        "value": 0.5, "is_ratio": True, "bar": 0.95, "at_most": False, "verdict": "MISSED",
    }  # fmt: skip
    assert figures.row(missed) == "| Perft | 2 leaves/s | 4 leaves/s | **0.5×** | ≥ 0.95 |"
