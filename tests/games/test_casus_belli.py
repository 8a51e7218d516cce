"""Casus Belli: attacks, pushes and deaths, as the ruling says, on hand-made positions of both presets."""

from __future__ import annotations

import pytest

from casus_scene import GAME, Scene, attack, field, move, told
from quincunx.games.casus_belli import notation

both = pytest.mark.parametrize("preset", ["seed", "final"])


# -- attacks -----------------------------------------------------------------------------------------------------------


@both
def test_the_knife_hits_all_on_one_cell_within_the_small_cone_but_never_its_user(preset: str) -> None:
    scene = Scene(field(9, 9), preset).put(0, "thief", "4,4").put(0, "elf", "4,3").put(1, "elf", "4,3")
    scene.put(1, "thief", "4,4")
    attack(scene, {0: ["thief attack 4,3"]})
    assert (scene.health(0, "elf"), scene.health(1, "elf"), scene.health(1, "thief")) == (5, 5, 10)
    attack(scene, {0: ["thief attack 4,4"]})
    assert (scene.health(0, "thief"), scene.health(1, "thief")) == (10, 5)
    move(scene)
    assert scene.refusal(0, "thief attack 4,5") == scene.refusal(0, "thief attack 4,2") == "out_of_sight"
    assert scene.refusal(0, "thief attack 2,3") == ""


@both
def test_the_mace_hits_a_plus_with_friends_and_its_user(preset: str) -> None:
    scene = Scene(field(9, 9), preset).put(0, "barbarian", "4,4").put(0, "elf", "4,2").put(1, "elf", "3,3")
    scene.put(1, "thief", "3,2")
    attack(scene, {0: ["barbarian attack 4,3"]})
    assert [scene.health(0, "barbarian"), scene.health(0, "elf"), scene.health(1, "elf")] == [7, 7, 7]
    assert scene.health(1, "thief") == 10
    move(scene)
    assert scene.refusal(0, "barbarian attack 4,0") == "" and scene.refusal(0, "barbarian attack 4,5") == "out_of_sight"


@both
def test_the_bow_reaches_what_the_team_sees_but_never_its_user(preset: str) -> None:
    scene = Scene(field(30, 9), preset).put(0, "elf", "2,8").put(0, "thief", "15,8", "N").put(1, "thief", "15,5")
    scene.put(0, "barbarian", "15,5", "S")
    attack(scene, {0: ["elf attack 15,5"]})
    assert (scene.health(1, "thief"), scene.health(0, "barbarian")) == (8, 8)
    attack(scene, {0: ["elf attack 2,8"]})
    assert scene.health(0, "elf") == 10
    move(scene)
    assert scene.refusal(0, "elf attack 25,5") == "out_of_sight"
    scene.s.palantir[0] = notation.cell_at(scene.terms, "25,5") + 1
    assert scene.refusal(0, "elf attack 25,5") == scene.refusal(0, "elf attack 20,0") == ""
    scene.s.palantir[0] = 0
    scene.s.revealed[0] = notation.cell_at(scene.terms, "25,5") + 1
    assert scene.refusal(0, "elf attack 21,1") == "" and scene.refusal(0, "elf attack 20,1") == "out_of_sight"


@pytest.mark.parametrize(("preset", "cooldown"), [("seed", 5), ("final", 3)])
def test_a_palantir_shows_a_square_until_replaced_and_survives_its_thief(preset: str, cooldown: int) -> None:
    scene = Scene(field(25, 12), preset).put(0, "thief", "4,8").put(1, "elf", "9,3").put(1, "barbarian", "10,3")
    move(scene)
    assert scene.refusal(0, "thief palantir 4,2") == "out_of_sight" and scene.refusal(0, "thief palantir 4,3") == ""
    attack(scene, {0: ["thief palantir 4,3"]})
    assert scene.cooldowns(0, "thief") == [cooldown - 1, 0]
    scene.put(0, "thief", "24,11", "S")
    assert scene.sees(0, 1, "elf") and not scene.sees(0, 1, "barbarian")
    scene.put(1, "thief", "24,11")
    attack(scene, {1: ["thief treachery"]})
    assert scene.points()[1] == 1 and scene.sees(0, 1, "elf")


