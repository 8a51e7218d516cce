"""Golden records: matches that were played once and must replay for ever, in every gear.

A change of the rules that would alter one of them comes as a new option; tests/make_golden.py adds records, never
changes one.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from settled import IDS, RECORDS, SETTLED

from cases import CASES
from quincunx.games import GearName
from quincunx.match import decode, encode, replay


@pytest.mark.parametrize("gear", ["interpreted", "compiled"])
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_record_replays(path: Path, gear: GearName) -> None:
    data = path.read_bytes()
    assert encode(replay(decode(data), gear).record()) == data


def test_every_case_of_a_game_that_has_any_has_one() -> None:
    """A game that was just added may still change; from its first record on, what was played must replay."""
    assert len(RECORDS) >= 95
    assert len(SETTLED) >= 6
    assert {str(case) for case in CASES if case.game in SETTLED} <= {path.stem for path in RECORDS}


def test_every_game_with_records_is_there() -> None:
    """Or the tests of its documents would pass by it in silence."""
    assert set(IDS) == SETTLED
