"""Garden Tensions, ruling by ruling: each position here would go another way without its ruling."""

from __future__ import annotations

from collections import Counter

import pytest

from games.gardens import at, game, garden, options, play, refused
from quincunx.core.contract import CHANCE, NOBODY
from quincunx.games import World
from quincunx.games.garden.hexes import NAMES

# -- 1 to 4: turns, moves, fights, points ---------------------------------------------------------------------------


def test_1_resources_then_poison_then_conquest() -> None:
    world = garden("c1=A2 c7=B2p3 c6=B1p1 d3=B1", turn="turn=4")
    play(world, "end", "c1+2")
    s = game.state(world)
    assert s.goods[1] == [3, 0, 0, 1] and s.player == 1  # c7, d3 food, c6 wood: before the poison strikes
    assert game.turn(world) == CHANCE and s.target == NAMES.index("c6")
    play(world, "6/1")  # the last tick of c6 kills the only creature there
    assert at(world, "c6") == "-" and game.turn(world) == CHANCE
    play(world, "4/43")  # an equal die saves
    assert at(world, "c7") == "B1p2"
    assert game.turn(world) == 1 and game.state(world).phase == 0
    assert game.state(world).goods[0] == [0, 0, 0, 0]  # nothing for the one whose turn it was


def test_1_poison_strikes_in_the_turns_of_the_holder_only() -> None:
    world = garden("c1=A2p2 c7=B2")
    play(world, "end", "c1+2")
    assert game.turn(world) == 1 and at(world, "c1") == "A4p2"
    play(world, "end", "c7+2")
    assert game.turn(world) == CHANCE


def test_1_a_shelter_is_no_poison() -> None:
    assert game.turn(play(garden("c1=A2 c7=B2h"), "end", "c1+2")) == 1


def test_1_special_cells_give_no_resources() -> None:
    world = play(garden("b3=A2 c7=B2 c5=B2"), "end", "b3+2")
    assert game.state(world).goods[1] == [2, 0, 0, 0]


def test_2_all_but_one_move_and_may_move_on() -> None:
    world = garden("a1=A4 c7=B1")
    play(world, "a1-a2", "a2-a3")
    assert at(world, "a1", "a2", "a3") == "A1 A1 A2"
    assert refused(world, "a2-b2") == "too_few"
    assert refused(world, "a3-a2") == "own_target"
    assert refused(world, "a3-a5") == "not_adjacent"
    assert refused(world, "c7-c6") == "not_yours"


@pytest.mark.parametrize(
    ("dice", "after", "points"),
    [("222/33", "A1 B2", [0, 1]), ("111/65", "A1 B2", [0, 1]), ("223/33", "A1 A2", [1, 0])],
)
def test_3_and_4_the_strictly_greater_sum_wins_and_the_winner_has_a_point(
    dice: str, after: str, points: list[int]
) -> None:
    world = play(garden("c1=A3 c2=B2 c7=B1"), "c1-c2")
    assert game.turn(world) == CHANCE and game.legal(world) == []
    play(world, dice)
    assert at(world, "c1", "c2") == after and game.state(world).points == points
    assert game.turn(world) == 0


def test_3_with_the_option_only_those_who_move_roll() -> None:
    world = play(garden("c1=A3 c2=B2", attack_dice="moving"), "c1-c2")
    assert refused(world, "111/11") == "not_dice" and refused(world, "11/11") == ""
    assert all(len(game.text(world, CHANCE, game.roll(world, game.random(k)))) == 5 for k in range(20))


def test_4_empty_cells_give_no_point() -> None:
    world = play(garden("c1=A3 c7=B1"), "c1-c2")
    assert game.state(world).points == [0, 0] and game.turn(world) == 0


# -- 5 and 6: special cells -----------------------------------------------------------------------------------------

SPECIALS = [("b3", "b2", "metal", 5), ("d4", "c4", "food", 3), ("c3", "c2", "stone", 3), ("c5", "c4", "wood", 3)]
RESOURCES = ("food", "metal", "stone", "wood")