def test_cooldowns_count_down_after_the_turn_of_use() -> None:
    scene = Scene(field(9, 9)).put(0, "thief", "4,8")
    scene.order(0, "thief palantir 4,5").play()
    read = []
    for _ in range(5):
        read.append(scene.cooldowns(0, "thief")[0])
        assert (scene.refusal(0, "thief palantir 4,5") == "cooling") == (read[-1] > 0)
        scene.play()
    assert read == [4, 3, 2, 1, 0]


@pytest.mark.parametrize(("preset", "expected"), [("seed", [5, 5, 3, 10, 5, 5]), ("final", [3, 5, 3, 5, 5, 5])])
def test_the_cooldowns_of_the_presets(preset: str, expected: list[int]) -> None:
    scene = Scene(field(20, 20), preset).put(0, "thief", "4,8").put(0, "barbarian", "9,9").put(0, "elf", "15,15")
    here = "" if preset == "seed" else " 9,8"
    attack(scene, {0: ["thief palantir 4,7", f"barbarian bastoooon{here}", "elf reveal 0,0"]})
    attack(scene, {0: ["thief treachery", "barbarian fus", "elf loto 0,0"]})
    after = [scene.cooldowns(0, role) for role in ("thief", "barbarian", "elf")]
    assert after == [[max(0, expected[2 * k] - 2), expected[2 * k + 1] - 1] for k in range(3)]


@both
def test_treachery_kills_every_enemy_on_the_cell_and_no_friend(preset: str) -> None:
    scene = Scene(field(9, 9), preset, seats=3).put(0, "thief", "4,4").put(0, "elf", "4,4")
    for seat, role in ((1, "thief"), (1, "elf"), (2, "barbarian")):
        scene.put(seat, role, "4,4")
    attack(scene, {0: ["thief treachery"]})
    assert scene.points() == ([3, 0, 0] if preset == "seed" else [3, -2, -1])
    assert scene.health(0, "elf") == 10 and scene.at(0, "elf") == "4,4" and scene.at(1, "elf") == "0,15"


def test_bastoooon_strikes_enemies_on_his_cell_the_harder_the_weaker_he_is() -> None:
    scene = Scene(field(9, 9)).put(0, "barbarian", "4,4", health=9).put(0, "elf", "4,4").put(1, "elf", "4,4", "S")
    scene.put(1, "barbarian", "4,6", "N").put(1, "thief", "4,5")
    scene.order(0, "barbarian bastoooon").order(1, "elf attack 4,4").play()
    assert scene.health(0, "barbarian") == 7 and scene.health(1, "elf") == 6  # 11 - (9 - 2)
    assert scene.health(0, "elf") == 8 and scene.health(1, "thief") == 10


def test_two_bastoooons_do_not_strengthen_each_other_and_health_counts_as_zero_at_least() -> None:
    scene = Scene(field(9, 9), seats=3).put(0, "barbarian", "4,4", health=8).put(1, "barbarian", "4,4", health=9)
    scene.order(0, "barbarian bastoooon").order(1, "barbarian bastoooon").play()
    assert (scene.health(0, "barbarian"), scene.health(1, "barbarian")) == (6, 6)
    scene = Scene(field(9, 9), seats=3).put(0, "barbarian", "4,4", health=1).put(1, "barbarian", "4,4")
    scene.put(2, "thief", "4,5")
    scene.order(0, "barbarian bastoooon").order(2, "thief attack 4,4").play()
    assert scene.corpse(0, "barbarian") and scene.corpse(1, "barbarian")  # 11 - 0, and the knife: the dying strike too


