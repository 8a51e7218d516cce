"""A contest that somebody looks at: read once, followed while somebody watches, told to all of them in the same bytes.

    runner, another process ──▶ store ◀── one look every PAUSE, for each contest that is watched
                                  │
                            LiveContest.refresh    the new results, and what they change
                                  │
                            ContestNews            encoded once ──▶ every watcher's outbox

What runs is told by name only. A match is in here when it is over: what was stored is all that anybody is shown.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from itertools import islice

import msgspec

from quincunx.server.logs import log
from quincunx.server.outbox import Outbox
from quincunx.server.shapes import (
    ContestLine,
    ContestMatch,
    ContestMeeting,
    ContestNews,
    ContestPairing,
    ContestResult,
    ContestShown,
    Rated,
)
from quincunx.store import Store, Unavailable
from quincunx.store.contests import Instant, Match, Rivals, StoredContest, StoredResult
from quincunx.tournament.identity import is_gone
from quincunx.tournament.meetings import Meeting, Meetings
from quincunx.tournament.plan import Plan
from quincunx.tournament.ratings import rate
from quincunx.tournament.results import Result
from quincunx.tournament.schedule import Pairing
from quincunx.tournament.standings import Line, Standings, trouble_code
from quincunx.tournament.tournament import Tournament

PAUSE = 0.3  # seconds between two looks into the store
RECENT = 12  # results that are shown,
KEPT = 2000  # and that are remembered: a player may ask for its own
SHOWN = 8  # matches that are being played, and pairings to come
MOST_CROSSED = 40  # players in a cross table
MOST_RATED = 10_000  # results from which ratings are worked out: more take too long to be live, and stay in memory
RATING_PAUSE, RATING_SHARE = 2.0, 20  # seconds between two ratings, and at least so many times what one takes
COMMANDS = ("program:", "codingame:")  # names that are command lines of the computer where they run


class LiveContest:
    """One contest, and those who watch it."""

    def __init__(self, store: Store, stored: StoredContest) -> None:
        self.id = stored.id
        self.stored = stored
        self.plan = msgspec.json.decode(stored.plan, type=Plan)
        self.called = public_names([entrant.name for entrant in self.plan.entrants])
        self.page = b""  # all of it, as it stands
        self._store = store
        self._tournament: Tournament | None = None
        self._size = 0  # seats of a match; unknown yet
        self._seen = 0  # the last result that was read
        self._standings = Standings(list(self.called.values()))
        self._meetings = Meetings()
        self._results: list[Result] = []
        self._ratings: dict[str, Rated] = {}
        self._rating: asyncio.Task[None] | None = None
        self._rate_at = 0.0  # not before
        self._recent: deque[ContestResult] = deque(maxlen=KEPT)
        self._rivals = Rivals(is_gone)
        self._told: ContestNews | None = None
        self._instant: Instant | None = None
        self._looked = float("-inf")
        self._one_at_a_time = asyncio.Lock()
        self._watchers: set[Outbox] = set()
        self._following: asyncio.Task[None] | None = None

    @property
    def watched(self) -> bool:
        return bool(self._watchers)

    # -- watchers --------------------------------------------------------------------------------------------------

    def subscribe(self, watcher: Outbox) -> None:
        """Once it was read: it is sent how things stand, and then whatever changes."""
        watcher.send(self.page)
        self._watchers.add(watcher)
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow())

    def unsubscribe(self, watcher: Outbox) -> None:
        self._watchers.discard(watcher)

    async def close(self) -> None:
        self._watchers.clear()
        running = [task for task in (self._following, self._rating) if task is not None]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _follow(self) -> None:
        while self._watchers:
            await asyncio.sleep(PAUSE)
            try:
                await self.refresh()
            except Unavailable as error:
                log.warning("contest.waits", reason=str(error))

    # -- reading ---------------------------------------------------------------------------------------------------

    async def refresh(self) -> None:
        """Reads what is new, unless somebody has just looked, and tells the watchers."""
        async with self._one_at_a_time:
            if time.monotonic() - self._looked < 0.9 * PAUSE:
                return
            if not self._size:
                self._size = await self._prepare()
            instant = await self._look()
            fresh: deque[ContestResult] = deque(maxlen=RECENT)
            self._looked = time.monotonic()
            if instant == self._instant:
                return
            if instant.results > self._seen:
                async for row in self._store.contests.results(self.id, self._seen):
                    fresh.extend(self._take(row))
                    self._seen = row.seq
            self._tell(self._now(instant), fresh)
            self._instant = instant
            if fresh:
                self._rate_later()

    async def _prepare(self) -> int:
        """Before it is read for the first time: how many seats its matches have."""
        self._tournament = await asyncio.to_thread(Tournament, self.plan)  # it draws starts, which may be large
        return self._tournament.size

    @property
    def tournament(self) -> Tournament:
        assert self._tournament is not None
        return self._tournament

    async def _look(self) -> Instant:
        return await self._store.contests.instant(self.id, self._rivals)

    def _rate_later(self) -> None:
        if self._rating is None or self._rating.done():
            self._rating = asyncio.create_task(self._rate())

    @property
    def _latest(self) -> tuple[ContestResult, ...]:
        """The newest last."""
        return tuple(islice(reversed(self._recent), RECENT))[::-1]

    async def results_of(self, player: str, limit: int) -> list[ContestResult]:
        """The newest first."""
        await self.refresh()
        return list(islice((each for each in reversed(self._recent) if player in each.players), limit))

    async def is_over(self) -> bool:
        await self.refresh()
        return self._told is not None and self._told.finished is not None

    async def _rate(self) -> None:
        """Beside all else, and again until every result counts; nobody waits for it."""
        rated = 0
        while rated < len(self._results) <= MOST_RATED:
            await asyncio.sleep(self._rate_at - time.monotonic())
            known, began = self._results[:], time.monotonic()
            try:
                ratings = await asyncio.to_thread(_rated, known)
            except Exception:
                log.error("contest.not_rated")
                return
            rated, took = len(known), time.monotonic() - began
            self._rate_at = time.monotonic() + max(RATING_PAUSE, RATING_SHARE * took)
            async with self._one_at_a_time:
                self._ratings = ratings if len(self._results) <= MOST_RATED else {}
                if self._instant is not None:
                    self._tell(self._now(self._instant), deque())

    def _take(self, row: StoredResult) -> Iterator[ContestResult]:
        for result in self.tournament.read([row]):
            named = msgspec.structs.replace(result, players=tuple(self.called.get(who, who) for who in result.players))
            self._standings.add(named)
            if len(self._results) <= MOST_RATED:
                self._results.append(named)
            if len(self.called) <= MOST_CROSSED:
                self._meetings.add(named)
            shown = result_shown(named, row.at)
            self._recent.append(shown)
            yield shown

    def _now(self, instant: Instant) -> ContestNews:
        tournament = self.tournament
        first = list(islice(tournament.unfinished(), SHOWN + len(instant.playing)))
        ended = self._recent[-1].at if self._recent else self.stored.created  # its last runner was killed, perhaps
        meetings = self._meetings.pairs().items()
        lines = tournament.ordered(self._standings, self.called)
        return ContestNews(
            seq=self._seen,
            played=tournament.progress.matches,
            expected=tournament.expected if first else tournament.progress.matches,
            round=first[0].round if first else tournament.rounds,
            rounds=tournament.rounds,
            finished=None if first else instant.finished or ended,
            lines=tuple(self._line(line, place) for place, line in enumerate(lines, 1)),
            meetings=tuple(meeting_shown(*pair, met) for pair, met in meetings),
            results=self._latest,
            playing=tuple(self._playing(instant.playing)),
            upcoming=tuple(self._upcoming(first, instant.playing)),
        )

    def _line(self, line: Line, place: int) -> ContestLine:
        rating = self._ratings.get(line.name)
        return ContestLine(
            line.name, place, line.matches, line.gained, line.wins, line.draws, line.losses,
            round(line.think_time, 6), dict(line.troubles), rating, byes=line.byes,
        )  # fmt: skip

    def _playing(self, held: list[Match]) -> Iterator[ContestMatch]:
        tournament, pairings = self.tournament, self.tournament.pairings
        for pairing, number in held[:SHOWN]:
            if pairing < len(pairings) and not tournament.progress.has(pairing, number):
                yield ContestMatch(pairing, number, self._seated(pairings[pairing], number))

    def _upcoming(self, first: list[Pairing], held: list[Match]) -> Iterator[ContestPairing]:
        running = {pairing for pairing, _ in held}
        for pairing in [each for each in first if each.number not in running][:SHOWN]:
            played = self.tournament.progress.played(pairing.number)
            yield ContestPairing(pairing.number, pairing.round, self._seated(pairing, 0), played, pairing.matches)

    def _seated(self, pairing: Pairing, number: int) -> tuple[str, ...]:
        """Players move on by a chair each match."""
        n, entrants = len(pairing.players), self.plan.entrants
        return tuple(self.called[entrants[pairing.players[(seat + number) % n]].name] for seat in range(n))

    # -- telling ---------------------------------------------------------------------------------------------------

    def _tell(self, now: ContestNews, fresh: deque[ContestResult]) -> None:
        """All of it for those who come, what changed for those who are there."""
        before, self._told = self._told, now
        if now == before:
            return
        stored, plan = self.stored, self.plan
        shown = ContestShown(
            stored.id, stored.name, stored.game, plan.format, self._size, stored.created, now, plan.time.turn,
            plan.admission,
        )  # fmt: skip
        self.page = msgspec.json.encode(shown)
        if before is None or not self._watchers:
            return
        lines = {line.name: line for line in before.lines}
        meetings = {(met.one, met.two): met for met in before.meetings}
        news = msgspec.structs.replace(
            now,
            lines=tuple(line for line in now.lines if line != lines.get(line.name)),
            meetings=tuple(met for met in now.meetings if met != meetings.get((met.one, met.two))),
            results=tuple(fresh),
        )
        text = msgspec.json.encode(news)
        for watcher in self._watchers:
            watcher.send(text)


def public_names(names: list[str]) -> dict[str, str]:
    """What players are called where everybody reads it. A program that has no name is one by its command line, which is
    nobody's business: of it, the file that is run."""
    called: dict[str, str] = {}
    for name in names:
        short = _file_of(name) if name.startswith(COMMANDS) else name
        taken, again = set(called.values()), 2
        unique = short
        while unique in taken:
            unique, again = f"{short} #{again}", again + 1
        called[name] = unique
    return called


def _file_of(command: str) -> str:
    """`program:/usr/bin/python3 bots/fox.py --fast` is fox.py."""
    words = command.partition(":")[2].split() or [command.partition(":")[0]]
    file = next((word for word in words[1:] if not word.startswith("-") and ("." in word or "/" in word)), words[0])
    return file.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _rated(results: list[Result]) -> dict[str, Rated]:
    found = rate(results).players
    return {name: Rated(round(each.elo, 1), round(each.low, 1), round(each.high, 1)) for name, each in found.items()}


def result_shown(result: Result, at: int) -> ContestResult:
    troubles = tuple(trouble_code(each) if each else "" for each in result.troubles)
    return ContestResult(
        result.pairing, result.game, result.players, result.ranks, result.reason, result.start, at, troubles
    )


def meeting_shown(one: str, two: str, met: Meeting) -> ContestMeeting:
    return ContestMeeting(one, two, met.points, met.matches)