@pytest.mark.parametrize(("cell", "near", "resource", "price"), SPECIALS)
def test_5_a_special_cell_is_paid_on_conquest(cell: str, near: str, resource: str, price: int) -> None:
    kind = RESOURCES.index(resource)
    poor = garden(f"{near}=A3 c7=B1", a=f"{resource}={price - 1}")
    assert refused(poor, f"{near}-{cell}") == "too_poor" and f"{near}-{cell}" not in options(poor)
    rich = play(garden(f"{near}=A3 c7=B1", a=f"{resource}={price + 1}"), f"{near}-{cell}")
    assert at(rich, cell) == "A2" and game.state(rich).goods[0][kind] == 1


@pytest.mark.parametrize(("cell", "near", "resource", "price"), SPECIALS)
def test_5_taking_it_from_the_enemy_is_paid_on_success_only(cell: str, near: str, resource: str, price: int) -> None:
    kind = RESOURCES.index(resource)
    assert refused(garden(f"{near}=A3 {cell}=B1 c7=B1", a=f"{resource}={price - 1}"), f"{near}-{cell}") == "too_poor"
    for dice, left in (("111/3", price), ("211/3", 0)):
        world = play(garden(f"{near}=A3 {cell}=B1 c7=B1", a=f"{resource}={price}"), f"{near}-{cell}", dice)
        assert game.state(world).goods[0][kind] == left


def test_5_sky_attacks_and_shelters_pay_for_a_special_cell_too() -> None:
    cells = "b3=A1 a1=A3 c5=B1 c4=B2 c7=B1"
    assert refused(garden(cells, a="metal=5 wood=2"), "sky a1-c5") == "too_poor"
    world = play(garden(cells, a="metal=5 wood=3"), "sky a1-c5", "666/1")
    assert game.state(world).goods[0] == [0, 0, 0, 0] and at(world, "a1", "c5") == "A1 A2"
    lumberjacks = {"clan0": "lumberjacks"}
    assert refused(garden("c4=A3 c5=B1 c7=B1", a="points=8 wood=2", **lumberjacks), "shelter c4-c5") == "too_poor"
    world = play(garden("c4=A3 c5=B1 c7=B1", a="points=8 wood=4", **lumberjacks), "shelter c4-c5")
    assert game.state(world).goods[0][3] == 1 and at(world, "c5") == "A2h"


@pytest.mark.parametrize(("dice", "after"), [("11/2", "A1 B1"), ("11/1", "A1 A1")])
def test_6_the_sky_reaches_every_enemy_cell_and_costs_5_metal_win_or_lose(dice: str, after: str) -> None:
    world = garden("b3=A1 a1=A2 e5=B1 c7=B1", a="metal=11")
    assert refused(world, "sky a1-e4") == "not_enemy" and refused(world, "sky b3-e5") == "too_few"
    play(world, "sky a1-e5", dice)
    assert game.state(world).goods[0][1] == 6 and at(world, "a1", "e5") == after


def test_6_the_sky_may_serve_more_than_once_a_turn_but_only_who_holds_it_and_pays() -> None:
    world = garden("b3=A1 a1=A2 a2=A2 e5=B1 c7=B1", a="metal=10")
    play(world, "sky a1-e5", "11/6", "sky a2-e5", "11/6")
    assert game.state(world).goods[0][1] == 0
    assert refused(garden("a1=A2 e5=B1", a="metal=9"), "sky a1-e5") == "not_held"
    assert refused(garden("b3=A2 e5=B1", a="metal=4"), "sky b3-e5") == "too_poor"


def test_6_the_candy_gives_creatures_once_a_turn_in_the_reinforcement_phase() -> None:
    world = garden("d4=A1 a1=A1 c7=B1", a="food=7")
    assert refused(world, "candy") == "wrong_phase"
    play(world, "end", "candy")
    assert game.state(world).stock[0] == 5 and game.state(world).goods[0][0] == 4
    assert refused(world, "candy") == "used_up"
    play(world, "d4+4", "a1+1", "end", "c7+2", "end")
    assert refused(world, "candy") == ""
    assert refused(play(garden("d4=A1 c7=B1", a="food=2"), "end"), "candy") == "too_poor"
    assert game.state(play(garden("d4=A1 c7=B1", a="food=3", k=5), "end", "candy")).stock[0] == 7


