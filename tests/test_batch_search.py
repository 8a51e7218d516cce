"""Batches for search and for other libraries: clones, matches that are restored, arrays that travel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import quincunx.envs
from quincunx.core.contract import NOBODY
from quincunx.core.words import Refused
from quincunx.envs import Batch
from quincunx.games import World
from test_batches import SMALL, agree, every_game, some_numbers


@every_game
def test_a_clone_goes_its_own_way_and_restores(id: str) -> None:
    batch = quincunx.envs.batch(id, 6, **SMALL.get(id, {}))
    batch.reset(seed=2)
    random = np.random.default_rng(4)
    for _ in range(9):
        batch.step(some_numbers(batch, random))
    saved = batch.clone()
    there = [saved.game.to_bytes(saved.world(k)) for k in range(6)]
    for _ in range(30):
        batch.step(some_numbers(batch, random))
    assert [saved.game.to_bytes(saved.world(k)) for k in range(6)] == there
    batch.restore(saved)
    for k in range(6):
        agree(batch, k, saved.world(k))
    for _ in range(20):  # from there on, equal numbers lead to equal matches, dice and new starts included
        numbers = some_numbers(batch, random)
        batch.step(numbers), saved.step(numbers)
        assert (batch.observe().planes == saved.observe().planes).all()


def test_one_match_can_be_tried_out_in_many() -> None:
    """The children of a position: match 2 of a batch in seven matches of another, one for each column."""
    batch = quincunx.envs.batch("connect_four", 3)
    batch.reset()
    batch.step([1, 2, 3])
    tree = batch.clone(of=[2] * 7)
    assert tree.n == 7 and {tree.world(k).position for k in range(7)} == {batch.world(2).position}
    tree.step(np.arange(7))
    assert len({tree.world(k).position for k in range(7)}) == 7
    batch.restore(tree, into=[0, 2], of=[6, 1])
    assert [batch.world(k).position for k in (0, 2)] == [tree.world(k).position for k in (6, 1)]
    for into, of in (([0, 3], [0, 0]), ([0], [7]), ([0], [-1]), ([0, 1], [0])):
        with pytest.raises(Refused):
            batch.restore(tree, into=into, of=of)
    other = Batch(batch.game, 7)
    other.reset()
    with pytest.raises(Refused, match="other starts"):
        batch.restore(other, into=[0])


def test_a_clone_draws_no_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a map that takes milliseconds, and search clones all the time."""
    batch = quincunx.envs.batch("casus_belli", 2, threads=2, **SMALL["casus_belli"])
    batch.reset(seed=1)

    def new(*_: Any, **__: Any) -> World:
        raise AssertionError("a start is drawn")

    monkeypatch.setattr(type(batch.game), "new", new)
    twin = batch.clone(of=[1, 0, 1])
    assert [twin.world(k).position for k in range(3)] == [batch.world(k).position for k in (1, 0, 1)]
    before = batch.world(1).position
    twin.step(twin.sample()), twin.step(twin.sample())
    assert batch.world(1).position == before and (twin.n, batch.n) == (3, 2)
    with pytest.raises(Refused, match="at least one match"):
        batch.clone(of=[])


def test_a_batch_on_another_map_is_not_restored() -> None:
    """It would be written where there is no room."""
    one, two = (quincunx.envs.batch("chartichaud", 2, width=width, height=5) for width in (5, 9))
    one.reset(), two.reset()
    with pytest.raises(Refused, match="other starts"):
        one.restore(two)
    assert one.world(-1).position == one.world(1).position
    with pytest.raises(IndexError):
        one.world(2)


def test_a_seat_that_is_not_to_act_can_be_asked_for_too() -> None:
    batch = quincunx.envs.batch("chartichaud", 3, **SMALL["chartichaud"])
    batch.reset(seed=1)
    for seat in range(2):
        planes, scalars = batch.observe(seat)
        for k in range(3):
            shown, told = batch.encoding.observe(batch.world(k).view(seat))
            assert (planes[k] == shown).all() and (scalars[k] == told).all()
    assert (batch.observe(0).planes == batch.observe().planes).all()


def test_arrays_are_the_batchs_own_and_travel_without_a_copy() -> None:
    batch = quincunx.envs.batch("khet", 8)
    observations, info = batch.reset()
    after, rewards, terminated, truncated, again = batch.step(batch.mask().argmax(1).astype(np.int32))
    assert after.planes is observations.planes and again["mask"] is info["mask"] is batch.mask()
    arrays = (after.planes, after.scalars, rewards, terminated, truncated, batch.mask(), batch.turn)
    for array in arrays:
        assert array.flags.c_contiguous and array.ctypes.data % 64 == 0
        assert np.shares_memory(np.from_dlpack(array), array)


def test_torch_reads_and_writes_the_very_arrays() -> None:
    torch = pytest.importorskip("torch")
    batch = quincunx.envs.batch("connect_four", 4)
    observations, info = batch.reset()
    planes, mask = torch.from_dlpack(observations.planes), torch.from_dlpack(info["mask"])
    assert planes.data_ptr() == observations.planes.ctypes.data and mask.data_ptr() == info["mask"].ctypes.data
    batch.step(mask.to(torch.int64).argmax(1).numpy())
    assert int(planes.sum()) == 4


# -- after a match was cut off, or ended ---------------------------------------------------------------------------


def cut_off_twice(threads: int = 1) -> Batch:
    """Match 1 goes on; 0 and 2 were cut off, and wait."""
    batch = quincunx.envs.batch("connect_four", 3, auto_reset=False, longest=2, threads=threads)
    batch.reset()
    fresh = batch.clone()
    batch.step([0, 1, 2]), batch.step([0, 1, 2])
    assert batch._cut.all()
    batch.restore(fresh, into=[1])
    return batch


@pytest.mark.parametrize("threads", [1, 2])
def test_a_match_that_was_cut_off_stays_so_when_others_are_restored_and_when_it_is_cloned(threads: int) -> None:
    batch = cut_off_twice(threads)
    for each in (batch, batch.clone(), batch.clone(of=[2, 1, 0])):
        assert each._cut.tolist() == [True, False, True] and not each._ended.any()
        *_, truncated, _ = each.step([3, 3, 3])
        assert truncated.tolist() == [True, False, True]
        assert each.observe().planes.sum(axis=(1, 2, 3)).tolist() == [2, 1, 2]


def test_a_match_that_is_restored_to_before_it_was_cut_off_goes_on_and_keeps_the_rewards_of_others() -> None:
    batch = quincunx.envs.batch("connect_four", 2, auto_reset=False)
    batch.reset()
    early = batch.clone()
    for n in range(7):
        _, rewards, terminated, _, _ = batch.step([n % 2, n % 2])
    batch.restore(early, into=[1])
    assert terminated.tolist() == [True, False] and rewards.tolist() == [[1, -1], [0, 0]]
    assert batch.turn.tolist() == [NOBODY, 0] and batch.mask()[1].all()