def test_the_wide_bastoooon_strikes_a_plus_with_friends_but_not_himself() -> None:
    scene = Scene(field(9, 9), "final").put(0, "barbarian", "4,4", health=9).put(0, "elf", "4,2").put(1, "elf", "3,3")
    move(scene)
    assert scene.refusal(0, "barbarian bastoooon 4,0") == "out_of_sight"
    assert scene.refusal(0, "barbarian bastoooon 4,1") == ""
    attack(scene, {0: ["barbarian bastoooon 4,3"]})
    assert [scene.health(0, "barbarian"), scene.health(0, "elf"), scene.health(1, "elf")] == [9, 8, 8]


def test_loto_shoots_anywhere_but_where_the_elf_sees() -> None:
    scene = Scene(field(30, 9)).put(0, "elf", "4,4").put(0, "thief", "4,8", "N").put(1, "elf", "25,1")
    assert scene.refusal(0, "elf loto 4,2") == scene.refusal(0, "elf loto 4,4") == "in_sight"
    assert scene.refusal(0, "elf loto 4,5") == ""
    scene.order(0, "elf loto 25,1").play()
    assert scene.health(1, "elf") == 6 and scene.cooldowns(0, "elf") == [0, 4]


def test_the_free_loto_hits_its_user_too() -> None:
    scene = Scene(field(9, 9), "final").put(0, "elf", "4,4").put(1, "elf", "4,4").put(0, "thief", "4,4")
    attack(scene, {0: ["elf loto 4,4"]})
    assert [scene.health(0, "elf"), scene.health(1, "elf"), scene.health(0, "thief")] == [6, 6, 6]


@both
def test_a_revealed_zone_is_visible_next_turn_only(preset: str) -> None:
    scene = Scene(field(30, 9), preset).put(0, "elf", "1,4").put(1, "elf", "25,4").put(1, "thief", "26,4")
    attack(scene, {0: ["elf reveal 21,4"]})
    assert scene.sees(0, 1, "elf") and not scene.sees(0, 1, "thief")
    assert not scene.sees(1, 0, "elf") and scene.view(1).zone == 0
    move(scene)
    assert scene.sees(0, 1, "elf") and scene.refusal(0, "elf attack 25,4") == ""
    attack(scene, {0: ["elf attack 25,4"]})
    assert not scene.sees(0, 1, "elf") and scene.health(1, "elf") == 8


@both
def test_holding_takes_an_attack_back_and_orders_replace_each_other(preset: str) -> None:
    scene = Scene(field(9, 9), preset).put(0, "thief", "4,4").put(1, "thief", "4,3").put(1, "elf", "4,4")
    attack(scene, {0: ["thief attack 4,3", "thief attack 4,4"]})
    assert (scene.health(1, "thief"), scene.health(1, "elf")) == (10, 5)
    attack(scene, {0: ["thief treachery", "thief hold"]})
    assert scene.health(1, "elf") == 5 and scene.cooldowns(0, "thief") == [0, 0]


# -- Fus Ro Dah --------------------------------------------------------------------------------------------------------


@both
def test_a_push_carries_everybody_in_the_cone_to_one_cell_beyond_it(preset: str) -> None:
    scene = Scene(field(11, 12), preset).put(0, "barbarian", "5,9").put(0, "elf", "5,8").put(0, "thief", "5,9")
    scene.put(1, "thief", "3,7", "W").put(1, "elf", "5,10").put(1, "barbarian", "6,9")
    events = attack(scene, {0: ["barbarian fus"]}, observer=1)
    assert [scene.at(0, role) for role in ("thief", "barbarian", "elf")] == ["5,4", "5,9", "5,4"]
    assert [scene.at(1, role) for role in ("thief", "barbarian", "elf")] == ["3,4", "6,4", "5,10"]
    assert scene.facing(1, "thief") == "W" and scene.health(1, "thief") == 10 and scene.points() == [0, 0]
    assert [e.cells for e in told(events, "Walked")] == [("3,4",), ("6,4",)] and not told(events, "Hit")


