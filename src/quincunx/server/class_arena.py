"""A contest of a class: an arena whose meetings come in rounds that the teacher starts.

    begin_round ─▶ rounds (store) ─▶ supply ─▶ Arena.want ─▶ bouts ─▶ results
                                       ▲                       │
                                       └── what is left of it ─┘

A round is in the store before anything of it is played; what is left of it is worked out again and again from what was
played. So a match that was called off is played later, and after a crash the round goes on.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from quincunx.core.words import Refused, Words
from quincunx.server.arena import Arena
from quincunx.server.arenas import Arenas
from quincunx.server.class_shapes import Mishap, RoundState
from quincunx.server.mishaps import sentence_for
from quincunx.server.shapes import ContestLine, Rated
from quincunx.store import Store
from quincunx.store.classrooms import StoredClassContest, StoredRound, StoredUpload
from quincunx.store.contests import StoredContest
from quincunx.store.entrants import StoredBout, StoredEntrant
from quincunx.tournament.matchmaking import ArenaTable
from quincunx.tournament.online import START
from quincunx.tournament.places import places
from quincunx.tournament.plan import Plan
from quincunx.tournament.ratings import Rating, rate
from quincunx.tournament.results import Result
from quincunx.tournament.rounds import Meeting, missing, rests, round_robin, swiss_round
from quincunx.tournament.standings import Line, Standings, trouble_code

HOSTED = max(2, os.cpu_count() or 1)  # matches at once in which this computer thinks: more would slow each other
FRESH, FRESH_OVER = 0.5, 30.0  # seconds for which a look at it will do, and once it is over
NO_ROUND = RoundState(0, 0, 0, False)

NO_ROUNDS = Words(
    "Ce concours n’a pas de rondes : les parties s’y font d’elles-mêmes.",
    "This contest has no rounds: its matches come by themselves.",
)
RUNNING = Words(
    "La ronde {} n’est pas finie : il reste {} parties. Qui est parti peut être mis de côté (accepté : non).",
    "Round {} is not over: {} matches are left. Who has gone can be set aside (accepted: no).",
)
TOO_FEW = Words(
    "Il faut au moins {} participants acceptés pour une ronde ; il y en a {}.",
    "A round needs at least {} accepted entrants; there are {}.",
)
OVER = Words("Ce concours est fini.", "This contest is over.")


class Snapshot(NamedTuple):
    """How a contest stands, for all who look at it now."""

    round: RoundState
    entrants: dict[str, StoredEntrant]
    uploads: dict[str, StoredUpload]  # without their texts
    lines: list[ContestLine]
    present: set[str]
    playing: set[str]


class ClassArena:
    def __init__(self, store: Store, arenas: Arenas, stored: StoredContest, link: StoredClassContest) -> None:
        self.stored = stored
        self.link = link
        self.plan = msgspec.json.decode(stored.plan, type=Plan)
        self.size = 2
        self.rounds: list[StoredRound] = []
        self.mishaps: dict[str, Mishap] = {}  # of each, the latest
        self._store = store
        self._arenas = arenas
        self._standings = Standings([])
        self._table = ArenaTable()
        self._results: list[Result] = []
        self._ratings: dict[str, Rating] = {}  # of all matches at once: their intervals say what they mean
        self._rated = 0  # so many
        self._ended: set[int] = set()  # pairings with a result
        self._seen = 0
        self._one_at_a_time = asyncio.Lock()
        self.settled = False  # nothing of the last round is left, as long as nobody changes anything
        self._snapshot: tuple[float, Snapshot] | None = None  # and until when it will do

    async def load(self) -> None:
        self.size = await asyncio.to_thread(self.plan.table_size)
        self.rounds = await self._store.classrooms.rounds(self.stored.id)
        await self.refresh()

    @property
    def id(self) -> str:
        return self.stored.id

    @property
    def is_open(self) -> bool:
        return self.stored.finished is None

    @property
    def matches(self) -> int:
        """Of a pairing in a round."""
        return self.link.matches or self.size

    async def arena(self) -> Arena:
        """Refused once it is over."""
        if not self.is_open:
            raise Refused("closed", OVER)
        return await self._arenas.get(self.id)

    # -- what was played -----------------------------------------------------------------------------------------

    async def refresh(self) -> None:
        """Reads what is new."""
        known = await self._store.contests.known(self.id)
        self.stored = known or self.stored
        if self.stored.results > self._seen:
            async for row in self._store.contests.results(self.id, self._seen):
                if row.seq > self._seen:
                    self._seen = row.seq
                    self._take(msgspec.json.decode(row.result, type=Result), row.at)

    def _take(self, result: Result, at: int) -> None:
        self._standings.add(result)
        self._table.add(result)
        self._results.append(result)
        self._ended.add(result.pairing)
        for name, trouble in zip(result.players, result.troubles, strict=False):
            if trouble:
                code = trouble_code(trouble)
                self.mishaps[name] = Mishap(code, sentence_for(code), at)

    @property
    def _rests(self) -> Counter[str]:
        return rests(meeting for round in self.rounds for meeting in round.meetings)

    def lines(self, names: Sequence[str]) -> list[ContestLine]:
        """Those who take part, and those who did, by place: in rounds by points, otherwise by rating."""
        lines = self._standings.counting(self._rests, names)
        placed = places(lines, self._table, self.plan.pacing == "rounds")
        return [self._line(lines[name], place) for name, place in placed.items()]

    def _line(self, line: Line, place: int) -> ContestLine:
        known = self._ratings.get(line.name)
        rating = known and Rated(*(round(START + value, 1) for value in (known.elo, known.low, known.high)))
        return ContestLine(
            line.name, place, line.matches, line.gained, line.wins, line.draws, line.losses, round(line.think_time, 6),
            dict(line.troubles), rating, byes=line.byes,
        )  # fmt: skip

    async def snapshot(self) -> Snapshot:
        """Read once for a class that looks at it together."""
        async with self._one_at_a_time:
            if self._snapshot is None or self._snapshot[0] < time.monotonic():
                found = await self._look()
                self._snapshot = time.monotonic() + (FRESH if self.is_open else FRESH_OVER), found
            return self._snapshot[1]

    def changed(self) -> None:
        """Whoever looks next, looks anew."""
        self._snapshot = None
        self.settled = False

    async def _look(self) -> Snapshot:
        round = await self._state()
        entrants = {each.name: each for each in await self._store.entrants.all(self.id)}
        uploads = await self._store.classrooms.uploads(self.id)
        playing = {name for bout in await self._store.entrants.under_way(self.id) for name in bout.players}
        if self._rated < len(self._results):
            known = self._results[:]
            self._rated, self._ratings = len(known), (await asyncio.to_thread(rate, known)).players
        try:
            arena = await self.arena()
            present = {name for name in entrants if arena.is_present(name)}
        except Refused:  # it is over
            present = set()
        return Snapshot(round, entrants, uploads, self.lines(list(entrants)), present, playing)

    # -- rounds --------------------------------------------------------------------------------------------------

    async def begin_round(self) -> None:
        """Everybody who is accepted now is in it."""
        if self.link.format == "free":
            raise Refused("no_rounds", NO_ROUNDS)
        async with self._one_at_a_time:
            now = await self._state()
            if not self.is_open:
                raise Refused("closed", OVER)
            if now.running:
                raise Refused("running", RUNNING.format(now.number, now.wanted - now.played))
            names = [each.name for each in await self._store.entrants.all(self.id) if each.accepted]
            meetings = self._meetings(names)
            if not meetings:
                raise Refused("too_few_players", TOO_FEW.format(self.size, len(names)))
            await self._store.classrooms.begin_round(self.id, now.number + 1, meetings)
            self.rounds = await self._store.classrooms.rounds(self.id)
        self.changed()
        await self.supply()

    def _meetings(self, names: Sequence[str]) -> list[Meeting]:
        if self.link.format == "swiss":
            return swiss_round(names, self.size, self.matches, self._results, self._rests)
        return round_robin(names, self.size, self.matches, seed=len(self.rounds))

    async def _state(self) -> RoundState:
        if not self.rounds:
            await self.refresh()
            return NO_ROUND
        played, running, left = await self._left()
        wanted = len(played) + len(running) + len(left)
        return RoundState(self.rounds[-1].number, len(played), wanted, self.is_open and wanted > len(played))

    async def _left(self) -> tuple[list[StoredBout], list[StoredBout], list[Meeting]]:
        """Of the last round: what was played, what is being played, and what is to be. Bouts are read before results:
        one that has ended by then has its result, or will have none."""
        last = self.rounds[-1]
        bouts = await self._store.entrants.of_round(self.id, last.number)
        accepted = {each.name for each in await self._store.entrants.all(self.id) if each.accepted}
        await self.refresh()
        played = [bout for bout in bouts if bout.pairing in self._ended]
        running = [bout for bout in bouts if not bout.over and bout.pairing not in self._ended]
        left = missing(last.meetings, [bout.players for bout in (*played, *running)])
        return played, running, [meeting for meeting in left if accepted.issuperset(meeting)]

    async def supply(self) -> None:
        """Hands to the arena what is left of the last round and can be played now."""
        if self.settled or not self.rounds or not self.is_open:
            return
        async with self._one_at_a_time:
            try:
                arena = await self.arena()
            except Refused:  # it was closed
                return
            self.settled = True  # unless somebody changes something meanwhile, or there is more to do
            wanted = [each.players for each in arena.wanted]  # first: what becomes a bout meanwhile counts twice
            _, running, left = await self._left()
            wanted_too = missing(left, wanted)
            entrants = arena.entrants
            ready = [meeting for meeting in wanted_too if all(arena.is_present(name) for name in meeting)]
            busy = [*(bout.players for bout in running), *wanted]
            arena.want(_room_for(ready, busy, entrants), self.rounds[-1].number)
            self.settled = self.settled and not running and not left


def _room_for(ready: Sequence[Meeting], busy: Sequence[Meeting], entrants: dict[str, StoredEntrant]) -> list[Meeting]:
    """Those that may be played now: of those in which this computer thinks, only so many at once, and nobody in two."""

    def hosted(meeting: Meeting) -> bool:
        return any(entrants[name].kind in ("upload", "computer") for name in meeting if name in entrants)

    room = HOSTED - sum(map(hosted, busy))
    taken = Counter(name for meeting in busy for name in meeting)
    chosen = []
    for meeting in ready:
        known = all(name in entrants for name in meeting)
        free = all(not taken[name] or entrants[name].kind == "computer" for name in meeting if known)
        if known and free and (room > 0 or not hosted(meeting)):
            chosen.append(meeting)
            taken.update(meeting)
            room -= hosted(meeting)
    return chosen
