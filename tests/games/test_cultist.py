"""Cultist by the ruling's lines: moves, shots, conversions, the end, options, writing, evaluation."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from quincunx.core import hints
from quincunx.core.contract import CHANCE, NOBODY
from quincunx.core.random import below, seeded
from quincunx.core.words import Refused
from quincunx.games import World, load
from quincunx.games.cultist import notation
from quincunx.games.cultist.evaluate import WEIGHTS
from quincunx.games.cultist.rules import (
    MAX_LEGAL,
    WAIT,
)

GAME = load("cultist", "interpreted")
OPEN = "/".join(["." * 13] * 7)
Cell = tuple[int, int]


def world(units: str, ground: str = OPEN, tail: str = "turn=0", **options: Any) -> World:
    return GAME.new(position=f"{ground} {units} {tail}", **options)


def walls(*cells: Cell, sign: str = "x") -> str:
    return "/".join("".join(sign if (x, y) in cells else "." for x in range(13)) for y in range(7))


def play(w: World, line: str) -> list[Any]:
    """Plays a line that must be legal; what is told of it."""
    seat = GAME.turn(w)
    action = GAME.parse(w, seat, line)
    assert GAME.check(w, seat, action) is None
    return GAME.tell(w, 0, GAME.apply_and_log(w, seat, action, 0))


def refusal(w: World, line: str) -> str:
    """The code with which a line is refused, by its reading or by the rules; empty if it is legal."""
    try:
        refused = GAME.check(w, GAME.turn(w), GAME.parse(w, GAME.turn(w), line))
    except Refused as error:
        return error.code
    return refused.code if refused else ""


def hp(w: World, unit: int) -> int:
    value: int = GAME.state(w).hp[unit]
    return value


def cell(w: World, unit: int) -> str:
    return notation.cell_name(GAME.state(w).cell[unit])


# -- actions of the seed preset ------------------------------------------------------------------------------------

FIELD = "0L10@0,3 1L10@12,3 0c10@4,3 1c10@7,3 n10@1,3 1c7@0,2 n10@4,4 0c10@12,6 n10@12,5"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("WAIT", ""),
        ("wait", ""),
        ("2 MOVE 5 3", ""),
        ("2 MOVE 4 2", ""),
        ("2 MOVE 4 4", "not_free"),  # a neutral
        ("2 MOVE 4 3", "not_free"),  # its own cell
        ("2 MOVE 3 3", "not_free"),  # an obstacle
        ("2 MOVE 5 4", "too_far"),  # diagonal
        ("2 MOVE 6 3", "too_far"),
        ("0 MOVE -1 3", "unreadable"),
        ("7 MOVE 12 7", "unreadable"),
        ("7 MOVE 13 6", "unreadable"),
        ("3 MOVE 7 4", "not_yours"),
        ("4 MOVE 1 4", "not_yours"),
        ("9 MOVE 1 4", "not_yours"),  # dead
        ("14 MOVE 1 4", "not_yours"),
        ("2 SHOOT 3", ""),
        ("0 SHOOT 3", "not_a_cultist"),
        ("2 SHOOT 4", "not_an_enemy"),
        ("2 SHOOT 0", "not_an_enemy"),
        ("2 SHOOT 2", "itself"),
        ("2 SHOOT 1", "out_of_range"),
        ("2 SHOOT 9", "no_target"),
        ("2 SHOOT 3,3", "unreadable"),  # obstacles are indestructible
        ("0 CONVERT 4", ""),
        ("0 CONVERT 5", ""),
        ("0 CONVERT 3", "too_far"),
        ("0 CONVERT 1", "not_convertible"),
        ("0 CONVERT 2", "not_convertible"),
        ("0 CONVERT 9", "no_target"),
        ("0 CONVERT 99", "no_target"),
        ("2 CONVERT 6", "not_a_leader"),
        ("0 MOVE 1", "unreadable"),
        ("2 MOVE 5 3 now", "unreadable"),
        ("2 JUMP 5 3", "unreadable"),
        ("", "unreadable"),
    ],
)
def test_what_is_refused(line: str, code: str) -> None:
    assert refusal(world(FIELD, walls((3, 3))), line) == code


def test_legal_lists_exactly_what_check_accepts() -> None:
    chosen: list[dict[str, Any]] = [{}, {"destructible": True}, {"friendly_fire": True}]
    for options in chosen:
        w = world(FIELD, walls((3, 3), (5, 5), (12, 0)), **options)
        accepted = [action for action in range(1 << 16) if GAME.check(w, 0, action) is None]
        assert sorted(GAME.legal(w)) == accepted


def test_a_crowd_fits_the_list_of_legal_actions() -> None:
    cells = [f"0c10@{x},{y}" for x in range(5, 8) for y in range(1, 7, 2)] + ["0c10@3,3", "0c10@9,3", "0c10@10,3"]
    ground = [[("." if (x + y) % 2 == 0 else "x") for x in range(13)] for y in range(7)]
    for x, y in [(0, 3), (12, 3), *((x, y) for x in range(5, 8) for y in range(1, 7, 2)), (3, 3), (9, 3), (10, 3)]:
        ground[y][x] = "."
    rows = "/".join(map("".join, ground))
    w = world(f"0L10@0,3 1L10@12,3 {' '.join(cells)}", rows, destructible=True, friendly_fire=True)
    assert 300 < len(GAME.legal(w)) <= MAX_LEGAL


@pytest.mark.parametrize("far", range(1, 7))
def test_damage_is_seven_less_the_distance(far: int) -> None:
    for start in ("0,0", "6,6"):
        x = far if start == "0,0" else 6 - far
        w = world(f"0L10@0,5 1L10@12,3 0c10@{start} 1c10@{x},{start[-1]}")
        (shot,) = play(w, "2 SHOOT 3")
        assert hp(w, 3) == 10 - (7 - far) and shot.damage == 7 - far and shot.struck == 3
        assert len(shot.cells) == far + 1 and shot.cells[0] == start


def test_distance_is_manhattan() -> None:
    w = world("0L10@0,3 1L10@12,3 0c10@2,2 1c10@4,3")
    play(w, "2 SHOOT 3")
    assert hp(w, 3) == 10 - 4


def test_an_obstacle_stops_a_shot_and_the_shot_is_legal() -> None:
    w = world("0L10@0,3 1L10@12,3 0c10@2,2 1c10@5,2", walls((4, 2)))
    (shot,) = play(w, "2 SHOOT 3")
    assert hp(w, 3) == 10 and (shot.struck, shot.damage, shot.cells) == (-1, 0, ("2,2", "3,2", "4,2"))
    assert shot.aimed_at == "5,2" and "4,2" in shot.words.fr
    assert "....x........" in GAME.position(w)


def test_the_obstacle_counts_on_the_line_from_the_upper_end() -> None:
    """(0, 4) shoots up at (1, 2): the bullet crosses (1, 3), where a line drawn from the shooter crosses (0, 3)."""
    for wall, left in (((1, 3), 10), ((0, 3), 6)):
        w = world("0L10@5,5 1L10@12,3 0c10@0,4 1c10@1,2", walls(wall))
        play(w, "2 SHOOT 3")
        assert hp(w, 3) == left


def test_units_do_not_stop_a_shot() -> None:
    w = world("0L10@3,2 1L10@12,3 0c10@2,2 1c10@5,2 n10@4,2")
    play(w, "2 SHOOT 3")
    assert [hp(w, unit) for unit in (0, 3, 4)] == [10, 6, 10]


def test_a_unit_without_hp_dies_and_leaves_its_cell() -> None:
    w = world("0L10@0,3 1L10@12,3 0c10@4,3 1c5@5,3")
    shot, died = play(w, "2 SHOOT 3")
    assert (shot.hp, died.unit, died.cells) == (0, 3, ("5,3",)) and "East" in died.words.en and "Est" in died.words.fr
    assert " 1c0 n0" in GAME.position(w) and GAME.scores(w) == [2, 1]
    play(w, "WAIT")
    play(w, "2 MOVE 5 3")


def test_conversion_changes_the_owner_and_not_the_hp() -> None:
    w = world(FIELD)
    (converted,) = play(w, "0 CONVERT 5")
    assert GAME.state(w).owner[5] == 0 and hp(w, 5) == 7 and cell(w, 5) == "0,2" and GAME.scores(w) == [4, 2]
    assert (converted.unit, converted.owner, converted.before) == (5, 0, 1) and converted.cells == ("0,3", "0,2")
    play(w, "1 MOVE 12 4")
    play(w, "0 CONVERT 4")
    assert GAME.state(w).owner[4] == 0 and GAME.scores(w) == [5, 2]
    play(w, "1 CONVERT 8")
    play(w, "5 MOVE 0 1")  # a convert obeys
    assert refusal(world("0L10@0,3 1L10@12,3 n10@1,4"), "0 CONVERT 2") == "too_far"  # diagonal


def test_the_dead_leader_counts_as_one_unit_and_the_game_goes_on() -> None:
    w = world("0L10@0,3 1L3@6,3 0c10@4,3 1c10@12,0")
    play(w, "2 SHOOT 1")
    assert GAME.scores(w) == [2, 1] and GAME.turn(w) == 1
    play(w, "3 MOVE 11 0")


def test_the_game_ends_when_a_side_has_no_units() -> None:
    w = world("0L10@0,3 1L3@6,3 0c10@4,3")
    play(w, "2 SHOOT 1")
    assert GAME.turn(w) == NOBODY and GAME.scores(w) == [2, 0]


def test_the_game_ends_after_the_last_turn_and_more_units_win() -> None:
    w = GAME.new(seed=3)
    for n in range(150):
        assert GAME.turn(w) == n % 2
        play(w, "WAIT")
    assert GAME.turn(w) == NOBODY and GAME.scores(w) == [1, 1]
    last = world("0L10@0,3 1L10@12,3 n10@1,3", tail="turn=148")
    play(last, "0 CONVERT 2")
    play(last, "WAIT")
    assert GAME.over(last) and GAME.scores(last) == [2, 1]
    assert GAME.over(world("0L10@0,3 1L10@12,3", tail="turn=4", turns=4))
    assert not GAME.over(world("0L10@0,3 1L10@12,3", tail="turn=4", turns=5))


def test_neutrals_stand_still() -> None:
    w = GAME.new(seed=5)
    before = GAME.state(w).cell[2:]
    for _ in range(20):
        play(w, "WAIT")
    assert GAME.state(w).cell[2:] == before


def test_a_run_out_clock_waits_except_on_the_site() -> None:
    assert GAME.fallback(GAME.new(), 0) == WAIT
    assert GAME.fallback(GAME.new("codingame"), 0) is None  # on the site it loses


# -- destructible --------------------------------------------------------------------------------------------------


def test_the_nearest_obstacle_on_the_line_takes_the_damage_of_its_own_distance() -> None:
    w = world("0L10@0,3 1L10@12,3 0c10@2,2 1c10@6,2", walls((4, 2), (5, 2)), destructible=True)
    (shot,) = play(w, "2 SHOOT 3")
    assert (shot.damage, shot.hp, shot.struck, shot.cells[-1]) == (5, 5, -1, "4,2")
    assert GAME.position(w).startswith(f"{'.' * 13}/{'.' * 13}/....5x.......") and hp(w, 3) == 10
    play(w, "WAIT")
    told = play(w, "2 SHOOT 3")
    assert [type(event).__name__ for event in told] == ["Shot", "Destroyed"] and told[1].cells == ("4,2",)
    assert refusal(w, "WAIT") == "" and "/.....x......." in GAME.position(w)
    play(w, "WAIT")
    play(w, "2 MOVE 3 2")
    play(w, "WAIT")
    play(w, "2 MOVE 4 2")  # it is floor now


def test_an_obstacle_in_range_may_be_the_target() -> None:
    units = "0L10@0,3 1L10@12,3 0c10@2,2"
    w = world(units, walls((3, 2), (5, 2), (9, 2)), destructible=True)
    assert [refusal(w, f"2 SHOOT {at}") for at in ("3,2", "5,2", "9,2", "4,2", "13,2")] == [
        "", "", "out_of_range", "no_obstacle", "unreadable",
    ]  # fmt: skip
    assert refusal(w, "0 SHOOT 3,2") == "not_a_cultist"
    play(w, "2 SHOOT 5,2")  # the nearer one takes it
    assert "...4.x...x..." in GAME.position(w)
    off = world(units, walls((3, 2)))
    assert not [a for a in GAME.legal(off) if "," in GAME.text(off, 0, a)]


def test_all_options_at_once() -> None:
    """Both gears agree, texts read back, and the nearest of units and obstacles takes the bullet."""
    options: dict[str, Any] = {"neutrals": "wander", "destructible": True}
    options |= {"friendly_fire": True, "units_block": True, "codingame_orders": True}
    units = "0L10@0,3 1L10@12,3 0c10@2,2 n10@4,2 1c10@5,2"
    w = world(units, walls((3, 2), (9, 2)), **options)
    assert GAME.text(w, 0, GAME.parse(w, 0, "2 SHOOT 9,2")) == "2 MOVE 2 1"  # too far: round the obstacle
    play(w, "2 SHOOT 4")
    assert "...4....." in GAME.position(w) and GAME.state(w).hp[2:5] == [10] * 3
    fast, random = load("cultist", "compiled"), seeded(9)
    for seed in range(4):
        slow, twin, dice = GAME.new(seed=seed, **options), fast.new(seed=seed, **options), GAME.random(seed)
        while not GAME.over(slow):
            seat, legal = GAME.turn(slow), GAME.legal(slow)
            assert fast.legal(twin) == legal and all(
                GAME.parse(slow, seat, GAME.text(slow, seat, action)) == action for action in legal
            )
            strong = [a for a in legal if a >> 12 > 1] or legal
            action = GAME.roll(slow, dice) if seat == CHANCE else strong[below(random, len(strong))]
            GAME.apply(slow, seat, action)
            fast.apply(twin, seat, action)
            assert fast.to_bytes(twin) == GAME.to_bytes(slow)


# -- wander --------------------------------------------------------------------------------------------------------


def test_a_neutral_wanders_after_every_action_with_even_odds() -> None:
    """Unit 2 has three free cells, unit 3 one, unit 4 none."""
    ground = walls((5, 0), (6, 1), (11, 0), (12, 1))
    w = world("0L10@0,3 1L10@12,3 n10@2,0 n10@6,0 n10@12,0", ground, neutrals="wander")
    play(w, "WAIT")
    assert GAME.turn(w) == CHANCE and GAME.legal(w) == []
    random, n = GAME.random(1), 12_000
    found = Counter(GAME.text(w, CHANCE, GAME.roll(w, random)) for _ in range(n))
    odds = {"2 MOVE 3 0": 1 / 9, "2 MOVE 2 1": 1 / 9, "2 MOVE 1 0": 1 / 9, "3 MOVE 7 0": 1 / 3, "WAIT": 1 / 3}
    assert set(found) == set(odds) and all(abs(found[line] / n - odd) < 0.02 for line, odd in odds.items())
    (wandered,) = play(w, "3 MOVE 7 0")
    assert (wandered.unit, wandered.cells) == (3, ("6,0", "7,0")) and cell(w, 3) == "7,0" and GAME.turn(w) == 1


def test_chance_may_only_do_what_a_wandering_neutral_can() -> None:
    w = world("0L10@0,3 1L10@12,3 n10@2,0 0c10@3,0 n0", neutrals="wander")
    play(w, "WAIT")
    bad = ("WAIT", "0 MOVE 1 3", "2 MOVE 3 0", "2 MOVE 2 2", "4 MOVE 1 1", "2 SHOOT 1", "3 MOVE 4 0")
    assert all(refusal(w, line) for line in bad) and refusal(w, "2 MOVE 1 0") == ""


def test_nobody_wanders_where_no_neutral_lives() -> None:
    w = world("0L10@0,3 1L10@12,3 n10@1,3 n0", neutrals="wander")
    play(w, "0 CONVERT 2")
    assert GAME.turn(w) == 1 and GAME.state(w).turn == 1


def test_who_dies_this_turn_still_bars_the_way_and_does_not_wander() -> None:
    units = "0L10@0,3 1L10@12,3 0c10@4,0 1c1@2,0 n10@1,0 n10@0,0"
    w = world(units, walls((0, 1), (1, 1)), neutrals="wander")
    play(w, "2 SHOOT 3")
    assert refusal(w, "4 MOVE 2 0") == "not_free" and refusal(w, "WAIT") == "" and refusal(w, "3 MOVE 3 0")
    assert " 1c0@2,0 " in GAME.position(w) and GAME.position(w).endswith("turn=0 wandering")
    again = GAME.new(position=GAME.position(w), neutrals="wander")
    assert GAME.to_bytes(again) == GAME.to_bytes(w)
    play(w, "WAIT")
    assert " 1c0 " in GAME.position(w) and GAME.turn(w) == 1
    play(w, "1 MOVE 12 2")
    assert refusal(w, "4 MOVE 2 0") == ""


def test_the_last_turn_ends_with_a_wandering_neutral() -> None:
    w = world("0L10@0,3 1L1@5,0 0c10@4,0 n10@1,0", neutrals="wander")
    play(w, "2 SHOOT 1")
    assert GAME.turn(w) == CHANCE
    play(w, "3 MOVE 0 0")
    assert GAME.turn(w) == NOBODY and GAME.scores(w) == [2, 0]


# -- writing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"neutrals": "wander"}, {"destructible": True}, {"preset": "codingame"}])
def test_positions_read_back_to_the_byte(options: dict[str, Any]) -> None:
    for seed in range(6):
        w, random, dice = GAME.new(seed=seed, **options), seeded(seed), GAME.random(seed)
        while not GAME.over(w):
            text = GAME.position(w)
            assert "\n" not in text
            for written in (text, text.replace("/", "\n").replace(" ", "\n ")):
                assert GAME.to_bytes(GAME.new(position=written, **options)) == GAME.to_bytes(w)
            seat, legal = GAME.turn(w), GAME.legal(w)
            GAME.apply(w, seat, GAME.roll(w, dice) if seat == CHANCE else legal[below(random, len(legal))])


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "seven rows"),
        (f"{OPEN[:-1]} 0L10@0,3 1L10@12,3", "seven rows"),
        (f"{OPEN[:-1]}5 0L10@0,3 1L10@12,3", "seven rows"),
        (f"{OPEN} 0L10@0,3", "2 to 14 units"),
        (f"{OPEN} 0L10@0,3 1L10@12,3" + " n0" * 13, "2 to 14 units"),
        (f"{OPEN} 1L10@0,3 0L10@12,3", "unit 0"),
        (f"{OPEN} 0L10@0,3 1L10@12,3 0L10@1,1", "unit 2"),
        (f"{OPEN} 0L11@0,3 1L10@12,3", "0 to 10 HP"),
        (f"{OPEN} 0L10 1L10@12,3", "a cell for unit 0"),
        (f"{OPEN} 0L10@0,3 1L10@0,3", "a free cell for unit 1"),
        (f"{OPEN} 0L10@0,3 1L10@13,3", "a free cell for unit 1"),
        (f"{OPEN} 0L10@0,3 1L10@12,7", "a free cell for unit 1"),
        (f"{walls((0, 3))} 0L10@0,3 1L10@12,3", "a free cell for unit 0"),
        (f"{OPEN} 0L10@0,3 1L0@12,3", "without a cell"),
        (f"{OPEN} 0L0 1L0 n10@3,3", "at least one unit"),
        (f"{OPEN} 0L10@0,3 1L10@12,3 turn=151", "from 0 to 150"),
        (f"{OPEN} 0L10@0,3 1L10@12,3 turn=1 turn=2", "at the end"),
        (f"{OPEN} 0L10@0,3 1L10@12,3 turn=1 random=42", "at the end"),
        (f"{OPEN} 0L10@0,3 1L10@12,3 turn=1 wandering", "at the end"),
        (f"{OPEN} 0L10@0,3 1L10@12,3 turn=1 n10@3,3", "at the end"),
    ],
)
def test_positions_that_are_refused(text: str, word: str) -> None:
    with pytest.raises(Refused, match=word):
        GAME.new(position=text)


def test_moments_that_are_refused_where_neutrals_move() -> None:
    units = f"{OPEN} 0L10@0,3 1L10@12,3"
    for text, options in (
        (f"{units} turn=3 random=2147483648", {"neutrals": "generator"}),
        (f"{units} turn=3 wandering", {"neutrals": "wander"}),
        (f"{units} n10@3,3 turn=150 wandering", {"neutrals": "wander"}),
        (f"{units} n0@3,3 1c0@4,3 n10@5,5 turn=3 wandering", {"neutrals": "wander"}),
    ):
        with pytest.raises(Refused):
            GAME.new(position=text, **options)  # type: ignore[arg-type]


def test_the_key_knows_the_turn_the_generator_and_the_wandering() -> None:
    units = "0L10@0,3 1L10@12,3 n10@5,5 n0"
    keys = [GAME.key(world(units, tail=f"turn={n}")) for n in range(151)]
    keys += [GAME.key(world(units, tail=f"turn=0 random={n}", neutrals="generator")) for n in range(1, 300)]
    keys += [GAME.key(world(units, tail="turn=0 wandering", neutrals="wander"))]
    keys += [GAME.key(world(other)) for other in (units.replace("n10", "n9"), units.replace("n10", "0c10"))]
    keys += [GAME.key(world(units, walls((1, 1), sign=sign), destructible=True)) for sign in "x123456789"]
    assert len(set(keys)) == len(keys)


def test_the_key_does_not_depend_on_the_way() -> None:
    one, two = world("0L10@0,3 1L10@12,3 0c10@4,4"), world("0L10@0,3 1L10@12,3 0c10@4,4")
    for line in ("0 MOVE 1 3", "WAIT", "2 MOVE 5 4", "WAIT"):
        play(one, line)
    for line in ("2 MOVE 5 4", "WAIT", "0 MOVE 1 3", "WAIT"):
        play(two, line)
    assert GAME.key(one) == GAME.key(two)


def test_what_a_client_is_shown() -> None:
    w = world("0L10@0,3 1L10@12,3 0c7@4,4 n9@5,5 1c0", walls((1, 1)), destructible=True)
    board = GAME.board(GAME.view(w, 0))
    assert (board.cells[3][0].text, board.cells[3][0].strong, board.cells[3][0].owner) == ("L10", True, 0)
    assert [board.cells[y][x].text for x, y in ((4, 4), (5, 5), (1, 1), (0, 0))] == ["c7", "n9", "x10", ""]
    assert board.cells[1][1].ground == "wall" and board.cells[5][5].owner == -1
    shown = GAME.show(GAME.view(w, 1))
    assert [unit.id for unit in shown.units] == [0, 1, 2, 3] and shown.counts == (2, 1, 1) and shown.turns == 150


# -- for search ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["seed", "codingame"])
def test_evaluation_is_the_same_in_both_gears_and_fair(preset: str) -> None:
    fast = load("cultist", "compiled")
    asked: list[Any] = [hints.evaluate, hints.rank, hints.noisy]
    plain = {f: GAME.gear.bind(f) for f in asked}
    quick = {f: fast.gear.bind(f) for f in asked}
    random = seeded(4)
    w = GAME.new(preset, seed=2)
    while not GAME.over(w):
        seat, legal = GAME.turn(w), GAME.legal(w)
        twin = fast.new(preset, position=GAME.position(w))
        here, there = (w.terms[0], w.rows[0]), (twin.terms[0], twin.rows[0])
        value = plain[hints.evaluate](*here, seat)
        assert value == quick[hints.evaluate](*there, seat) == -plain[hints.evaluate](*here, 1 - seat)
        assert abs(value) < 10_000
        ranks = [plain[hints.rank](*here, seat, action) for action in legal]
        assert all(0 <= rank <= 1000 for rank in ranks)
        for f in asked[1:]:
            assert [quick[f](*there, seat, action) for action in legal] == [plain[f](*here, seat, a) for a in legal]
        best = ranks.index(max(ranks))
        GAME.apply(w, seat, legal[best if below(random, 2) else below(random, len(legal))])


def test_evaluation_likes_units_hp_and_safety() -> None:
    evaluate = GAME.gear.bind(hints.evaluate)

    def worth(units: str) -> int:
        w = world(units)
        return evaluate(w.terms[0], w.rows[0], 0)

    base = "0L10@0,3 1L10@12,3 0c10@2,2 1c10@10,2"
    assert worth(base) == next(value for name, value, *_ in WEIGHTS if name == "tempo")  # all else is equal
    assert worth(base + " 0c10@2,6") > worth(base + " n10@2,6") > worth(base + " n10@10,6")
    assert worth(base.replace("1c10", "1c5")) > worth(base) > worth(base.replace("0c10", "0c5"))
    assert worth("0L10@0,3 1L10@12,3 0c2@2,2 1c10@6,2") < worth("0L10@0,3 1L10@12,3 0c2@2,2 1c10@10,2")
