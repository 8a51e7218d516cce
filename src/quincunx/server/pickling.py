"""A referee on its way from one process to another: the worlds go as bytes, which are the same in every gear, and the
game stays behind: each process has its own."""

from __future__ import annotations

import io
import pickle
from typing import Any

from quincunx.games import Game, World
from quincunx.match.record import Entry
from quincunx.match.referee import Referee


def pack(referee: Referee, *more: Any) -> bytes:
    """A referee without the entries of its match, which whoever sent for it has, and whatever else can be pickled."""
    referee.match.entries = []
    packed = io.BytesIO()
    _Packer(packed, pickle.HIGHEST_PROTOCOL).dump((referee, *more))
    return packed.getvalue()


def unpack(data: bytes, game: Game, entries: list[Entry]) -> tuple[Any, ...]:
    """In any gear of the game. For what comes from processes of this server only."""
    referee, *more = _Unpacker(io.BytesIO(data), game).load()
    referee.match.entries = [*entries, *(more[0] if more else ())]
    return referee, *more


class _Packer(pickle.Pickler):
    def persistent_id(self, thing: Any) -> Any:
        if isinstance(thing, World):
            return thing.options, thing.game.to_bytes(thing)
        return "game" if isinstance(thing, Game) else None


class _Unpacker(pickle.Unpickler):
    def __init__(self, data: io.BytesIO, game: Game) -> None:
        super().__init__(data)
        self._game = game
        self._terms: list[Any] | None = None  # the same for all worlds of a match

    def persistent_load(self, name: Any) -> Any:
        if name == "game":
            return self._game
        world = self._game.from_bytes(*name)
        if self._terms is None:
            self._terms = world.terms
        world.terms = self._terms
        return world
