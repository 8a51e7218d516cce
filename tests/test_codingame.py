"""Programs written for Cultist Wars, as they are: the dialogue to the byte, the referee's limits, losing by a line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quincunx import Match, Observation, load
from quincunx.match import decode
from quincunx.match.record import Happened, Played
from quincunx.players import Player
from quincunx.players.programs.codingame import CodinGameDialogue
from quincunx.players.programs.flight import FlightRecorder, Turn, read_flight
from quincunx.players.programs.limits import Limits
from quincunx.players.programs.naming import make_program
from quincunx.tournament.series import play_on
from test_programs import bubblewrap  # noqa: F401

# A start of our own, so that what a program is told can be derived by eye.
ROWS = [
    ".....x.x.....",
    ".............",
    "..x.......x..",
    ".............",
    "..x.......x..",
    ".............",
    ".....x.x.....",
]
UNITS = [
    "0L10@0,3", "1L10@12,3", "n10@1,3", "n10@2,6", "n10@1,0", "n10@2,0", "n10@3,0", "n10@4,0",
    "n10@11,3", "n10@10,6", "n10@11,0", "n10@10,0", "n10@9,0", "n10@8,0",
]  # fmt: skip
POSITION = f"{'/'.join(ROWS)} {' '.join(UNITS)} turn=0 random=42"

# By the ruling: my id, 13 7, the rows; then 14 units: number, 1 a leader, HP, x, y, owner (2 nobody)
FIRST = """0
13 7
.....x.x.....
.............
..x.......x..
.............
..x.......x..
.............
.....x.x.....
14
0 1 10 0 3 0
1 1 10 12 3 1
2 0 10 1 3 2
3 0 10 2 6 2
4 0 10 1 0 2
5 0 10 2 0 2
6 0 10 3 0 2
7 0 10 4 0 2
8 0 10 11 3 2
9 0 10 10 6 2
10 0 10 11 0 2
11 0 10 10 0 2
12 0 10 9 0 2
13 0 10 8 0 2
"""
# I convert 2. rand(12) = 3 picks the fourth neutral, now unit 6 at 3,0: up is outside, right and left are taken, so it
# goes down to 3,1, for which rand(1) is drawn. The other waits. rand(12) = 5 picks the sixth neutral, unit 8 at 11,3:
# up 11,2, down 11,4 and left 10,3 are free, and the next draw, 10 by twelves and so 1 by threes, is down: 11,4.
SECOND = """14
0 1 10 0 3 0
1 1 10 12 3 1
2 0 10 1 3 0
3 0 10 2 6 2
4 0 10 1 0 2
5 0 10 2 0 2
6 0 10 3 1 2
7 0 10 4 0 2
8 0 10 11 4 2
9 0 10 10 6 2
10 0 10 11 0 2
11 0 10 10 0 2
12 0 10 9 0 2
13 0 10 8 0 2
"""


class Waits(Player):
    name = "waits"

    def begin(self, seed: int) -> None:
        pass

    def choose(self, observation: Observation) -> int:
        return 0  # WAIT


def a_match(folder: Path, answers: list[str], meanwhile: str = "pass") -> tuple[Match, list[Turn]]:
    """A bot of the site's kind that says these lines, against one that waits."""
    (folder / "bot.py").write_text(f"""
import sys, time
my_id = int(input())
width, height = map(int, input().split())
rows = [input() for _ in range(height)]
for turn, answer in enumerate({answers!r} + ["WAIT"] * 200):
    units = [input().split() for _ in range(int(input()))]
    {meanwhile}
    print(answer)
""")
    game = load("cultist", "interpreted")
    match = Match(game, "codingame", position=POSITION)
    program = make_program(f"codingame:{sys.executable} -u {folder / 'bot.py'}", game)
    with FlightRecorder(folder / "log.jsonl") as recorder:
        play_on(match, [program, Waits()], recorder=recorder)
    return match, read_flight((folder / "log.jsonl").read_bytes())[1]


def actions(match: Match) -> list[str]:
    return [entry.action for entry in match.entries if isinstance(entry, Played) and entry.seat == 0]


def test_the_dialogue_is_the_site_s_to_the_byte(tmp_path: Path) -> None:
    match, turns = a_match(tmp_path, ["0 CONVERT 2"])
    assert (turns[0].told, turns[1].told) == (FIRST, SECOND)
    assert match.outcome is not None and match.outcome.reason == "played" and len(turns) == 75


def test_orders_are_read_as_the_site_does_and_recorded_as_what_they_come_to(tmp_path: Path) -> None:
    """A far target is a first step; further words do not matter; one's own cell is waiting."""
    match, turns = a_match(tmp_path, ["0 MOVE 0 0 go up!", "0 MOVE 0 2", "0 MOVE 0 6"])
    assert actions(match)[:3] == ["0 MOVE 0 2", "WAIT", "0 MOVE 0 3"]
    assert turns[0].said == ["0 MOVE 0 0 go up!"]


