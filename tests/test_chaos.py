"""Kills with SIGKILL at random instants: nothing that was acknowledged is lost or doubled, every match goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from chaos import PLANS, torment

pytestmark = pytest.mark.slow

KILLS = 3  # for each of the three; `make chaos` has a thousand


@pytest.mark.parametrize("kind, servers", PLANS)
def test_acknowledged_moves_survive(kind: str, servers: int, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    sqlite = kind == "sqlite"
    database = str(tmp_path / "matches.db") if sqlite else request.getfixturevalue("postgres").database()
    report = asyncio.run(torment(database, servers, KILLS, seed=servers))
    assert report.faults == []
    assert report.kills == KILLS and report.acknowledged > KILLS
