"""A batch plays the very matches that everybody else plays: same states, same dice, same ends; and its arrays say so.

`make fuzz` plays a thousand matches of each game and replays their records.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import quincunx.envs
from cases import LONG
from env_cases import GAMES
from quincunx.core.contract import CHANCE, NOBODY
from quincunx.core.words import Refused
from quincunx.envs import Batch, Recorder
from quincunx.games import World, load
from quincunx.match import decode, encode, replay

SMALL: dict[str, dict[str, Any]] = {  # matches that are over soon
    "casus_belli": {"setup": "pit", "seats": 2},
    "chartichaud": {"width": 6, "height": 5, "turns": 20},
    "cultist": {"turns": 40, "neutrals": "wander"},
    "garden": {"preset": "wild", "rounds": 5},
}
every_game = pytest.mark.parametrize("id", GAMES)


def some_numbers(batch: Batch, random: np.random.Generator) -> NDArray[np.int64]:
    """A legal one for each match, any of them equally likely; 0 where nobody is to act."""
    return np.asarray(np.argmax(random.random(batch.mask().shape) * batch.mask(), axis=1))


def follow(batch: Batch, worlds: list[World], dice: list[Any], numbers: NDArray[np.int64]) -> None:
    """Plays in each world what the batch is about to play, through the façade."""
    game = batch.game
    for k, world in enumerate(worlds):
        seat = game.turn(world)
        action = batch.encoding.action(world, seat, int(numbers[k]))
        assert game.check(world, seat, action) is None
        game.apply(world, seat, action)
        while game.turn(world) == CHANCE:
            game.apply(world, CHANCE, game.roll(world, dice[k]))


def agree(batch: Batch, k: int, world: World) -> None:
    """All that the batch says of a match is what the façade and the encoding say of its world."""
    game, seat = batch.game, int(batch.turn[k])
    assert game.to_bytes(batch.world(k)) == game.to_bytes(world)
    assert seat == game.turn(world)
    planes, scalars = batch.encoding.observe(world.view(seat))
    assert (batch.observe().planes[k] == planes).all() and (batch.observe().scalars[k] == scalars).all()
    assert (batch.mask()[k] == batch.encoding.mask(world, seat)).all()


@every_game
@pytest.mark.parametrize("gear", ["compiled", "checked"])
def test_a_batch_plays_what_the_facade_plays(id: str, gear: Any) -> None:
    batch = Batch(load(id, gear), 6, threads=2, starts=3, **SMALL.get(id, {}))
    batch.reset(seed=11)
    random = np.random.default_rng(5)
    worlds, dice = [batch.world(k) for k in range(6)], [batch.random(k) for k in range(6)]
    ended = 0
    for n in range(400):
        numbers = some_numbers(batch, random)
        follow(batch, worlds, dice, numbers)
        _, rewards, terminated, truncated, _ = batch.step(numbers)
        for k, world in enumerate(worlds):
            assert terminated[k] == batch.game.over(world) and not truncated[k]
            if terminated[k]:
                ended += 1
                assert rewards[k].tolist() == expected_rewards(batch.game.scores(world))
                worlds[k], dice[k] = batch.world(k), batch.random(k)  # the next match has begun
            else:
                assert not rewards[k].any()
            if n % 5 == 0 or terminated[k]:
                agree(batch, k, worlds[k])
        if ended > 12:
            break
    assert ended > 2


def expected_rewards(scores: list[int]) -> list[float]:
    """Beaten less beaten by, over the number of others."""
    return [sum((mine > s) - (mine < s) for s in scores) / (len(scores) - 1) for mine in scores]


@every_game
def test_records_of_a_batch_replay(id: str) -> None:
    matches = 1000 if LONG else 8
    recorder = Recorder(quincunx.envs.batch(id, matches // 4, threads=2, starts=20, **SMALL.get(id, {})))
    recorder.reset(seed=1)
    while len(recorder.finished) < matches:
        recorder.step(recorder.batch.sample())
    for record in recorder.finished:
        again = replay(decode(encode(record)), "compiled")
        assert again.over and again.outcome == record.outcome


def test_records_of_matches_that_were_cut_off_and_of_those_that_wait() -> None:
    recorder = Recorder(quincunx.envs.batch("khet", 3, longest=5), matches=[2])
    recorder.reset(seed=1)
    for _ in range(11):
        recorder.step(recorder.batch.sample())
    assert [len(record.entries) for record in recorder.finished] == [6, 6]  # five actions, and that it was cut off
    for record in recorder.finished:
        assert replay(record).outcome == record.outcome and record.outcome and record.outcome.reason == "abort"
    assert list(recorder.playing) == [2] and recorder.playing[2].length == 1
    waiting = Recorder(quincunx.envs.batch("connect_four", 2, auto_reset=False))
    waiting.reset(seed=1)
    for _ in range(50):
        waiting.step(waiting.batch.sample())
    assert len(waiting.finished) == 2 and not waiting.playing
    with pytest.raises(Refused):
        waiting.reset("seed")


# -- seeds, threads, starts ----------------------------------------------------------------------------------------


def history(batch: Batch, seed: Any, steps: int = 60) -> list[bytes]:
    batch.reset(seed)
    found = []
    for _ in range(steps):
        batch.step(batch.sample())
        found.append(b"".join(a.tobytes() for a in (*batch.observe(), batch.mask(), batch.turn)))
    return found


@every_game
def test_equal_seeds_play_equal_matches_on_any_number_of_threads(id: str) -> None:
    options = SMALL.get(id, {})
    one = history(quincunx.envs.batch(id, 9, threads=1, **options), 4)
    assert history(quincunx.envs.batch(id, 9, threads=4, **options), 4) == one
    assert history(quincunx.envs.batch(id, 9, **options), np.arange(4, 13)) == one
    other = quincunx.envs.batch(id, 9, **options)
    assert history(other, 4) == one and history(other, 4) == one
    if load(id).card.drawn and "setup" not in options:
        assert history(other, 5) != one


def test_a_match_depends_on_its_own_seed_and_not_on_its_neighbours() -> None:
    """Whatever the others play, dice and starts of a match are its own."""
    batch = quincunx.envs.batch("garden", 3, **SMALL["garden"])
    told = []
    for others in (0, 1):
        batch.reset([8, 100, 101])
        random, mixed = np.random.default_rng(1), np.random.default_rng(others)
        states = []
        for _ in range(150):
            numbers = some_numbers(batch, mixed)
            numbers[0] = np.argmax(random.random(batch.mask()[0].shape) * batch.mask()[0])
            batch.step(numbers)
            states.append(batch.game.to_bytes(batch.world(0)))
        told.append(states)
    assert told[0] == told[1]


def test_every_match_has_the_generator_of_its_own_seed() -> None:
    batch = quincunx.envs.batch("garden", 5, preset="quick", starts=1)
    batch.reset(seed=40)
    told = {batch.game.memory.to_bytes(batch.random(k)) for k in range(5)}
    assert told == {batch.game.memory.to_bytes(batch.game.random(40 + k)) for k in range(5)} and len(told) == 5
    for _ in range(3000):  # it goes on through match after match
        batch.step(batch.sample())
    later = {batch.game.memory.to_bytes(batch.random(k)) for k in range(5)}
    assert len(later) == 5 and not later & told


def test_starts_are_drawn_by_the_game_and_used_by_all() -> None:
    game = load("cultist", "compiled")
    batch = Batch(game, 200, starts=5)
    batch.reset(seed=30)
    drawn = {game.position(game.new(seed=seed)) for seed in range(30, 35)}
    assert {batch.world(k).position for k in range(200)} == drawn and len(drawn) == 5
    batch.reset()  # by the system's entropy
    assert not {batch.world(k).position for k in range(200)} & drawn
    given = [game.new(setup="meadow"), game.new(setup="cloister")]
    batch = Batch(game, 50, starts=given)
    batch.reset(seed=1)
    assert {batch.world(k).position for k in range(50)} == {world.position for world in given}


def test_samples_are_legal_and_every_number_has_its_turn() -> None:
    batch = quincunx.envs.batch("connect_four", 700)
    batch.reset(seed=3)
    counts = np.bincount(batch.sample(), minlength=7)
    assert (counts > 60).all() and counts.sum() == 700  # 100 each: four deviations are 37
    again = batch.sample().copy()
    assert (np.bincount(again, minlength=7) > 60).all() and (again != batch.sample()).any()
    for _ in range(60):
        batch.step(batch.sample())
        assert batch.mask()[np.arange(700), batch.sample()].all()


# -- ends ----------------------------------------------------------------------------------------------------------


def test_a_match_that_is_cut_off_says_so_and_begins_again() -> None:
    batch = quincunx.envs.batch("khet", 5, longest=3)
    batch.reset(seed=1)
    begun = batch.world(0).position
    random = np.random.default_rng(1)
    for n in range(1, 10):
        _, rewards, terminated, truncated, _ = batch.step(some_numbers(batch, random))
        assert truncated.tolist() == [n % 3 == 0] * 5 and not terminated.any() and not rewards.any()
        assert (batch.world(0).position == begun) == (n % 3 == 0)


def test_without_auto_reset_ended_matches_wait() -> None:
    batch = quincunx.envs.batch("connect_four", 3, auto_reset=False)
    batch.reset()
    ends = np.array([0, 0, 0])
    for n in range(7):  # a against b in the first match; the others fill columns
        numbers = np.array([n % 2, n % 7, (n + 1) % 7])
        _, rewards, terminated, _, _ = batch.step(numbers)
        ends += terminated & (rewards[:, 0] != 0)
    assert terminated.tolist() == [True, False, False] and rewards[0].tolist() == [1, -1]
    assert batch.turn.tolist() == [NOBODY, 1, 1] and not batch.mask()[0].any()
    assert not batch.observe().planes[0].any()
    _, rewards, terminated, _, _ = batch.step([-5, 6, 6])  # whatever: nothing happens there
    assert terminated.tolist() == [True, False, False] and not rewards.any() and ends.tolist() == [1, 0, 0]
    batch.reset()
    assert batch.turn.tolist() == [0, 0, 0] and batch.mask().all()


def test_cut_off_without_auto_reset_the_last_observation_is_there() -> None:
    """Who learns from it needs the value of where it was cut off."""
    batch = quincunx.envs.batch("connect_four", 2, auto_reset=False, longest=2)
    batch.reset()
    batch.step([0, 1])
    _, _, _, truncated, _ = batch.step([0, 1])
    assert truncated.all() and batch.observe().planes.sum() == 4
    before = batch.observe().planes.copy()
    batch.step([0, 0])
    assert (batch.observe().planes == before).all() and batch.turn.tolist() == [0, 0]


# -- refusals ------------------------------------------------------------------------------------------------------


def test_a_number_that_is_not_allowed_is_refused_and_nothing_is_played() -> None:
    batch = quincunx.envs.batch("connect_four", 4, threads=2)
    batch.reset()
    for _ in range(6):
        batch.step([3, 0, 1, 2])
    before = [batch.world(k).position for k in range(4)]
    for wrong in ([0, 1, 2, 2], [3, 0, 1, 7], [3, 0, -1, 2]):
        with pytest.raises(Refused, match=r"In match \d, number -?\d is not allowed") as refused:
            batch.step(wrong)
        assert refused.value.code == "illegal"
        assert [batch.world(k).position for k in range(4)] == before


def test_a_mask_that_the_caller_has_changed_lets_nothing_illegal_through() -> None:
    batch = quincunx.envs.batch("khet", 4)
    batch.reset()
    before = batch.world(2).position
    batch.mask()[:] = 1
    numbers = [int(np.argmax(batch.encoding.mask(batch.world(k), 0))) for k in range(4)]
    numbers[2] = 798  # the sphinx would turn away
    with pytest.raises(Refused, match="In match 2"):
        batch.step(numbers)
    assert batch.world(2).position == before


def test_what_is_no_batch_is_refused() -> None:
    with pytest.raises(Refused, match="reset"):
        quincunx.envs.batch("khet", 2).step([0, 0])
    for n, threads in ((0, 1), (2, 0)):
        with pytest.raises(Refused, match="of at least 1"):
            quincunx.envs.batch("khet", n, threads=threads)
    with pytest.raises(Refused) as refused:
        Batch(load("khet", "interpreted"), 2)
    assert refused.value.code == "not_compiled"
    batch = quincunx.envs.batch("khet", 2)
    batch.reset()
    for numbers in ([0], [0.5, 1.0], [[0], [1]]):
        with pytest.raises(Refused, match="2 whole numbers"):
            batch.step(numbers)
    for seed in (0.5, [1, 2, 3]):
        with pytest.raises(Refused, match="a seed"):
            batch.reset(seed)
    with pytest.raises(Refused, match="a seat from 0 to 1"):
        batch.observe(2)


def test_options_are_the_games_own_even_if_they_are_called_as_ours() -> None:
    batch = quincunx.envs.batch("garden", 2, n=5, m=1)
    batch.reset()
    assert (batch.world(1).options["n"], batch.world(1).options["m"], batch.n) == (5, 1, 2)
    with pytest.raises(Refused, match="misere"):
        quincunx.envs.batch("garden", 2, misere=True)


def test_starts_that_do_not_fit_are_refused() -> None:
    """Another size, more players, another gear or a match that is over would be written where there is no room."""
    game, war = load("chartichaud", "compiled"), load("casus_belli", "compiled")
    over = game.new(width=6, height=5, turns=20)
    while not over.over:
        over.play("end")
    usual = game.new(width=6, height=5)
    pairs = [
        ([usual, game.new(width=5, height=5)], "6"),
        ([usual, over], "that can be played"),
        ([usual, load("chartichaud", "interpreted").new(width=6, height=5)], "worlds of"),
        ([war.new(setup="pit", seats=2), war.new(setup="pit", seats=3)], "starts for 2 players"),
    ]
    for starts, said in pairs:
        with pytest.raises(Refused, match=said):
            Batch(starts[0].game, 2, starts=starts).reset()
    nothing: tuple[int | list[World], ...] = (0, [])
    for none in nothing:
        with pytest.raises(Refused, match="starts of at least 1"):
            Batch(game, 2, starts=none)


def test_imagined_worlds_are_starts() -> None:
    """What a player under fog does: it goes on from worlds that its view allows."""
    game = load("chartichaud", "compiled")
    view, random = game.new(seed=4).view(0), game.random(1)
    batch = Batch(game, 16, starts=[game.imagine(view, random) for _ in range(16)])
    observations, _ = batch.reset(seed=1)
    assert (observations.planes == batch.encoding.observe(view)[0]).all()
