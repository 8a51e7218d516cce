"""PettingZoo's parallel environment, for games in which the seats decide at the same time.

    env = quincunx.envs.parallel("casus_belli", seats=2)
    seen, infos = env.reset(seed=1)
    while env.agents:
        actions = {agent: env.action_space(agent).sample(seen[agent]["action_mask"]) for agent in env.agents}
        seen, rewards, terminations, truncations, infos = env.step(actions)

In a step each agent gives one order. A turn of the game takes as many steps as the agent with most orders needs; who
has sealed its orders is offered to seal them again, which does nothing, until all have.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Space
from gymnasium.utils import EzPickle, seeding
from pettingzoo import ParallelEnv

from quincunx.core.words import Refused, Words
from quincunx.envs.episode import Episode, Seen
from quincunx.envs.rendering import MODES, accepted, rendered
from quincunx.envs.spaces import action_space, observation_space
from quincunx.envs.versions import version_of

IN_TURN = Words(
    "Dans {0}, on joue chacun son tour : prenez quincunx.envs.aec({1!r}).",
    "In {0} the seats act in turn: use quincunx.envs.aec({1!r}).",
)
NO_ACTION = Words("{} doit agir : donnez son nombre.", "{} is to act: give its number.")
SEALED = Words(
    "{} a scellé ses ordres et attend les autres : rien que {}, et non {}.",
    "{} has sealed its orders and waits for the others: nothing but {}, not {}.",
)
Everybody = dict[str, Any]


class TogetherEnv(ParallelEnv[str, Seen, int], EzPickle):  # type: ignore[misc]  # PettingZoo says no types
    """`texts` adds the legal actions as texts to each info; `watch` is the seat whose view is rendered."""

    def __init__(
        self, game: str, *, render_mode: str | None = None, texts: bool = False, watch: int = 0, **settings: Any
    ) -> None:
        EzPickle.__init__(self, game, render_mode=render_mode, texts=texts, watch=watch, **settings)
        self.episode = Episode(game, **settings)
        card = self.episode.game.card
        if not card.simultaneous:
            raise Refused("in_turn", IN_TURN.format(card.name, card.id))
        self.render_mode = accepted(render_mode)
        self.metadata = {
            "name": f"quincunx_{card.id}_v{version_of(card.id)}",
            "render_modes": list(MODES),
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.episode.seats)]
        self.agents: list[str] = []
        seen = observation_space(self.episode.encoding)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: action_space(self.episode.encoding) for agent in self.possible_agents}
        self._texts = texts
        self._watch = watch
        self._random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Everybody, dict[str, dict[str, Any]]]:
        """`options={"position": …}` begins at a position instead of a start."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self.episode.begin(self._random, (options or {}).get("position"))
        self.agents = self.possible_agents[:]
        self._waits = [self._seal(seat) for seat in range(self.episode.seats)]
        if self.render_mode == "human":
            self.render()
        return self._seen(), self._infos({})

    def _seal(self, seat: int) -> int:
        """What a seat says that has nothing more to order: what a run-out clock would play for it."""
        game, world = self.episode.game, self.episode.world
        sealing = game.fallback(world, seat) if game.to_act(world, seat) else None
        return -1 if sealing is None else self.episode.encoding.number(world, seat, sealing)

    def step(self, actions: dict[str, int]) -> tuple[Everybody, Everybody, Everybody, Everybody, Everybody]:
        if not self.agents:
            return {}, {}, {}, {}, {}
        game, world = self.episode.game, self.episode.world
        asked = [seat for seat in range(self.episode.seats) if game.to_act(world, seat)]
        self._accept(actions, asked)
        told: dict[int, dict[str, Any]] = {}
        for seat in asked:
            if not self.episode.over:
                told[seat] = self.episode.play(seat, actions[self.possible_agents[seat]])
        over, truncated = self.episode.over, self.episode.truncated
        agents = self.agents
        rewards = dict(zip(agents, self.episode.rewards(), strict=True))
        seen, infos = self._seen(), self._infos(told)
        if over or truncated:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, truncated), infos

    def _accept(self, actions: dict[str, int], asked: list[int]) -> None:
        """Refused before anything is played: nothing from who is to act, or an order from who has sealed them."""
        for seat, agent in enumerate(self.possible_agents):
            wait = self._waits[seat]
            if seat in asked:
                if agent not in actions:
                    raise Refused("no_action", NO_ACTION.format(agent))
            elif wait >= 0 and actions.get(agent, wait) != wait:
                raise Refused("sealed", SEALED.format(agent, wait, actions[agent]))

    def _seen(self) -> Everybody:
        seen = {agent: self.episode.observe(seat) for seat, agent in enumerate(self.possible_agents)}
        for each, wait in zip(seen.values(), self._waits, strict=True):
            if wait >= 0 and not each["action_mask"].any():
                each["action_mask"][wait] = 1
        return seen

    def _infos(self, told: dict[int, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """To each agent what it has done itself."""
        infos = {agent: told.get(seat, {}) for seat, agent in enumerate(self.possible_agents)}
        if self._texts:
            for seat, info in enumerate(infos.values()):
                info["legal"] = self.episode.legal_texts(seat)
        return infos

    def render(self) -> Any:
        return rendered(self.episode, self.render_mode, self._watch)

    def close(self) -> None:
        """Nothing is held open."""
