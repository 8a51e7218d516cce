"""What the laws are tried on: every game, every preset, every setup, every option away from its default.

A new game is here by itself. What a game's data cannot say (a large map, many seats) stands in MORE.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quincunx.core.contract import CHANCE, PUBLIC
from quincunx.core.random import below, seeded
from quincunx.games import Game, GearName, World, cards, load, package

GEARS: tuple[GearName, ...] = ("interpreted", "compiled", "checked")


class Case(NamedTuple):
    game: str
    preset: str | None = None
    setup: str | None = None
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        setup = f"setup={self.setup}" if self.setup else None  # a preset may have the same name
        words = [self.game, self.preset, setup, *(f"{name}={value}" for name, value in self.options)]
        return "-".join(word for word in words if word)

    def start(self, gear: GearName, seed: int = 1) -> World:
        return load(self.game, gear).new(self.preset, setup=self.setup, seed=seed, **dict(self.options))


MORE: list[Case] = []


def cases_of(id: str) -> Iterator[Case]:
    setup = __import__(f"{package(id).__name__}.setup", fromlist=["OPTIONS"])
    for preset in setup.PRESETS:
        yield Case(id, preset.name)
    for named in setup.SETUPS:
        yield Case(id, None, named.name)
    for option in setup.OPTIONS:
        others = {"bool": [not option.default], "choice": [c.name for c in option.choices]}.get(option.type)
        for value in others or [option.low, option.high]:
            if value != option.default:
                yield Case(id, None, None, ((option.name, value),))


EVERY_CASE = [*(case for card in cards() for case in cases_of(card.id)), *MORE]
QUICK = os.environ.get("QUINCUNX_TESTS") == "quick"  # `make check`: the first preset of each game
LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"  # `make fuzz`
CASES = list({case.game: case for case in reversed(EVERY_CASE)}.values()) if QUICK else EVERY_CASE

every_case = pytest.mark.parametrize("case", CASES, ids=str)
# Every case in the gear that also refuses an index out of bounds; options hardly meet what gears do, presets are enough
in_gears = pytest.mark.parametrize(
    "case, gear",
    [(case, gear) for case in CASES for gear in GEARS if gear == "checked" or case.preset or LONG],
    ids=str,
)

seeds = st.integers(0, 2**32 - 1)
journeys = st.lists(st.integers(0, 2**16), max_size=60)  # which of the legal actions, one after the other

# Of each case: they are a hundred, and each law has hundreds of journeys by them; `make fuzz` has 500 of each case
EXAMPLES = settings().max_examples if LONG else min(6, settings().max_examples)


def on_journeys(law: Callable[..., None]) -> Callable[..., None]:
    """A law of a case and a journey: `law(case, …, seed, journey)`."""
    return settings(max_examples=EXAMPLES)(given(seed=seeds, journey=journeys)(law))


class Step(NamedTuple):
    seat: int
    action: int


def travel(world: World, journey: Iterable[int], seed: int) -> Iterator[Step]:
    """Each step of a journey before it is taken; the world moves on between them."""
    game = world.game
    random = game.random(seed)
    for choice in journey:
        step = next_step(game, world, choice, random)
        if step is None:
            return
        yield step
        game.apply(world, *step)


def next_step(game: Game, world: World, choice: int, random: Any) -> Step | None:
    seat = game.turn(world)
    if seat == CHANCE:
        return Step(CHANCE, game.roll(world, random))
    actions = game.legal(world)
    return Step(seat, actions[choice % len(actions)]) if actions else None


def long_journey(seed: int, length: int) -> Iterator[int]:
    random = seeded(seed)
    for _ in range(length):
        yield below(random, 1 << 16)


def observers(game: Game, world: World) -> list[int]:
    return [*range(min(3, game.seats(world))), PUBLIC]
