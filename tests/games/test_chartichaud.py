"""Chartichaud: the ruling's checks and table, maps and notation. Fog: test_chartichaud_fog.py."""

from __future__ import annotations

import numpy as np
import pytest

from cases import long_journey, travel
from chartichaud_scenes import GAME, at, both_presets, play, refusal, scene, told, view_of
from quincunx.core.contract import PUBLIC
from quincunx.core.words import Refused
from quincunx.games import World
from quincunx.games.chartichaud import grid, notation
from quincunx.games.chartichaud.evaluate import policy
from quincunx.games.chartichaud.grid import ONE, PITCH
from quincunx.games.chartichaud.rules import MAKE, MOVE, clash

# -- fights ----------------------------------------------------------------------------------------------------------

FIGHTS = {
    (2, 1): (1, 0), (2, 2): (0, 1), (3, 2): (1, 0), (4, 3): (0, 1), (5, 4): (1, 0), (6, 5): (0, 2), (8, 5): (4, 0),
    (8, 6): (2, 0), (10, 7): (3, 0), (10, 8): (0, 2), (3, 0): (3, 0), (0, 4): (0, 4),
}  # fmt: skip


@pytest.mark.parametrize(("armies", "left"), FIGHTS.items())
def test_fights(armies: tuple[int, int], left: tuple[int, int]) -> None:
    """Whoever has no military left loses everything there; only the attacker scores."""
    a, d = armies
    stack_a, stack_d = f"2C{f'{a}M' if a else ''}1B", f"1C{f'{d}M' if d else ''}2B"
    world = scene(f"9x9 turn=0 A=4,4:{stack_a};0,0:1C B=4,4:{stack_d};8,8:1C")
    assert clash(a, d) == left[0] - left[1]
    play(world, "end")
    assert at(world, 0, 4, 4) == (f"2C{left[0]}M1B" if left[0] else "")
    assert at(world, 1, 4, 4) == (f"1C{left[1]}M2B" if left[1] else "")
    gained = 10 * (d - left[1]) + (0 if left[1] else 5 + 30)
    assert GAME.scores(world) == [gained, 0]


def test_fewest_attackers_that_win() -> None:
    fewest = [next(a for a in range(40) if clash(a, d) > 0) for d in range(1, 16)]
    assert fewest == [2, 3, 5, 5, 8, 8, 9, 11, 13, 13, 15, 15, 18, 18, 21]


def test_civilians_and_buildings_alone_do_not_fight() -> None:
    world = play(scene("9x9 turn=0 A=4,4:2C1B B=4,4:1C1B"), "end")
    assert (at(world, 0, 4, 4), at(world, 1, 4, 4)) == ("2C1B", "1C1B")


def test_a_fight_without_losses_is_told_in_good_french() -> None:
    world = scene("9x9 turn=0 A=4,4:1M;0,0:1C B=4,4:1C;8,8:1C")
    events = GAME.apply_and_tell(world, 0, GAME.parse(world, 0, "end"), 0, 0)
    assert "le camp A attaque et ne perd rien, le camp B perd 1 civil" in events[0].words.fr


def test_a_fight_is_told_to_both_with_all_losses_even_where_it_ends_sight() -> None:
    world = scene("9x9 turn=0 A=4,4:3M;0,0:1C B=4,4:1C2M1B;8,8:1C")
    fight = "fight on 4,4: side A attacks and loses 2 soldiers, side B loses 1 civilian, 2 soldiers, 1 building"
    for seat in range(2):
        assert told(world, "end", seat)[:2] == [fight, "40 points more"]
    assert "4,4 is out of sight" in told(world, "end", 1)
    assert told(world, "end", PUBLIC) == ["40 points more", "end of the turn"]
    play(world, "end")
    memory = GAME.state(world).memory[1][4 * PITCH + 4]
    assert memory == 1 << 52 | ONE[1]  # B remembers, of turn 0, the one that is left


# -- the start -------------------------------------------------------------------------------------------------------


