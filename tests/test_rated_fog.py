"""Rated matches of people where things are hidden: found in the lobby, played to the end, settled once; on one process,
on two, on two with PostgreSQL. And seeks, pages of people and puzzles, whichever process answers."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from postgres import Cluster
from quincunx.core.random import below, seeded
from quincunx.match import decode, replay
from quincunx.puzzles.puzzle import shelf
from test_processes import Family
from test_server import Client, Server
from test_server_people import CLOCK, Person

pytestmark = pytest.mark.slow  # left out of `make check`

GAMES = ("chartichaud", "casus_belli")
ASKED_AT_ONCE = 16
MOST_PLAYS = 20_000
STALE = ("over",)  # what one is refused who has not heard yet


@pytest.fixture(params=["one process", "two processes", "two on PostgreSQL"], scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("rated")
    running = Server(folder) if request.param == "one process" else Family(folder, "--processes", "2")
    if "PostgreSQL" in request.param:
        cluster: Cluster = request.getfixturevalue("postgres")
        running.database_url = cluster.database()
    running.start()
    yield running
    running.kill()


def meet(one: Person, two: Person, game: str) -> dict[str, Any]:
    """They look for an opponent until they have found each other, as pages do. What the first has found."""
    sought = {"game": game, "clock": CLOCK, "rated": True}
    found: dict[str, Any] | None = None
    while found is None:
        two.ask("POST", "/api/seeks", json=sought)
        found = one.ask("POST", "/api/seeks", json=sought)["found"]
    return found


def play_through(seats: dict[int, Client], seed: int) -> None:
    """Each of two plays what is listed, drawn; what is listed ends turns, too."""
    random = seeded(seed)
    for n in range(MOST_PLAYS):
        for client in seats.values():
            heard(client)
        if all(client.now()["outcome"] for client in seats.values()):
            return
        for seat, client in seats.items():
            legal = client.now()["legal"]
            if legal:
                answer = client.play(f"m{n}", seat, legal[below(random, len(legal))])
                assert answer["type"] == "accepted" or answer["code"] in STALE, answer
    raise AssertionError("it does not end")


def heard(client: Client) -> None:
    """All that the server has sent by now."""
    client.send(type="ping")
    client.until("pong")


@pytest.mark.parametrize("game", GAMES)
def test_a_rated_match_under_fog_is_played_to_its_end_and_settled_once(server: Server, game: str) -> None:
    ada, bob = Person(server, "Ada"), Person(server, "Bob")
    found = meet(ada, bob, game)
    mine = found["held"]["seat"]
    seats = {mine: server.sit(found["match"], ada.key), 1 - mine: server.sit(found["match"], bob.key)}
    assert all(client.welcome["rated"] and client.welcome["fog"] for client in seats.values())
    play_through(seats, 7)
    outcome = seats[mine].now()["outcome"]
    assert outcome == seats[1 - mine].now()["outcome"] and outcome["reason"] == "played", outcome
    everybody_looks(ada, bob)
    best = [rank == min(outcome["ranks"]) for rank in outcome["ranks"]]
    expected = "draw" if all(best) else "win" if best[mine] else "loss"
    (hers,), (his,) = ada.history(), bob.history()
    assert hers["result"] == expected and {hers["result"], his["result"]} in ({"draw"}, {"win", "loss"})
    assert hers["rated"] and his["rated"] and hers["match"] == his["match"] == found["match"]
    (up,), (down,) = ada.me()["standings"], bob.me()["standings"]
    assert up["matches"] == down["matches"] == 1
    assert up["rating"]["value"] + down["rating"]["value"] == pytest.approx(3000)  # both were new: what one gains
    assert (up["rating"]["value"] > 1500) == (expected == "win")
    record = httpx.get(server.url(f"/api/matches/{found['match']}/record"), timeout=60).content
    assert replay(decode(record)).over
    for client in seats.values():
        client.connection.close()


def everybody_looks(*people: Person) -> None:
    """Whoever looks at a page settles what is unsettled: all processes at once, and none a second time."""
    paths = ("/api/people/me", "/api/people/me/history")
    asked = [(person, path) for person in people for path in paths] * (ASKED_AT_ONCE // 4)
    with ThreadPoolExecutor(ASKED_AT_ONCE) as pool:
        for answer in pool.map(lambda each: each[0].http("GET", each[1]), asked):
            assert answer.status_code == 200


def test_a_name_is_given_once_whichever_process_is_asked(server: Server) -> None:
    people = [Person(server) for _ in range(ASKED_AT_ONCE)]
    name = f"Solo {people[0].key[:8]}"
    with ThreadPoolExecutor(ASKED_AT_ONCE) as pool:
        answers = list(pool.map(lambda each: each.http("POST", "/api/people", json={"name": name}), people))
    given = [person for person, answer in zip(people, answers, strict=True) if answer.status_code == 200]
    assert len(given) == 1 and all(answer.json()["code"] == "name_taken" for answer in answers if answer.is_error)
    assert {given[0].me()["name"] for _ in range(ASKED_AT_ONCE)} == {name}


def test_of_many_who_seek_at_once_each_meets_one(server: Server) -> None:
    people = [Person(server, f"Seeker {n}") for n in range(6)]
    sought = {"game": "connect_four", "clock": CLOCK, "rated": True}
    found: dict[str, dict[str, Any]] = {}
    with ThreadPoolExecutor(len(people)) as pool:
        while len(found) < len(people):
            waiting = [person for person in people if person.key not in found]
            for person, answer in zip(
                waiting, pool.map(lambda each: each.ask("POST", "/api/seeks", json=sought), waiting), strict=True
            ):
                if answer["found"]:
                    found[person.key] = answer["found"]
    matches = [each["match"] for each in found.values()]
    assert sorted(matches.count(match) for match in set(matches)) == [2, 2, 2]
    assert {(each["match"], each["held"]["seat"]) for each in found.values()} == {
        (match, seat) for match in matches for seat in (0, 1)
    }
    assert not {person.name for person in people} & {each["name"] for each in people[0].ask("GET", "/api/seeks")}


@pytest.mark.parametrize("game", ("khet", "chartichaud"))
def test_every_process_asks_and_judges_a_puzzle_alike(server: Server, game: str) -> None:
    puzzle = shelf(game)[0]
    base = server.url(f"/api/games/{game}/puzzles/{puzzle.id}")
    other = next(text for text in httpx.get(base, timeout=60).json()["legal"] if text != puzzle.answer)
    for _ in range(4):  # each asked on a connection of its own, which the system gives to one process or the other
        assert httpx.get(base, timeout=60).json()["id"] == puzzle.id
        for action, right in ((puzzle.answer, True), (other, False)):
            assert httpx.post(f"{base}/try", json={"action": action}, timeout=60).json()["right"] is right
