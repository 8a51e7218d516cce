"""An arena that somebody looks at: as any contest, but nothing is planned in it. Who takes part changes, it is told who
is there, ratings come with every match, and matches under way are ordinary ones, which can be watched."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec

from quincunx.server.contest_news import MOST_CROSSED, LiveContest, meeting_shown, result_shown
from quincunx.server.shapes import ContestLine, ContestMatch, ContestNews, ContestResult, Rated
from quincunx.store import Store
from quincunx.store.contests import Instant, StoredContest, StoredResult
from quincunx.store.entrants import StoredBout, StoredEntrant
from quincunx.tournament.matchmaking import ArenaTable
from quincunx.tournament.places import places
from quincunx.tournament.results import Result
from quincunx.tournament.rounds import rests

ALWAYS = ("computer", "upload")  # the server itself plays for them
SHOWN = 64  # matches that are being played
_RESULT = msgspec.json.Decoder(Result)


class ArenaInstant(Instant, frozen=True):
    """How it stands, with all that a page shows of it."""

    entrants: list[StoredEntrant]
    present: frozenset[str]
    running: list[StoredBout]
    rests: dict[str, int]


class LiveArena(LiveContest):
    def __init__(self, store: Store, stored: StoredContest) -> None:
        super().__init__(store, stored)
        self._table = ArenaTable()

    async def _prepare(self) -> int:
        return await asyncio.to_thread(self.plan.table_size)

    async def _look(self) -> ArenaInstant:
        entrants = self._store.entrants
        running = await entrants.under_way(self.id)
        present = await entrants.present(self.id, self._rivals)
        known = await entrants.all(self.id)
        now = await self._store.contests.instant(self.id, self._rivals)
        rounds = await self._store.classrooms.rounds(self.id) if self.plan.pacing == "rounds" else []
        here = frozenset(name for names in present.values() for name in names)
        resting = rests(meeting for round in rounds for meeting in round.meetings)
        return ArenaInstant(now.results, now.finished, [], known, here, running, resting)

    def _rate_later(self) -> None:
        """Ratings are there already."""

    def _take(self, row: StoredResult) -> Iterator[ContestResult]:
        result = _RESULT.decode(row.result)
        self._standings.add(result)
        self._table.add(result)
        if len(self._standings.lines) <= MOST_CROSSED:
            self._meetings.add(result)
        shown = result_shown(result, row.at)
        self._recent.append(shown)
        yield shown

    def _now(self, instant: Instant) -> ContestNews:
        assert isinstance(instant, ArenaInstant)
        crossed = self._meetings.pairs().items() if len(self._standings.lines) <= MOST_CROSSED else ()
        return ContestNews(
            seq=self._seen,
            played=self._seen,
            expected=self._seen,
            round=max((bout.round for bout in instant.running), default=0),
            rounds=0,
            finished=instant.finished,
            lines=tuple(self._lines(instant)),
            meetings=tuple(meeting_shown(*pair, met) for pair, met in crossed),
            results=self._latest,
            playing=tuple(_playing(bout) for bout in instant.running[:SHOWN]),
            upcoming=(),
        )

    def _lines(self, instant: ArenaInstant) -> Iterator[ContestLine]:
        """Of those who take part, and of those who have: their results stay."""
        known = {each.name: each for each in instant.entrants}
        lines = self._standings.counting(instant.rests, known)
        for name, place in places(lines, self._table, self.plan.pacing == "rounds").items():
            entrant = known.get(name)
            yield msgspec.structs.replace(
                self._line(lines[name], place),
                rating=self._rated(name),
                kind=None if entrant is None else entrant.kind,
                present=name in instant.present or (entrant is not None and entrant.kind in ALWAYS),
                accepted=entrant is not None and entrant.accepted,
            )

    def _rated(self, name: str) -> Rated:
        rating = self._table.rating(name)
        return Rated(*(round(each, 1) for each in (rating.mu, rating.mu - rating.error, rating.mu + rating.error)))


def _playing(bout: StoredBout) -> ContestMatch:
    return ContestMatch(bout.pairing, 0, bout.players, bout.match)
