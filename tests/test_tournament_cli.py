"""`quincunx tournament` as somebody types it: a plan is written, run, shown, resumed and exported; what cannot be is
refused with one sentence."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quincunx.match import decode, replay
from quincunx.tournament.plan import read_plan

pytestmark = pytest.mark.slow  # each command is a process, and starts some


def quincunx(folder: Path, *words: str, language: str = "en") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "quincunx", "--lang", language, "tournament", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", env=_env())


def _env() -> dict[str, str]:
    return os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "120"}


def test_from_a_plan_to_its_records(tmp_path: Path) -> None:
    database = ("--database", "results.db")
    made = quincunx(tmp_path, "new", "cup.toml", "connect_four", "random", "greedy", "random", "--matches", "4")
    assert made.returncode == 0 and "quincunx tournament cup.toml" in made.stdout
    plan = read_plan(tmp_path / "cup.toml")
    assert [e.name for e in plan.entrants] == ["random", "greedy", "random #2"] and plan.matches == 4
    again = quincunx(tmp_path, "new", "cup.toml", "connect_four", "random", "greedy")
    assert (again.returncode, again.stderr) == (2, "The file cup.toml exists already.\n")

    ran = quincunx(tmp_path, "cup.toml", "--jobs", "1", *database)
    assert ran.returncode == 0 and "greedy" in ran.stdout and plan.id in ran.stdout, ran.stderr
    shown = quincunx(tmp_path, "show", "cup", *database)
    assert "12 matches played; it is over." in shown.stdout
    assert "Elo" in shown.stdout and " ± " in shown.stdout and "everybody against everybody" in shown.stdout
    assert "12 parties jouées ; c’est fini." in quincunx(
        tmp_path, "show", "cup", *database, language="fr"
    ).stdout.replace("\u202f", " ")
    assert "finished" in quincunx(tmp_path, "show", *database).stdout
    assert quincunx(tmp_path, "resume", "cup", "--jobs", "1", *database).returncode == 0

    assert "12 records in out." in quincunx(tmp_path, "export", "cup", "out", *database).stdout
    results = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text("utf-8").splitlines()]
    records = sorted((tmp_path / "out").glob("connect_four-*.json"))
    assert len(results) == len(records) == 12
    for file in records:
        assert replay(decode(file.read_bytes())).over
    assert all("/" in each["place"] for each in results)

    assert quincunx(tmp_path, "report", "cup", "page.html", "--records", *database).returncode == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    links = re.findall(r'<a href="([^"]+)">(\d+)\.(\d+)</a>', page)
    assert len(links) == 12 and results[0]["place"] in page
    by_key = {(each["pairing"], each["game"]): each for each in results}
    for link, pairing, number in links:
        record = decode((tmp_path / link).read_bytes())
        assert tuple(seat.name for seat in record.seats) == tuple(by_key[int(pairing) - 1, int(number) - 1]["players"])


@pytest.mark.parametrize(
    "words, said",
    [
        (["connect_four", "random"], "a plan, or a game and its players"),
        (["connect_four", "random", "nobody"], "nobody"),
        (["connect_four", "random", "greedy", "--format", "league"], "round_robin"),
        (["connect_four", "random", "greedy", "--late", "never"], "fallback"),
        (["connect_four", "random", "greedy", "--rounds", "3"], "rounds = 3"),
        (["connect_four", "random", "greedy", "--option", "colour=1"], "colour"),
        (["connect_four", "random", "greedy", "--setup", "nowhere.txt"], "nowhere.txt"),
        (["nowhere.toml"], "nowhere.toml"),
        (["show", "nothing"], "nothing"),
        (["resume", "nothing"], "nothing"),
        (["export", "nothing", "out"], "nothing"),
        (["connect_four", "random", "greedy", "--cluster", "nonsense"], "nonsense"),
    ],
)
def test_what_cannot_be_played_is_refused_with_one_sentence(tmp_path: Path, words: list[str], said: str) -> None:
    ran = quincunx(tmp_path, *words, "--database", "results.db")
    assert (ran.returncode, ran.stdout) == (2, "") or "player" in ran.stdout
    assert ran.returncode == 2 and said in ran.stderr and len(ran.stderr.splitlines()) == 1, ran.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT")
def test_ctrl_c_writes_what_was_played_and_says_how_to_go_on(tmp_path: Path) -> None:
    """The terminal sends it to every process of the command."""
    command = [sys.executable, "-m", "quincunx", "--lang", "en", "tournament", "connect_four", "random", "greedy"]
    process = subprocess.Popen(
        [*command, "--matches", "50000", "--name", "long", "--database", "results.db"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, env=_env(),
    )  # fmt: skip
    try:
        while "│" not in quincunx(tmp_path, "show", "--database", "results.db").stdout:
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        out, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 3 and errors == "" and "quincunx tournament resume long-" in out
    assert "are missing" in quincunx(tmp_path, "show", "long", "--database", "results.db").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT")
def test_ctrl_c_while_processes_start_neither_ends_them_nor_leaves_a_trace(tmp_path: Path) -> None:
    script = """
import os, signal, time
from quincunx.tournament.pool import pool
if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: None)
    with pool(1, heed_interrupts=False) as workers:
        answer = workers.submit(pow, 2, 3)
        while not answer.done():
            os.killpg(0, signal.SIGINT)
            time.sleep(0.01)
        print(answer.result())
"""
    (tmp_path / "script.py").write_text(script)
    ran = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, start_new_session=True, env=_env(),
        timeout=120,
    )  # fmt: skip
    assert (ran.stdout, ran.stderr) == ("8\n", "")
