"""Many matches of one game at once, in arrays: what an agent trains on.

    >>> import quincunx.envs
    >>> batch = quincunx.envs.batch("connect_four", 4)
    >>> observations, info = batch.reset(seed=1)
    >>> observations.planes.shape, info["mask"].shape, batch.turn.tolist()
    ((4, 2, 6, 7), (4, 7), [0, 0, 0, 0])
    >>> observations, rewards, terminated, truncated, info = batch.step([3, 3, 2, 6])
    >>> batch.turn.tolist()
    [1, 1, 1, 1]

Every array is the batch's own and is written again by the next call: whoever keeps one copies it. docs/environments.md
says what each is, and what a pool of starts is.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy as like
from ctypes import addressof, c_char
from functools import partial
from math import prod
from secrets import randbits
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quincunx.core.atomic import Counter
from quincunx.core.contract import NOBODY, View
from quincunx.core.random import Random, seeded, word
from quincunx.core.structure import copy
from quincunx.core.words import Refused, Words, expected
from quincunx.envs.crew import Crew
from quincunx.envs.encoding import Encoding
from quincunx.envs.sharing import CHECK, DOORS, LOOK, REFRESH, RESET, SAMPLE, SPECIAL, STEP, Job
from quincunx.envs.stepping import Run
from quincunx.games import Game, World, load

STARTS = 64  # of the pool, where starts are drawn by lot
PARTS = 8  # of the matches, for each of several threads: who is late takes fewer
LINE = 64  # bytes: where JAX takes an array over without a copy

NOT_COMPILED = Words(
    "Un lot ne joue que compilé, et rien ne se compile ici (llvmlite le dit).",
    "A batch plays compiled only, and nothing can be compiled here (llvmlite says why).",
)
NOT_RESET = Words("Appelez reset() avant de jouer.", "Call reset() before anything is played.")
ILLEGAL = Words(
    "Dans la partie {}, le nombre {} n’est pas permis : voyez son masque.",
    "In match {}, number {} is not allowed: see its mask.",
)
OTHER_STARTS = Words(
    "Ces parties viennent d’autres départs (reset les tire) : reprenez-les toutes, ou clonez après reset.",
    "These matches come from other starts (reset draws them): restore all of them, or clone after reset.",
)


class Observations(NamedTuple):
    planes: NDArray[np.int8]  # matches, planes, height, width
    scalars: NDArray[np.int32]  # matches, scalars


Step = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class Batch:
    """`n` matches of a game that go on side by side, on so many threads. See `batch` for its arguments."""

    def __init__(
        self,
        game: Game,
        n: int,
        /,  # games have options of these names
        *,
        threads: int = 1,
        starts: int | Sequence[World] | None = None,
        longest: int = 0,
        auto_reset: bool = True,
        **options: Any,
    ) -> None:
        if not game.gear.compiled:
            raise Refused("not_compiled", NOT_COMPILED)
        self._given = None if starts is None or isinstance(starts, int) else list(starts)
        self._drawn = starts if isinstance(starts, int) else STARTS if game.card.drawn else 1
        count = self._drawn if self._given is None else len(self._given)
        for name, value, least in (("n", n, 1), ("threads", threads, 1), ("starts", count, 1), ("longest", longest, 0)):
            if not isinstance(value, int) or value < least:
                raise expected(Words("{} d’au moins {}", "{} of at least {}").format(name, least), value, name)
        self.game, self.n, self.longest, self.auto_reset = game, n, longest, auto_reset
        self._new = options
        sample = self._given[0] if self._given else game.new(**options)
        self.encoding = Encoding.of(sample)
        self.seats = game.seats(sample)
        self._allocate(min(threads, n))

    # -- the arrays ----------------------------------------------------------------------------------------------

    def _allocate(self, threads: int) -> None:
        game, n, rows = self.game, self.n, self.game.gear.rows
        self._states: Any = rows(game.rules.State, n)
        self._runs: Any = rows(Run, n)
        self._numbers = _aligned((n,), np.int64)
        self._planes = _aligned((n, prod(self.encoding.shape)), np.int8)
        self._scalars = _aligned((n, len(self.encoding.scalars)), np.int32)
        self._mask = _aligned((n, self.encoding.actions), np.int8)
        self._seat, self._terminated, self._truncated = (_aligned((n,), np.int8) for _ in range(3))
        self._rewards = _aligned((n, self.seats), np.float64)
        self._observations = Observations(self._planes.reshape(n, *self.encoding.shape), self._scalars)
        self._info = {"mask": self._mask.view(np.uint8), "seat": self._seat}
        self._ended, self._cut = self._terminated.view(np.bool_), self._truncated.view(np.bool_)
        self._views = [rows(View, 1) for _ in range(threads)]
        self._outs = [game.gear.ints(game.rules.MAX_LEGAL) for _ in range(threads)]
        self._chance = seeded(0)  # of `sample`
        self._log = game.log(NOBODY, silent=True)  # nobody writes to it
        self._threads, self._parts = threads, 1 if threads == 1 else min(n, threads * PARTS)
        self._terms: Any = None
        self._starts: Any = None
        self._options: list[dict[str, Any]] = []
        self._lead, self._serve, self._wait, self._copy = game.gear.bind_all(DOORS)

    def _begin_on(self, terms: Any, starts: Any, options: list[dict[str, Any]]) -> None:
        """This is the pool of starts from now on."""
        if terms is not self._terms:
            self._terms, self._starts, self._options = terms, starts, options
            self._crew = self._hire(self._planes, self._scalars)

    def _hire(self, planes: NDArray[np.int8], scalars: NDArray[np.int32]) -> Crew:
        """Threads that will write what they see into these arrays."""
        counters: Any = self.game.gear.rows(Counter, self._threads + SPECIAL)
        counters["value"][: self._threads] = self._parts  # nothing to take before `lead` has said what is to be done
        jobs: Any = self.game.gear.rows(Job, 1)
        jobs["parts"], jobs["longest"], jobs["again"] = self._parts, self.longest, self.auto_reset

        def with_room_of(door: Any, k: int) -> Any:
            return partial(
                door, counters, jobs, k, self._terms, self._starts, self._states, self._runs, self._numbers,
                self._views[k], self._outs[k], self._log, planes, scalars, self._mask, self._seat, self._rewards,
                self._terminated, self._truncated,
            )  # fmt: skip

        others = [with_room_of(self._serve, k) for k in range(1, self._threads)]
        return Crew(counters, with_room_of(self._lead, 0), others, partial(self._wait, counters, jobs))

    def __repr__(self) -> str:
        return f"<Batch of {self.n} matches of {self.game.card.id} on {self._threads} threads>"

    @property
    def turn(self) -> NDArray[np.int8]:
        """The seat that is to act in each match, -3 where a match is over and waits for `reset`."""
        return self._seat

    def mask(self) -> NDArray[np.uint8]:
        """1 for each number that the seat to act may play, match by match."""
        return cast("NDArray[np.uint8]", self._info["mask"])

    def observe(self, seat: int | None = None) -> Observations:
        """What the seat to act knows of each match; or, in new arrays, what one seat knows of all of them."""
        self._begun()
        if seat is None:
            return self._observations
        if not 0 <= seat < self.seats:
            raise expected(Words("un siège de 0 à {}", "a seat from 0 to {}").format(self.seats - 1), seat)
        planes, scalars = np.zeros_like(self._planes), np.zeros_like(self._scalars)
        crew = self._hire(planes, scalars)
        crew.run(LOOK, 0, seat)
        crew.dismiss()
        return Observations(planes.reshape(self._observations.planes.shape), scalars)

    # -- playing -------------------------------------------------------------------------------------------------

    def reset(self, seed: int | ArrayLike | None = None) -> tuple[Observations, dict[str, Any]]:
        """All matches anew. Match k has the seed `seed + k`, or seeds[k]; without any, one from the system's entropy.

        The starts are drawn again: start j is what the game draws from the seed of the first match + j."""
        seeds = np.asarray(randbits(62) if seed is None else seed)
        if seeds.dtype.kind not in "iu" or seeds.shape not in ((), (self.n,)):
            raise expected(Words("une graine, ou une par partie", "a seed, or one for each match"), seed)
        if seeds.ndim == 0:
            seeds = seeds.astype(np.int64) + np.arange(self.n)
        self._prepare(int(seeds[0]))
        self._numbers[:] = seeds
        self._chance = seeded(int(seeds[0]))
        self._crew.run(RESET, 0, 0)
        self._quiet(slice(None))
        return self._observations, self._info

    def step(self, numbers: ArrayLike) -> Step:
        """Plays a number in each match, for the seat that is to act: observations of who acts next, the reward of each
        seat, which matches ended by the rules, which were cut off, and `info`: mask and seat.

        Refused, and nothing is played, if a number is not allowed."""
        self._begun()
        given = np.asarray(numbers)
        if given.dtype.kind not in "iu" or given.shape != (self.n,):
            came = f"{given.dtype} {list(given.shape)}"
            raise expected(Words("{} nombres entiers", "{} whole numbers").format(self.n), came)
        if given is not self._numbers:  # as `sample` gives them
            self._numbers[:] = given
        wrong = self._crew.run(CHECK, 0, 0)
        if wrong < 0:
            wrong = self._crew.run(STEP, 0, 0)
        if wrong >= 0:
            raise Refused("illegal", ILLEGAL.format(wrong, int(self._numbers[wrong])))
        return self._observations, self._rewards, self._ended, self._cut, self._info

    def sample(self) -> NDArray[np.int64]:
        """A legal number for each match, every one equally likely: random play, seeded by `reset`. The dice of the
        matches are not touched."""
        self._begun()
        self._crew.run(SAMPLE, int(word(self._chance)), 0)
        return self._numbers

    def _prepare(self, seed: int) -> None:
        """The pool of starts."""
        worlds = self._given or [self.game.new(**{"seed": seed + j} | self._new) for j in range(self._drawn)]
        for world in worlds:
            self._accept(world)
        terms, starts = _together([world.terms for world in worlds]), _together([world.rows for world in worlds])
        self._begin_on(terms, starts, [world.options for world in worlds])

    def _accept(self, world: World) -> None:
        """A start that a match can begin from, in arrays that have room for it."""
        if world.game is not self.game:
            raise expected(Words("des mondes de {!r}", "worlds of {!r}").format(self.game), world.game, "starts")
        if self.game.seats(world) != self.seats or self.game.over(world):
            wanted = Words("des départs à {} joueurs que l’on puisse jouer", "starts for {} players that can be played")
            raise expected(wanted.format(self.seats), world.position, "starts")
        self.encoding.fit(world)

    def _begun(self) -> None:
        if self._terms is None:
            raise Refused("not_reset", NOT_RESET)

    def _quiet(self, which: Any) -> None:
        """Nothing was played in these matches: no reward. What had ended or was cut off still is, if it waits."""
        self._rewards[which] = 0
        over = self._seat[which] == NOBODY
        late = self._runs["plies"][which] >= (self.longest or np.inf)
        self._terminated[which] = over
        self._truncated[which] = late & ~over & (not self.auto_reset)

    # -- for search ----------------------------------------------------------------------------------------------

    def clone(self, of: ArrayLike | None = None) -> Batch:
        """A batch that stands where this one stands, or where its matches `of` stand, the same one as often as one
        likes; it goes its own way, and dice will fall there as they would here."""
        self._begun()
        source = _indices(np.arange(self.n) if of is None else of, self.n)
        if not source.size:
            raise expected(Words("au moins une partie", "at least one match"), of)
        twin = like(self)  # a new one would draw a start only to see how large it is
        twin.n = len(source)
        twin._allocate(min(self._threads, twin.n))
        twin._begin_on(self._terms, self._starts, self._options)
        copy(twin._chance, self._chance)
        twin._place(self, np.arange(twin.n), source)
        return twin

    def restore(self, other: Batch, into: ArrayLike | None = None, of: ArrayLike | None = None) -> None:
        """Stands where `other` stands; or only the matches `into`, where the matches `of` of the other stand (the same
        numbers, if these are not given)."""
        other._begun()
        alike = self.game is other.game and self.encoding.size == other.encoding.size and self.seats == other.seats
        if alike and into is None and of is None and self.n == other.n:
            self._begin_on(other._terms, other._starts, other._options)
        elif self._terms is not other._terms:
            raise Refused("other_starts", OTHER_STARTS)
        to = _indices(np.arange(self.n) if into is None else into, self.n)
        self._place(other, to, _indices(to if of is None else of, other.n))

    def _place(self, other: Batch, to: NDArray[np.int64], source: NDArray[np.int64]) -> None:
        if to.shape != source.shape:
            raise expected(Words("autant de parties des deux côtés", "as many matches on both sides"), source.size)
        self._copy(self._states, self._runs, other._states, other._runs, to, source)
        self._crew.run(REFRESH, 0, 0)
        self._quiet(to)

    # -- one of them ---------------------------------------------------------------------------------------------

    def world(self, k: int) -> World:
        """Match k as a world of its own, to look at, to play on or to record."""
        self._begun()
        k = range(self.n)[k]
        start, row = int(self._runs["start"][k]), self.game.memory.copy
        terms, rows = row(self._terms[start : start + 1]), row(self._states[k : k + 1])
        return World(self.game, self._options[start], terms, rows)

    def random(self, k: int) -> list[Random]:
        """The generator of match k as it is now: a world that rolls with it throws the dice that the batch will."""
        rows: Any = self.game.gear.rows(Random, 1)
        rows[0] = self._runs["random"][k]
        return cast(list[Random], rows)

    @property
    def nbytes(self) -> int:
        """Of the structures and arrays of all matches, without the pool of starts."""
        kept = [self._states, self._runs, self._numbers, self._planes, self._scalars, self._mask]
        kept += [self._seat, self._terminated, self._truncated, self._rewards]
        return sum(int(rows.nbytes) for rows in kept)


def batch(id: str, n: int, /, *, threads: int = 1, **options: Any) -> Batch:
    """`n` matches of a game at once. `options` are what `Game.new` takes (preset, setup and the game's own), and

    starts        how many starts are drawn for the pool (64 where a game draws its start, otherwise 1); or some worlds
    longest       actions after which a match is cut off (truncated); 0 = matches end by their rules
    auto_reset    a match that ends begins again at once (True), or waits for `reset`
    """
    return Batch(load(id, "compiled"), n, threads=threads, **options)


def _aligned(shape: tuple[int, ...], kind: type[Any]) -> NDArray[Any]:
    """Zeros that begin at a cache line."""
    size = prod(shape) * np.dtype(kind).itemsize
    room: Any = np.zeros(size + LINE, np.uint8)
    start = -addressof(c_char.from_buffer(room)) % LINE
    return np.ndarray(shape, kind, room, start)


def _together(rows: Sequence[Any]) -> Any:
    """Rows of one structure each as rows of many; NumPy would leave out the bytes between fields."""
    return np.ndarray(len(rows), rows[0].dtype, bytearray(b"".join(row.tobytes() for row in rows)))


def _indices(given: ArrayLike, n: int) -> NDArray[np.int64]:
    found = np.array(given, np.int64, ndmin=1)
    if found.ndim != 1 or (found.size and not 0 <= found.min() <= found.max() < n):
        raise expected(Words("des numéros de partie de 0 à {}", "numbers of matches from 0 to {}").format(n - 1), given)
    return found
