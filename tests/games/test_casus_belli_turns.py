"""Casus Belli: phases, placement, the penumbra and hotspots."""

from __future__ import annotations

from itertools import groupby

import pytest

from casus_scene import GAME, Scene, as_ruled, field, told
from quincunx.games.casus_belli import notation
from quincunx.games.casus_belli.field import MARSH, TOWER, kind_at

both = pytest.mark.parametrize("preset", ["seed", "final"])


# -- phases ------------------------------------------------------------------------------------------------------------


def test_in_the_seed_attacks_come_before_moves() -> None:
    scene = Scene(field(9, 9)).put(0, "thief", "4,4").put(1, "thief", "4,3")
    scene.order(0, "thief attack 4,3", "thief path N").order(1, "thief path E").play()
    assert scene.health(1, "thief") == 5 and scene.at(1, "thief") == "5,3" and scene.s.turn == 1


def test_in_the_final_moves_are_resolved_before_attacks_are_ordered() -> None:
    scene = Scene(field(9, 9), "final").put(0, "thief", "4,4").put(1, "thief", "4,2")
    assert scene.refusal(0, "thief attack 4,3") == "not_now"
    scene.order(1, "thief path S").play()
    assert (scene.s.turn, scene.s.phase, scene.at(1, "thief")) == (0, 1, "4,3")
    assert scene.refusal(0, "thief path N") == "not_now"
    scene.order(0, "thief attack 4,3").play()
    assert (scene.s.turn, scene.s.phase, scene.health(1, "thief")) == (1, 0, 5)


def test_where_the_dead_return_at_once_they_do_not_walk_the_path_of_the_living() -> None:
    scene = Scene(field(9, 9), death="at_once").put(0, "thief", "4,4").put(1, "thief", "4,4", health=2)
    scene.s.departure[scene.unit(1, "thief")] = notation.cell_at(scene.terms, "7,7")
    scene.order(0, "thief attack 4,4").order(1, "thief path W").play()
    assert scene.at(1, "thief") == "7,7" and scene.corpse(1, "thief") == ""


@both
def test_a_seat_is_done_when_it_seals_and_the_last_seal_resolves(preset: str) -> None:
    scene = Scene(field(9, 9), preset, seats=3)
    world = scene.world
    assert [GAME.to_act(world, seat) for seat in range(3)] == [True] * 3
    GAME.apply(world, 1, 0)
    assert GAME.turn(world) == 0 and not GAME.to_act(world, 1) and GAME.check(world, 1, 0) is not None
    assert scene.view(2).sealed[:3] == scene.view(-2).sealed[:3] == [0, 1, 0]
    GAME.apply(world, 0, 0)
    assert GAME.turn(world) == 2
    GAME.apply(world, 2, 0)
    assert GAME.turn(world) == 0 and sum(scene.s.sealed) == 0
    assert GAME.fallback(world, 1) == 0


def test_given_orders_are_not_offered_again() -> None:
    scene = Scene(field(9, 9)).put(0, "thief", "4,4")
    for _ in range(6):
        before = {a >> 32 for a in GAME.legal(scene.world)}
        action = GAME.legal(scene.world)[0]
        GAME.apply(scene.world, 0, action)
        assert {a >> 32 for a in GAME.legal(scene.world)} == before - {action >> 32}
        assert GAME.check(scene.world, 0, action) is None
    assert GAME.legal(scene.world) == [0]


def test_placement_allows_moves_only_and_ends_in_points_of_departure() -> None:
    world = GAME.new(setup="pit", seats=2)
    s = world.rows[0]
    assert GAME.terms(world).turns == 13 and GAME.terms(GAME.new("final", setup="pit")).turns == 12
    assert {GAME.text(world, 0, a).split()[1] for a in GAME.legal(world) if a} == {"path", "face"}
    refusal = GAME.check(world, 0, GAME.parse(world, 0, "thief attack 4,4"))
    assert refusal is not None and refusal.code == "not_now"
    GAME.apply(world, 0, GAME.parse(world, 0, "thief path N"))
    start = s.departure[0]
    GAME.apply(world, 0, 0)
    GAME.apply(world, 1, 0)
    assert s.turn == 1 and s.departure[0] == s.cell[0] != start and s.departure[1] == start


