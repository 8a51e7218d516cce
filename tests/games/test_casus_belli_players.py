"""Casus Belli's opponents of style, the posts of a team, and what ranks and guesses make of hotspots."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from casus_scene import GAME, Scene, field
from quincunx.core.structure import ints
from quincunx.games import World, load
from quincunx.games.casus_belli.evaluate import FACED, W_PERIL, W_WOUND, WEIGHT, evaluate, rank
from quincunx.games.casus_belli.field import SEAL, State, View
from quincunx.games.casus_belli.notation import cell_at, cell_name
from quincunx.games.casus_belli.opponents import OPPONENTS, Captain, Harvest, Rush, Turtle
from quincunx.games.casus_belli.peril import menace
from quincunx.games.casus_belli.posts import assign_posts
from quincunx.players import make

FAST = load("casus_belli", "compiled")
every_style = pytest.mark.parametrize("style", OPPONENTS)


def view_of(world: World, seat: int) -> View:
    view: View = world.game.plain(View, world.game.view(world, seat).rows)
    return view


def turn_of(player: Captain, world: World, seat: int) -> list[str]:
    """The orders of one turn, in writing."""
    said = [""]
    while said[-1] != "seal":
        action = player.choose(world.game.terms(world), view_of(world, seat), seat)
        assert world.game.check(world, seat, action) is None
        said.append(world.game.text(world, seat, action))
        if action == SEAL:
            break
        world.game.apply(world, seat, action)
    world.game.apply(world, seat, SEAL)
    return said[1:]


def contest(styles: list[str], seed: int, preset: str, setup: str | None) -> World:
    chosen: dict[str, Any] = {} if setup else {"width": 13, "height": 13, "placement": 2, "turns": 21}
    world = GAME.new(preset, seed=seed, setup=setup, seats=len(styles), **chosen)
    players = [OPPONENTS[style][0](seed + k) for k, style in enumerate(styles)]
    while not GAME.over(world):
        turn_of(players[GAME.turn(world)], world, GAME.turn(world))
    return world


@every_style
@pytest.mark.parametrize(("preset", "setup"), [("seed", None), ("final", "pit"), ("seed", "pit")])
def test_opponents_order_legally_and_repeat_themselves(style: str, preset: str, setup: str | None) -> None:
    others = [style, "rush", "harvest"]
    assert GAME.position(contest(others, 3, preset, setup)) == GAME.position(contest(others, 3, preset, setup))


@every_style
def test_opponents_are_players_by_name_with_words_in_both_languages(style: str) -> None:
    player = make(style, GAME, 1)
    assert player.name == style and GAME.opponents[style][1].fr != GAME.opponents[style][1].en
    world = GAME.new(seed=1, seats=4)
    assert GAME.text(world, 2, player.choose(GAME.view(world, 2))).startswith(("thief path", "thief face"))


def test_no_two_matches_need_be_alike() -> None:
    assert len({(Rush(seed).close, Rush(seed).shout) for seed in range(40)}) > 6
    assert {Harvest(seed).hunters for seed in range(40)} == {0, 1}


def test_an_opponent_goes_on_with_its_plan_from_its_memory() -> None:
    world = GAME.new(seed=5, seats=2)
    player = Rush(1)
    GAME.apply(world, 0, player.choose(GAME.terms(world), view_of(world, 0), 0))
    other = pickle.loads(pickle.dumps(player))
    assert turn_of(player, GAME.clone(world), 0) == turn_of(other, world, 0)


def test_they_strike_together_whom_that_kills_and_no_friend() -> None:
    scene = Scene(field(9, 9)).put(0, "thief", "4,5", "N").put(0, "barbarian", "4,7", "N").put(0, "elf", "3,6", "N")
    scene.put(1, "elf", "4,4", "S", health=7).put(1, "thief", "6,4", "S")
    said = turn_of(Rush(1), scene.world, 0)
    assert {"thief attack 4,4", "elf attack 4,4"} <= set(said)
    turn_of(Turtle(1), scene.world, 1)
    assert scene.points()[0] >= 1 and scene.health(0, "thief") > 0


def test_a_harvest_holds_hotspots_and_a_turtle_stays_on_one() -> None:
    world = contest(["harvest", "turtle"], 6, "seed", "pit")
    assert GAME.scores(world)[0] > 0
    held = Scene("H.......H\n.........\n.........\nH.......H")
    for role, at in (("thief", "1,1"), ("barbarian", "7,1"), ("elf", "1,2")):
        held.put(0, role, at)
    turn_of(Harvest(1), held.world, 0)
    held.play()
    assert {held.at(0, role) for role in ("thief", "barbarian", "elf")} == {"0,0", "8,0", "0,3"}


# -- what search makes of hotspots -----------------------------------------------------------------------------------


def posts_of(scene: Scene, seat: int) -> list[str]:
    posts = ints(3)
    assign_posts(scene.terms, scene.s, seat, posts)
    return [cell_name(scene.terms, post) if post >= 0 else "-" for post in posts]


def test_every_unit_has_a_post_of_its_own_the_nearest_pairs_first() -> None:
    scene = Scene("H.......H\n.........\n.........\nHH......F")
    scene.put(0, "thief", "1,0").put(0, "barbarian", "2,0").put(0, "elf", "3,3")
    assert posts_of(scene, 0) == ["0,0", "8,0", "1,3"]
    assert posts_of(Scene("....\n...H").put(0, "elf", "0,0").put(0, "thief", "3,0"), 0)[0] == "3,1"
    assert posts_of(Scene("....", hotspots=False), 0) == ["-", "-", "-"]


def test_a_unit_that_was_sent_to_a_post_has_it_and_the_others_look_elsewhere() -> None:
    scene = Scene("H.......H\n.........").put(0, "thief", "3,0").put(0, "elf", "2,0").put(0, "barbarian", "8,1")
    assert posts_of(scene, 0) == ["-", "8,0", "0,0"]
    scene.order(0, "thief path WWW")
    assert posts_of(scene, 0) == ["0,0", "8,0", "-"]


def test_many_hotspots_and_cells_that_are_cut_off() -> None:
    row = "H." * 30
    scene = Scene("\n".join([row, "." * 60, row, "#" * 60, "F" * 60])).put(0, "elf", "58,1").put(0, "thief", "17,1")
    assert posts_of(scene, 0)[2] in {"58,0", "58,2"} and posts_of(scene, 0)[0] in {"16,0", "18,0", "16,2", "18,2"}


def ranks(scene: Scene, seat: int, *orders: str) -> list[int]:
    return [rank(scene.terms, scene.s, seat, GAME.parse(scene.world, seat, order)) for order in orders]


def test_attacks_that_kill_together_rank_like_a_kill() -> None:
    scene = Scene(field(9, 9)).put(0, "thief", "4,5", "N").put(0, "barbarian", "4,7", "N").put(0, "elf", "3,8", "N")
    scene.put(1, "elf", "4,4", "S", health=7).put(1, "thief", "5,4", "S", health=7)
    before, other = ranks(scene, 0, "elf attack 4,4", "elf attack 5,4")
    assert before == other
    scene.order(0, "thief attack 4,4")
    after, other = ranks(scene, 0, "elf attack 4,4", "elf attack 5,4")
    assert after > before == other
    scene.order(0, "barbarian attack 4,3")
    assert ranks(scene, 0, "elf attack 4,4")[0] < other  # nothing is left of it


def test_on_its_post_a_unit_stays_and_far_from_it_it_goes_there() -> None:
    scene = Scene("H.......H\n.........\n.........\nH.......H")
    scene.put(0, "elf", "0,3").put(0, "thief", "3,0").put(0, "barbarian", "8,1")
    stay, leave = ranks(scene, 0, "elf face N", "elf path E face N")
    go, away = ranks(scene, 0, "thief path WWW", "thief path EE")
    assert stay > leave and go > away


def test_who_holds_a_hotspot_out_of_sight_stands_on_it_in_every_guess_and_may_be_shot_at() -> None:
    scene = Scene("H........\n.........\n.........\n........H", placement_counts=True)
    scene.put(0, "elf", "8,3", "S").put(0, "thief", "7,3", "S").put(0, "barbarian", "6,3", "S").put(1, "thief", "0,0")
    scene.s.turn = 5
    for _ in range(1):
        scene.play()
    assert scene.s.holder[0] == 2
    random = GAME.random(1)
    for _ in range(20):
        guess: State = GAME.state(GAME.imagine(GAME.view(scene.world, 0), random))
        assert cell_at(scene.terms, "0,0") in guess.cell[3:6]
    held, idle = ranks(scene, 0, "elf loto 0,0", "elf loto 1,0")
    assert held > idle


def test_guesses_put_a_holder_on_its_hotspot_and_keep_the_view() -> None:
    """Where two hold something: what is imagined looks as what was seen."""
    world, random = FAST.new(setup="castle", seats=2), FAST.random(4)
    players = [Harvest(k) for k in range(2)]
    while FAST.state(world).turn < 9:
        turn_of(players[FAST.turn(world)], world, FAST.turn(world))
    assert any(FAST.state(world).holder)
    for seat in range(2):
        seen = FAST.view(world, seat)
        imagined = FAST.imagine(seen, random)
        assert FAST.plain(View, FAST.view(imagined, seat).rows) == FAST.plain(View, seen.rows)


def test_a_unit_looks_at_the_enemy_whom_it_heeds() -> None:
    scene = Scene(field(9, 9), hotspots=False).put(0, "elf", "4,6", "N").put(0, "thief", "0,8").put(1, "thief", "4,4")
    north, east, south = ranks(scene, 0, "elf face N", "elf face E", "elf face S")
    assert north >= east + FACED and north >= south + FACED


# -- who may be killed next turn --------------------------------------------------------------------------------------


def worth(scene: Scene, seat: int) -> int:
    return evaluate(scene.terms, scene.s, seat)


def test_what_enemies_can_take_before_anybody_moves() -> None:
    scene = Scene(field(13, 13)).put(0, "elf", "6,6").put(0, "thief", "0,0").put(1, "thief", "6,7", "S")
    assert menace(scene.terms, scene.s, 2) == 5
    scene.put(1, "thief", "6,7", "N")  # who sees for the elf, wherever she is
    assert menace(scene.terms, scene.s, 2) == 7
    scene.put(1, "barbarian", "6,9", "N")
    assert menace(scene.terms, scene.s, 2) == 10 and menace(scene.terms, scene.s, 0) == 0
    scene.put(1, "thief", "6,6", "S")  # treachery, while it is ready
    assert menace(scene.terms, scene.s, 2) > 10
    scene.s.cooldown[2 * 3 + 1] = 2
    assert menace(scene.terms, scene.s, 2) == 10


def test_two_teams_do_not_strike_together() -> None:
    scene = Scene(field(13, 13), seats=3).put(0, "elf", "6,6").put(1, "thief", "6,7", "S")
    scene.put(2, "barbarian", "6,11", "S")
    assert menace(scene.terms, scene.s, 2) == 5


def test_a_unit_that_may_be_killed_counts_and_a_threat_of_one_s_own_does_not() -> None:
    weak, strong = (
        Scene(field(13, 13), hotspots=False).put(0, "elf", "6,6", health=h).put(1, "thief", "6,7", "S") for h in (5, 6)
    )
    a_point_of_health = WEIGHT[W_WOUND]
    assert worth(strong, 0) - worth(weak, 0) == a_point_of_health + WEIGHT[W_PERIL]
    assert worth(weak, 1) - worth(strong, 1) == a_point_of_health
