"""What a game offers to whoever begins a match: its options, starts, lengths, and who plays it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from quincunx.core.card import Card
from quincunx.core.options import Length, Option, Preset, Setup
from quincunx.core.words import Words
from quincunx.games import Game
from quincunx.players.levels import MOST, label

SIMPLE = ("random", "greedy")  # besides the levels; programs may ask for any other


class PlayerShown(msgspec.Struct, frozen=True):
    spec: str
    label: Words


class GameShown(msgspec.Struct, frozen=True):
    card: Card
    options: tuple[Option, ...]
    presets: tuple[Preset, ...]
    setups: tuple[Setup, ...]
    lengths: tuple[Length, ...]  # from the shortest to the longest; none where a match ends by itself
    players: tuple[PlayerShown, ...]
    compiled: bool
    puzzles: int  # how many it ships


LEVELS = tuple(PlayerShown(f"level:{n}", label(n)) for n in range(1, MOST + 1))


def game_shown(game: Game, players: Iterable[PlayerShown], *, compiled: bool, puzzles: int) -> GameShown:
    return GameShown(
        card=game.card,
        options=tuple(game.options),
        presets=tuple(game.presets),
        setups=tuple(game.setups),
        lengths=tuple(game.lengths),
        players=tuple(players),
        compiled=compiled,
        puzzles=puzzles,
    )