@both
def test_a_match_ends_after_the_turns_of_the_map(preset: str) -> None:
    world = GAME.new(preset, setup="pit", seats=2)
    while not GAME.over(world):
        GAME.apply(world, GAME.turn(world), 0)
    assert world.rows[0].turn == (13 if preset == "seed" else 12) and GAME.scores(world) == [0, 0]


# -- penumbra ----------------------------------------------------------------------------------------------------------


def test_the_penumbra_notes_enemies_step_by_step_with_the_facing_of_the_step() -> None:
    scene = Scene(field(15, 15)).put(0, "thief", "7,10", "N").put(1, "thief", "4,7", "E")
    scene.order(1, "thief path EEE")
    (noted,) = told(scene.play(observer=0), "Penumbra")
    assert noted.cells == ("5,7", "6,7", "7,7")
    scene = Scene(field(15, 15)).put(0, "thief", "7,10", "N").put(1, "thief", "4,7", "W")
    scene.order(0, "thief path S face N").order(1, "thief path EE")
    assert told(scene.play(observer=0), "Penumbra") == []  # it looked south during the march


def test_the_penumbra_keeps_duplicates_sorts_a_step_and_runs_to_the_longest_path() -> None:
    scene = Scene(field(15, 15), seats=3).put(0, "elf", "7,10", "N")
    scene.put(2, "elf", "8,8").put(1, "elf", "6,9").put(1, "thief", "8,8").put(2, "thief", "0,0")
    scene.order(2, "thief path EEE")
    (noted,) = told(scene.play(observer=0), "Penumbra")
    assert noted.cells == ("8,8", "8,8", "6,9") * 3 and noted.role == "elf"
    assert not told(Scene(field(9, 9)).put(0, "elf", "4,4").put(1, "elf", "4,3").play(0), "Penumbra")


def test_the_penumbra_of_the_final_shows_friends_and_the_eye_itself() -> None:
    scene = Scene(field(15, 15), "final").put(0, "elf", "7,10", "N").put(0, "thief", "7,9", "N")
    scene.put(0, "barbarian", "0,14").order(0, "barbarian path E")
    noted = told(scene.play(observer=0), "Penumbra")
    assert {n.role: n.cells for n in noted} == {"elf": ("7,9", "7,10"), "thief": ("7,9",), "barbarian": ("1,14",)}


def test_the_dead_neither_leave_nor_note_traces_and_corpses_are_not_in_the_penumbra() -> None:
    scene = Scene(field(15, 15)).put(0, "thief", "7,10", "N").put(1, "thief", "7,9", health=1).put(0, "elf", "7,12")
    scene.order(0, "thief attack 7,9", "elf path E face N")
    assert told(scene.play(observer=0), "Penumbra") == []


def noted_of(scene: Scene, seat: int = 0) -> dict[str, tuple[str, ...]]:
    shown = GAME.show(GAME.view(scene.world, seat))
    return {own.role: own.penumbra for own in shown.own if own.penumbra}


def test_a_program_finds_the_penumbra_in_its_view_until_the_next_moves() -> None:
    scene = Scene(field(15, 15), seats=3).put(0, "elf", "7,10", "N")
    scene.put(2, "elf", "8,8").put(1, "elf", "6,9").put(1, "thief", "8,8").put(2, "thief", "0,0")
    assert noted_of(scene) == {}
    scene.order(2, "thief path EEE")
    (noted,) = told(scene.play(observer=0), "Penumbra")
    assert noted_of(scene) == {"elf": noted.cells} == {"elf": ("8,8", "8,8", "6,9") * 3}
    assert noted_of(scene, 2) == {"elf": ("8,8",) * 3} and GAME.show(GAME.view(scene.world, -2)).own == ()
    scene.play()
    assert noted_of(scene) == {}


