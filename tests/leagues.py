"""Leagues whose truth is known: programs of drawn strengths, rankings drawn as the model says, for tests of ratings.

Every pairing plays one start from every chair. Luck is a number for each player of a match, added to its strength;
with the odds `alike` a match takes over the luck of its start: that of the player, who then does well or badly in all
of them, or that of the chair, which then wins whoever sits there. Each match for itself has the odds of the model.
`starts` that all tables share bring the same luck to every pairing that plays them.
Shared ranks are drawn so that ordering those who share by luck would bring back the odds of the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from quincunx.tournament.ratings import rate
from quincunx.tournament.results import Result
from quincunx.tournament.score import SCALE


@dataclass(frozen=True)
class League:
    seats: int = 2
    players: int = 100
    rounds: int = 20
    spread: float = 200.0  # of the strengths, in Elo
    ties: float = 0.0
    alike: float = 0.0
    of: Literal["player", "chair"] = "chair"  # what the luck of a start belongs to
    first: float = 0.0  # Elo by which each chair is better than the next
    starts: int = 0  # so many, shared by all tables; 0: each table has one of its own

    def truth(self, luck: np.random.Generator) -> Any:
        strengths = luck.normal(0, self.spread, self.players)
        return strengths - strengths.mean()

    def play(self, truth: Any, luck: np.random.Generator) -> list[Result]:
        found: list[Result] = []
        n, tables = self.seats, self.players // self.seats
        owners = n if self.of == "chair" else self.players
        same = luck.gumbel(size=(self.starts, owners))
        for number in range(self.rounds):
            drawn = luck.permutation(self.players)[: n * tables].reshape(tables, n)
            of_start = luck.gumbel(size=(tables, n))
            start = number % self.starts if self.starts else 0
            if self.starts:
                of_start = same[start][drawn] if self.of == "player" else np.broadcast_to(same[start], (tables, n))
            for game in range(n):
                who = np.roll(drawn, -game, axis=1)  # by seat
                shared = np.roll(of_start, -game, axis=1) if self.of == "player" else of_start
                copies = luck.random((tables, 1)) < self.alike
                noise = np.where(copies, shared, luck.gumbel(size=(tables, n)))
                worth = (truth[who] + self.first * ((n - 1) / 2 - np.arange(n))) / SCALE
                for table, ranks in enumerate(ranked(worth, noise, self.ties, luck)):
                    names = tuple(f"p{each}" for each in who[table].tolist())
                    found.append(Result(number * tables + table, game, names, ranks, pair=start))
        return found


def ranked(worth: Any, noise: Any, ties: float, luck: np.random.Generator) -> list[tuple[int, ...]]:
    """The ranks of each match, 1 for the best."""
    matches, n = worth.shape
    order = np.argsort(-(worth + noise), axis=1)
    rows = np.arange(matches)
    at = luck.integers(0, n - 1, matches)  # whether this one and the next share their rank
    raised = np.exp(np.take_along_axis(worth, order, axis=1))
    left = raised[:, ::-1].cumsum(axis=1)[:, ::-1][rows, at]
    swapped = (left - raised[rows, at]) / (left - raised[rows, at + 1])  # how likely, beside this order
    tied = luck.random(matches) < ties * np.minimum(1, swapped)
    ranks = np.empty((matches, n), dtype=int)
    np.put_along_axis(ranks, order, np.arange(1, n + 1)[None, :].repeat(matches, axis=0), axis=1)
    ranks[rows[tied], order[rows[tied], at[tied] + 1]] -= 1
    return [tuple(each) for each in ranks.tolist()]


def exact(league: League, truth: Any, results: list[Result]) -> Any:
    """The least error that these matches allow: what the information at the truth says of each rating, in Elo.

    For matches that are independent and without shared ranks (Cramér and Rao).
    """
    bend = np.zeros((league.players, league.players))
    for each in results:
        names = [int(name[1:]) for name in each.players]
        left = [names[k] for k in np.argsort(each.ranks)]
        while len(left) > 1:
            odds = np.exp(truth[left] / SCALE)
            odds /= odds.sum()
            bend[np.ix_(left, left)] += np.diag(odds) - np.outer(odds, odds)
            left.pop(0)
    inverse = np.linalg.inv(bend + 1 / league.players) - 1 / league.players
    return SCALE * np.sqrt(np.diag(inverse))


@dataclass(frozen=True)
class Coverage:
    """How many of the stated 95 % intervals hold the truth; and how good the estimates are."""

    ratings: float
    differences: float
    superior: float  # the mean of what is said about players of drawn order: ½
    error: float  # root of the mean square, in Elo
    correlation: float  # of ranks
    intervals: int


def coverage(league: League, leagues: int, luck: np.random.Generator) -> Coverage:
    held, apart, superior, errors, ranks = [], [], [], [], []
    for _ in range(leagues):
        truth = league.truth(luck)
        found = rate(league.play(truth, luck), seats=league.first != 0)
        who = [n for n in range(league.players) if f"p{n}" in found.players]
        estimates = np.array([found.players[f"p{n}"].elo for n in who])
        bounds = np.array([found.players[f"p{n}"].error for n in who])
        held += list(np.abs(estimates - truth[who]) <= bounds)
        errors.append(float(((estimates - truth[who]) ** 2).mean()))
        ranks.append(rank_correlation(estimates, truth[who]))
        for _ in range(league.players):
            a, b = luck.choice(who, 2, replace=False)
            between = found.difference(f"p{a}", f"p{b}")
            apart.append(between.low <= truth[a] - truth[b] <= between.high)
            superior.append(found.superiority(f"p{a}", f"p{b}"))
    said, between_two, likely = (float(np.mean(each)) for each in (held, apart, superior))
    return Coverage(said, between_two, likely, float(np.sqrt(np.mean(errors))), float(np.mean(ranks)), len(held))


def rank_correlation(one: Any, other: Any) -> float:
    """Spearman's."""
    return float(np.corrcoef(np.argsort(np.argsort(one)), np.argsort(np.argsort(other)))[0, 1])
