"""All that is kept of somebody, and what is left of them, and of others, when they are forgotten."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from quincunx.server.fairness import is_computer, is_nobodys
from quincunx.store import StoredSeat
from test_server import OPEN, Server
from test_server_people import HERE, Person, rated_match, resign
from test_server_studies import ROOT, START

pytestmark = pytest.mark.slow  # left out of `make check`

STUDY = {"name": "Lines", "place": START, "tree": [ROOT]}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("forgotten"))
    server.start()
    yield server
    server.kill()


def test_all_that_is_kept_can_be_taken_along(server: Server) -> None:
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    ada.ask("POST", "/api/people/me/friends", json={"code": bob.me()["friend_code"]})
    ada.ask("POST", "/api/people/me/favourites", json={"game": "khet", "setup": "classic"})
    text = httpx.get(server.url("/api/games")).json()
    khet = next(game for game in text if game["card"]["id"] == "khet")["setups"][0]["text"]
    ada.ask("POST", "/api/setups", 201, json={"game": "khet", "name": "Mine", "text": khet})
    kept = ada.ask("POST", "/api/studies", 201, json=STUDY)
    _, first, _, seat = rated_match(server, ada, bob)
    resign(first, seat)
    everything = ada.ask("GET", "/api/people/me/export")
    assert everything["person"]["name"] == ada.name and everything["person"]["friends"] == [bob.name]
    assert everything["person"]["favourites"][0]["setup"] == "classic"
    assert [line["result"] for line in everything["history"]] == ["loss"]
    assert everything["ratings"][0]["mu"] < 1500 and everything["setups"][0]["text"] == khet.strip("\n")
    (line,) = everything["studies"]
    assert (line["id"], line["name"], line["tree"]) == (kept["id"], "Lines", [ROOT]) and "owner" not in line
    assert ada.key not in str(everything) and bob.key not in str(everything)


def test_who_is_forgotten_has_never_been_there(server: Server) -> None:
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    id, first, _, seat = rated_match(server, ada, bob)
    resign(first, seat)
    kept = ada.ask("POST", "/api/studies", 201, json=STUDY)
    under_way = ada.make(HERE, OPEN)
    bob.join(under_way)
    watching = server.sit(under_way["id"], bob.key)
    assert watching.now()["seats"][0]["name"] == ada.name
    ada.ask("DELETE", "/api/people/me", 204)
    assert ada.refused("GET", "/api/people/me") == "no_person"
    assert bob.refused("GET", f"/api/studies/{kept['id']}") == "no_such_study"
    while not watching.now()["outcome"] or watching.now()["seats"][0]["name"]:
        watching.receive()  # given up, and the seat is nobody's
    for path in (f"/api/matches/{id}", f"/api/matches/{id}/record", f"/api/matches/{under_way['id']}/people"):
        assert ada.name not in bob.http("GET", path).text
    line = next(line for line in bob.history() if line["match"] == id)
    assert line["result"] == "win" and line["rated"] and ada.name not in line["names"] and "" in line["names"]
    assert server.sit(id, ada.key).welcome["yours"] == []  # the old key holds nothing
    ada.ask("POST", "/api/people", json={"name": ada.name})  # as somebody new
    assert ada.history() == []


def test_who_forgets_a_rated_match_has_lost_it(server: Server) -> None:
    """And the other has won: their win is counted before one of the two is nobody."""
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    id, *_ = rated_match(server, ada, bob)
    ada.ask("DELETE", "/api/people/me", 204)
    (line,) = bob.history()
    assert (line["match"], line["result"], line["rated"]) == (id, "win", True) and line["rating"] > 1500
    assert bob.me()["standings"][0]["rating"]["value"] > 1500


def test_nobody_plays_again_against_who_was_forgotten(server: Server) -> None:
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    id, first, _, seat = rated_match(server, ada, bob)
    resign(first, seat)
    ada.ask("DELETE", "/api/people/me", 204)
    answer = bob.http("POST", f"/api/matches/{id}/rematch", json={"tokens": [bob.key]})
    assert (answer.status_code, answer.json()["code"]) == (409, "nobody")
    assert httpx.get(server.url(f"/api/matches/{id}")).json()["status"] == "over"


def test_the_seat_of_who_was_forgotten_is_no_computer_s() -> None:
    kept, program = StoredSeat("awaited", "", "person"), StoredSeat("awaited", "random", "bot:random")
    assert is_nobodys(kept) and not is_computer(kept)
    assert is_computer(program) and not is_nobodys(program)
    assert not is_nobodys(StoredSeat("open", "")) and not is_nobodys(StoredSeat("person", "Ada", token_hash="h"))