def test_in_the_final_the_penumbra_of_the_turn_before_is_there_while_moves_are_ordered() -> None:
    """Whatever attacks did to those who were seen, and to those who saw them."""
    scene = Scene(field(15, 15), "final").put(0, "thief", "7,10", "N").put(1, "barbarian", "7,8", "S")
    scene.order(1, "barbarian path W face S").play()
    before = noted_of(scene)
    assert before["thief"] == ("6,8", "7,10") and scene.s.phase == 1
    scene.order(1, "barbarian fus").order(0, "thief attack 7,9").play()
    assert scene.at(0, "thief") == "7,13" and scene.s.phase == 0 and noted_of(scene) == before
    GAME.apply(scene.world, 0, GAME.parse(scene.world, 0, "thief face N"))
    assert noted_of(scene) == before
    scene.play()
    assert noted_of(scene) == {}


def test_equal_neighbours_of_a_penumbra_do_not_tell_which_step_they_are_from() -> None:
    """Two at one step, or one at two steps: the lists are equal, and so are the views."""
    one = Scene(field(15, 15)).put(0, "elf", "7,10", "N").put(1, "elf", "8,8").put(1, "barbarian", "8,8")
    one.put(1, "thief", "0,0").order(1, "thief path E").play()
    two = Scene(field(15, 15)).put(0, "elf", "7,10", "N").put(1, "elf", "8,8").put(1, "barbarian", "0,0")
    two.put(1, "thief", "0,0").order(1, "thief path EE").play()
    assert noted_of(one) == noted_of(two) == {"elf": ("8,8", "8,8")}
    assert one.view(0).noted == two.view(0).noted and one.view(0).runs == two.view(0).runs


def test_each_unit_says_which_cells_it_sees() -> None:
    scene = Scene(field(15, 15)).put(0, "elf", "7,10", "N").put(0, "thief", "2,2", "E")
    shown = GAME.show(GAME.view(scene.world, 0))
    elf = next(own for own in shown.own if own.role == "elf")
    cell = notation.cell_at(scene.terms, "7,10")
    assert elf.sees == tuple(notation.cell_name(scene.terms, c) for c in sorted(as_ruled(scene.terms, cell, 0, 4)))
    team = {f"{x},{y}" for y, row in enumerate(shown.sight) for x, mark in enumerate(row) if mark == "o"}
    assert team == {at for own in shown.own for at in own.sees}


# -- hotspots ----------------------------------------------------------------------------------------------------------


def test_a_team_alone_on_a_hotspot_gets_a_point_every_third_turn() -> None:
    scene = Scene("..HH.....\n....H..H.\n.........").put(0, "elf", "2,0")
    assert scene.terms.hotspots == 3  # diagonal neighbours do not hang together
    seen = []
    for _ in range(7):
        scene.play()
        seen.append((scene.points()[0], scene.view(-2).holder[0], scene.view(1).held[0]))
    assert seen == [(0, 1, 1), (0, 1, 2), (1, 1, 0), (1, 1, 1), (1, 1, 2), (2, 1, 0), (2, 1, 1)]
    scene.put(1, "elf", "3,0").play()
    assert (scene.s.holder[0], scene.s.held[0]) == (0, 0)
    scene.order(0, "elf path S").play()
    assert (scene.s.holder[0], scene.s.held[0]) == (2, 1)
    assert scene.points() == [2, 0]


def test_without_hotspots_their_cells_are_grass() -> None:
    scene = Scene("..HH.", "final").put(0, "elf", "2,0")
    for _ in range(8):
        scene.play()
    assert scene.points() == [0, 0] and scene.terms.hotspots == 0
    assert kind_at(scene.terms, 2) != MARSH and kind_at(scene.terms, 2) != TOWER


def test_a_dead_unit_does_not_hold() -> None:
    scene = Scene("..H..").put(0, "elf", "2,0", health=1).put(1, "elf", "1,0", "E")
    scene.order(1, "elf attack 2,0").play()
    assert scene.s.holder[0] == 0 and scene.points() == [0, 1]


def test_the_story_is_grouped_by_turn_and_belongs_to_nobody_alone() -> None:
    scene, heads = Scene(field(9, 9), seats=3), []
    for _ in range(3):
        for seat in range(3):  # whoever seals last does no more than the others
            heads += [(event.turn, event.by) for event in GAME.apply_and_tell(scene.world, seat, 0, 0, 0)]
    assert [head for head, _ in groupby(heads)] == [(turn, -1) for turn in (1, 2, 3, 4)]
