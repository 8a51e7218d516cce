"""Programs at the matches of a server: plugged in from elsewhere by a token, or seated by name on its own computer."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from quincunx import Refused, Words, load
from quincunx.match import decode, replay
from quincunx.players.programs import bots
from quincunx.players.programs.naming import make_program
from quincunx.players.programs.remote import Bridge
from test_programs import POLITE, is_alive
from test_server import HERE, Server

pytestmark = pytest.mark.slow  # left out of `make check`

PROGRAM = {"kind": "program", "name": "Polite"}
TARDY = POLITE.replace(
    "        print(json",
    """        if count == 1:
            __import__("time").sleep(1.5)
            print("too late\\n" * 2, end="too late\\n", flush=True)
            continue
        print(json""",
)


SITE = """
seat, size = int(input()), input().split()
rows = [input() for _ in range(int(size[1]))]
for answer in ("WAIT\\nWAIT", "", f"{seat} CONVERT {seat}"):
    units = [input() for _ in range(int(input()))]
    if answer:
        print(answer, flush=True)
input()
"""
WALKER = """
departure = carte_depart()

def partie_init():
    pass

def jouer_placement():
    perso_deplace(perso_classe_info(PERSO_ELFE), [], ORIENTATION_OUEST)

jouer_deplacement = jouer_attaque = partie_fin = partie_init
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("programs")
    (folder / "polite.py").write_text(POLITE)
    (folder / "crash.py").write_text("raise SystemExit(3)")
    before, os.environ["QUINCUNX_BOTS"] = os.environ.get("QUINCUNX_BOTS"), str(folder / "bots.json")
    (folder / "slow.py").write_text("import time; time.sleep(3)\n" + POLITE)
    (folder / "deaf.py").write_text(
        "import time; print('warming up', file=__import__('sys').stderr, flush=True)\ntime.sleep(3600)\n"
    )
    (folder / "tardy.py").write_text(TARDY)
    for name in ("polite", "crash", "slow", "deaf", "tardy"):
        bots.add(name, f"program:{sys.executable} {folder / name}.py")
    (folder / "site.py").write_text(SITE)
    (folder / "walker.py").write_text(WALKER)
    bots.add("site", f"codingame:{sys.executable} {folder / 'site.py'}")
    bots.add("walker", f"champion:{folder / 'walker.py'}")
    yield folder
    del os.environ["QUINCUNX_BOTS"]
    if before is not None:
        os.environ["QUINCUNX_BOTS"] = before


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    server.start()
    yield server
    server.kill()


def plug_in(
    server: Server, folder: Path, token: str, *more: str, address: str = "/", file: str = "polite.py"
) -> subprocess.Popen[str]:
    words = ["--lang", "en", "bot", "--server", server.url(address), "--seat", token, *more]
    program = [] if "--bot" in more else ["--", sys.executable, str(folder / file)]
    return subprocess.Popen(
        [sys.executable, "-m", "quincunx", *words, *program],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", env={**os.environ, "PYTHONPATH": "src"},
    )  # fmt: skip


def record_of(server: Server, match: str) -> Any:
    return decode(httpx.get(server.url(f"/api/matches/{match}/record"), timeout=60).content)


def play_through(server: Server, made: dict[str, Any], seat: int, token: str) -> dict[str, Any]:
    """A client that plays the last legal action, until the match is over."""
    client = server.sit(made["id"], token)
    client.until("update")
    number = 0
    while client.updates[-1]["outcome"] is None:
        now = client.updates[-1]
        if seat in now["to_act"]:
            number += 1
            client.send(type="play", id=f"c{number}", seat=seat, action=now["legal"][-1])
            client.until("accepted")
        client.until("update", "changed")
    return client.updates[-1]


@pytest.mark.parametrize("game", ["connect_four", "chartichaud"])
def test_a_program_plays_a_match_elsewhere_by_its_token_alone(server: Server, folder: Path, game: str) -> None:
    options = {"turns": 6} if game == "chartichaud" else {}
    made = server.make(game, PROGRAM, HERE, options=options)
    tokens = {held["seat"]: held["token"] for held in made["seats"]}
    with plug_in(server, folder, tokens[0]) as bot:
        last = play_through(server, made, 1, tokens[1])
        told = bot.communicate(timeout=60)[0]
    assert bot.returncode == 0 and "The match is over" in told, told
    assert last["seats"][0]["kind"] == "program" and last["seats"][0]["name"] == "Polite"
    record = record_of(server, made["id"])
    assert record.outcome.reason == "played" and replay(record).outcome == record.outcome


def test_a_whole_link_of_a_seat_is_understood(server: Server, folder: Path) -> None:
    made = server.make("connect_four", PROGRAM, {"kind": "computer", "player": "random"})
    link = f"{server.url('')}/match/{made['id']}#seat=0&token={made['seats'][0]['token']}"
    with plug_in(server, folder, link, "--bot", "polite") as bot:
        assert "The match is over" in bot.communicate(timeout=60)[0]


def test_a_server_that_is_killed_and_started_again_finds_its_programs_there(folder: Path, tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    made = server.make("cultist", PROGRAM, HERE)
    tokens = {held["seat"]: held["token"] for held in made["seats"]}
    with plug_in(server, folder, tokens[0], address=f"/match/{made['id']}") as bot:
        for round in range(2):
            client = server.sit(made["id"], tokens[1])
            client.until("update")
            for number in range(5):
                while 1 not in client.updates[-1]["to_act"]:
                    client.until("update", "changed")
                client.send(type="play", id=f"{round}-{number}", seat=1, action="WAIT")
                client.until("accepted")
                client.until("update", "changed")
            server.kill()
            server.start()
        client = server.sit(made["id"], tokens[1])
        client.send(type="ask", seat=1, what="resign")
        told = bot.communicate(timeout=60)[0]
    assert told.count("The connection is lost") >= 2 and "rank 1 of 2" in told
    entries = [entry for entry in record_of(server, made["id"]).entries if hasattr(entry, "action")]
    assert [entry.seat for entry in entries] == [number % 2 for number in range(len(entries))] and len(entries) >= 20
    server.kill()


def test_wrong_tokens_and_matches_are_refused(server: Server, folder: Path) -> None:
    made = server.make("connect_four", PROGRAM, HERE)
    for token, address, words in (
        ("nothing", "/", "No match of"),
        ("nothing", f"/match/{made['id']}", "holds no seat"),
        ("not a token", "/", "This needs the token of a seat"),
    ):
        with plug_in(server, folder, token, address=address) as bot:
            told = bot.communicate(timeout=60)[0]
        assert bot.returncode == 2 and words in told, told


def test_a_named_program_of_this_computer_sits_down_in_the_pages(server: Server) -> None:
    games = httpx.get(server.url("/api/games"), timeout=60).json()
    players = next(game for game in games if game["card"]["id"] == "connect_four")["players"]
    assert {"spec": "bot:polite", "label": {"fr": "polite", "en": "polite"}} in players
    made = server.make("connect_four", HERE, {"kind": "computer", "player": "bot:polite"})
    last = play_through(server, made, 0, made["seats"][0]["token"])
    assert last["outcome"]["reason"] == "played"
    assert (last["seats"][1]["name"], last["seats"][1]["player"]) == ("polite", "bot:polite")
    assert replay(record_of(server, made["id"])).outcome is not None


def test_there_is_no_help_against_a_named_program(server: Server) -> None:
    made = server.make("connect_four", HERE, {"kind": "computer", "player": "bot:polite"})
    id, tokens = made["id"], [made["seats"][0]["token"]]
    plea, fork = {"tokens": tokens, "seat": 0}, {"at": 0, "seats": [HERE, HERE], "tokens": tokens}
    for path, asked, code in (("hint", plea, "not_yours"), ("outlook", plea, "not_yours"), ("fork", fork, "running")):
        answer = httpx.post(server.url(f"/api/matches/{id}/{path}"), json=asked, timeout=60)
        assert (answer.status_code // 100, answer.json()["code"]) == (4, code)


def test_a_named_program_that_fails_loses_its_match_only(server: Server) -> None:
    made = server.make("connect_four", {"kind": "computer", "player": "bot:crash"}, HERE)
    client = server.sit(made["id"], made["seats"][0]["token"])
    client.until("update")
    while client.updates[-1]["outcome"] is None:
        client.until("update", "changed")
    assert client.updates[-1]["outcome"] == {"reason": "forfeit", "scores": [0, 0], "ranks": [2, 1]}
    why = client.updates[-1]["why"]
    assert "The program ended (exit code 3)." in why["en"] and "Le programme s’est arrêté (code 3)." in why["fr"]
    entry = record_of(server, made["id"]).entries[0]
    assert (entry.reason, entry.detail) == ("exited", ("3",))


def until_turn(client: Any, seat: int) -> dict[str, Any]:
    """What it is shown when it is to act, or when it is over."""
    while client.now()["outcome"] is None and seat not in client.now()["to_act"]:
        client.until("update", "changed")
    return dict(client.now())


def test_a_bot_of_codingame_sits_on_a_server_as_on_its_site(server: Server) -> None:
    """Asked every turn, whatever it has said before; and the line that the site does not take is kept as its reason."""
    made = server.make("cultist", {"kind": "computer", "player": "bot:site"}, HERE, preset="codingame")
    client = server.sit(made["id"], made["seats"][0]["token"])
    client.until("update")
    for number in range(2):
        assert until_turn(client, 1)["outcome"] is None
        client.send(type="play", id=f"w{number}", seat=1, action="WAIT")
        client.until("accepted")
        client.until("update", "changed")
    assert until_turn(client, 1)["outcome"] == {"reason": "forfeit", "scores": [-1, 1], "ranks": [2, 1]}
    *played, last = record_of(server, made["id"]).entries
    assert [entry.action for entry in played if entry.seat == 0] == ["WAIT"] * 2
    assert (last.reason, last.detail[0]) == ("invalid", "0 CONVERT 0")


def test_a_champion_sits_on_a_server(server: Server) -> None:
    seats = [{"kind": "computer", "player": "bot:walker"}, HERE]
    made = server.make("casus_belli", *seats, preset="final", options={"seats": 2, "width": 9, "height": 9})
    client = server.sit(made["id"], made["seats"][0]["token"])
    while client.now()["to_act"] != [1]:
        client.until("update", "changed")
    client.send(type="ask", seat=1, what="resign")
    while client.now()["outcome"] is None:
        client.until("update", "changed")
    orders = [entry.action for entry in record_of(server, made["id"]).entries if hasattr(entry, "action")]
    assert orders == ["elf face W", "seal"]


@pytest.mark.parametrize(
    ("name", "game", "preset"), [("site", "cultist", "codingame"), ("walker", "casus_belli", "final")]
)
def test_a_program_that_knows_other_rules_is_offered_with_them_and_refused_without(
    server: Server, name: str, game: str, preset: str
) -> None:
    games = httpx.get(server.url("/api/games"), timeout=60).json()
    players = next(each for each in games if each["card"]["id"] == game)["players"]
    label = {"fr": f"{name} (préréglage {preset})", "en": f"{name} (preset {preset})"}
    assert {"spec": f"bot:{name}", "label": label} in players
    wanted = {"game": game, "seats": [HERE, {"kind": "computer", "player": f"bot:{name}"}], "options": {}}
    answer = httpx.post(server.url("/api/matches"), json=wanted, timeout=60)
    assert answer.status_code == 409 and answer.json()["code"] == "other_rules", answer.text
    assert f"bot:{name} knows the preset {preset} only" in answer.json()["words"]["en"]


@pytest.mark.parametrize("player", ["program:true", "bot:nobody", "codingame:true"])
def test_nothing_but_names_is_run_for_a_page(server: Server, player: str) -> None:
    wanted = {"game": "connect_four", "seats": [HERE, {"kind": "computer", "player": player}]}
    answer = httpx.post(server.url("/api/matches"), json=wanted, timeout=60)
    assert answer.status_code in (400, 403, 404, 409), answer.text


def test_nobody_runs_a_program_from_elsewhere(server: Server) -> None:
    wanted = {"game": "connect_four", "seats": [HERE, {"kind": "computer", "player": "bot:polite"}]}
    headers = {"X-Forwarded-For": "192.0.2.1"}
    answer = httpx.post(server.url("/api/matches"), json=wanted, headers=headers, timeout=60)
    assert answer.json()["code"] == "not_here", answer.text
    shown = httpx.get(server.url("/api/games"), headers=headers, timeout=60)
    assert "bot:polite" not in shown.text


def test_a_server_that_is_killed_leaves_no_program_behind(folder: Path, tmp_path: Path) -> None:
    note = f"import os; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
    (tmp_path / "noted.py").write_text(note + POLITE)
    bots.add("noted", f"program:{sys.executable} {tmp_path / 'noted.py'}")
    server = Server(tmp_path)
    server.start()
    made = server.make("connect_four", {"kind": "computer", "player": "bot:noted"}, HERE)
    client = server.sit(made["id"], made["seats"][0]["token"])
    client.until("update")
    while 1 not in client.updates[-1]["to_act"]:
        client.until("update", "changed")
    pid = int((tmp_path / "pid").read_text())
    assert is_alive(pid)
    server.kill()
    until = time.monotonic() + 30
    while is_alive(pid):
        assert time.monotonic() < until
        time.sleep(0.02)


BLITZ = {"kind": "move", "turn": 1500}  # half of what slow.py takes to start


def kinds(client: Any) -> list[str]:
    return [seat["kind"] for seat in client.now()["seats"]]


def until_it_begins(client: Any) -> None:
    while "awaited" in kinds(client):
        client.until("update", "changed")


def check_first_move(server: Server, made: dict[str, Any], client: Any, seat: int) -> None:
    """Seat 0 has acted within its clock, and the other one resigns."""
    while client.now()["to_act"] != [seat]:
        assert client.now()["outcome"] is None
        client.until("update", "changed")
    client.send(type="ask", seat=seat, what="resign")
    while client.now()["outcome"] is None:
        client.until("update", "changed")
    first, last = record_of(server, made["id"]).entries
    assert (first.seat, last.event) == (0, "resign") and first.at < BLITZ["turn"]


def test_no_clock_runs_before_a_named_program_has_started(server: Server) -> None:
    made = server.make("connect_four", {"kind": "computer", "player": "bot:slow"}, HERE, clock=BLITZ)
    client = server.sit(made["id"], made["seats"][0]["token"])
    client.until("update")
    assert kinds(client) == ["awaited", "person"] and client.now()["clocks"] == [1500, 1500]
    client.send(type="play", id="early", seat=1, action="d")
    assert client.until("refused")["code"] == "not_begun"
    until_it_begins(client)
    assert kinds(client) == ["computer", "person"]
    check_first_move(server, made, client, 1)


def test_no_clock_runs_before_a_program_elsewhere_has_started(server: Server, folder: Path) -> None:
    made = server.make("connect_four", PROGRAM, HERE, clock=BLITZ)
    tokens = {held["seat"]: held["token"] for held in made["seats"]}
    client = server.sit(made["id"], tokens[1])
    client.until("update")
    assert kinds(client) == ["awaited", "person"]
    with plug_in(server, folder, tokens[0], file="slow.py") as bot:
        until_it_begins(client)
        assert kinds(client) == ["program", "person"]
        check_first_move(server, made, client, 1)
        assert "rank 1 of 2" in bot.communicate(timeout=60)[0]


def test_a_program_elsewhere_that_does_not_start_is_not_seated(server: Server, folder: Path) -> None:
    made = server.make("connect_four", PROGRAM, HERE, clock=BLITZ)
    tokens = {held["seat"]: held["token"] for held in made["seats"]}
    with plug_in(server, folder, tokens[0], file="crash.py") as bot:
        told = bot.communicate(timeout=60)[0]
    assert bot.returncode == 2 and "exit code 3" in told
    client = server.sit(made["id"], tokens[1])
    client.until("update")
    assert kinds(client) == ["awaited", "person"] and client.now()["outcome"] is None
    with plug_in(server, folder, tokens[0]) as bot:  # and another one may come
        until_it_begins(client)
        check_first_move(server, made, client, 1)


@pytest.mark.parametrize("bot, reason", [("crash", "exited"), ("deaf", "deaf")])
def test_a_named_program_that_never_listens_is_told_by_its_reason(server: Server, bot: str, reason: str) -> None:
    made = server.make("connect_four", HERE, {"kind": "computer", "player": f"bot:{bot}"}, clock=BLITZ)
    client = server.sit(made["id"], made["seats"][0]["token"])
    client.until("update")
    while client.now()["outcome"] is None:
        client.until("update", "changed")
    assert client.now()["outcome"]["ranks"] == [1, 2]
    (entry,) = record_of(server, made["id"]).entries
    assert (entry.event, entry.seat) == ("forfeit", 1) and entry.reason == reason
    if bot == "deaf":
        assert "warming up" in entry.notes


def test_a_rematch_awaits_its_programs_too(server: Server) -> None:
    made = server.make("connect_four", HERE, {"kind": "computer", "player": "bot:slow"}, clock=BLITZ)
    token = made["seats"][0]["token"]
    client = server.sit(made["id"], token)
    client.until("update")
    until_it_begins(client)
    client.send(type="ask", seat=0, what="resign")
    while client.now()["outcome"] is None:
        client.until("update", "changed")
    again = httpx.post(server.url(f"/api/matches/{made['id']}/rematch"), json={"tokens": [token]}, timeout=60).json()
    client = server.sit(again["id"], token)
    client.until("update")
    assert kinds(client)[0] == "awaited"
    until_it_begins(client)
    check_first_move(server, again, client, 1)


def test_an_unknown_field_is_refused_by_its_name(server: Server) -> None:
    made = server.make("connect_four", HERE, PROGRAM)
    client = server.sit(made["id"], made["seats"][0]["token"])
    client.connection.send(json.dumps({"type": "play", "id": "1", "seat": 0, "action": "d", "speed": 9}))
    assert "speed" in client.until("refused")["words"]["en"]


def test_a_message_may_say_its_protocol_and_another_one_is_refused_in_words(server: Server) -> None:
    made = server.make("connect_four", HERE, PROGRAM)
    client = server.sit(made["id"])
    words = "Protocol 1 is spoken here, not 2: update Quincunx."
    client.send(type="hello", tokens=[made["seats"][0]["token"]], protocol=2)
    assert client.until("refused")["words"]["en"] == words
    client.send(type="hello", tokens=[made["seats"][0]["token"]], protocol=1)
    client.send(type="play", id="1", seat=0, action="d", protocol=2)
    refused = client.until("refused")
    assert (refused["code"], refused["id"], refused["words"]["en"]) == ("other_protocol", "1", words)
    client.send(type="play", id="2", seat=0, action="d", protocol=1)
    assert client.until("accepted")["id"] == "2"


def test_what_a_program_says_after_its_clock_has_run_out_is_no_answer_to_the_next_question(server: Server) -> None:
    clock = {"kind": "move", "turn": 1000}
    made = server.make("cultist", {"kind": "computer", "player": "bot:tardy"}, HERE, clock=clock)
    client = server.sit(made["id"], made["seats"][0]["token"])
    client.until("update")
    for number in range(6):
        while 1 not in client.updates[-1]["to_act"] and not client.updates[-1]["outcome"]:
            client.until("update", "changed")
        assert client.updates[-1]["outcome"] is None, "three answers of the first turn were counted in the second"
        client.send(type="play", id=f"t{number}", seat=1, action="WAIT")
        client.until("accepted")
        client.until("update", "changed")


def test_a_server_that_falls_in_the_middle_of_a_handshake_is_tried_again(tmp_path: Path) -> None:
    """Twice it hangs up before it has answered; then it says that there is no such match."""
    (tmp_path / "bot.py").write_text(POLITE)
    program = make_program(f"program:{sys.executable} {tmp_path / 'bot.py'}", load("connect_four", "interpreted"))
    said: list[Words] = []
    with socket.create_server(("127.0.0.1", 0)) as door:

        def answer() -> None:
            for words in (b"", b"HTTP/1.1 ", b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"):
                client, _ = door.accept()
                with client:
                    client.recv(1000)
                    client.sendall(words)

        server = Thread(target=answer, daemon=True)
        server.start()
        bridge = Bridge(f"ws://127.0.0.1:{door.getsockname()[1]}/ws/m", "token", program, said.append)
        with pytest.raises(Refused, match="404"):
            bridge.play()
        server.join()
    assert [words.en for words in said] == ["The connection is lost; trying again…"] * 2