def test_a_push_stops_at_walls_and_edges_and_uses_the_cone_on_a_tower() -> None:
    scene = Scene("..#....\n.......\n.......\n...T...\n.......").put(0, "barbarian", "3,3").put(1, "elf", "2,2")
    scene.put(1, "thief", "4,2").put(1, "barbarian", "3,4")
    scene.order(0, "barbarian fus").play()
    assert [scene.at(1, role) for role in ("thief", "barbarian", "elf")] == ["4,0", "3,4", "2,1"]


def test_a_push_shifts_targets_and_comes_before_other_attacks() -> None:
    scene = Scene(field(11, 14)).put(0, "barbarian", "5,12").put(0, "thief", "5,11").put(1, "elf", "5,6")
    scene.order(0, "barbarian fus", "thief attack 5,10").play()
    assert scene.at(0, "thief") == "5,7" and scene.health(1, "elf") == 5  # 5,10 became 5,6


def test_a_shifted_target_that_is_not_allowed_is_dropped_without_a_cooldown() -> None:
    scene = Scene("...\n.F.\n...\n...\n...\n...\n...").put(0, "barbarian", "1,6").put(1, "thief", "1,5", "N")
    scene.order(1, "thief palantir 1,3").order(0, "barbarian fus")
    events = scene.play(observer=1)  # from 1,1 the target lies beyond the northern edge
    assert scene.at(1, "thief") == "1,1" and scene.s.palantir[1] == 0 and scene.cooldowns(1, "thief") == [0, 0]
    assert [event.dropped for event in told(events, "Attacked")] == [True]


def test_a_pushed_unit_walks_its_path_from_there_or_not_at_all() -> None:
    scene = Scene("...\n...\n...\n...\n...\n...\n...").put(0, "barbarian", "1,6").put(1, "thief", "1,5", "S")
    scene.put(1, "elf", "2,5")
    scene.order(1, "thief path NN face E", "elf path WW").order(0, "barbarian fus").play()
    assert (scene.at(1, "thief"), scene.at(1, "elf")) == ("1,1", "0,1")  # NN leaves the map: the whole order is dropped
    assert scene.facing(1, "thief") == "S"


@both
def test_two_pushes_kill_and_credit_both_casters(preset: str) -> None:
    scene = Scene(field(11, 11), preset, seats=4).put(0, "barbarian", "5,9").put(1, "barbarian", "9,5", "W")
    scene.put(2, "thief", "5,5", "S").put(3, "thief", "5,5", "S").put(3, "elf", "9,9")
    orders = {0: ["barbarian fus"], 1: ["barbarian fus"], 2: ["thief attack 5,6"], 3: ["elf attack 5,5"]}
    events = attack(scene, orders, observer=2)
    points = [2, 2, 0, 0] if preset == "seed" else [2, 2, -1, -1]  # both thieves, each pushed twice
    assert scene.points() == points  # their own attacks are cancelled, and her arrow into the dead gives nothing
    assert [(e.damage, e.team) for e in told(events, "Hit")] == [(0, 0), (0, 1)]
    assert scene.corpse(2, "thief") == ("5,5" if preset == "seed" else "")


def test_a_caster_who_is_pushed_twice_still_pushes() -> None:
    scene = Scene(field(11, 11), seats=4).put(0, "barbarian", "5,9").put(1, "barbarian", "9,5", "W")
    scene.put(2, "barbarian", "5,5", "N").put(3, "elf", "4,2")
    for seat in range(3):
        scene.order(seat, "barbarian fus")
    scene.play()
    assert scene.corpse(2, "barbarian") == "5,5" and scene.at(3, "elf") == "4,0"
    assert scene.points() == [1, 1, 0, 0]


