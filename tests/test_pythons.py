"""The core on every Python that can be had on this machine: the same games to the bit, in every gear.

Those on the path are tried, and those of QUINCUNX_PYTHONS (paths, separated as in PATH), if they have the packages that
the core needs. The names of the tests say which were found.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from shutil import which
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("core_in_brief.py")
PROMISED = [f"3.{minor}" for minor in range(11, 15)]
NEEDED = "import llvmlite, msgspec, numpy, sys; print(sys.executable, *sys.version_info[:2])"


def found() -> list[str]:
    """Pythons that could run the core; this one is among them."""
    named = [path for version in PROMISED if (path := which(f"python{version}"))]
    given = [path for path in os.environ.get("QUINCUNX_PYTHONS", "").split(os.pathsep) if path]
    return [sys.executable, *(path for path in dict.fromkeys(named + given) if _can(path))]


def _can(python: str) -> bool:
    try:
        asked = subprocess.run([python, "-c", NEEDED], capture_output=True, text=True, timeout=60, env=_plain())
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def _plain() -> dict[str, str]:
    """Packages of this Python are of no use to another."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}


FOUND = found()


@cache
def brief(python: str) -> Any:
    ran = subprocess.run([python, str(SCRIPT)], capture_output=True, text=True, timeout=300, env=_plain())
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)


@pytest.mark.parametrize("python", FOUND, ids=[Path(path).name for path in FOUND])
def test_the_core_plays_the_same_games_on_every_python(python: str) -> None:
    version, trouble, refuses, journeys = brief(python)
    assert version.rpartition(".")[0] in PROMISED and trouble == "" and refuses
    assert journeys == brief(sys.executable)[3]
    for id in {name.split()[0] for name in journeys}:
        assert len({digest for name, digest in journeys.items() if name.startswith(id)}) == 1


def test_the_workflow_tries_all_that_are_promised() -> None:
    workflow = (Path(__file__).parents[1] / ".github/workflows/checks.yml").read_text("utf-8")
    assert "python: " + json.dumps(PROMISED) in workflow