@both_presets
def test_the_start(preset: str) -> None:
    world = GAME.new(preset, seed=5)
    terms, s = GAME.terms(world), GAME.state(world)
    assert (terms.width, terms.height, terms.turns) == (16, 9, 300 if preset == "seed" else 301)
    assert (at(world, 0, 0, 0), at(world, 1, 15, 8)) == ("3C", "3C")
    assert list(s.purse) == [25, 25] and s.forces[0] == s.forces[1] == 3 and GAME.turn(world) == 0


def test_gold_over_many_maps() -> None:
    totals, cells = [], []
    for seed in range(500):
        s = GAME.state(GAME.new(seed=seed))
        gold = [[s.gold[y * PITCH + x] for x in range(16)] for y in range(9)]
        assert gold == [row[::-1] for row in gold[::-1]]
        totals.append(sum(map(sum, gold)))
        cells.append(sum(n > 0 for row in gold for n in row))
    assert abs(np.mean(totals) - 1625) < 50  # three deviations of the mean
    assert abs(np.mean(cells) - 27.3) < 0.25 and max(cells) <= 30


@pytest.mark.parametrize(("width", "height", "draws"), [(5, 5, 3), (16, 9, 15), (40, 40, 167), (5, 40, 21)])
def test_the_number_of_draws_follows_the_size(width: int, height: int, draws: int) -> None:
    found = [GAME.state(GAME.new(width=width, height=height, seed=seed)).lodes for seed in range(30)]
    assert max(found) <= 2 * draws and np.mean(found) > draws


def test_the_middle_of_an_odd_grid_is_its_own_mirror() -> None:
    middles = [GAME.state(GAME.new(width=5, height=5, seed=seed)).gold[2 * PITCH + 2] for seed in range(200)]
    assert any(middles) and all(gold % 2 == 0 for gold in middles)


# -- the table of the ruling -----------------------------------------------------------------------------------------


@both_presets
def test_prices_and_who_makes_whom(preset: str) -> None:
    world = scene("9x9 turn=0 purse=30,0 A=0,0:1C1B B=8,8:1C", preset)
    play(world, "build 0,0", "recruit military 0,0")
    s = GAME.state(world)
    assert s.purse[0] == 5 and at(world, 0, 0, 0) == "1C1M2B"
    assert refusal(world, "build 0,0") == "no_unit"
    fresh = refusal(world, "recruit civilian 0,0")  # by the new building
    assert fresh == (None if preset == "seed" else "no_unit")
    poor = scene("9x9 turn=0 purse=9,0 A=0,0:1C1B B=8,8:1C", preset)
    assert [refusal(poor, o) for o in ("build 0,0", "recruit military 0,0")] == ["too_poor"] * 2
    assert refusal(poor, "recruit civilian 0,0") is None


@both_presets
def test_fresh_units(preset: str) -> None:
    """The seed's chain in one turn: a civilian builds, the building recruits, the recruit moves."""
    world = scene("9x9 turn=0 purse=25,0 A=0,0:1C B=8,8:1C", preset)
    play(world, "build 0,0")
    if preset == "telecom":
        assert refusal(world, "recruit military 0,0") == "no_unit"
        play(world, "end", "end", "recruit military 0,0")
        assert refusal(world, "move military 0,0 east") == "no_unit"
    else:
        play(world, "recruit military 0,0", "move military 0,0 east")
        assert at(world, 0, 1, 0) == "1M" and refusal(world, "move military 1,0 east") == "no_unit"


@both_presets
def test_making_units_where_the_enemy_has_a_building(preset: str) -> None:
    world = scene("9x9 turn=0 purse=90,0 A=4,4:1C1B B=4,4:1B", preset)
    wanted = None if preset == "seed" else "disputed"
    for order in ("build 4,4", "recruit civilian 4,4", "recruit military 4,4"):
        assert refusal(world, order) == wanted
        assert (world.game.parse(world, 0, order) in GAME.legal(world)) == (wanted is None)
    assert refusal(scene("9x9 turn=0 purse=90,0 A=4,4:1C B=4,4:1C", preset), "build 4,4") is None


