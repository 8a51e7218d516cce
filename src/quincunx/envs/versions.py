"""The version in the name of an environment, `quincunx/Khet-v1`: it grows with the rules and with the encoding.

Nothing is imported for it but the game's card and its encoding.
"""

from __future__ import annotations

from importlib import import_module

from quincunx.games import package


def version_of(game: str) -> int:
    """1 while both are of version 1; one more for each new version of either."""
    found = package(game)
    encoding: int = import_module(f"{found.__name__}.encoding").VERSION
    return int(found.CARD.version) + encoding - 1


def name_of(game: str) -> str:
    """`connect_four` as `ConnectFour-v1`."""
    return "".join(word.capitalize() for word in game.split("_")) + f"-v{version_of(game)}"
