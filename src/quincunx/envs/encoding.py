"""A game's encoding from Python: observations as arrays, actions as numbers 0..actions-1, in any gear.

    >>> from quincunx.envs.encoding import Encoding
    >>> encoding = Encoding("connect_four")
    >>> encoding.actions, encoding.planes, encoding.shape
    (7, ('mine', 'theirs'), (2, 6, 7))
    >>> world = encoding.game.new()
    >>> planes, scalars = encoding.observe(world.view(0))
    >>> planes.dtype.name, planes.shape, int(encoding.mask(world, 0).sum())
    ('int8', (2, 6, 7), 7)
    >>> encoding.action(world, 0, 3), encoding.name(3)
    (3, 'd')

What the rules of an encoding are is in core/encoding.py. An encoding belongs to some terms: where maps differ in size,
so do planes and numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quincunx.core.encoding import NO_ACTION
from quincunx.core.words import Refused, Words
from quincunx.envs.doors import DOORS, action_at, encode_at, mask_at, number_at
from quincunx.games import Game, Observation, World, load

NO_ENCODING = Words(
    "{} n’a pas d’encodage : écrivez encoding.py dans son dossier (docs/adding-a-game.md dit comment).",
    "{} has no encoding: write encoding.py in its folder (docs/adding-a-game.md says how).",
)
OTHER_SIZE = Words(
    "Attendu un plateau de {} × {} mais reçu {} × {} : une carte d’une autre taille veut son propre encodage.",
    "Expected a board of {} × {} but got {} × {}: a map of another size needs an encoding of its own.",
)
NO_NUMBER = Words(
    "L’encodage n’a pas de nombre pour cette action : il ne connaît que celles que le jeu propose.",
    "The encoding has no number for this action: it knows only those that the game offers.",
)


class Encoding:
    """Of a game, or of its name; `options` are what `Game.new` takes: they decide the size of the board."""

    def __init__(self, game: Game | str, options: Mapping[str, Any] | None = None) -> None:
        loaded = load(game) if isinstance(game, str) else game
        self._begin(loaded, None if loaded.encoding is None else loaded.new(**(options or {})))

    @classmethod
    def of(cls, world: World) -> Encoding:
        """The one that fits a world."""
        encoding = cls.__new__(cls)
        encoding._begin(world.game, world)
        return encoding

    def _begin(self, game: Game, sample: World | None) -> None:
        self.game = game
        if game.encoding is None or sample is None:
            raise Refused("no_encoding", NO_ENCODING.format(game.card.name))
        self._of = game.encoding
        self._terms = game.terms(sample)
        self._fitting: Any = None  # the terms that were looked at last
        self.planes: tuple[str, ...] = self._of.PLANES
        self.scalars: tuple[str, ...] = self._of.SCALARS
        self.size: tuple[int, int] = self._of.size(self._terms)
        self.actions: int = self._of.actions(self._terms)
        self._bind()

    def _bind(self) -> None:
        gear = self.game.gear
        gear.bind_all(DOORS, quick=True)
        self._encode, self._mask = gear.bind(encode_at), gear.bind(mask_at)
        self._number, self._action = gear.bind(number_at), gear.bind(action_at)
        self._out = gear.ints(self.game.rules.MAX_LEGAL)

    def __repr__(self) -> str:
        return f"<Encoding of {self.game.card.id}: {self.shape}, {len(self.scalars)} scalars, {self.actions} actions>"

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of an observation's planes: how many, height, width."""
        return len(self.planes), *self.size

    @property
    def version(self) -> int:
        """Of what planes and numbers mean: what was learned with another does not fit."""
        return cast(int, self._of.VERSION)

    @cached_property
    def digest(self) -> str:
        """Of what every number means: the versions of rules and encoding, all names, the size of the board."""
        names = [self.name(number) for number in range(self.actions)]
        card = self.game.card
        said = [card.id, card.version, self.version, self.planes, self.scalars, self.shape, names]
        return sha256(repr(said).encode()).hexdigest()[:16]

    def name(self, number: int) -> str:
        """What a number means, as the first seat has it; the others see the board from their side."""
        if not 0 <= number < self.actions:
            raise IndexError(f"Expected a number of 0 to {self.actions - 1} but got {number}")
        return cast(str, self._of.name(self._terms, number))

    # -- what a seat sees ----------------------------------------------------------------------------------------

    def observe(self, observation: Observation) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        """What a seat knows: planes of `shape`, and a number for each of `scalars`."""
        self.fit(observation)
        if observation.seat < 0:
            raise ValueError(f"Expected the view of a seat but got that of {observation.seat}")
        n = len(self.planes) * self.size[0] * self.size[1]
        planes, scalars = self._room(n, np.int8), self._room(len(self.scalars), np.int32)
        self._encode(observation.terms, observation.rows, observation.seat, planes, scalars)
        return np.asarray(planes, np.int8).reshape(self.shape), np.asarray(scalars, np.int32)

    def mask(self, world: World, seat: int) -> NDArray[np.uint8]:
        """1 for each number that the seat may play now; nothing but 0 if it is not to act."""
        self.fit(world)
        mask = self._room(self.actions, np.int8)
        if 0 <= seat < self.game.seats(world) and self.game.to_act(world, seat):
            self._mask(world.terms, world.rows, seat, self._out, mask)
        return np.asarray(mask, np.int8).view(np.uint8)

    def number(self, world: World, seat: int, action: int) -> int:
        """The number of an action that the seat may play; Refused if it may not, or if no number says it."""
        self.fit(world)
        refusal = self.game.check(world, seat, action)
        if refusal:
            raise refusal
        number = self._number(world.terms, world.rows, seat, action)
        if self.action(world, seat, number) != action:
            raise Refused("no_number", NO_NUMBER)
        return number

    def action(self, world: World, seat: int, number: int) -> int:
        """The action that a number means for a seat, legal or not (see `mask`); -1 if it means none here."""
        self.fit(world)
        if not (0 <= number < self.actions and 0 <= seat < self.game.seats(world)):
            return NO_ACTION
        return self._action(world.terms, world.rows, seat, int(number))

    # -- room ----------------------------------------------------------------------------------------------------

    def _room(self, n: int, kind: type[np.signedinteger[Any]]) -> Any:
        return np.zeros(n, kind) if self.game.gear.compiled else [0] * n

    def fit(self, what: World | Observation) -> None:
        """Refused if the board has another size: it would be written where there is no room."""
        if what.terms is self._fitting:
            return
        size = self._of.size(self.game.terms(what))
        if size != self.size:
            raise Refused("other_size", OTHER_SIZE.format(*self.size, *size))
        self._fitting = what.terms
