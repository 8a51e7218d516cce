"""Records of what a batch plays: the same records as those of any other match, to replay, to show, to learn from.

>>> import quincunx.envs
>>> recorder = quincunx.envs.Recorder(quincunx.envs.batch("connect_four", 8), matches=[0])
>>> _ = recorder.reset(seed=1)
>>> while not recorder.finished:
...     _ = recorder.step(recorder.batch.mask().argmax(1))
>>> [entry.action for entry in recorder.finished[0].entries][:7]
['a', 'a', 'a', 'a', 'a', 'a', 'b']
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quincunx.envs.batches import Batch, Observations, Step
from quincunx.match import Match
from quincunx.match.record import MatchRecord


class Recorder:
    """Plays a batch and writes down some of its matches, or all: `reset` and `step` as the batch has them.

    Each is played a second time by the rules as everybody else uses them; that takes its time."""

    def __init__(self, batch: Batch, matches: Iterable[int] | None = None) -> None:
        self.batch = batch
        self.matches = list(range(batch.n) if matches is None else matches)
        self.playing: dict[int, Match] = {}
        self.finished: list[MatchRecord] = []

    def reset(self, seed: int | ArrayLike | None = None) -> tuple[Observations, dict[str, Any]]:
        """What was not finished is forgotten."""
        found = self.batch.reset(seed)
        self.playing = {k: self._begin(k) for k in self.matches}
        return found

    def step(self, numbers: ArrayLike) -> Step:
        """Plays a step of the batch, and of what is written down; `finished` has the records."""
        played = np.array(numbers)
        found = self.batch.step(numbers)
        _, _, terminated, truncated, _ = found
        for k, match in list(self.playing.items()):
            action = self.batch.encoding.action(match.world, match.turn, int(played[k]))
            match.act(match.turn, action)
            if terminated[k] or truncated[k]:
                if truncated[k]:
                    match.abort("cut off")
                self.finished.append(match.record())
                del self.playing[k]
                if self.batch.auto_reset:
                    self.playing[k] = self._begin(k)
        return found

    def _begin(self, k: int) -> Match:
        """From where match k stands; its dice are those that the batch will throw."""
        world = self.batch.world(k)
        options: dict[str, Any] = world.options
        match = Match(self.batch.game, position=world.position, seed=0, dice=self.batch.random(k), **options)
        match.seed = None
        return match
