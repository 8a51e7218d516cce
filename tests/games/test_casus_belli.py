"""Casus Belli: what the ruling says, line by line, on hand-made positions of both presets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casus_scene import GAME, Scene, field, told
from quincunx.core.random import below, seeded
from quincunx.games.casus_belli import mapfile, notation
from quincunx.games.casus_belli.field import FOREST, MARSH, TOWER, WALL, Terms, kind_at
from quincunx.games.casus_belli.vision import in_cone, in_square, list_cone, list_square

PRESETS = ("seed", "final")
both = pytest.mark.parametrize("preset", PRESETS)


def ground(rows: list[str], preset: str = "seed") -> Terms:
    terms = notation.terms(GAME.new(preset).options)
    free = next((x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != "#")
    mapfile.put_ground(terms, tuple(rows), free, True)
    return terms


# -- vision ---------------------------------------------------------------------------------------------------------


@both
def test_cones_and_squares_have_the_sizes_of_the_ruling(preset: str) -> None:
    terms = ground(["." * 31] * 31, preset)
    out = [0] * 200
    for facing in range(4):
        assert [list_cone(terms, 15 * 31 + 15, facing, size, out, 0) for size in range(1, 6)] == [8, 15, 24, 35, 48]
    assert [list_square(terms, 15 * 31 + 15, size, out, 0) for size in range(1, 6)] == [9, 25, 49, 81, 121]


DRAWINGS = {
    "in the forest": (
        "E", (1, 2, 3, 4, 5), "?",
        """
  ?????
 ??.????
???@.????
 ??.?????
 ??????
""",
    ),
    "at the edge": (
        "N", (3,), "?",
        """
.........
 .......
  .....
  ?.@.?
 ???????
?????????
 ????????
 ??????
""",
    ),
    "at the edge (2)": (
        "N", (3,), "?",
        """
       .....
  ?????....
 ??????...
??????.@.
 ????????
 ??????
""",
    ),
    "outside": (
        "N", (2, 3, 4, 5), ".",
        """
  ?????
 ???????
?????????
 ????????
 ?????..
  .....
   .@.
