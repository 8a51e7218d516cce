"""A world in a REPL: it speaks in texts, writes itself so that it evaluates back, and refuses in one way only."""

from __future__ import annotations

import doctest
from typing import Any

import pytest

import quincunx
from cases import Case, every_case, long_journey, next_step
from quincunx import CHANCE, NOBODY, PUBLIC, Refused, Words, World
from quincunx.core import layout
from quincunx.core.board import Event
from quincunx.core.contract import NOT_TO_ACT
from quincunx.core.structure import fields
from quincunx.games import GearName
from quincunx.games import world as module
from quincunx.match import Match


def start(id: str, *preset: str, **how: Any) -> World:
    return quincunx.load(id, "interpreted").new(*preset, **how)


def test_the_examples_of_the_module_run() -> None:
    ran = doctest.testmod(module)
    assert ran.attempted > 3 and ran.failed == 0


@every_case
def test_what_a_world_writes_evaluates_back(case: Case) -> None:
    world = case.start("interpreted", 5)
    random = world.game.random(5)
    for n, choice in enumerate([*long_journey(5, 24), 0]):
        if n % 8 == 0:
            again = eval(repr(world), {"quincunx": quincunx})
            assert (again.position, again.options) == (world.position, world.options)
        step = next_step(world.game, world, choice, random)
        if step is None:
            break
        world.game.apply(world, *step)


def test_only_what_was_agreed_otherwise_is_written() -> None:
    assert "position=" in repr(start("khet")) and "draws" not in repr(start("khet"))
    assert repr(start("khet", draws=False)).endswith(", draws=False)")
    assert repr(start("casus_belli", "final")).startswith("quincunx.load('casus_belli').new('final', position='")
    assert repr(start("casus_belli", "final", seats=4)).endswith("', seats=4)")


@every_case
def test_a_world_says_what_the_game_says_of_it(case: Case) -> None:
    world = case.start("interpreted", 2)
    game = world.game
    if world.turn == CHANCE:
        world.roll(1)
    assert (world.turn, world.seats, world.over) == (game.turn(world), game.seats(world), False)
    assert world.legal() == game.texts(world, world.turn, game.legal(world))
    assert world.legal(world.turn) == world.legal() and world.position == game.position(world)
    assert world.scores() == game.scores(world) and str(world) == str(world.view(0))
    text = world.legal()[0]
    assert world.text(world.parse(text)) == text and world.check(text) is None
    before, other = world.position, world.clone()
    assert other.play(text) is other and world.position == before
    game.apply(world, world.turn, world.parse(text))
    assert other.position == world.position


def test_turn_is_a_seat_or_the_dice_or_nobody() -> None:
    garden = start("garden", seed=3)
    for choice in long_journey(1, 400):
        if garden.turn >= 0:
            garden.play(garden.legal()[choice % len(garden.legal())])
    assert garden.turn == CHANCE == -1 and garden.legal() == []
    assert garden.roll(1).turn >= 0
    won = start("connect_four").play("a").play("b").play("a").play("b").play("a").play("b").play("a")
    assert won.over and won.turn == NOBODY == -3 and won.scores() == [1, -1] and won.legal() == []
    assert won.roll(1).over and PUBLIC == -2 and won.view(PUBLIC).seat == PUBLIC


def test_there_is_one_kind_of_refusal() -> None:
    world = start("khet", setup="classic")
    for text, code in (("hello", "unreadable"), ("A8-A7", "not_yours")):
        refusal = world.check(text)
        assert isinstance(refusal, Refused) and refusal.code == code
        with pytest.raises(Refused) as raised:
            world.play(text)
        assert raised.value == refusal and hash(raised.value) == hash(refusal)
        with pytest.raises(Refused) as raised:
            Match("khet", setup="classic").play(text)
        assert raised.value == refusal
    assert world.check("H2-G1", seat=1) == world.game.refusal(NOT_TO_ACT) != Refused("not_to_act", Words("", ""))
    assert world.game.check(world, 0, world.parse("A8-A7")) == world.check("A8-A7")
    with pytest.raises(Refused, match="turn"):
        start("connect_four").play("a", seat=1)


def test_an_action_is_told_to_its_observer_in_classes_that_the_game_names() -> None:
    world = start("khet", setup="classic")
    events = world.play_and_tell("H2-G1", observer=0)
    assert world.turn == 1 and events and {type(event) for event in events} <= set(world.game.events)
    assert all(event.turn == 1 and event.by == 0 for event in events)
    for card in quincunx.cards():
        kinds = quincunx.load(card.id, "interpreted").events
        assert kinds and all(issubclass(kind, Event) and card.id in kind.__module__ for kind in kinds)


