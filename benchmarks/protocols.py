"""What a boardgame.io server is told and says, for the clients of `quincunx.loadtest`: socket.io's text protocol.

    0{…}                          the connection is open            2 / 3          ping, and its answer
    40/connect_four,              the game's room                   42/connect_four,["update",…]   an event in it

A move names the number of the state that it was played in; the mover is told the next state, and that it stands.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import SplitResult

import msgspec

from quincunx.loadtest.protocol import Heard, Made
from quincunx.loadtest.rest import ask

GAME = "connect_four"
ROOM = f"/{GAME},"
EVENT = f"42{ROOM}".encode()
UPDATE, SYNC, JOINED, PING = EVENT + b'["update"', EVENT + b'["sync"', f"40{ROOM}".encode(), b"2"


class _State(msgspec.Struct):
    """Of a match, the number: the rest is skipped."""

    number: int = msgspec.field(name="_stateID")


class BoardgameIo:
    def __init__(self) -> None:
        self._read = msgspec.json.Decoder(tuple[str, str, _State, msgspec.Raw]).decode

    async def make(self, address: SplitResult) -> Made:
        made = (await ask(address, "POST", f"/games/{GAME}/create", {"numPlayers": 2})).read()
        path = f"/games/{GAME}/{made['matchID']}/join"
        seats = [{"playerID": str(seat), "playerName": f"Player {seat + 1}"} for seat in range(2)]
        joined: list[Any] = [(await ask(address, "POST", path, seat)).read() for seat in seats]
        return Made(made["matchID"], tuple(each["playerCredentials"] for each in joined))

    def path(self, made: Made) -> str:
        return "/socket.io/?EIO=4&transport=websocket"

    def hello(self, made: Made, seat: int) -> list[bytes]:
        sync = msgspec.json.encode(["sync", made.id, str(seat), made.tokens[seat], 2])
        return [JOINED, EVENT + sync]

    def when_seated(self) -> list[bytes]:
        return []

    def play(self, made: Made, seat: int, n: int, action: str) -> bytes:
        return (
            f'42{ROOM}["update",{{"type":"MAKE_MOVE","payload":{{"type":"drop","args":[{ord(action) - 97}],'
            f'"playerID":"{seat}","credentials":"{made.tokens[seat]}"}}}},{n - 1},"{made.id}","{seat}"]'
        ).encode()

    def hear(self, seat: int, text: bytes) -> Heard | None:
        if text.startswith(UPDATE):
            return Heard("accepted", self._read(text[len(EVENT) :])[2].number)
        if text.startswith((SYNC, JOINED)):
            return Heard("ready")
        return Heard("answer", reply=b"3") if text == PING else None
