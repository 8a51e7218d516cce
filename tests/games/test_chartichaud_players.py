"""Chartichaud's opponents of style, and the orders that playouts and ranks are made of."""

from __future__ import annotations

import pickle

import pytest

from chartichaud_scenes import GAME, both_presets, play, scene
from quincunx.core.random import seeded
from quincunx.games import World, load
from quincunx.games.chartichaud.evaluate import policy, rank
from quincunx.games.chartichaud.grid import BUILDING, CIVILIAN, MILITARY, View, count
from quincunx.games.chartichaud.opponents import OPPONENTS, Commander, Harvest, Rush, Turtle
from quincunx.games.chartichaud.rules import MAX_LEGAL, legal
from quincunx.players import make

every_style = pytest.mark.parametrize("style", OPPONENTS)


def view_of(world: World, seat: int) -> View:
    view: View = world.game.plain(View, world.game.view(world, seat).rows)
    return view


def turn_of(player: Commander, world: World) -> list[str]:
    """Plays one turn, and says it."""
    seat, played = world.game.turn(world), [""]
    while played[-1] != "end":
        action = player.choose(world.game.terms(world), view_of(world, seat), seat)
        assert world.game.check(world, seat, action) is None
        played.append(world.game.text(world, seat, action))
        world.game.apply(world, seat, action)
    return played[1:]


def contest(styles: list[str], seed: int, preset: str, turns: int) -> tuple[World, list[int]]:
    """A match, and the most soldiers that each side had."""
    game = load("chartichaud", "interpreted")
    world = game.new(preset, seed=seed, turns=turns, width=9, height=7)
    players = [OPPONENTS[style][0](seed) for style in styles]
    most = [0, 0]
    while not game.over(world):
        turn_of(players[game.turn(world)], world)
        most = [max(most[seat], count(game.state(world).forces[seat], MILITARY)) for seat in range(2)]
    return world, most


@both_presets
@every_style
def test_opponents_play_legally_in_their_style_and_repeat_themselves(style: str, preset: str) -> None:
    world, most = contest([style, "rush"], 3, preset, 60)
    again, _ = contest([style, "rush"], 3, preset, 60)
    assert GAME.position(world) == GAME.position(again)
    assert (most[0] == 0) == (style == "harvest") and most[1] > 2


@every_style
def test_opponents_are_players_by_name_with_words_in_both_languages(style: str) -> None:
    game = load("chartichaud", "interpreted")
    player = make(style, game, 1)
    assert player.name == style and game.opponents[style][1].fr != game.opponents[style][1].en
    world = game.new("telecom", seed=1)
    assert game.text(world, 0, player.choose(game.view(world, 0))).startswith("build")


def test_an_opponent_goes_on_with_its_plan_from_its_memory() -> None:
    world = GAME.new(seed=5)
    player = Rush(1)
    for _ in range(3):
        action = player.choose(GAME.terms(world), view_of(world, 0), 0)
        GAME.apply(world, 0, action)
    other = pickle.loads(pickle.dumps(player))
    assert turn_of(player, GAME.clone(world)) == turn_of(other, world)


def test_an_opponent_whose_actions_were_taken_back_does_not_repeat_what_is_no_longer_possible() -> None:
    world = scene("9x9 purse=0,0 A=0,0:1C;4,4:1C B=8,8:1C gold=0,0:5;4,4:5")
    player = Harvest(1)
    action = player.choose(GAME.terms(world), view_of(world, 0), 0)
    assert GAME.text(world, 0, action).startswith("harvest")
    poorer = scene("9x9 purse=0,0 A=0,0:1C B=8,8:1C gold=0,0:5")
    assert GAME.check(poorer, 0, player.choose(GAME.terms(poorer), view_of(poorer, 0), 0)) is None


def test_workers_flee_soldiers_and_soldiers_strike_together() -> None:
    world = scene("9x9 purse=0,0 A=4,4:1C B=4,6:1M;8,8:1C gold=4,4:9 turn=1")
    play(world, "move military 4,6 north", "end")
    assert turn_of(Harvest(1), world)[0].startswith("move civilian 4,4")
    world = scene("9x9 purse=0,0 A=3,4:1M;4,3:1M;0,0:1C B=4,4:1M;8,8:1C")
    assert set(turn_of(Rush(1), world)) >= {"move military 3,4 east", "move military 4,3 south"}
    world = scene("9x9 purse=0,0 A=3,4:1M;0,0:1C B=4,4:1M;8,8:1C")
    assert "move military 3,4 east" not in turn_of(Rush(1), world)  # the defender strikes first