BOARD = "xS3aSkSaSpSE2 2pSW7 3PNW6 pNE1PSW1s\\s/1pSE1PNW pSE1PNW1S/S\\1pNE1PSW 6pSE3 7PNE2 2PNWANKNAN3XN"
MAP = "5 1\n0 0\n0\n9\n..#.F"


def test_a_setup_is_a_name_or_a_text() -> None:
    named = start("khet", setup="classic")
    assert start("khet", setup=BOARD).position == named.position
    assert Match("khet", setup=BOARD).world.position == named.position
    assert start("connect_four", setup="7/7/7/7/3r3/3y3").turn == 0
    with pytest.raises(Refused, match="one of the setups classic, imhotep, dynasty, not “clasic”"):
        start("khet", setup="clasic")
    with pytest.raises(Refused):
        start("khet", setup="8/8 not a board")


def test_options_that_are_not_named_have_their_defaults_wherever_they_are_asked_for() -> None:
    game = quincunx.load("casus_belli", "interpreted")
    one = game.from_setup({"seats": 2}, MAP)
    assert one.options == start("casus_belli", seats=2).options
    assert one.position == start("casus_belli", setup=MAP, seats=2).position == Match(game, setup=MAP, seats=2).start
    final = game.from_setup("final", MAP)
    assert final.options == start("casus_belli", "final").options
    with pytest.raises(Refused, match="one of the presets"):
        game.from_setup("finale", MAP)


def test_scores_are_numbers_to_rank_by_and_words_to_read() -> None:
    garden = start("garden", seed=1)
    assert garden.scores()[0] == 1 << 16 | 3 and garden.score_words()[0] == Words(
        "1 case, 3 créatures", "1 cell, 3 creatures"
    )
    assert start("khet").score_words() == [Words("0", "0")] * 2
    assert quincunx.load("chartichaud", "interpreted").score_words(-1).en == "no unit left"
    assert start("casus_belli").score_words()[0] == Words("0 point", "0 points")


def test_a_picture_of_casus_belli_tells_own_from_enemy() -> None:
    units = "0|-|-|2,2:N:10:0:0:0,4:-|0,4:N:10:0:0:0,4:-|0,4:N:10:0:0:0,4:-"
    other = "0|-|-|2,1:S:10:0:0:0,4:-|0,4:N:10:0:0:0,4:-|0,4:N:10:0:0:0,4:-"
    world = start("casus_belli", seats=2, position=f"5x5 0,4 0/9 0.0 5./5./5./5./5. - {units} {other}")
    mine, theirs = (str(world.view(seat)).splitlines() for seat in (0, 1))
    assert "T^" in mine[3] and "tv" in mine[2] and "t^" in theirs[3] and "Tv" in theirs[2]
    assert str(world) == "\n".join(mine)


@every_case
def test_what_is_unpacked_on_demand_is_what_is_there(case: Case) -> None:
    world = case.start("compiled", 3)
    game = world.game
    for kind, rows in ((game.rules.State, world.rows), (game.rules.Terms, world.terms)):
        plain, lazy = game.plain(kind, rows), game.memory.glance(kind, rows)
        assert isinstance(lazy, kind)
        for field in fields(kind):
            here, there = getattr(plain, field.name), getattr(lazy, field.name)
            assert here == there and type(here) is type(there) and getattr(lazy, field.name) is there
        with pytest.raises(AttributeError, match="no field colour"):
            lazy.colour  # noqa: B018


@pytest.mark.parametrize("id", ["chartichaud", "casus_belli"])
def test_a_text_is_read_without_unpacking_a_large_state(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world = quincunx.load(id, "compiled").new()
    text = world.legal()[0]  # the terms are unpacked once, and kept
    unpacked: list[int] = []
    value = layout._value

    def noting(part: Any, data: Any, at: int) -> Any:
        unpacked.append(part.coder.size)
        return value(part, data, at)

    monkeypatch.setattr(layout, "_value", noting)
    world.play(text)
    assert sum(unpacked) < layout.size(world.game.rules.State) // 10


@pytest.mark.parametrize("gear", ["interpreted", "compiled"])
@pytest.mark.parametrize("id", ["casus_belli", "chartichaud", "connect_four"])
def test_a_seat_that_is_not_there_is_refused(id: str, gear: GearName) -> None:
    world = quincunx.load(id, gear).new()
    for seat in (world.game.seats(world), 99, -1, -3):
        for ask in (world.game.view, world.game.score, world.game.fallback):
            with pytest.raises(Refused, match=rf"There is no seat {seat}\."):
                ask(world, seat)
    assert world.view(PUBLIC).seat == PUBLIC


def test_a_setup_beside_a_position_is_refused() -> None:
    khet = quincunx.load("khet", "interpreted")
    with pytest.raises(Refused, match="needs a setup or a position, not"):
        khet.new(setup="classic", position=khet.new(setup="dynasty").position)
