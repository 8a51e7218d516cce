"""Where positions come from: matches between computers that overlook things, and records.

Where a turn is made of several actions and their order hardly matters, a position in the middle of it has as many good
actions as are left to do. There a decision is taken out of a turn that was played (`held_back`): all others of it are
made, and this one is left to find.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from quincunx.core.contract import CHANCE
from quincunx.core.random import below, seeded
from quincunx.games import Game, World
from quincunx.match import MatchRecord, replay
from quincunx.players import make

LEVELS = (2, 3, 4, 5, 6)
CARELESS = 8  # of so many actions one is drawn at random


class Played(NamedTuple):
    """An action of a match, and the world before it."""

    world: World
    seat: int
    action: int
    turn: int


def hasty_match(game: Game, seed: int, options: Mapping[str, Any], setup: str | None) -> Iterator[Played]:
    """A match between two levels that are drawn."""
    random = seeded(seed)
    world = game.new(setup=setup, seed=seed, **options)
    dice = game.random(seed)
    players = [make(f"level:{LEVELS[below(random, len(LEVELS))]}", game, seed + n) for n in range(game.seats(world))]
    number = 0
    while not game.over(world):
        seat = game.turn(world)
        if seat == CHANCE:
            action = game.roll(world, dice)
        elif below(random, CARELESS) == 0 and not game.card.simultaneous:
            actions = game.legal(world)
            action = actions[below(random, len(actions))]
        else:
            action = players[seat].choose(game.view(world, seat))
        before = game.clone(world)
        game.apply(world, seat, action)
        yield Played(before, seat, action, game.number(before, number))
        number += 1


def held_back(game: Game, turn: list[Played]) -> Iterator[World]:
    """For each decision of one seat's turn but the last, which ends it: the world in which it alone is left to take."""
    for n in range(len(turn) - 1):
        world, seat = game.clone(turn[0].world), turn[0].seat
        for k, other in enumerate(turn[:-1]):
            if k != n and game.check(world, seat, other.action) is None:
                game.apply(world, seat, other.action)
        if game.check(world, seat, turn[n].action) is None:
            yield world


def positions(game: Game, first: int, options: Mapping[str, Any], setups: Sequence[str]) -> Iterator[tuple[int, World]]:
    """Without end: the number of a match, from `first` on, and a world in which a seat is to decide."""
    number = first
    while True:
        setup = setups[number % len(setups)] if setups else None
        played = hasty_match(game, number, options, setup)
        for world in decisions(game, played):
            yield number, world
        number += 1


def decisions(game: Game, played: Iterator[Played]) -> Iterator[World]:
    if game.card.open:
        yield from (each.world for each in played if each.seat != CHANCE)
        return
    turn: list[Played] = []
    for each in played:
        if turn and (turn[0].seat, turn[0].turn) != (each.seat, each.turn):
            yield from held_back(game, turn)
            turn = []
        turn.append(each)


def of_record(game: Game, record: MatchRecord) -> Iterator[World]:
    """The decisions of a match that somebody played; what was taken back is left out."""
    match = replay(record, game)
    world = match.beginning()
    played = []
    for number, (seat, action) in enumerate(match.standing):
        played.append(Played(game.clone(world), seat, action, game.number(world, number)))
        game.apply(world, seat, action)
    yield from decisions(game, iter(played))
