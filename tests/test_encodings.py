"""The laws of encodings, for every game, preset, setup and option: numbers are actions, masks are `legal`, observations
tell what a view tells, and nothing changes unnoticed what agents were trained on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from settled import IDS

from added_game import among_the_games, write_package
from cases import CASES, Case, long_journey, travel
from env_cases import GAMES
from make_encodings import KEPT, described
from quincunx.core.contract import PUBLIC
from quincunx.core.random import seeded
from quincunx.core.words import Refused
from quincunx.envs.encoding import Encoding
from quincunx.games import GearName, World, load
from test_leaks import FOG, STARTS, other_world, worlds_of

SAMPLE = 40  # actions of a position that are tried one by one: some positions have thousands


def positions(case: Case, gear: GearName, seeds: int, length: int) -> Iterator[tuple[Encoding, World, int]]:
    """Where a seat is to act, on random journeys: the encoding, the world, the seat."""
    for seed in range(seeds):
        world = case.start(gear, seed)
        encoding = Encoding.of(world)
        for seat, _ in travel(world, long_journey(seed, length), seed):
            if seat >= 0:
                yield encoding, world, seat


def some(actions: list[int], k: int) -> list[int]:
    step = max(1, len(actions) // SAMPLE)
    return actions[k % step :: step]


every_case = pytest.mark.parametrize("case", [case for case in CASES if case.game in GAMES], ids=str)


def looked(encoding: Encoding, world: World, seat: int) -> tuple[list[Any], ...]:
    """All that an agent is given."""
    planes, scalars = encoding.observe(world.view(seat))
    return planes.tolist(), scalars.tolist(), encoding.mask(world, seat).tolist()


@every_case
def test_every_legal_action_has_its_number_and_the_mask_is_legal(case: Case) -> None:
    for k, (encoding, world, seat) in enumerate(positions(case, "compiled", 2, 60)):
        legal = encoding.game.legal(world)
        tried = some(legal, k)
        numbers = [encoding.number(world, seat, action) for action in tried]
        assert [encoding.action(world, seat, number) for number in numbers] == tried
        mask = encoding.mask(world, seat)
        assert mask.dtype == np.uint8 and mask.shape == (encoding.actions,)
        assert mask[numbers].all() and mask.sum() == len(legal)  # different numbers, since each comes back


@every_case
def test_a_number_without_a_mask_is_nothing_that_the_rules_allow(case: Case) -> None:
    game = load(case.game)
    for k, (encoding, world, seat) in enumerate(positions(case, "compiled", 1, 60)):
        mask = encoding.mask(world, seat)
        for number in some(np.flatnonzero(mask == 0).tolist(), k):
            action = encoding.action(world, seat, number)
            allowed = action >= 0 and world.game.check(world, seat, action) is None
            assert not allowed or not game.lists_all, encoding.name(number)
            if allowed:  # the game takes more than it offers, but the number still means this one action
                assert encoding.number(world, seat, action) == number


@every_case
def test_an_observation_is_that_of_every_world_with_the_same_view(case: Case) -> None:
    for k, (encoding, world, seat) in enumerate(positions(case, "compiled", 1, 60)):
        game = encoding.game
        imagined = game.imagine(game.view(world, seat), game.random(k))
        assert looked(encoding, imagined, seat) == looked(encoding, world, seat)
        for action in some(game.legal(world), k)[:5]:
            assert encoding.number(imagined, seat, action) == encoding.number(world, seat, action)


@every_case
def test_the_gears_agree_on_encodings(case: Case) -> None:
    """Interpreted, a value that does not fit its plane is refused; checked, an index beyond it."""
    found = []
    for gear in ("interpreted", "compiled", "checked"):
        told = []
        for k, (encoding, world, seat) in enumerate(positions(case, gear, 1, 25)):
            if k % 3 == 0:
                actions = some(encoding.game.legal(world), k)[:4]
                told.append((looked(encoding, world, seat), [encoding.number(world, seat, a) for a in actions]))
        found.append(told)
    assert found[0] == found[1] == found[2] and found[0]


@pytest.mark.parametrize("id, start", [(id, k) for id in FOG for k in range(len(STARTS[id]))])
def test_what_is_secret_changes_no_observation(id: str, start: int) -> None:
    game, random = load(id, "compiled"), seeded(start)
    compared = 0
    for world in worlds_of(game, STARTS[id][start], seed=3):
        encoding = Encoding.of(world)
        for seat in range(game.seats(world)):
            twin = other_world(game, world, seat, random)
            compared += game.digest(twin) != game.digest(world)
            assert looked(encoding, twin, seat) == looked(encoding, world, seat)
    assert compared > 10  # something was secret, and drawn again


@pytest.mark.parametrize("id", FOG)
def test_orders_of_others_are_in_nobody_elses_observation(id: str) -> None:
    """What one seat does out of sight leaves what the others are given as it was."""
    case = next(case for case in CASES if case.game == id)
    unseen = 0
    for encoding, world, seat in positions(case, "compiled", 2, 60):
        game = encoding.game
        others = [other for other in range(game.seats(world)) if other != seat]
        before = [(game.digest(game.view(world, other)), looked(encoding, world, other)) for other in others]
        after = game.clone(world)
        game.apply(after, seat, game.legal(world)[len(game.legal(world)) // 2])
        for other, (view, told) in zip(others, before, strict=True):
            if game.digest(game.view(after, other)) == view:
                unseen += 1
                assert looked(encoding, after, other) == told
    assert unseen > 10


# -- from one's own side ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["khet", "cultist", "chartichaud"])
def test_both_sides_of_an_even_start_see_the_same(id: str) -> None:
    """The boards are alike from both sides, and an encoding turns them."""
    game = load(id, "interpreted")
    for seed in range(3):
        world = game.new(seed=seed)
        encoding = Encoding.of(world)
        first, second = (encoding.observe(world.view(seat)) for seat in (0, 1))
        mine = [k for k, name in enumerate(encoding.planes) if "may act" not in name]  # only who is to move has these
        assert (first[0][mine] == second[0][mine]).all() and first[0].any()
        assert (first[1] == second[1]).all()


@pytest.mark.parametrize("id", ["khet", "cultist", "chartichaud"])
def test_both_sides_of_an_even_start_have_the_same_numbers(id: str) -> None:
    game = load(id, "interpreted")
    world = game.new()
    encoding, state = Encoding.of(world), game.state(game.clone(world))
    if id == "khet":
        state.player = 1
    elif id == "cultist":
        state.turn = 1
    else:
        state.turns = 1
        state.fresh[:] = state.occupied[1]
    turned = game.world(world.options, game.terms(world), state)
    assert game.turn(turned) == 1
    assert (encoding.mask(world, 0) == encoding.mask(turned, 1)).all()


def test_what_a_number_means_in_khet() -> None:
    """The pharaoh of the one stands where that of the other does, and a step ahead is a step ahead."""
    world = load("khet", "interpreted").new(setup="classic")
    encoding = Encoding.of(world)
    number = encoding.number(world, 0, world.parse("H2-G1"))
    assert encoding.name(number) == "H2 SW"
    world.play("H2-G1")
    assert world.text(encoding.action(world, 1, number)) == "C7-D8"


# -- what cannot be said -------------------------------------------------------------------------------------------


def test_casus_belli_says_what_is_offered_and_refuses_the_rest() -> None:
    """Of paths, the cheapest to each cell, looking where the last step went; no order in the place of another."""
    game = load("casus_belli", "compiled")
    world = game.new(setup="pit", seats=2)
    encoding = Encoding.of(world)
    offered = set(game.legal(world, 0))
    paths = [action for action in offered if action >> 34 == 2 and action & 15 == 2]
    for action in paths:
        other = action ^ 1 << 4  # the same way, and another look at its end
        assert other not in offered and game.check(world, 0, other) is None
        with pytest.raises(Refused) as refused:
            encoding.number(world, 0, other)
        assert refused.value.code == "no_number"
    first = next(iter(sorted(paths)))
    number = encoding.number(world, 0, first)
    game.apply(world, 0, first)
    assert encoding.mask(world, 0)[number] == 0 and encoding.action(world, 0, number) == first
    assert encoding.mask(world, 0)[0] == 1 and encoding.name(0) == "seal"


# -- refusals and names --------------------------------------------------------------------------------------------


@every_case
def test_every_number_plane_and_scalar_has_a_name_of_its_own(case: Case) -> None:
    encoding = Encoding.of(case.start("interpreted"))
    names = [encoding.name(number) for number in range(encoding.actions)]
    assert len(set(names)) == encoding.actions and all(names)
    planes, scalars = encoding.observe(case.start("interpreted").view(0))
    assert planes.shape == encoding.shape and scalars.shape == (len(encoding.scalars),)
    for beyond in (-1, encoding.actions):
        with pytest.raises(IndexError):
            encoding.name(beyond)


def test_a_game_without_an_encoding_is_refused_with_what_to_write(tmp_path: Path) -> None:
    write_package(tmp_path)
    (tmp_path / "nim" / "encoding.py").unlink()
    with among_the_games(tmp_path), pytest.raises(Refused, match=r"Nim has no encoding: write encoding\.py") as refused:
        Encoding("nim")
    assert refused.value.code == "no_encoding" and "adding-a-game" in refused.value.words.fr


def test_the_game_of_the_document_has_an_encoding_that_holds(tmp_path: Path) -> None:
    write_package(tmp_path)
    with among_the_games(tmp_path):
        encoding = Encoding(load("nim", "interpreted"))
        world = encoding.game.new(position="3 0 2")
        assert encoding.observe(world.view(0))[0].sum() == 5
        assert [encoding.name(n) for n in np.flatnonzero(encoding.mask(world, 0)).tolist()] == world.legal()


def test_what_does_not_fit_is_refused() -> None:
    encoding = Encoding("chartichaud", {"width": 6, "height": 5})
    other = encoding.game.new(width=5, height=6)
    for ask in (lambda: encoding.mask(other, 0), lambda: encoding.observe(other.view(0))):
        with pytest.raises(Refused) as refused:
            ask()
        assert refused.value.code == "other_size"
    world = encoding.game.new(width=6, height=5)
    with pytest.raises(ValueError, match="the view of a seat"):
        encoding.observe(world.view(PUBLIC))
    with pytest.raises(Refused):
        encoding.number(world, 1, 0)  # it is not its turn
    assert encoding.action(world, 0, encoding.actions) == encoding.action(world, 0, -1) == -1
    assert not encoding.mask(world, 1).any()


def test_nothing_changes_what_agents_were_trained_on() -> None:
    """After a change on purpose: a new VERSION in the game's encoding.py, then `python tests/make_encodings.py`."""
    kept = json.loads(KEPT.read_text("utf-8"))
    assert set(kept) >= set(IDS)
    for id, before in kept.items():
        now = described(id)
        if now != before:
            told = "its VERSION is still the same" if now["versions"] == before["versions"] else "not kept yet"
            pytest.fail(f"{id}: its encoding is another ({told}); see the docstring of this test")