""",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWINGS)
def test_forests_hide_what_the_drawings_of_the_seed_show(name: str) -> None:
    facing, sizes, beside, drawing = DRAWINGS[name]
    lines = drawing.strip("\n").splitlines()
    wide = 8 + max(map(len, lines)) + 8
    drawn = [" " * wide] * 8 + [(" " * 8 + line).ljust(wide) for line in lines] + [" " * wide] * 8
    eye = next((x, y) for y, row in enumerate(drawn) for x, mark in enumerate(row) if mark == "@")
    rows = [
        "".join("F" if mark == "?" or (y == eye[1] and mark in ".@" and beside == "?") else "." for mark in row)
        for y, row in enumerate(drawn)
    ]
    if name == "in the forest":
        rows = ["".join("." if mark == " " else "F" for mark in row) for row in drawn]
    terms = ground(rows)
    out = [0] * 200
    for size in sizes:
        n = list_cone(terms, eye[1] * wide + eye[0], "NESW".index(facing), size, out, 0)
        seen = {(cell % wide, cell // wide) for cell in out[:n]}
        assert seen == {(x, y) for y, row in enumerate(drawn) for x, mark in enumerate(row) if mark in ".@"}


def test_without_the_rule_of_outer_columns_the_drawings_are_wider() -> None:
    rows = ["." * 15] * 5 + ["F" * 15] * 3 + ["." * 15] * 3
    rows[5] = "." * 5 + "F" * 5 + "." * 5
    eye = 7 * 15 + 7
    assert not in_cone(ground(rows), eye, 0, 4, 5 * 15 + 4)
    assert in_cone(ground(["." * 15] * 11), eye, 0, 4, 5 * 15 + 4)
    walls = [list("." * 15) for _ in range(11)]
    walls[6][5] = walls[6][9] = "#"  # one forward, two aside: only the outer columns start beside it
    narrow, wide = ground(["".join(row) for row in walls]), ground(["".join(row) for row in walls], "final")
    assert not in_cone(narrow, eye, 0, 4, 5 * 15 + 4) and in_cone(wide, eye, 0, 4, 5 * 15 + 4)
    assert not in_cone(narrow, eye, 0, 4, 5 * 15 + 5) and not in_cone(wide, eye, 0, 4, 5 * 15 + 5)


def as_ruled(terms: Terms, cell: int, facing: int, size: int) -> set[int]:
    """The ruling word for word, on sets."""
    ahead, right = [((0, -1), (1, 0)), ((1, 0), (0, 1)), ((0, 1), (-1, 0)), ((-1, 0), (0, -1))][facing]
    seen, blocked = set(), set()
    for i in range(size + 1):
        if terms.narrow and i:
            blocked |= {j for j, inner in ((i + 1, i), (-i - 1, -i)) if inner in blocked}
        for j in range(-(i + 1), i + 2):
            x = cell % terms.width + i * ahead[0] + j * right[0]
            y = cell // terms.width + i * ahead[1] + j * right[1]
            if not (0 <= x < terms.width and 0 <= y < terms.height) or j in blocked:
                continue
            kind = kind_at(terms, y * terms.width + x)
            if kind == FOREST and i + abs(j) > 1:
                blocked.add(j)
            elif kind == WALL:
                blocked |= {j} if i else set()
            else:
                seen.add(y * terms.width + x)
    return seen


@both
@given(seed=st.integers(0, 2**32))
def test_lists_of_seen_cells_agree_with_single_questions_and_with_the_ruling(preset: str, seed: int) -> None:
    random = seeded(seed)
    rows = ["".join("....F#T"[below(random, 7)] for _ in range(13)) for _ in range(12)]
    rows[6] = rows[6][:6] + "." + rows[6][7:]
    terms = ground(rows, preset)
    out = [0] * 200
    for cell in [6 * 13 + 6, *(below(random, 156) for _ in range(4))]:
        for facing in range(4):
            size = 1 + below(random, 5)
            cone = set(out[: list_cone(terms, cell, facing, size, out, 0)])
            if kind_at(terms, cell) != WALL:
                assert cone == as_ruled(terms, cell, facing, size)
                assert cone == {c for c in range(156) if in_cone(terms, cell, facing, size, c)}
            square = set(out[: list_square(terms, cell, size, out, 0)])
            assert square == {c for c in range(156) if in_square(terms, cell, size, c)}
            assert not any(kind_at(terms, c) in (WALL, FOREST) for c in square)


def test_towers_see_all_around_over_walls_but_not_into_forests() -> None:
    scene = Scene(".......\n.###...\n.#T#F..\n.###...\n.......").put(0, "barbarian", "2,2").put(1, "elf", "2,4", "S")
    assert scene.sees(0, 1, "elf")
    scene.put(1, "elf", "4,2")
    assert not scene.sees(0, 1, "elf")
    assert scene.refusal(0, "barbarian attack 4,2") == "out_of_sight"  # beside him, but a tower never sees into it
    assert scene.refusal(0, "barbarian attack 6,4") == ""


# -- paths ----------------------------------------------------------------------------------------------------------


def walk(rows: str, role: str, path: str, at: str = "0,0") -> str:
    return Scene(rows).put(0, role, at).refusal(0, f"{role} path {path}")


def test_points_are_paid_on_the_cell_that_is_left() -> None:
    assert walk("." + "_" * 14, "thief", "E" * 9) == "" and walk("." + "_" * 14, "thief", "E" * 10) == "too_far"
    assert walk("~" * 9, "thief", "EE") == "" and walk("~" * 9, "thief", "EEE") == "too_far"
    assert walk("." * 9, "elf", "EEE") == "" and walk("." * 9, "elf", "EEEE") == "too_far"
    assert walk("." * 9, "barbarian", "EEEE") == "" and walk("." * 9, "barbarian", "EEEEE") == "too_far"
    assert walk("FT..", "elf", "EEE") == "" and walk("FT...", "elf", "EEEE") == "too_far"
    assert walk("_" * 12, "elf", "E" * 6) == "" and walk("_" * 12, "elf", "E" * 7) == "too_far"
    assert walk("_~", "elf", "EWE") == "" and walk("_~_", "elf", "EEE") == "blocked"


def test_walls_and_edges_are_never_entered() -> None:
    assert walk(".#.", "thief", "E") == "blocked" and walk("...", "thief", "N") == "blocked"
    assert walk("...", "thief", "W") == "blocked" and walk("..\n##", "thief", "S") == "blocked"


def test_the_last_facing_is_ordered_or_that_of_the_last_step() -> None:
    scene = Scene(field(9, 9)).put(0, "thief", "4,4", "W").put(0, "elf", "1,1", "W").put(0, "barbarian", "6,6", "W")
    scene.order(0, "thief path EES", "elf path S face N").play()
    assert (scene.at(0, "thief"), scene.facing(0, "thief")) == ("6,5", "S")
    assert (scene.at(0, "elf"), scene.facing(0, "elf")) == ("1,2", "N")
    assert (scene.at(0, "barbarian"), scene.facing(0, "barbarian")) == ("6,6", "W")
    scene.order(0, "barbarian face E").play()
    assert scene.facing(0, "barbarian") == "E"


def test_offered_paths_are_the_cheapest_to_every_cell_in_reach() -> None:
    scene = Scene(".....\n.~~~.\n_____\n.#.#.\n.....").put(0, "elf", "2,2")
    texts = [GAME.text(scene.world, 0, a) for a in GAME.legal(scene.world)]
    paths = {text.split()[2] for text in texts if text.startswith("elf path")}
    steps = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
    ends = [tuple(map(sum, zip((2, 2), *(steps[c] for c in path), strict=True))) for path in paths]
    assert len(set(ends)) == len(ends)
    assert {(0, 2), (4, 2), (2, 1), (2, 4), (4, 4), (0, 0), (4, 1)} <= set(ends)
    assert all(f"elf face {facing}" in texts for facing in "NESW")


# -- attacks --------------------------------------------------------------------------------------------------------


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


def attack(scene: Scene, orders: dict[int, list[str]], observer: int = 0) -> list[object]:
    """A turn with these attacks and no step, in either order of phases."""
    if scene.terms.moves_first and scene.s.phase == 0:
        scene.play()
    for seat, texts in orders.items():
        scene.order(seat, *texts)
    return scene.play(observer)


def move(scene: Scene) -> None:
    """On to the phase of attacks, where there is one."""
    if scene.terms.moves_first and scene.s.phase == 0:
        scene.play()


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


@pytest.mark.parametrize(
    ("preset", "expected"), [("seed", [5, 5, 3, 10, 5, 5]), ("final", [3, 5, 3, 5, 5, 5])]
)
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


# -- Fus Ro Dah -----------------------------------------------------------------------------------------------------


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


# -- deaths ---------------------------------------------------------------------------------------------------------


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
    scene = Scene(field(9, 9), seats=3).put(0, "thief", "4,4").put(1, "thief", "4,4", health=2).put(2, "elf", "0,0", "N")
    scene.order(0, "thief attack 4,4", "thief path S face N").play()
    dead = scene.unit(1, "thief")
    assert scene.view(0).corpse[dead] == scene.view(1).corpse[dead] == notation.cell_at(scene.terms, "4,4") + 1
    assert scene.view(2).corpse[dead] == 0 and sum(scene.view(-2).corpse) == 0
    shown = GAME.show(GAME.view(scene.world, 0)).corpses
    assert [(c.team, c.role, c.cell) for c in shown] == [(1, "thief", "4,4")]
    scene.play()
    assert scene.view(0).corpse[dead] == 0


# -- phases ---------------------------------------------------------------------------------------------------------


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
    GAME.apply(world, 0, 0), GAME.apply(world, 1, 0)
    assert s.turn == 1 and s.departure[0] == s.cell[0] != start and s.departure[1] == start


@both
def test_a_match_ends_after_the_turns_of_the_map(preset: str) -> None:
    world = GAME.new(preset, setup="pit", seats=2)
    while not GAME.over(world):
        GAME.apply(world, GAME.turn(world), 0)
    assert world.rows[0].turn == (13 if preset == "seed" else 12) and GAME.scores(world) == [0, 0]


# -- penumbra -------------------------------------------------------------------------------------------------------


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


def test_the_penumbra_of_the_final_shows_friends_but_not_the_eye_itself() -> None:
    scene = Scene(field(15, 15), "final").put(0, "elf", "7,10", "N").put(0, "thief", "7,9", "N")
    scene.put(0, "barbarian", "0,14").order(0, "barbarian path E")
    noted = told(scene.play(observer=0), "Penumbra")
    assert [n.cells for n in noted if n.role == "elf"] == [("7,9",)]
    assert [n.cells for n in noted if n.role == "thief"] == []


def test_the_dead_neither_leave_nor_note_traces_and_corpses_are_not_in_the_penumbra() -> None:
    scene = Scene(field(15, 15)).put(0, "thief", "7,10", "N").put(1, "thief", "7,9", health=1).put(0, "elf", "7,12")
    scene.order(0, "thief attack 7,9", "elf path E face N")
    assert told(scene.play(observer=0), "Penumbra") == []


# -- hotspots -------------------------------------------------------------------------------------------------------


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
