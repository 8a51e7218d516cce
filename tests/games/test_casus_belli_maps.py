"""Casus Belli: map files, the maps of the house, maps drawn by lot, and everything in writing."""

from __future__ import annotations

from typing import Any

import pytest

from cases import long_journey, next_step
from casus_scene import GAME, Scene, field
from quincunx.core.options import Length, Setup
from quincunx.core.words import Refused
from quincunx.games import World, load
from quincunx.games.casus_belli import mapfile, maps
from quincunx.games.casus_belli.field import CUT_OFF, code_at

FAST = load("casus_belli", "compiled")
GOOD = "5 3\n2 1\n2\n20\n..F..\n_~.T.\n.#H#.\n"

BAD_MAPS = [
    ("", 1, 1, "a width"),
    ("5\n", 1, 2, "a height"),
    ("201 3", 1, 1, "a width from 1 to 200"),
    ("5 three", 1, 3, "a height"),
    ("5 3 1", 1, 5, "the end of the line"),
    (GOOD.replace("2 1", "5 1"), 2, 1, "an x of the start from 0 to 4"),
    (GOOD.replace("2 1", "2 -1"), 2, 3, "a y of the start"),
    (GOOD.replace("\n2\n", "\n\n"), 3, 1, "a number of placement turns"),
    (GOOD.replace("20\n", "0\n"), 4, 1, "a number of turns"),
    (GOOD.replace("..F..", "..X.."), 5, 3, "one of the cells"),
    (GOOD.replace("..F..", "..F."), 5, 5, "5 cells"),
    (GOOD.replace("_~.T.", "_~.T.."), 6, 6, "5 cells"),
    (GOOD.replace(".#H#.\n", ""), 7, 1, "3 rows"),
    (GOOD + ".....\n", 8, 1, "3 rows"),
    (GOOD.replace("2 1", "1 2"), 7, 2, "the start is inside a wall"),
    (
        "21 21\n0 1\n0\n9\n" + (".H" * 10 + ".\n" + "." * 21 + "\n") * 10 + ".H" * 10 + ".",
        25,
        2,
        "100 hotspots at most",
    ),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), BAD_MAPS)
def test_a_bad_map_is_refused_with_its_line_and_column(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(Refused) as refusal:
        mapfile.read_map(text)
    assert words in str(refusal.value) and f"on line {line}, column {column}" in str(refusal.value).lower()
    assert f"ligne {line}, colonne {column}" in refusal.value.words.fr.lower()


def test_a_map_reads_back_and_says_what_it_is() -> None:
    chart = mapfile.read_map(GOOD)
    assert mapfile.read_map(mapfile.write_map(chart)) == chart
    world = GAME.from_setup(GAME.new(seats=2).options, GOOD.replace("\n", "\r\n"))
    terms = GAME.terms(world)
    assert (terms.width, terms.height, terms.start, terms.placement, terms.turns) == (5, 3, 7, 2, 22)
    assert mapfile.rows_of(terms) == chart.rows and terms.hotspots == 1
    with pytest.raises(Refused, match="more turns"):
        GAME.from_setup(GAME.new("final").options, GOOD.replace("20", "2"))


def test_ground_that_no_path_reaches_is_marked() -> None:
    terms = GAME.terms(GAME.from_setup(GAME.new(seats=2).options, "5 1\n0 0\n0\n9\n..#.F"))
    assert [code_at(terms, cell) >= CUT_OFF for cell in range(5)] == [False, False, False, True, True]
    assert mapfile.rows_of(terms) == ("..#.F",)


@pytest.mark.parametrize("setup", maps.SETUPS, ids=lambda setup: setup.name)
def test_the_maps_of_the_house_look_the_same_from_every_side_and_have_no_lost_corner(setup: Setup) -> None:
    chart = mapfile.read_map(setup.text)
    assert chart.rows == chart.rows[::-1] == tuple(row[::-1] for row in chart.rows)
    assert chart.start == (chart.width // 2, chart.height // 2)
    reached = mapfile.reachable(chart.rows, chart.start)
    assert len(reached) == sum(letter != "#" for row in chart.rows for letter in row)
    assert setup.label.fr != setup.label.en


def test_any_number_of_seats_plays_on_any_map() -> None:
    for setup in maps.SETUPS:
        for seats in (2, 100):
            assert FAST.seats(FAST.new(setup=setup.name, seats=seats)) == seats


@pytest.mark.parametrize(("width", "height"), [(21, 21), (20, 9), (9, 9), (34, 57), (200, 33)])
def test_maps_drawn_by_lot_are_fair_and_hang_together(width: int, height: int) -> None:
    for seed in range(20):
        text = maps.draw(width, height, 3, 40, seed)
        assert text == maps.draw(width, height, 3, 40, seed) != maps.draw(width, height, 3, 40, seed + 1)
        chart = mapfile.read_map(text)
        (x0, y0), open_cells = chart.start, mapfile.reachable(chart.rows, chart.start)
        assert len(open_cells) == sum(letter != "#" for row in chart.rows for letter in row) > width * height // 2
        for x, y in open_cells:
            assert chart.rows[2 * y0 - y][x] == chart.rows[y][2 * x0 - x] == chart.rows[y][x]


# -- in writing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("thief attack 12,7", ""),
        ("thief palantir 3,4", ""),
        ("thief treachery", ""),
        ("barbarian bastoooon", ""),
        ("barbarian fus", ""),
        ("elf reveal 5,5", ""),
        ("elf loto 9,1", ""),
        ("elf hold", ""),
        ("elf path EENN", ""),
        ("elf path EENN face S", ""),
        ("elf face W", ""),
        ("seal", ""),
        ("  Voleur  ATTACK 1,2 ", "thief attack 1,2"),
        ("v path e face e", "thief path E"),
        ("barbare hold", "barbarian hold"),
    ],
)
def test_orders_in_writing(text: str, again: str) -> None:
    world = Scene(field(20, 9)).world
    assert GAME.text(world, 0, GAME.parse(world, 0, text)) == (again or text)