@pytest.mark.parametrize(("power", "cell", "resource"), [("barbecue", "c3", "stone"), ("pool", "c5", "wood")])
def test_6_barbecue_and_pool_kill_up_to_three_without_a_fight(power: str, cell: str, resource: str) -> None:
    kind = RESOURCES.index(resource)
    world = garden(f"{cell}=A1 a1=A1 a2=B5 b1=B2 e5=B3", a=f"{resource}=7")
    assert refused(world, f"{power} e5") == "out_of_reach" and refused(world, f"{power} a3") == "not_enemy"
    play(world, f"{power} a2")
    assert at(world, "a2") == "B2" and game.state(world).goods[0][kind] == 4
    assert game.state(world).points == [0, 0] and game.turn(world) == 0
    assert refused(world, f"{power} a2") == "used_up"
    assert refused(garden(f"{cell}=B1 a1=A1 a2=B5", a=f"{resource}=7"), f"{power} a2") == "not_held"
    assert refused(garden(f"{cell}=A1 e5=B3", a=f"{resource}=7", grill_range="any"), f"{power} e5") == ""


def test_6_barbecue_and_pool_serve_once_each() -> None:
    world = garden("c3=A1 c5=A1 c4=B5 c7=B1", a="stone=6 wood=6")
    play(world, "barbecue c4", "pool c4")
    assert at(world, "c4") == "-" and refused(world, "pool c7") == "used_up"


# -- 7: empty cells -------------------------------------------------------------------------------------------------


def test_7_a_cell_without_creatures_is_nobodys_and_normal() -> None:
    world = play(garden("c3=A1 c4=B2p2i2f1 c7=B1", a="stone=3"), "barbecue c4")
    assert at(world, "c4") == "-" and game.state(world).cells == [1, 1]
    cell = NAMES.index("c4")
    s = game.state(world)
    assert (s.owner[cell], s.condition[cell], s.stuck[cell], s.forged[cell]) == (-1, 0, 0, 0)


# -- 8: abilities ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("clan", "kind"), [("cooks", 0), ("blacksmiths", 1), ("miners", 2), ("lumberjacks", 3)])
@pytest.mark.parametrize("stock", [0, 1, 2, 5])
def test_8_pillage_takes_two_of_the_clans_resource_and_a_life(clan: str, kind: int, stock: int) -> None:
    world = garden("c1=A1 c2=B2 c7=B1", a="points=9", b=f"{RESOURCES[kind]}={stock}", clan0=clan)
    assert refused(world, "pillage c7") == "out_of_reach" and refused(world, "pillage c1") == "not_enemy"
    play(world, "pillage c2")
    s = game.state(world)
    assert at(world, "c2") == "B1" and s.points == [1, 0]
    assert s.goods[0][kind] == min(2, stock) and s.goods[1][kind] == stock - min(2, stock)
    assert sum(s.goods[0]) + sum(s.goods[1]) == stock
    assert refused(world, "pillage c2") == "no_points"


def test_8_a_clan_has_its_own_ability_only() -> None:
    own = {"cooks": "poison c2", "blacksmiths": "forge c1", "miners": "immobilise c2", "lumberjacks": "shelter c1-c2"}
    for clan in own:
        world = garden("c1=A2 c2=B2 c7=B1", a="points=8", clan0=clan, clan1=clan)
        assert [refused(world, text) for c, text in own.items() if c != clan] == ["other_clan"] * 3
        assert refused(world, own[clan]) == ""
        assert refused(garden("c1=A2 c2=B2", a="points=7", clan0=clan), own[clan]) == "no_points"


def test_8_poison_ticks_three_times_and_a_new_poisoning_begins_again() -> None:
    world = garden("c1=A1 c2=B3 c7=B1", a="points=8", clan0="cooks", m=1)
    play(world, "poison c2")
    assert at(world, "c2") == "B3p3"
    for after in ("B3p2", "B3p1", "B3"):
        play(world, "end", "c1+1", "1/111")
        assert at(world, "c2") == after
        play(world, "end", "c7+1")
    assert game.turn(play(world, "end", "c1+1")) == 1  # no fourth one
    again = play(garden("c1=A1 c2=B3p1 c7=B1", a="points=8"), "poison c2")
    assert at(again, "c2") == "B3p3"


