"""Compiling ahead: it fills the cache, and leaves nothing to compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from quincunx.games import load, package
from quincunx.games.facade import DOORS
from quincunx.games.folder import gear_of
from quincunx.players.warming import is_warm, warm

pytestmark = pytest.mark.slow  # left out of `make check`


def test_warming_fills_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINCUNX_CACHE", str(tmp_path))
    assert not is_warm("connect_four")
    assert not load("connect_four", "interpreted").is_cached()
    warm("connect_four")
    assert is_warm("connect_four")
    assert not is_warm("khet")
    assert load("connect_four").gear.compiled


def test_a_game_that_is_not_compiled_answers_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINCUNX_CACHE", str(tmp_path))
    assert not load("khet").gear.compiled


def test_rules_that_were_compiled_quickly_are_compiled_again_with_the_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then they are all that there is, and a search is still to be compiled."""
    monkeypatch.setenv("QUINCUNX_CACHE", str(tmp_path))
    gear_of(package("connect_four"), "compiled").bind_all(DOORS, quick=True)
    (door,) = (tmp_path / "compiled").glob("connect_four.turn_at.*")
    alone = door.read_text()
    assert load("connect_four", "interpreted").is_cached() and not is_warm("connect_four")
    warm("connect_four")
    assert is_warm("connect_four") and door.read_text() != alone
