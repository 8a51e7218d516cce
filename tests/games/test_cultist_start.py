"""Cultist: drawn starts, and maps that people draw."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from quincunx.core.words import Refused
from quincunx.games import load
from quincunx.games.cultist import setup
from quincunx.games.cultist.grid import cell_at

GAME = load("cultist", "interpreted")
OPEN = "/".join(["." * 13] * 7)
Cell = tuple[int, int]


def test_drawn_starts_are_those_of_the_ruling() -> None:
    columns = Counter[int]()
    for seed in range(150):
        s = GAME.state(GAME.new(seed=seed))
        xy = [(c & 15, (c >> 4) - 1) for c in s.cell]
        assert xy[:2] == [(0, 3), (12, 3)] and s.owner == [0, 1] + [2] * 12 and s.hp == [10] * 14
        assert xy[8:] == [(12 - x, y) for x, y in xy[2:8]] and len(set(xy)) == 14
        columns.update(x for x, _ in xy[2:8])
        ground = [[s.board[cell_at(x, y)] < 0 for x in range(13)] for y in range(7)]
        assert all(row == row[::-1] and not row[6] for row in ground)
        assert is_connected({(x, y) for y in range(7) for x in range(13) if not ground[y][x]})
    assert set(columns) == {1, 2, 3, 4, 5}


def is_connected(floor: set[Cell]) -> bool:
    reached, todo = {min(floor)}, [min(floor)]
    while todo:
        x, y = todo.pop()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near in floor and near not in reached:
                reached.add(near)
                todo.append(near)
    return reached == floor


def test_obstacles_are_even_and_about_thirteen() -> None:
    counts = [GAME.position(GAME.new(seed=seed)).split()[0].count("x") for seed in range(1500)]
    assert all(count % 2 == 0 for count in counts) and 13.0 < sum(counts) / len(counts) < 13.6


def test_a_seed_gives_one_map_in_both_presets() -> None:
    maps = {GAME.position(GAME.new(seed=seed)) for seed in (7, 7, 8)}
    assert len(maps) == 2
    assert GAME.position(GAME.new("codingame", seed=7)) == GAME.position(GAME.new(seed=7)) + " random=42"


def test_maps_that_people_draw() -> None:
    for named in setup.SETUPS:
        s = GAME.state(GAME.new(setup=named.name))
        assert s.count == [1, 1, 12]
    w = GAME.new(setup="cloister")
    again = GAME.from_setup(w.options, GAME.position(w))
    assert GAME.to_bytes(again) == GAME.to_bytes(w)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("A.", "..", "Row 3 is not symmetric"),
        ("A.n.n...n.n.B", ".............", "Each cult needs one leader"),
        (".............\n", "", "seven rows"),
        ("A.n.n...n.n.B", "A.n.n.n.n.n.B", "Row 3 is not symmetric"),
        ("..n.n...n.n..", "nnn.n...n.nnn", "6 neutrals at most"),
        ("A.n.n...n.n.B", "AxnxnxxxnxnxB", "cut off"),
        ("A.n.n...n.n.B", "A.nyn...nyn.B", "seven rows"),
    ],
)
def test_maps_that_are_refused(old: str, new: str, word: str) -> None:
    text = setup.SETUPS[0].text
    if word == "cut off":
        text = text.replace(".............", "xxxxxxxxxxxxx").replace("..n.n...n.n..", "x.n.n.x.n.n.x")
    assert old in text
    with pytest.raises(Refused, match=word):
        GAME.from_setup(GAME.new().options, text.replace(old, new))


@pytest.mark.parametrize(
    ("units", "tail", "word"),
    [
        ("0L10@0,3 1L10@12,3", "turn=1", "first turn"),
        ("0L10@0,3 1L0", "turn=0", "its leader"),
        ("0L10@0,3 1L10@12,4", "turn=0", "units 0 and 1 do not face each other"),
        ("0L10@0,3 1L10@12,3 n10@2,2", "turn=0", "units 2 and 8 do not face each other"),
        ("0L10@0,3 1L10@12,3 0c10@2,2 n0 n0 n0 n0 n0 0c10@10,2", "turn=0", "units 2 and 8 do not face each other"),
    ],
)
def test_positions_that_a_match_may_not_begin_with(units: str, tail: str, word: str) -> None:
    with pytest.raises(Refused, match=word):
        GAME.from_setup(GAME.new().options, f"{OPEN} {units} {tail}")


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_page_of_rules_names_every_option_and_shows_a_position(language: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / f"cultist.{language}.md").read_text("utf-8")
    assert all(f"`{option.name}`" in page for option in setup.OPTIONS)
    assert all(f"`{choice.name}`" in page for option in setup.OPTIONS for choice in option.choices)
    (position,) = [line for line in page.splitlines() if "@" in line and "/" in line and line.startswith(".")]
    assert GAME.position(GAME.new(position=position)).startswith(position.split(" 1c0")[0])
    diagram = [line[6:43].split() for line in page.splitlines() if line[:6] in {f"  {y}   " for y in range(7)}]
    s = GAME.state(GAME.new(seed=1))  # the start that the page shows
    signs = {-1: "x", 0: "."} | {1 + unit: "L" if unit < 2 else "n" for unit in range(14)}
    assert diagram == [[signs[max(-1, s.board[cell_at(x, y)])] for x in range(13)] for y in range(7)]
