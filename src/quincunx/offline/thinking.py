"""What an engine is asked to think for a level of a game, in numbers: it knows neither levels nor players.

A level is what core/levels.py and the game's folder say; what it overlooks it overlooks as players/distracted.py does,
from the same seed. So it plays what the server's player of that level plays from the same view and seed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from msgspec import Struct

from quincunx.core.levels import Level
from quincunx.games import Observation
from quincunx.players.distracted import SEEN, attention, overlooks
from quincunx.players.fingerprint import sources

HINT = 1.0  # seconds


class Job(Struct, frozen=True):
    game: str
    sources: str  # of the rules that made the view: an engine of others must not read it
    seat: int
    view: bytes  # the terms, then what the seat sees
    player: Literal["alphabeta", "mcts", "greedy"]
    seed: str  # of 63 bits, more than a number of JavaScript holds
    budget: int = 0  # of nodes, or simulations; greedy: of a hundred actions, so many are looked at
    time: float = 0.0  # or seconds


class Thought(Struct, frozen=True):
    action: str  # of 64 bits
    chance: float | None = None  # to win, as the thinker sees it


Think = Callable[[Job], Awaitable[Thought]]


def job_of(observation: Observation, level: Level, seed: int) -> Job:
    if level.mistakes and overlooks(attention(seed), level.mistakes):
        return _job(observation, "greedy", seed, budget=SEEN)
    return _job(observation, level.player, seed, budget=level.budget)


def hint_of(observation: Observation, seed: int) -> Job:
    """Whoever plays this game best, for a moment."""
    return _job(observation, observation.game.levels[-1].player, seed, time=HINT)


def _job(
    observation: Observation,
    player: Literal["alphabeta", "mcts", "greedy"],
    seed: int,
    budget: int = 0,
    time: float = 0.0,
) -> Job:
    game = observation.game
    view = game.observation_to_bytes(observation)
    return Job(game.card.id, sources(game.card.id), observation.seat, view, player, str(seed), budget, time)