def test_8_poison_strikes_whoever_took_the_cell() -> None:
    world = play(garden("c1=A3 c2=B1p2 c7=B1"), "c1-c2", "666/1")
    assert at(world, "c2") == "A2p2"
    play(world, "end", "c1+2", "end", "c7+2", "6/16")
    assert at(world, "c2") == "A1p1"


def test_8_forged_weapons_last_to_the_end_of_the_next_turn_and_go_with_both_halves() -> None:
    world = garden("c1=A3 c4=B4 c7=B1", a="points=8", clan0="blacksmiths")
    assert refused(world, "forge c4") == "not_yours"
    play(world, "forge c1", "c1-c2")
    assert at(world, "c1", "c2") == "A1f2 A2f2"
    play(world, "end", "c1+2")
    assert at(world, "c1", "c2") == "A3f1 A2f1"
    play(world, "end", "c7+2")
    assert at(world, "c1", "c2") == "A3f1 A2f1"  # in defence, too
    play(world, "end", "c1+2")
    assert at(world, "c1", "c2") == "A5 A2"


def test_8_forged_ends_when_the_cell_changes_hands_and_the_conquerors_bring_their_own() -> None:
    taken = play(garden("c1=A3 c2=B1i2f2 c7=B1"), "c1-c2", "666/1")
    assert at(taken, "c2") == "A2"
    armed = play(garden("c1=A3f1 c2=B1i2f2 c7=B1"), "c1-c2", "999/1")
    assert at(armed, "c2") == "A2f1"


def test_8_immobilised_for_two_turns_of_the_owner() -> None:
    world = garden("c1=A1 c2=B3 c7=B1", a="points=8", clan0="miners")
    play(world, "immobilise c2")
    for left in ("i2", "i1"):
        play(world, "end", "c1+2")
        assert at(world, "c2") == f"B3{left}" and refused(world, "c2-b2") == "stuck"
        play(world, "end", "c7+2")
    play(world, "end")
    assert at(world, "c2") == "B3" and refused(world, "c2-b2") == ""


def test_8_immobilised_blocks_sky_attacks_and_shelters() -> None:
    world = garden("b3=A1 c1=A3i1 c2=B1 c7=B1", a="points=8 metal=5", clan0="lumberjacks")
    assert {refused(world, text) for text in ("sky c1-c7", "shelter c1-c2", "c1-b1")} == {"stuck"}
    assert options(world) == ["end", "pillage c2"]


def test_8_lumberjacks_enter_without_a_fight_and_deport() -> None:
    world = garden("c1=A3 c2=B4p2i1 c7=B1", a="points=8", b="stock=1", clan0="lumberjacks")
    assert refused(world, "shelter c1-c7") == "not_adjacent" and refused(world, "shelter c1-b1") == "not_enemy"
    play(world, "shelter c1-c2")
    s = game.state(world)
    assert at(world, "c1", "c2") == "A1 A2h" and s.stock == [0, 5] and s.points == [0, 0]
    play(world, "end", "c1+2", "end")
    assert game.state(world).stock[1] == 7  # the deported, and the two of every turn


def test_8_a_shield_absorbs_a_poisoning() -> None:
    world = play(garden("c1=A1 c2=B2h c7=B1", a="points=8"), "poison c2")
    assert at(world, "c2") == "B2" and game.state(world).points[0] == 0


# -- 9: protected ---------------------------------------------------------------------------------------------------

HOSTILE = {
    "c3-c4": ("cooks", [9, 9, 9, 9], 16), "sky a1-c4": ("cooks", [9, 4, 9, 9], 16),
    "barbecue c4": ("cooks", [9, 9, 6, 9], 16), "pool c4": ("cooks", [9, 9, 9, 6], 16),
    "pillage c4": ("cooks", [9, 9, 9, 9], 8), "poison c4": ("cooks", [9, 9, 9, 9], 8),
    "immobilise c4": ("miners", [9, 9, 9, 9], 8), "shelter c3-c4": ("lumberjacks", [9, 9, 9, 9], 8),
}  # fmt: skip


