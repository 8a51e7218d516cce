"""Two servers, two matches that differ only in what an observer may not see: it receives the same bytes from both.

The twin of a position is drawn from the ruling (tests/leaks). The observer, a seat or a spectator, looks, tries
nonsense, plays where it is its turn, and stays while the other side plays: every byte of both servers is compared,
those of REST as well.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from quincunx.core.contract import PUBLIC
from quincunx.core.random import Random, seeded
from quincunx.core.words import Refused
from quincunx.games import Game, World, load
from quincunx.server.tokens import hash_of
from quincunx.store import Store, StoredMatch, StoredSeat
from test_leaks import FOG, STARTS, other_world, worlds_of
from test_server import Client, Server

pytestmark = pytest.mark.slow

EVERY = 25  # actions between two positions of a match that are compared
TOKEN = "token-of-seat-{}-1234567"


@dataclass
class Pair:
    """One position twice, for one observer."""

    id: str
    observer: int
    worlds: tuple[World, World]


def pairs_of(id: str) -> list[Pair]:
    game, found = load(id, "interpreted"), []
    for number, start in enumerate(STARTS[id]):
        random = seeded(number + 1)
        for k, world in enumerate(worlds_of(game, start, number, EVERY)):
            for seat in (0, 1, PUBLIC):
                twin = readable_twin(game, world, seat, random)
                if twin is not None:
                    found.append(Pair(f"{id}-{number}-{k}-{seat % 10}", seat, (world, twin)))
    return found


def readable_twin(game: Game, world: World, seat: int, random: Random) -> World | None:
    """What is drawn blindly may stand in a wall: draw again until a match can begin so."""
    options: dict[str, Any] = dict(world.options)
    for _ in range(200):
        twin = other_world(game, world, seat, random)
        with suppress(Refused):
            game.new(position=game.position(twin), **options)
            return twin if game.position(twin) != game.position(world) else None
    return None


def stored(pair: Pair, which: int) -> StoredMatch:
    world = pair.worlds[which]
    game = world.game
    seats = tuple(
        StoredSeat("person", f"Player {seat}", token_hash=hash_of(TOKEN.format(seat)))
        for seat in range(game.seats(world))
    )
    return StoredMatch(
        id=pair.id, game=game.card.id, rules=game.card.version, options=world.options, start=game.position(world),
        start_digest=game.position_digest(world), seats=seats, created=1_000_000, seed=7 + which, public=True,
        code=f"CODE{zlib.crc32(pair.id.encode()) % 10**8}",
    )  # fmt: skip


async def fill(database: str, matches: list[StoredMatch]) -> None:
    async with Store.open(database) as store:
        for match in matches:
            await store.create(match)


@pytest.fixture(scope="module", params=FOG)
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    pairs, servers = pairs_of(request.param), []
    for which in (0, 1):
        server = Server(tmp_path_factory.mktemp(f"server{which}"))
        asyncio.run(fill(server.database, [stored(pair, which) for pair in pairs]))
        server.start()
        servers.append(server)
    yield pairs, servers
    for server in servers:
        server.kill()


class Ear:
    """An observer of one match on one server, and all the bytes that it received."""

    def __init__(self, server: Server, pair: Pair) -> None:
        tokens = [TOKEN.format(pair.observer)] if pair.observer >= 0 else []
        self.heard: list[str] = []
        self.client = server.sit(pair.id, *tokens)
        self.heard.append(json.dumps(self.client.welcome))

    def say(self, frame: str) -> None:
        self.client.connection.send(frame)

    def listen(self) -> None:
        """Everything until an answer to a ping."""
        self.say('{"type":"ping"}')
        while True:
            frame = self.client.connection.recv(timeout=60)
            self.heard.append(str(frame))
            if frame == '{"type":"pong"}':
                return


def play(observer: int, seat: int, n: int, text: str) -> str:
    return json.dumps({"type": "play", "id": f"m{n}", "seat": seat, "action": text})


def probes(game: Game, pair: Pair, random: Random) -> list[str]:
    """What an observer may try: its own legal actions with a letter changed, orders for others, empty words."""
    world = pair.worlds[0]
    seat = max(pair.observer, 0)
    texts = [game.text(world, seat, action) for action in game.legal(world, seat)[:4]]
    return [play(pair.observer, seat, n, text[:-1] + "9") for n, text in enumerate([*texts, "x", "end"])]


def quiet_action(game: Game, pair: Pair) -> tuple[int, str] | None:
    """An action of whoever is to act that leaves the observer's view equal in both worlds, and what it is told too."""
    one, two = pair.worlds
    seat = game.turn(one)
    for action in game.legal(one)[:60]:
        if game.turn(two) != seat or game.check(two, seat, action) is not None:
            continue
        after = []
        for world in (one, two):
            here = game.clone(world)
            game.apply(here, seat, action)
            after.append((game.digest(game.view(here, pair.observer)), game.turn(here)))
        if after[0] == after[1]:
            return seat, game.text(one, seat, action)
    return None


def test_an_observer_cannot_tell_the_twins_apart(twins: Any) -> None:
    pairs, servers = twins
    assert len(pairs) >= 12
    moves = 0
    for pair in pairs:
        game = pair.worlds[0].game
        ears = [Ear(server, pair) for server in servers]
        for ear in ears:
            ear.listen()
            for frame in probes(game, pair, seeded(1)):
                ear.say(frame)
            ear.listen()
        action = quiet_action(game, pair)
        if action is not None:
            moves += 1
            for server, ear in zip(servers, ears, strict=True):
                mover = Client(server.sit(pair.id).connection, (TOKEN.format(action[0]),))
                assert mover.play("quiet", *action)["type"] == "accepted"
                ear.listen()
                mover.connection.close()
        assert ears[0].heard == ears[1].heard, pair.id
        for ear in ears:
            ear.client.connection.close()
    assert moves >= len(pairs) // 3


def test_what_anybody_can_ask_for_is_equal_too(twins: Any) -> None:
    pairs, servers = twins
    paths = [f"/api/matches/{pair.id}{rest}" for pair in pairs for rest in ("", "/look", "/record", "/replay")]
    with httpx.Client(timeout=60) as asking:
        for path in ["/api/matches", *paths]:
            if "look" in path and not path.split("/")[3].endswith(str(PUBLIC % 10)):
                continue  # what the public sees may differ between the twins of a seat
            one, two = (asking.get(server.url(path)) for server in servers)
            assert (one.status_code, one.content) == (two.status_code, two.content), path