@pytest.mark.parametrize(
    "text",
    [
        "", "thief", "wizard attack 1,1", "thief fus", "thief attack", "thief attack 1", "thief attack 99,0",
        "thief attack -1,0", "thief treachery 1,1", "elf path", "elf path EEX", "elf path EEEEEEEEEEE", "elf face",
        "elf face Q", "elf path E face", "elf path E S", "seal now", "thief attack 1,1 2,2", "thief attack ٣,1",
    ],
)  # fmt: skip
def test_what_is_no_order_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(Refused, match=r"This needs "):
        GAME.parse(Scene(field(20, 9)).world, 0, text)


@pytest.mark.parametrize("preset", ["seed", "final"])
def test_positions_read_back_to_the_byte_with_orders_and_seals(preset: str) -> None:
    for setup, seats in (("pit", 3), ("castle", 5)):
        world, random = FAST.new(preset, setup=setup, seats=seats), FAST.random(2)
        for n, choice in enumerate(long_journey(4, 500)):
            step = next_step(FAST, world, choice, random)
            if step is None:
                break
            FAST.apply(world, *step)
            if n % 11 == 0:
                reads_back(preset, world)
        reads_back(preset, world)


def reads_back(preset: str, world: World) -> None:
    """All but the penumbra of the moves before, which is no part of a position."""
    again, here = FAST.new(preset, position=world.position, seats=world.seats), FAST.state(world)
    here.track[:] = [0] * len(here.track)
    assert FAST.to_bytes(again) == FAST.to_bytes(FAST.world(world.options, FAST.terms(world), here))


POSITION = "5x3 2,1 1/21 4.0 5./2.H2./.3#. 1.2 4!|1,1|-|1,0:N:10:4:0:2,1:-|-|- 0|-|-|-|-|3,0:W:7:0:0:2,1:4,2"


def test_a_position_is_one_line_that_people_can_write() -> None:
    world = GAME.new(position=f"{POSITION} orders 1 elf hold; 1 thief path N", seats=2)
    s = world.rows[0]
    assert (s.turn, s.points[0], s.sealed[0], s.palantir[0], s.holder[0], s.held[0]) == (4, 4, 1, 7, 1, 2)
    assert (s.cell[5], s.health[5], s.corpse[5], GAME.turn(world)) == (3, 7, 15, 1)
    assert GAME.position(world).endswith("orders 1 thief path N; 1 elf hold")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("5x3", "5"), ("5x3", "0x3"), ("5x3", "6x3"), ("2,1 1/", "9,1 1/"), ("2,1 1/", "2,2 1/"), ("1/21", "21/21"),
        ("4.0", "22.0"), ("4.0", "4.1"), ("5./", "5X/"), ("5./", "4./"), ("1.2", "3.2"), ("1.2", "0.1"), ("1.2", "-"),
        ("4!", "x"), ("|1,1|", "|7,7|"), ("1,0:N", "1,2:N"), (":N:", ":Q:"), (":10:", ":11:"), (":10:", ":0:"),
        (":4:0", ":5:0"), ("4!|", "4!|-|"), (" 0|", " 0!|"), ("4,2", "4,2 orders 7 elf hold"),
        ("4,2", "4,2 orders 1 elf loto 3,0"), ("4,2", "4,2 orders 0 seal"), ("4,2", "4,2 0|-|-|-|-|-"),
    ],
)  # fmt: skip
def test_a_position_that_the_rules_do_not_allow_is_refused(old: str, new: str) -> None:
    assert old in POSITION
    with pytest.raises(Refused, match=r"This needs "):
        GAME.new(position=POSITION.replace(old, new, 1), seats=2)


@pytest.mark.parametrize("length", GAME.lengths, ids=lambda length: length.name)
def test_a_length_promises_the_turns_that_the_panel_counts(length: Length) -> None:
    options: dict[str, Any] = dict(length.options)
    world = GAME.new(setup=length.setup, seed=1, **options)
    shown: Any = GAME.show(GAME.view(world, 0))
    assert f"{shown.turns} tours dont {shown.placement} de placement" in length.text.fr
    assert f"{shown.turns} turns, {shown.placement} of them placement" in length.text.en
    notes = GAME.board(GAME.view(world, 0)).notes
    assert notes[0].fr.startswith(f"Tour 1 sur {shown.turns}") and notes[0].en.startswith(f"Turn 1 of {shown.turns}")
