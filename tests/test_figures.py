"""Figures of the documents are those of the committed results; nobody types them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import figures
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.rows import rows


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


def measured(name: str, part: str, **more: Any) -> dict[str, Any]:
    row = {
        "name": name, "part": part, "unit": "steps/s (clock)", "ours": {"rounds": [4]}, "theirs": None, "value": 4,
        "is_ratio": False, "bar": None, "at_most": False, "verdict": "", "beside": None,
    }  # fmt: skip
    return row | more


def on(day: str, processor: str = "P") -> dict[str, Any]:
    machine = {"cores": 2, "processor": processor, "measured": day}
    return {"machine": machine, "versions": {"python": "3.13", "llvmlite": "1"}}


def test_a_part_has_its_own_table_and_each_row_its_day() -> None:
    part, new = "Environments: a batch of 4,096, and so on", on("2026-11-20")
    some = [
        measured("Khet", part, on=new, beside={"unit": "kB a match", "rounds": [1, 3, 2]}),
        measured("Cultist", part, on=new, theirs={"rounds": [2]}, their_unit="moves/s", is_ratio=True, value=2.0),
        measured("Garden", part, bar=5, verdict="MISSED"),
        measured("Chess", part, value=None, ours={"rounds": []}),
        measured("Go", "another part"),
    ]
    assert figures.own_table(on("2026-01-02", "Q") | {"rows": some}, figures.PLACES["batches"]).splitlines() == [
        "Measured on 2026-11-20, on 2 cores of P, Python 3.13, llvmlite 1.",
        "",
        "| | ours | theirs, or beside it | ratio | bar |",
        "|---|---|---|---|---|",
        "| Khet | 4 steps/s | 2 kB a match |  |  |",
        "| Cultist | 4 steps/s | 2 moves/s | 2× |  |",
        "| Garden (measured on 2026-01-02, on 2 cores of Q, Python 3.13, llvmlite 1) | **4 steps/s** |  |  | ≥ 5 |",
    ]


@pytest.mark.parametrize("part", figures.PLACES)
def test_every_part_has_its_place_whether_it_was_measured_or_not(part: str) -> None:
    page, beginning = figures.PAGE.read_text("utf-8"), figures.PLACES[part]
    assert len({row.part for row in rows() if row.part.startswith(beginning)}) == 1
    text = figures.own_table(on("2026-11-20") | {"rows": [measured("Khet", beginning)]}, beginning)
    assert "| Khet | 4 steps/s |" in figures.written(page, "results", text, part)
    emptied = figures.written(page, "results", "", part)
    assert figures.written(emptied, "results", "", part) == emptied
    with pytest.raises(SystemExit, match=r"no place for what is in results\.json: nowhere"):
        figures.written(page, "results", text, "nowhere")


def test_a_figure_has_three_digits_and_a_missed_bar_is_seen() -> None:
    assert [figures.human(value, "moves/s") for value in (4_921_177, 131_190, 4151.3, 812, 21.5808)] == [
        "4.92 M moves/s", "131 k moves/s", "4,151 moves/s", "812 moves/s", "21.6 moves/s",
    ]  # fmt: skip
    missed = {
        "name": "Perft", "unit": "leaves/s (clock)", "ours": {"rounds": [1, 2, 9]}, "theirs": {"rounds": [4, 4, 4]},
        "value": 0.5, "is_ratio": True, "bar": 0.95, "at_most": False, "verdict": "MISSED",
    }  # fmt: skip
    assert figures.row(missed) == "| Perft | 2 leaves/s | 4 leaves/s | **0.5×** | ≥ 0.95 |"
