"""People on a real server: a name and a key, what counts and what does not, opponents, and friends."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from postgres import Cluster
from quincunx.games import cards
from quincunx.match.clock import ClockRule
from quincunx.server.people import finished, rate, result_of
from quincunx.server.seeking import CLOCKS, WIDENING, candidates, listed, reach
from quincunx.server.showcase import Show, show
from quincunx.store import StoredMatch, StoredSeat
from quincunx.store.ratings import Finished, StoredRating
from quincunx.store.seeks import Seek, Wanted
from test_server import COMPUTER, OPEN, Client, Server

pytestmark = pytest.mark.slow  # left out of `make check`

CLOCK = {"kind": "fischer", "base": 600_000, "turn": 10_000}
HERE = {"kind": "here", "name": "whatever"}
SOUGHT = {"game": "connect_four", "clock": CLOCK, "rated": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("people"))
    server.start()
    yield server
    server.kill()


class Person:
    """A browser with a key, which its owner has given a name, or not."""

    def __init__(self, server: Server, name: str | None = None, key: str | None = None) -> None:
        self.server, self.name = server, f"{name} {secrets.token_hex(3)}" if name else ""
        self.key = key or secrets.token_hex(16)
        if name:
            self.ask("POST", "/api/people", json={"name": self.name})

    def http(self, method: str, path: str, **more: Any) -> httpx.Response:
        return httpx.request(method, self.server.url(path), headers={"X-Owner": self.key}, timeout=60, **more)

    def ask(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        answer = self.http(method, path, **more)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def refused(self, method: str, path: str, **more: Any) -> str:
        answer = self.http(method, path, **more)
        assert answer.status_code >= 400
        return str(answer.json()["code"])

    def make(self, *seats: dict[str, Any], game: str = "connect_four", **more: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.ask("POST", "/api/matches", 201, json={"game": game, "seats": seats, **more})
        return made

    def join(self, made: dict[str, Any]) -> dict[str, Any]:
        held: dict[str, Any] = self.ask("POST", f"/api/matches/{made['id']}/join", 201, json={"name": "x"})
        return held

    def me(self) -> dict[str, Any]:
        me: dict[str, Any] = self.ask("GET", "/api/people/me")
        return me

    def history(self) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = self.ask("GET", "/api/people/me/history")
        return lines


def rated_match(server: Server, one: Person, two: Person) -> tuple[str, Client, Client, int]:
    """Both have come; the number is the seat of the first."""
    made = one.make(HERE, OPEN, clock=CLOCK, rated=True)
    two.join(made)
    clients = [server.sit(made["id"], each.key) for each in (one, two)]
    return made["id"], clients[0], clients[1], int(made["seats"][0]["seat"])


def resign(client: Client, seat: int) -> None:
    client.send(type="ask", seat=seat, what="resign")
    while not client.now()["outcome"]:
        client.receive()


# -- who one is -----------------------------------------------------------------------------------------------------


def test_a_name_and_a_key_make_a_person(server: Server) -> None:
    ada = Person(server, "Ada")
    assert ada.me()["name"] == ada.name and ada.me()["standings"] == []
    stranger = Person(server)
    assert stranger.refused("GET", "/api/people/me") == "no_person"
    assert stranger.refused("POST", "/api/people", json={"name": ada.name.upper()}) == "name_taken"
    assert stranger.refused("POST", "/api/people", json={"name": "<script>"}) == "unreadable"
    assert httpx.get(server.url("/api/people/me")).json()["code"] == "no_owner"


def test_a_seat_is_held_by_the_key_on_every_device_and_nobody_else_is_told_it(server: Server) -> None:
    ada = Person(server, "Ada")
    made = ada.make(HERE, OPEN, public=True)
    assert made["seats"] == [{"seat": 0, "token": ada.key}]
    other_device = Person(server, key=ada.key)
    (playing,) = other_device.me()["playing"]
    assert (playing["match"], playing["seat"]) == (made["id"], 0)
    stranger = Person(server)
    held = stranger.join(made)
    client, theirs = server.sit(made["id"], ada.key), server.sit(made["id"], held["token"])
    assert client.welcome["yours"] == [0] and theirs.welcome["yours"] == [1]
    assert client.now()["seats"][0]["name"] == ada.name
    told = [httpx.get(server.url(path)).text for path in ("/api/matches", f"/api/matches/{made['id']}/people")]
    told += [str(theirs.updates), str(theirs.welcome), stranger.http("GET", "/api/seeks").text]
    assert not any(ada.key in each for each in told)
    client.connection.close()
    theirs.connection.close()


def test_several_at_one_screen_are_nobody_in_particular(server: Server) -> None:
    ada = Person(server, "Ada")
    made = ada.make(HERE, {"kind": "here", "name": "Bob"})
    assert ada.key not in [each["token"] for each in made["seats"]] and ada.me()["playing"] == []


def test_another_device_gets_the_key_behind_the_address(server: Server) -> None:
    ada = Person(server, "Ada")
    device = ada.ask("POST", "/api/people/me/device")
    address, _, secret = device["link"].partition("#")
    assert secret == f"key={ada.key}" and ada.key not in address and device["qr"].startswith("<?xml")
    assert Person(server).refused("POST", "/api/people/me/device") == "no_person"


# -- what counts ----------------------------------------------------------------------------------------------------


def test_a_rated_match_moves_both_ratings_and_both_histories(server: Server) -> None:
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    id, first, second, seat = rated_match(server, ada, bob)
    assert first.welcome["rated"] and httpx.get(server.url(f"/api/matches/{id}")).json()["rated"]
    resign(second, 1 - seat)
    (mine,), (theirs,) = ada.history(), bob.history()
    assert (mine["result"], theirs["result"]) == ("win", "loss") and mine["rated"]
    assert sorted(mine["names"]) == sorted([ada.name, bob.name])
    (up,), (down,) = ada.me()["standings"], bob.me()["standings"]
    assert up["rating"]["value"] > 1500 > down["rating"]["value"] and up["matches"] == 1
    people = httpx.get(server.url(f"/api/matches/{id}/people")).json()
    assert {each["name"]: each["matches"] for each in people} == {ada.name: 1, bob.name: 1}


def test_where_it_counts_nothing_is_taken_back_and_nothing_called_off(server: Server) -> None:
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    id, first, second, seat = rated_match(server, ada, bob)
    mover = (first, second)[seat != 0]
    mover.play("a", 0, mover.now()["legal"][0])
    for what in ("take_back", "abort"):
        mover.send(type="ask", seat=0, what=what)
        assert mover.until("refused")["code"] == "counts"
    key = (ada, bob)[seat != 0].key
    plea = {"tokens": [key], "seat": 0}
    assert ada.refused("POST", f"/api/matches/{id}/hint", json=plea) == "not_yours"
    assert ada.refused("POST", f"/api/matches/{id}/fork", json={"at": 0, "seats": [HERE], "tokens": [key]}) == "running"


def test_a_rated_match_to_which_nobody_came_may_be_called_off_and_is_in_no_history(server: Server) -> None:
    ada = Person(server, "Ada")
    made = ada.make(HERE, OPEN, clock=CLOCK, rated=True)
    client = server.sit(made["id"], ada.key)
    client.send(type="ask", seat=made["seats"][0]["seat"], what="abort")
    while not client.now()["outcome"]:
        client.receive()
    assert ada.me()["standings"] == [] and ada.history() == [] and ada.me()["playing"] == []


def test_only_two_known_people_with_a_clock_and_a_usual_start_are_rated(server: Server) -> None:
    ada = Person(server, "Ada")

    def code(*seats: dict[str, Any], by: Person = ada, game: str = "connect_four", **more: Any) -> str:
        wanted = {"game": game, "seats": seats, "clock": CLOCK, "rated": True, **more}
        return by.refused("POST", "/api/matches", json=wanted)

    assert code(HERE, OPEN, by=Person(server)) == "no_person"
    assert code(HERE, COMPUTER) == code(HERE, HERE) == code(OPEN, OPEN) == "not_rated"
    assert code(HERE, OPEN, clock={"kind": "none"}) == "not_rated"
    assert code(HERE, OPEN, options={"misere": True}) == "not_rated"
    assert code(HERE, OPEN, game="khet", seed=3) == "not_rated"
    made = ada.make(HERE, OPEN, clock=CLOCK, rated=True)
    join = f"/api/matches/{made['id']}/join"
    assert Person(server).refused("POST", join, json={"name": "Eve"}) == "no_person"
    assert ada.refused("POST", join, json={"name": "Ada"}) == "yourself"


def test_a_match_against_a_computer_is_history_and_moves_no_rating(server: Server) -> None:
    ada = Person(server, "Ada")
    made = ada.make(HERE, COMPUTER)
    resign(server.sit(made["id"], ada.key), 0)
    (line,) = ada.history()
    assert (line["result"], line["rated"], line["rating"], line["names"][1]) == ("loss", False, None, "greedy")
    (standing,) = ada.me()["standings"]
    assert standing["losses"] == 1 and standing["rating"] is None


def test_what_a_crash_left_is_settled_after_the_next_start(tmp_path_factory: pytest.TempPathFactory) -> None:
    server = Server(tmp_path_factory.mktemp("crash"))
    server.start()
    ada = Person(server, "Ada")
    made = ada.make(HERE, COMPUTER)
    client = server.sit(made["id"], ada.key)
    client.send(type="ask", seat=0, what="resign")
    while not client.now()["outcome"]:
        client.receive()
    server.kill()
    server.start()
    again = Person(server, key=ada.key)
    assert [line["result"] for line in again.history()] == ["loss"] or again.me()["standings"][0]["losses"] == 1
    assert len(again.history()) == 1
    server.kill()


def test_first_alone_is_a_win_and_first_together_a_draw() -> None:
    assert [result_of([1, 2, 2], n) for n in range(3)] == ["win", "loss", "loss"]
    assert [result_of([1, 1], n) for n in range(2)] == ["draw", "draw"]


def test_ratings_move_by_what_was_to_be_expected() -> None:
    over = Finished("m", "khet", 0, True, {"a": 0, "b": 1}, {"a": "win", "b": "loss"})
    strong, weak = StoredRating("khet", 1900.0, 60.0, 50), StoredRating("khet", 1300.0, 60.0, 50)
    expected = rate(over, {"a": strong, "b": weak})["a"].mu - 1900
    surprising = rate(over, {"a": weak, "b": strong})["a"].mu - 1300
    assert 0 < expected < surprising
    drawn = Finished("m", "khet", 0, True, {"a": 0, "b": 1}, {"a": "draw", "b": "draw"})
    assert rate(drawn, {})["a"].mu == pytest.approx(1500) and rate(drawn, {})["a"].sigma < 250


def test_who_plays_against_themselves_has_won_nothing() -> None:
    from quincunx.match import Outcome

    both = (StoredSeat("person", "A", person="a"), StoredSeat("person", "A", person="a"))
    stored = StoredMatch("m", "khet", 1, {}, "", "", both, 0, status="over", outcome=Outcome("resign", [1, 2], []))
    over = finished(stored)
    assert over is not None and set(over.results.values()) == {"void"}


# -- opponents ------------------------------------------------------------------------------------------------------


def seek_for(person: str, mu: float | None, waited: float, friend: str | None = None, rated: bool = True) -> Seek:
    sigma = None if mu is None else 60.0
    wanted = Wanted("khet", CLOCKS[1], rated, friend)
    return Seek(person, person, f"hash of {person}", wanted, int(1000 * waited), mu, sigma)


def test_the_nearest_in_strength_is_met_first_and_the_far_ones_later() -> None:
    mine = seek_for("me", 1500.0, 0.0)
    near, nearer, far = seek_for("near", 1600.0, 0.0), seek_for("nearer", 1480.0, 0.0), seek_for("far", 2400.0, 0.0)
    assert [each.person for each in candidates(mine, [mine, near, nearer, far])] == ["nearer", "near"]
    patient = [seek_for(each.person, each.mu, 900 / WIDENING) for each in (mine, far)]
    assert [each.person for each in candidates(patient[0], patient)] == ["far"]
    assert candidates(mine, [patient[1]]) == []  # who came just now is not thrown before them
    assert candidates(mine, [seek_for("casual", 1500.0, 0.0, rated=False)]) == []
    assert reach(seek_for("new", None, 0.0)) > reach(mine)


def test_an_invitation_is_for_one_and_only_they_see_it() -> None:
    ada, bob, eve = seek_for("a", 1000.0, 0.0, "b"), seek_for("b", 2500.0, 0.0, "a"), seek_for("e", 1000.0, 0.0)
    assert candidates(ada, [ada, bob, eve]) == [bob] and candidates(eve, [ada, bob]) == []
    assert [each.name for each in listed([ada, eve], "b")] == ["a", "e"]
    assert listed([ada], "b")[0].invites_me and listed([ada], "e") == () == listed([ada], None)


def found(person: Person, **more: Any) -> Any:
    return person.ask("POST", "/api/seeks", json={**SOUGHT, **more})["found"]


def test_two_who_look_for_an_opponent_meet_and_play(server: Server) -> None:
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    assert found(ada) is None and ada.name in [each["name"] for each in ada.ask("GET", "/api/seeks")]
    theirs = found(bob)
    assert found(bob) == theirs  # whose answer was lost asks again, and finds nobody else
    mine = found(ada)
    assert found(ada) == mine
    assert mine["match"] == theirs["match"] and {mine["held"]["seat"], theirs["held"]["seat"]} == {0, 1}
    assert mine["held"]["token"] == ada.key and theirs["held"]["token"] == bob.key
    one, two = server.sit(mine["match"], ada.key), server.sit(mine["match"], bob.key)
    assert one.welcome["rated"] and one.welcome["yours"] == [mine["held"]["seat"]]
    while any(seat["kind"] == "awaited" for seat in one.now()["seats"]):
        one.receive()
    assert ada.ask("GET", "/api/seeks") == []
    assert found(bob) is None  # who has come to it looks for another one
    bob.ask("DELETE", "/api/seeks", 204)
    two.connection.close()


def test_who_stops_looking_is_gone(server: Server) -> None:
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    assert found(ada, game="khet") is None
    ada.ask("DELETE", "/api/seeks", 204)
    assert found(bob, game="khet") is None
    bob.ask("DELETE", "/api/seeks", 204)


def test_what_is_looked_for_is_checked(server: Server) -> None:
    ada = Person(server, "Ada")
    odd = {"kind": "fischer", "base": 1, "turn": 1}
    assert ada.refused("POST", "/api/seeks", json={**SOUGHT, "clock": odd}) == "no_such_clock"
    assert ada.refused("POST", "/api/seeks", json={**SOUGHT, "game": "no_game"}) == "unreadable"
    assert ada.refused("POST", "/api/seeks", json={**SOUGHT, "friend": "Nobody"}) == "no_such_person"
    assert Person(server).refused("POST", "/api/seeks", json=SOUGHT) == "no_person"
    assert all(isinstance(clock, ClockRule) for clock in CLOCKS)


# -- friends --------------------------------------------------------------------------------------------------------


def test_friends_by_link_invite_each_other(server: Server) -> None:
    ada, bob, eve = Person(server, "Ada"), Person(server, "Bob"), Person(server, "Eve")
    code = ada.me()["friend_code"]
    assert bob.ask("POST", "/api/people/me/friends", json={"code": code})["friends"] == [ada.name]
    assert ada.me()["friends"] == [bob.name]
    assert found(ada, friend=bob.name, game="khet") is None
    assert eve.ask("GET", "/api/seeks") == []
    (invitation,) = bob.ask("GET", "/api/seeks")
    assert invitation["invites_me"] and invitation["name"] == ada.name
    assert found(bob, friend=ada.name, game="khet")["match"] == found(ada, friend=bob.name, game="khet")["match"]
    assert bob.ask("POST", "/api/people/me/friends/remove", json={"name": ada.name})["friends"] == []
    assert ada.me()["friends"] == []


def test_favourite_setups_are_kept(server: Server) -> None:
    ada = Person(server, "Ada")
    me = ada.ask("POST", "/api/people/me/favourites", json={"game": "khet", "setup": "imhotep"})
    assert me["favourites"] == [{"game": "khet", "setup": "imhotep", "name": "", "there": True}]
    gone = ada.ask("POST", "/api/people/me/favourites", json={"game": "khet", "setup": "imhotep", "wanted": False})
    assert gone["favourites"] == []


# -- at the table ---------------------------------------------------------------------------------------------------


def at_a_table(server: Server) -> tuple[Client, Client]:
    made = server.make("connect_four", HERE, OPEN)
    held = Person(server).join(made)
    return server.sit(made["id"], made["seats"][0]["token"]), server.sit(made["id"], held["token"])


def test_a_phrase_is_heard_by_its_name_and_nothing_else_is_said(server: Server) -> None:
    one, two = at_a_table(server)
    one.send(type="say", seat=0, phrase="good_luck")
    assert two.until("said") == {"type": "said", "seat": 0, "phrase": "good_luck", "text": ""}
    assert one.until("said")["phrase"] == "good_luck" and not one.welcome["chat"]
    for word, code in (
        ({"text": "You are a fool"}, "no_text"),
        ({"phrase": "<b>"}, "unreadable"),
        ({}, "nothing_said"),
        ({"phrase": "bye", "seat": 1}, "not_yours"),
    ):
        one.send(**{"type": "say", "seat": 0, **word})
        assert one.until("refused")["code"] == code
    one.connection.close()
    two.connection.close()


def test_who_comes_hears_what_was_said_to_them_before(server: Server) -> None:
    """Two who met by the lobby: the quicker one says something while the other's page still opens."""
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    found(ada, game="cultist")
    found(bob, game="cultist")
    mine = found(ada, game="cultist")
    seat = mine["held"]["seat"]
    one = server.sit(mine["match"], ada.key)
    for phrase in ("hello", "good_luck"):
        one.send(type="say", seat=seat, phrase=phrase)
        assert one.until("said", "refused") == {"type": "said", "seat": seat, "phrase": phrase, "text": ""}
    two = server.sit(mine["match"], bob.key)
    assert [two.until("said")["phrase"] for _ in range(2)] == ["hello", "good_luck"]
    one.send(type="say", seat=seat, phrase="bye")
    assert two.until("said")["phrase"] == "bye"
    for client in (one, two):
        client.connection.close()


