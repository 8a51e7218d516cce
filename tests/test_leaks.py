"""The leak law: draw again what the ruling calls secret, and what a seat sees, may do and is told stays equal.

`redraw` of each game is written from its ruling, in tests/leaks. And the law is itself tried: an `observe` that shows
one hidden thing too many must be caught.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy as shallow
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from cases import long_journey
from quincunx.core.contract import PUBLIC
from quincunx.core.options import Value
from quincunx.core.random import Random, seeded
from quincunx.games import Game, World, cards, load
from quincunx.search.greedy import think_greedy

FOG = [card.id for card in cards() if card.fog]
STARTS: dict[str, list[dict[str, Any]]] = {  # where the two sides meet soon
    "chartichaud": [
        {"width": 6, "height": 5},
        {"width": 9, "height": 7},
        {"preset": "telecom"},
    ],
    "casus_belli": [
        {"seats": 2, "width": 9, "height": 9, "placement": 1, "turns": 24},
        {"seats": 3, "width": 12, "height": 10, "placement": 2, "turns": 24},
        {"preset": "final", "seats": 3, "width": 11, "height": 11, "placement": 1, "turns": 24},
    ],
}

Redraw = Callable[[Any, Any, int, Random], None]


def redraw_of(id: str) -> Redraw:
    return import_module(f"leaks.redraw_{id}").redraw  # type: ignore[no-any-return]


def worlds_of(game: Game, start: dict[str, Any], seed: int, every: int = 7) -> list[World]:
    """Positions of a match that is half greedy, half random, so that the sides meet."""
    met = _met(game.card.id, tuple(start.items()), seed)
    return [game.from_bytes(options, data) for options, data in met[::every]]


@cache
def _met(id: str, start: tuple[tuple[str, Any], ...], seed: int) -> list[tuple[dict[str, Value], bytes]]:
    """Played once, compiled: thinking takes far longer than looking."""
    game = load(id, "compiled")
    world = game.new(seed=seed, **dict(start))
    random = game.gear.rows(Random, 2)
    random[0] = game.random(seed)[0]
    room, out = game.gear.rows(game.rules.State, 2), game.gear.ints(game.rules.MAX_LEGAL)
    think, silent = game.gear.bind(think_greedy), game.log(-3, silent=True)
    found = []
    for choice in long_journey(seed, 240):
        seat = game.turn(world)
        if seat < 0:
            break
        found.append((world.options, game.to_bytes(world)))
        room[0] = world.rows[0]
        legal = game.legal(world)
        greedy = choice % 3 > 0
        action = think(world.terms, room, seat, random, out, silent, 100) if greedy else legal[choice % len(legal)]
        game.apply(world, seat, action)
    return found


def other_world(game: Game, world: World, seat: int, random: Random) -> World:
    terms, s = game.terms(world), game.state(game.clone(world))
    redraw_of(game.card.id)(terms, s, seat, random)
    return game.world(world.options, terms, s)


def knows(game: Game, world: World, seat: int) -> dict[str, object]:
    """All that a seat can find out without acting."""
    legal = game.legal(world, seat) if seat >= 0 else []
    near = {a ^ 1 << bit for a in legal[:6] for bit in range(0, 40, 3)}
    refusals = [(a, game.check(world, seat, a)) for a in sorted(near)] if seat >= 0 else []
    return {
        "view": game.digest(game.view(world, seat)),
        "legal": legal,
        "refusals": refusals,
        "turn": seat >= 0 and game.to_act(world, seat),
    }


def leaks(game: Game, start: dict[str, Any], seed: int) -> str | None:
    """What a seat could tell apart though it may not, or None."""
    random = seeded(seed + 1)
    for world in worlds_of(game, start, seed):
        for seat in (*range(min(3, game.seats(world))), PUBLIC):
            twin = other_world(game, world, seat, random)
            mine, theirs = knows(game, world, seat), knows(game, twin, seat)
            if mine != theirs:
                what = next(name for name in mine if mine[name] != theirs[name])
                return f"seat {seat}: {what} of {game.position(world)}"
            told = stories(game, world, twin, seat)
            if told:
                return f"seat {seat}: the story of {told} in {game.position(world)}"
    return None


def stories(game: Game, world: World, twin: World, seat: int) -> str | None:
    """An action after which the views are equal, but not what was told on the way."""
    actor = game.turn(world)
    actions = game.legal(world)
    for action in actions[:: max(1, len(actions) // 5)]:
        if game.check(twin, actor, action) is not None:
            continue
        one, two = game.clone(world), game.clone(twin)
        told = [game.tell(w, seat, game.apply_and_log(w, actor, action, seat)) for w in (one, two)]
        if game.digest(game.view(one, seat)) == game.digest(game.view(two, seat)) and told[0] != told[1]:
            return game.text(world, actor, action)
    return None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("id, start", [(id, start) for id in FOG for start in STARTS[id]], ids=str)
def test_secrets_reach_nobody(id: str, start: dict[str, Any], seed: int) -> None:
    assert leaks(load(id, "interpreted"), start, seed) is None


def leaky(game: Game, leak: Callable[[Any, Any, int, Any], None]) -> Game:
    """The same game with an `observe` that shows too much."""
    other, observe = shallow(game), game._observe

    def too_much(terms: Any, rows: Any, k: int, seat: int, view: Any) -> None:
        observe(terms, rows, k, seat, view)
        leak(terms[0], rows[k], seat, view[0])

    other._observe = too_much  # type: ignore[assignment]
    return other


def of_other(seat: int) -> int:
    return 1 - seat if seat >= 0 else 0


def leak_number(field: str, value: Callable[[Any, int], int]) -> Callable[[Any, Any, int, Any], None]:
    def leak(terms: Any, s: Any, seat: int, view: Any) -> None:
        setattr(view, field, getattr(view, field) + value(s, seat))

    return leak


CHARTICHAUD = {
    "purse": lambda s, seat: s.purse[of_other(seat)],
    "wealth": lambda s, seat: s.wealth[of_other(seat)],
    "units": lambda s, seat: sum(word & 0x1FFF for word in s.units[of_other(seat)]),
    "soldiers": lambda s, seat: sum(word >> 13 & 0xFFF for word in s.units[of_other(seat)]),
    "acted": lambda s, seat: sum(s.acted) % 8191 if s.turns & 1 != seat else 0,
    "gold": lambda s, seat: sum(s.gold) % 997,
    "reaped": lambda s, seat: sum(s.reaped) % 997 if s.turns & 1 != seat else 0,
    "memory": lambda s, seat: sum(s.memory[of_other(seat)]) % 997,
    "lodes": lambda s, seat: s.lodes,
    "forces": lambda s, seat: s.forces[of_other(seat)] % 997,
    "their sight": lambda s, seat: sum(s.seen[of_other(seat)]) % 997,
}
CASUS_BELLI = {
    "cell": lambda s, seat: s.cell[3 * of_other(seat)],
    "facing": lambda s, seat: s.facing[3 * of_other(seat)],
    "health": lambda s, seat: s.health[3 * of_other(seat) + 1],
    "cooldown": lambda s, seat: s.cooldown[6 * of_other(seat)],
    "departure": lambda s, seat: s.departure[3 * of_other(seat) + 2],
    "attack": lambda s, seat: s.attack[3 * of_other(seat)] & 0xFFF,
    "path": lambda s, seat: s.path[3 * of_other(seat)] & 0xFFF,
    "palantir": lambda s, seat: s.palantir[of_other(seat)],
    "revealed": lambda s, seat: s.revealed[of_other(seat)],
    "corpse": lambda s, seat: s.corpse[3 * of_other(seat)],
    "where it came from": lambda s, seat: s.track[3 * of_other(seat)] & 0xFFFF,
    "how it went": lambda s, seat: s.track[3 * of_other(seat) + 1] >> 22 & 0xFF,
    "where it looked": lambda s, seat: s.track[3 * of_other(seat) + 2] >> 20 & 3,
}
MUTANTS = [
    *(("chartichaud", "own_wealth", name, value) for name, value in CHARTICHAUD.items()),
    *(("casus_belli", "orb", name, value) for name, value in CASUS_BELLI.items()),
]


@pytest.mark.parametrize("id, field, name, value", MUTANTS, ids=lambda v: v if isinstance(v, str) else "")
def test_the_law_notices_each_hidden_thing(id: str, field: str, name: str, value: Callable[[Any, int], int]) -> None:
    game = leaky(load(id, "interpreted"), leak_number(field, value))
    assert any(leaks(game, start, seed) for start in STARTS[id] for seed in range(3))
