"""Positions to learn from: matches of a player against itself, in portions that are files.

A match begins on a drawn start or on a shipped setup, under the usual rules or a preset, with some actions at random;
now and then another one is thrown in, so that what is learned holds off the beaten track, too. Of every position where
something is to be chosen and nothing noisy is, there stays its state, what the player thought of it, and how the match
ended for the seat that was to act.

A portion is drawn from its number and nothing else: one that is there need not be played again, and whoever is killed
loses the one that was being played.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quincunx.core import hints
from quincunx.core.contract import CHANCE
from quincunx.core.layout import size
from quincunx.core.random import Random, below, seeded
from quincunx.games import Game, World
from quincunx.players import Player
from quincunx.tournament.starts import of_training

MATCHES = 64  # of a portion
OPENING = 12  # actions at random before the players begin, at most
USUAL = 4  # of six matches, so many are played on a drawn start under the usual rules


class Portion(NamedTuple):
    """Positions, as arrays of one length but for `terms`, which belong to matches."""

    terms: NDArray[np.uint8]  # [match, byte]
    states: NDArray[np.uint8]  # [position, byte]
    match: NDArray[np.int32]
    seat: NDArray[np.int8]  # that was to act
    value: NDArray[np.float32]  # what its player thought: as its search says it
    outcome: NDArray[np.float32]  # 1 = the seat won, ½, 0


def play_portion(game: Game, player: Player, number: int, stray: int, matches: int = MATCHES) -> Portion:
    """One of `stray` actions is drawn at random."""
    terms: list[bytes] = []
    states: list[bytes] = []
    rest: list[tuple[int, int, float, float]] = []
    for k in range(matches):
        seed = of_training(number * matches + k)
        world = start(game, seed)
        terms.append(game.memory.to_bytes(world.terms))
        played, ending = play_match(game, world, player, seed, stray)
        for state, seat, value in played:
            states.append(state)
            rest.append((k, seat, value, ending[seat]))
    match, seats, values, outcomes = zip(*rest, strict=True) if rest else ((), (), (), ())
    return Portion(
        _bytes(terms, size(game.rules.Terms)), _bytes(states, size(game.rules.State)), np.array(match, np.int32),
        np.array(seats, np.int8), np.array(values, np.float32), np.array(outcomes, np.float32),
    )  # fmt: skip


def _bytes(rows: list[bytes], width: int) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), width)


def start(game: Game, seed: int) -> World:
    """Two of six matches: another preset, foremost choices (clans) as they fall, one of the shipped setups or none."""
    random = seeded(seed)
    if below(random, 6) < USUAL:
        return game.new(
            seed=seed, setup=_any(random, game.setups).name if game.setups and below(random, 3) == 0 else None
        )
    options = {o.name: _any(random, o.choices).name for o in game.options if o.foremost and o.type == "choice"}
    setup = _any(random, [None, *(each.name for each in game.setups)])
    return game.new(_any(random, game.presets).name, setup=setup, seed=seed, **options)


def _any(random: Random, things: Any) -> Any:
    return things[below(random, len(things))]


def play_match(
    game: Game, world: World, player: Player, seed: int, stray: int
) -> tuple[list[tuple[bytes, int, float]], list[float]]:
    """The positions that are worth keeping, and what each seat made of the match."""
    random, dice = seeded(seed), game.random(seed)
    loud = Loud(game)
    opening, kept = below(random, OPENING + 1), []
    player.begin(seed)
    while not game.over(world):
        seat = game.turn(world)
        if seat == CHANCE:
            game.apply(world, CHANCE, game.roll(world, dice))
            continue
        if opening > 0 or below(random, stray) == 0:
            opening -= 1
            action = _any(random, game.legal(world))
        else:
            action = player.choose(game.view(world, seat))
            value = player.info.value
            if value is not None and not player.info.proven and not loud(world, seat, action):
                kept.append((game.memory.to_bytes(world.rows), seat, value))
        game.apply(world, seat, action)
    scores = game.scores(world)
    return kept, [_share(scores, seat) for seat in range(len(scores))]


class Loud:
    """Is an action noisy, as search has it? What is judged at the end of a line is quiet: nothing else is learned."""

    def __init__(self, game: Game) -> None:
        self._rank_all = game.gear.bind(hints.rank_all)
        self._out, self._marks = game.gear.ints(1), game.gear.ints(1)

    def __call__(self, world: World, seat: int, action: int) -> bool:
        self._out[0] = action
        self._rank_all(world.terms[0], world.rows[0], seat, self._out, 1, self._marks)
        return self._marks[0] >= hints.NOISY


def _share(scores: list[int], seat: int) -> float:
    others = [score for k, score in enumerate(scores) if k != seat]
    return sum(1.0 if scores[seat] > other else 0.5 if scores[seat] == other else 0.0 for other in others) / len(others)


def save(portion: Portion, file: Path) -> None:
    """All of it or nothing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    written = file.with_suffix(".new.npz")
    np.savez_compressed(written, **portion._asdict())
    written.replace(file)


def read(file: Path) -> Portion:
    with np.load(file, allow_pickle=False) as arrays:
        return Portion(**{name: arrays[name] for name in Portion._fields})
