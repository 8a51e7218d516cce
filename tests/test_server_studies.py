"""Studies and openings over REST: trees that the rules have checked, each its owner's; matches are counted once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from quincunx.games import load
from test_server import HERE, Server
from test_server_lobby import BOB, get, play, post

pytestmark = pytest.mark.slow  # left out of `make check`

ADA, EVE = {"X-Owner": "a" * 20}, {"X-Owner": "e" * 20}
START: dict[str, Any] = {"game": "connect_four", "start": {}}
ROOT: dict[str, Any] = {"parent": -1, "action": ""}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("studies"))
    running.start()
    yield running
    running.kill()


def keep(server: Server, tree: list[dict[str, Any]], status: int = 201, **more: Any) -> dict[str, Any]:
    body = {"name": "Columns", "place": START, "tree": tree, **more}
    kept: dict[str, Any] = post(server, "/api/studies", body, status, headers=ADA)
    return kept


def put(server: Server, id: str, body: dict[str, Any], status: int, who: dict[str, str]) -> Any:
    answer = httpx.put(server.url(f"/api/studies/{id}"), json=body, headers=who, timeout=60)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_study_is_kept_for_its_owner_read_by_its_link_and_changed_by_nobody_else(server: Server) -> None:
    tree = [
        ROOT,
        {"parent": 0, "action": "D", "marks": ["d1", "d1 e2"]},
        {"parent": 1, "action": "d"},
        {"parent": 1, "action": "e", "name": "Beside it"},
    ]
    kept = keep(server, tree)
    assert kept["mine"] and [node["action"] for node in kept["tree"]] == ["", "d", "d", "e"]  # as the game spells them
    seen = get(server, f"/api/studies/{kept['id']}", headers=EVE)
    assert not seen["mine"] and seen["tree"] == kept["tree"]
    assert [study["id"] for study in get(server, "/api/studies", headers=ADA)] == [kept["id"]]
    assert get(server, "/api/studies", headers=EVE) == get(server, "/api/studies") == []
    assert put(server, kept["id"], {"name": "Mine"}, 403, EVE)["code"] == "not_yours"
    assert httpx.delete(server.url(f"/api/studies/{kept['id']}"), headers=EVE).status_code == 403
    longer = put(server, kept["id"], {"name": "More", "tree": [*tree, {"parent": 3, "action": "a"}]}, 200, ADA)
    assert (longer["name"], longer["tree"][3]["name"], len(longer["tree"])) == ("More", "Beside it", 5)
    placed = post(server, "/api/positions", {"study": kept["id"], "line": ["d", "e"]}, 200)
    assert placed["played"] == ["d", "e"]
    copied = post(server, "/api/studies", {"name": "Copy", "place": {"study": kept["id"]}, "tree": tree}, headers=EVE)
    assert copied["mine"] and copied["id"] != kept["id"]
    assert httpx.delete(server.url(f"/api/studies/{kept['id']}"), headers=ADA).status_code == 204
    assert get(server, f"/api/studies/{kept['id']}", 404)["code"] == "no_such_study"


def test_what_the_rules_refuse_is_not_kept(server: Server) -> None:
    seven = [ROOT, *({"parent": n, "action": "a"} for n in range(7))]
    assert keep(server, seven, 400)["code"] == "column_full"
    assert keep(server, [ROOT, {"parent": 1, "action": "a"}], 400)["code"] == "tree"
    keep(server, [ROOT, {"parent": 0, "action": "a", "marks": ["<script>"]}], 400)
    post(server, "/api/studies", {"name": "x", "place": START, "tree": [ROOT]}, 403)  # whose?
    secret = {"game": "chartichaud", "start": {}}
    assert keep(server, [ROOT], 409, place=secret)["code"] == "secret"
    kept = keep(server, [ROOT])
    assert put(server, kept["id"], {"tree": seven}, 400, ADA)["code"] == "column_full"
    assert get(server, f"/api/studies/{kept['id']}")["tree"] == [{**ROOT, **kept["tree"][0]}]


def test_a_study_of_a_match_stands_by_itself_and_waits_for_its_end(server: Server) -> None:
    made = server.make("connect_four", HERE, {"kind": "open"})
    place = {"match": made["id"]}
    assert keep(server, [ROOT], 409, place=place)["code"] == "running"
    over = server.make("connect_four", HERE, BOB)
    play(server, over)
    kept = keep(server, [ROOT, {"parent": 0, "action": "a"}, {"parent": 1, "action": "g"}], place={"match": over["id"]})
    assert kept["match"] == over["id"]
    placed = post(server, "/api/positions", {"study": kept["id"], "line": ["a", "g"]}, 200)
    assert placed["played"] == ["a", "g"]


# -- openings ---------------------------------------------------------------------------------------------------------


def openings(server: Server, position: str, until: int) -> dict[str, tuple[int, int, int]]:
    """Asked again until so many matches are counted."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        told = get(server, f"/api/games/connect_four/openings/{position}")
        found = {each["action"]: (each["first"], each["drawn"], each["second"]) for each in told}
        if sum(map(sum, found.values())) >= until:
            return found
        time.sleep(0.2)
    raise TimeoutError(f"not counted: {found}")


def test_public_matches_that_are_over_are_counted_once_and_others_never(server: Server) -> None:
    game = load("connect_four")
    start = game.position_digest(game.new())
    assert get(server, f"/api/games/connect_four/openings/{start}") == []
    play(server, server.make("connect_four", HERE, BOB, public=True), "abababa")  # the first wins
    play(server, server.make("connect_four", HERE, BOB, public=True), "bcbc")  # it goes on
    play(server, server.make("connect_four", HERE, BOB), "cdcdcdc")  # in private
    play(server, server.make("connect_four", HERE, BOB, public=True), "gafafaea")  # the second wins
    assert openings(server, start, 2) == {"a": (1, 0, 0), "g": (0, 0, 1)}
    play(server, server.make("connect_four", HERE, BOB, public=True), "abacada")
    assert openings(server, start, 3) == {"a": (2, 0, 0), "g": (0, 0, 1)}
    world = game.new()
    game.apply(world, 0, game.parse(world, 0, "a"))
    assert openings(server, game.position_digest(world), 2) == {"b": (2, 0, 0)}


def test_only_games_that_begin_the_same_way_have_openings(server: Server) -> None:
    for game in ("garden", "chartichaud", "casus_belli"):
        get(server, f"/api/games/{game}/openings/{'0' * 16}", 400)
    get(server, "/api/games/khet/openings/nonsense", 400)
    assert get(server, f"/api/games/khet/openings/{'0' * 16}") == []
