"""Programs against a person at the keyboard, at the course server, on a server and plugged in there: each at its rules,
and its dialogue kept on request."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from quincunx import Match, load
from quincunx.match import MatchRecord, decode, replay
from quincunx.match.record import Played
from quincunx.players.programs import bots
from quincunx.players.programs.flight import UNKNOWN, Head, Turn, completed, read_flight
from test_programs import POLITE
from test_programs_server import SITE, WALKER, play_through, plug_in, record_of
from test_server import HERE, SOURCES, Server
from test_telecom_command import Bot, course

pytestmark = pytest.mark.slow

NOTED = POLITE.replace(
    "        print(json", "        print(count, 'noted', file=sys.stderr, flush=True)\n        print(json"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("flights")
    for name, text in (("noted", NOTED), ("site", SITE), ("walker", WALKER)):
        (folder / f"{name}.py").write_text(text)
    before, os.environ["QUINCUNX_BOTS"] = os.environ.get("QUINCUNX_BOTS"), str(folder / "bots.json")
    bots.add("noted", f"program:{sys.executable} {folder / 'noted.py'}")
    yield folder
    del os.environ["QUINCUNX_BOTS"]
    if before is not None:
        os.environ["QUINCUNX_BOTS"] = before


def flight(log: Path, record: MatchRecord) -> list[Turn]:
    """The only one, which is that of this match; every question stands where its answer was played."""
    (file,) = log.iterdir()
    head, turns = read_flight(file.read_bytes())
    assert (head.game, head.start_digest) == (record.game, record.start_digest)
    assert head.seats == [seat.player for seat in record.seats]
    for turn in turns:
        if turn.said and not turn.trouble:
            assert replay(record).standing[turn.after][0] == turn.seat
    return turns


def quincunx(*words: object, lines: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": SOURCES, "COLUMNS": "300"}
    command = [sys.executable, "-m", "quincunx", "--lang", "en", *map(str, words)]
    return subprocess.run(command, input=lines, capture_output=True, text=True, timeout=200, env=environment)


@pytest.mark.parametrize(
    ("game", "against", "lines", "told"),
    [
        ("connect_four", "program:{python} {folder}/noted.py", "d\nd\nresign\n", '"type":"welcome"'),
        ("cultist", "codingame:{python} {folder}/site.py", "WAIT\nWAIT\nresign\n", "1\n13 7\n"),
        ("casus_belli", "champion:{folder}/walker.py", "seal\nresign\n", '"order":"moves_first"'),
    ],
)
def test_somebody_plays_against_a_program_by_its_rules(
    folder: Path, tmp_path: Path, game: str, against: str, lines: str, told: str
) -> None:
    spec = against.format(python=sys.executable, folder=folder)
    small = ["--option", "seats=2", "--option", "width=9", "--option", "height=9"] if game == "casus_belli" else []
    files = ["--save", tmp_path / "match.json", "--log", tmp_path / "log"]
    ran = quincunx("play", game, "--against", spec, *small, *files, lines=lines)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    record = decode((tmp_path / "match.json").read_bytes())
    assert record.outcome is not None and record.outcome.reason == "resign"
    assert any(isinstance(entry, Played) and entry.seat == 1 for entry in record.entries)
    turns = flight(tmp_path / "log", record)
    assert turns and all(turn.seat == 1 and turn.said and turn.wall > 0 for turn in turns)
    assert told in turns[0].told


@pytest.mark.parametrize("words", ["play cultist --against {}", "match cultist {} random"])
def test_rules_that_a_program_does_not_know_are_refused_at_once(folder: Path, words: str) -> None:
    spec = f"codingame:{sys.executable} {folder / 'site.py'}"
    ran = quincunx(*(word.format(spec) for word in words.split()), "--preset", "seed")
    assert ran.returncode == 2 and "knows the preset codingame only" in ran.stdout + ran.stderr


def test_the_course_server_keeps_the_dialogues_of_its_program(folder: Path, tmp_path: Path) -> None:
    files = ("--option", "turns=5", "--save", tmp_path / "match.json", "--log", tmp_path / "log")
    with course("--against", "bot:noted", *files) as it:
        bot = Bot(it.url, "Ada")
        bot.start()
        bot.join(100)
        it.end()
    turns = flight(tmp_path / "log", decode((tmp_path / "match.json").read_bytes()))
    assert {turn.seat for turn in turns} == {1} and turns[0].notes == "1 noted\n"


def test_a_server_keeps_the_dialogues_of_its_programs(folder: Path, tmp_path: Path) -> None:
    """In one file, also if it is killed meanwhile."""
    server = Server(tmp_path, "--log-programs", str(tmp_path / "log"))
    server.start()
    made = server.make("connect_four", {"kind": "computer", "player": "bot:noted"}, HERE)
    client = server.sit(made["id"], made["seats"][0]["token"])
    while client.now()["to_act"] != [1]:
        client.until("update", "changed")
    client.play("one", 1, "d")
    while client.now()["to_act"] != [1] or len(client.now()["story"]) == 0:
        client.until("update", "changed")
    server.kill()
    server.start()
    play_through(server, made, 1, made["seats"][0]["token"])
    record = record_of(server, made["id"])
    mine = [number for number, (seat, _) in enumerate(replay(record).standing) if seat == 0]
    until = time.monotonic() + 30
    while (turns := flight(tmp_path / "log", record))[-1].after != mine[-1]:  # it is written when the program leaves
        assert time.monotonic() < until
        time.sleep(0.05)
    assert [turn.after for turn in turns] == mine
    assert turns[0].notes == "1 noted\n"
    server.kill()


def test_a_program_that_is_plugged_in_keeps_its_dialogue(folder: Path, tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    made = server.make("chartichaud", {"kind": "program", "name": "Noted"}, HERE, options={"turns": 6})
    tokens = {held["seat"]: held["token"] for held in made["seats"]}
    with plug_in(server, folder, tokens[0], "--bot", "noted", "--log", str(tmp_path / "log")) as bot:
        play_through(server, made, 1, tokens[1])
        assert "The match is over" in bot.communicate(timeout=60)[0]
    record = record_of(server, made["id"])
    turns = flight(tmp_path / "log", record)
    mine = [number for number, (seat, _) in enumerate(replay(record).standing) if seat == 0]
    assert [turn.after for turn in turns] == mine and turns[0].notes == "1 noted\n"
    server.kill()


def test_answers_that_were_refused_or_did_not_come_are_no_actions() -> None:
    match = Match(load("connect_four", "interpreted"))
    for column in "ddeef":
        match.play(column)
    head = Head("connect_four", "", [])
    turns = [Turn(0, UNKNOWN, 0, "", said, refused) for said, refused in (
        (["x", "d"], ["No."]), ([], []), (["e"], []), (["f"], []), ([], []),
    )]  # fmt: skip
    data = b"".join(msgspec.json.encode(line) + b"\n" for line in (head, *turns))
    head, turns = read_flight(completed(data, match.record()))
    assert [turn.after for turn in turns] == [0, 2, 2, 4, 5]
    assert head.start_digest == match.record().start_digest and head.seats == ["person"] * 2
