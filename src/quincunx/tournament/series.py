"""A series of matches between the same players: every start is played once from every chair, so that luck is shared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from quincunx.core.random import below, seeded
from quincunx.core.words import Words, expected
from quincunx.games import GearName, load
from quincunx.match import Match, MatchRecord, Outcome, Seat
from quincunx.players import Player
from quincunx.players.programs.flight import ENDING, FlightRecorder
from quincunx.players.programs.limits import Limits
from quincunx.players.programs.naming import check_rules
from quincunx.players.programs.program import Program, closing_programs
from quincunx.players.roster import sit_down
from quincunx.players.table import Adjudication, Effort, Late, Table
from quincunx.tournament.pool import pool
from quincunx.tournament.results import points

SALTED = 1_000_003  # between the seeds of two series


class Bout(NamedTuple):
    """One match of a series, and the effort of each player, in the order of the series."""

    number: int
    outcome: Outcome
    efforts: tuple[Effort, ...]
    written: MatchRecord | None  # its record, if the series keeps them

    @property
    def record(self) -> MatchRecord:
        assert self.written is not None, "this series keeps no records"
        return self.written


@dataclass(frozen=True)
class Series:
    game: str
    players: tuple[str, ...]
    games: int = 2
    seed: int = 0
    preset: str | None = None
    setup: str | None = None
    position: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    gear: GearName = "compiled"
    opening: int = 0  # actions played at random before the players begin, the same for a pair: so that starts differ
    limits: Limits = field(default_factory=Limits)  # of programs,
    late: Late = "lose"  # what becomes of one that does not answer in time,
    log: str | None = None  # and the folder for what is said with them
    names: tuple[str, ...] = ()  # under which the players stand in records, if not as they are asked for
    salt: int = 0  # makes players of another series draw other numbers
    adjudication: Adjudication | None = None
    records: bool = True  # are they kept? Writing one takes longer than a match between quick players

    def check(self) -> None:
        """Refuses what cannot be played, before any process is started."""
        match = self.start(0)
        if match.game.seats(match.world) != len(self.players):
            n = match.game.seats(match.world)
            raise expected(Words("{} joueurs", "{} players").format(n), ", ".join(self.players))
        for spec in self.players:
            sit_down(spec, match.game)
        check_rules(self.players, match.game, match.world.options)

    def name(self, who: int) -> str:
        return self.names[who] if self.names else self.players[who].removeprefix("bot:")

    def start(self, number: int, seats: list[Seat] | None = None) -> Match:
        seed = self.seed + number // len(self.players)
        return Match(
            load(self.game, self.gear), self.preset, setup=self.setup, position=self.position, seed=seed,
            players=seats or (), dice=seed, **self.options,
        )  # fmt: skip

    def chairs(self, number: int) -> list[int]:
        """Which player sits on each seat in one match: one chair further each time."""
        n = len(self.players)
        return [(seat + number) % n for seat in range(n)]

    def flight(self, number: int) -> Path | None:
        """Where the flight recorder writes."""
        return None if self.log is None else Path(self.log) / f"{self.game}-{number:05}{ENDING}"

    def run(self, jobs: int = 1) -> Iterator[Bout]:
        """Every match, as it ends."""
        if jobs == 1:
            yield from (play_one(self, number) for number in range(self.games))
            return
        with pool(jobs) as processes:
            for done in as_completed([processes.submit(play_one, self, number) for number in range(self.games)]):
                yield done.result()


def play_one(series: Series, number: int) -> Bout:
    """One match to its end. Players are handed the view of their seat and nothing else."""
    chairs = series.chairs(number)
    seeds = [series.seed + 1000 * number + who + SALTED * series.salt for who in chairs]
    specs = [series.players[who] for who in chairs]
    sitting = [Seat(series.name(who), spec, seed) for who, spec, seed in zip(chairs, specs, seeds, strict=True)]
    match = series.start(number, sitting)
    draw_opening(match, series, number)
    players = [sit_down(spec, match.game, seed, series.limits) for spec, seed in zip(specs, seeds, strict=True)]
    with FlightRecorder(series.flight(number)) as recorder:
        efforts = play_on(match, players, late=series.late, recorder=recorder, adjudication=series.adjudication)
    assert match.outcome is not None
    mine = tuple(efforts[chairs.index(who)] for who in range(len(chairs)))
    return Bout(number, match.outcome, mine, match.record() if series.records else None)


def play_on(match: Match, players: Sequence[Player | Program], **how: Any) -> list[Effort]:
    """To the end, a player on each seat; programs leave afterwards."""
    with closing_programs(players):
        return Table(match, players, **how).play()


def draw_opening(match: Match, series: Series, number: int) -> None:
    """Some actions at random, equal in every match from the same start."""
    if not series.opening:
        return
    choice = seeded(series.seed + number // len(series.players))
    for _ in range(series.opening):
        if not match.over:
            legal = match.game.legal(match.world)
            match.act(match.turn, legal[below(choice, len(legal))])
    for seat in match.seats:
        seat.after = len(match.entries)


def pair_score(series: Series, outcomes: Mapping[int, Outcome], pair: int) -> float:
    """What the first of two players made of the two matches from one start: 0, ¼, ½, ¾ or 1."""
    return sum(points_of_first(series, outcomes[number], number) for number in (2 * pair, 2 * pair + 1)) / 2


def points_of_first(series: Series, outcome: Outcome, number: int) -> float:
    """1, ½ or 0."""
    return points(outcome.ranks)[series.chairs(number).index(0)]
