"""Garden Tensions: the 29 hexes, and the exact odds of its dice."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from games.gardens import game, garden, play, refused
from quincunx.core.contract import CHANCE
from quincunx.core.words import Refused
from quincunx.games import load
from quincunx.games.garden.evaluate import ODDS, ONE
from quincunx.games.garden.hexes import CELLS, NAMES, TOUCHES, opposite
from quincunx.search.perft import count_leaves


def test_29_hexes_68_edges_and_a_half_turn() -> None:
    absent = {(0, 0), (0, 1), (1, 0), (3, 6), (4, 5), (4, 6)}
    grid = [(i, j) for i in range(5) for j in range(7) if (i, j) not in absent]
    assert len(grid) == CELLS == len(NAMES)
    for k, (i, j) in enumerate(grid):
        near = {(i - 1, j), (i - 1, j + 1), (i, j + 1), (i + 1, j), (i + 1, j - 1), (i, j - 1)} & set(grid)
        assert {grid[to] for to in range(CELLS) if TOUCHES[k][to]} == near
        assert grid[opposite(k)] == (4 - i, 6 - j)
    assert sum(map(sum, TOUCHES)) == 2 * 68
    assert NAMES[0] == "a1" and NAMES[14] == "c4" and NAMES[28] == "e5"


RULED = {  # the figures of the ruling
    (0, 1): ".417 .093 .012 .001 .000",
    (0, 2): ".838 .444 .152 .036 .006",
    (0, 3): ".973 .779 .454 .192 .061",
    (0, 4): ".997 .939 .743 .460 .220",
    (0, 5): "1.00 .988 .909 .718 .464",
    (2, 2): ".928 .708 .419 .189 .066",
}


@pytest.mark.parametrize(("weapons", "dice"), RULED)
def test_the_odds_are_those_of_the_ruling(weapons: int, dice: int) -> None:
    ruled = [float(figure) for figure in RULED[weapons, dice].split()]
    assert [chance / ONE for chance in ODDS[weapons * 6 + dice][1:]] == pytest.approx(ruled, abs=0.00051)


@pytest.mark.parametrize("weapons", range(4))
def test_the_odds_are_those_of_every_throw(weapons: int) -> None:
    def throws(sides: int, dice: int) -> Counter[int]:
        return Counter(map(sum, product(range(1, sides + 1), repeat=dice)))

    for n in range(1, 5):
        for d in range(1, 5):
            ours, theirs = throws(9 if weapons & 2 else 6, n), throws(9 if weapons & 1 else 6, d)
            won = sum(a * b for (x, a), (y, b) in product(ours.items(), theirs.items()) if x > y)
            assert ODDS[weapons * 6 + n][d] / ONE == pytest.approx(won / ours.total() / theirs.total(), abs=1e-5)


@pytest.mark.parametrize(("cells", "weapons"), [("c1=A3 c2=B2", 0), ("c1=A3f2 c2=B2", 2), ("c1=A3 c2=B2f1", 1)])
def test_fights_are_won_as_often_as_the_odds_say(cells: str, weapons: int) -> None:
    world = play(garden(cells), "c1-c2")
    random = game.random(7)
    rolls = [game.roll(world, random) for _ in range(6000)]
    won = sum(game.chance_outcome(world, dice) for dice in rolls) / len(rolls)
    assert won == pytest.approx(ODDS[weapons * 6 + 3][2] / ONE, abs=0.02)
    faces = Counter(dice & 15 for dice in rolls)
    sides = 9 if weapons & 2 else 6
    assert sorted(faces) == [*range(1, sides + 1)]
    assert all(count == pytest.approx(6000 / sides, rel=0.15) for count in faces.values())


def test_poison_kills_a_creature_in_15_of_36_throws() -> None:
    world = garden("c1=A1p3 c2=A1 c7=B1", turn="dice=poison:c1")
    dead = [game.chance_outcome(world, die | creature << 4) for die in range(1, 7) for creature in range(1, 7)]
    assert sum(dead) == 15 and len(dead) == 36
    random = game.random(3)
    rolled = [game.chance_outcome(world, game.roll(world, random)) for _ in range(6000)]
    assert sum(rolled) / 6000 == pytest.approx(15 / 36, abs=0.02)


@pytest.mark.parametrize(
    ("cells", "good", "bad"),
    [
        ("c1=A3 c2=B2", "111/66", ["11/11", "1111/11", "111/1", "111/111", "117/11", "111/17"]),
        ("c1=A3f1 c2=B2", "999/66", ["111/17", "99/11"]),
        ("c1=A3 c2=B2f1", "666/99", ["711/11"]),
    ],
)
def test_impossible_dice_are_refused(cells: str, good: str, bad: list[str]) -> None:
    world = play(garden(cells), "c1-c2")
    assert refused(world, good) == ""
    assert [refused(world, dice) for dice in bad] == ["not_dice"] * len(bad)
    packed = game.parse(world, CHANCE, good)
    for other in (packed | 1 << 40, packed | 1 << 16, packed & ~15, packed & ~(15 << 20), 0, -1, 2**63 - 1):
        assert game.check(world, CHANCE, other) is not None
    assert game.check(world, 0, packed) is not None and game.check(world, 1, 0) is not None


def test_leaves_beyond_dice_are_not_counted() -> None:
    """However often dice fall below: their marks do not add up to a number."""
    compiled = load("garden", "compiled")
    assert count_leaves(compiled, compiled.new(seed=1), 6) == 2322
    with pytest.raises(Refused, match="without dice"):
        count_leaves(compiled, compiled.new(seed=1), 7)
