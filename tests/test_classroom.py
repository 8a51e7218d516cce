"""A class on a server: who may do what, rounds with uploaded files, what is told to whom."""

from __future__ import annotations

import csv
import io
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from contest_scenes import in_store
from quincunx.match import decode
from quincunx.server.class_shapes import LONGEST_UPLOAD
from quincunx.store import Store
from quincunx.tournament.online import START
from quincunx.tournament.ratings import rate
from quincunx.tournament.results import Result
from schools import IDEA, School

pytestmark = pytest.mark.slow  # left out of `make check`


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[School]:
    school = School(tmp_path_factory.mktemp("school"), "--lan")
    school.start()
    yield school
    school.end()


def test_the_command_says_what_a_teacher_needs(school: School) -> None:
    assert f"http://127.0.0.2:{school.server.port}/class\n" in school.said
    assert f"http://127.0.0.1:{school.server.port}/classroom#token={school.token}\n" in school.said
    kept = school.folder / "classrooms.json"
    assert school.token in kept.read_text() and stat.S_IMODE(kept.stat().st_mode) == 0o600
    page = school.page()
    assert (page["code"], page["addresses"]) == (school.code, [f"http://127.0.0.2:{school.server.port}"])
    assert page["link"].endswith(f"/class#code={school.code}") and page["qr"].startswith("<?xml")


def test_tokens_and_keys_are_in_no_log(school: School) -> None:
    pupil = school.join("Logged")
    pupil.page()
    log = (school.folder / "log").read_text()
    assert school.token not in log and pupil.key not in log


# -- who may do what --------------------------------------------------------------------------------------------------


def test_only_the_teacher_teaches(school: School) -> None:
    id, pupil = school.open("Locked"), school.join("Mallory")
    calls: dict[str, dict[str, Any]] = {
        "teacher": {},
        "contests": {"name": "x", "game": "connect_four"},
        f"contests/{id}/accept": {"name": "Mallory", "accepted": True},
        f"contests/{id}/round": {},
        f"contests/{id}/close": {},
        f"contests/{id}/marks": {},
        "pupils/remove": {"name": "Mallory"},
    }
    for path, body in calls.items():
        for token in ("", "wrong", pupil.key, school.token[:-1], school.code):
            assert school.refused(path, token=token, **body) == "not_yours", path
    assert school.contest(id)["open"] and school.contest(id)["round"]["number"] == 0
    assert "Mallory" in [each["name"] for each in school.page()["pupils"]]


def test_a_name_is_whose_key_it_is(school: School) -> None:
    pupil = school.join(" Zoé  B. ")
    assert pupil.name == "Zoé B."
    assert school.refused("join", code=school.code, name="Zoé B.") == "name_taken"
    assert school.refused("join", code=school.code, name="zoé b.", key="x" * 20) == "name_taken"
    assert school.join("Zoé B.", key=pupil.key).key == pupil.key
    other = school.join("Other")
    for key in ("", "wrong", other.key):
        assert school.refused("pupil", **{**pupil.who, "key": key}) == "not_yours"
    assert school.refused("pupil", code=school.code, name="Nobody", key=pupil.key) == "not_yours"
    assert school.refused("pupil", **{**pupil.who, "code": "ABCDEF"}) == "no_such_class"
    assert school.refused("join", code="ABCDEF", name="Eve") == "no_such_class"
    assert school.told("pupil", **{**pupil.who, "code": school.code.lower()})["name"] == "Zoé B."


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "x" * 41, "level:3", "\u202eabc"])
def test_names_that_are_none_are_refused(school: School, name: str) -> None:
    assert school.ask("join", code=school.code, name=name).status_code == 400


def test_who_was_removed_is_a_stranger_and_the_name_is_free(school: School) -> None:
    pupil = school.join("Lost")
    school.teach("pupils/remove", name="Lost")
    assert school.refused("pupil", **pupil.who) == "not_yours"
    assert school.join("Lost").key != pupil.key
    assert school.refused("pupils/remove", token=school.token, name="Nobody") == "no_such_pupil"


def test_what_is_not_there_is_refused_in_words(school: School) -> None:
    pupil = school.join("Curious")
    sent = {**pupil.who, "file": "a.py", "text": "x = 1"}
    assert school.refused("upload", **sent, contest="none") in ("no_such_contest", "no_isolation")
    for path in ("round", "close", "marks"):
        assert school.refused(f"contests/none/{path}", token=school.token) == "no_such_contest"
    assert school.refused("contests", token=school.token, name="x", game="chess") not in ("", "bug")
    assert school.refused("contests", token=school.token, name="x", game="connect_four", computers=["level:99"])
    free = school.open("Free", format="free")
    assert school.refused(f"contests/{free}/round", token=school.token) == "no_rounds"
    assert school.refused(f"contests/{school.open()}/round", token=school.token) == "too_few_players"


