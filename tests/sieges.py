"""What hostile clients do, within what a client can do: each attack prepares its matches, then asks and asks.

They run in a process of their own (`python tests/sieges.py NAME PORT SECONDS`, what was prepared on the standard
input), so that only the server is between them and an ordinary client. All of it is on loopback, and bounded in count
and time.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from quincunx.games import load
from quincunx.match import Match, encode
from quincunx.match.changes import patched
from quincunx.match.record import Happened

HERE = {"kind": "here", "name": "Ada"}
LARGE = {"width": 200, "height": 200}
LOST = (OSError, WebSocketException, asyncio.IncompleteReadError, ValueError, IndexError)
ENTRIES, FORKED = 10_000, 100  # of the long match; actions that a fork keeps
NODES = 3000  # of a study
PEOPLE, KEY = 40, "somebody-who-seeks-{:04}"
Things = dict[str, Any]  # what an attack has prepared
Text = str | Callable[[], str]  # the same each time, or another


class Door(NamedTuple):
    """A server, as an attacker sees it."""

    port: int
    until: float
    answers: Counter[str]

    @property
    def on(self) -> bool:
        return time.monotonic() < self.until

    async def ask(self, method: str, path: Text, body: object = None, headers: Text = "") -> None:
        """A request again and again on one connection, opened anew when it is closed."""
        while self.on:
            with suppress(*LOST):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                while self.on:
                    written = body() if callable(body) else body
                    text = written if isinstance(written, bytes) else json.dumps(written).encode() if written else b""
                    where, more = (each() if callable(each) else each for each in (path, headers))
                    head = f"{method} {where} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{more}"
                    head += f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
                    writer.write(head.encode() + text)
                    self.answers[await _answer(reader)] += 1
            await asyncio.sleep(0.01)

    async def talk(self, id: str, say: Callable[[ClientConnection], Coroutine[Any, Any, None]]) -> None:
        while self.on:
            with suppress(*LOST):
                async with connect(f"ws://127.0.0.1:{self.port}/ws/{id}", max_size=None) as socket:
                    while self.on:
                        await say(socket)
                        self.answers["said"] += 1
            await asyncio.sleep(0.01)


async def _answer(reader: asyncio.StreamReader) -> str:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    for line in lines:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            await reader.readexactly(int(value))
        elif name.lower() == b"transfer-encoding":
            while size := int(await reader.readline(), 16):
                await reader.readexactly(size + 2)
            await reader.readline()
    return lines[0].split(b" ")[1].decode()


Deed = Callable[[Door, Things], Coroutine[Any, Any, None]]


# -- what they prepare ----------------------------------------------------------------------------------------------


def nothing(url: str) -> Things:
    return {}


def make(url: str, game: str, seats: list[Any], **more: Any) -> dict[str, Any]:
    answer = httpx.post(f"{url}/api/matches", json={"game": game, "seats": seats, **more}, timeout=60)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def crowded(url: str) -> Things:
    return {"match": make(url, "casus_belli", [HERE] * 100, options={"seats": 100, "width": 40, "height": 40})}


def two(game: str, *seats: Any) -> Callable[[str], Things]:
    return lambda url: {"match": make(url, game, list(seats))}


def large(url: str) -> Things:
    return {"match": make(url, "casus_belli", [HERE] * 3, options=LARGE)}


def listed(url: str) -> Things:
    small = {"seats": 100, "width": 20, "height": 20}
    for _ in range(50):
        make(url, "casus_belli", [HERE] * 100, options=small, public=True)
    return {}


def long(url: str) -> Things:
    """A record of so many entries that no game has: whenever it is over, it is taken back to its beginning."""
    match, draw = Match(load("garden"), seed=1), random.Random(1)
    while len(match.entries) < ENTRIES or match.length < FORKED:
        if match.over:
            match.take(Happened("take_back", 0, kept=0))
        else:
            match.act(match.turn, draw.choice(match.game.legal(match.world)))
    answers = [httpx.post(f"{url}/api/records", content=encode(match.record()), timeout=120) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [201] * 4, answers[0].text
    return {"matches": [answer.json()["id"] for answer in answers], "record": encode(match.record()).decode()}


def thinking(count: int, player: str) -> Callable[[str], Things]:
    def prepare(url: str) -> Things:
        computers = [{"kind": "computer", "player": player}, HERE]
        return {"matches": [make(url, "khet", computers)["id"] for _ in range(count)]}

    return prepare


def spread(url: str) -> Things:
    """A study as large as one may be: a tree of Connect Four that goes on from anywhere."""
    game, draw = load("connect_four"), random.Random(1)
    worlds, nodes = [game.new()], [{"parent": -1, "action": ""}]
    while len(nodes) < NODES:
        parent = draw.randrange(len(worlds))
        world = game.clone(worlds[parent])
        if not game.over(world):
            seat, action = game.turn(world), draw.choice(game.legal(world))
            nodes.append({"parent": parent, "action": game.text(world, seat, action)})
            game.apply(world, seat, action)
            worlds.append(world)
    return {"tree": nodes}


def seekers(url: str) -> Things:
    """People who are known by name."""
    for who in range(PEOPLE):
        named = httpx.post(f"{url}/api/people", json={"name": f"P{who}"}, headers={"X-Owner": KEY.format(who)})
        assert named.status_code == 200, named.text
    return {}


# -- what they do ---------------------------------------------------------------------------------------------------


def at_once(count: int, work: Deed) -> Deed:
    async def attack(door: Door, things: Things) -> None:
        await asyncio.gather(*(work(door, things) for _ in range(count)))

    return attack


async def preview(door: Door, things: Things) -> None:
    def body() -> object:
        return {"options": LARGE, "seed": random.randrange(2**50)}

    await door.ask("POST", "/api/games/casus_belli/preview", body)


async def match(door: Door, things: Things) -> None:
    await door.ask("POST", "/api/matches", {"game": "casus_belli", "seats": [HERE] * 3, "options": LARGE})


async def setup(door: Door, things: Things) -> None:
    """Maps as large as there are, each of another maker, for one keeps but so many."""
    rows = "\n".join("." * 200 for _ in range(200))
    text = f"200 200\n3 3\n3\n40\n{rows}\n"

    def body() -> object:
        return {"game": "casus_belli", "name": f"s{random.randrange(2**50)}", "text": text}

    await door.ask("POST", "/api/setups", body, lambda: f"X-Owner: {random.randrange(10**19, 10**20)}\r\n")


def get(path: str) -> Deed:
    async def ask(door: Door, things: Things) -> None:
        ids = [things["match"]["id"]] if "match" in things else things.get("matches", [""])
        await door.ask("GET", lambda: path.format(random.choice(ids)))

    return ask


async def fork(door: Door, things: Things) -> None:
    body = {"at": FORKED, "seats": [HERE, HERE]}
    await door.ask("POST", f"/api/matches/{random.choice(things['matches'])}/fork", body)


async def bring(door: Door, things: Things) -> None:
    await door.ask("POST", "/api/records", things["record"].encode())


async def study(door: Door, things: Things) -> None:
    body = json.dumps({"name": "s", "place": {"game": "connect_four", "start": {}}, "tree": things["tree"]}).encode()
    await door.ask("POST", "/api/studies", body, f"X-Owner: {'a' * 20}\r\n")


def place(path: str) -> Deed:
    """A position deep in a long match, shown or thought about."""

    async def ask(door: Door, things: Things) -> None:
        await door.ask("POST", path, {"match": random.choice(things["matches"]), "at": FORKED})

    return ask


async def analyse(door: Door, things: Things) -> None:
    await door.ask("POST", lambda: f"/api/matches/{random.choice(things['matches'])}/analysis", {"have": 0})


async def seek(door: Door, things: Things) -> None:
    """Whoever finds somebody has a match, and looks for the next one."""
    clock = {"kind": "fischer", "base": 600_000, "turn": 10_000}

    async def one(who: int) -> None:
        def body() -> object:
            game = random.choice(("khet", "cultist", "connect_four"))
            return {"game": game, "clock": clock, "rated": random.random() < 0.5}

        await door.ask("POST", "/api/seeks", body, f"X-Owner: {KEY.format(who)}\r\n")

    await asyncio.gather(*map(one, range(PEOPLE)))


async def solve(door: Door, things: Things) -> None:
    """Every puzzle of a game, and tries at it that mean nothing."""
    listed = httpx.get(f"http://127.0.0.1:{door.port}/api/games/garden/puzzles").json()
    ids = [each["id"] for each in listed]

    async def look() -> None:
        await door.ask("GET", lambda: f"/api/games/garden/puzzles/{random.choice(ids)}")

    async def guess() -> None:
        body = lambda: {"action": f"x{random.randrange(2**50)}"}  # noqa: E731
        await door.ask("POST", lambda: f"/api/games/garden/puzzles/{random.choice(ids)}/try", body)

    await asyncio.gather(look(), look(), guess(), guess())


def hello(**more: Any) -> Deed:
    async def greet(door: Door, things: Things) -> None:
        async def say(socket: ClientConnection) -> None:
            await socket.send(json.dumps({"type": "hello", **more}))
            while json.loads(await socket.recv())["type"] not in ("update", "refused"):
                pass

        id = things["match"]["id"] if "match" in things else random.choice(things["matches"])
        await door.talk(id, say)

    return greet


def flood(word: Things) -> Deed:
    """The same word again and again, answered or not, fifty of them at once."""

    async def talk(door: Door, things: Things) -> None:
        tokens = [held["token"] for held in things["match"]["seats"]]

        async def read(socket: ClientConnection) -> None:
            async for said in socket:
                door.answers[json.loads(said)["type"]] += 1

        async def say(socket: ClientConnection) -> None:
            await socket.send(json.dumps({"type": "hello", "tokens": tokens}))
            reading = asyncio.create_task(read(socket))
            try:
                while door.on and not reading.done():
                    for _ in range(50):
                        await socket.send(json.dumps(word))
                    await asyncio.sleep(0)
            finally:
                reading.cancel()

        await door.talk(things["match"]["id"], say)

    return talk


async def hint(door: Door, things: Things) -> None:
    held = things["match"]["seats"][0]
    await door.ask("POST", f"/api/matches/{things['match']['id']}/hint", {"tokens": [held["token"]], "seat": 0})


async def turn(door: Door, things: Things) -> None:
    """A hundred people seal their orders, all in the same second, turn after turn."""
    made = things["match"]
    gate = asyncio.Barrier(len(made["seats"]))

    async def person(seat: int, token: str) -> None:
        async with connect(f"ws://127.0.0.1:{door.port}/ws/{made['id']}", max_size=None, open_timeout=60) as socket:
            await socket.send(json.dumps({"type": "hello", "tokens": [token]}))
            update: Things = {}
            sealed = -1  # the turn
            while door.on:
                word = json.loads(await socket.recv())
                door.answers[word["type"]] += 1
                if word["type"] in ("update", "changed"):
                    update = word if word["type"] == "update" else patched(update, word)
                    if "seal" in update["legal"] and update["shown"]["turn"] > sealed:
                        await gate.wait()
                        sealed = update["shown"]["turn"]
                        said = {"type": "play", "id": f"t{sealed}", "seat": seat, "action": "seal"}
                        await socket.send(json.dumps(said))

    with suppress(*LOST, ExceptionGroup):
        async with asyncio.timeout(max(0.1, door.until - time.monotonic())), asyncio.TaskGroup() as everybody:
            for held in made["seats"]:
                everybody.create_task(person(held["seat"], held["token"]))


def lines(*pieces: bytes, pause: float = 1.0, count: int) -> Deed:
    """Connections that say so much, and then nothing, or one byte a second."""

    async def one(door: Door, things: Things) -> None:
        while door.on:
            with suppress(*LOST):
                reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
                for piece in pieces:
                    writer.write(piece)
                while door.on and not reader.at_eof():
                    with suppress(TimeoutError):
                        async with asyncio.timeout(pause):
                            await reader.read(1000)
                    if pieces:
                        writer.write(b"a")
                writer.close()
            door.answers["closed"] += door.on
            await asyncio.sleep(0.2)

    return at_once(count, one)


DEEP = b"[" * 100_000


async def deep(door: Door, things: Things) -> None:
    async def say(socket: ClientConnection) -> None:
        await socket.send('{"type":"hello","tokens":' + "[" * 30_000)
        await socket.recv()

    id = things["match"]["id"]
    await asyncio.gather(door.ask("POST", "/api/matches", DEEP), door.talk(id, say))


async def huge(door: Door, things: Things) -> None:
    held = things["match"]["seats"][0]

    async def say(socket: ClientConnection) -> None:
        await socket.send(json.dumps({"type": "hello", "tokens": [held["token"]]}))
        await socket.send(json.dumps({"type": "play", "id": "i" * 60_000, "seat": 0, "action": "a" * 1000}))
        while json.loads(await socket.recv())["type"] not in ("accepted", "refused"):
            pass

    path = "/api/matches/" + "m" * 10_000
    await asyncio.gather(door.ask("GET", path), door.talk(things["match"]["id"], say))


async def wait(door: Door, things: Things) -> None:
    """What was prepared is the attack."""
    await asyncio.sleep(max(0.0, door.until - time.monotonic()))


async def watch(door: Door, things: Things) -> None:
    """Somebody looks at every match, so that its computers think."""

    async def one(id: str) -> None:
        with suppress(*LOST):
            async with connect(f"ws://127.0.0.1:{door.port}/ws/{id}", max_size=None, open_timeout=60) as socket:
                await socket.send('{"type":"hello"}')
                while door.on:
                    async with asyncio.timeout(max(0.1, door.until - time.monotonic())):
                        await socket.recv()

    await asyncio.gather(*map(one, things["matches"]), return_exceptions=True)


class Attack(NamedTuple):
    name: str
    do: Deed
    prepare: Callable[[str], Things] = nothing
    restart: bool = False  # between the preparation and the attack


MANY = [f"{n:022}" for n in range(128)]
ATTACKS = (
    Attack("previews, 4 connections", at_once(4, preview)),
    Attack("previews, 40 connections", at_once(40, preview)),
    Attack("matches, 4 connections", at_once(4, match)),
    Attack("setups, 4 connections", at_once(4, setup)),
    Attack("lists of setups, 4 connections", at_once(4, get("/api/setups"))),
    Attack("lists of matches, 4 connections", at_once(4, get("/api/matches?limit=100")), listed),
    Attack("games, 4 connections", at_once(4, get("/api/games"))),
    Attack("schema, 4 connections", at_once(4, get("/schema/openapi.json"))),
    Attack("looks, 4 connections", at_once(4, get("/api/matches/{}/look")), large),
    Attack("boards, 4 sockets", at_once(4, hello(board=True)), large),
    Attack("hellos with 128 tokens, 4 sockets", at_once(4, hello(tokens=MANY)), crowded),
    Attack("long match: look, 4 connections", at_once(4, get("/api/matches/{}/look")), long),
    Attack("long match: fork, 4 connections", at_once(4, fork), long),
    Attack("long match: download, 4 connections", at_once(4, get("/api/matches/{}/record")), long),
    Attack("long match: replay, 4 connections", at_once(4, get("/api/matches/{}/replay?from=100")), long),
    Attack("long match: import, 4 connections", at_once(4, bring), long),
    Attack("long match: coming back, 4 sockets", at_once(4, hello(last=0)), long),
    Attack("silent connections, 1,100", lines(count=1100)),
    Attack("slow headers, 200", lines(b"GET / HTTP/1.1\r\nX-Slow: ", count=200)),
    Attack(
        "slow bodies, 200",
        lines(b"POST /api/matches HTTP/1.1\r\nHost: a\r\nContent-Length: 400000\r\n\r\n", count=200),
    ),
    Attack("deeply nested JSON", at_once(4, deep), large),
    Attack("huge ids", at_once(4, huge), large),
    Attack("50 matches with time=60", watch, thinking(50, "alphabeta:time=60")),
    Attack("200 matches with level 8", watch, thinking(200, "level:8")),
    Attack("250 abandoned matches, restarted", wait, thinking(250, "level:8"), restart=True),
    Attack("a turn of 100 people", turn, crowded),
    Attack("studies of 3,000 nodes, 4 connections", at_once(4, study), spread),
    Attack("long match: positions, 4 connections", at_once(4, place("/api/positions")), long),
    Attack("long match: thoughts, 4 connections", at_once(4, place("/api/positions/thought")), long),
    Attack("long match: analyses, 4 connections", at_once(4, analyse), long),
    Attack("long match: outlooks, 4 connections", at_once(4, get("/api/matches/{}/outlooks")), long),
    Attack("openings, 4 connections", at_once(4, get("/api/games/khet/openings/0123456789abcdef"))),
    Attack("seeks of 40 people", seek, seekers),
    Attack("puzzles, 4 connections", solve),
    Attack("pings, 4 sockets", at_once(4, flood({"type": "ping"})), two("khet", HERE, HERE)),
    Attack(
        "tries, 4 sockets",
        at_once(4, flood({"type": "try", "id": "t", "seat": 0, "action": "H2-G1"})),
        two("khet", HERE, HERE),
    ),
    Attack(
        "illegal plays, 4 sockets",
        at_once(4, flood({"type": "play", "id": "p", "seat": 0, "action": "A1-J8"})),
        two("khet", HERE, HERE),
    ),
    Attack(
        "phrases, 4 sockets",
        at_once(4, flood({"type": "say", "seat": 0, "phrase": "hello"})),
        two("khet", HERE, {**HERE, "kind": "open"}),
    ),
    Attack("hints, 4 connections", at_once(4, hint), two("khet", HERE, {"kind": "computer", "player": "level:1"})),
)


def main() -> None:
    name, port, seconds = sys.argv[1:]
    things = json.load(sys.stdin)
    door = Door(int(port), time.monotonic() + float(seconds), Counter())
    attack = next(each for each in ATTACKS if each.name == name)
    asyncio.run(attack.do(door, things))
    print(json.dumps(door.answers))


if __name__ == "__main__":
    main()
