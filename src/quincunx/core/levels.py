"""The eight levels of a game: how much each of them thinks, and how often it overlooks something.

A budget is one of nodes or simulations, not of time, so that a level plays the same on every machine. A game's folder
may bring a levels.py with LEVELS of its own; otherwise they come from what the game is. What each is worth was
measured: docs/players.md. Where the usual match is long or for many, DUEL says the options on which two players meet
soon, to measure them, and REAL the grounds of real matches, on which they meet now and then.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any, Literal, NamedTuple

from quincunx.core.card import Card

COUNT = 8
_UNIT = {"alphabeta": "nodes", "mcts": "simulations"}


class Level(NamedTuple):
    player: Literal["alphabeta", "mcts"]
    budget: int  # of nodes, or of simulations
    mistakes: int = 0  # of a hundred choices, those that are made without looking at everything

    @property
    def spec(self) -> str:
        """As a player is written: `alphabeta:nodes=50,mistakes=70`."""
        mistakes = f",mistakes={self.mistakes}" if self.mistakes else ""
        return f"{self.player}:{_UNIT[self.player]}={self.budget}{mistakes}"


class Ground(NamedTuple):
    """What a match is played on."""

    options: dict[str, Any] = {}
    preset: str | None = None
    setup: str | None = None


ALPHA_BETA = (
    Level("alphabeta", 50, mistakes=70),
    Level("alphabeta", 100, mistakes=45),
    Level("alphabeta", 250, mistakes=28),
    Level("alphabeta", 600, mistakes=15),
    Level("alphabeta", 2000, mistakes=6),
    Level("alphabeta", 8000),
    Level("alphabeta", 60_000),
    Level("alphabeta", 1_000_000),
)
MCTS = (
    Level("mcts", 8, mistakes=70),
    Level("mcts", 16, mistakes=45),
    Level("mcts", 32, mistakes=28),
    Level("mcts", 64, mistakes=15),
    Level("mcts", 150, mistakes=6),
    Level("mcts", 400),
    Level("mcts", 1200),
    Level("mcts", 5000),
)


def by_kind(card: Card) -> tuple[Level, ...]:
    """Two seats in turn, nothing hidden, no dice: alpha-beta. Everything else is simulated."""
    return ALPHA_BETA if card.plain else MCTS


def duel_of(module: ModuleType, options: Iterable[str]) -> dict[str, Any]:
    """The DUEL of a game's levels.py, or nothing; TypeError if it names what is no option."""
    duel = getattr(module, "DUEL", {})
    if not isinstance(duel, dict) or not duel.keys() <= set(options):
        raise TypeError(f"{module.__name__}.DUEL: expected some of the options {', '.join(options)} but got {duel!r}")
    return duel


def real_of(module: ModuleType) -> tuple[Ground, ...]:
    """The REAL of a game's levels.py, or nothing; TypeError if they are no grounds."""
    real = getattr(module, "REAL", ())
    if not isinstance(real, tuple) or not all(isinstance(each, Ground) for each in real):
        raise TypeError(f"{module.__name__}.REAL: expected a tuple of Ground but got {real!r}")
    return real


def of_module(module: ModuleType) -> tuple[Level, ...] | None:
    """The LEVELS of a game's levels.py, if it has any; TypeError if they are none."""
    if not hasattr(module, "LEVELS"):
        return None
    levels = module.LEVELS
    where = f"{module.__name__}.LEVELS: expected {COUNT} of Level"
    if not isinstance(levels, tuple) or len(levels) != COUNT or not all(isinstance(each, Level) for each in levels):
        raise TypeError(f"{where} but got {levels!r}")
    for level in levels:
        if level.player not in _UNIT or level.budget < 1 or not 0 <= level.mistakes <= 100:
            raise TypeError(f'{where}("alphabeta" or "mcts", 1 or more, mistakes=0 to 100) but got {level!r}')
    return levels
