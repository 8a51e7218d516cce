"""Computer players: whenever the game waits for one, it thinks in a worker process, and its action is played.

Before it thinks, this process takes a lease in the store, so that of several server processes one thinks; after a crash
the lease runs out and another one goes on. Which matches are seen to, attendance.py knows.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any, TypeVar

from quincunx.core.words import Refused
from quincunx.match import wire
from quincunx.match.referee import Referee, Ruling
from quincunx.players.analysis import chance
from quincunx.players.levels import spec_of
from quincunx.players.player import Info
from quincunx.players.programs.limits import Trouble
from quincunx.players.programs.naming import is_program
from quincunx.players.queue import SHORT
from quincunx.players.worker import Job
from quincunx.players.workers import Thought, ThoughtLost, Workers
from quincunx.server.fairness import is_computer
from quincunx.server.live import LiveMatch
from quincunx.server.logs import log
from quincunx.server.matches import LiveMatches
from quincunx.server.metrics import METRICS
from quincunx.server.programs import Programs
from quincunx.server.retries import persist
from quincunx.server.tokens import entropy
from quincunx.store import StoredSeat, Unavailable
from quincunx.store.shapes import WAITING
from quincunx.tournament.identity import is_gone, new_runner

T = TypeVar("T")

SOMEBODY_ELSE = 1.0  # seconds until one looks whether another process that thinks for a seat has done so
RENEWAL = 2.5  # seconds after which a lease is renewed
AT_ONCE = 4  # long thoughts of one client that wait or run; its others do not even stand in line
NOBODY = "nobody"  # who waits for a match where nobody is
MOST = {"time": 60.0, "threads": 1, "table": 64}  # what a seat may ask of a computer that it shares with others
EVEN = 0.5  # the chance to win up to which a computer is content with a draw
EVERY = 0.2  # seconds between two words about a thought
PATIENCE = 1.0  # seconds after which a thought that has not begun is said to wait


class _Care:
    """All that is kept for one match."""

    def __init__(self, live: LiveMatch) -> None:
        self.live = live
        self.turns: dict[int, asyncio.Task[None]] = {}
        self.lined_up: dict[int, str] = {}  # seats whose thought waits for a place, and in whose line
        self.thoughts: dict[int, Thought] = {}  # of each seat, the latest
        self.waiting: set[int] = set()  # seats that are said to wait for a place
        self.hushed: set[int] = set()  # seats of which no more is said in this turn
        self.memory: dict[int, bytes] = {}
        self.chances: dict[int, float] = {}  # of each computer, as it saw them when it acted last
        self.answers: set[asyncio.Task[None]] = set()  # to offers

    def tasks(self) -> list[asyncio.Task[None]]:
        return [*self.turns.values(), *self.answers]

    def waits(self, seat: int) -> bool:
        return seat in self.live.to_act

    def is_next_to_come(self, seat: StoredSeat) -> bool:
        """A program of this computer that everybody else has come to play with: it is started now."""
        others = [other for other in self.live.stored.seats if other.kind in WAITING and not is_computer(other)]
        return seat.kind == "awaited" and is_computer(seat) and not others

    def stands_in_line(self, seat: int) -> bool:
        thought = self.thoughts.get(seat)
        return seat in self.lined_up or (thought is not None and not thought.began and not thought.done())

    def say_waiting(self, seat: int, waits: bool) -> None:
        (self.waiting.add if waits else self.waiting.discard)(seat)
        for client in self.live.connected:
            client.send_waiting(wire.Waiting(seat, waits))

    def hush(self, seat: int) -> None:
        """It acted. Where actions are secret so is their number: that the next one waits is not said."""
        card = self.live.match.game.card
        if card.fog or card.simultaneous:
            self.hushed.add(seat)

    def weigh(self, seat: int, player: str, info: Info) -> None:
        """Remembers how a computer saw its chances, if it looked."""
        if info.value is not None:
            spec = spec_of(player, self.live.match.game) if player.startswith("level:") else player
            self.chances[seat] = chance(spec, info.value)


class _Line:
    """The long thoughts of one client."""

    def __init__(self) -> None:
        self.places = asyncio.Semaphore(AT_ONCE)
        self.length = 0


class Computers:
    def __init__(self, matches: LiveMatches, workers: Workers, programs: Programs) -> None:
        self.matches = matches
        self.programs = programs
        self.workers = workers
        self.thinking = 0
        self._name = new_runner()  # in which others on this computer read whether it still lives
        matches.store.leases.is_gone = is_gone
        self._cares: dict[str, _Care] = {}
        self._lines: dict[str, _Line] = {}

    @property
    def busy(self) -> int:
        """Matches whose computers are seen to."""
        return len(self._cares)

    def attend(self, live: LiveMatch) -> None:
        """Sees to the computers of a match until it is over, or released."""
        if live.id not in self._cares:
            self._cares[live.id] = _Care(live)
            live.listeners.add(self._on_change)
        self._on_change(live)
        if care := self._cares.get(live.id):
            self._line_up_again(care)
            for seat in care.waiting:  # who has just come has not heard it
                care.say_waiting(seat, True)

    def release(self, live: LiveMatch) -> None:
        """Lets go of a match: its computers stop in the middle of their thought."""
        live.listeners.discard(self._on_change)
        self.programs.release(live)
        care = self._cares.pop(live.id, None)
        for task in care.tasks() if care is not None else ():
            if task is not asyncio.current_task():
                task.cancel()

    async def close(self) -> None:
        cares = list(self._cares.values())
        tasks = [task for care in cares for task in care.tasks()]
        for care in cares:
            self.release(care.live)
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self.programs.close)

    def _line_up_again(self, care: _Care) -> None:
        """Somebody else may wait for a thought that has not begun: then it goes to that one's line."""
        for seat, client in list(care.lined_up.items()):
            if client != client_at(care.live):
                care.turns[seat].cancel()

    def _on_change(self, live: LiveMatch) -> None:
        care = self._cares[live.id]
        if live.match.over:
            return self.release(live)
        if live.stored.status == "playing":
            self._answer_offers(care)
        for number, seat in enumerate(live.stored.seats):
            if number in care.turns:
                continue
            if live.stored.status == "playing" and seat.kind == "computer" and care.waits(number):
                self._begin(care, number, self._turn(care, number, seat.player))
            elif live.stored.status == "open" and care.is_next_to_come(seat):
                self._begin(care, number, self._greet(care, number, seat.player))

    def _begin(self, care: _Care, seat: int, work: Coroutine[Any, Any, None]) -> None:
        care.turns[seat] = task = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._end_turn(care, seat))

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

        await persist(answer)

    def _answered(self, care: _Care, task: asyncio.Task[None]) -> None:
        care.answers.discard(task)
        if self._cares.get(care.live.id) is care:
            self._on_change(care.live)

    def _end_turn(self, care: _Care, seat: int) -> None:
        del care.turns[seat]
        if self._cares.get(care.live.id) is care:
            self._on_change(care.live)  # it may be its turn again already

    # -- programs that are awaited -------------------------------------------------------------------------------

    async def _greet(self, care: _Care, seat: int, player: str) -> None:
        """A program is started; the match begins when the last one listens. One that does not has lost."""

        async def greet() -> None:
            while care.live.stored.status == "open" and not await self._greet_now(care, seat, player):
                await asyncio.sleep(SOMEBODY_ELSE)
                await self.matches.refresh(care.live.id)

        await persist(greet)

    async def _greet_now(self, care: _Care, seat: int, player: str) -> bool:
        """False if another process greets it, or there is no room for one more program."""
        live, store, trouble = care.live, self.matches.store, None
        if not await store.leases.take(live.id, seat, live.seq, self._name):
            return False
        try:
            await self._meanwhile(care, seat, self.programs.greet(live, seat, player))
        except Refused as refused:
            if refused.code == "busy":
                return False
            trouble = Trouble("not_started", player, refused.code)
        except Trouble as failed:
            trouble = failed
        finally:
            with suppress(Unavailable):  # then it runs out
                await store.leases.release(live.id, seat, self._name)
        await store.arrive(live.id, [seat])
        await self.matches.refresh(live.id)
        if trouble is not None:
            await self._forfeit(live, seat, trouble.code, trouble)
        return True

    async def _meanwhile(self, care: _Care, seat: int, work: Coroutine[Any, Any, T]) -> T:
        """What comes of something that takes long; the lease is renewed as long as it does."""
        task = asyncio.ensure_future(work)
        try:
            while True:
                done, _ = await asyncio.wait([task], timeout=RENEWAL)
                if done:
                    return task.result()
                await self.matches.store.leases.take(care.live.id, seat, care.live.seq, self._name)
        finally:
            task.cancel()

    # -- thinking ------------------------------------------------------------------------------------------------

    async def _turn(self, care: _Care, seat: int, player: str) -> None:
        """A turn, however long the database does not answer, or another process thinks."""

        async def act() -> None:
            while care.waits(seat) and not await self._act(care, seat, player):
                await asyncio.sleep(SOMEBODY_ELSE)
                await self.matches.refresh(care.live.id)

        care.hushed.discard(seat)
        watching = asyncio.create_task(_watch_line(care, seat))
        try:
            await persist(act, (Unavailable, ThoughtLost))
        finally:
            watching.cancel()
            care.thoughts.pop(seat, None)
            if seat in care.waiting:
                care.say_waiting(seat, False)

    async def _act(self, care: _Care, seat: int, player: str) -> bool:
        """As `_act_now`, when there is a place for one more long thought of the client that waits for it."""
        if is_program(player) or self.workers.expects(care.live.stored.game, player) <= SHORT:
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
        if not await store.leases.take(live.id, seat, live.seq, self._name):
            return False
        try:
            refusal: Refused | None = None
            while care.waits(seat):
                action = await self._choose(care, seat, player, refusal)
                if action is None:
                    await self.matches.ask(live, lambda referee, at: referee.resign(seat, at))
                    break

                def question(referee: Referee, at: int, action: int | str = action) -> Ruling:
                    return referee.submit(seat, action, at, entropy)

                refusal = await self.matches.ask(live, question)
                if refusal and not is_program(player):
                    break  # the match went on without it
                METRICS.computer_moves.count()
                care.hush(seat)
        except ThoughtLost as lost:
            if lost.code != "lost":  # there are no workers: the server ends, or cannot start any now
                raise
            await self._forfeit(live, seat, lost.code)
        except Refused as refused:
            if refused.code == "busy":
                return False
            await self._forfeit(live, seat, refused.code)
        except Trouble as trouble:
            if trouble.code != "late" or live.stored.clock.kind == "none":  # otherwise the flag falls
                await self._forfeit(live, seat, trouble.code, trouble)
        except RuntimeError as error:  # a bug of a player, told by its worker
            log.error("player.failed", player=player, words=str(error))
            await self._forfeit(live, seat, "failed")
        finally:
            with suppress(Unavailable):  # then it runs out
                await store.leases.release(live.id, seat, self._name)
        return True

    async def _choose(self, care: _Care, seat: int, player: str, refusal: Refused | None) -> int | str | None:
        """The action of a player, or its text of a program, to whom one may say what was wrong; None: it resigns."""
        if not is_program(player):
            return await self._think(care, seat, player)
        return await self._meanwhile(care, seat, self.programs.choose(care.live, seat, player, refusal))

    async def _think(self, care: _Care, seat: int, player: str) -> int:
        live = care.live
        observation = live.match.game.view(live.match.world, seat)
        memory = care.memory.get(seat, b"")
        most, client = MOST["time"], client_at(live)
        job = Job.of(observation, player, entropy(), memory=memory, owner=live.id, client=client, most_seconds=most)
        thought = care.thoughts[seat] = self.workers.think(job)
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
                    await self.matches.store.leases.take(live.id, seat, live.seq, self._name)
        finally:
            self.thinking -= 1
            telling.cancel()
            thought.cancel()  # if nobody waits for it any more

    async def _forfeit(self, live: LiveMatch, seat: int, code: str, trouble: Trouble | None = None) -> None:
        log.warning("computer.forfeits", code=code)
        why = trouble or Trouble("no_action")
        await self.matches.ask(live, lambda referee, at: referee.forfeit(seat, why.code, at, why.detail, why.notes))


def client_at(live: LiveMatch) -> str:
    """For whom a computer thinks: the address of who plays the match, or watches it."""
    return min(((not client.seats, client.address) for client in live.connected), default=(True, NOBODY))[1]


async def _watch_line(care: _Care, seat: int) -> None:
    """Those who look are told when a thought has to wait longer than a moment, and when it begins."""
    stood = 0.0
    while True:
        await asyncio.sleep(EVERY)
        stands = care.stands_in_line(seat) and seat not in care.hushed
        stood = stood + EVERY if stands else 0.0
        if (seat in care.waiting) != (stood >= PATIENCE):
            care.say_waiting(seat, stands)


async def _tell(live: LiveMatch, seat: int, thought: Thought) -> None:
    """The live words of a thought, not more often than a person can read."""
    told = -EVERY
    async for info in thought.infos():
        if monotonic() - told >= EVERY:
            told = monotonic()
            word = _word(seat, info)
            for client in live.connected:
                client.send_thinking(word)


def _word(seat: int, info: Info) -> wire.Thinking:
    return wire.Thinking(seat, info.depth, info.nodes, info.value, info.line)