def test_a_contest_of_a_class_is_for_its_pupils(school: School) -> None:
    """Also by the door of arenas."""
    import json

    from websockets.sync.client import connect

    id, pupil = school.open("Members"), school.join("Member")
    with connect(f"ws://127.0.0.1:{school.server.port}/ws/arena/{id}") as socket:
        for name, key in (("Stranger", "k" * 20), ("Member", "k" * 20), ("Stranger", pupil.key)):
            socket.send(json.dumps({"type": "enter", "name": name, "key": key}))
            assert json.loads(socket.recv(timeout=60))["code"] == "not_yours"
        socket.send(json.dumps({"type": "enter", "name": "Member", "key": pupil.key}))
        entered = json.loads(socket.recv(timeout=60))
        assert (entered["type"], entered["accepted"]) == ("entered", False)
        school.wait(lambda: school.entrants(id)["Member"]["present"], "it is there")
        assert next(each for each in school.page()["pupils"] if each["name"] == "Member")["here"]
    mine = pupil.mine(id)
    assert (mine["kind"], mine["accepted"], mine["matches"], mine["place"]) == ("program", False, 0, None)


# -- rounds -----------------------------------------------------------------------------------------------------------


def marks(school: School, id: str) -> dict[str, dict[str, str]]:
    file = school.ask(f"contests/{id}/marks", token=school.token)
    assert file.headers["content-type"].startswith("text/csv") and file.content.startswith(b"\xef\xbb\xbf")
    rows = csv.DictReader(io.StringIO(file.content.decode("utf-8-sig"), newline=""))
    return {row["name"]: row for row in rows}


def records(school: School, id: str) -> list[httpx.Response]:
    """Of the newest matches. A number may be wanting: a match whose files do not start in time is played later."""
    results = school.get(f"/api/contests/{id}").json()["now"]["results"]
    return [school.get(f"/api/contests/{id}/records/{each['pairing']}/{each['number']}") for each in results]


@pytest.mark.usefixtures("sealing")
def test_a_round_of_uploaded_files_is_played_and_marked(school: School) -> None:
    id = school.open("Uploads", matches=2, computers=["random"])
    names = ["Léa, B.", "=cmd", 'Un "nom"']
    pupils = [school.join(name) for name in names]
    for pick, pupil in enumerate(pupils):
        page = pupil.upload(id, IDEA.format(name=f"secret of {pick}", pick=-pick % 2))
        assert page["uploads"] and page["contests"][0]["kinds"] == ["program"]
        mine = pupil.mine(id)
        assert (mine["kind"], mine["accepted"], mine["file"]) == ("upload", False, "idea.py") and mine["present"]
    assert school.refused(f"contests/{id}/round", token=school.token) == "too_few_players"
    school.accept(id, *names[:2])
    school.accept(id, names[2])
    round = school.teach(f"contests/{id}/round")["contests"][0]["round"]
    assert (round["number"], round["wanted"], round["running"]) == (1, 12, True)
    assert school.refused(f"contests/{id}/round", token=school.token) == "running"
    contest = school.finish_round(id)
    assert contest["round"] == {"number": 1, "played": 12, "wanted": 12, "running": False}
    assert [each["matches"] for each in contest["entrants"]] == [6] * 4
    assert sum(each["points"] for each in contest["entrants"]) == 12
    found = marks(school, id)
    assert set(found) == {"Léa, B.", "'=cmd", 'Un "nom"', "random"}
    for row in found.values():
        assert int(row["wins"]) + int(row["draws"]) + int(row["losses"]) == 6
        assert float(row["points"]) == int(row["wins"]) + int(row["draws"]) / 2 and row["troubles"] == "0"
        assert float(row["low"]) <= float(row["rating"]) <= float(row["high"])
    assert_notes_are_private(school, id, pupils)