@pytest.mark.parametrize(
    "line",
    ["", "wait", "0 move 0 2", "0 MOVE 0", "0 MOVE 13 0", "7 MOVE 1 1", "99 MOVE 1 1", "0 SHOOT 1", "0 CONVERT 1", "x"],
)
def test_a_line_that_the_site_does_not_take_loses_at_once_with_minus_one(tmp_path: Path, line: str) -> None:
    match, turns = a_match(tmp_path, ["WAIT", line])
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.scores, match.outcome.ranks) == ("forfeit", [-1, 1], [2, 1])
    last = match.entries[-1]
    assert isinstance(last, Happened) and (last.reason, last.detail[0]) == ("invalid", line)
    why = match.why()
    assert why is not None and f"Invalid answer: {line} (" in why.en and f"Réponse interdite\u202f: {line} (" in why.fr
    assert len(turns) == 2


def test_fifty_milliseconds_for_a_turn(tmp_path: Path) -> None:
    match, turns = a_match(tmp_path, [], "time.sleep(0.5 if turn in (0, 3) else 0)")
    assert match.outcome is not None and (match.outcome.reason, match.outcome.scores) == ("time_out", [-1, 1])
    assert turns[0].wall > 400 and turns[-1].trouble.startswith("late: ")  # the first turn may take a second


def test_a_second_for_the_first_turn(tmp_path: Path) -> None:
    match, turns = a_match(tmp_path, [], "time.sleep(1.5)")
    assert match.outcome is not None and match.outcome.reason == "time_out" and len(turns) == 1


SITE_S_OWN = """
const myId = parseInt(readline());
const [width, height] = readline().split(' ').map(Number);
for (let i = 0; i < height; i++) printErr(readline());
while (true) {
  const units = [];
  for (let n = parseInt(readline()); n > 0; n--) units.push(readline().split(' ').map(Number));
  printErr('%d', units.length, 'units');
  print('WAIT');
}
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
@pytest.mark.parametrize("isolate", [False, True])
def test_a_program_in_javascript_finds_the_functions_of_the_site(
    tmp_path: Path, isolate: bool, request: pytest.FixtureRequest
) -> None:
    if isolate:
        request.getfixturevalue("bubblewrap")
    (tmp_path / "bot.js").write_text(SITE_S_OWN)
    game = load("cultist", "interpreted")
    match = Match(game, "codingame", position=POSITION)
    program = make_program(f"codingame:node {tmp_path / 'bot.js'}", game, Limits(isolate=isolate))
    with FlightRecorder(tmp_path / "log.jsonl") as recorder:
        play_on(match, [program, Waits()], recorder=recorder)
    turns = read_flight((tmp_path / "log.jsonl").read_bytes())[1]
    assert match.outcome is not None and match.outcome.reason == "played" and len(turns) == 75
    assert turns[0].notes.splitlines() == [*ROWS, "%d 14 units"]


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
def test_readline_waits_where_the_input_does_not_and_ends_with_it(tmp_path: Path) -> None:
    (tmp_path / "bot.js").write_text("while (true) print(readline() + '!')")
    dialogue = CodinGameDialogue()
    theirs, ours = os.pipe()
    os.set_blocking(theirs, False)
    bot = subprocess.Popen(
        ["node", str(tmp_path / "bot.js")], env={**os.environ, **dialogue.environment}, stdin=theirs, stdout=-1
    )
    os.close(theirs)
    assert bot.stdout is not None
    for word in ("one", "zwei\r", "trois é"):
        os.write(ours, f"{word}\n".encode())
        assert bot.stdout.readline().decode() == word.strip() + "!\n"
    os.close(ours)
    assert bot.communicate(timeout=20)[0] == b"" and bot.returncode == 0


def test_a_line_too_many_is_the_next_answer_and_the_question_comes_nevertheless(tmp_path: Path) -> None:
    """Whoever reads the units of every turn is not left waiting for those of one."""
    match, turns = a_match(tmp_path, ["0 MOVE 0 2\nWAIT", "0 MOVE 0 4"])
    assert match.outcome is not None and match.outcome.reason == "played"
    assert actions(match)[:3] == ["0 MOVE 0 2", "WAIT", "0 MOVE 0 3"]
    assert [turn.told.partition("\n")[0] for turn in turns[1:4]] == ["14"] * 3
    assert [turn.said for turn in turns[:3]] == [["0 MOVE 0 2"], ["WAIT"], ["0 MOVE 0 4"]]


def test_the_preset_of_the_site_is_chosen_by_itself(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("print('0 MOVE 5 5')")
    command = [sys.executable, "-m", "quincunx", "match", "cultist", f"codingame:{sys.executable} bot.py", "random"]
    ran = subprocess.run([*command, "--save", "out", "--games", "1"], cwd=tmp_path, capture_output=True, timeout=200)
    assert ran.returncode == 0, ran.stderr
    assert decode((tmp_path / "out" / "cultist-00000.json").read_bytes()).options["codingame_orders"] is True
