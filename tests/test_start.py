"""`quincunx` without a word, on a terminal: whoever has just installed it gets a game, not a list of commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from quincunx.cli import start
from quincunx.cli.speech import choose_language
from test_terminal import Terminal

ALONE = [sys.executable, "-m", "quincunx"]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """What becomes of these lines."""

    def command(*lines: str) -> list[str]:
        choose_language(["--lang", "en"])
        left = iter(lines)
        monkeypatch.setattr(start, "_asked", lambda: next(left, None))
        return start.chosen()

    return command


def test_enter_plays_in_the_browser_and_a_number_here(typed: Callable[..., list[str]]) -> None:
    assert typed("") == ["serve", "--open"]
    assert typed("1") == ["play", "connect_four", "--against", "level:2"]
    assert typed(" ? ") == ["--help"]


def test_what_means_nothing_is_asked_again_and_whoever_leaves_starts_nothing(
    typed: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed("seven", "0", "7", "q") == [] and typed() == []
    assert capsys.readouterr().out.count("A number from 1 to 6") == 3


@pytest.mark.slow
def test_on_a_terminal_a_game_begins_and_shows_how_one_plays_it(tmp_path: Path) -> None:
    here = Terminal([*ALONE, "--lang", "fr"], XDG_CACHE_HOME=str(tmp_path))
    here.until("À quoi jouez-vous")
    os.write(here._ours, b"1\n")
    here.until("par exemple [a-g], ou")
    here.until("> ")
    os.write(here._ours, b"quitter\n")
    here.rest()
    assert here.process.returncode == 0 and "Puissance 4" in here.written


def test_without_a_terminal_it_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    from quincunx.cli import main

    with pytest.raises(SystemExit) as ended:
        main(["--lang", "en"])
    assert ended.value.code == 0 and "new-bot" in capsys.readouterr().out
