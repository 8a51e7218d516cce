"""`quincunx telecom`, the command: whole matches over HTTP, of clients as students wrote them and of computers."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

import pytest

from quincunx.match import decode, replay
from quincunx.match.record import Played
from quincunx.players.programs import bots
from test_programs import POLITE

pytestmark = pytest.mark.slow  # processes of their own

SOURCE = Path(__file__).parent.parent / "src"


class Course(NamedTuple):
    process: subprocess.Popen[str]
    url: str

    def end(self) -> list[str]:
        """All that it still says, once it has ended by itself."""
        said, _ = self.process.communicate(timeout=120)
        assert self.process.returncode == 0, said
        return said.splitlines()


@contextmanager
def course(*arguments: object) -> Iterator[Course]:
    command = [sys.executable, "-m", "quincunx", "--lang", "en", "telecom", "--port", "0", *map(str, arguments)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "COLUMNS": "200", "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "listens on http://127.0.0.1:" in line, line
        yield Course(process, line.split()[-1])
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


class Bot(threading.Thread):
    """A client as students wrote them: it polls the view, and plays at random what may or may not be allowed."""

    def __init__(self, url: str, name: str, hurried: bool = False) -> None:
        super().__init__(daemon=True)
        self.url = url
        self.hurried = hurried  # a clock runs against it too: on a busy machine its turn may be over before it says so
        self.draw = random.Random(name)
        self.open = build_opener(ProxyHandler({})).open
        self.last: dict[str, Any] = {"winner": ""}
        found = json.loads(self.ask(f"getToken/{name}")[1])
        self.player, self.token = found["player"], found["token"]

    def ask(self, path: str) -> tuple[int, str]:
        try:
            with self.open(f"{self.url}/{path}", timeout=30) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()

    def run(self) -> None:
        while not self.last["winner"]:
            status, said = self.ask(f"view/{self.player}/{self.token}")
            assert status == 200
            self.last = json.loads(said)
            if self.last["player"] == self.player and not self.last["winner"]:
                self.play()

    def must(self, order: str) -> None:
        answer = self.ask(f"{order}/{self.player}/{self.token}")
        assert answer == (200, "ok") or (self.hurried and answer == (500, "It is not this player’s turn.\n"))

    def play(self) -> None:
        self.must("autofarm")
        for y, row in enumerate(self.last["map"]):
            for x, cell in enumerate(row):
                for kind in "CM":
                    if cell and cell[self.player].get(f"{kind}m"):
                        ny, nx = self.draw.choice([(y + 1, x), (y, x + 1), (y, x - 1), (y - 1, x)])
                        self.ask(f"move/{self.player}/{kind}/{y}/{x}/{ny}/{nx}/{self.token}")
                if cell and cell[self.player]["C"]:
                    self.ask(f"build/{self.player}/{y}/{x}/{self.draw.choice('BMC')}/{self.token}")
        self.must("endturn")


def test_two_clients_play_whole_matches_over_http(tmp_path: Path) -> None:
    with course("--games", 2, "--width", 6, "--height", 5, "--option", "turns=41", "--save", tmp_path / "m.json") as it:
        for number in (1, 2):
            bots = [Bot(it.url, name) for name in ("Ada", "Bob")]
            assert [bot.player for bot in bots] == ["A", "B"]
            for bot in bots:
                bot.start()
            for bot in bots:
                bot.join(100)
            assert bots[0].last == bots[1].last  # all is told when it is over
            record = decode((tmp_path / f"m-{number}.json").read_bytes())
            assert replay(record).record() == record and record.outcome is not None
            assert [seat.name for seat in record.seats] == ["Ada", "Bob"]
            ranks = {"A": [1, 2], "B": [2, 1], "No one": [1, 1]}
            assert record.outcome.ranks == ranks[bots[0].last["winner"]]
            assert record.options["width"] == 6 and record.options["turns"] == 41
            assert record.options["fresh_units_act"] is False
        said = it.end()
    assert said.count("Ada sits down as player A.") == 2 and sum(line.startswith("Turn 2 of 41,") for line in said) == 2
    assert sum("Score: A" in line and ("wins" in line or "draw" in line) for line in said) == 2


def test_a_client_plays_against_a_computer_and_may_sit_at_b(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    with course("--against", "greedy", "--seat", "B", "--option", "turns=7", "--save", file, "--seed", 4) as it:
        bot = Bot(it.url, "Ada")
        assert bot.player == "B" and bot.ask("getToken")[0] == 500
        bot.start()
        bot.join(100)
        it.end()
    record = decode(file.read_bytes())
    assert [seat.player for seat in record.seats] == ["greedy", "person"] and record.seed == 4
    assert record.outcome is not None and record.outcome.reason == "played"
    assert {entry.seat for entry in record.entries if isinstance(entry, Played)} == {0, 1}


def test_a_client_that_sleeps_loses_its_turns_and_the_match_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    with course("--against", "greedy", "--time", 0.2, "--option", "turns=5", "--save", file) as it:
        bot = Bot(it.url, "Sleeper")
        said = it.end()
        assert bot.player == "A"
    record = decode(file.read_bytes())
    turns = [entry.action for entry in record.entries if isinstance(entry, Played) and entry.seat == 0]
    assert turns == ["end"] * 3 and said.count("Time is up for A: its turn ends.") == 3


LATE = "import time\nfor line in __import__('sys').stdin: time.sleep(600)\n"
CRASH = "import sys\nsys.stdin.readline()\nsys.stdin.readline()\nraise SystemExit(3)\n"


@pytest.mark.parametrize("named", [False, True])
def test_a_client_plays_against_a_program(tmp_path: Path, named: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two matches in one process of it; what stands in the record is its name."""
    monkeypatch.setenv("QUINCUNX_BOTS", str(tmp_path / "bots.json"))
    (tmp_path / "polite.py").write_text(POLITE)
    spec = f"program:{sys.executable} {tmp_path / 'polite.py'}"
    if named:
        bots.add("polite", spec)
        spec = "bot:polite"
    with course("--against", spec, "--games", 2, "--option", "turns=7", "--save", tmp_path / "m.json") as it:
        for _ in range(2):
            bot = Bot(it.url, "Ada")
            assert bot.player == "A"
            bot.start()
            bot.join(100)
        it.end()
    for number in (1, 2):
        record = decode((tmp_path / f"m-{number}.json").read_bytes())
        assert replay(record).record() == record
        assert record.outcome is not None and record.outcome.reason == "played"
        assert (record.seats[1].name, record.seats[1].player) == ("polite" if named else spec, spec)
        assert {entry.seat for entry in record.entries if isinstance(entry, Played)} == {0, 1}