def test_pushed_by_a_friend_and_an_enemy_gives_no_points() -> None:
    scene = Scene(field(11, 11)).put(0, "barbarian", "5,9").put(1, "barbarian", "9,5", "W").put(0, "thief", "5,5")
    scene.order(0, "barbarian fus").order(1, "barbarian fus").play()
    assert scene.points() == [0, 0] and scene.corpse(0, "thief") == "5,5"


# -- deaths ------------------------------------------------------------------------------------------------------------


@both
def test_the_points_of_a_death(preset: str) -> None:
    losses = -1 if preset == "final" else 0

    def points(*hits: int) -> list[int]:
        """Victim: the elf of seat 0, with one point of health; it is hit by the thieves of these seats."""
        scene = Scene(field(9, 9), preset, seats=3).put(0, "elf", "4,4", health=1)
        for seat in hits:
            scene.put(seat, "thief", "4,5")
        attack(scene, {seat: ["thief attack 4,4"] for seat in hits})
        return scene.points()

    assert points(1) == [losses, 1, 0]
    assert points(1, 2) == [losses, 1, 1]
    assert points(0) == [-1 + losses, 0, 0]
    assert points(0, 1) == [0, 0, 0] == points(0, 1, 2)


def test_a_hit_that_does_not_kill_gives_nothing_but_counts_with_the_hit_that_does() -> None:
    scene = Scene(field(9, 9), seats=3).put(0, "elf", "4,4", health=6).put(1, "elf", "4,7").put(2, "thief", "4,5")
    scene.order(1, "elf attack 4,4").play()
    assert scene.points() == [0, 0, 0] and scene.health(0, "elf") == 4
    scene.order(1, "elf attack 4,4").order(2, "thief attack 4,4").play()
    assert scene.points() == [0, 1, 1]


def test_the_dying_strike_and_the_dead_do_not_walk() -> None:
    scene = Scene(field(9, 9)).put(0, "thief", "4,4", health=5).put(1, "thief", "4,3", "S", health=5)
    scene.order(0, "thief attack 4,3", "thief path E").order(1, "thief attack 4,4", "thief path W").play()
    assert scene.points() == [1, 1]
    assert (scene.corpse(0, "thief"), scene.corpse(1, "thief")) == ("4,4", "4,3")


@both
def test_the_dead_reappear_healthy_at_their_departure(preset: str) -> None:
    scene = Scene(field(9, 9), preset).put(0, "thief", "4,4").put(1, "thief", "4,4", "E", health=2)
    victim = scene.unit(1, "thief")
    scene.s.departure[victim] = notation.cell_at(scene.terms, "8,8")
    scene.s.cooldown[2 * victim] = 2
    attack(scene, {0: ["thief attack 4,4"]})
    assert (scene.at(1, "thief"), scene.facing(1, "thief"), scene.health(1, "thief")) == ("8,8", "N", 10)
    assert scene.cooldowns(1, "thief") == [0, 0]
    assert scene.refusal(1, "thief path W") == ""  # and it can be ordered at once
    assert scene.corpse(1, "thief") == ("4,4" if preset == "seed" else "")


def test_a_corpse_is_seen_like_a_unit_for_the_next_orders_only() -> None:
    scene = (
        Scene(field(9, 9), seats=3).put(0, "thief", "4,4").put(1, "thief", "4,4", health=2).put(2, "elf", "0,0", "N")
    )
    scene.order(0, "thief attack 4,4", "thief path S face N").play()
    dead = scene.unit(1, "thief")
    assert scene.view(0).corpse[dead] == scene.view(1).corpse[dead] == notation.cell_at(scene.terms, "4,4") + 1
    assert scene.view(2).corpse[dead] == 0 and sum(scene.view(-2).corpse) == 0
    shown = GAME.show(GAME.view(scene.world, 0)).corpses
    assert [(c.team, c.role, c.cell) for c in shown] == [(1, "thief", "4,4")]
    scene.play()
    assert scene.view(0).corpse[dead] == 0
