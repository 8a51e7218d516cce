"""Positions over REST: what a study board shows and an engine in a page thinks about; never of a game with secrets, and
never as a help against anybody."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from typing import Any

import pytest

from quincunx.core.contract import CHANCE, NOBODY
from quincunx.games import cards, load
from quincunx.players.fingerprint import sources
from test_server import COMPUTER, HERE, Server
from test_server_lobby import BOB, SMALL, get, play, post, resign

pytestmark = pytest.mark.slow  # left out of `make check`

OPEN = [card.id for card in cards() if card.open]
SECRET = [card.id for card in cards() if not card.open]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("positions"))
    running.start()
    yield running
    running.kill()


def place(server: Server, status: int = 200, **place: Any) -> dict[str, Any]:
    placed: dict[str, Any] = post(server, "/api/positions", place, status)
    return placed


@pytest.mark.parametrize("id", OPEN)
def test_a_line_is_followed_by_the_rules_and_told_as_an_engine_wants_it(server: Server, id: str) -> None:
    """Seats and dice, until somebody has acted six times: what comes is what the game itself says there."""
    game = load(id)
    world, line = game.new(seed=3), list[str]()
    start: dict[str, Any] = {"game": id, "start": {"seed": 3}}
    for _ in range(60):
        placed = place(server, **start, line=line)
        seat = game.turn(world)
        assert (placed["played"], placed["seat"], placed["digest"]) == (line, seat, game.position_digest(world))
        if seat == CHANCE:
            assert sum(offer["chance"] for offer in placed["legal"]) == pytest.approx(1)
            assert placed["known"] is None
        else:
            assert [int(offer["number"]) for offer in placed["legal"]] == game.legal(world, seat)
            seen = game.observation_to_bytes(game.view(world, seat))
            assert placed["known"]["sources"] == sources(id) and placed["known"]["seat"] == seat
            assert b64decode(placed["known"]["view"]) == seen
        if len(line) >= 6 and seat != CHANCE:
            break
        offer = placed["legal"][len(line) % len(placed["legal"])]
        line.append(offer["action"])
        game.apply(world, seat, int(offer["number"]))
    assert placed["story"]


def test_what_is_refused_says_why_in_the_words_of_the_game(server: Server) -> None:
    start: dict[str, Any] = {"game": "connect_four", "start": {}}
    assert place(server, 400, **start, line=["h"])["code"] != "broken_record"
    full = place(server, 400, **start, line=["a"] * 7)
    assert full["words"]["en"] and full["code"] == "column_full"
    over = list("aabbccd")
    ended = place(server, **start, line=over)
    assert (ended["seat"], ended["legal"], ended["known"]) == (NOBODY, [], None)
    assert ended["outcome"]["ranks"] == [1, 2] and ended["why"]["en"]
    assert place(server, 409, **start, line=[*over, "d"])["code"] == "over"
    assert place(server, 400, line=[])["code"] == "nowhere"
    assert place(server, 404, match="nobody")["code"] == "no_such_match"


def test_a_line_of_numbers_is_spelled_as_far_as_the_rules_go_with_it(server: Server) -> None:
    asked = {"game": "connect_four", "start": {}, "line": ["d"], "numbers": ["3", "3", "3", "3", "3", "3", "0"]}
    assert post(server, "/api/positions/words", asked, 200) == ["d"] * 5  # then the column is full
    assert post(server, "/api/positions/words", {**asked, "numbers": [str(2**62)]}, 200) == []
    post(server, "/api/positions/words", {**asked, "numbers": ["-1"]}, 400)


def test_the_server_thinks_for_whose_page_cannot(server: Server) -> None:
    thought = post(server, "/api/positions/thought", {"game": "connect_four", "start": {}, "line": list("aabbcc")}, 200)
    assert (thought["action"], thought["line"][0], thought["chance"]) == ("d", "d", 1.0)
    over = {"game": "connect_four", "start": {}, "line": list("aabbccd")}
    assert post(server, "/api/positions/thought", over, 409)["code"] == "not_to_act"


def test_the_moves_of_a_match_that_is_over_come_with_what_their_seats_knew(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    play(server, made, "dedede")
    assert get(server, f"/api/matches/{made['id']}/outlooks", 409)["code"] == "running"
    assert place(server, 409, match=made["id"], at=2)["code"] == "running"  # Bob is another person
    resign(server, made)
    told = get(server, f"/api/matches/{made['id']}/outlooks")
    assert [(move["n"], move["seat"], move["action"]) for move in told["moves"]] == [
        (n, (n - 1) % 2, action) for n, action in enumerate("dedede", 1)
    ]
    few = get(server, f"/api/matches/{made['id']}/outlooks?from=2&count=3")
    assert few["moves"] == told["moves"][2:5] and few["total"] == 6
    placed = place(server, match=made["id"], at=3, line=["a"])
    assert (placed["played"], placed["seat"], placed["by"]) == (["d", "e", "d", "a"], 0, 1)


def test_a_hint_in_the_page_is_for_those_who_play_alone(server: Server) -> None:
    alone = server.make("khet", HERE, COMPUTER)
    token = alone["seats"][0]["token"]
    asked = {"tokens": [token], "seat": 0}
    outlook = post(server, f"/api/matches/{alone['id']}/outlook", asked, 200)
    hint = post(server, f"/api/matches/{alone['id']}/hint", asked, 200)
    assert hint["action"] in [offer["action"] for offer in outlook["legal"]]
    both = server.make("khet", HERE, {"kind": "open"})
    asked = {"tokens": [both["seats"][0]["token"]], "seat": 0}
    assert post(server, f"/api/matches/{both['id']}/outlook", asked, 403)["code"] == "not_yours"


@pytest.mark.parametrize("id", SECRET)
def test_of_a_game_with_secrets_nothing_is_told_before_its_end_or_after(server: Server, id: str) -> None:
    """No state, no view in bytes, no numbers: not to who plays alone, not of a start, not when it is over."""
    made = server.make(id, HERE, COMPUTER, options=SMALL if id == "chartichaud" else {"seats": 2})
    token = made["seats"][0]["token"]
    refused = [
        post(server, f"/api/matches/{made['id']}/outlook", {"tokens": [token], "seat": 0}, 409),
        get(server, f"/api/matches/{made['id']}/outlooks", 409),
        place(server, 409, match=made["id"]),
        place(server, 409, game=id, start={}),
        post(server, "/api/positions/words", {"match": made["id"], "numbers": ["0"]}, 409),
        post(server, "/api/positions/thought", {"match": made["id"]}, 409),
    ]
    resign(server, made)
    refused += [get(server, f"/api/matches/{made['id']}/outlooks", 409), place(server, 409, match=made["id"])]
    assert {problem["code"] for problem in refused} == {"secret"}
    assert all(set(problem) == {"code", "words", "field"} for problem in refused), refused
