"""Gymnasium's environment of any game: one seat learns, players by name hold the others.

    env = gymnasium.make("quincunx/Khet-v1", opponent="level:2", seat="random")
    seen, info = env.reset(seed=1)
    seen, reward, terminated, truncated, info = env.step(env.action_space.sample(seen["action_mask"]))

A step is an action of the learner and all that follows until it is asked again. Opponents are handed the views of their
seats, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsFloat

import gymnasium
from gymnasium.utils import EzPickle

from quincunx.core.words import Words, expected
from quincunx.envs.episode import Episode, Seen
from quincunx.envs.rendering import MODES, accepted, rendered
from quincunx.envs.spaces import action_space, observation_space
from quincunx.players import Player, make


class SeatEnv(gymnasium.Env[Seen, int], EzPickle):
    """`opponent`: a player by name, or one for each of the other seats; `seat`: the learner's, or "random", drawn for
    each match. `texts` adds the legal actions as texts to each info."""

    metadata = {"render_modes": list(MODES), "render_fps": 2}

    def __init__(
        self,
        game: str,
        *,
        opponent: str | Sequence[str] = "random",
        seat: int | str = 0,
        render_mode: str | None = None,
        texts: bool = False,
        **settings: Any,
    ) -> None:
        given = {"opponent": opponent, "seat": seat, "render_mode": render_mode, "texts": texts, **settings}
        EzPickle.__init__(self, game, **given)
        self.episode = Episode(game, **settings)
        if seat != "random" and seat not in range(self.episode.seats):
            last = self.episode.seats - 1
            raise expected(Words("une place de 0 à {}, ou random", "a seat from 0 to {}, or random").format(last), seat)
        self.render_mode = accepted(render_mode)
        self.observation_space = observation_space(self.episode.encoding)
        self.action_space = action_space(self.episode.encoding)
        self._chosen = seat
        self.seat = 0 if isinstance(seat, str) else seat  # the learner's, in this match
        self._others = [make(spec, self.episode.game) for spec in self._specs(opponent)]
        self._texts = texts

    def _specs(self, opponent: str | Sequence[str]) -> list[str]:
        others = self.episode.seats - 1
        specs = [opponent] * others if isinstance(opponent, str) else list(opponent)
        if len(specs) != others:
            raise expected(Words("{} adversaires", "{} opponents").format(others), specs)
        return specs

    # -- playing -------------------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """`options={"position": …}` begins at a position instead of a start."""
        super().reset(seed=seed)
        self.episode.begin(self.np_random, (options or {}).get("position"))
        if isinstance(self._chosen, str):
            self.seat = int(self.np_random.integers(self.episode.seats))
        for player, own in zip(self._others, self.np_random.integers(2**62, size=len(self._others)), strict=True):
            player.begin(int(own))
        replies = self._let_others_play()
        if self.render_mode == "human":
            self.render()
        return self.episode.observe(self.seat), self._info({}, replies)

    def step(self, action: Any) -> tuple[Seen, SupportsFloat, bool, bool, dict[str, Any]]:
        told = self.episode.play(self.seat, action)
        replies = self._let_others_play()
        if self.render_mode == "human":
            self.render()
        reward = self.episode.rewards()[self.seat]
        info = self._info(told, replies)
        return self.episode.observe(self.seat), reward, self.episode.over, self.episode.truncated, info

    def _let_others_play(self) -> list[str]:
        """Until the learner is asked, or the match is over; what they played, as texts."""
        replies = []
        while not (self.episode.over or self.episode.truncated) and (seat := self.episode.turn) != self.seat:
            player = self._player(seat)
            action = player.choose(self.episode.game.view(self.episode.world, seat))
            replies.append(self.episode.act(seat, action))
        return replies

    def _player(self, seat: int) -> Player:
        return self._others[seat - (seat > self.seat)]

    def _info(self, told: dict[str, Any], replies: list[str]) -> dict[str, Any]:
        """What others did is told only where everybody sees it."""
        info = {**told, "seat": self.seat}
        if self.episode.game.card.open:
            info["replies"] = replies
        if self._texts:
            info["legal"] = self.episode.legal_texts(self.seat)
        return info

    # -- looking -------------------------------------------------------------------------------------------------

    def render(self) -> Any:
        return rendered(self.episode, self.render_mode, self.seat)
