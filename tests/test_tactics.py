"""The shipped tactical positions: their answers are proved again, and the strongest search finds nearly all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from make_tactics import Prover, read_tactics
from quincunx.games import load
from quincunx.players import make
from quincunx.players.budget import Budget
from quincunx.players.line import read
from quincunx.players.mcts import MctsPlayer

GAMES = ("khet", "cultist")
TACTICS = {id: read_tactics((Path(__file__).parent / "tactics" / f"{id}.txt").read_text("utf-8")) for id in GAMES}
BUDGET = "alphabeta:nodes=400000"  # far less than two seconds of thought


@pytest.mark.parametrize("id", GAMES)
def test_there_are_enough_of_every_kind(id: str) -> None:
    kinds = {(tactic.kind, tactic.actions) for tactic in TACTICS[id]}
    assert len(TACTICS[id]) >= 30
    assert kinds >= {("win", 1), ("win", 3), ("win", 5), ("save", 1), ("save", 3)}


@pytest.mark.parametrize("id", GAMES)
def test_answers_are_proved(id: str) -> None:
    """Every third of the short ones; the tool that made the set proves all of it."""
    game = load(id, "compiled")
    prover = Prover(game)
    for tactic in [tactic for tactic in TACTICS[id] if tactic.actions <= 3][::3]:
        world = game.new(position=tactic.position)
        found = prover.answers(world, tactic.kind, tactic.actions)
        assert tuple(game.text(world, game.turn(world), action) for action in found) == tactic.answers


@pytest.mark.slow
@pytest.mark.parametrize("id", GAMES)
def test_the_strongest_search_solves_them(id: str) -> None:
    game = load(id, "compiled")
    player = make(BUDGET, game)
    missed = []
    for tactic in TACTICS[id]:
        world = game.new(position=tactic.position)
        player.begin(1)
        chosen = game.text(world, game.turn(world), player.choose(game.view(world, game.turn(world))))
        if chosen not in tactic.answers:
            missed.append((str(tactic), chosen))
    assert len(missed) <= 0.05 * len(TACTICS[id]), missed


@pytest.mark.slow
@pytest.mark.parametrize("id", GAMES)
def test_simulation_finds_the_forced_wins(id: str) -> None:
    """The quickest, or another that its tree has proven (test_search.py holds proofs against an exact search)."""
    game = load(id, "compiled")
    player = MctsPlayer(game, 1, Budget(simulations=200_000))  # less than two seconds of thought
    wins = [tactic for tactic in TACTICS[id] if tactic.kind == "win"]
    missed = []
    for tactic in wins:
        world = game.new(position=tactic.position)
        player.begin(1)
        chosen = game.text(world, game.turn(world), player.choose(game.view(world, game.turn(world))))
        if chosen not in tactic.answers and read(game, player._nodes, 0, "proven") <= 0:
            missed.append((str(tactic), chosen))
    assert len(missed) <= 0.05 * len(wins), missed
