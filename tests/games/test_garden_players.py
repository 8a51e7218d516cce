"""Garden Tensions at war in all gears; what search knows of it; the two reference opponents."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.gardens import PAIRS, at_war, every_pair, game, garden, play, step
from quincunx.core import hints
from quincunx.core.contract import CHANCE
from quincunx.core.random import seeded
from quincunx.games import World
from quincunx.games.garden.evaluate import evaluate, policy, rank
from quincunx.games.garden.opponents import Gardener, HeuristicGardener, RandomGardener
from quincunx.games.garden.rules import MAX_LEGAL, legal
from quincunx.search.walk import playout


@every_pair
@pytest.mark.parametrize("more", [{}, {"attack_dice": "moving", "grill_range": "any", "humans": True}], ids=str)
def test_the_gears_agree_at_war(clans: tuple[str, str], more: dict[str, Any]) -> None:
    for seed in range(3):
        worlds = [at_war(seed, clans, gear, **more) for gear in ("interpreted", "compiled", "checked")]
        random, choice = game.random(seed), seeded(seed)
        for _ in range(100):
            slow = worlds[0]
            if game.over(slow):
                break
            legal_now = game.legal(slow)
            seat, action = step(slow, random, choice)
            near = [action ^ 1 << bit for bit in range(0, 40, 3)]
            told = game.apply_and_log(game.clone(slow), seat, action, 0)
            for world in worlds[1:]:
                one = world.game
                assert one.legal(world) == legal_now
                assert [one.check(world, seat, a) for a in near] == [game.check(slow, seat, a) for a in near]
                assert one.apply_and_log(one.clone(world), seat, action, 0) == told
            for world in worlds:
                world.game.apply(world, seat, action)
            assert len({world.game.digest(world) for world in worlds}) == 1
            assert len({world.game.key(world) for world in worlds}) == 1


@every_pair
def test_at_war_one_outcome_is_one_state(clans: tuple[str, str]) -> None:
    outcomes = 0
    for seed in range(8):
        world = at_war(seed, clans, humans=True)
        random, choice = game.random(seed), seeded(seed)
        for _ in range(60):
            if game.over(world):
                break
            if game.turn(world) == CHANCE:
                after: dict[int, str] = {}
                for dice in [game.roll(world, random) for _ in range(12)]:
                    assert game.check(world, CHANCE, dice) is None
                    clone = game.clone(world)
                    game.apply(clone, CHANCE, dice)
                    assert after.setdefault(game.chance_outcome(world, dice), game.digest(clone)) == game.digest(clone)
                outcomes += len(after)
            game.apply(world, *step(world, random, choice))
    assert outcomes > 40


def test_the_key_sees_all_that_decides() -> None:
    text = game.position(garden("c1=A3 c2=B2 c7=B1", a="stock=1"))
    changes = [
        ("A", "A"),
        ("=A3", "=A4"), ("=A3", "=A3p1"), ("=A3", "=A3h"), ("=A3", "=A3i1"), ("=A3", "=A3f1"), ("=B2", "=A2"),
        ("stock=1", "stock=2"), ("points=0", "points=1"), ("food=0", "food=1"), ("turn=0", "turn=2"),
        ("player=A", "player=B"), ("conquest", "reinforcement"), ("used=-", "used=pool"),
        ("dice=-", "dice=fight:c1-c2"),
    ]  # fmt: skip
    keys = {game.key(game.new(position=text.replace(*change, 1))) for change in changes}
    assert len(keys) == len(changes)


def test_a_run_out_clock_ends_and_fills_the_emptiest_cell() -> None:
    world = garden("c1=A4 c2=A2 d2=A2 c7=B1", a="stock=3")
    for text in ("end", "c2+3", "d2+2"):
        action = game.fallback(world, 0)
        assert action is not None and game.text(world, 0, action) == text
        play(world, text)
    assert game.turn(world) == 1


def test_the_evaluation_is_even_handed_and_prefers_what_is_better() -> None:
    for seed in range(5):
        world = at_war(seed, PAIRS[0])
        terms, s = game.terms(world), game.state(world)
        assert evaluate(terms, s, 0) == -evaluate(terms, s, 1)
        assert -10_000 < evaluate(terms, s, 0) < 10_000

    def value(cells: str, **more: Any) -> int:
        world = garden(cells, **more)
        return evaluate(game.terms(world), game.state(world), 0)

    assert value("c1=A3 c2=A1 c7=B3") > value("c1=A3 c7=B3") == 0 > value("c1=A3 c7=B4")
    assert value("c1=A3 c2=B3 c7=B1") < value("c1=A3f1 c2=B3 c7=B1")
    borders = [f"c1=A{n} c2=B5 c7=B1" for n in (2, 5)]
    fights = [value(border, turn="dice=fight:c1-c2") - value(border) for border in borders]
    assert fights[0] < 0 < fights[1]  # 0.6 % against 46 %


@every_pair
def test_what_search_asks_is_the_same_in_all_gears(clans: tuple[str, str]) -> None:
    """Guided games, of which every choice asks for ranks, and the evaluation of where they end."""
    for seed in range(4):
        ends = []
        for gear in ("interpreted", "compiled", "checked"):
            world = at_war(seed, clans, gear)
            one, room = world.game, world.game.gear
            walk, judge = room.bind(playout), room.bind(hints.evaluate)
            out, random = room.ints(MAX_LEGAL), one.random(seed)
            steps = walk(world.terms[0], world.rows[0], 60, True, random[0], out, one.log(0, silent=True)[0])
            values = [judge(world.terms[0], world.rows[0], seat) for seat in range(2)]
            ends.append((steps, one.digest(world), values))
        assert ends[0] == ends[1] == ends[2]


def test_playouts_prefer_likely_victories() -> None:
    world = garden("c1=A5 c2=B1 c4=A2 c5=B5 c7=B1", a="wood=3")
    terms, s = game.terms(world), game.state(world)
    easy, hopeless = (rank(terms, s, 0, game.parse(world, 0, text)) for text in ("c1-c2", "c4-c5"))
    assert easy > 500 > hopeless
    out = [0] * MAX_LEGAL
    n = legal(terms, s, 0, out)
    random = seeded(1)
    played = Counter(game.text(world, 0, out[policy(terms, s, 0, out, n, random)]) for _ in range(400))
    assert played["c1-c2"] > 400 / n > played["c4-c5"]


def contest(seed: int, players: list[Gardener]) -> list[int]:
    world = game.new(seed=seed)
    random = game.random(seed)
    while not game.over(world):
        seat = game.turn(world)
        if seat == CHANCE:
            action = game.roll(world, random)
        else:
            action = players[seat].choose(game.terms(world), game.state(world), seat)
            assert game.check(world, seat, action) is None
            assert " " not in game.text(world, seat, action)  # no powers, no abilities
        game.apply(world, seat, action)
    return game.scores(world)


def test_the_opponents_finish_their_games_and_repeat_themselves() -> None:
    for seed in range(3):
        first = contest(seed, [HeuristicGardener(seed), RandomGardener(seed)])
        assert contest(seed, [HeuristicGardener(seed), RandomGardener(seed)]) == first


def turn_of(player: Gardener, world: World) -> list[str]:
    """The actions of one turn, every attack lost."""
    seat, turns, played = game.turn(world), game.state(world).turns, []
    while game.state(world).turns == turns and not game.over(world):
        if game.turn(world) == CHANCE:
            s = game.state(world)
            play(world, "1" * s.crowd[s.source] + "/" + "6" * s.crowd[s.target])
            continue
        action = player.choose(game.terms(world), game.state(world), seat)
        played.append(game.text(world, seat, action))
        play(world, played[-1])
    return played


def test_the_random_opponent_plays_at_most_five_moves_then_places_all() -> None:
    moves: Counter[int] = Counter()
    for seed in range(60):
        world = garden("a1=A5 a4=A5 c1=A5 c4=A5 e2=A5 d6=B1 e5=B1", a="stock=1")
        played = turn_of(RandomGardener(seed), world)
        moves[played.index("end")] += 1
        assert all("-" in text for text in played[: played.index("end")])
        assert all("+1" in text for text in played[played.index("end") + 1 :]) and game.state(world).stock[0] == 0
    assert set(moves) <= {1, 2, 3, 4, 5} and len(moves) >= 3  # of five moves and three placements five are kept


def test_the_heuristic_opponent_sends_the_most_against_the_weakest() -> None:
    cells = "c1=A3 b1=B1 c2=B2 e4=A5 e5=B4 d4=B3 d5=B3 a5=A2"
    for seed in range(20):
        played = turn_of(HeuristicGardener(seed), garden(cells))
        assert played[0] == "e4-d5" and played[1] == "c1-b1"  # d4, as weak as d5, cannot be paid
        assert played[2][:2] == "a5" and played[3] == "end"  # nobody left to attack: an empty cell
    assert {turn_of(HeuristicGardener(seed), garden(cells))[2] for seed in range(20)} == {"a5-a4", "a5-b5", "a5-b6"}


def test_a_gardener_without_a_move_ends() -> None:
    for player in (RandomGardener(1), HeuristicGardener(1)):
        world = garden("c1=A1 c7=B1")
        assert turn_of(player, world)[0] == "end" and game.turn(world) == 1
