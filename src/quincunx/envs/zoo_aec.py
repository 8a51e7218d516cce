"""PettingZoo's AEC environment of any game: one agent after the other.

    env = quincunx.envs.aec("khet")
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))

Agents are `player_0`, `player_1` … by seat. Dice fall by themselves. Where seats decide in secret at the same time,
they are asked one after the other, and none sees what the others have ordered.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Space
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv

from quincunx.envs.episode import Episode, Saved, Seen
from quincunx.envs.rendering import MODES, accepted, rendered
from quincunx.envs.spaces import action_space, observation_space
from quincunx.envs.versions import version_of


class TurnEnv(AECEnv[str, Seen, int], EzPickle):  # type: ignore[misc]  # PettingZoo says no types
    """`texts` adds the legal actions as texts to each info; `watch` is the seat whose view is rendered."""

    def __init__(
        self,
        game: str,
        *,
        render_mode: str | None = None,
        texts: bool = False,
        watch: int | None = None,
        **settings: Any,
    ) -> None:
        EzPickle.__init__(self, game, render_mode=render_mode, texts=texts, watch=watch, **settings)
        super().__init__()
        self.episode = Episode(game, **settings)
        self.render_mode = accepted(render_mode)
        self.metadata = {
            "name": f"quincunx_{self.episode.game.card.id}_v{version_of(self.episode.game.card.id)}",
            "render_modes": list(MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.episode.seats)]
        self.agents: list[str] = []
        seen = observation_space(self.episode.encoding)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: action_space(self.episode.encoding) for agent in self.possible_agents}
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._texts = texts
        self._watch = watch
        self._random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    # -- playing -------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """`options={"position": …}` begins at a position instead of a start."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self.episode.begin(self._random, (options or {}).get("position"))
        self._seat_everybody()
        if self.render_mode == "human":
            self.render()

    def _seat_everybody(self) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._look()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = self.episode.play(self._seat_of[agent], action)
        self._look()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _look(self) -> None:
        """Who is next, and what it may know before it looks at the board."""
        over, truncated = self.episode.over, self.episode.truncated
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, truncated)
        if over:
            self.rewards = dict(zip(self.agents, self.episode.rewards(), strict=True))
            return
        seat = self.episode.turn
        self.agent_selection = self.possible_agents[seat]
        if self._texts:
            self.infos[self.agent_selection] = {
                **self.infos[self.agent_selection],
                "legal": self.episode.legal_texts(seat),
            }

    def save(self) -> tuple[Saved, Any]:
        """The match as it stands, for `restore`: search goes back to it as often as it likes."""
        return self.episode.save(), {agent: dict(info) for agent, info in self.infos.items()}

    def restore(self, saved: tuple[Saved, Any]) -> None:
        self.episode.restore(saved[0])
        self._seat_everybody()
        self.infos |= {agent: dict(info) for agent, info in saved[1].items()}

    # -- looking -------------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> Seen:
        return self.episode.observe(self._seat_of[agent])

    def render(self) -> Any:
        """As the agent sees it that is to act, or the seat that was asked to be watched."""
        seat = self._seat_of[self.agent_selection] if self._watch is None else self._watch
        return rendered(self.episode, self.render_mode, seat)

    def close(self) -> None:
        """Nothing is held open."""
