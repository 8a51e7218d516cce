"""A series of matches between the same players: every start is played once from every chair, so that luck is shared."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from time import perf_counter
from typing import Any

from quincunx.core.random import below, seeded
from quincunx.core.words import Words, expected
from quincunx.games import GearName, load
from quincunx.match import Match, MatchRecord, Seat
from quincunx.players import make


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

    def check(self) -> None:
        """Refuses what cannot be played, before any process is started."""
        match = self.start(0)
        if match.game.seats(match.world) != len(self.players):
            n = match.game.seats(match.world)
            raise expected(Words("{} joueurs", "{} players").format(n), ", ".join(self.players))
        for spec in self.players:
            make(spec, match.game)

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

    def run(self, jobs: int = 1) -> Iterator[tuple[int, MatchRecord]]:
        """Every match with its number, as it ends."""
        if jobs == 1:
            yield from ((number, play_one(self, number)) for number in range(self.games))
            return
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            waiting = {pool.submit(play_one, self, number): number for number in range(self.games)}
            for done in as_completed(waiting):
                yield waiting[done], done.result()


def play_one(series: Series, number: int) -> MatchRecord:
    """One match to its end. Players are handed the view of their seat and nothing else."""
    chairs = series.chairs(number)
    match = series.start(number, [Seat(series.players[who], series.players[who]) for who in chairs])
    game = match.game
    if series.opening:
        _open(match, series, number)
    players = [make(series.players[who], game, seed=series.seed + 1000 * number + who) for who in chairs]
    began = perf_counter()
    while not match.over:
        seat = match.turn
        action = players[seat].choose(game.view(match.world, seat))
        match.act(seat, action, at=round(1000 * (perf_counter() - began)))
    return match.record()


def _open(match: Match, series: Series, number: int) -> None:
    """Some actions at random, equal in every match from the same start."""
    choice = seeded(series.seed + number // len(series.players))
    for _ in range(series.opening):
        if not match.over:
            legal = match.game.legal(match.world)
            match.act(match.turn, legal[below(choice, len(legal))])


def pair_score(series: Series, records: list[MatchRecord], pair: int) -> float:
    """What the first of two players made of the two matches from one start: 0, ¼, ½, ¾ or 1."""
    points = 0.0
    for number in (2 * pair, 2 * pair + 1):
        outcome = records[number].outcome
        assert outcome is not None
        mine = outcome.ranks[series.chairs(number).index(0)]
        theirs = outcome.ranks[series.chairs(number).index(1)]
        points += 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
    return points / 2


@dataclass
class Standing:
    """What one player of a series reached: matches won, shared first place, lost."""

    player: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def add(self, ranks: list[int], seat: int) -> None:
        if ranks[seat] > 1:
            self.losses += 1
        elif ranks.count(1) > 1:
            self.draws += 1
        else:
            self.wins += 1
