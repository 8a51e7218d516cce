"""How each game's net is trained unless something else is asked for. What was tried is told in docs/learning.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quincunx.games import load
from quincunx.learning.plan import Plan
from quincunx.players import nets

ALPHA_BETA: dict[str, Any] = {
    "rounds": 1, "positions": 2_200_000, "thought": 400, "stray": 40, "epochs": 7, "rate": 0.0025, "decay": 1.0,
    "trust": 0.85, "by_hand": True,
}  # fmt: skip
MCTS: dict[str, Any] = {
    "rounds": 1, "positions": 1_500_000, "thought": 40, "stray": 8, "epochs": 8, "rate": 0.002, "decay": 1.0,
    "trust": 0.0, "by_hand": True,
}  # fmt: skip


def recipe(game: str, seed: int, asked: Mapping[str, Any]) -> Plan:
    """The usual settings, in their place those of the game's net.py, and in theirs what is asked for."""
    loaded = load(game, "interpreted")
    usual = ALPHA_BETA if nets.search_of(loaded) == "alphabeta" else MCTS
    return Plan(**{"game": game, "seed": seed, **usual, **getattr(loaded.net_inputs, "RECIPE", {}), **asked})