@pytest.mark.parametrize("act", HOSTILE)
def test_9_a_shield_cancels_one_hostile_act_whose_price_is_spent(act: str) -> None:
    clan, goods, points = HOSTILE[act]
    rich = "points=16 food=9 metal=9 stone=9 wood=9"
    world = garden("a1=A2 b3=A1 c3=A3 c5=A1 c4=B2h c7=B1", a=rich, b="food=5 stone=5 wood=5", clan0=clan)
    play(world, act)
    s = game.state(world)
    assert at(world, "a1", "c3", "c4") == "A2 A3 B2" and game.turn(world) == 0
    assert s.goods[0] == goods and s.points == [points, 0] and s.stock == [0, 0]
    assert s.goods[1] == [5, 0, 5, 5]
    assert refused(world, "c3-c4") == ""  # once more, and now in earnest
    assert game.turn(play(world, "c3-c4")) == CHANCE


def test_9_a_conquest_price_is_not_spent_on_a_shield() -> None:
    world = garden("c4=A3 c5=B1h c7=B1", a="wood=3")
    assert game.state(play(world, "c4-c5")).goods[0][3] == 3
    assert refused(garden("c4=A3 c5=B1h c7=B1", a="wood=2"), "c4-c5") == "too_poor"
    world = garden("c4=A3 c5=B1h c7=B1", a="wood=3 points=8", clan0="lumberjacks")
    assert game.state(play(world, "shelter c4-c5")).goods[0][3] == 3
    assert game.state(world).points[0] == 0


# -- 10 to 12: reinforcement, zones, the end ------------------------------------------------------------------------


def test_10_all_that_has_room_must_be_placed() -> None:
    world = play(garden("c1=A3 c2=A4 c7=B1", a="stock=3"), "end")
    assert options(world) == ["c1+1", "c1+2", "c2+1"] and refused(world, "end") == "wrong_phase"
    assert refused(world, "c1+3") == "no_room" and refused(world, "c7+1") == "not_yours"
    play(world, "c1+2", "c2+1")
    assert game.state(world).stock[0] == 2 and game.turn(world) == 1  # no room for two: the turn ended by itself


def test_10_the_turn_ends_at_once_where_there_is_no_room() -> None:
    world = play(garden("c1=A5 c7=B1"), "end")
    assert game.turn(world) == 1 and game.state(world).stock[0] == 2


GRASS_OF_MAP = ["a1", "a2", "b1", "b2", "c1", "c7", "d5", "d6", "e4", "e5"]


def test_11_a_zone_counts_if_every_cell_is_ones_own_at_the_start_of_the_reinforcement() -> None:
    lawn = " ".join(f"{cell}=A1" for cell in GRASS_OF_MAP)
    assert game.state(play(garden(f"{lawn} c6=B1"), "end")).stock[0] == 4
    assert game.state(play(garden(f"{lawn} c6=B1", m=3, n=5), "end")).stock[0] == 8
    almost = lawn.replace("e5=A1", "e5=B1")
    assert game.state(play(garden(almost), "end")).stock[0] == 2
    assert game.state(play(garden(f"{almost.replace('e4=A1', 'e4=A3')} c6=B1"), "e4-e5", "666/1", "end")).stock[0] == 4


def test_12_who_holds_no_cell_has_lost_whatever_his_stock() -> None:
    world = play(garden("c1=A3 c2=B1", b="stock=9"), "c1-c2", "666/1")
    assert game.turn(world) == NOBODY and game.scores(world)[0] > game.scores(world)[1]
    world = play(garden("c1=A3 c2=B4", a="points=8", clan0="lumberjacks"), "shelter c1-c2")
    assert game.turn(world) == NOBODY and game.state(world).stock[1] == 4
    world = play(garden("c1=A1 c7=B1p1", turn="player=A"), "end", "c1+2", "6/1")
    assert game.turn(world) == NOBODY and game.scores(world)[1] == 0


