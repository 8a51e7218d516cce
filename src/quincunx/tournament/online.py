"""A rating after every match, for contests that never end: openskill's Bradley–Terry model (Weng and Lin), in Elo.

Everybody has a mean and a doubt (`sigma`); each match moves those who sat at it and nobody else, so that a match costs
the same after a million. What comes of it depends on the order of matches: a finished contest has ratings.py.

Of openskill's models this one was taken because its doubt was least often too small (it held the truth in 89 to 99 of
100; Plackett–Luce, with six seats, in 49 to 73), while it sorts players as well as any: docs/ratings.md. It compares
neighbours in the ranking, with the odds of the Elo scale: √2 · β = SCALE. `gamma`, by which openskill slows the
shrinking of doubt, is 1: not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

import msgspec
from openskill.models import BradleyTerryPart

from quincunx.tournament.results import Result
from quincunx.tournament.score import SCALE, SURE

START, DOUBT = 1500.0, 250.0  # of whoever is new
RESTLESS = 1.0  # Elo by which doubt grows with every match: players may change


def _at_once(*_: Any) -> float:
    return 1.0


MODEL = BradleyTerryPart(mu=START, sigma=DOUBT, beta=SCALE / sqrt(2), gamma=_at_once, tau=RESTLESS)


class Online(msgspec.Struct, frozen=True):
    """One player's standing."""

    mu: float = START
    sigma: float = DOUBT
    matches: int = 0

    @property
    def conservative(self) -> float:
        """What it is very likely worth at least: tables are sorted by this, so that nobody leads by luck."""
        return self.mu - 3 * self.sigma

    @property
    def error(self) -> float:
        """Half of an interval that holds the truth in 89 to 99 of 100, depending on the arena."""
        return SURE * self.sigma


def after(known: Mapping[str, Online], result: Result) -> dict[str, Online]:
    """The new standings of those who sat at this match; `known`: the old ones, whoever is missing is new."""
    before = [known.get(name, Online()) for name in result.players]
    teams = [[MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in before]
    rated = MODEL.rate(teams, ranks=[float(rank) for rank in result.ranks])
    return {
        name: Online(own.mu, own.sigma, old.matches + 1)
        for name, (own,), old in zip(result.players, rated, before, strict=True)
    }
