"""The judgement of moves: blunders are found, good moves are not blamed, and a seat is judged by what it knew."""

from __future__ import annotations

from typing import Any

import pytest

from quincunx.core.contract import CHANCE
from quincunx.core.random import seeded
from quincunx.games import Game, Observation, World, load
from quincunx.match import Match, Played
from quincunx.players import Info
from quincunx.players.analysis import Opinion, Verdict, adviser, analyse, chance, mark_of, thinker
from test_leaks import FOG, STARTS, redraw_of, worlds_of


def judged(game: Game, start: World, played: list[tuple[int, str]], nodes: int = 300, **more: Any) -> list[Verdict]:
    player = adviser(game.card, nodes=nodes)
    return list(analyse(start, played, player, thinker(player, game), **more))


def test_a_blunder_and_what_was_better() -> None:
    """Yellow threatens four in column d; Red looks away."""
    game = load("connect_four", "interpreted")
    moves = [(n % 2, column) for n, column in enumerate("dadagad")]
    moves[5] = (1, "g")
    moves[4] = (0, "d")
    found = judged(game, game.new(), [*moves[:6], (0, "d")])
    assert [v.n for v in found] == [1, 2, 3, 4, 5, 6, 7] and [v.seat for v in found] == [0, 1, 0, 1, 0, 1, 0]
    blunder, win = found[5], found[6]
    assert (blunder.mark, blunder.action, blunder.best) == ("blunder", "g", "d") and blunder.after == 0.0
    assert (win.mark, win.best, win.before, win.after) == ("", "d", 1.0, 1.0)
    assert all(v.after == v.before for v in found if v.best == v.action)


def test_only_one_seat_is_judged_when_asked() -> None:
    game = load("connect_four", "interpreted")
    moves = [(n % 2, "abababa"[n]) for n in range(7)]
    assert [v.n for v in judged(game, game.new(), moves, nodes=20, seat=1)] == [2, 4, 6]


@pytest.mark.parametrize("id", ["garden", "chartichaud", "casus_belli", "cultist"])
def test_every_kind_of_game_is_judged_and_nothing_is_changed_by_looking(id: str) -> None:
    game = load(id, "interpreted")
    small: dict[str, Any] = {"chartichaud": {"width": 8, "height": 6}, "casus_belli": {"seats": 3}}.get(id, {})
    match = Match(game, seed=3, dice=3, **small)
    while match.length < 12 and not match.over:
        match.act(match.turn, game.legal(match.world)[-1])
    played = [(e.seat, e.action) for e in match.entries if isinstance(e, Played)]
    before = game.to_bytes(match.beginning())
    start = match.beginning()
    found = judged(game, start, played, nodes=3)
    assert game.to_bytes(start) == before
    assert [v.n for v in found] == [n for n, (seat, _) in enumerate(played, 1) if seat != CHANCE]
    assert all(0 <= v.before <= 1 and (v.after is None or 0 <= v.after <= 1) for v in found)
    assert found == judged(game, start, played, nodes=3)


@pytest.mark.parametrize("id", FOG)
def test_under_fog_the_engine_is_asked_the_same_whatever_is_hidden(id: str) -> None:
    """Worlds that differ only in what the seat may not know: every view that the engine is handed is the same."""
    game, redrawn, answers = load(id, "interpreted"), 0, 0
    for n, world in enumerate(worlds_of(game, STARTS[id][0], seed=4, every=23)):
        seat = game.turn(world)
        other = game.clone(world)
        redraw_of(id)(game.terms(other), game.state(other), seat, seeded(n))
        redrawn += game.to_bytes(other) != game.to_bytes(world)
        text = game.text(world, seat, game.legal(world, seat)[-1])
        one, two = (asked_about(game, each, seat, text) for each in (world, other))
        assert one == two and one
        answers += len(one)
    assert redrawn > 2 and answers > redrawn


def asked_about(game: Game, world: World, seat: int, text: str) -> list[bytes]:
    """What the engine is handed while it judges one move."""
    handed: list[bytes] = []

    def ask(observation: Observation) -> Opinion:
        handed.append(game.observation_to_bytes(observation))
        return Opinion(game.legal(game.imagine(observation, game.random(0)), observation.seat)[0], Info())

    list(analyse(world, [(seat, text)], "mcts", ask))
    return handed


@pytest.mark.parametrize("player, value, wanted", [
    ("mcts:time=1", 0.3, 0.3), ("mcts:time=1", None, 0.5), ("alphabeta", 0.0, 0.5), ("alphabeta", 1_000_003.0, 1.0),
    ("alphabeta", -1_000_003.0, 0.0), ("alphabeta", 400.0, 10 / 11), ("alphabeta", -400.0, 1 / 11),
    ("alphabeta", 999_999.0, 1.0),
])  # fmt: skip
def test_values_on_one_scale(player: str, value: float | None, wanted: float) -> None:
    assert chance(player, value) == pytest.approx(wanted)


@pytest.mark.parametrize("before, after, mark", [
    (0.5, 0.5, ""), (0.5, 0.45, ""), (0.5, 0.39, "mistake"), (0.6, 0.35, "blunder"), (0.2, 0.9, ""), (0.9, None, ""),
])  # fmt: skip
def test_marks(before: float, after: float | None, mark: str) -> None:
    assert mark_of(before, after) == mark
