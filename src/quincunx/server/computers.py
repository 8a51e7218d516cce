"""Who acts when no person does: computer players, and clocks that run out.

A computer thinks in a worker process. Before it does, this process takes a lease in the store, so that of several
server processes one thinks; after a crash the lease runs out and another one goes on.

Somebody must want to know: half a minute after the last socket left a match, its computers stop in the middle of their
thought, and begin it again when somebody comes back. That holds for matches among computers too. Where a clock is about
to run out, they go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from time import monotonic

from quincunx.core.words import Refused
from quincunx.match import wire
from quincunx.match.referee import Referee, Ruling
from quincunx.players.analysis import chance
from quincunx.players.levels import spec_of
from quincunx.players.player import Info
from quincunx.players.queue import SHORT
from quincunx.players.worker import Job
from quincunx.players.workers import Thought, ThoughtLost, Workers
from quincunx.server.live import LiveMatch, LiveMatches, entropy
from quincunx.server.logs import log
from quincunx.server.metrics import METRICS
from quincunx.server.tokens import new_id
from quincunx.store import Unavailable

SOMEBODY_ELSE = 1.0  # seconds until one looks whether another process that thinks for a seat has done so
RENEWAL = 2.5  # seconds after which a lease is renewed
PAUSES = (0.1, 10.0)  # seconds between attempts, when the database does not answer: the first, the longest
AT_ONCE = 4  # long thoughts of one client that wait or run; its others do not even stand in line
NOBODY = "nobody"  # who waits at a match where nobody is
PATIENCE = 30.0  # seconds without a socket after which nobody waits any more
SOON = 3600.0  # seconds: flags that fall within them are waited for
MOST = {"time": 60.0, "threads": 1, "table": 64}  # what a seat may ask of a computer that it shares with others
EVEN = 0.5  # the chance to win up to which a computer is content with a draw
EVERY = 0.2  # seconds between two words about a thought


class _Care:
    """All that is kept for one match."""

    def __init__(self, live: LiveMatch) -> None:
        self.live = live
        self.turns: dict[int, asyncio.Task[None]] = {}
        self.lined_up: dict[int, str] = {}  # seats whose thought waits for a place, and in whose line
        self.memory: dict[int, bytes] = {}
        self.chances: dict[int, float] = {}  # of each computer, as it saw them when it acted last
        self.answers: set[asyncio.Task[None]] = set()  # to offers
        self.alarm: asyncio.TimerHandle | None = None
        self.ringing: asyncio.Task[None] | None = None
        self.rest: asyncio.TimerHandle | None = None

    def tasks(self) -> list[asyncio.Task[None]]:
        return [*self.turns.values(), *self.answers, *([self.ringing] if self.ringing else [])]

    def waits(self, seat: int) -> bool:
        return seat in self.live.to_act

    def weigh(self, seat: int, player: str, info: Info) -> None:
        """Remembers how a computer saw its chances, if it looked."""
        if info.value is not None:
            spec = spec_of(player, self.live.match.game) if player.startswith("level:") else player
            self.chances[seat] = chance(spec, info.value)

    def until_flag(self) -> float | None:
        """Seconds until the next flag falls; 0 where a seat that is gone is to act."""
        live = self.live
        if live.stored.status != "playing" or live.match.over:
            return None
        ends = [end for clock in live.referee.clocks if (end := clock.deadline()) is not None]
        if live.match.gone and any(seat in live.match.gone for seat in live.to_act):
            return 0.0
        return max(0, min(ends) - live.now()) / 1000 if ends else None


class _Line:
    """The long thoughts of one client."""

    def __init__(self) -> None:
        self.places = asyncio.Semaphore(AT_ONCE)
        self.length = 0


class Computers:
    def __init__(self, matches: LiveMatches, workers: Workers, patience: float = PATIENCE) -> None:
        self.matches = matches
        self.workers = workers
        self.patience = patience
        self.thinking = 0
        self._name = new_id()
        self._cares: dict[str, _Care] = {}
        self._lines: dict[str, _Line] = {}

    @property
    def busy(self) -> int:
        """LiveMatches that are seen to."""
        return len(self._cares)

    async def take_up(self) -> None:
        """After a start: goes on with the matches of computers that have a clock. The others wait for somebody."""
        for id in await self.matches.store.timed_with_computers():
            try:
                live = await self.matches.get(id)
            except Refused as refused:  # one match of older rules must not keep the others waiting
                log.warning("match.left", code=refused.code)
                continue
            if live is not None:
                self.attend(live)

    def attend(self, live: LiveMatch) -> None:
        """Sees to a match from now on, as long as somebody is there, or comes soon."""
        if live.match.over:
            return
        if live.id not in self._cares:
            self._cares[live.id] = _Care(live)
            live.watchers.add(self._on_change)
        self._on_change(live)
        if live.id in self._cares:
            self._line_up_again(self._cares[live.id])
        self.leave(live)

    def _line_up_again(self, care: _Care) -> None:
        """Somebody else may wait for a thought that has not begun: then it goes to that one's line."""
        for seat, client in list(care.lined_up.items()):
            if client != client_at(care.live):
                care.turns[seat].cancel()

    def leave(self, live: LiveMatch) -> None:
        """Somebody left a match, or came: does anybody wait?"""
        care = self._cares.get(live.id)
        if care is not None:
            if care.rest is not None:
                care.rest.cancel()
                care.rest = None
            if not live.sessions:
                care.rest = asyncio.get_running_loop().call_later(self.patience, self._rest, care)

    def _rest(self, care: _Care) -> None:
        flag = care.until_flag()
        if flag is not None and flag < SOON:
            self.leave(care.live)  # looks again later
        else:
            self._drop(care)

    def _drop(self, care: _Care) -> None:
        """Lets go of a match, and of all that was kept for it."""
        care.live.watchers.discard(self._on_change)
        if self._cares.get(care.live.id) is care:
            del self._cares[care.live.id]
        for timer in (care.alarm, care.rest):
            if timer is not None:
                timer.cancel()
        for task in care.tasks():
            if task is not asyncio.current_task():
                task.cancel()

    def _on_change(self, live: LiveMatch) -> None:
        care = self._cares[live.id]
        if live.match.over:
            return self._drop(care)
        self._set_alarm(care)
        if live.stored.status != "playing":
            return
        self._answer_offers(care)
        for number, seat in enumerate(live.stored.seats):
            if seat.kind == "computer" and number not in care.turns and care.waits(number):
                care.turns[number] = task = asyncio.create_task(self._turn(care, number, seat.player))
                task.add_done_callback(lambda _, number=number: self._end_turn(care, number))  # type: ignore[misc]

    def _answer_offers(self, care: _Care) -> None:
        """A draw is offered: a computer takes it if it did not see itself ahead when it acted last."""
        offers = care.live.referee.draw_offers
        for number, seat in enumerate(care.live.stored.seats):
            if offers and seat.kind == "computer" and number not in offers and not care.answers:
                task = asyncio.create_task(self._answer_offer(care, number))
                care.answers.add(task)
                task.add_done_callback(lambda task: self._answered(care, task))

    async def _answer_offer(self, care: _Care, seat: int) -> None:
        takes = care.chances.get(seat, 1.0) <= EVEN

        def question(referee: Referee, at: int) -> Ruling:
            if not referee.draw_offers - {seat} or seat in referee.draw_offers:
                return []  # another process was faster, or the match went on
            return referee.offer_draw(seat, at) if takes else referee.decline_draw(seat, at)

        async def answer() -> None:
            await self.matches.ask(care.live, question)

        await _persist(answer)

    def _answered(self, care: _Care, task: asyncio.Task[None]) -> None:
        care.answers.discard(task)
        if self._cares.get(care.live.id) is care:
            self._on_change(care.live)

    def _end_turn(self, care: _Care, seat: int) -> None:
        del care.turns[seat]
        if self._cares.get(care.live.id) is care:
            self._on_change(care.live)  # it may be its turn again already

    # -- thinking ------------------------------------------------------------------------------------------------

    async def _turn(self, care: _Care, seat: int, player: str) -> None:
        """A turn, however long the database does not answer, or another process thinks."""

        async def act() -> None:
            while care.waits(seat) and not await self._act(care, seat, player):
                await asyncio.sleep(SOMEBODY_ELSE)
                await self.matches.refresh(care.live.id)

        await _persist(act)

    async def _act(self, care: _Care, seat: int, player: str) -> bool:
        """As `_act_now`, when there is a place for one more long thought of the client that waits for it."""
        if self.workers.expects(care.live.stored.game, player) <= SHORT:
            return await self._act_now(care, seat, player)
        async with self._place(care, seat):
            return await self._act_now(care, seat, player)

    @asynccontextmanager
    async def _place(self, care: _Care, seat: int) -> AsyncIterator[None]:
        client = care.lined_up[seat] = client_at(care.live)
        line = self._lines.setdefault(client, _Line())
        line.length += 1
        try:
            async with line.places:
                del care.lined_up[seat]
                yield
        finally:
            care.lined_up.pop(seat, None)
            line.length -= 1
            if not line.length:
                del self._lines[client]

    async def _act_now(self, care: _Care, seat: int, player: str) -> bool:
        """All actions of a turn, one thought each; False if another process thinks for this seat."""
        live, store = care.live, self.matches.store
        if not await store.lease(live.id, seat, live.seq, self._name):
            return False
        try:
            while care.waits(seat):
                action = await self._think(care, seat, player)

                def question(referee: Referee, at: int, action: int = action) -> Ruling:
                    return referee.submit(seat, action, at, entropy)

                if await self.matches.ask(live, question):
                    break  # the match went on without it
                METRICS.computer_moves.count()
        except ThoughtLost as lost:
            if lost.code != "lost":  # there are no workers: the server ends, or cannot start any
                raise
            await self._forfeit(live, seat, lost.code)
        except Refused as refused:
            if refused.code == "busy":
                return False
            await self._forfeit(live, seat, refused.code)
        except RuntimeError as error:  # a bug of a player, told by its worker
            log.error("player.failed", player=player, words=str(error))
            await self._forfeit(live, seat, "failed")
        finally:
            with suppress(Unavailable):  # then it runs out
                await store.release(live.id, seat, self._name)
        return True

    async def _think(self, care: _Care, seat: int, player: str) -> int:
        live = care.live
        outlook = live.match.game.view(live.match.world, seat)
        memory = care.memory.get(seat, b"")
        most, client = MOST["time"], client_at(live)
        job = Job.of(outlook, player, entropy(), memory=memory, owner=live.id, client=client, most_seconds=most)
        thought = self.workers.think(job)
        telling = asyncio.create_task(_tell(live, seat, thought))
        self.thinking += 1
        try:
            while True:
                try:
                    async with asyncio.timeout(RENEWAL):
                        action = await thought.result()
                        care.memory[seat] = thought.memory
                        care.weigh(seat, player, thought.info)
                        return action
                except TimeoutError:
                    await self.matches.store.lease(live.id, seat, live.seq, self._name)
        finally:
            self.thinking -= 1
            telling.cancel()
            thought.cancel()  # if nobody waits for it any more

    async def _forfeit(self, live: LiveMatch, seat: int, code: str) -> None:
        log.warning("computer.forfeits", code=code)
        await self.matches.ask(live, lambda referee, at: referee.forfeit(seat, "no action came", at))

    # -- clocks --------------------------------------------------------------------------------------------------

    def _set_alarm(self, care: _Care) -> None:
        """Wakes up when the next flag falls."""
        if care.alarm is not None:
            care.alarm.cancel()
        flag = care.until_flag()
        if flag is not None:
            loop = asyncio.get_running_loop()
            care.alarm = loop.call_later(min(flag, SOON) + 0.001, self._ring, care)

    def _ring(self, care: _Care) -> None:
        if care.ringing is None or care.ringing.done():
            care.ringing = asyncio.create_task(self._expire(care))
            care.ringing.add_done_callback(lambda _: self._rang(care))

    async def _expire(self, care: _Care) -> None:
        async def ask() -> None:
            await self.matches.ask(care.live, lambda referee, at: referee.expire(at, entropy))

        await _persist(ask)

    def _rang(self, care: _Care) -> None:
        if self._cares.get(care.live.id) is care:
            self._set_alarm(care)

    async def close(self) -> None:
        cares = list(self._cares.values())
        tasks = [task for care in cares for task in care.tasks()]
        for care in cares:
            self._drop(care)
        await asyncio.gather(*tasks, return_exceptions=True)


def client_at(live: LiveMatch) -> str:
    """For whom a computer thinks: who sits at the match, or watches it."""
    return min(((not session.seats, session.client) for session in live.sessions), default=(True, NOBODY))[1]


async def _tell(live: LiveMatch, seat: int, thought: Thought) -> None:
    """The live words of a thought, not more often than a person can read."""
    told = -EVERY
    async for info in thought.infos():
        if monotonic() - told >= EVERY:
            told = monotonic()
            word = _word(seat, info)
            for session in live.sessions:
                session.send_thinking(word)


def _word(seat: int, info: Info) -> wire.Thinking:
    return wire.Thinking(seat, info.depth, info.nodes, info.value, info.line)


async def _persist(work: Callable[[], Awaitable[None]]) -> None:
    """Until it is done: a database that does not answer now will, and nobody else will do this work."""
    pause, longest = PAUSES
    while True:
        try:
            return await work()
        except (Unavailable, ThoughtLost) as error:
            if isinstance(error, ThoughtLost) and error.code == "closed":
                return
            log.warning("computer.waits", reason=str(error), seconds=pause)
        except Exception:
            log.error("computer.failed")
        await asyncio.sleep(pause)
        pause = min(2 * pause, longest)