def test_who_talks_without_end_is_told_to_wait(server: Server) -> None:
    one, two = at_a_table(server)
    for _ in range(60):
        one.send(type="say", seat=0, phrase="hello")
    heard = 0
    while (word := one.until("said", "refused"))["type"] == "said":
        heard += 1
    assert word["code"] == "too_much" and heard >= 1
    one.connection.close()
    two.connection.close()


def test_where_the_host_allows_it_people_write_what_they_like(tmp_path_factory: pytest.TempPathFactory) -> None:
    server = Server(tmp_path_factory.mktemp("chat"), "--chat")
    server.start()
    one, two = at_a_table(server)
    one.send(type="say", seat=0, text="  Tea\nafterwards? ")
    assert two.until("said")["text"] == "Tea afterwards?" and two.welcome["chat"]
    one.send(type="say", seat=0, text="x" * 201)
    assert one.until("refused")["code"] == "nothing_said"
    one.send(type="say", seat=0, text="a\u202eb")
    assert one.until("refused")["code"] == "nothing_said"
    one.connection.close()
    two.connection.close()
    server.kill()


def test_who_is_connected_to_another_process_is_heard(
    postgres: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> None:
    address, servers = postgres.database(), []
    for name in ("one", "two"):
        servers.append(Server(tmp_path_factory.mktemp(name)))
        servers[-1].database_url = address
        servers[-1].start()
    made = servers[0].make("connect_four", HERE, OPEN)
    one = servers[0].sit(made["id"], made["seats"][0]["token"])  # there before anybody joins
    two = servers[1].sit(made["id"], Person(servers[1]).join(made)["token"])
    two.send(type="say", seat=1, phrase="hello")
    assert one.until("said") == {"type": "said", "seat": 1, "phrase": "hello", "text": ""}
    for client, server in zip((one, two), servers, strict=True):
        client.connection.close()
        server.kill()


def test_nobody_talks_to_computers(server: Server) -> None:
    made = server.make("connect_four", HERE, COMPUTER)
    client = server.sit(made["id"], made["seats"][0]["token"])
    client.send(type="say", seat=0, phrase="hello")
    assert client.until("refused")["code"] == "no_company"
    client.connection.close()


@pytest.mark.parametrize("game", [card.id for card in cards() if not card.fog and card.seats[0] == 2])
def test_two_computers_play_for_those_who_look(game: str) -> None:
    shown = msgspec.json.decode(show(game, 3), type=Show)
    numbers = [frame.n for frame in shown.replay.frames]
    assert numbers == list(range(len(numbers))) and 5 < len(numbers) <= 81
    assert sorted(shown.replay.names) == ["greedy", "level:1"] and len(show(game, 3)) < 250_000


def test_all_who_look_see_the_same_and_nothing_is_stored(server: Server) -> None:
    one = httpx.get(server.url("/api/showcase"), timeout=60).json()
    assert one is None or one == httpx.get(server.url("/api/showcase"), timeout=60).json()
    assert all("greedy" not in match["names"] for match in httpx.get(server.url("/api/matches?status=over")).json())
