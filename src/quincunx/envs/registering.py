"""Gymnasium's register: `gymnasium.make("quincunx/Khet-v1")` finds every game that has an encoding.

`import quincunx.envs` calls `register`; `gymnasium.make("quincunx.envs:quincunx/Khet-v1")` imports that first, for
Gymnasium 1 looks for no entry points. Nothing but the games' cards and encodings is looked at here; the environment
itself is imported when one is made.
"""

from __future__ import annotations

from gymnasium.envs.registration import register as add
from gymnasium.envs.registration import registry

from quincunx.envs.versions import name_of
from quincunx.games import cards


def register() -> None:
    for card in cards():
        try:
            name = name_of(card.id)
        except ModuleNotFoundError:
            continue  # a game of another distribution, without an encoding
        if f"quincunx/{name}" not in registry:
            add(f"quincunx/{name}", "quincunx.envs.gym_env:SeatEnv", kwargs={"game": card.id})
