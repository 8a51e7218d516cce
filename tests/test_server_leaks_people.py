"""Two servers, two rated matches of people that differ only in what one of them may not see. All that comes with people
is told alike by both: who is there, who they are and how strong, what they say, what they try, and in the end how their
ratings moved."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import msgspec
import pytest

from quincunx.server.tokens import hash_of
from quincunx.store import Store, StoredMatch
from test_leaks import FOG
from test_server import Server
from test_server_leaks import TOKEN, Ear, Pair, pairs_of, stored

pytestmark = pytest.mark.slow

NAMES = ("Ada", "Bob")
TIMES = ("created", "last_seen", "exported", "at", "friend_code")  # another on every server, whatever is played there
PATHS = ("/api/people/me", "/api/people/me/history", "/api/people/me/export", "/api/seeks", "/api/matches")
MOST_PAIRS = 8


def rated_pairs(id: str) -> list[Pair]:
    """Matches of two, seen by one of them."""
    found = [pair for pair in pairs_of(id) if pair.observer in (0, 1) and len(stored(pair, 0).seats) == 2]
    return found[:: max(1, len(found) // MOST_PAIRS)]


async def fill(database: str, matches: list[StoredMatch]) -> None:
    async with Store.open(database) as store:
        people = [await store.people.enter(name, hash_of(TOKEN.format(seat))) for seat, name in enumerate(NAMES)]
        for match in matches:
            seats = tuple(
                msgspec.structs.replace(seat, person=person.id, name=person.name)
                for seat, person in zip(match.seats, people, strict=True)
            )
            await store.create(msgspec.structs.replace(match, seats=seats, rated=True))


@pytest.fixture(scope="module", params=FOG)
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    pairs, servers = rated_pairs(request.param), []
    for which in (0, 1):
        server = Server(tmp_path_factory.mktemp(f"server{which}"))
        asyncio.run(fill(server.database, [stored(pair, which) for pair in pairs]))
        server.start()
        servers.append(server)
    yield pairs, servers
    for server in servers:
        server.kill()


def hear_until(ear: Ear, met: Callable[[str], bool]) -> None:
    """What the observer hears, until a frame that says it."""
    while True:
        frame = str(ear.client.connection.recv(timeout=60))
        ear.heard.append(frame)
        if met(frame):
            return


def present(there: bool) -> Callable[[str], bool]:
    """Of a frame that says who came or went."""
    return lambda frame: f'"present":{json.dumps(there)}' in frame


def company(pair: Pair, server: Server) -> tuple[list[str], list[str]]:
    """The other comes, talks, tries something out, offers a draw and goes; the observer talks back. What the observer
    hears of it, and what the other does."""
    mine, theirs = pair.observer, 1 - pair.observer
    ear = Ear(server, pair)
    ear.listen()
    other = Ear(server, Pair(pair.id, theirs, pair.worlds))
    other.listen()
    hear_until(ear, present(True))
    for frame in (
        {"type": "say", "seat": theirs, "phrase": "good_luck"},
        {"type": "try", "id": "t1", "seat": theirs, "action": "end"},
        {"type": "ask", "seat": theirs, "what": "draw"},
        {"type": "look", "seat": mine},
    ):
        other.say(json.dumps(frame))
        other.listen()
        ear.listen()
    for frame in (
        {"type": "say", "seat": mine, "phrase": "thanks"},
        {"type": "try", "id": "t2", "seat": mine, "action": "end"},
        {"type": "ask", "seat": mine, "what": "decline_draw"},
        {"type": "look", "seat": theirs},
    ):
        ear.say(json.dumps(frame))
        ear.listen()
    other.client.connection.close()
    hear_until(ear, present(False))
    ear.client.connection.close()
    return ear.heard, other.heard


def test_company_at_a_rated_table_tells_nothing_hidden(twins: Any) -> None:
    pairs, servers = twins
    assert len(pairs) >= 4
    told_others = 0
    for pair in pairs:
        (one, others), (two, theirs) = (company(pair, server) for server in servers)
        assert one == two, pair.id
        assert any('"said"' in frame for frame in one) and any('"refused"' in frame for frame in one)
        told_others += others != theirs
    assert told_others  # whose secret it is sees the difference: there is one


def told(server: Server, path: str, key: str | None) -> Any:
    answer = httpx.get(server.url(path), headers={"X-Owner": key} if key else {}, timeout=60)
    return answer.status_code, timeless(answer.json())


def timeless(told: Any) -> Any:
    if isinstance(told, dict):
        return {name: timeless(each) for name, each in told.items() if name not in TIMES}
    return [timeless(each) for each in told] if isinstance(told, list) else told


def test_pages_of_people_tell_nothing_hidden_and_ratings_move_alike(twins: Any) -> None:
    pairs, servers = twins
    keys = (None, *(TOKEN.format(seat) for seat in (0, 1)))
    paths = (*PATHS, *(f"/api/matches/{pair.id}/people" for pair in pairs))
    for over in (False, True):
        for path in paths:
            for key in keys:
                one, two = (told(server, path, key) for server in servers)
                assert one == two, path
        if not over:
            for pair in pairs:
                for server in servers:
                    give_up(server, pair)
    ratings = [told(servers[0], "/api/people/me", key)[1]["standings"] for key in keys[1:]]
    assert all(standing["matches"] == len(pairs) for (standing,) in ratings)


def give_up(server: Server, pair: Pair) -> None:
    client = server.sit(pair.id, TOKEN.format(pair.observer))
    client.send(type="ask", seat=pair.observer, what="resign")
    while not client.now()["outcome"]:
        client.receive()
    client.connection.close()
    told(server, "/api/people/me", TOKEN.format(0))  # settled before the next one ends: ratings follow in this order