@both_presets
def test_buildings_on_a_cell(preset: str) -> None:
    world = scene("9x9 turn=0 purse=45,0 A=0,0:3C B=8,8:1C", preset)
    play(world, "build 0,0", "build 0,0", "build 0,0")
    assert at(world, 0, 0, 0) == "3C3B"
    collapse = "2 surplus buildings collapse on 0,0"
    assert (collapse in told(world, "end", 0)) == (preset == "telecom") and collapse not in told(world, "end", 1)
    play(world, "end")
    assert at(world, 0, 0, 0) == ("3C3B" if preset == "seed" else "3C1B") and GAME.state(world).purse[0] == 0
    with pytest.raises(Refused):
        GAME.parse(world, 0, "move building 0,0 east")


@both_presets
def test_harvest(preset: str) -> None:
    """Once a cell and player turn, whoever harvests; both players may in their own turns."""
    world = scene("9x9 turn=0 A=4,4:2C B=4,4:1C gold=4,4:3", preset)
    play(world, "harvest 4,4")
    s = GAME.state(world)
    assert (s.gold[4 * PITCH + 4], s.purse[0], s.points[0]) == (2, 1, 1)
    assert refusal(world, "harvest 4,4") == "reaped"
    play(world, "end", "harvest 4,4", "end", "harvest 4,4", "end")
    assert refusal(world, "harvest 4,4") == "no_gold" and GAME.scores(world) == [2, 1]
    assert refusal(play(world, "end"), "harvest 0,0") == "no_unit"


@both_presets
def test_one_action_a_unit_and_the_edge_of_the_map(preset: str) -> None:
    world = scene("9x9 turn=0 A=0,0:2C1M B=8,8:1C", preset)
    assert refusal(world, "move civilian 0,0 north") == refusal(world, "move military 0,0 west") == "off_grid"
    play(world, "move civilian 0,0 east")
    assert refusal(world, "move civilian 1,0 east") == "no_unit"
    play(world, "move civilian 0,0 south", "move military 0,0 east", "end", "end", "move civilian 1,0 east")
    assert (at(world, 0, 1, 0), at(world, 0, 2, 0)) == ("1M", "1C")


@both_presets
def test_the_end_of_a_match(preset: str) -> None:
    beaten = play(scene("9x9 turn=4 points=0,99 A=4,4:1M B=4,4:1C", preset), "end")
    assert GAME.over(beaten) and GAME.scores(beaten) == [5, -1]
    failed = play(scene("9x9 turn=4 points=9,0 A=4,4:1M B=4,4:1M", preset), "end")
    assert GAME.over(failed) and GAME.scores(failed) == [-1, 0]
    last = 299 if preset == "seed" else 300
    long = scene(f"9x9 turn={last} points=7,7 A=0,0:1C B=8,8:1C", preset)
    assert GAME.turn(long) == last % 2 and told(long, "end", PUBLIC)[-1] == "the last turn is played"
    assert GAME.over(play(long, "end")) and GAME.scores(long) == [7, 7]


# -- maps and notation -----------------------------------------------------------------------------------------------

MAP = "7 7\ngold 3 3 40   # the middle\n\nunit A civilian 0 0 3\nunit B military 6 6 2\nunit b building 6 6 1\n"


