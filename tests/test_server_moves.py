"""Moves are read, appended and told, in whatever pieces they come."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.frames import Frame, Opcode

from quincunx.match.wire import Play, SeatShown, write
from quincunx.server.limits import Allowance
from quincunx.server.lobby import Lobby
from quincunx.server.match_shapes import NewMatch, WantedSeat
from quincunx.server.matches import LiveMatches
from quincunx.server.session import Session
from quincunx.server.updates import CommonState, PendingChanges, Publication
from quincunx.store import Store
from test_server import HERE, Server
from test_server_sessions import BOB, settle, sit, tokens_of

pytestmark = pytest.mark.slow  # left out of `make check`


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("moves"))
    running.start()
    yield running
    running.kill()


def play(id: str, seat: int, action: str) -> bytes:
    return write(Play(id, seat, action))


def in_frame(text: bytes, opcode: Opcode = Opcode.TEXT, fin: bool = True) -> bytes:
    return Frame(opcode, text, fin).serialize(mask=True)


# -- frames ---------------------------------------------------------------------------------------------------------


class Wire:
    """A connection of which a test says what is in each packet."""

    def __init__(self, server: Server, match: str, tokens: list[str]) -> None:
        self.guest = settle(sit(server, match, *tokens))
        self.socket: socket.socket = self.guest.connection.socket

    def send(self, *packets: bytes) -> None:
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for packet in packets:
            self.socket.sendall(packet)

    def hear(self, until: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        heard = [self.guest.receive()]
        while not until(heard[-1]):
            heard.append(self.guest.receive())
        return [word for word in heard if word["type"] not in ("update", "changed")]


def ponged(word: dict[str, Any]) -> bool:
    return bool(word["type"] == "pong")


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    """Both seats of a match, by one client."""
    made = server.make("connect_four", HERE, BOB)
    wire = Wire(server, made["id"], tokens_of(made))
    yield wire
    wire.guest.connection.close()


PING = in_frame(b'{"type":"ping"}')


def test_moves_and_other_words_in_one_packet_are_answered_in_their_order(wire: Wire) -> None:
    moves = [in_frame(play(f"m{n}", n % 2, column)) for n, column in enumerate("aabbcc")]
    wire.send(b"".join([*moves[:3], PING, *moves[3:], PING]))
    heard = [*wire.hear(ponged), *wire.hear(ponged)]
    assert [word.get("id", "pong") for word in heard] == ["m0", "m1", "m2", "pong", "m3", "m4", "m5", "pong"]


def test_a_move_in_packets_of_a_byte_is_played(wire: Wire) -> None:
    data = in_frame(play("m", 0, "d")) + PING
    wire.send(*(data[at : at + 1] for at in range(len(data))))
    assert [word["type"] for word in wire.hear(ponged)] == ["accepted", "pong"]


def test_a_move_in_pieces_is_played_and_pings_may_come_between_them(wire: Wire) -> None:
    text = play("m", 0, "d")
    pieces = in_frame(text[:9], fin=False), in_frame(b"", Opcode.PING), in_frame(text[9:], Opcode.CONT)
    wire.send(*pieces, in_frame(play("n", 1, "d")), PING)
    assert [word.get("id", "pong") for word in wire.hear(ponged)] == ["m", "n", "pong"]


NO_MESSAGES = {
    "unmasked": Frame(Opcode.TEXT, b"{}").serialize(mask=False),
    "more of nothing": in_frame(b"", Opcode.CONT),
    "no text": in_frame(b"\xff"),
    "too long": b"\x81\xff" + (2**40).to_bytes(8) + bytes(4),
}


@pytest.mark.parametrize("data", NO_MESSAGES.values(), ids=NO_MESSAGES)
def test_what_is_no_message_ends_the_connection_and_what_came_before_is_played(wire: Wire, data: bytes) -> None:
    wire.send(in_frame(play("m", 0, "d")) + data)
    heard = []
    with pytest.raises(Exception, match=r"100[279]|no close frame"):
        while True:
            heard.append(wire.guest.receive()["type"])
    assert "accepted" in heard or heard == []  # it may have been too late to tell


# -- two processes --------------------------------------------------------------------------------------------------


def test_who_was_overtaken_by_another_process_is_answered(tmp_path: Path) -> None:
    async def story() -> None:
        path = str(tmp_path / "m.db")
        async with Store.open(path) as here, Store.open(path) as there:
            seats = (WantedSeat("here", "Ada"), WantedSeat("here", "Bob"))
            made = await Lobby(here, LiveMatches(here)).make(NewMatch("connect_four", seats))
            hello = json.dumps({"type": "hello", "tokens": [held.token for held in made.seats]})
            sessions, heard = [], list[dict[str, Any]]()
            for store in (here, there):
                matches = LiveMatches(store)
                live = await matches.get(made.id)
                assert live is not None
                sessions.append(Session(matches, live, never, Allowance(), writing_to(heard)))
                await sessions[-1].receive(hello)
            first, second = sessions
            await first.receive(play("m", 0, "d").decode())
            heard.clear()
            for id in ("m", "n"):  # the other has not been told: the same move again, and another one
                await second.receive(play(id, 0, "d").decode())
            told = [(word["type"], word["id"]) for word in heard if word["type"] not in ("update", "changed")]
            assert told == [("accepted", "m"), ("refused", "n")]
            assert second.live.match.length == 1

    asyncio.run(story())


async def never(text: str) -> None:
    raise AssertionError("what can be written at once is not sent")


def writing_to(heard: list[dict[str, Any]]) -> Callable[..., bool]:
    def write(*texts: bytes) -> bool:
        heard.extend(map(json.loads, texts))
        return True

    return write


# -- an update, put together ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("recap", [False, True])
@pytest.mark.parametrize("board", [None, msgspec.Raw(b'{"cells":[]}')])
@pytest.mark.parametrize("story", [(), (msgspec.Raw(b'{"a":1}'), msgspec.Raw(b"2"))])
def test_an_update_of_bytes_is_the_one_that_it_would_be_as_a_whole(recap: bool, board: Any, story: Any) -> None:
    seats = (SeatShown("Ada", "person", "", True), SeatShown("Bob “é”", "computer", "level:3", False))
    common = CommonState((0,), (1000, None), seats, (1,), None, 0, 1, None, None, "r1", (None, None))
    publication = Publication(common, PendingChanges(0, 0), None)
    legal = ("a", "b-“c”")
    whole = common.update(17, -2, msgspec.Raw(b'{"x":[1]}'), story, legal)
    expected = write(msgspec.structs.replace(whole, recap=recap, retold=not recap, board=board))
    told = publication.update(17, -2, b'{"x":[1]}', story, write(legal), board, recap, not recap)
    assert told == expected
