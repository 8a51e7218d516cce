"""Environments for research: what learns sees arrays and answers with small numbers.

    batch("khet", 4096, threads=2)      many matches at once, in arrays: batches.py
    Recorder(batch)                     records of what a batch plays: recording.py
    aec("khet")                         PettingZoo, one agent after the other: zoo_aec.py
    parallel("casus_belli")             PettingZoo, all agents at once: zoo_parallel.py
    gymnasium.make("quincunx/Khet-v1")  Gymnasium, one seat against players by name: gym_env.py
    openspiel("khet")                   OpenSpiel: spiel.py
    parquet.export(records, file)       decisions to learn from: parquet.py
    encoding.Encoding(game, options)    one game's observations as planes and scalars, its actions as numbers

Whatever is heavy is imported when somebody asks for it.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from quincunx.envs.batches import Batch, batch
from quincunx.envs.missing import needed
from quincunx.envs.recording import Recorder

if TYPE_CHECKING:
    from quincunx.envs.zoo_aec import TurnEnv
    from quincunx.envs.zoo_parallel import TogetherEnv


def aec(game: str, **settings: Any) -> TurnEnv:
    """PettingZoo's AEC environment of a game; docs/environments-pettingzoo.md has the settings."""
    needed("pettingzoo", "envs")
    from quincunx.envs.zoo_aec import TurnEnv

    return TurnEnv(game, **settings)


def parallel(game: str, **settings: Any) -> TogetherEnv:
    """PettingZoo's parallel environment of a game in which the seats decide at the same time; others are refused."""
    needed("pettingzoo", "envs")
    from quincunx.envs.zoo_parallel import TogetherEnv

    return TogetherEnv(game, **settings)


def openspiel(game: str, **settings: Any) -> Any:
    """A game as OpenSpiel's, whose algorithms then run on it."""
    needed("pyspiel", "openspiel")
    from quincunx.envs.spiel import load

    return load(game, **settings)


if find_spec("gymnasium"):  # it finds environments by their names after this import, and not otherwise
    from quincunx.envs.registering import register

    register()

__all__ = ["Batch", "Recorder", "aec", "batch", "openspiel", "parallel"]
