"""The endpoints of the course server: recorded dialogues to the byte, seats and clocks, secrets, and nonsense.

The dialogues in tests/dialogues/telecom-*.txt were derived by hand from the ruling. A body is written on several lines
for the reader; they are one.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from quincunx.core.random import seeded
from quincunx.core.words import Words
from quincunx.games import World, load
from quincunx.match import Match
from quincunx.match.clock import ClockRule
from quincunx.telecom.door import Door
from quincunx.telecom.http import LONGEST_HEAD, MOST_CONNECTIONS, Answer, HttpServer, Request, plain, written
from quincunx.telecom.table import Table
from test_leaks import STARTS, other_world, worlds_of

DIALOGUES = sorted((Path(__file__).parent / "dialogues").glob("telecom-*.txt"))
GAME = load("chartichaud", "interpreted")


def unheard(words: Words) -> None:
    """Nobody listens."""


def table_of(match: Match, tell: Callable[[Words], None] = unheard, rule: ClockRule | None = None) -> Table:
    tokens = iter(("tokenOfA", "tokenOfB"))
    return Table(match, (0, 1), rule or ClockRule(), tell, lambda: next(tokens))


def door_of(match: Match, now: Callable[[], int] = lambda: 0, **more: Any) -> Door:
    door = Door(now, more.pop("language", "en"), **more)
    door.table = table_of(match)
    return door


def get(door: Door, path: str) -> Answer:
    return door.answer(Request("GET", path, {}, True))


def view(door: Door, player: str) -> dict[str, Any]:
    answer = get(door, f"/view/{player}/tokenOf{player}")
    assert answer.status == 200, answer.body
    found: dict[str, Any] = json.loads(answer.body)
    return found


# -- dialogues --------------------------------------------------------------------------------------------------------


class Said(NamedTuple):
    path: str
    status: str  # and media type
    body: bytes


def read_dialogue(file: Path) -> tuple[dict[str, str], list[Said]]:
    """What stands at its top, and all that is said."""
    head, *blocks = re.split(r"\n(?=> )", re.sub(r"^#.*\n", "", file.read_text("utf-8"), flags=re.MULTILINE))
    terms = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line and not line.startswith("let "))
    short = [line.removeprefix("let ").split(" = ") for line in head.splitlines() if line.startswith("let ")]
    said = []
    for block in blocks:
        path, status, *lines = block.strip().splitlines()
        body = "".join(lines)
        for name, meaning in short:
            body = body.replace(name, meaning)
        ends = "" if body == "ok" else "\n"
        said.append(Said(path.removeprefix("> "), status.removeprefix("< "), (body + ends).encode()))
    return terms, said


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def ask(port: int, *paths: str) -> list[tuple[str, bytes]]:
    """What is answered over one connection: status and media type, and the body."""
    answers = []
    async with connected(port) as (reader, writer):
        for path in paths:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:-2])
            body = await reader.readexactly(int(fields["Content-Length"]))
            answers.append((f"{head.split(' ')[1]} {fields['Content-Type']}", body))
    return answers


async def send(port: int, sent: bytes) -> bytes:
    """All that is answered to bytes."""
    async with connected(port) as (reader, writer):
        writer.write(sent)
        writer.write_eof()
        return await reader.read()


def over_http(respond: Callable[[Request], Answer], talk: Callable[[int], Awaitable[Any]]) -> Any:
    async def both() -> Any:
        server = HttpServer(respond)
        try:
            return await talk(await server.open("127.0.0.1", 0))
        finally:
            await server.close()

    return asyncio.run(both())


@pytest.mark.parametrize("gear", ["interpreted", "compiled"])
@pytest.mark.parametrize("file", DIALOGUES, ids=lambda file: file.stem)
def test_a_dialogue_is_the_original_s_to_the_byte(file: Path, gear: Any) -> None:
    terms, said = read_dialogue(file)
    options: dict[str, Any] = {
        name: int(n) for name, n in (pair.split("=") for pair in terms.get("options", "").split() if pair)
    }
    match = Match(load("chartichaud", gear), terms["preset"], position=terms["position"], **options)
    door = door_of(match, private="private" in terms)
    heard = over_http(door.answer, lambda port: ask(port, *(each.path for each in said)))
    for each, (status, body) in zip(said, heard, strict=True):
        assert (status, body.decode()) == (each.status, each.body.decode()), each.path


def test_there_are_dialogues_of_what_telecom_does_otherwise() -> None:
    assert [file.stem for file in DIALOGUES] == ["telecom-fight", "telecom-refusals", "telecom-turns"]


def test_an_answer_to_the_byte() -> None:
    assert written(Answer(200, b"ok", "text/html; charset=utf-8"), True) == (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 2\r\n"
        b"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: keep-alive\r\n\r\nok"
    )


def test_refusals_are_said_in_french_where_the_command_speaks_french() -> None:
    door = door_of(Match(GAME, "telecom"), language="fr")
    get(door, "/getToken")
    assert get(door, "/endturn/A/nonsense").body.decode() == "Ce jeton n’est pas celui du joueur A.\n"
    assert get(door, "/farm/A/9/0/tokenOfA").body.decode() == "La carte va de 0 à 8 pour y et de 0 à 15 pour x.\n"


# -- seats, clocks and what is told -----------------------------------------------------------------------------------


def test_the_preset_is_that_of_the_course() -> None:
    door = door_of(Match(GAME, "telecom", seed=3))
    get(door, "/getToken")
    seen = view(door, "A")
    assert (seen["height"], seen["width"], seen["gold"]) == (9, 16, {"A": 25})
    assert seen["map"][0][0]["A"] == {"C": 3, "Cm": True, "M": 0, "B": 0}
    assert sum(cell != {} for row in seen["map"] for cell in row) == 9


def test_names_are_cleaned_for_the_terminal_and_the_record() -> None:
    told: list[str] = []
    table = table_of(Match(GAME, "telecom"), lambda words: told.append(words.en))
    table.join("\x1b[31mEve\n" + "x" * 99, 0)
    table.join("\x00", 0)
    assert [seat.name for seat in table.match.seats] == ["[31mEve" + "x" * 33, "Unknown"]
    assert told == [f"[31mEve{'x' * 33} sits down as player A.", "Unknown sits down as player B."]


def test_tokens_are_eight_letters_and_digits_and_never_the_same() -> None:
    drawn = [Table(Match(GAME, "telecom"), (0, 1), ClockRule(), unheard).join("Ada", 0)[1] for _ in range(20)]
    assert all(re.fullmatch("[A-Za-z0-9]{8}", token) for token in drawn) and len(set(drawn)) == 20


def test_who_is_late_has_ended_the_turn() -> None:
    told: list[str] = []
    table = table_of(Match(GAME, "telecom", seed=1), lambda words: told.append(words.en), ClockRule("move", turn=1000))
    table.join("Ada", 0)
    table.act(0, "move civilian 0,0 east", 5_000_000)  # the clock stands until all are there
    table.join("Bob", 6_000_000)
    assert table.deadline() == 6_001_000
    table.expire(6_000_999)
    assert table.match.turn == 0
    table.expire(6_001_000)
    assert table.match.turn == 1 and table.deadline() == 6_002_000
    with pytest.raises(ValueError, match="not this player’s turn"):
        table.act(0, "end", 6_001_500)
    table.act(1, "end", 6_001_999)
    with pytest.raises(ValueError, match="not this player’s turn"):  # the next turn was over before this came
        table.act(0, "end", 6_003_001)
    assert told[2:] == [
        "Time is up for A: its turn ends.",
        "Turn 1 of 301, played by A. Score: A 0, B 0.",
        "Turn 2 of 301, played by B. Score: A 0, B 0.",
        "Time is up for A: its turn ends.",
        "Turn 3 of 301, played by A. Score: A 0, B 0.",
    ]


def test_a_view_asked_for_again_is_not_drawn_again() -> None:
    """A bot that polls costs next to nothing: the very same bytes are sent."""
    door = door_of(Match(GAME, "telecom"))
    get(door, "/getToken")
    first = get(door, "/view/A/tokenOfA").body
    assert get(door, "/view/A/tokenOfA").body is first
    get(door, "/move/A/C/0/0/0/1/tokenOfA")
    assert get(door, "/view/A/tokenOfA").body != first


def test_clients_of_the_match_before_learn_how_it_ended() -> None:
    door = door_of(Match(GAME, "telecom", turns=2))
    for path in ("/getToken", "/getToken", "/endturn/A/tokenOfA", "/endturn/B/tokenOfB"):
        assert get(door, path).status == 200
    door.last = door.table
    door.table = Table(Match(GAME, "telecom"), (0, 1), ClockRule(), unheard, lambda: "another")
    assert view(door, "B")["winner"] == "No one" and door.last is not None and door.last.unaware == {0}
    assert json.loads(get(door, "/getToken").body) == {"player": "A", "token": "another"}
    assert json.loads(get(door, "/view/A/another").body)["winner"] == ""


# -- secrets ----------------------------------------------------------------------------------------------------------


def everything_said(world: World, seat: int) -> list[bytes]:
    """All that a seat can get out of the server without playing."""
    options: dict[str, Any] = dict(world.options)
    match = Match(world.game, position=world.game.position(world), **options)
    match.world = world
    door = door_of(match, private=True)
    for _ in range(2):
        get(door, "/getToken")
    side = "AB"[seat]
    paths = [f"/view/{side}/tokenOf{side}", f"/getwinner/{side}/tokenOf{side}", f"/view/all/tokenOf{side}"]
    ours = world.game.turn(world) == seat
    shown = world.game.show(world.game.view(world, seat))
    for y in range(shown.height):
        for x in range(shown.width):
            refused = not ours or not any(p.x == x and p.y == y and p.seen for p in shown.places)
            if refused:  # so it changes nothing
                paths.append(f"/farm/{side}/{y}/{x}/tokenOf{side}")
                paths.append(f"/build/{side}/{y}/{x}/M/tokenOf{side}")
                paths.append(f"/move/{side}/C/{y}/{x}/{y}/{x + 1}/tokenOf{side}")
    return [bytes([answer.status % 256]) + answer.body for answer in (get(door, path) for path in paths)]


@pytest.mark.parametrize("start", STARTS["chartichaud"], ids=str)
def test_what_is_hidden_changes_no_byte(start: dict[str, Any]) -> None:
    """Everything that the ruling hides is drawn again: tests/leaks."""
    draws, differ = seeded(5), 0
    for world in worlds_of(GAME, start, 11, every=23):
        if GAME.over(world):
            continue
        for seat in range(2):
            twin = other_world(GAME, world, seat, draws)
            assert everything_said(world, seat) == everything_said(twin, seat)
            differ += everything_said(world, 1 - seat)[0] != everything_said(twin, 1 - seat)[0]
    assert differ > 3  # the other seat sees what was drawn again: there was something to hide


def test_a_unit_out_of_sight_is_never_shown() -> None:
    text = "8x5 turn=0 points=0,0 purse=25,25 wealth=40,40 A=0,0:1C B=3,0:7M;2,2:5C gold=3,1:77"
    door = door_of(Match(GAME, "telecom", position=text))
    get(door, "/getToken")
    said = get(door, "/view/A/tokenOfA").body
    assert b'"C":5' in said and b'"M":7' not in said and b"77" not in said
    get(door, "/move/A/C/0/0/0/1/tokenOfA")
    assert b'"M":7' in get(door, "/view/A/tokenOfA").body


def test_spectators_see_all_unless_the_match_is_private() -> None:
    opened, closed = (door_of(Match(GAME, "telecom", seed=1), private=private) for private in (False, True))
    assert get(closed, "/view/all/nop").status == 500
    shown = json.loads(get(opened, "/view/all/nop").body)
    assert shown["gold"] == {"A": 25, "B": 25} and shown["map"][8][15]["B"]["C"] == 3
    assert len(shown["viewA"]) == len(shown["viewB"]) == 9 and "0_2" in shown["viewA"]
    assert "Cm" not in str(shown)


def test_when_it_is_over_any_token_sees_all() -> None:
    door = door_of(Match(GAME, "telecom", seed=1, turns=2), private=True)
    for player in "AB":
        get(door, "/getToken")
        assert get(door, "/view/A/another").status == get(door, "/view/C/another").status == 500
        get(door, f"/endturn/{player}/tokenOf{player}")
    shown = get(door, "/view/A/tokenOfA")
    assert shown.status == 200 and json.loads(shown.body)["gold"] == {"A": 25, "B": 25}
    for path in ("A/another", "C/another", "B/tokenOfA", "all/nop"):
        assert get(door, f"/view/{path}") == shown


def test_a_page_of_the_original_is_found_by_a_name_with_letters_that_addresses_write_otherwise() -> None:
    door = door_of(Match(GAME, "telecom"), pages={"/été à la mer.png": (b"sea", "image/png")})
    assert get(door, "/%C3%A9t%C3%A9%20%C3%A0%20la%20mer.png") == Answer(200, b"sea", "image/png")


# -- requests that are none -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"POST /getToken HTTP/1.1\r\nHost: x\r\n\r\n", 405),
        (b"HEAD /getToken HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 405),
        (b"GET /getToken HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 400),
        (b"GET /getToken HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"GET /getToken HTTP/2\r\n\r\n", 400),
        (b"GET getToken HTTP/1.1\r\n\r\n", 400),
        (b"GET /getToken HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (b"\x00\xff\xfe garbage\r\n\r\n", 400),
        (b"GET /" + b"a" * 2 * LONGEST_HEAD + b" HTTP/1.1\r\n\r\n", 431),
        (b"GET /getToken/%00%ff%2e%2e HTTP/1.1\r\nConnection: close\r\n\r\n", 200),
        (b"GET /../../etc/passwd HTTP/1.1\r\n\r\n", 404),
        (b"GET /getToken HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\n\r\n", 403),
        (b"GET /getToken HTTP/1.0\r\n\r\n", 200),
    ],
)
def test_requests_that_are_none_are_answered_and_change_nothing(sent: bytes, status: int) -> None:
    door = door_of(Match(GAME, "telecom"))

    async def talk(port: int) -> tuple[bytes, Any]:
        return await send(port, sent), await ask(port, "/alive")

    said, alive = over_http(door.answer, talk)
    assert said.startswith(f"HTTP/1.1 {status} ".encode()), said
    assert alive[0][1] == b'{"response":"ok"}\n'
    assert door.table is not None and door.table.full is False
    taken = 1 if status == 200 else 0
    assert json.loads(get(door, "/getToken").body)["player"] == "AB"[taken]


def test_connections_are_bounded_and_those_that_are_left_are_forgotten() -> None:
    async def talk(port: int) -> bytes:
        async with AsyncExitStack() as stay:
            for _ in range(MOST_CONNECTIONS):
                reader, writer = await stay.enter_async_context(connected(port))
                writer.write(b"GET / HTTP/1.1\r\n\r\n")
                await reader.readuntil(b"\r\n\r\n")
            async with connected(port) as (reader, _):
                refused = await reader.read()
        for _ in range(100):
            if b" 204 " in await send(port, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"):
                return refused
        raise AssertionError("nobody is let in again")

    assert b" 503 " in over_http(lambda request: plain(204, ""), talk)
