"""How matches begin: a start is drawn or read, shown before it is played, and drawn again for a rematch."""

from __future__ import annotations

import secrets
from typing import Any

from quincunx.core.options import Value
from quincunx.core.words import Refused, Words
from quincunx.games import Game, Observation, World, load
from quincunx.match import Match, Seat
from quincunx.match.referee import Referee
from quincunx.match.wire import write
from quincunx.server.match_shapes import Looked, Start
from quincunx.store import StoredMatch

OTHER_RULES = Words(
    "Cette partie suit une autre version des règles.", "This match follows another version of the rules."
)


def drawn(game: Game, options: dict[str, Value], start: Start) -> World:
    settled: dict[str, Any] = options
    if start.text is not None:
        return game.from_setup(settled, start.text, start.seed)
    return game.new(setup=start.setup, seed=start.seed, **settled)


def next_start(stored: StoredMatch) -> tuple[str, int | None]:
    """The start of a rematch, and its seed: one that was drawn is drawn anew (by now everybody knows it), one that
    somebody wrote stays."""
    game = load(stored.game)
    options: dict[str, Any] = dict(stored.options)
    for setup in (None, *(each.name for each in game.setups)) if stored.seed is not None else ():
        try:
            if game.position(game.new(setup=setup, seed=stored.seed or 0, **options)) == stored.start:
                seed = new_seed()
                return game.position(game.new(setup=setup, seed=seed, **options)), seed
        except Refused:  # a setup that these options do not allow
            continue
    return stored.start, stored.seed


def new_seed() -> int:
    """So many bits that nobody tries them all."""
    return secrets.randbits(53)


def new_referee(game: Game, stored: StoredMatch) -> Referee:
    """At the start of a match; not even dice have fallen."""
    seats = [Seat(seat.name, seat.player) for seat in stored.seats]
    match = Match.unplayed(game, stored.start, seats, stored.seed, dict[str, Any](stored.options))
    return Referee(match, stored.clock)


def looked(game: Game, observation: Observation) -> bytes:
    """As it goes over the wire."""
    return write(Looked(game.seats(observation), game.show(observation), game.board(observation)))
