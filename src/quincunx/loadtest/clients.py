"""The matches at which clients sit, every seat a client of its own, and the times that are measured.

    clients = Clients(address, protocol, rate=1)
    await clients.sit(500)                 # makes the matches and opens the sockets
    times = await clients.play(seconds=60)

A move's time runs from the moment it is played until the mover is told that it stands. A move that could not be played
when it was due, because the server was behind, counts from when it was due: a slow server must not slow its questioner
down and look fast. With `scripts` the games are known beforehand; otherwise moves are drawn from what the server lists.
"""

from __future__ import annotations

import asyncio
import gc
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from time import perf_counter
from urllib.parse import SplitResult

import msgspec

from quincunx.loadtest.protocol import Made, ServerProtocol
from quincunx.loadtest.socket import Socket

PATIENCE = 30.0  # seconds until an answer that has not come counts as an error
AT_ONCE = 16  # matches that are being made
BEAT = 0.25  # seconds between two looks at the progress

Script = Sequence[tuple[int, str]]  # seats and their moves


class Times(msgspec.Struct, frozen=True):
    """What was measured; times of acknowledgement in milliseconds."""

    moves: int
    seconds: float
    p50: float
    p95: float
    p99: float
    longest: float
    finished: int  # matches played to the end
    errors: dict[str, int]

    @property
    def moves_a_second(self) -> float:
        return self.moves / self.seconds if self.seconds else 0.0

    @classmethod
    def of(cls, waits: Sequence[float], seconds: float, finished: int, errors: dict[str, int]) -> Times:
        ordered = sorted(waits)
        p50, p95, p99, longest = (1000 * percentile(ordered, share) for share in (0.5, 0.95, 0.99, 1.0))
        return cls(len(ordered), seconds, p50, p95, p99, longest, finished, errors)


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest figure that is not below so large a share of them; 0 of none."""
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)] if ordered else 0.0


class ClientMatch:
    """One match, and its clients."""

    def __init__(self, clients: Clients, made: Made, script: Script | None) -> None:
        self.clients = clients
        self.made = made
        self.script = script
        self.sockets: list[Socket] = []
        self.listed: list[Sequence[str]] = [() for _ in made.tokens]  # what each was told that it may play,
        self.legal = list(self.listed)  # and has not answered yet
        self.ready: asyncio.Event = asyncio.Event()
        self.n = 0  # moves played
        self.mover = -1  # who waits for an answer
        self.due: float | None = None  # since when a move may be played
        self.next = 0.0  # when, by the loop's clock, the move after it is due
        self.over = False

    async def sit(self) -> None:
        loop = asyncio.get_running_loop()
        protocol, address = self.clients.protocol, self.clients.address
        for seat in range(len(self.made.tokens)):
            make = partial(Socket, address.netloc, protocol.path(self.made), partial(self.hear, seat), self.fail)
            _, socket = await loop.create_connection(make, address.hostname or "", address.port or 80)
            self.sockets.append(socket)
            self.clients.keep(socket)
            await socket.opened
            await self._say(socket, protocol.hello(self.made, seat))
        for socket in self.sockets:
            await self._say(socket, protocol.when_seated())

    async def _say(self, socket: Socket, words: Sequence[bytes]) -> None:
        for word in words:
            self.ready.clear()
            socket.send(word)
            async with asyncio.timeout(PATIENCE):
                await self.ready.wait()

    def leave(self) -> None:
        for socket in self.sockets:
            socket.close()

    def fail(self, reason: str) -> None:
        if self in self.clients.under_way:
            self.clients.errors[reason] += 1
            self.clients.end(self)

    # -- a move --------------------------------------------------------------------------------------------------

    def begin(self, at: float) -> None:
        """The first move is due at this time of the loop."""
        self.next = at
        asyncio.get_running_loop().call_at(at, self._tick)

    def _tick(self) -> None:
        self.due = perf_counter()
        self.go_on()

    def go_on(self) -> None:
        """Plays, if it is time to and the server has answered what came before."""
        clients = self.clients
        if self.due is None or self.mover >= 0 or not clients.playing or self not in clients.under_way:
            return
        move = self._choose()
        if move is None:
            return
        self.mover, action = move
        self.n += 1
        self.legal[self.mover] = ()
        self.began = self.due if clients.period else perf_counter()
        self.sockets[self.mover].send(clients.protocol.play(self.made, self.mover, self.n, action))
        if clients.period:
            self.due = None
            self.begin(self.next + clients.period)

    def _choose(self) -> tuple[int, str] | None:
        if self.over or (self.script is not None and self.n == len(self.script)):
            self.clients.finished += 1
            self.clients.end(self)
            return None
        if self.script is not None:
            return self.script[self.n]
        for seat, legal in enumerate(self.legal):
            if legal:
                return seat, self.clients.random.choice(legal)
        return None

    def hear(self, seat: int, text: bytes) -> None:
        heard = self.clients.protocol.hear(seat, text)
        if heard is None:
            return
        if heard.what == "accepted":
            if seat == self.mover and heard.n == self.n:
                self.clients.acknowledged(self.began)
                self.mover = -1
                self.go_on()
        elif heard.what == "position":
            if heard.legal is not None:
                self.listed[seat] = heard.legal
            self.legal[seat] = self.listed[seat]
            self.over = heard.over
            self.go_on()
        elif heard.what == "ready":
            self.ready.set()
        elif heard.what == "answer":
            self.sockets[seat].send(heard.reply)
        else:
            self.fail(heard.reason)


class Clients:
    """Clients at matches. `rate` is moves a second and match; None: each as soon as the one before it stands."""

    def __init__(
        self,
        address: SplitResult,
        protocol: ServerProtocol,
        rate: float | None = None,
        scripts: Sequence[Script] | None = None,
        seed: int = 0,
    ) -> None:
        self.address = address
        self.protocol = protocol
        self.period = 1 / rate if rate else 0.0
        self.scripts = scripts
        self.random = Random(seed)
        self.under_way: set[ClientMatch] = set()
        self.errors: Counter[str] = Counter()
        self.finished = 0
        self.playing = False
        self.waits = array("d")
        self._last = 0.0  # when the last answer came
        self._made = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._sockets: set[Socket] = set()

    async def sit(self, matches: int, tell: Callable[[int], None] = lambda n: None) -> None:
        """Makes so many matches and takes their seats; `tell` hears how many there are."""
        room = asyncio.Semaphore(AT_ONCE)

        async def one() -> None:
            async with room:
                await self._new_match()
                tell(len(self.under_way))

        await asyncio.gather(*(one() for _ in range(matches)))

    async def _new_match(self) -> ClientMatch:
        script = self.scripts[self._made % len(self.scripts)] if self.scripts is not None else None
        self._made += 1
        match = ClientMatch(self, await self.protocol.make(self.address), script)
        await match.sit()
        self.under_way.add(match)
        return match

    async def play(self, seconds: float | None = None, tell: Callable[[int], None] = lambda n: None) -> Times:
        """For so long, and a match that is done is replaced; None: until every game is played to its end."""
        self._endless = seconds is not None
        loop = asyncio.get_running_loop()
        gc.collect()
        gc.disable()  # its pauses would be taken for the server's
        self.playing = True
        began = self._last = perf_counter()
        for match in sorted(self.under_way, key=id):
            match.begin(loop.time() + self.random.random() * self.period)
        while self.under_way and (seconds is None or perf_counter() - began < seconds):
            await asyncio.sleep(BEAT if seconds is None else min(BEAT, max(0, began + seconds - perf_counter())))
            tell(len(self.waits))
            if perf_counter() - self._last > PATIENCE + self.period:
                break
        lasted = perf_counter() - began if seconds is not None else self._last - began
        moves = len(self.waits)
        self.playing = False
        await self._end_of_play()
        gc.enable()
        # answers that came after the end are in the percentiles, so that slow ones are not cut off, not in the rate
        times = Times.of(self.waits, lasted, self.finished, dict(self.errors))
        return msgspec.structs.replace(times, moves=moves)

    async def _end_of_play(self) -> None:
        until = perf_counter() + PATIENCE
        while any(match.mover >= 0 for match in self.under_way) and perf_counter() < until:
            await asyncio.sleep(0.01)
        unanswered = sum(match.mover >= 0 for match in self.under_way)
        if unanswered:
            self.errors["unanswered"] += unanswered
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def keep(self, socket: Socket) -> None:
        self._sockets.add(socket)
        socket.closed.add_done_callback(lambda _: self._sockets.discard(socket))

    async def leave(self) -> None:
        """Everybody goes; it returns when all are gone."""
        self.under_way.clear()
        for socket in self._sockets:
            socket.close()
        await asyncio.gather(*(socket.closed for socket in self._sockets))

    def acknowledged(self, began: float) -> None:
        self._last = perf_counter()
        self.waits.append(self._last - began)

    def end(self, match: ClientMatch) -> None:
        """A match is over, or lost to an error: another one takes its place."""
        self.under_way.discard(match)
        match.leave()
        if self.playing and self._endless:
            task = asyncio.create_task(self._replace())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _replace(self) -> None:
        try:
            match = await self._new_match()
        except (OSError, TimeoutError) as error:
            self.errors[str(error) or type(error).__name__] += 1
            return
        match.begin(asyncio.get_running_loop().time() + self.random.random() * self.period)