def assert_notes_are_private(school: School, id: str, pupils: list[Any]) -> None:
    """What an upload writes to stderr is seen by its author and the teacher, and stands in no record."""
    school.wait(lambda: all(pupil.mine(id)["notes"] for pupil in pupils), "notes are kept")
    for n, pupil in enumerate(pupils):
        assert f"secret of {n}" in pupil.mine(id)["notes"] and school.entrants(id)[pupil.name]["notes"]
        theirs = school.ask("pupil", **pupil.who).text
        assert not any(f"secret of {other}" in theirs for other in range(3) if other != n)
    played = records(school, id)
    assert len(played) == 12
    for record in played:
        assert "secret" not in record.text and decode(record.content).outcome is not None
    public = school.get(f"/api/contests/{id}").text
    assert "secret" not in public and pupils[0].key not in public


@pytest.mark.usefixtures("sealing")
def test_an_upload_that_fails_loses_and_its_author_learns_why(school: School) -> None:
    id = school.open("Failing", matches=1, computers=["random"])
    pupil, other = school.join("Clumsy"), school.join("Nosy")
    pupil.upload(id, IDEA.format(name="x", pick=0).replace("return", "return view.secret_of_clumsy #"))
    school.accept(id, "Clumsy")
    school.teach(f"contests/{id}/round")
    school.finish_round(id)
    mine = pupil.mine(id)
    assert mine["mishap"]["code"] == "exited" and mine["mishap"]["words"]["fr"] and mine["points"] == 0
    school.wait(lambda: "AttributeError" in pupil.mine(id)["notes"], "its last words are kept")
    assert "secret_of_clumsy" not in school.ask("pupil", **other.who).text
    record = records(school, id)[0].text
    assert "exited" in record and "secret_of_clumsy" not in record
    pupil.upload(id, IDEA.format(name="better", pick=0))  # with the next match
    assert pupil.mine(id)["notes"] == "" and pupil.mine(id)["accepted"]
    round = school.teach(f"contests/{id}/round")["contests"][0]["round"]
    assert round["number"] == 2
    school.finish_round(id)
    assert pupil.mine(id)["matches"] == 2
    school.wait(lambda: "I am better" in pupil.mine(id)["notes"], "the new file has played")
    assert marks(school, id)["Clumsy"]["troubles"] == "1"


@pytest.mark.usefixtures("sealing")
def test_files_that_do_harm_lose_and_hold_up_nobody(school: School) -> None:
    id = school.open("Hostile", matches=1, turn=4.0)
    harm = {
        "Loop": "while True: pass",
        "Forks": "import os\n    while True: os.fork()",
        "Flood": "while True: sys.__stdout__.write('x' * 2**20)",
        "Good": "pass",
    }
    for name, does in harm.items():
        school.join(name).upload(id, IDEA.format(name=name, pick=0).replace("    print", f"    {does}\n    print"))
    school.accept(id, *harm)
    school.teach(f"contests/{id}/round")
    school.finish_round(id)
    found = school.entrants(id)
    assert found["Good"]["points"] == 3 and found["Good"]["mishap"] is None
    codes = {"Loop": ("time_out",), "Forks": ("processes", "time_out"), "Flood": ("flood", "time_out")}
    assert all(found[name]["mishap"]["code"] in codes[name] for name in codes), found


@pytest.mark.usefixtures("sealing")
def test_files_that_are_none_are_refused_in_words(school: School) -> None:
    id, pupil = school.open("Files"), school.join("Sender")
    for file, text in (("a.exe", "x"), ("a.py", "def f(:"), ("a.py", "é" * (LONGEST_UPLOAD - 1))):
        sent = {**pupil.who, "contest": id, "file": file, "text": text}
        assert school.refused("upload", **sent) in ("not_python", "too_long")
    assert (
        school.ask("upload", **pupil.who, contest=id, file="a.py", text="x" * (LONGEST_UPLOAD + 1)).status_code == 400
    )
    sent = {**pupil.who, "contest": id, "file": "a.py", "text": "x = 1"}
    assert school.refused("upload", **sent, kind="codingame") == "other_kind"
    assert school.refused("upload", **{**sent, "key": "wrong"}) == "not_yours"
    assert pupil.mine(id) is None
    school.teach(f"contests/{id}/close")
    assert school.refused("upload", **sent) == "closed" and not school.contest(id)["open"]
    (shown,) = [each for each in pupil.page()["contests"] if each["id"] == id]
    assert not shown["open"] and shown["kinds"] == []


