"""Compiling ahead: it fills the cache, and leaves nothing to compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from quincunx.games import load
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