def test_a_map_file() -> None:
    options = GAME.new().options
    world = GAME.from_setup(options, MAP)
    assert at(world, 0, 0, 0) == "3C" and at(world, 1, 6, 6) == "2M1B"
    s = GAME.state(world)
    assert s.gold[3 * PITCH + 3] == 40 and list(s.wealth) == [40, 60] and GAME.terms(world).width == 7


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "a width and a height from 5 to 40 on line 1"),
        ("4 7", "a width and a height from 5 to 40 on line 1"),
        ("# a map\n7 x", "a width and a height from 5 to 40 on line 2"),
        (MAP + "silver 1 1 1", "on line 7"),
        (MAP + "gold 1 1", "on line 7"),
        (MAP + "gold 7 1 1", "a cell from 0 0 to 6 6 on line 7"),
        (MAP + "gold 1 -1 1", "a cell from 0 0 to 6 6 on line 7"),
        (MAP + "gold 1 1 0", "a number from 1 to 31960 on line 7"),
        (MAP + "gold 1 1 32000", "a number from 1 to 31960 on line 7"),
        (MAP + "unit C civilian 1 1 1", "A or B on line 7"),
        (MAP + "unit A wizard 1 1 1", "civilian, military or building on line 7"),
        (MAP + "unit A military 1 1 501", "a number from 1 to 500 on line 7"),
        (MAP + "unit A military 1 1 ²", "a number from 1 to 500 on line 7"),
    ],
)
def test_a_bad_map_is_refused_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(Refused, match=r"^This needs ") as refused:
        GAME.from_setup(GAME.new().options, text)
    assert sentence in str(refused.value) and refused.value.words.fr.startswith("Il faut")


def test_a_map_without_units_of_one_side_says_who_needs_one() -> None:
    with pytest.raises(Refused, match=r"^Side B needs a unit\.$"):
        GAME.from_setup(GAME.new().options, "7 7\nunit A civilian 0 0 1")


def test_maps_of_the_house_are_fair() -> None:
    for setup in GAME.setups:
        terms, s = GAME.terms(w := GAME.new(setup=setup.name)), GAME.state(w)
        for cell in (y * PITCH + x for y in range(terms.height) for x in range(terms.width)):
            there = grid.mirror(terms, cell)
            assert s.gold[cell] == s.gold[there] and s.units[0][cell] == s.units[1][there], setup.name


def test_actions_in_words() -> None:
    world = GAME.new()
    for text, short in (
        ("move military 4,5 east", "MOVE m 4,5 e"),
        ("move civilian 0,0 west", "aller civil 0,0 ouest"),
        ("build 15,8", "bâtir 15,8"),
        ("recruit civilian 1,2", "recruter c 1,2"),
        ("harvest 3,3", "récolter 3,3"),
        ("end", "fin"),
    ):
        action = GAME.parse(world, 0, short)
        assert GAME.text(world, 0, action) == text and GAME.parse(world, 0, text) == action


@pytest.mark.parametrize(
    "text",
    ["", "fly", "move", "move civilian", "move civilian 4,5", "move civilian 4,5 up", "move wizard 4,5 east",
     "move civilian 16,0 east", "move civilian 4;5 east", "build", "build 0,0 0,0", "recruit building 0,0", "end now",
     "recruit 0,0", "harvest all 0,0", "move 2 civilian 0,0 east", "harvest all"],
)  # fmt: skip
def test_nonsense_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Refused, match=r"^(This needs|The map has|Too many|At least) "):
        GAME.parse(GAME.new(), 0, text)


def test_orders_to_several_units() -> None:
    world = scene(
        "9x9 turn=0 purse=25,0 A=4,5:3C4M2B;1,1:2C;2,2:1C B=8,8:1C acted=4,5:1M gold=4,5:9;1,1:4;7,7:1 reaped=2,2"
    )
    terms, s = GAME.terms(world), GAME.state(world)
    march = MOVE << 16 | 1 << 14 | 1 << 12 | 5 * PITCH + 4
    for known in (s, view_of(world, 0)):
        assert notation.expand(terms, known, 0, "move 3 military 4,5 east") == [march] * 3
        assert notation.expand(terms, known, 0, "move all military 4,5 east") == [march] * 3
        assert notation.expand(terms, known, 0, "move military 4,5 east") == [march]
        assert notation.expand(terms, known, 0, "recruit all civilian 4,5") == [MAKE << 16 | 5 * PITCH + 4] * 2
        assert notation.expand(terms, known, 0, "build all 4,5") == [MAKE << 16 | 2 << 14 | 5 * PITCH + 4]
        harvests = [notation.text(terms, s, 0, a) for a in notation.expand(terms, known, 0, "harvest all")]
        assert harvests == ["harvest 1,1", "harvest 4,5"]
        for order in ("move 4 military 4,5 east", "build 2 4,5", "recruit 3 civilian 4,5", "move 0 civilian 4,5 east"):
            with pytest.raises(Refused, match=r"^(This needs|The map has|Too many|At least) "):
                notation.expand(terms, known, 0, order)
    for order in ("harvest all", "move 3 military 4,5 east", "move all civilian 1,1 north"):
        for action in notation.expand(terms, GAME.state(world), 0, order):
            assert GAME.check(world, 0, action) is None or order == "move all civilian 1,1 north"
            GAME.apply(world, 0, action)