@pytest.mark.usefixtures("sealing")
def test_swiss_rounds_follow_each_other_and_who_is_set_aside_plays_no_more(school: School) -> None:
    id = school.open("Swiss", format="swiss", matches=1, computers=["random"])
    names = ["S1", "S2", "S3"]
    for name in names:
        school.join(name).upload(id, IDEA.format(name=name, pick=0))
    school.accept(id, *names)
    for number in (1, 2):
        assert school.teach(f"contests/{id}/round")["contests"][0]["round"]["wanted"] == 2
        assert school.finish_round(id)["round"]["number"] == number
    school.accept(id, "S3", accepted=False)
    assert school.teach(f"contests/{id}/round")["contests"][0]["round"]["wanted"] == 1
    school.finish_round(id)
    assert school.entrants(id)["S3"]["matches"] == 2
    assert sum(each["matches"] for each in school.entrants(id).values()) == 10


def test_who_rests_in_a_swiss_round_has_a_pairing_won_in_the_marks_and_on_the_page(school: School) -> None:
    id = school.open("Odd", format="swiss", matches=2, computers=["random", "greedy", "level:1"])
    assert school.teach(f"contests/{id}/round")["contests"][0]["round"]["wanted"] == 2
    school.finish_round(id)
    (rested,) = [each for each in school.entrants(id).values() if not each["matches"]]
    assert rested["points"] == 2 and rested["place"] is not None
    row = marks(school, id)[rested["name"]]
    assert (row["matches"], row["points"], row["share"], row["rating"]) == ("0", "2", "1", "")
    page = httpx.get(school.server.url(f"/api/contests/{id}")).json()["now"]["lines"]
    assert {line["name"]: line["points"] for line in page} == {
        each["name"]: each["points"] for each in school.entrants(id).values()
    }
    assert sum(line["points"] for line in page) == 4 and sum(line["byes"] for line in page) == 2
    school.teach(f"contests/{id}/round")
    school.finish_round(id)
    assert school.entrants(id)[rested["name"]]["matches"] == 2  # the next time another one rests


def test_marks_have_ratings_of_all_matches_at_once(school: School) -> None:
    id = school.open("Rated", matches=2, computers=["random", "greedy", "level:1"])
    school.teach(f"contests/{id}/round")
    school.finish_round(id)
    results = list[Result]()

    async def read(store: Store) -> None:
        results.extend([msgspec.json.decode(row.result, type=Result) async for row in store.contests.results(id)])

    in_store(school.server.database, read)
    ratings = rate(results).players
    for name, row in marks(school, id).items():
        found = [float(row[column]) - START for column in ("rating", "low", "high")]
        assert found == pytest.approx([ratings[name].elo, ratings[name].low, ratings[name].high], abs=0.06)


@pytest.mark.usefixtures("sealing")
def test_in_a_free_contest_files_meet_by_themselves(school: School) -> None:
    id = school.open("Week", format="free")
    for name in ("F1", "F2", "F3"):
        school.join(name).upload(id, IDEA.format(name=name, pick=0))
    school.accept(id, "F1", "F2")
    school.wait(lambda: school.entrants(id)["F1"]["matches"] >= 2, "they meet")
    assert school.entrants(id)["F3"]["matches"] == 0 and school.contest(id)["round"]["number"] == 0
    school.teach(f"contests/{id}/close")
    assert school.refused(f"contests/{id}/round", token=school.token) == "no_rounds"


def test_who_is_not_accepted_is_in_no_round(school: School) -> None:
    id = school.open("Again", matches=1, computers=["random", "greedy"])
    school.accept(id, "greedy", accepted=False)
    assert school.refused(f"contests/{id}/round", token=school.token) == "too_few_players"
    school.accept(id, "greedy")
    school.teach(f"contests/{id}/round")
    school.finish_round(id)
    assert school.entrants(id)["greedy"]["matches"] == 1


def test_without_bubblewrap_files_are_refused_and_the_rest_works(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    school = School(tmp_path, PATH=str(tmp_path / "empty"))
    school.start()
    try:
        assert "bubblewrap" in school.said
        page, pupil = school.page(), school.join("Ada")
        assert not page["isolation"] and page["qr"] == "" and page["link"] == ""
        id = school.open("No files", matches=1, computers=["random", "greedy"])
        shown = pupil.page()
        assert not shown["uploads"] and shown["contests"][0]["kinds"] == []
        answer = school.ask("upload", **pupil.who, contest=id, file="a.py", text="x = 1")
        assert (answer.status_code, answer.json()["code"]) == (409, "no_isolation")
        assert "bubblewrap" in answer.json()["words"]["fr"]
        school.teach(f"contests/{id}/round")
        assert school.finish_round(id)["round"]["played"] == 1
    finally:
        school.end()
