"""Kills with SIGKILL at random instants: nothing that was acknowledged is lost or doubled, every match goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from chaos import PLANS, torment

pytestmark = pytest.mark.slow

KILLS = 33  # for each plan with a supervisor, and 1 for each without; `make chaos` has ten thousand


@pytest.mark.parametrize("kind, processes", PLANS)
def test_acknowledged_moves_survive(kind: str, processes: int, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    sqlite, kills = kind == "sqlite", KILLS if processes else 1
    database = str(tmp_path / "matches.db") if sqlite else request.getfixturevalue("postgres").database()
    report = asyncio.run(torment(database, processes, kills, seed=processes))
    assert report.faults == []
    assert report.kills == kills and report.acknowledged > kills
