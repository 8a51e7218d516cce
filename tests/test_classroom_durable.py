"""A class of six on a server that is killed in the middle of a round: three files, three programs elsewhere."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from quincunx.match import decode, replay
from schools import IDEA, Pupil, School
from test_programs import POLITE
from test_server import SOURCES

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("sealing")]

UPLOADED = ["Ada", "=cmd", 'Léa, "B"']
ELSEWHERE = ["Bob", "Eve", "Zoé"]


class Program:
    """`quincunx bot --arena` on a pupil's computer."""

    def __init__(self, pupil: Pupil, contest: str, folder: Path) -> None:
        folder.mkdir()
        (folder / "bot.py").write_text(POLITE)
        words = [
            "--lang",
            "en",
            "bot",
            "--arena",
            pupil.school.server.url(f"/contest/{contest}"),
            "--name",
            pupil.name,
            "--key",
            pupil.key,
        ]
        own = {"QUINCUNX_BOTS": str(folder / "bots.json"), "PYTHONPATH": SOURCES}
        with (folder / "said").open("wb") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "quincunx", *words, "--", sys.executable, str(folder / "bot.py")],
                stdout=said, stderr=subprocess.STDOUT, env={**os.environ, **own},
            )  # fmt: skip

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    school = School(tmp_path)
    school.start()
    yield school
    school.end()


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    programs: list[Program] = []
    yield programs
    for program in programs:
        program.end()


def test_a_round_ends_though_the_server_was_killed_and_the_marks_are_right(
    school: School, programs: list[Program], tmp_path: Path
) -> None:
    id = school.open("Cup", matches=1)
    pupils = {name: school.join(name) for name in (*UPLOADED, *ELSEWHERE)}
    for pick, name in enumerate(UPLOADED):
        pupils[name].upload(id, IDEA.format(name=pick, pick=-pick % 2))
    programs += [Program(pupils[name], id, tmp_path / name) for name in ELSEWHERE]
    school.wait(lambda: len([each for each in school.entrants(id).values() if each["present"]]) == 6, "all are there")
    school.accept(id, *pupils)
    school.teach(f"contests/{id}/round")
    school.wait(lambda: school.contest(id)["round"]["played"] >= 3, "some matches are over")
    code, token = school.code, school.token
    school.server.kill()
    school.start()
    assert (school.code, school.token) == (code, token)
    contest = school.finish_round(id)
    assert contest["round"] == {"number": 1, "played": 15, "wanted": 15, "running": False}
    met, points, wins = played(school, id)
    assert met == Counter(frozenset(pair) for pair in combinations(pupils, 2))
    assert {each["name"]: each["points"] for each in contest["entrants"]} == points
    assert pupils["Bob"].mine(id)["matches"] == 5 and pupils["Ada"].mine(id)["matches"] == 5
    file = school.ask(f"contests/{id}/marks", token=token).content.decode("utf-8-sig")
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(file, newline=""))}
    assert {name.removeprefix("'"): float(row["points"]) for name, row in rows.items()} == points
    assert {name.removeprefix("'"): int(row["wins"]) for name, row in rows.items()} == {n: wins[n] for n in points}
    assert [int(row["place"]) for row in rows.values()] == places([points[name.removeprefix("'")] for name in rows])


def played(school: School, id: str) -> tuple[Counter[frozenset[str]], dict[str, float], Counter[str]]:
    """From the records, each of which replays: who met, points, wins."""
    met, points, wins = Counter[frozenset[str]](), dict.fromkeys((*UPLOADED, *ELSEWHERE), 0.0), Counter[str]()
    for pairing in range(40):  # a match that was called off has none
        answer = school.get(f"/api/contests/{id}/records/{pairing}/0")
        if answer.status_code == 404:
            continue
        record = decode(answer.content)
        outcome = replay(record).outcome
        assert outcome is not None
        names = [seat.name for seat in record.seats]
        met[frozenset(names)] += 1
        for name, rank in zip(names, outcome.ranks, strict=True):
            shared = outcome.ranks.count(rank) == 2
            points[name] += 0.5 if shared else float(rank == 1)
            wins[name] += rank == 1 and not shared
    return met, points, wins


def places(points: list[float]) -> list[int]:
    """All have played as many matches: who has as many points has the same place."""
    assert points == sorted(points, reverse=True)
    return [1 + points.index(each) for each in points]
