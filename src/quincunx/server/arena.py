"""An arena that is open: who takes part, who is there, whom they meet, and what came of it.

    enter ─▶ entrants ┐
    ready ─▶ presence ┼─▶ step ─▶ matchmaking.choose ─▶ Lobby.arrange ─▶ an ordinary match, and its bout
    want ──▶ wanted ──┘    │                                                │
                           └─◀ results ◀─────────── bouts.Bouts ◀───────────┘

Everything that matters is in the store, so that the next process goes on where this one was killed. Of several server
processes each tells the store who is connected to it; the first of them by name leads: it makes the meetings for all.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from quincunx.core.words import Refused, Words, expected
from quincunx.match import wire
from quincunx.match.clock import ClockRule
from quincunx.server.arena_places import Places
from quincunx.server.attendance import Attendance
from quincunx.server.bouts import Bouts
from quincunx.server.lobby import Lobby, NewStart, checked_name
from quincunx.server.logs import log
from quincunx.server.tokens import hash_of, seat_token
from quincunx.store import StoredSeat, Unavailable
from quincunx.store.contests import Rivals, StoredContest
from quincunx.store.entrants import Booking, EntrantKind, StoredBout, StoredEntrant
from quincunx.tournament.identity import is_gone, new_runner
from quincunx.tournament.matchmaking import ArenaTable, choose
from quincunx.tournament.plan import Plan
from quincunx.tournament.results import Result

GATHER = 0.05  # seconds between two steps: what happens meanwhile is seen to at once
PAUSE = 0.5  # seconds until it looks again though nothing was heard
RENEWAL = 2.5  # seconds after which others are told again who is here
MOST_AT_ONCE = 64  # matches of an arena
MOST_PLACES = 8  # matches of one entrant at once
TROUBLE = 5.0  # seconds after which a match that could not be made is tried again
KEY_LENGTHS = range(16, 65)

A_KEY = Words("une clé de 16 à 64 caractères", "a key of 16 to 64 characters")
NO_COLON = Words(
    "Un nom sans deux-points : « {} » désignerait un joueur du serveur.",
    "A name without a colon: “{}” would mean a player of the server.",
)
NOT_HERE = Words("{} ne participe pas à cette arène.", "{} does not take part in this arena.")
OTHER_NUMBER = Words(
    "Une partie de cette arène réunit {} joueurs, et non {}.", "A match of this arena has {} players, not {}."
)
TWICE = Words(
    "{} s’est connecté ailleurs : cette connexion-ci est finie.", "{} has connected elsewhere: this connection is over."
)
CLOSED = Words("Cette arène est fermée.", "This arena is closed.")


class Client(Protocol):
    """An entrant that is connected to this process."""

    name: str
    token: str
    takes: int  # matches at once
    seated: set[str]  # matches under way of which it was told

    def say(self, word: wire.FromArena) -> None: ...

    def dismiss(self, refused: Refused) -> None: ...


class Wanted(NamedTuple):
    """A meeting that is to take place as soon as its players are free."""

    players: tuple[str, ...]  # by seat
    round: int


class Arena:
    """`is_ready`, `computers` and `runs_uploads` as in arena_places.py."""

    def __init__(
        self,
        stored: StoredContest,
        lobby: Lobby,
        attendance: Attendance,
        is_ready: Callable[[], bool] = lambda: True,
        computers: int = 2,
        runs_uploads: Callable[[], bool] = lambda: False,
    ) -> None:
        self.id = stored.id
        self.stored = stored
        self.plan = msgspec.json.decode(stored.plan, type=Plan)
        self.size = self.plan.table_size()
        self._clock = ClockRule("move", turn=round(1000 * self.plan.time.turn))
        self._start = NewStart(self.plan.game, self.plan.settled(self.plan.starts[0]), self.plan.starts[0].setup)
        self.table = ArenaTable()
        self.entrants: dict[str, StoredEntrant] = {}
        self.wanted: deque[Wanted] = deque()
        self.running: dict[int, StoredBout] = {}  # by pairing, as they were seen last
        self.present: dict[str, int] = {}  # who is connected to any process, and how many matches it takes
        self.closed = False
        self.loaded = asyncio.Event()  # all that was played before is known
        self._lobby = lobby
        self._store = lobby.store
        self._places = Places(is_ready, computers, runs_uploads)
        self._runs_uploads = runs_uploads
        self._runner = new_runner()
        self._rivals = Rivals(is_gone)
        self._bell = asyncio.Event()
        self._bouts = Bouts(lobby.matches, attendance, self.wake)
        self._clients: dict[str, Client] = {}
        self._seen = 0  # the last result that was read
        self._fresh: dict[int, Result] = {}  # by pairing: results that were read, and nobody was told of yet
        self._told: tuple[float, dict[str, int]] | None = None  # who is here, as it was written last
        self._not_before = 0.0  # no match is made
        self._last = -1  # of the bouts that were seen
        self._unsure: dict[Wanted, int] = {}  # were these made, after the last bout that was known? No answer came
        self._entered = 0  # how often somebody has
        self._entrants_at = float("-inf")  # when they were read

    # -- entrants ------------------------------------------------------------------------------------------------

    async def enter(
        self, name: str, key: str, kind: EntrantKind = "program", player: str = "", accepted: bool | None = None
    ) -> StoredEntrant:
        """Takes part from now on, and for ever; refused if the name is another's. Who is accepted, the plan says."""
        name = checked_name(name)
        if ":" in name:
            raise Refused("name", NO_COLON.format(name), "name")
        if len(key) not in KEY_LENGTHS or not key.isascii() or not key.isprintable():
            raise expected(A_KEY, len(key), "key")
        await self._store.classrooms.check_entry(self.id, name, hash_of(key))
        accepted = self.plan.admission == "open" if accepted is None else accepted
        hashed = hash_of(seat_token(key, self.id))
        entrant = await self._store.entrants.enter(self.id, name, kind, player, hashed, accepted)
        self.entrants[name] = entrant
        self._entered += 1
        if kind == "upload" and (client := self._clients.pop(name, None)):
            client.dismiss(Refused("elsewhere", TWICE.format(name)))
        self.wake()
        return entrant

    async def accept(self, name: str, accepted: bool) -> None:
        """May it play? What it plays now, it plays to the end."""
        await self._store.entrants.accept(self.id, name, accepted)
        await self._read_entrants()
        if name in self._clients:
            self._clients[name].say(self.entered(name))
        self.wake()

    async def remove(self, name: str) -> None:
        """It takes part no more; what it has played stays."""
        await self._store.entrants.remove(self.id, name)
        await self._read_entrants()
        self.wanted = deque(each for each in self.wanted if name not in each.players)
        if client := self._clients.pop(name, None):
            client.dismiss(Refused("no_such_entrant", NOT_HERE.format(name)))
        self.wake()

    def join(self, client: Client) -> None:
        """An entrant is connected. Of two connections of one, the later counts."""
        before = self._clients.get(client.name)
        self._clients[client.name] = client
        if before is not None and before is not client:
            before.dismiss(Refused("elsewhere", TWICE.format(client.name)))
        client.say(self.entered(client.name))
        self._seat(client)
        self.wake()

    def leave(self, client: Client) -> None:
        if self._clients.get(client.name) is client:
            del self._clients[client.name]
            self.wake()

    def entered(self, name: str) -> wire.Entered:
        rating, entrant = self.table.rating(name), self.entrants.get(name)
        return wire.Entered(
            self.id, self.plan.game, name, entrant is not None and entrant.accepted, round(rating.mu, 1),
            round(rating.error, 1), rating.matches,
        )  # fmt: skip

    def is_playing(self, name: str) -> bool:
        return any(name in bout.players for bout in self.running.values())

    def is_present(self, name: str) -> bool:
        """Players of the server always are, and files where it runs them."""
        entrant = self.entrants.get(name)
        if entrant is not None and entrant.kind == "upload":
            return self._runs_uploads()
        return name in self.present or (entrant is not None and entrant.kind == "computer")

    # -- meetings ------------------------------------------------------------------------------------------------

    def want(self, meetings: Iterable[Sequence[str]], round: int = 0) -> None:
        """Meetings that are to take place, each as soon as all its players are free; names by seat."""
        wanted = [Wanted(tuple(players), round) for players in meetings]
        for players, _ in wanted:
            stranger = next((name for name in players if name not in self.entrants), None)
            if stranger is not None:
                raise Refused("no_such_entrant", NOT_HERE.format(stranger))
            if len(set(players)) != self.size:
                raise Refused("other_size", OTHER_NUMBER.format(self.size, len(set(players))))
        self.wanted.extend(wanted)
        self.wake()

    def wake(self) -> None:
        self._bell.set()

    async def run(self) -> None:
        """Until it is closed, and what was under way then is over."""
        try:
            while not self.closed or self.running:
                self._bell.clear()
                try:
                    await self.step()
                except Unavailable as error:
                    log.warning("arena.waits", reason=str(error))
                    self._bell.set()  # nobody else may ring it: what was not done is done next
                    await asyncio.sleep(PAUSE)
                except Exception:
                    log.error("arena.failed")
                    self._bell.set()
                    await asyncio.sleep(PAUSE)
                await self._rest()
        finally:
            self._bouts.close()

    async def stop(self) -> None:
        """Nobody is connected to this process any more."""
        self._bouts.close()
        if self._told is not None:
            await self._store.entrants.leave(self.id, self._runner)

    @property
    def _is_active(self) -> bool:
        files = any(each.kind == "upload" and each.accepted for each in self.entrants.values())
        meet = files and self.plan.pacing == "free" and self._runs_uploads()  # by themselves
        return bool(self._clients or self.running or self.wanted or meet)

    async def _rest(self) -> None:
        await asyncio.sleep(GATHER)
        try:
            async with asyncio.timeout(PAUSE if self._is_active else None):
                await self._bell.wait()
        except TimeoutError:
            pass

    async def step(self) -> None:
        """Looks at everything once, and does what is to be done."""
        if time.monotonic() - self._entrants_at >= PAUSE:  # another process may have let somebody in
            await self._read_entrants()
        running = await self._store.entrants.under_way(self.id)
        contest = await self._store.contests.known(self.id)
        if contest is None:
            return self._close()
        await self._read_results(contest.results, running)
        self.loaded.set()
        await self._tell_presence()
        processes = await self._store.entrants.present(self.id, self._rivals)
        self.present = {name: takes for names in processes.values() for name, takes in names.items()}
        leads = next(iter(processes), None) == self._runner
        if leads:
            self._places.strike(await self._bouts.see_to(running, self.present))
        if contest.finished is None and await self._make_matches(leads):
            self.wake()  # they are to be seen to
        for client in self._clients.values():
            self._seat(client)
        if contest.finished is not None:
            self._close()

    def _close(self) -> None:
        """Nobody plays any more, but for those who are in the middle of it."""
        self.closed = True
        self.wanted.clear()
        clients, self._clients = self._clients, {}
        for client in clients.values():
            client.dismiss(Refused("closed", CLOSED))

    # -- reading and telling -------------------------------------------------------------------------------------

    async def _read_entrants(self) -> None:
        """Again if somebody has entered meanwhile: what was read may be older than what is known."""
        entered = -1
        while entered != self._entered:
            entered, self._entrants_at = self._entered, time.monotonic()
            found = {each.name: each for each in await self._store.entrants.all(self.id)}
        self.entrants = found

    async def _read_results(self, last: int, running: Sequence[StoredBout]) -> None:
        """What is new, told to those whom it concerns. `running` was read before: a bout that is among them no more has
        its result by now, or will have none."""
        if last > self._seen:
            async for row in self._store.contests.results(self.id, self._seen):
                result = msgspec.json.decode(row.result, type=Result)
                self.table.add(result)
                self._fresh[result.pairing] = result
                self._seen = row.seq
                await asyncio.sleep(0)  # after a restart there may be many
        ended = [bout for pairing, bout in self.running.items() if pairing not in {each.pairing for each in running}]
        self.running = {bout.pairing: bout for bout in running}
        self._last = max([self._last, *self.running])
        for bout in ended:
            self._tell_result(bout, self._fresh.get(bout.pairing))
        self._fresh.clear()

    def _tell_result(self, bout: StoredBout, result: Result | None) -> None:
        order = self.table.order(self.entrants)
        for seat, name in enumerate(bout.players):
            if result is not None:
                self._places.forgive(name)
            if name not in self._clients or name not in self.entrants:
                continue
            rating, rank = self.table.rating(name), None if result is None else result.ranks[seat]
            shared = result is not None and result.ranks.count(result.ranks[seat]) > 1
            self._clients[name].say(wire.Scored(
                bout.match, rank, shared, bout.players, round(rating.mu, 1), round(rating.error, 1), rating.matches,
                order.index(name) + 1, len(order),
            ))  # fmt: skip

    async def _tell_presence(self) -> None:
        """To the other processes, and to those who watch."""
        here = {name: client.takes for name, client in self._clients.items()}
        if not self._is_active:
            if self._told is not None:
                await self._store.entrants.leave(self.id, self._runner)
                self._told = None
            return
        if self._told is None or self._told[1] != here or time.monotonic() - self._told[0] > RENEWAL:
            await self._store.entrants.be_present(self.id, self._runner, here, self._rivals)
            self._told = time.monotonic(), here

    def _seat(self, client: Client) -> None:
        """Tells an entrant of the matches that wait for it, each once for a connection."""
        client.seated.intersection_update(bout.match for bout in self.running.values())
        for bout in self.running.values():
            if client.name in bout.players and bout.match not in client.seated:
                client.seated.add(bout.match)
                client.say(wire.Sit(bout.match, client.token, bout.players))

    # -- making matches ------------------------------------------------------------------------------------------

    async def _make_matches(self, leads: bool) -> int:
        """What is wanted of this process, then, if it leads, what the matchmaker would like."""
        if time.monotonic() < self._not_before:
            return 0
        candidates = self._places.candidates(self.entrants.values(), self.present, self.running.values())
        free = {each.name: each.free for each in candidates}
        made = 0
        for wanted in list(self.wanted):
            if len(self.running) < MOST_AT_ONCE and all(free.get(name, 0) > 0 for name in wanted.players):
                free.update({name: free[name] - 1 for name in wanted.players})
                made += await self._make_wanted(wanted)
        if leads and self.plan.pacing == "free":
            left = [msgspec.structs.replace(each, free=free[each.name]) for each in candidates]
            for players in choose(left, self.table, self.size, MOST_AT_ONCE - len(self.running)):
                made += await self._make(players, 0)
        return made

    async def _make_wanted(self, wanted: Wanted) -> bool:
        """Once, though it may have been made when the database did not answer."""
        made, before = False, self._unsure.get(wanted)
        if before is not None:
            bouts = await self._store.entrants.of_round(self.id, wanted.round)
            made = any(bout.pairing > before and bout.players == wanted.players for bout in bouts)
        if not made:
            self._unsure[wanted] = self._last
            made = await self._make(wanted.players, wanted.round)
        del self._unsure[wanted]
        if made:
            self.wanted.remove(wanted)
        return made

    async def _make(self, players: Sequence[str], round: int) -> bool:
        """False if it could not be made now."""
        if not all(name in self.entrants for name in players):  # somebody was removed meanwhile
            return False
        bookings: list[Booking] = []
        places = {name: self._places.of(self.entrants[name], self.present) for name in players}

        def book(match: str) -> Booking:
            bookings.append(self._store.entrants.booking(self.id, match, players, places, round))
            return bookings[-1]

        seats = tuple(_chair(self.entrants[name]) for name in players)
        try:
            await self._lobby.arrange(self._start, seats, self._clock, book)
        except Refused as refused:
            if refused.code != "busy_player":  # another process was faster
                log.warning("arena.no_match", code=refused.code)
                self._not_before = time.monotonic() + TROUBLE
            return False
        self._places.begin(players)
        bout = bookings[-1].written[-1]
        self.running[bout.pairing] = bout
        self._last = max(self._last, bout.pairing)
        return True


def _chair(entrant: StoredEntrant) -> StoredSeat:
    if entrant.kind == "computer" or entrant.kind == "upload":
        return StoredSeat("computer", entrant.name, entrant.player)
    return StoredSeat(entrant.kind, entrant.name, entrant.kind, entrant.key_hash)
