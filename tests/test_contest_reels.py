"""Reels: a match in some pictures, for those who watch a contest."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from quincunx.games import load
from quincunx.server.contest_records import reeled, spread
from quincunx.tournament.playing import packed
from quincunx.tournament.series import Series, play_one

pytestmark = pytest.mark.slow  # left out of `make check`


@pytest.mark.parametrize("total, most", [(1, 1), (1, 240), (10, 1), (10, 2), (10, 10), (11, 10), (1000, 240)])
def test_a_reel_is_spread_evenly_and_ends_with_the_end(total: int, most: int) -> None:
    numbers = spread(total, most)
    assert numbers[-1] == total - 1 and len(numbers) == len(set(numbers)) == min(total, most)
    steps = [b - a for a, b in pairwise(numbers)]
    assert not steps or max(steps) - min(steps) <= 1


def test_every_game_makes_a_reel() -> None:
    """Also one with fog and no view without it: through the eyes of the winner."""
    options = {"casus_belli": {"seats": 2, "width": 11, "height": 11, "turns": 21}, "chartichaud": {"turns": 4}}
    for game in ("casus_belli", "chartichaud", "khet"):
        bout = play_one(
            Series(game, ("random", "random"), options=options.get(game, {}), seed=3, gear="interpreted"), 0
        )
        reel = json.loads(reeled(packed(bout.record), {}, 5, False))
        assert len(reel["frames"]) == min(5, reel["total"])
        fog = load(game, "interpreted").card.fog and not load(game, "interpreted").unveils
        assert reel["eye"] == (bout.outcome.ranks.index(1) if fog else -2)
