"""A seat of one match, over its WebSocket: the latest of what it is shown, the story since it last looked, its moves.

The connection comes back by itself when it is lost or the server starts again. A move that was not acknowledged is sent
again under the same id, and is played once.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from quincunx.core.words import Refused, Words
from quincunx.match import wire
from quincunx.match.changes import patched

PATIENCE = 60.0  # seconds for a word to be answered, also by a server that has to start again
PAUSE = 0.5  # seconds between two attempts to connect
LONGEST = 8 * 2**20  # bytes of a word
MOST_STORY = 1000  # events that wait to be told
FOR_GOOD = range(4400, 4500)  # a server that closes with one of these will not change its mind

LOST = Words("La partie n’est plus joignable ({}).", "The match can no longer be reached ({}).")
LATE = Words("Le serveur n’a pas répondu à temps.", "The server did not answer in time.")
NOT_A_SEAT = Words(
    "Ce jeton n’est celui d’aucune place de cette partie.", "This token is of no seat in this match."
)  # fmt: skip


class Table:
    def __init__(self, base: str, match: str, token: str) -> None:
        self.match = match
        self.token = token
        self.seat = -1
        self.welcome: dict[str, Any] = {}
        self.update: dict[str, Any] = {}
        self._url = f"ws{base.removeprefix('http')}/ws/{match}"
        self._story: list[dict[str, Any]] = []
        self._heard = time.monotonic()  # when the update came: its clocks run on
        self._news = asyncio.Condition()
        self._asked: dict[str, tuple[str, asyncio.Future[dict[str, Any]]]] = {}  # moves that are not answered yet
        self._moves = 0
        self._named = format(time.time_ns(), "x")  # ids of moves are new, also after another client of this seat
        self._socket: ClientConnection | None = None
        self._lost: Refused | None = None
        self._task = asyncio.create_task(self._stay())

    async def sit(self) -> None:
        """Until the seat is shown something."""
        await self._until(lambda: bool(self.update), PATIENCE)
        if not self.update:
            self.leave()
            raise Refused("silent", LATE)

    def leave(self) -> None:
        self._task.cancel()

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.update.get("outcome") is not None

    @property
    def to_act(self) -> bool:
        return not self.over and self.seat in self.update["to_act"]

    def clocks(self) -> list[int | None]:
        """Milliseconds left, now."""
        passed = round(1000 * (time.monotonic() - self._heard))
        running = () if self.over else self.update["to_act"]
        return [
            max(0, left - passed) if left is not None and seat in running else left
            for seat, left in enumerate(self.update["clocks"])
        ]

    def take_story(self) -> list[dict[str, Any]]:
        """What happened since it was taken last."""
        story, self._story = self._story, []
        return story

    async def wait(self, seconds: float) -> None:
        """Until it is this seat's turn, or the match is over, or so long."""
        await self._until(lambda: self.over or self.to_act, seconds)

    # -- acting --------------------------------------------------------------------------------------------------

    async def play(self, action: str) -> None:
        """Refused if it is; otherwise the update that followed is here."""
        self._moves += 1
        before = self.update["n"]
        id = f"{self._named}-{self._moves}"
        answer = await self._say(id, wire.Play(id, self.seat, action))
        if answer["type"] == "refused":
            raise Refused(answer["code"], Words(**answer["words"]))
        await self._until(lambda: self.update["n"] != before, 2.0)

    async def resign(self) -> None:
        await self._send(wire.write(wire.Ask(self.seat, "resign")).decode())
        await self._until(lambda: self.over, PATIENCE)

    async def _say(self, id: str, word: wire.ToServer) -> dict[str, Any]:
        text = wire.write(word).decode()
        answered: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked[id] = text, answered
        try:
            await self._send(text)
            async with asyncio.timeout(PATIENCE):
                return await answered
        except TimeoutError:
            raise Refused("silent", LATE) from None
        finally:
            self._asked.pop(id, None)

    async def _send(self, text: str) -> None:
        if self._lost:
            raise self._lost
        if self._socket is not None:
            with suppress(ConnectionClosed):  # it comes back, and then says again what was not answered
                await self._socket.send(text)

    # -- the connection ------------------------------------------------------------------------------------------

    async def _until(self, true: Callable[[], bool], seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._news:
                await self._news.wait_for(lambda: self._lost is not None or true())
        if self._lost:
            raise self._lost

    async def _stay(self) -> None:
        """Connects, and connects again, until the server says that there is nothing to come back to."""
        while True:
            try:
                async with connect(self._url, max_size=LONGEST, proxy=None, compression=None) as socket:
                    await self._attend(socket)
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code in FOR_GOOD:
                    return await self._lose(LOST.format(closed.rcvd.reason or closed.rcvd.code))
            except Refused as refused:
                return await self._lose(refused.words)
            except InvalidStatus as refused:
                if refused.response.status_code < 500:
                    return await self._lose(LOST.format(refused.response.status_code))
            except (OSError, WebSocketException):
                pass  # it may come back
            finally:
                self._socket = None
            await asyncio.sleep(PAUSE)

    async def _attend(self, socket: ClientConnection) -> None:
        last = self.update.get("n", 0)
        await socket.send(wire.write(wire.Hello((self.token,), board=True, last=last)).decode())
        self._socket = socket
        for text, _ in list(self._asked.values()):
            await socket.send(text)
        async for word in socket:
            await self._hear(json.loads(word))

    async def _hear(self, word: dict[str, Any]) -> None:
        if word["type"] == "welcome":
            if len(word["yours"]) != 1:
                raise Refused("not_a_seat", NOT_A_SEAT)
            self.welcome, self.seat = word, word["yours"][0]
        elif word["type"] in ("update", "changed"):
            passed = round(1000 * (time.monotonic() - self._heard))
            self.update = word if word["type"] == "update" else patched(self.update, word, passed)
            self._heard = time.monotonic()
            story = word.get("story", [])
            self._story = (story if word.get("retold") else [*self._story, *story])[-MOST_STORY:]
        elif word["type"] in ("accepted", "refused") and word.get("id") in self._asked:
            answered = self._asked[word["id"]][1]
            if not answered.done():
                answered.set_result(word)
        async with self._news:
            self._news.notify_all()

    async def _lose(self, words: Words) -> None:
        self._lost = Refused("lost", words)
        for _, answered in self._asked.values():
            if not answered.done():
                answered.set_exception(self._lost)
        async with self._news:
            self._news.notify_all()
