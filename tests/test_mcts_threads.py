"""Several threads on one tree: nothing is lost that matters, and one thread alone is as it always was."""

from __future__ import annotations

from threading import current_thread, main_thread
from typing import Any

import pytest

from quincunx.core.contract import CHANCE
from quincunx.core.words import Refused
from quincunx.games import Game, World, cards, load
from quincunx.players import make
from quincunx.players.levels import specs
from quincunx.players.line import read, write
from quincunx.search import mcts

EVERY_GAME = [card.id for card in cards()]


def start(game: Game) -> World:
    world = game.new(seed=2, **game.duel)
    while game.turn(world) == CHANCE:
        game.apply(world, CHANCE, game.roll(world, game.random(2)))
    return world


def nodes_of(player: Any) -> list[dict[str, Any]]:
    names = player._nodes.dtype.names
    places = {int(place) for place in player._slots if place}
    return [{"place": place} | {name: player._nodes[name][place].item() for name in names} for place in sorted(places)]


@pytest.mark.parametrize("id", EVERY_GAME)
def test_threads_grow_one_tree(id: str) -> None:
    """Nodes are in their slots, below nodes that are in theirs, and visits are those of all rounds, or nearly."""
    game: Any = load(id, "compiled")
    world = start(game)
    player: Any = make("mcts:simulations=3001,threads=3", game, seed=5)
    for _ in range(2):  # the second time in used room
        seat = game.turn(world)
        assert game.check(world, seat, player.choose(game.view(world, seat))) is None
        nodes = nodes_of(player)
        by_place = {node["place"]: node for node in nodes}
        assert len(nodes) > 100
        assert all(player._slots[node["slot"]] == node["place"] for node in nodes)
        lost = [node for node in nodes if node["parent"] and node["parent"] not in by_place]
        assert len(lost) <= len(nodes) // 100  # two wrote one slot
        assert all(0 <= node["value"] <= 1.25 * node["visits"] + 3 for node in nodes)  # two added to one number
        rounds = [int(room.tree["rounds"][0]) for room in player._rooms]
        proven = player._nodes["proven"][0] != 0
        assert proven or rounds == [1001, 1000, 1000]
        assert player.info.nodes == sum(rounds)
        tried = sum(node["visits"] for node in nodes if node["parent"] == 0)
        assert sum(rounds) * 0.8 <= tried <= sum(rounds)  # two that count at once may count as one


@pytest.mark.parametrize("gear", ["interpreted", "compiled", "checked"])
def test_nodes_that_another_thread_is_making_prove_nothing(gear: Any) -> None:
    """They are in their slots and have no visit yet: it looks as if nothing were left to try, and nothing were good."""
    game: Any = load("connect_four", gear)
    world, rooms = game.new(), game.gear
    tree, nodes, slots = rooms.rows(mcts.Tree, 1), rooms.rows(mcts.Node, 20), rooms.ints(64)
    out, random = rooms.ints(game.rules.MAX_LEGAL), game.random(1)
    grow, find, select = (rooms.bind(each) for each in (mcts.grow, mcts.find, mcts.select))
    legal = game.legal(world)
    out[: len(legal)] = legal
    for action in legal:
        grow(tree[0], nodes, slots, find(nodes, slots, 0, action), 0, 0, action, 0)
    write(game, tree, "threads", 2)
    chosen = select(world.terms[0], world.rows[0], 0, tree[0], nodes, slots, 0, out, len(legal), random[0])
    assert 0 <= chosen < len(legal)
    assert read(game, nodes, 0, "proven") == 0


def test_a_tree_that_is_full_takes_no_node_of_another_thread() -> None:
    game: Any = load("connect_four", "compiled")
    world = game.new()
    player: Any = make("mcts:simulations=40,threads=3", game)
    player._most = 5000  # far more rounds than there are nodes
    player.choose(game.view(world, 0))
    used = [int(room.tree["used"][0]) for room in player._rooms]
    assert sum(used) <= len(player._nodes) - 1
    assert max(used) >= (len(player._nodes) - 1) // 3


@pytest.mark.parametrize("gear", ["interpreted", "compiled"])
def test_a_win_that_one_thread_proves_ends_the_thought_of_all(gear: Any) -> None:
    """No other budget would end it within a day."""
    game = load("connect_four", gear)
    world = game.new(position="7/7/7/7/rrr4/yyy4")
    player = make("mcts:time=3600,threads=2", game)
    assert game.text(world, 0, player.choose(game.view(world, 0))) == "d"
    assert player.info.proven and player.info.seconds < 3600


def test_a_thought_of_threads_is_cancelled_and_told() -> None:
    game: Any = load("khet", "compiled")
    world = game.new()
    player = make("mcts:simulations=1000000000,threads=2", game)
    told: list[Any] = []

    def listen(info: Any) -> None:
        told.append(info)
        player.cancel()

    player.report = listen
    assert game.check(world, 0, player.choose(game.view(world, 0))) is None
    assert told and told[-1].nodes >= told[0].nodes > 0 and told[-1].line


@pytest.mark.parametrize("spec", ["mcts:time=30,threads=2", "alphabeta:time=30,threads=2"])
def test_what_fails_in_a_helper_fails_in_the_choice(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And ends it at once."""
    game: Any = load("khet", "compiled")
    player: Any = make(spec, game)
    think = player._search

    def fails(*given: Any) -> Any:
        if current_thread() is main_thread():
            return think(*given)
        raise ValueError("of the helper")

    monkeypatch.setattr(player, "_search", fails)
    with pytest.raises(ValueError, match="of the helper"):
        player.choose(game.view(game.new(), 0))
    monkeypatch.undo()
    player.most_seconds = 0.01
    assert game.check(game.new(), 0, player.choose(game.view(game.new(), 0))) is None


def test_more_threads_than_simulations_are_not_started() -> None:
    game: Any = load("khet", "compiled")
    player: Any = make("mcts:simulations=3,threads=8", game)
    player.choose(game.view(game.new(), 0))
    assert player.info.nodes == 3 and len(player._rooms) == 3


def test_levels_think_in_one_thread() -> None:
    assert not any("threads" in spec for id in EVERY_GAME for spec in specs(id))


def test_threads_are_some() -> None:
    for wrong in ("0", "65", "x"):
        with pytest.raises(Refused, match="threads from 1 to 64"):
            make(f"mcts:threads={wrong}", load("khet", "interpreted"))
