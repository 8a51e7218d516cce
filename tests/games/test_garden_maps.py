"""Garden Tensions: drawn and written gardens, actions and positions as text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.gardens import MAP, at, at_war, every_pair, game, garden, play, step
from quincunx.core.contract import CHANCE
from quincunx.core.random import below, seeded
from quincunx.core.words import Refused
from quincunx.games.garden import setup
from quincunx.games.garden.hexes import CELLS, NAMES, RIM, around, opposite


@pytest.mark.parametrize("zones", ["grouped", "scattered"])
def test_a_drawn_garden_is_as_ruled(zones: str) -> None:
    amounts: Counter[int] = Counter()
    begins: Counter[int] = Counter()
    for seed in range(250):
        world = game.new(seed=seed, zones=zones)
        terms, s = game.terms(world), game.state(world)
        starts = [cell for cell in range(CELLS) if s.crowd[cell]]
        assert len(starts) == 2 and starts[0] in RIM and starts[1] == opposite(starts[0])
        assert [s.crowd[cell] for cell in starts] == [3, 3] and s.cells == [1, 1]
        specials = terms.special[3:]
        assert len(set(specials)) == 4 and [terms.ground[cell] for cell in specials] == [3, 4, 5, 6]
        assert not set(specials) & {*starts, *around(starts[0]), *around(starts[1])}
        assert [terms.ground.count(ground) for ground in range(3)] == [9, 8, 8]
        simple = {cell for cell in range(CELLS) if cell not in specials}
        kinds = sorted([terms.resource[cell] for cell in simple].count(kind) for kind in range(4))
        assert kinds == [6, 6, 6, 7]
        amounts.update(terms.amount[cell] for cell in simple)
        begins[s.player] += 1
        first = next(cell for cell in starts if s.owner[cell] == s.player)
        assert sum(map(sum, s.goods)) == s.goods[s.player][terms.resource[first]] == terms.amount[first]
        if zones == "grouped" and setup.pieces(simple) == 1:
            zone_cells = [{cell for cell in simple if terms.ground[cell] == ground} for ground in range(3)]
            assert [setup.pieces(cells) for cells in zone_cells] == [1, 1, 1]
    assert set(amounts) == {1, 2} and amounts[1] == pytest.approx(250 * 25 / 2, rel=0.05)
    assert begins[0] == pytest.approx(125, abs=25)


def test_gardens_differ_and_come_back() -> None:
    gardens = [game.position(game.new(seed=seed)) for seed in range(30)]
    assert len(set(gardens)) == 30
    assert gardens == [game.position(game.new(seed=seed)) for seed in range(30)]
    assert {game.state(game.new(seed=seed, begins="b")).player for seed in range(9)} == {1}
    assert set(game.terms(game.new(income="two")).amount) == {0, 2}
    assert game.state(game.new(creatures=5)).creatures == [5, 5]


def test_a_garden_cut_apart_has_as_few_pieces_as_possible() -> None:
    corner = [cell for cell in range(CELLS) if cell not in (1, 5, 6, 20)]  # a1 is alone
    assert setup.pieces(set(corner)) == 2
    drawn = setup.grouped(corner, seeded(1))
    assert sum(setup.pieces({c for c in corner if drawn[c] == ground}) for ground in range(3)) == 4
    assert Counter(drawn.values()) == {0: 9, 1: 8, 2: 8}


@pytest.mark.parametrize("name", [named.name for named in setup.SETUPS])
def test_gardens_made_by_hand_favour_nobody(name: str) -> None:
    terms = game.terms(game.new(setup=name))
    s = game.state(game.new(setup=name))
    twin = [0, 1, 2, 4, 3, 6, 5]
    for cell in range(CELLS):
        mirror = opposite(cell)
        assert terms.ground[mirror] == twin[terms.ground[cell]]
        assert (terms.resource[mirror], terms.amount[mirror]) == (terms.resource[cell], terms.amount[cell])
        assert s.crowd[mirror] == s.crowd[cell]


WRITTEN = MAP.replace("    gf2 sw1", "    gf2=A sw1").replace("gw2 gf1", "gw2 gf1=B  # the gate")


def test_a_written_garden_is_read_and_reads_back() -> None:
    values: dict[str, Any] = dict(game.new().options)
    world = game.from_setup(values, WRITTEN, seed=2)
    assert at(world, "c1", "e5") == "A3 B3"
    assert game.terms(world).ground[:5] == [0, 0, 1, 2, 2]
    assert {game.turn(game.from_setup(values, WRITTEN, seed=seed)) for seed in range(20)} == {0, 1}


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_rules_for_players_are_those_of_the_game(language: str) -> None:
    """Their example is a garden, their table of options is ours."""
    text = (Path(__file__).parents[2] / "docs" / "reference" / f"garden.{language}.md").read_text("utf-8")
    blocks = text.split("```")[1::2]
    values: dict[str, Any] = dict(game.new(begins="a").options)
    written = game.from_setup(values, blocks[-1])
    assert game.to_bytes(written) == game.to_bytes(game.new(setup="crossroads", begins="a"))
    assert set(NAMES) <= set(blocks[0].split())
    for option in setup.OPTIONS:
        assert f"`{option.name}`" in text and all(f"`{choice.name}`" in text for choice in option.choices)
    assert all(f"`{preset.name}`" in text for preset in setup.PRESETS)


@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        ("sky", "skye", "line 3, column 15"),
        ("gm2 sky", "gm3 sky", "line 3, column 11"),
        ("candy", "sky", "two cells of sky"),
        ("candy", "sf1", "A cell of candy is missing"),
        ("=B", "", "Clan B needs one start cell"),
        ("gw2 gf1=B", "gw2=B gf1=B", "Clan B needs one start cell"),
        ("sky", "sky=B", "may not start on a special cell (line 3, column 15)"),
        ("=A", "=A4", "without a number on line 4, column 5"),
        ("mw2 mm1", "mw2", "6 cells in row b (line 3)"),
        ("gf2=A", "gf2=A gf1", "7 cells in row c (line 4)"),
        ("        ms1 ms2 sm1 gw2 gf1=B  # the gate", "", "5 cells in row e (line 6)"),
        ("# the gate", "\n gf1", "One cell too many (line 7, column 2)"),
    ],
)
def test_a_garden_that_is_none_is_refused_with_its_place(wrong: str, right: str, message: str) -> None:
    values: dict[str, Any] = dict(game.new().options)
    with pytest.raises(Refused) as refusal:
        game.from_setup(values, WRITTEN.replace(wrong, right, 1))
    assert message in refusal.value.words.en and refusal.value.words.fr


@every_pair
@pytest.mark.parametrize("seed", range(3))
def test_war_reads_back_to_the_byte(clans: tuple[str, str], seed: int) -> None:
    world = at_war(seed, clans, humans=True)
    random, choice = game.random(seed), seeded(seed)
    kinds = set()
    for _ in range(80):
        if game.over(world):
            break
        values: dict[str, Any] = dict(world.options)
        assert game.to_bytes(game.new(position=game.position(world), **values)) == game.to_bytes(world)
        seat, action = step(world, random, choice)
        for each in [action, *game.legal(world)]:
            text = game.text(world, seat, each)
            assert game.parse(world, seat, f" {text.upper()} ") == each
            kinds.add(text.split()[0] if " " in text else "")
        game.apply(world, seat, action)
    assert len(kinds) > 4


@pytest.mark.parametrize(
    "text", ["", "c3", "c8-c3", "c3-c4-c5", "sky c3", "pool c3-c4", "c3+6", "c3+0", "candy c3", "a6+1"]
)
def test_nonsense_is_no_action(text: str) -> None:
    with pytest.raises(Refused):
        game.parse(game.new(), 0, text)


@pytest.mark.parametrize("text", ["", "1", "16/", "1/1/1", "a/b", "0/1", "111111/1", "quiet"])
def test_nonsense_is_no_dice(text: str) -> None:
    with pytest.raises(Refused):
        game.parse(play(garden("c1=A3 c2=B2"), "c1-c2"), CHANCE, text)


GOOD = "c1=A3 c2=B2h c7=B1"


@pytest.mark.parametrize(
    "broken",
    [
        {"a": "stock=x"}, {"a": "stock=-1"}, {"b": "food=99999"}, {"turn": "player=C"}, {"turn": "phase=lunch"},
        {"turn": "used=sky"}, {"turn": "turn=121"}, {"turn": "phase=reinforcement"}, {"turn": "dice=fight:c1-c2"},
        {"turn": "dice=fight:c2-c1"}, {"turn": "dice=poison:c1"}, {"turn": "dice=humans"}, {"turn": "dice=6"},
    ],
)  # fmt: skip
def test_positions_in_which_nobody_could_go_on_are_refused(broken: dict[str, str]) -> None:
    with pytest.raises(Refused):
        garden(GOOD, **broken)


def test_a_broken_position_is_refused_or_can_be_played() -> None:
    """One character changed, anywhere: never a traceback."""
    random = seeded(5)
    text = game.position(play(garden("c1=A3 c2=B2p2 c7=B1i2f1", a="stock=2"), "c1-c2"))
    refusals = 0
    for _ in range(600):
        at_, letter = below(random, len(text)), "abcgsm=ABph0159 |/-:#"[below(random, 21)]
        try:
            world = game.new(position=text[:at_] + letter + text[at_ + 1 :])
        except Refused:
            refusals += 1
            continue
        assert game.over(world) or game.turn(world) == CHANCE or game.legal(world)
    assert 300 < refusals < 600
