"""A match played once more: the same start, the same dice, players made as the record says. Do they choose the same?

They do if their budgets are nodes, depth or simulations; one of time depends on the machine and its day. What was drawn
at random before the players began is taken from the record, and so are the dice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import UNSET

from quincunx.core.contract import CHANCE
from quincunx.core.options import settle
from quincunx.core.words import Words, expected
from quincunx.games import Game
from quincunx.match import Match, MatchRecord, Played, replay
from quincunx.players import make


class Departure(NamedTuple):
    """Where a repeated match leaves its record."""

    number: int  # of the entry, from 1
    seat: int
    recorded: str
    chosen: str


def rerun(record: MatchRecord, game: Game) -> Departure | None:
    """None if every choice is the recorded one; Refused if the record is none, or a person played."""
    replay(record, game)
    for seat in record.seats:
        if seat.player in ("person", "program"):
            raise expected(Words("une partie entre ordinateurs", "a match between computers"), seat.player)
    players = [make(seat.player, game, 0 if seat.seed is UNSET else seat.seed) for seat in record.seats]
    drawn = record.seats[0].after
    options: dict[str, Any] = {**settle(game.options, game.presets, None, record.options)}
    match = Match.unplayed(game, record.start, record.seats, record.seed, options)
    for number, entry in enumerate(record.entries, 1):
        chosen_by_player = isinstance(entry, Played) and entry.seat != CHANCE and (drawn is UNSET or number > drawn)
        if isinstance(entry, Played) and chosen_by_player:
            action = players[entry.seat].choose(game.view(match.world, entry.seat))
            text = game.text(match.world, entry.seat, action)
            if text != entry.action:
                return Departure(number, entry.seat, entry.action, text)
        match.take(entry)
    return None
