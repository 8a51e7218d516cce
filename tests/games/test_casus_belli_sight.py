"""Casus Belli: cones, squares, forests and walls; and the price of a path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casus_scene import GAME, Scene, as_ruled, field
from quincunx.core.random import below, seeded
from quincunx.games.casus_belli import mapfile, notation
from quincunx.games.casus_belli.field import FOREST, WALL, Terms, kind_at
from quincunx.games.casus_belli.vision import in_cone, in_square, list_cone, list_square

both = pytest.mark.parametrize("preset", ["seed", "final"])


def ground(rows: list[str], preset: str = "seed") -> Terms:
    terms = notation.terms(GAME.new(preset).options)
    free = next((x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != "#")
    mapfile.put_ground(terms, tuple(rows), free, True)
    return terms


# -- vision ------------------------------------------------------------------------------------------------------------


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


# -- paths -------------------------------------------------------------------------------------------------------------


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