@pytest.mark.parametrize(("cells", "sign"), [
    ("c1=A1 c2=A1 c7=B5", 1), ("c1=A2 c7=B1", 1), ("c1=A1 c7=B2", -1), ("c1=A2 c7=B2", 0),
])  # fmt: skip
def test_the_cap_counts_cells_then_creatures_on_the_board(cells: str, sign: int) -> None:
    world = garden(cells, a="stock=0", b="stock=9", turn="turn=9 player=B", rounds=5)
    before = game.scores(world)
    assert (before[0] > before[1]) - (before[0] < before[1]) == sign
    play(world, "end")
    while game.turn(world) == 1:
        play(world, options(world)[0])
    assert game.turn(world) == NOBODY and game.state(world).turns == 10
    assert game.state(world).goods == [[0] * 4] * 2  # no turn begins after the last


# -- 13: humans -----------------------------------------------------------------------------------------------------


def after_round(text: str, cells: str = "c1=A2 c3=A3 c5=B2 c7=B1") -> World:
    world = garden(cells, turn="turn=1 player=B", humans=True)
    play(world, "end", "c7+2")
    assert game.turn(world) == CHANCE and game.state(world).turns == 2
    return play(world, text)


def test_13_humans_come_at_the_end_of_a_round_only_and_only_if_asked_for() -> None:
    world = play(garden("c1=A2 c7=B1", turn="turn=2", humans=True), "end", "c1+2")
    assert game.turn(world) == 1
    world = play(garden("c1=A2 c7=B1", turn="turn=1 player=B"), "end", "c7+2")
    assert game.turn(world) == 0


@pytest.mark.parametrize(
    ("act", "after", "stock"),
    [
        ("quiet", "A2 A3 B2 B3", [0, 0]),
        ("footstep c1", "A1 A3 B2 B3", [0, 0]),
        ("footstep a1", "A2 A3 B2 B3", [0, 0]),
        ("lunch barbecue", "A2 - B2 B3", [0, 0]),
        ("lunch pool", "A2 A3 - B3", [0, 0]),
        ("sweets", "A2 A3 B2 B3", [1, 1]),
    ],
)
def test_13_what_humans_do(act: str, after: str, stock: list[int]) -> None:
    world = after_round(act)
    assert at(world, "c1", "c3", "c5", "c7") == after
    s = game.state(world)
    assert s.stock == stock and s.goods[0] == [2, 0, 0, 0] and s.waiting == 0 and s.player == 0


def test_13_humans_come_one_round_in_ten_and_do_each_thing_as_often() -> None:
    world = play(garden("c1=A2 c7=B1", turn="turn=1 player=B", humans=True), "end", "c7+2")
    random = game.random(11)
    acts = Counter(game.text(world, CHANCE, game.roll(world, random)) for _ in range(30_000))
    assert acts["quiet"] / 30_000 == pytest.approx(0.9, abs=0.01)
    steps = [acts[f"footstep {name}"] for name in NAMES]
    assert all(steps) and sum(steps) == pytest.approx(1000, rel=0.15)
    assert acts["sweets"] == pytest.approx(1000, rel=0.15)
    assert acts["lunch pool"] == pytest.approx(500, rel=0.2) == acts["lunch barbecue"]
    for nonsense in (1 << 8 | 29, 2 << 8 | 2, 3 << 8 | 1, 1, 4 << 8, 1 << 40, -1):
        assert game.check(world, CHANCE, nonsense) is not None


def test_13_humans_may_end_the_game_even_after_the_last_round() -> None:
    world = after_round("footstep c1", "c1=A1 c7=B1")
    assert game.turn(world) == NOBODY
    last = garden("c1=A2 c7=B1", turn="turn=9 player=B", humans=True, rounds=5)
    play(last, "end", "c7+1", "c7+1")
    assert game.turn(last) == CHANCE
    assert game.turn(play(last, "footstep c7")) == NOBODY and at(last, "c7") == "B2"
    assert game.state(last).goods == [[0] * 4] * 2  # no turn begins any more
