"""The pages about environments and about the first agent: their programs run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

DOCS = Path(__file__).parent.parent / "docs"


def program(page: str) -> str:
    return "\n".join(re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL))


def shortened(code: str, *pairs: tuple[str, str]) -> str:
    for long, short in pairs:
        assert code.count(long) == 1, long
        code = code.replace(long, short)
    return code


def test_the_examples_about_environments_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = program("environments-pettingzoo.md")
    assert code.count("quincunx.envs.") >= 5
    exec(shortened(code, ("width=12, height=12", "width=9, height=9, turns=21, placement=0")), {})
    assert (tmp_path / "won.parquet").exists()


TELLS = """
import json, pathlib
pathlib.Path("told.json").write_text(json.dumps([curve, [list(w.shape) for w in weights], game.card.id]))
"""


def learned(folder: Path, *pairs: tuple[str, str]) -> Any:
    """What the page's program finds out, in a process of its own: NumPy is told once how many threads it may have."""
    code = shortened(program("first-agent.md"), *pairs) + TELLS
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, check=True, timeout=300)
    return json.loads((folder / "told.json").read_text())


BOTH_ENDS = ("linspace(0, 1, 11)", "linspace(0, 1, 2)")


def test_the_first_agent_learns(tmp_path: Path) -> None:
    """Three hundred steps instead of sixty thousand: enough to beat those who play at random."""
    fewer = ('"level:1", "level:2", "level:4", "level:6"), 200', '"level:1"), 30')
    curve, shapes, _ = learned(tmp_path, ("60_000", "300"), fewer, BOTH_ENDS)
    (_, before), (steps, after) = curve
    assert steps == 300
    assert after[0] > max(0.8, before[0])  # against random
    assert (tmp_path / "curve.svg").read_text("utf-8").startswith("<svg")
    kept = np.load(tmp_path / "first_agent.npz")
    assert [list(kept[name].shape) for name in kept.files] == shapes


def test_the_same_program_plays_cultist(tmp_path: Path) -> None:
    """With the line that the page gives for it."""
    (line,) = re.findall(r"^GAME, STEPS, .*cultist.*$", (DOCS / "first-agent.md").read_text("utf-8"), re.MULTILINE)
    first = 'GAME, STEPS, MATCHES, HIDDEN = "connect_four", 60_000, 256, 256'
    few = ('"random", "level:1", "level:2", "level:4", "level:6"), 200', '"random",), 2')
    curve, _, game = learned(tmp_path, (first, re.sub(r"\d[\d_]*, ", "3, ", line, count=1)), few, BOTH_ENDS)
    assert game == "cultist"
    assert [step for step, _ in curve] == [0, 3]
