"""The games, and the façade through which everything above reaches them.

    >>> game = load("khet")
    >>> world = game.new(setup="classic")
    >>> world.turn, len(world.legal())
    (0, 81)

A folder of this package with a `CARD` is a game; an installed distribution adds one with an entry point in the group
`quincunx.games`. Nothing else has to be told.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Literal

from quincunx.core.cache import root
from quincunx.core.card import Card
from quincunx.core.folder import card_of
from quincunx.core.levels import Level
from quincunx.core.words import Words, expected
from quincunx.games.facade import Game
from quincunx.games.folder import levels_of
from quincunx.games.world import Observation, World

GearName = Literal["compiled", "interpreted", "checked"]


def _inside() -> dict[str, str]:
    """The package of each game of this folder, by its id."""
    return {m.name: f"{__name__}.{m.name}" for m in pkgutil.iter_modules(__path__) if m.ispkg}


def _packages() -> dict[str, str]:
    """And of those that other distributions bring."""
    from importlib.metadata import entry_points  # a tenth of the time that a first move takes

    return {e.name: e.value for e in entry_points(group="quincunx.games")} | _inside()


def package(id: str) -> ModuleType:
    if id not in _found:  # looking for games takes milliseconds
        packages = inside if id in (inside := _inside()) else _packages()
        if id not in packages:
            raise expected(Words("un jeu parmi {}", "one of the games {}").format(", ".join(sorted(packages))), id)
        found = import_module(packages[id])
        card_of(found, id)
        _found[id] = found
    return _found[id]


_found: dict[str, ModuleType] = {}


def cards() -> list[Card]:
    """Every game there is."""
    return [package(id).CARD for id in sorted(_packages())]


def levels(id: str) -> tuple[Level, ...]:
    """What its levels are made of, without its rules."""
    return levels_of(package(id))


def load(id: str, gear: GearName | None = None) -> Game:
    """A game in one gear. Without a name, compiled if its code is in the cache, otherwise interpreted at once."""
    if gear is None:
        gear = "compiled" if _compiles() and ((id, root()) in _cached or _is_cached(id)) else "interpreted"
    return _load(package(id), gear)


_cached: set[tuple[str, object]] = set()  # games whose code was found in a cache: nobody looks for it again


@cache
def _compiles() -> bool:
    """Is there a compiler? In the Python of a browser there is none, and no folder for machine code either."""
    try:
        return find_spec("llvmlite") is not None
    except ImportError:
        return False


def _is_cached(id: str) -> bool:
    found = _load(package(id), "interpreted").is_cached()
    if found:
        _cached.add((id, root()))
    return found


@cache
def _load(package: ModuleType, gear: GearName) -> Game:
    return Game(package, gear)


__all__ = ["Game", "GearName", "Observation", "World", "cards", "levels", "load", "package"]
