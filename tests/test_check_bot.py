"""`quincunx check-bot`: a good program passes, and each kind of bad one fails the situation that was made for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from quincunx import load
from quincunx.players.programs import partner
from quincunx.players.programs.checkup import SITUATIONS, Situation, check_up
from test_programs import POLITE

pytestmark = pytest.mark.slow  # left out of `make check`


def failing(folder: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The situations with which a program does not cope; one is not waited for as long as people would."""
    monkeypatch.setattr(partner, "TURN", 1.0)
    monkeypatch.setattr(partner, "STARTING", 4.0)
    (folder / "bot.py").write_text(code)
    command = [sys.executable, str(folder / "bot.py")]
    return {
        finding.situation.name.en for finding in check_up(load("connect_four"), command) if finding.wrong is not None
    }


def test_a_good_program_copes_with_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert failing(tmp_path, POLITE, monkeypatch) == set()


IMPORT, READ, COUNT = "import json, sys\n", "    said = json.loads(line)\n", "        count += 1\n"
BAD = {
    "the other seat": ('seat = said["yours"][0]', "seat = 0"),
    "a refused action": ('said["type"] == "refused" or', ""),
    "one legal action": ('said["legal"][0]', '"a"'),
    "a clock that is nearly out": (
        COUNT,
        COUNT + "        if said['clocks'][seat] < 500: __import__('time').sleep(0.3)\n",
    ),
    "unknown fields and messages": (READ, READ + "    if 'colour' in said: sys.exit(1)\n"),
    "somebody else’s turn": ('and seat in said["to_act"]', ""),
    "several matches": ('if said["type"] == "welcome":', 'if said["type"] == "welcome" and count == 0:'),
    "closed pipes": (IMPORT, IMPORT + "import atexit, os\natexit.register(lambda: os._exit(7))\n"),
    "a slow start": (IMPORT, IMPORT + "import select\nif not select.select([0], [], [], 1)[0]: sys.exit(1)\n"),
    "a long match": (COUNT, COUNT + "        if count > 200: sys.exit(1)\n"),
}


@pytest.mark.parametrize("situation", BAD)
def test_each_fault_is_found_where_it_belongs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, situation: str) -> None:
    right, wrong = BAD[situation]
    assert right in POLITE
    assert situation in failing(tmp_path, POLITE.replace(right, wrong), monkeypatch)


def test_every_situation_but_the_ordinary_match_has_its_fault() -> None:
    assert {situation.name.en for situation in SITUATIONS} == {*BAD, "a whole match"}
    assert all(isinstance(situation, Situation) and situation.advice.fr for situation in SITUATIONS)


def test_the_command_says_what_to_mend_and_fails(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(POLITE)
    (tmp_path / "bad.py").write_text("print('hello')")
    command = [sys.executable, "-m", "quincunx", "--lang", "fr", "check-bot", "--", sys.executable]
    good = subprocess.run([*command, "good.py"], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=200)
    assert good.returncode == 0 and "Tout va bien" in good.stdout, good.stdout
    bad = subprocess.run([*command, "bad.py"], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=200)
    assert bad.returncode == 1 and "Réponse illisible" in bad.stdout and "→" in bad.stdout, bad.stdout
