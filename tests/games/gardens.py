"""Gardens for tests: positions by hand on one known map, and crowded ones in which every power is in use."""

from __future__ import annotations

from typing import Any

import pytest

from quincunx.core.contract import CHANCE
from quincunx.core.random import below, seeded
from quincunx.games import Game, GearName, World, load
from quincunx.games.garden.hexes import CELLS, NAMES, ROWS
from quincunx.games.garden.land import put
from quincunx.games.garden.notation import cell_text
from quincunx.games.garden.state import FREE, PROTECTED

MAP = """
        gf1 gw2 sm1 ms2 ms1
      gs1 gm2 sky sf1 mw2 mm1
    gf2 sw1 barbecue sm2 pool sw1 gf2
      mm1 mw2 sf1 candy gm2 gs1
        ms1 ms2 sm1 gw2 gf1"""
game: Game = load("garden", "interpreted")


def garden(cells: str, *, a: str = "", b: str = "", turn: str = "", **options: Any) -> World:
    """A position: `c1=A3 c2=B2p3`; what seats own: `stock=1 metal=5`; the turn: `player=B phase=reinforcement`."""
    there = _pairs(cells)
    words = [
        f"{ground}={there[name]}" if name in there else ground for name, ground in zip(NAMES, MAP.split(), strict=True)
    ]
    rows = [" ".join(words[sum(ROWS[:k]) : sum(ROWS[: k + 1])]) for k in range(5)]
    seats = [_filled(given, "stock=0 points=0 food=0 metal=0 stone=0 wood=0") for given in (a, b)]
    when = _filled(turn, "turn=0 player=A phase=conquest used=- dice=-")
    return game.new(position=f"{' / '.join(rows)} | A {seats[0]} | B {seats[1]} | {when}", **options)


def _pairs(text: str) -> dict[str, str]:
    return {name: value for name, _, value in (word.partition("=") for word in text.split())}


def _filled(given: str, defaults: str) -> str:
    return " ".join(f"{name}={value}" for name, value in (_pairs(defaults) | _pairs(given)).items())


def play(world: World, *texts: str) -> World:
    """Plays actions by their texts, whoever is to act; each must be legal."""
    for text in texts:
        seat = game.turn(world)
        action = game.parse(world, seat, text)
        assert game.check(world, seat, action) is None, (text, game.check(world, seat, action))
        game.apply(world, seat, action)
    return world


def refused(world: World, text: str) -> str:
    """The code of the refusal, or nothing."""
    seat = game.turn(world)
    refusal = game.check(world, seat, game.parse(world, seat, text))
    return refusal.code if refusal else ""


def at(world: World, *names: str) -> str:
    """Who is on these cells, as in a position: `A3 B2p3 -`."""
    texts = [cell_text(game.terms(world), game.state(world), NAMES.index(name)) for name in names]
    return " ".join(text.partition("=")[2] or "-" for text in texts)


def options(world: World) -> list[str]:
    seat = game.turn(world)
    return [game.text(world, seat, action) for action in game.legal(world)]


def crowded(seed: int, gear: GearName = "interpreted", **options: Any) -> World:
    """A garden in the middle of a long war: both clans rich, everywhere, and in every condition."""
    one = load("garden", gear)
    drawn = load("garden", "interpreted").new(seed=seed, **options)
    terms, s = drawn.game.terms(drawn), drawn.game.state(drawn)
    random = seeded(seed)
    for cell in range(CELLS):
        owner = below(random, 5) // 2
        put(s, cell, owner if owner < 2 else FREE, 1 + below(random, 5) if owner < 2 else 0)
        if owner < 2:
            s.condition[cell] = below(random, PROTECTED + 1) if below(random, 3) == 0 else 0
            s.stuck[cell], s.forged[cell] = below(random, 9) // 7, below(random, 9) // 7
    for seat in range(2):
        s.points[seat], s.stock[seat] = 8 + below(random, 40), below(random, 6)
        s.goods[seat][:] = [3 + below(random, 12) for _ in range(4)]
    return one.world(drawn.options, terms, s)


def step(world: World, random: Any, choice: Any) -> tuple[int, int]:
    """Who acts, and what: dice are rolled, players choose anything."""
    one = world.game
    seat = one.turn(world)
    if seat == CHANCE:
        return seat, one.roll(world, random)
    actions = one.legal(world)
    return seat, actions[below(choice, len(actions))]


PAIRS = [("cooks", "miners"), ("blacksmiths", "lumberjacks"), ("lumberjacks", "cooks"), ("miners", "blacksmiths")]
every_pair = pytest.mark.parametrize("clans", PAIRS, ids="-".join)


def at_war(seed: int, clans: tuple[str, str], gear: GearName = "interpreted", **more: Any) -> World:
    return crowded(seed, gear, clan0=clans[0], clan1=clans[1], **more)