@both_presets
@pytest.mark.parametrize("size", [(16, 9), (40, 40)])
def test_a_position_reads_back_to_the_byte(preset: str, size: tuple[int, int]) -> None:
    world = GAME.new(preset, seed=2, width=size[0], height=size[1])
    for n, _ in enumerate(travel(world, long_journey(8, 300), 8)):
        if n % 10 == 0:
            text = GAME.position(world)
            assert "\n" not in text and GAME.to_bytes(scene(text, preset)) == GAME.to_bytes(world)


@pytest.mark.parametrize(
    "text",
    ["", "3x9", "9x9", "9x9 turn=x A=0,0:1C B=8,8:1C", "9x9 turn=301 A=0,0:1C B=8,8:1C",
     "9x9 A=9,0:1C B=8,8:1C", "9x9 A=0,0:C B=8,8:1C", "9x9 A=0,0:1C B=8,8:1C acted=0,0:2C", "9x9 A=0,0:9999C B=8,8:1C",
     "9x9 A=0,0:1C B=8,8:1C memoryA=1,1@0:3", "9x9 A=0,0:1C B=8,8:1C memoryA=5,5@3:3", "9x9 A=0,0:1C B=8,8:1C hat=3",
     "9x9 A=0,0:1C B=8,8:1C gold=4,4:99999", "9x9 points=1 A=0,0:1C B=8,8:1C", "9x9 won=3,0 A=0,0:1C B=8,8:1C"],
)  # fmt: skip
def test_a_position_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(Refused, match=r"^(This needs|The map has|Too many|At least) "):
        scene(text)


def test_the_key_follows_what_decides_and_nothing_else() -> None:
    text = "9x9 turn={} points=1,2 purse={},3 A=0,0:{} B=8,8:1C{} gold=4,4:{}"
    base: tuple[str, ...] = ("2", "7", "2C1M", "", "9")
    keys = {base: GAME.key(scene(text.format(*base)))}
    for k, value in enumerate(["4", "8", "1C2M", " acted=0,0:1C", "8"]):
        changed = (*base[:k], value, *base[k + 1 :])
        keys[changed] = GAME.key(scene(text.format(*changed)))
    assert len(set(keys.values())) == len(keys)
    assert GAME.key(scene(text.format(*base) + " memoryA=5,5@0:3")) == keys[base]


# -- how it is played ------------------------------------------------------------------------------------------------


def _policy(world: World, n: int) -> list[str]:
    """The next actions of playouts, in words."""
    game, random, said = world.game, GAME.random(1)[0], []
    for _ in range(n):
        out = game.legal(world)
        seat = game.turn(world)
        said.append(game.text(world, seat, out[policy(world.terms[0], world.rows[0], seat, out, len(out), random)]))
        play(world, said[-1])
    return said


def test_a_playout_makes_what_it_can_before_it_walks_away() -> None:
    """A building in the first turn, and with the rest of the gold a worker, as nobody is in sight."""
    assert _policy(GAME.new(seed=1), 2) == ["build 0,0", "recruit civilian 0,0"]


def test_a_soldier_that_is_wanted_is_saved_for() -> None:
    """A playout makes no civilian while more soldiers of the enemy are in sight; while there are none, it does."""
    weak, even = (scene(f"9x9 turn=0 purse=7,0 gold=4,4:9 A=0,0:2C1B B=2,2:{stack}") for stack in ("1C1M", "1C"))
    assert "recruit civilian 0,0" not in _policy(weak, 3)
    assert _policy(even, 1)[0] == "recruit civilian 0,0"
