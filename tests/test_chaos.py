"""Kills with SIGKILL at random instants: nothing that was acknowledged is lost or doubled, every match goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from chaos import LOG, PLANS, Noted, Ran, Report, torment

pytestmark = pytest.mark.slow

KILLS = 33  # for each plan with a supervisor, and 1 for each without; `make chaos` has ten thousand


@pytest.mark.parametrize("kind, processes", PLANS)
def test_acknowledged_moves_survive(kind: str, processes: int, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    sqlite, kills = kind == "sqlite", KILLS if processes else 1
    database = str(tmp_path / "matches.db") if sqlite else request.getfixturevalue("postgres").database()
    report = asyncio.run(torment(database, processes, kills, seed=processes))
    assert report.faults == []
    assert report.kills == kills and report.acknowledged > kills


def test_every_row_says_of_what_when_and_where_it_was_measured() -> None:
    """Rows of before are read, and what is added to them is told apart."""
    noted, here = Noted(kills=25), Ran.here()
    for kills in (3, 4):
        noted.add(Report(kills=kills), 1.0, here)
    row = msgspec.json.decode(msgspec.json.encode(noted))
    assert row["kills"] == 32 and [run["kills"] for run in row["runs"]] == [7]
    assert row["runs"][0]["day"] and row["runs"][0]["machine"] and row["runs"][0]["commit"] == here.commit
    assert msgspec.json.decode(LOG.read_bytes(), type=dict[str, Noted])