def test_a_program_that_is_late_loses_its_turns_and_one_that_crashes_the_match(tmp_path: Path) -> None:
    file, program = tmp_path / "match.json", tmp_path / "bot.py"
    for text, events in ((LATE, ["end"] * 2), (CRASH, ["forfeit"])):
        program.write_text(text)
        spec = f"program:{sys.executable} {program}"
        with course("--against", spec, "--time", 0.3, "--start", 1, "--option", "turns=5", "--save", file) as it:
            bot = Bot(it.url, "Ada", hurried=True)
            bot.start()
            bot.join(100)
            said = it.end()
        record = decode(file.read_bytes())
        told = [e.action if isinstance(e, Played) else e.event for e in record.entries if e.seat == 1]
        assert told == events
        assert record.outcome is not None and (events != ["forfeit"] or record.outcome.ranks == [1, 2])
        assert sum("Score: A" in line and ("wins" in line or "draw" in line) for line in said) == 1


def test_a_program_of_another_game_is_refused_before_anybody_comes() -> None:
    command = [
        sys.executable,
        "-m",
        "quincunx",
        "--lang",
        "en",
        "telecom",
        "--port",
        "0",
        "--against",
        "codingame:true",
    ]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "COLUMNS": "200"}
    found = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert found.returncode == 2 and "codingame:… for cultist" in found.stdout + found.stderr


def test_the_page_of_the_original_can_be_served(tmp_path: Path) -> None:
    folder, secret = tmp_path / "static", tmp_path / "secret.txt"
    folder.mkdir()
    secret.write_text("hidden")
    (folder / "index.html").write_text("<p>the page</p>")
    (folder / "game.js").write_text("play()")
    (folder / "link.txt").symlink_to(secret)
    with course("--page", folder) as it:
        opener = build_opener(ProxyHandler({}))
        with opener.open(f"{it.url}/", timeout=30) as page, opener.open(f"{it.url}/game.js", timeout=30) as script:
            assert page.read() == b"<p>the page</p>" and "javascript" in script.headers["Content-Type"]
        for path in ("link.txt", "../secret.txt", "%2e%2e/secret.txt"):
            with pytest.raises(HTTPError, match="404") as refused:
                opener.open(f"{it.url}/{path}", timeout=30)
            refused.value.close()
