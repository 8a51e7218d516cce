"""The lobby: starts looked at, matches played again, forked, recorded and replayed; and what stays on the server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from quincunx.core.options import settle
from quincunx.games import load
from quincunx.match import decode, replay
from quincunx.server.records import LONGEST_RECORD
from test_server import COMPUTER, HERE, OPEN, Server

pytestmark = pytest.mark.slow  # left out of `make check`

BOB = {**HERE, "name": "Bob"}
PROGRAM = {"kind": "program", "name": "bot"}
SMALL = {"width": 8, "height": 6}
WINNING = "abababa"  # the first player has four in column a


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("lobby"))
    running.start()
    yield running
    running.kill()


def get(server: Server, path: str, status: int = 200, **more: Any) -> Any:
    answer = httpx.get(server.url(path), timeout=60, **more)
    assert answer.status_code == status, answer.text
    return answer.json()


def post(server: Server, path: str, body: Any, status: int = 201, **more: Any) -> Any:
    answer = httpx.post(server.url(path), json=body, timeout=60, **more)
    assert answer.status_code == status, answer.text
    return answer.json()


def tokens_of(made: dict[str, Any]) -> list[str]:
    return [held["token"] for held in made["seats"]]


def play(server: Server, made: dict[str, Any], moves: str = WINNING) -> None:
    client = server.sit(made["id"], *tokens_of(made))
    for n, column in enumerate(moves):
        assert client.play(f"m{n}", n % 2, column)["type"] == "accepted"


def resign(server: Server, made: dict[str, Any], seat: int = 0) -> None:
    client = server.sit(made["id"], *tokens_of(made))
    client.send(type="look", seat=seat)
    client.send(type="ask", seat=seat, what="resign")
    while client.now()["outcome"] is None:
        client.receive()


# -- starts and lists -----------------------------------------------------------------------------------------------


def test_games_say_who_can_be_played_against(server: Server) -> None:
    for shown in get(server, "/api/games"):
        game = load(shown["card"]["id"])
        others = game.seats(game.new()) - 1
        for player in shown["players"]:
            seats = [HERE, *[{"kind": "computer", "player": player["spec"]}] * others]
            assert server.make(game.card.id, *seats)["id"] and player["label"]["fr"]


def test_lengths_are_short_normal_and_long_and_one_is_the_size_of_the_rules(server: Server) -> None:
    usual = {}
    for shown in get(server, "/api/games"):
        game = load(shown["card"]["id"])
        lengths = shown["lengths"]
        if not lengths:
            continue
        assert [each["name"] for each in lengths] == ["short", "normal", "long"]
        assert all(each["text"]["fr"] and each["text"]["en"] for each in lengths)
        (usual[game.card.id],) = (each for each in lengths if each["usual"])
        sizes = [
            None if each["setup"] else settle(game.options, game.presets, None, each["options"]) for each in lengths
        ]
        assert settle(game.options, game.presets, None, {}) in sizes
        for each in lengths:
            start = {"setup": each["setup"], "options": each["options"]}
            seats = post(server, f"/api/games/{game.card.id}/preview", start, 200)["seats"]
            assert server.make(game.card.id, *[HERE] * seats, **start)["id"]
    assert {id: each["setup"] for id, each in usual.items() if each["setup"]} == {
        "casus_belli": "pit",
        "chartichaud": "duel",
    }
    assert {id: each["name"] for id, each in usual.items()} == {
        "casus_belli": "short",
        "chartichaud": "short",
        "cultist": "normal",
        "garden": "normal",
    }


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("options.seats", {"options": {"seats": 101}}),
        ("options.order", {"options": {"order": "any"}}),
        ("seats", {"options": {"seats": 3}}),
        ("clock", {"options": {"seats": 2}, "clock": {"kind": "fischer", "base": 0, "turn": 5000}}),
        ("name", {"options": {"seats": 2}, "seats": [HERE, {"kind": "here", "name": "\t"}]}),
    ],
)
def test_a_refusal_says_which_field_of_a_form_it_is_about(server: Server, field: str, wrong: dict[str, Any]) -> None:
    told = post(server, "/api/matches", {"game": "casus_belli", "seats": [HERE, HERE], **wrong}, 400)
    assert told["field"] == field and told["words"]["fr"] and told["words"]["en"]


@pytest.mark.parametrize("player", ["mcts:time=61", "alphabeta:time=1,threads=2", "alphabeta:table=65", "deep thought"])
def test_a_computer_may_not_be_asked_for_more_than_is_there_for_all(server: Server, player: str) -> None:
    wanted = {"game": "khet", "seats": [HERE, {"kind": "computer", "player": player}]}
    assert post(server, "/api/matches", wanted, 400)["code"] == "unreadable"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"seats": [{"kind": "person"}, HERE]}, "seats[0].kind: expected one of computer, here, open, program."),
        ({"seats": [HERE, HERE], "clock": {"kind": "egg"}}, "clock"),
    ],
)
def test_what_may_stand_in_a_request_is_told(server: Server, wrong: dict[str, Any], told: str) -> None:
    words = post(server, "/api/matches", {"game": "khet", **wrong}, 400)["words"]
    assert told in words["en"] and "person" not in words["en"]


def test_a_preview_is_what_the_public_will_see(server: Server) -> None:
    khet = load("khet")
    text = khet.setups[1].text
    shown = post(server, "/api/games/khet/preview", {"text": text}, 200)
    made = server.make("khet", HERE, BOB, text=text)
    assert shown == get(server, f"/api/matches/{made['id']}/look")
    assert shown["seats"] == 2 and shown["shown"] == server.sit(made["id"]).now()["shown"]
    refused = post(server, "/api/games/khet/preview", {"text": "xS"}, 400)
    assert refused["words"]["fr"] and refused["words"]["en"]


def test_a_preview_shows_the_map_and_a_match_on_it_hides_it(server: Server) -> None:
    start = {"setup": "duel", "options": {"turns": 40}}
    places = post(server, "/api/games/chartichaud/preview", start, 200)["shown"]["places"]
    assert len(places) == 49 and {stack["owner"] for place in places for stack in place["stacks"]} == {0, 1}
    made = server.make("chartichaud", HERE, BOB, **start)
    assert get(server, f"/api/matches/{made['id']}/look")["shown"]["places"] == []
    assert len(server.sit(made["id"], made["seats"][0]["token"]).now()["shown"]["places"]) == 9


def test_a_list_has_only_what_is_public_and_goes_on_where_it_stopped(server: Server) -> None:
    public = [server.make("cultist", HERE, OPEN, public=True) for _ in range(3)]
    private = server.make("cultist", HERE, OPEN)
    found = get(server, "/api/matches?game=cultist&status=open&limit=2")
    found += get(server, f"/api/matches?game=cultist&status=open&limit=2&before={found[-1]['id']}")
    assert {each["id"] for each in found} >= {each["id"] for each in public}
    assert private["id"] not in {each["id"] for each in found}
    assert {each["code"] for each in found} >= {each["code"] for each in public}
    alone = get(server, f"/api/matches/{private['code'].lower()}")
    assert (alone["id"], alone["code"], alone["kinds"]) == (private["id"], None, ["person", "open"])
    assert "token" not in json.dumps(found) and "seed" not in json.dumps(found)


def test_a_program_holds_its_seat_with_a_token(server: Server) -> None:
    made = server.make("connect_four", HERE, {"kind": "program", "name": "bot"})
    person, program = (server.sit(made["id"], token) for token in tokens_of(made))
    assert person.play("m", 0, "d")["type"] == "accepted"
    assert program.play("m", 1, "d")["type"] == "accepted"
    shown = get(server, f"/api/matches/{made['id']}")
    assert (shown["kinds"], shown["programs"]) == (["person", "program"], [1])


def test_nobody_chooses_the_map_that_another_must_not_know(server: Server) -> None:
    for other in (OPEN, PROGRAM):
        body = {"game": "chartichaud", "seats": [HERE, other], "seed": 4}
        assert post(server, "/api/matches", body, 400)["code"] == "seed"
    server.make("chartichaud", HERE, COMPUTER, seed=4)  # with computers alone, a seed is one's own affair


def told(server: Server, made: dict[str, Any]) -> tuple[bool, bool]:
    """Is it said before one joins, and at the table?"""
    return get(server, f"/api/matches/{made['id']}")["start_known"], server.sit(made["id"]).welcome["start_known"]


def test_who_joins_is_told_that_the_other_may_know_the_map(server: Server) -> None:
    drawn = server.make("chartichaud", HERE, OPEN, options=SMALL)
    assert told(server, drawn) == (False, False)
    duel = load("chartichaud").setups[0].text
    for other in (OPEN, PROGRAM):
        assert told(server, server.make("chartichaud", HERE, other, text=duel)) == (True, True)
    assert told(server, server.make("chartichaud", HERE, COMPUTER, text=duel)) == (False, False)
    assert told(server, server.make("khet", HERE, OPEN, text=load("khet").setups[0].text)) == (False, False)


def test_a_map_that_was_seen_in_an_earlier_match_is_known(server: Server) -> None:
    made = server.make("chartichaud", HERE, COMPUTER, options=SMALL)
    resign(server, made)
    path = f"/api/matches/{made['id']}/fork"
    assert told(server, post(server, path, {"at": 0, "seats": [HERE, COMPUTER]})) == (False, False)
    forked = post(server, path, {"at": 0, "seats": [HERE, PROGRAM]})
    assert told(server, forked) == (True, True)
    record = record_of(server, made["id"])
    brought = httpx.post(server.url("/api/records"), content=record, headers={"Content-Type": "application/json"})
    path = f"/api/matches/{brought.json()['id']}/fork"
    assert told(server, post(server, path, {"at": 0, "seats": [HERE, OPEN]})) == (True, True)


def test_a_rematch_on_a_written_map_is_as_known_as_the_match_before(server: Server) -> None:
    made = server.make("chartichaud", HERE, PROGRAM, text=load("chartichaud").setups[0].text)
    resign(server, made)
    again = post(server, f"/api/matches/{made['id']}/rematch", {"tokens": tokens_of(made)})
    assert told(server, again) == (True, True)


# -- again ----------------------------------------------------------------------------------------------------------


def test_a_rematch_rotates_the_seats_and_the_tokens_hold(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    path = f"/api/matches/{made['id']}/rematch"
    ada, bob = tokens_of(made)
    assert post(server, path, {"tokens": [ada]}, 409)["code"] == "running"
    play(server, made)
    assert post(server, path, {"tokens": ["stranger"]}, 403)["code"] == "not_yours"
    first, second = (post(server, path, {"tokens": [token]}) for token in (bob, ada))
    assert first["id"] == second["id"] != made["id"]
    assert (first["seats"], second["seats"]) == ([{"seat": 0, "token": bob}], [{"seat": 1, "token": ada}])
    assert get(server, f"/api/matches/{first['id']}")["names"] == ["Bob", "Ada"]
    one = server.sit(first["id"], bob)
    server.sit(first["id"], ada)
    while any(seat["kind"] == "awaited" for seat in one.now()["seats"]):
        one.receive()
    assert one.play("m", 0, "d")["type"] == "accepted"


def test_a_rematch_starts_no_clock_before_everybody_has_come(server: Server) -> None:
    """Who has come is stored: a restart changes nothing."""
    clock = {"kind": "fischer", "base": 3_600_000, "turn": 1000}
    made = server.make("connect_four", HERE, BOB, clock=clock, public=True)
    ada, bob = tokens_of(made)
    resign(server, made)
    again = post(server, f"/api/matches/{made['id']}/rematch", {"tokens": [bob]})["id"]
    waiting = server.sit(again, bob)
    assert waiting.play("early", 0, "d")["code"] == "not_begun"
    server.kill()
    server.start()
    waiting = server.sit(again, bob)
    seen = waiting.now()
    assert seen["clocks"] == [3_600_000, 3_600_000]
    assert [seat["kind"] for seat in seen["seats"]] == ["person", "awaited"]
    assert get(server, f"/api/matches/{again}")["status"] == "open"
    assert again not in [match["id"] for match in get(server, "/api/matches?status=open")]  # nobody else may come
    time.sleep(0.3)  # so long one waits, and it costs nothing
    server.sit(again, ada)
    while any(seat["kind"] == "awaited" for seat in waiting.now()["seats"]):
        waiting.receive()
    assert waiting.now()["clocks"] == [3_600_000, 3_600_000]
    assert waiting.play("now", 0, "d")["type"] == "accepted"
    assert get(server, f"/api/matches/{again}")["status"] == "playing"


def test_computers_rotate_too_and_begin(server: Server) -> None:
    made = server.make("connect_four", HERE, COMPUTER)
    resign(server, made)
    again = post(server, f"/api/matches/{made['id']}/rematch", {"tokens": tokens_of(made)})
    assert [held["seat"] for held in again["seats"]] == [1]
    client = server.sit(again["id"], *tokens_of(again))
    while client.now()["to_act"] != [1]:  # the computer has begun
        client.receive()


@pytest.mark.parametrize("game, drawn", [("garden", {}), ("khet", {"text": load("khet").setups[2].text})])
def test_a_start_that_was_drawn_is_drawn_anew_and_a_written_one_stays(
    server: Server, game: str, drawn: dict[str, Any]
) -> None:
    made = server.make(game, HERE, BOB, **drawn)
    before = decode(httpx.get(server.url(f"/api/matches/{made['id']}/record")).content)
    resign(server, made)
    again = post(server, f"/api/matches/{made['id']}/rematch", {"tokens": tokens_of(made)})
    after = decode(httpx.get(server.url(f"/api/matches/{again['id']}/record")).content)
    assert (before.start == after.start) == bool(drawn)


def test_a_fork_keeps_the_first_actions(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    play(server, made)
    path = f"/api/matches/{made['id']}/fork"
    forked = post(server, path, {"at": 4, "seats": [HERE, BOB]})
    client = server.sit(forked["id"], *tokens_of(forked))
    assert client.now()["shown"]["count"] == 4 and client.now()["to_act"] == [0]
    assert client.play("m", 0, "g")["type"] == "accepted"
    record = decode(httpx.get(server.url(f"/api/matches/{forked['id']}/record")).content)
    assert replay(record).length == 5
    assert [entry.action for entry in record.entries if hasattr(entry, "action")] == list("ababg")
    assert post(server, path, {"at": 7, "seats": [HERE, BOB]}, 409)["code"] == "over"
    assert post(server, path, {"at": 8, "seats": [HERE, BOB]}, 400)["code"] == "unreadable"
    assert post(server, path, {"at": 4, "seats": [HERE]}, 400)["code"] == "unreadable"


def test_a_fork_knows_nothing_of_what_was_taken_back(server: Server) -> None:
    made = server.make("connect_four", HERE, COMPUTER)
    client = server.sit(made["id"], *tokens_of(made))
    assert client.play("m", 0, "a")["type"] == "accepted"
    while client.now()["shown"]["count"] != 2:
        client.receive()
    client.send(type="ask", seat=0, what="take_back")
    while client.now()["shown"]["count"] != 0:
        client.receive()
    assert client.play("n", 0, "g")["type"] == "accepted"
    body = {"at": 1, "seats": [HERE, BOB], "tokens": tokens_of(made)}
    forked = post(server, f"/api/matches/{made['id']}/fork", body)
    record = decode(httpx.get(server.url(f"/api/matches/{forked['id']}/record")).content)
    assert [entry.action for entry in record.entries if hasattr(entry, "action")] == ["g"]


@pytest.mark.parametrize("other", [BOB, OPEN, PROGRAM])
def test_a_running_match_against_another_is_not_forked(server: Server, other: dict[str, Any]) -> None:
    """Or whoever wants a hint would fork it, and ask there."""
    made = server.make("connect_four", HERE, other)
    path = f"/api/matches/{made['id']}/fork"
    for tokens in ([], tokens_of(made)[:1]):
        body = {"at": 0, "seats": [HERE, COMPUTER], "tokens": tokens}
        assert post(server, path, body, 409)["code"] == "running"


def test_who_plays_both_sides_may_fork_the_running_match(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    body = {"at": 0, "seats": [HERE, COMPUTER], "tokens": tokens_of(made)}
    assert post(server, f"/api/matches/{made['id']}/fork", body)["id"] != made["id"]


# -- hints ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game, more", [("connect_four", {}), ("chartichaud", {"options": SMALL})])
def test_who_plays_alone_gets_a_hint(server: Server, game: str, more: dict[str, Any]) -> None:
    made = server.make(game, HERE, COMPUTER, **more)
    tokens = tokens_of(made)
    hint = post(server, f"/api/matches/{made['id']}/hint", {"tokens": tokens, "seat": 0}, 200)
    client = server.sit(made["id"], *tokens)
    assert client.play("m", 0, hint["action"])["type"] == "accepted"


@pytest.mark.parametrize("other, status", [(BOB, 403), (OPEN, 403), (PROGRAM, 403), (COMPUTER, 200)])
def test_there_is_no_help_against_another(server: Server, other: dict[str, Any], status: int) -> None:
    made = server.make("connect_four", HERE, other)
    body = {"tokens": tokens_of(made)[: 2 if other is PROGRAM else 1], "seat": 0}
    post(server, f"/api/matches/{made['id']}/hint", body, status)
    stranger = {"tokens": ["stranger"], "seat": 0}
    assert post(server, f"/api/matches/{made['id']}/hint", stranger, 403)["code"] == "not_yours"


# -- records --------------------------------------------------------------------------------------------------------


def record_of(server: Server, id: str) -> bytes:
    answer = httpx.get(server.url(f"/api/matches/{id}/record"))
    assert answer.status_code == 200 and "attachment" in answer.headers["content-disposition"]
    return answer.content


def test_a_seed_is_told_when_the_match_is_over(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB, seed=77)
    assert decode(record_of(server, made["id"])).seed is None
    play(server, made)
    assert decode(record_of(server, made["id"])).seed == 77


def test_a_record_goes_out_and_comes_in(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    play(server, made)
    record = record_of(server, made["id"])
    answer = httpx.post(server.url("/api/records"), content=record)
    assert answer.status_code == 201
    shown = get(server, f"/api/matches/{answer.json()['id']}")
    assert (shown["status"], shown["outcome"]["ranks"], shown["names"]) == ("over", [1, 2], ["Ada", "Bob"])
    assert record_of(server, answer.json()["id"]) == record


def test_an_unfinished_record_is_forked_and_goes_on(server: Server) -> None:
    made = server.make("garden", HERE, BOB)
    id = httpx.post(server.url("/api/records"), content=record_of(server, made["id"])).json()["id"]
    assert get(server, f"/api/matches/{id}")["status"] == "over"
    total = get(server, f"/api/matches/{id}/replay")["total"]
    forked = post(server, f"/api/matches/{id}/fork", {"at": total - 1, "seats": [HERE, BOB]})
    client = server.sit(forked["id"], *tokens_of(forked))
    seat = client.now()["to_act"][0]
    client.send(type="look", seat=seat)
    while not client.now()["legal"]:
        client.receive()
    assert client.play("m", seat, client.now()["legal"][0])["type"] == "accepted"


def broken(record: dict[str, Any]) -> Iterator[bytes]:
    entry = record["entries"][0]
    changes: tuple[dict[str, Any], ...] = (
        {"seed": 2**70},
        {"seed": -1},
        {"outcome": None},
        {"seats": []},
        {"start": "\0"},
        {"game": "chess"},
        {"rules": 99},
        {"seats": [{"name": "\0"}, {"name": "Bob"}]},
        {"seats": [{"name": "x" * 1000}, {"name": "Bob"}]},
        {"options": {"speed": 1}},
        {"entries": [{**entry, "at": 2**70}]},
        {"entries": [{**entry, "at": -1}]},
        {"entries": [{**entry, "action": "z"}]},
        {"entries": [{**entry, "seat": 2**70}]},
        {"entries": [{**entry, "digest": "0" * 16}]},
        {"entries": [{"kind": "event", "event": "take_back", "at": 0, "kept": -5}]},
    )
    for change in changes:
        yield json.dumps({**record, **change}).encode()
    yield from (b"", b"[]", b"\xff", b"{" * 100_000, b"null", b'"\\ud800"')


def test_a_record_that_does_not_hold_is_not_stored(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    play(server, made)
    before = len(get(server, "/api/matches?game=connect_four&status=over"))
    for data in broken(json.loads(record_of(server, made["id"]))):
        answer = httpx.post(server.url("/api/records?public=true"), content=data)
        assert answer.status_code in (400, 409), (data[:200], answer.text)
        assert answer.json()["words"]["fr"]
    long = httpx.post(server.url("/api/records?public=true"), content=b" " * (LONGEST_RECORD + 1))
    assert long.status_code == 413 and long.json()["code"] == "too_long"
    assert len(get(server, "/api/matches?game=connect_four&status=over")) == before


# -- replays --------------------------------------------------------------------------------------------------------


def test_a_replay_is_the_match_frame_by_frame_in_pages_of_any_size(server: Server) -> None:
    made = server.make("khet", HERE, COMPUTER)
    client = server.sit(made["id"], *tokens_of(made))
    watched = [client.now()["shown"]]
    for n in range(3):
        while client.now()["to_act"] != [0]:
            client.receive()
        seen = len(client.updates)
        assert client.play(f"m{n}", 0, client.now()["legal"][n])["type"] == "accepted"
        while len(client.updates) == seen:
            client.receive()
    resign(server, made)
    whole = get(server, f"/api/matches/{made['id']}/replay?seat=0")
    assert whole["total"] == len(whole["frames"]) >= 6 and whole["names"] == ["Ada", "greedy"]
    assert whole["frames"][0]["shown"] == watched[0] and whole["frames"][0]["action"] is None
    assert [frame["n"] for frame in whole["frames"]] == list(range(whole["total"]))
    assert all(frame["story"] for frame in whole["frames"][1:])
    for size in (1, 2, 5):
        pages = range(0, whole["total"], size)
        parts = [get(server, f"/api/matches/{made['id']}/replay?seat=0&from={n}&count={size}") for n in pages]
        assert [frame for part in parts for frame in part["frames"]] == whole["frames"]
    entries = json.loads(record_of(server, made["id"]))["entries"]
    assert [f["digest"] for f in whole["frames"][1:]] == [e["digest"] for e in entries if e["kind"] == "action"]
    assert get(server, f"/api/matches/{made['id']}/replay?from=1000")["frames"] == []


@pytest.mark.parametrize("seat", [-1, -3, 2, 99, 10**30, "x"])
def test_nobody_else_has_eyes(server: Server, seat: object) -> None:
    made = server.make("connect_four", HERE, BOB)
    play(server, made)
    get(server, f"/api/matches/{made['id']}/replay?seat={seat}", 400)


def test_a_match_with_secrets_tells_them_when_it_is_over(server: Server) -> None:
    made = server.make("chartichaud", HERE, BOB, options=SMALL)
    id, seats = made["id"], [HERE, BOB]
    assert get(server, f"/api/matches/{id}/replay", 409)["code"] == "running"
    assert get(server, f"/api/matches/{id}/replay?seat=0", 409)["code"] == "running"
    assert get(server, f"/api/matches/{id}/record", 409)["code"] == "running"
    assert post(server, f"/api/matches/{id}/fork", {"at": 0, "seats": seats}, 409)["code"] == "running"
    hint = {"tokens": tokens_of(made)[:1], "seat": 0}
    assert post(server, f"/api/matches/{id}/hint", hint, 403)["code"] == "not_yours"
    resign(server, made)
    mine, theirs, public = (get(server, f"/api/matches/{id}/replay?seat={n}")["frames"] for n in (0, 1, -2))
    assert mine[0]["shown"] != theirs[0]["shown"] != public[0]["shown"]
    assert replay(decode(record_of(server, id))).over
    assert post(server, f"/api/matches/{id}/fork", {"at": 0, "seats": seats})["id"] != id


def test_an_open_match_is_replayed_while_it_runs_as_the_public_sees_it(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    play(server, made, "ab")
    assert get(server, f"/api/matches/{made['id']}/replay")["total"] == 3
    assert get(server, f"/api/matches/{made['id']}/replay?seat=0", 409)["code"] == "running"


# -- every answer ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method, path, status",
    [
        ("GET", "/", 200),
        ("GET", "/nowhere", 404),
        ("GET", "/api/games", 200),
        ("GET", "/api/nothing", 404),
        ("GET", "/api/matches/none", 404),
        ("GET", "/api/matches/no%00ne", 400),
        ("GET", "/api/matches/%F0%9F%8E%B2", 400),
        ("GET", "/api/matches?limit=100000000000000000000", 400),
        ("GET", "/api/matches?before=%00", 400),
        ("DELETE", "/api/games", 405),
        ("POST", "/api/matches", 400),
        ("POST", "/api/games/chess/preview", 400),
        ("GET", "/schema/openapi.json", 200),
    ],
)
def test_every_answer_is_guarded_and_says_what_it_is(server: Server, method: str, path: str, status: int) -> None:
    answer = httpx.request(method, server.url(path))
    assert answer.status_code == status
    assert "script-src 'self' 'wasm-unsafe-eval';" in answer.headers["content-security-policy"]
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    if status >= 400 and path != "/nowhere":
        assert set(answer.json()) == {"code", "field", "words"} and set(answer.json()["words"]) == {"fr", "en"}
        assert answer.headers["cache-control"] == "no-store"


def test_a_page_of_another_site_changes_nothing(server: Server) -> None:
    evil = {"Origin": "http://evil.example"}
    body = {"game": "connect_four", "seats": [HERE, BOB]}
    assert post(server, "/api/matches", body, 403, headers=evil)["code"] == "other_site"
    assert post(server, "/api/matches", body, 201, headers={"Origin": server.url("")})


# -- how it ends ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "takes"), [("d", True), ("a", False)])
def test_a_computer_answers_the_offer_of_a_draw(server: Server, first: str, takes: bool) -> None:
    """It looks one move ahead: after the best first stone it is not better, after the worst it is."""
    made = server.make("connect_four", HERE, {"kind": "computer", "player": "alphabeta:depth=1"})
    ada = server.sit(made["id"], *tokens_of(made))
    ada.play("m", 0, first)
    while ada.now()["shown"]["count"] < 2:  # it has answered
        ada.receive()
    ada.send(type="ask", seat=0, what="draw")
    while (now := ada.now())["outcome"] is None and now["draw_declined"] is None:
        ada.receive()
    if takes:
        assert now["outcome"]["reason"] == "draw"
        assert now["why"] == {"fr": "La nulle a été acceptée.", "en": "A draw was agreed."}
    else:
        assert (now["draw_declined"], now["draw_offers"]) == (1, [])
        ada.play("on", 0, "b")
        while ada.now()["draw_declined"] is not None:  # told until somebody acts
            ada.receive()


def test_a_match_that_is_over_says_why(server: Server) -> None:
    made = server.make("connect_four", HERE, BOB)
    play(server, made)
    assert server.sit(made["id"]).now()["why"]["en"] == "Yellow has four in a row."
    made = server.make("connect_four", HERE, BOB)
    resign(server, made, 1)
    assert server.sit(made["id"]).now()["why"]["fr"] == "Bob abandonne."


def test_a_server_without_a_class_has_none(server: Server) -> None:
    for path, body in (("teacher", {"token": ""}), ("join", {"code": "ABCDEF", "name": "Ada"})):
        answer = httpx.post(server.url(f"/api/classroom/{path}"), json=body, timeout=60)
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_class")