def test_a_turtle_stays_with_its_people() -> None:
    world = scene("16x9 purse=0,0 A=1,1:1M1B;0,2:1C B=15,8:1C gold=0,2:60", turns=300)
    for _ in range(12):
        turn_of(Turtle(1), world)
        play(world, "end")
    guards = [c for c, word in enumerate(GAME.state(world).units[0]) if count(word, MILITARY)]
    assert all(c % 40 + c // 40 <= 4 for c in guards)


# -- orders ----------------------------------------------------------------------------------------------------------


def ranks(world: World) -> dict[str, int]:
    terms, s, seat = GAME.terms(world), GAME.state(world), GAME.turn(world)
    return {GAME.text(world, seat, action): rank(terms, s, seat, action) for action in GAME.legal(world, seat)}


def test_who_is_in_danger_flees_before_it_harvests() -> None:
    found = ranks(scene("9x9 purse=0,0 A=4,4:1C;0,0:1C B=4,5:1M;8,8:1C gold=4,4:9;0,0:5"))
    assert found["harvest 0,0"] > found["move civilian 4,4 north"] > found["harvest 4,4"]
    assert found["move civilian 4,4 south"] == 0
    guarded = ranks(scene("9x9 purse=0,0 A=4,4:1C1M;0,0:1C B=4,5:1M;8,8:1C gold=4,4:9"))
    assert guarded["harvest 4,4"] == found["harvest 0,0"]


def test_soldiers_strike_with_all_who_can_be_there_and_never_alone_against_as_many() -> None:
    together = ranks(scene("9x9 purse=0,0 A=3,4:1M;4,3:1M;0,0:1C B=4,4:1M;8,8:1C"))
    assert together["move military 3,4 east"] == together["move military 4,3 south"] > 800
    alone = ranks(scene("9x9 purse=0,0 A=3,4:1M;0,0:1C B=4,4:1M;8,8:1C"))
    assert alone["move military 3,4 east"] == 0


def test_soldiers_hunt_whom_they_beat_in_sight_rather_than_whom_they_do_not() -> None:
    found = ranks(scene("16x9 purse=0,0 A=4,4:1M;0,0:1C B=4,6:2M;6,4:1C;15,8:1C"))
    assert found["move military 4,4 east"] > 400 > found["move military 4,4 south"]


def test_without_anybody_in_sight_soldiers_go_to_the_corner_of_the_enemy_in_every_imagined_world() -> None:
    world = scene("16x9 turn=20 points=10,10 purse=0,0 A=2,4:1M;0,0:1C B=15,8:2C", turns=300)
    view, random = GAME.view(world, 0), GAME.random(1)
    for _ in range(20):
        found = ranks(GAME.imagine(view, random))
        assert max((text for text in found if "military" in text), key=lambda text: found[text]).endswith("east")


def test_two_civilians_do_not_walk_to_the_same_gold() -> None:
    found = ranks(scene("16x9 purse=0,0 A=1,0:1C;2,0:1C B=15,8:1C gold=4,0:9;1,2:9"))
    assert found["move civilian 2,0 east"] == found["move civilian 1,0 south"] == 500
    assert found["move civilian 1,0 east"] < 400


def test_soldiers_are_made_when_more_of_them_are_in_sight() -> None:
    quiet = ranks(scene("16x9 purse=20,0 A=1,1:1B;0,0:2C B=15,8:1C gold=5,5:50;6,6:50", turns=300))
    assert quiet["recruit civilian 1,1"] > 400 > quiet["recruit military 1,1"]
    alarmed = ranks(scene("16x9 purse=20,0 A=1,1:1B;0,0:2C B=3,1:1M;15,8:1C gold=5,5:50;6,6:50", turns=300))
    assert alarmed["recruit military 1,1"] > 400 > alarmed["recruit civilian 1,1"]


def test_a_second_building_on_a_cell_is_not_wanted_where_it_would_collapse() -> None:
    text = "16x9 purse=90,0 A=1,1:1C1B;5,5:1C B=15,8:1C gold=5,5:50"
    allowed, single = ranks(scene(text, turns=300)), ranks(scene(text, "telecom"))
    assert allowed["build 1,1"] == allowed["build 5,5"] == single["build 5,5"] > single["build 1,1"]


def test_a_playout_takes_what_the_ranks_call_useful() -> None:
    world = GAME.new("telecom", seed=8)
    terms, s, out, random = GAME.terms(world), GAME.state(world), [0] * MAX_LEGAL, seeded(2)
    for _ in range(150):
        seat = GAME.turn(world)
        n = legal(terms, s, seat, out)
        chosen = out[policy(terms, s, seat, out, n, random)]
        useful = [action for action in out[:n] if rank(terms, s, seat, action) >= 400]
        assert chosen in useful if useful else chosen == 0
        GAME.apply(world, seat, chosen)
        s = GAME.state(world)
    assert count(s.forces[0], BUILDING) == 1 and count(s.forces[0], CIVILIAN) > 3
