"""One match after the other, as every environment needs it: actions are numbers, and dice fall by themselves.

PettingZoo, Gymnasium and OpenSpiel each have their own idea of whose turn it is and of what is returned; what happens
in between is here.
"""

from __future__ import annotations

from operator import index
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quincunx.core.contract import CHANCE, NOBODY
from quincunx.core.random import Random
from quincunx.core.words import Refused, Words, expected
from quincunx.envs.encoding import Encoding
from quincunx.envs.rewards import rewards_of
from quincunx.games import Game, GearName, World, load

Seen = dict[str, Any]  # {"observation": {"planes": …, "scalars": …}, "action_mask": …}
Illegal = Literal["lose", "raise"]

NOT_NOW = Words("Le nombre {} n’est pas une action légale ici.", "The number {} is no legal action here.")
NOT_BEGUN = Words("Commencez par reset().", "Begin with reset().")
OVER = Words("La partie est finie : reset() en commence une autre.", "The match is over: reset() begins another.")
NO_START = Words("Cette position est celle d’une partie finie.", "This is the position of a match that is over.")


class Saved(NamedTuple):
    """An instant of a match, to come back to: search needs it."""

    world: World
    dice: list[Random]
    steps: int
    gone: frozenset[int]


class Episode:
    """A game, its encoding, and the match that is being played.

    `options` are what `Game.new` takes: a preset, a setup, the game's own options. `start_seed` makes every start the
    same; otherwise each is drawn anew. After `longest` actions a match is cut off; 0: it ends by its rules, as all do.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        gear: GearName = "compiled",
        longest: int = 0,
        start_seed: int | None = None,
        illegal: Illegal = "lose",
        **options: Any,
    ) -> None:
        if illegal not in ("lose", "raise"):
            raise expected(Words("lose ou raise pour illegal", "lose or raise for illegal"), illegal)
        if longest < 0:
            raise expected(Words("longest de 0 ou plus", "longest of 0 or more"), longest)
        self.game = load(game, gear) if isinstance(game, str) else game
        self.options = options
        self.encoding = Encoding(self.game, options)
        self.seats = self.game.seats(self.game.new(**options))
        self.longest = longest
        self.illegal = illegal
        self._start_seed = start_seed
        self._world: World | None = None
        self.steps = 0
        self._gone: frozenset[int] = frozenset()  # seats that broke a rule: the match is over

    # -- playing -------------------------------------------------------------------------------------------------

    def begin(self, random: np.random.Generator, position: str | None = None) -> None:
        """The next match: its start and its dice are drawn from `random`."""
        start, dice = (int(seed) for seed in random.integers(2**62, size=2))
        start = start if self._start_seed is None else self._start_seed
        self._world = self.game.new(position=position, seed=start, **self.options)
        self._dice = self.game.random(dice)
        self.steps, self._gone = 0, frozenset()
        self._roll()
        if self.over:
            self._world = None
            raise Refused("over", NO_START)

    def play(self, seat: int, number: Any) -> dict[str, Any]:
        """Plays a number for a seat that is to act; returns what its info says of it: the action as text. What is not
        legal ends the match, and the seat comes last; or it is raised, as a Refused."""
        if self.over:
            raise Refused("over", OVER)
        try:
            action = self.legal_action(seat, number)
        except Refused as refused:
            if self.illegal == "raise":
                raise
            self._gone = frozenset((seat,))
            return {"illegal": refused.words.en}
        return {"action": self.act(seat, action)}

    def act(self, seat: int, action: int) -> str:
        """Plays an action of the game that is known to be legal."""
        text = self.game.text(self.world, seat, action)
        self.game.apply(self.world, seat, action)
        self.steps += 1
        self._roll()
        return text

    def legal_action(self, seat: int, number: Any) -> int:
        """The action that a number means; Refused if the mask does not allow it."""
        action = self.encoding.action(self.world, seat, index(number))
        if action < 0:
            raise Refused("not_legal", NOT_NOW.format(number))
        refusal = self.game.check(self.world, seat, action)
        if refusal:
            raise refusal
        if not self.game.lists_all and not self.mask(seat)[number]:  # allowed but not offered: it could go on for ever
            raise Refused("not_legal", NOT_NOW.format(number))
        return action

    def _roll(self) -> None:
        while self.game.turn(self.world) == CHANCE:
            self.game.apply(self.world, CHANCE, self.game.roll(self.world, self._dice))

    def save(self) -> Saved:
        return Saved(self.game.clone(self.world), self.game.memory.copy(self._dice), self.steps, self._gone)

    def restore(self, saved: Saved) -> None:
        """As often as somebody likes."""
        self._world, self._dice = self.game.clone(saved.world), self.game.memory.copy(saved.dice)
        self.steps, self._gone = saved.steps, saved.gone

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def world(self) -> World:
        if self._world is None:
            raise Refused("not_begun", NOT_BEGUN)
        return self._world

    @property
    def turn(self) -> int:
        """The seat that is to act, or NOBODY."""
        return NOBODY if self._gone else self.game.turn(self.world)

    @property
    def over(self) -> bool:
        return self.turn == NOBODY

    @property
    def truncated(self) -> bool:
        return 0 < self.longest <= self.steps and not self.over

    def rewards(self) -> list[float]:
        """Of each seat: nothing until it is over, and nothing if it was truncated."""
        return rewards_of(self.game.scores(self.world), self._gone) if self.over else [0.0] * self.seats

    def observe(self, seat: int) -> Seen:
        """What a seat sees and may do; both come from its view, and from nothing else."""
        planes, scalars = self.encoding.observe(self.game.view(self.world, seat))
        return {"observation": {"planes": planes, "scalars": scalars}, "action_mask": self.mask(seat)}

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for each number that the seat may play; nothing but 0 for one that is not to act."""
        if self._gone:
            return np.zeros(self.encoding.actions, np.int8)
        return self.encoding.mask(self.world, seat).view(np.int8)

    def legal_texts(self, seat: int) -> list[str]:
        """The actions of the mask as texts, in its order."""
        numbers = self.mask(seat).nonzero()[0].tolist()
        return self.game.texts(self.world, seat, [self.encoding.action(self.world, seat, n) for n in numbers])
