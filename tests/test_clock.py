"""The clock: searches look at it themselves, in every gear; rules of games cannot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Thread
from time import perf_counter_ns
from typing import Any

import pytest

from quincunx.core.clock import now
from quincunx.core.contract import State, Terms, turn
from quincunx.core.engine import Gear, rule
from quincunx.games import cards, load
from quincunx.players import make
from quincunx.players.warming import parts
from quincunx.search import watch
from quincunx.search.watch import BETWEEN, NEVER, NO_DEADLINE, Watch, late, wind

ROOT = Path(__file__).parent.parent
GEARS = {
    "interpreted": Gear("t", {}, compiled=False),
    "compiled": Gear("t", {}, compiled=True),
    "checked": Gear("t", {}, compiled=True, checked=True),
}
EVERY_GAME = [card.id for card in cards()]


@rule
def tell() -> int:
    return now()


@rule
def spin(until: int) -> int:
    turns = 0
    while now() < until:
        turns += 1
    return turns


@pytest.mark.parametrize("gear", GEARS.values(), ids=GEARS)
def test_the_clock_is_the_same_in_every_gear(gear: Gear) -> None:
    told, spun = gear.bind_all([tell, spin])
    before = perf_counter_ns()
    assert before <= told() <= perf_counter_ns()
    until = now() + 300_000
    spun(until)
    assert now() >= until


# -- rules of games --------------------------------------------------------------------------------------------------


@rule
def hasty_turn(terms: Terms, s: State) -> int:
    return now() & 1


@rule
def tick() -> int:
    return now() & 1


@rule
def sly_turn(terms: Terms, s: State) -> int:
    return tick()


@rule
def asks(terms: list[Terms], s: list[State]) -> int:
    return turn(terms[0], s[0])


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("wrong", [hasty_turn, sly_turn])
def test_a_game_that_looks_at_the_clock_is_refused(wrong: Any, compiled: bool) -> None:
    """Whether it does so itself or lets another rule do it, and whether it is asked or a search asks it."""
    gear = Gear("t", {turn: wrong}, compiled=compiled)
    for asked in (turn, asks):
        with pytest.raises(TypeError, match=f"{wrong.__name__}: expected no clock in a rule but got now"):
            gear.bind(asked)


@pytest.mark.parametrize("id", EVERY_GAME)
def test_no_rule_of_a_game_looks_at_the_clock_and_every_search_does(id: str) -> None:
    gear = load(id, "interpreted").gear
    timed = {part.__name__ for part in parts(id) if gear.plan(part).timed}
    searches = {"think_mcts", "minimax", "aspiration_search"}
    assert timed == searches & {part.__name__ for part in parts(id)}


def test_a_game_that_imports_the_clock_breaks_a_contract(tmp_path: Path) -> None:
    """A package of the same shape, under the contract of this one."""
    for folder in ("core", "games/khet"):
        (tmp_path / "quincunx" / folder).mkdir(parents=True)
    for file in ("__init__", "core/__init__", "games/__init__", "games/khet/__init__", "core/clock"):
        (tmp_path / "quincunx" / f"{file}.py").write_text("")
    (tmp_path / "quincunx/core/engine.py").write_text("from quincunx.core.clock import now\n")
    rules = tmp_path / "quincunx/games/khet/rules.py"
    own = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    head = '[tool.importlinter]\nroot_package = "quincunx"\n\n[[tool.importlinter.contracts]]\n'
    contracts = [part for part in own.split("[[tool.importlinter.contracts]]\n") if "quincunx.core.clock" in part]
    (told,) = [part for part in contracts if 'name = "Games know no clock"' in part]
    (tmp_path / "pyproject.toml").write_text(head + told)
    lint = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    for text, code in (("import quincunx.core.engine\n", 0), ("from quincunx.core.clock import now\n", 1)):
        rules.write_text(text)
        done = subprocess.run(lint, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == code, done.stdout


# -- searches --------------------------------------------------------------------------------------------------------


def test_a_watch_looks_every_ten_microseconds_whatever_a_step_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    time, looks = 1_000_000, 0

    def shown() -> int:
        nonlocal looks
        looks += 1
        return time

    monkeypatch.setattr(watch, "now", shown)
    mine = Watch()
    wind(mine, deadline=time + 200 * BETWEEN)
    step, cost = 0, 100
    while not (step >= mine.next and late(mine, step)):
        step += 1
        time += cost
        if step == 10_000:
            assert mine.stride == BETWEEN // cost
            assert looks < 130
            time += 400 * cost  # another process had the processor for a while
        cost = 100 if step < 10_000 else BETWEEN // 4
    assert 0 <= time - mine.deadline <= BETWEEN
    assert mine.stride <= 4
    wind(mine, NO_DEADLINE)
    assert mine.next == NEVER


@pytest.mark.parametrize("gear", ["interpreted", "compiled"])
@pytest.mark.parametrize("spec", ["alphabeta", "mcts", "minimax"])
def test_a_search_ends_by_itself_when_its_time_is_over(spec: str, gear: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other thread wakes it: none can be started."""
    monkeypatch.setattr(Thread, "start", lambda thread: pytest.fail("a thread"))
    game = load("khet", gear)
    world = game.new()
    player = make(f"{spec}:time=0.02", game)
    before = perf_counter_ns()
    assert game.check(world, 0, player.choose(game.view(world, 0))) is None
    assert perf_counter_ns() - before >= 20_000_000
    player.most_seconds = 0.001
    player.choose(game.view(world, 0))
    assert player.info.capped


def test_a_thought_in_used_room_is_as_in_new_room() -> None:
    """Of the tree before it, nothing is left, though only what it used is emptied."""
    game: Any = load("garden", "compiled")
    worlds = [game.new(seed=seed) for seed in range(3)]
    used: Any = make("mcts:simulations=700", game, seed=4)
    for world in worlds:
        fresh: Any = make("mcts:simulations=700", game, seed=4)
        used.begin(4)
        seat = game.turn(world)
        assert used.choose(game.view(world, seat)) == fresh.choose(game.view(world, seat))
        n = int(used._tree["used"][0])
        assert used._nodes[: n + 1].tobytes() == fresh._nodes[: n + 1].tobytes()
        assert used._slots.tobytes() == fresh._slots.tobytes()
