"""Every game in Node against machine code, position by position: rules, stories, alpha-beta, every node of a tree."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cases import Case, cases_of, long_journey, travel
from quincunx.core import by_row, contract
from quincunx.core.contract import CHANCE, NOBODY, PUBLIC
from quincunx.games import Game, World, cards, load
from quincunx.players.alphabeta import AlphaBetaPlayer
from quincunx.players.budget import Budget
from quincunx.players.mcts import MctsPlayer
from quincunx.players.player import silent
from quincunx.players.portable import portable
from quincunx.search import walk
from wasm_node import ask, packed, write

pytestmark = pytest.mark.slow  # left out of `make check`

POSITIONS, THINK_EVERY = 100, 4  # of each game; those that searches are tried on
LONGEST = 120  # actions before a position
NODES, SIMULATIONS, PLAYOUTS, DEPTH = 4000, 100, 2, 2
OBSERVERS = [0, 1, PUBLIC]
ACTIONS = [0, 1, 7, 12345, 1 << 31, 1 << 40, (1 << 63) - 1]  # most are refused, each for its reason
EVERY_GAME = [card.id for card in cards()]


def position(case: Case, k: int) -> World:
    """Somewhere in a random game, its start and its end included."""
    whole = sum(1 for _ in travel(case.start("compiled", seed=k), long_journey(k, LONGEST), k))
    world = case.start("compiled", seed=k)
    for _ in travel(world, long_journey(k, Random(k).randint(0, whole)), k):
        pass
    return world


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


class Native:
    """What machine code makes of positions, in the words of wasm.mjs."""

    def __init__(self, game: Game) -> None:
        self.game: Any = game
        self.check, self.fallback = game.gear.bind(by_row.check_at), game.gear.bind(by_row.fallback_at)
        self.games, self.perft = game.gear.bind(walk.random_games), game.gear.bind(walk.perft)
        self.simulating: Any = MctsPlayer(game, 1, Budget(simulations=SIMULATIONS))
        self.searching: Any = AlphaBetaPlayer(game, 1, Budget(nodes=NODES), table=1) if game.card.open else None

    def told(self, world: World, action: int | None, thinks: bool) -> dict[str, Any]:
        game, seat, rows = self.game, self.game.turn(world), (world.terms, world.rows, 0)
        told = {"turn": seat, "key": str(game.key(world)), "scores": [str(score) for score in game.scores(world)]}
        told["views"] = [digest(game.view(world, observer).rows.tobytes()) for observer in OBSERVERS]
        if seat == CHANCE:
            told |= {"roll": str(game.roll(world, game.random(1))), "outcome": str(game.chance_outcome(world, action))}
        elif seat != NOBODY:
            told |= {"legal": [str(a) for a in game.legal(world, seat)], "asked": game.to_act(world, seat)}
            told["fallback"] = str(self.fallback(*rows, seat))
            told["refusals"] = [self.check(*rows, seat, other) for other in ACTIONS]
        if action is not None:
            told |= self.acted(world, seat, action)
        return {**told, **self.thought(world, seat)} if thinks and seat >= 0 else told

    def acted(self, world: World, seat: int, action: int) -> dict[str, Any]:
        stories = []
        for observer in OBSERVERS:
            after = self.game.clone(world)
            stories.append([str(event) for event in self.game.apply_and_log(after, seat, action, observer)])
        silent = self.game.clone(world)
        self.game.apply(silent, seat, action)
        digests = {"after": digest(after.rows.tobytes()), "silently": digest(silent.rows.tobytes())}
        return {"refusal": self.check(world.terms, world.rows, 0, seat, action), "stories": stories, **digests}

    def thought(self, world: World, seat: int) -> dict[str, Any]:
        game, player, gear = self.game, self.simulating, self.game.gear
        outlook = game.view(world, seat)
        player.begin(1)
        chosen, tree = str(player.choose(outlook)), player._tree[0]
        nodes = digest(player._nodes[: tree["used"] + 1].tobytes())
        player.report = lambda info: None  # somebody listens: lines are worked out
        info, player.report = player._told(outlook, int(chosen)), silent
        lines = [list(info.line)]
        told: dict[str, Any] = {"lines": lines, "value": info.value}
        told["mcts"] = [chosen, chosen, int(tree["rounds"]), nodes]
        out, log, state = gear.ints(game.rules.MAX_LEGAL), game.log(NOBODY, silent=True), gear.rows(contract.State, 1)
        played = self.games(world.terms, world.rows, PLAYOUTS, 200, game.random(1), state, out, log)
        told["played"] = [str(played), digest(state.tobytes())]
        if self.searching is None:
            return told
        self.searching.begin(1)
        chosen, info = str(self.searching.choose(outlook)), self.searching.info
        lines.append(list(self.searching._line(world, int(chosen), info.depth)))
        stack, moves = gear.rows(contract.State, DEPTH + 1), gear.grid(DEPTH + 1, game.rules.MAX_LEGAL)
        stack[0] = game.clone(world).rows[0]
        leaves = self.perft(world.terms[0], stack, moves, log[0], DEPTH, 0)
        return {**told, "alphabeta": [chosen, info.nodes, info.depth, info.value], "perft": str(leaves)}


def positions(id: str, many: int) -> tuple[dict[str, Any], list[dict[str, Any]], list[World]]:
    """For WebAssembly, what is right, and where."""
    game: Any = load(id, "compiled")
    native, cases = Native(game), list(cases_of(id))
    asked, right, worlds = [], [], []
    for k in range(many):
        world, thinks = position(cases[k % len(cases)], k), k % THINK_EVERY == 0
        legal = [game.roll(world, game.random(k))] if game.turn(world) == CHANCE else game.legal(world)
        action = legal[k % len(legal)] if legal else None
        asked.append({"bytes": packed(game.to_bytes(world)), "action": packed(action), "thinks": thinks})
        right.append(native.told(world, action, thinks))
        worlds.append(world)
    numbers = {"nodes": NODES, "simulations": SIMULATIONS, "games": PLAYOUTS, "depth": DEPTH, "observers": OBSERVERS}
    return {**numbers, "actions": [str(n) for n in ACTIONS], "positions": asked}, right, worlds


def in_words(world: World, line: list[tuple[int, str]]) -> list[str]:
    """A line of numbers: each is played, and only the dice go without saying."""
    game, world, texts = world.game, world.game.clone(world), []
    for seat, number in line:
        texts += [] if seat == CHANCE else [game.text(world, seat, int(number))]
        game.apply(world, seat, int(number))
    return texts


def compare(id: str, came: list[dict[str, Any]], right: list[dict[str, Any]], worlds: list[World]) -> None:
    for k, (there, here) in enumerate(zip(came, right, strict=True)):
        if "lines" in there and worlds[k].game.card.open:
            there["lines"] = [in_words(worlds[k], line) for line in there["lines"]]
        elif "lines" in there:  # on a world that was imagined: another one
            there["lines"] = here["lines"]
        wrong = {n: (there.get(n), here.get(n)) for n in {*there, *here} if there.get(n) != here.get(n)}
        assert not wrong, f"{id}, position {k}: {wrong}"


@pytest.mark.parametrize("id", EVERY_GAME)
def test_a_game_is_the_same_in_webassembly(id: str, tmp_path: Path) -> None:
    write(portable(id), tmp_path, id)
    asked, right, worlds = positions(id, POSITIONS)
    assert sum("mcts" in told for told in right) >= POSITIONS // THINK_EVERY // 3
    compare(id, ask(tmp_path, id, asked)["came"], right, worlds)
    if load(id, "interpreted").card.open:
        assert sum(len(line) > 2 for told in right for line in told.get("lines", ())) >= 5


@pytest.mark.parametrize("open", [True, False])
def test_threads_share_a_memory_and_one_ends_the_thought_of_another(open: bool, tmp_path: Path) -> None:
    """The other one searches without a budget, and would not come back but for the flag."""
    id = next(card.id for card in cards() if card.open == open)
    write(portable(id, shared=True), tmp_path, id)
    game = load(id, "compiled")
    world = game.new(seed=1)
    while game.turn(world) == CHANCE:
        game.apply(world, CHANCE, game.roll(world, game.random(1)))
    asked, right, worlds = positions(id, 12)
    came = ask(tmp_path, id, {**asked, "bytes": packed(game.to_bytes(world))})
    assert game.check(world, game.turn(world), int(came["there"])) is None
    compare(id, came["own"], right, worlds)


@pytest.mark.parametrize("open", [True, False])
def test_a_thought_ends_itself_by_the_clock(open: bool, tmp_path: Path) -> None:
    """One thread, no other budget: it would not come back without the clock, and does not before it is time."""
    id = next(card.id for card in cards() if card.open == open and card.id != "connect_four")  # that is soon solved
    write(portable(id), tmp_path, id)
    game = load(id, "compiled")
    world = game.new(seed=1)
    while game.turn(world) == CHANCE:
        game.apply(world, CHANCE, game.roll(world, game.random(1)))
    came = ask(tmp_path, id, {"time": 20, "world": packed(game.to_bytes(world))})
    assert len(came) == 1 + open
    for action, passed in came:
        assert game.check(world, game.turn(world), int(action)) is None
        assert passed >= 20
