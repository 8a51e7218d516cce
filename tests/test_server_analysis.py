"""Analyses over REST: asked for again until they are done, kept, and never a help against anybody."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from quincunx.games import load
from quincunx.players.levels import NAMES
from test_server import COMPUTER, HERE, Server
from test_server_lobby import BOB, SMALL, get, play, post, resign

pytestmark = pytest.mark.slow  # left out of `make check`

BLUNDER = "adadaea"  # Red, who stands well, does not see with its third stone that Yellow has three in a column


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("analysis"))
    running.start()
    yield running
    running.kill()


def whole(server: Server, id: str) -> list[dict[str, Any]]:
    """Asks as a page would, until it is done."""
    moves: list[dict[str, Any]] = []
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        told = post(server, f"/api/matches/{id}/analysis", {"have": len(moves)}, 200)
        moves += told["moves"]
        assert len(moves) <= told["total"]
        if told["state"] == "done":
            assert len(moves) == told["total"]
            return moves
        time.sleep(0.1)
    raise TimeoutError("the analysis is not done")


def test_every_move_is_judged_once_and_kept(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    play(server, made, BLUNDER)
    moves = whole(server, made["id"])
    frames = get(server, f"/api/matches/{made['id']}/replay")["frames"]
    assert [(m["n"], m["seat"], m["action"]) for m in moves] == [(f["n"], f["seat"], f["action"]) for f in frames[1:]]
    assert (moves[5]["mark"], moves[5]["best"], moves[5]["after"]) == ("blunder", "a", 0.0)
    again = post(server, f"/api/matches/{made['id']}/analysis", {}, 200)
    assert again["state"] == "done" and again["moves"] == moves and again["engine"].startswith("alphabeta:time=")


def test_a_match_with_secrets_is_judged_when_it_is_over(server: Server) -> None:
    made = server.make("chartichaud", HERE, BOB, options=SMALL)
    tokens = [held["token"] for held in made["seats"]]
    assert post(server, f"/api/matches/{made['id']}/analysis", {}, 409)["code"] == "running"
    client = server.sit(made["id"], tokens[0])
    assert client.play("m", 0, client.now()["legal"][0])["type"] == "accepted"
    resign(server, made)
    (move,) = whole(server, made["id"])
    assert move["seat"] == 0 and 0 <= move["before"] <= 1


def test_a_running_match_of_people_is_not_analysed(server: Server) -> None:
    for other in (BOB, COMPUTER):
        made = server.make("connect_four", HERE, other)
        assert post(server, f"/api/matches/{made['id']}/analysis", {}, 409)["code"] == "running"
    assert httpx.post(server.url("/api/matches/nowhere/analysis"), json={}).status_code == 404


def test_one_analysis_at_a_time(server: Server) -> None:
    made = [server.make("connect_four", HERE, BOB) for _ in range(2)]
    for each in made:
        play(server, each)
    assert post(server, f"/api/matches/{made[0]['id']}/analysis", {}, 200)["state"] == "running"
    assert post(server, f"/api/matches/{made[1]['id']}/analysis", {}, 429)["code"] == "busy"
    whole(server, made[0]["id"])
    assert len(whole(server, made[1]["id"])) == 7


def test_the_levels_are_offered_and_play(server: Server) -> None:
    for game in get(server, "/api/games"):
        players = {each["spec"]: each["label"] for each in game["players"]}
        own = list(load(game["card"]["id"], "interpreted").opponents)
        assert list(players) == [*(f"level:{n}" for n in range(1, 9)), "random", "greedy", *own]
        assert players["level:7"] == {"fr": f"7 · {NAMES[6].fr}", "en": f"7 · {NAMES[6].en}"}
    made = server.make("connect_four", {"kind": "computer", "player": "level:3"}, HERE)
    client = server.sit(made["id"], made["seats"][0]["token"])
    while client.now()["to_act"] != [1]:
        client.receive()
    assert client.welcome["yours"] == [1]
