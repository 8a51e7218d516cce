"""What is said to a server, and what its words mean. `Quincunx` speaks ours; a benchmark brings those of others.

Clients know matches, seats and moves; a protocol knows how a server wants them said. One object serves all matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol
from urllib.parse import SplitResult

import msgspec

from quincunx.loadtest.rest import ask


class Made(NamedTuple):
    """A match, and for each seat the secret of whoever holds it."""

    id: str
    tokens: tuple[str, ...]


class Heard(NamedTuple):
    """`ready`: what was said is heard; `accepted`: its move number `n` is played; `position`: what it may play now."""

    what: Literal["ready", "accepted", "refused", "position", "answer"]
    n: int = 0
    legal: Sequence[str] | None = ()  # None: what it could before
    over: bool = False
    reply: bytes = b""  # to send at once, for `answer`
    reason: str = ""


class ServerProtocol(Protocol):
    async def make(self, address: SplitResult) -> Made:
        """A new match in which every seat is ours."""

    def path(self, made: Made) -> str:
        """Of the WebSocket."""

    def hello(self, made: Made, seat: int) -> list[bytes]:
        """What a client says first; each word is answered by one that is `ready`."""

    def when_seated(self) -> list[bytes]:
        """What every client says, in the same way, when all of a match sit."""

    def play(self, made: Made, seat: int, n: int, action: str) -> bytes:
        """A move, the `n`th of the match from 1 on."""

    def hear(self, seat: int, text: bytes) -> Heard | None:
        """None: nothing that concerns a client."""


class _Word(msgspec.Struct, frozen=True, tag_field="type"):
    """A word of match/wire.py with the fields that matter here: the rest is skipped, which costs little."""


class _Update(_Word, tag="update", frozen=True):
    legal: tuple[str, ...]
    outcome: dict[str, Any] | None = None


class _Changed(_Word, tag="changed", frozen=True):
    legal: tuple[str, ...] | None = None


class _Accepted(_Word, tag="accepted", frozen=True):
    id: str


class _Refused(_Word, tag="refused", frozen=True):
    code: str


class _Welcome(_Word, tag="welcome", frozen=True):
    fog: bool


class _Pong(_Word, tag="pong", frozen=True): ...


class _Thinking(_Word, tag="thinking", frozen=True): ...


class _Waiting(_Word, tag="waiting", frozen=True): ...


class Quincunx:
    """Ours. With `scripted` games what may be played is known, and updates are not even read."""

    def __init__(self, game: str, seats: int, scripted: bool = False, **more: Any) -> None:
        sitting = [{"kind": "here", "name": f"Player {seat + 1}"} for seat in range(seats)]
        self._wanted = {"game": game, "seats": sitting, **more}
        self._scripted = scripted
        words = _Update | _Changed | _Accepted | _Refused | _Welcome | _Pong | _Thinking | _Waiting
        self._read = msgspec.json.Decoder(words).decode

    async def make(self, address: SplitResult) -> Made:
        made = (await ask(address, "POST", "/api/matches", self._wanted)).read()
        return Made(made["id"], tuple(held["token"] for held in made["seats"]))

    def path(self, made: Made) -> str:
        return f"/ws/{made.id}"

    def hello(self, made: Made, seat: int) -> list[bytes]:
        return [msgspec.json.encode({"type": "hello", "tokens": [made.tokens[seat]]})]

    def when_seated(self) -> list[bytes]:
        """Updates about who sits where come before the pong: after it they are about moves."""
        return [b'{"type":"ping"}']

    def play(self, made: Made, seat: int, n: int, action: str) -> bytes:
        return f'{{"type":"play","id":"{n}","seat":{seat},"action":"{action}"}}'.encode()

    def hear(self, seat: int, text: bytes) -> Heard | None:
        if self._scripted and text.startswith(b'{"type":"update"'):
            return None
        word = self._read(text)
        match word:
            case _Update():
                return Heard("position", legal=word.legal, over=word.outcome is not None)
            case _Changed():
                return Heard("position", legal=word.legal)
            case _Accepted():
                return Heard("accepted", int(word.id))
            case _Refused():
                return Heard("refused", reason=word.code)
            case _Welcome() | _Pong():
                return Heard("ready")
        return None
