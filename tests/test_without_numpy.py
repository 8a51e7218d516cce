"""Whoever interprets rules needs neither NumPy nor LLVM: quicker to start, and some Pythons have none."""

from __future__ import annotations

import subprocess
import sys

WITHOUT = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "llvmlite"):
            raise ImportError(f"{name} was asked for")

sys.meta_path.insert(0, Refuse())
"""

PLAY = """
import quincunx
from quincunx.core.contract import CHANCE, NOBODY, PUBLIC
from quincunx.match.replay import replay
from quincunx.players import make

for card in quincunx.cards():
    for gear in (None, "interpreted"):
        game = quincunx.load(card.id, gear)
        assert not game.gear.compiled
    world, dice = game.new(seed=1), game.random(1)
    for step in range(12):
        if (seat := game.turn(world)) == NOBODY:
            break
        legal = game.legal(world, seat) if seat >= 0 else [game.roll(world, dice)]
        action = legal[step % len(legal)]
        text = game.text(world, seat, action)
        assert seat == CHANCE or game.parse(world, seat, text) == action
        assert game.check(world, seat, action) is None
        assert seat == CHANCE or game.expand(world, seat, text) == [action]
        before = game.clone(world)
        for observer in (max(seat, 0), PUBLIC):
            observation = game.view(before, observer)
            game.show(observation), game.board(observation), game.observation_to_bytes(observation)
            game.apply_and_tell(game.clone(before), seat, action, observer, step)
        game.apply(world, seat, action)
        game.ripple(before, world), game.preview(world), game.scores(world), game.ending(world)
    data, position = game.to_bytes(world), game.position(world)
    assert game.to_bytes(game.from_bytes(world.options, data)) == data and game.key(world) >= 0
    assert game.position(game.new(position=position, **world.options)) == position and str(world)
    thinking, seat = game.clone(before), max(game.turn(before), 0)
    searches = ["minimax:depth=1", "alphabeta:depth=1"] if card.open else []
    for spec in ("random", "greedy", "mcts:simulations=2", "level:1", *searches, *game.opponents):
        if game.to_act(thinking, seat):
            action = make(spec, game, 1).choose(game.view(thinking, seat))
            assert game.check(thinking, seat, action) is None
    match = quincunx.Match(card.id, seed=2)
    while len(match.entries) < 8 and match.turn >= 0:
        match.play(match.legal()[0])
    assert replay(match.record()).entries == match.entries
    print(card.id)
"""


def run(script: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


def test_every_game_is_played_told_thought_about_and_replayed_without_numpy() -> None:
    assert len(run(WITHOUT + PLAY)) >= 6


def test_whoever_interprets_needs_msgspec_and_nothing_else() -> None:
    """Python in a browser has little more."""
    ask = "import sys; before = set(sys.modules); "
    load = "import quincunx, quincunx.players; quincunx.load('khet', 'interpreted').new(); "
    tell = "print(*{name.partition('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names)"
    assert set(run(ask + load + tell)) <= {"quincunx", "msgspec", "typing_extensions"}  # msgspec takes it where it is


def test_importing_quincunx_imports_neither() -> None:
    script = "import sys, quincunx; quincunx.load('khet', 'interpreted').new(); print(*sys.modules)"
    assert not {"numpy", "llvmlite"} & set(run(script))
