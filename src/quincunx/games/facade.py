"""The façade: a game in one gear, from Python. The same calls whether it is interpreted or compiled.

Here actions are numbers, and every call names its world (world.py) and its seat; a seat is 0..seats-1. Instead of one,
`turn` may answer CHANCE (-1), the dice, or NOBODY (-3), the game is over; an observer may be PUBLIC (-2). What a game
does not take is a `Refused`: `check` returns it, or None; what reads a text raises it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from types import FunctionType, ModuleType
from typing import Any, cast

from msgspec import structs

from quincunx.core import by_row, contract, hints, layout, structure
from quincunx.core.board import Board, Event, Ripple
from quincunx.core.card import Card
from quincunx.core.options import Length, Option, Preset, Setup, Value, find_setup, settle
from quincunx.core.random import Random
from quincunx.core.structure import Structure
from quincunx.core.words import Refused, Words, expected
from quincunx.games.folder import (
    duel_options,
    events_of,
    examined,
    gear_of,
    levels_of,
    odds_of,
    opponents_of,
    real_grounds,
)
from quincunx.games.plain import Plain
from quincunx.games.world import Observation, World

Weights = tuple[tuple[str, int, int, int], ...]  # of the evaluation: name, value, lowest and highest to try

COMMON_REFUSALS = {
    contract.NOT_TO_ACT: ("not_to_act", Words("Ce n’est pas à ce joueur de jouer.", "It is not this player’s turn.")),
    contract.NONSENSE: ("nonsense", Words("Cette action n’existe pas dans ce jeu.", "This game has no such action.")),
}

LOUDEST = structure.fields(contract.Log)[-1].shape[0]  # events of a log: a full one is silent

DOORS = [f for f in vars(by_row).values() if isinstance(f, FunctionType) and f.__module__ == by_row.__name__]


class Game(Plain):
    """The rules of one game, bound to a gear; with other `weights` than its own, in their order, for a tuner; or with
    the tables of a `net` that evaluates instead (core/net.py)."""

    def __init__(
        self,
        package: ModuleType,
        gear: str,
        weights: list[int] | None = None,
        net: Mapping[str, list[int]] | None = None,
    ) -> None:
        self.card: Card = package.CARD
        self._package = package
        parts = examined(package)
        self.rules, self.setup, self.notation = parts["rules"], parts["setup"], parts["notation"]
        self.view_of, evaluation = parts["view"], parts["evaluate"]
        self.encoding = parts.get("encoding")  # for environments, if the game's folder brings it
        self.net_inputs: Any = parts.get("net")  # what a net looks at, likewise
        self.options: Sequence[Option] = self.setup.OPTIONS
        self.presets: Sequence[Preset] = self.setup.PRESETS
        self.setups: Sequence[Setup] = self.setup.SETUPS
        self.lengths: Sequence[Length] = getattr(self.setup, "LENGTHS", ())
        self.lists_all: bool = self.rules.LISTS_ALL  # else `check` accepts more than `legal` lists
        self.alike: bool = getattr(self.view_of, "ALIKE", False)  # is every observer shown and told the same?
        self._counted: tuple[str, int] | None = getattr(self.view_of, "COUNTED", None)
        self._ripple = getattr(self.view_of, "ripple", None)
        self.weights: Weights = getattr(evaluation, "WEIGHTS", ())
        self.hints: hints.Hints = getattr(evaluation, "HINTS", hints.Hints())
        self.opponents: Mapping[str, tuple[Any, Words]] = opponents_of(package)
        self.events = events_of(package)  # the classes of what its story can tell
        self.levels = levels_of(package)
        self.effort: int = getattr(parts.get("levels"), "EFFORT", 4000)  # nodes or simulations, to look for puzzles
        self.unveils = hasattr(self.view_of, "unveil")  # can a world be shown without its fog?
        self.duel = duel_options(package, [option.name for option in self.options])
        self.real = real_grounds(package)
        self.gear = gear_of(package, gear, weights, net)
        self.memory = self.gear.memory
        self._bind()

    def _bind(self) -> None:
        self.gear.bind_all(DOORS, quick=True)
        bind = self.gear.bind
        self._turn, self._to_act, self._legal = bind(by_row.turn_at), bind(by_row.to_act_at), bind(by_row.legal_at)
        self._check, self._apply = bind(by_row.check_at), bind(by_row.apply_at)
        self._roll, self._chance_outcome = bind(by_row.roll_at), bind(by_row.chance_outcome_at)
        self._score, self._key = bind(by_row.score_at), bind(by_row.key_at)
        self._observe, self._imagine = bind(by_row.observe_at), bind(by_row.imagine_at)
        self._fallback, self._seed = bind(by_row.fallback_at), bind(by_row.seed_at)
        self._out = self.gear.ints(self.rules.MAX_LEGAL)
        self._silent = self.log(contract.NOBODY, silent=True)
        self._log = self.log(contract.NOBODY)  # of the story that is being told
        self._begin_reading()

    def __repr__(self) -> str:
        gear = "checked" if self.gear.checked else "compiled" if self.gear.compiled else "interpreted"
        return f"<Game {self.card.id}, {gear}>"

    def weigh(self, weights: list[int]) -> None:
        """Other weights, in a game that was made with some."""
        self.gear.alter("WEIGHT", weights)

    def is_cached(self) -> bool:
        """Is the machine code of its rules in the cache?"""
        return self.gear.holds(DOORS)

    # -- worlds --------------------------------------------------------------------------------------------------

    def new(
        self,
        preset: str | None = None,
        *,
        setup: str | None = None,
        position: str | None = None,
        seed: int = 0,
        **options: Any,
    ) -> World:
        """A start: drawn from the seed; a setup, by its name or as a text; or what `position` printed.

        Options that are not named have the preset's value, or their default."""
        values = settle(self.options, self.presets, preset, options)
        if position is not None and setup is not None:
            raise expected(
                Words("un départ ou une position", "a setup or a position"), f"{setup!r}, {position!r}", "setup"
            )
        if position is not None:
            return self.world(values, *self.notation.read(values, position))
        if setup is None:
            return self.world(values, *self.setup.new(values, seed))
        shipped = any(setup == each.name for each in self.setups) or setup.isidentifier()
        return self.from_setup(values, find_setup(self.setups, setup).text if shipped else setup, seed)

    def from_setup(self, options: Mapping[str, Any] | str, text: str, seed: int = 0) -> World:
        """A match on a setup or map that somebody wrote, never on a shipped one of that name; the game refuses what
        its rules do not allow. `options`: some of them, or the name of a preset."""
        preset, given = (options, {}) if isinstance(options, str) else (None, options)
        values = settle(self.options, self.presets, preset, given)
        return self.world(values, *self.setup.load(values, text, seed))

    def world(self, options: dict[str, Value], terms: Structure, state: Structure) -> World:
        """Plain structures, as this gear wants them."""
        return World(self, options, self.rows(terms), self.rows(state))

    def clone(self, world: World) -> World:
        """A world that goes its own way."""
        return World(self, world.options, world.terms, self.memory.copy(world.rows))

    def terms(self, world: World | Observation) -> Any:
        """The terms as a plain structure, to read."""
        return self.plain(self.rules.Terms, world.terms)

    def state(self, world: World) -> Any:
        """The state as a plain structure, to read."""
        return self.plain(self.rules.State, world.rows)

    def to_bytes(self, world: World) -> bytes:
        """Terms and state, to travel to another process."""
        return self.memory.to_bytes(world.terms) + self.memory.to_bytes(world.rows)

    def from_bytes(self, options: dict[str, Value], data: bytes) -> World:
        """What `to_bytes` gave, as a world."""
        size = layout.size(self.rules.Terms)
        terms, state = layout.from_bytes(self.rules.Terms, data[:size]), data[size:]
        return self.world(options, terms, layout.from_bytes(self.rules.State, state))

    def observation_to_bytes(self, observation: Observation) -> bytes:
        """What a seat knows, to travel to another process: the terms and the view, never the state."""
        return self.memory.to_bytes(observation.terms) + self.memory.to_bytes(observation.rows)

    def observation_from_bytes(self, options: dict[str, Value], seat: int, data: bytes) -> Observation:
        """What `observation_to_bytes` gave."""
        size = layout.size(self.rules.Terms)
        terms, view = layout.from_bytes(self.rules.Terms, data[:size]), layout.from_bytes(self.rules.View, data[size:])
        return Observation(self, options, self.rows(terms), self.rows(view), seat)

    def digest(self, world: World | Observation) -> str:
        """Of the bytes: quick, and equal in every gear, as long as the layout of the state stays the same."""
        return sha256(self.memory.to_bytes(world.rows)).hexdigest()[:16]

    def position_digest(self, world: World) -> str:
        """Of what the position says in words: the same for ever, whatever the layout. Match records carry it."""
        return sha256(self.position(world).encode()).hexdigest()[:16]

    # -- the rules -----------------------------------------------------------------------------------------------

    def seats(self, world: World | Observation) -> int:
        """How many play."""
        return cast(int, self.memory.get(world.terms, "seats"))

    def turn(self, world: World) -> int:
        """The seat that is to act (of several, the lowest), CHANCE (-1) for the dice, or NOBODY (-3): it is over."""
        return self._turn(world.terms, world.rows, 0)

    def over(self, world: World) -> bool:
        """Is nobody to act any more?"""
        return self.turn(world) == contract.NOBODY

    def to_act(self, world: World, seat: int) -> bool:
        """May this seat act now?"""
        return self._to_act(world.terms, world.rows, 0, seat)

    def legal(self, world: World, seat: int | None = None) -> list[int]:
        """The actions that a seat may play now, as numbers; of the one that is to act, if none is named."""
        who = self.turn(world) if seat is None else seat
        if who < 0 or not self.to_act(world, who):
            return []
        try:
            n = self._legal(world.terms, world.rows, 0, who, self._out)
        except IndexError as error:
            raise self._too_many(world, who) from error
        return self.memory.numbers(self._out, n)

    def _too_many(self, world: World, who: int) -> IndexError:
        """There was no room for all that `legal` writes; with much more room, another fault of it would come again."""
        n = self._legal(world.terms, world.rows, 0, who, self.gear.ints(2**20))
        name = self.rules.__name__
        return IndexError(f"{name}: expected MAX_LEGAL of {n} or more but got {self.rules.MAX_LEGAL}")

    def check(self, world: World, seat: int, action: int) -> Refused | None:
        """Why this seat may not play this action now, or None: a value, to raise or to read."""
        if not contract.CHANCE <= seat < self.seats(world):
            return Refused(*COMMON_REFUSALS[contract.NOT_TO_ACT])
        if not 0 <= action < 2**63:
            return Refused(*COMMON_REFUSALS[contract.NONSENSE])
        code = self._check(world.terms, world.rows, 0, seat, action)
        return self.refusal(code) if code else None

    def _seated(self, world: World, seat: int) -> None:
        """Compiled, a seat that is not there would be read beside the state."""
        if not 0 <= seat < self.seats(world):
            raise Refused("no_such_seat", Words("Il n’y a pas de place {}.", "There is no seat {}.").format(seat))

    def refusal(self, code: int) -> Refused:
        """A code of the rules, with its words."""
        found = (self.notation.REFUSALS | COMMON_REFUSALS).get(code)
        if found is None:
            raise TypeError(f"{self.notation.__name__}: expected words in REFUSALS for {code}, which check gave")
        return Refused(*found)

    def refusals(self) -> dict[str, Words]:
        """What it says of what it does not take, by code."""
        return dict((self.notation.REFUSALS | COMMON_REFUSALS).values())

    def apply(self, world: World, seat: int, action: int) -> None:
        """Plays an action that `check` accepts."""
        self._apply(world.terms, world.rows, 0, seat, action, self._silent)

    def apply_and_log(self, world: World, seat: int, action: int, observer: int) -> list[int]:
        """Plays an action and returns what the rules log of it for `observer`: numbers, which `tell` understands."""
        log = self._log
        self._address(log, observer, 0)
        self._apply(world.terms, world.rows, 0, seat, action, log)
        return self.memory.head(log, "events", self.memory.get(log, "count"))

    def roll(self, world: World, random: list[Random]) -> int:
        """An action of CHANCE."""
        return self._roll(world.terms, world.rows, 0, random)

    def chance_outcome(self, world: World, action: int) -> int:
        """Which of the outcomes of `odds` an action of CHANCE leads to."""
        return self._chance_outcome(world.terms, world.rows, 0, action)

    def odds(self, world: World) -> list[tuple[int, float]]:
        """While CHANCE is to act: for each outcome an action that leads to it, and how likely it is."""
        return cast(list[tuple[int, float]], odds_of(self._package).odds(self._terms(world), self._state(world)))

    def most_outcomes(self) -> int:
        """Of one throw: `odds` never names more."""
        return cast(int, odds_of(self._package).MOST) if self.card.dice else 0

    def score(self, world: World, seat: int) -> int:
        """Of one seat; the more the better."""
        self._seated(world, seat)
        return self._score(world.terms, world.rows, 0, seat)

    def scores(self, world: World) -> list[int]:
        """Of every seat."""
        return [self.score(world, seat) for seat in range(self.seats(world))]

    def score_words(self, score: int) -> Words:
        """A score as people say it; where a game says nothing else, the number."""
        if hasattr(self.view_of, "score_words"):
            return cast(Words, self.view_of.score_words(score))
        return Words(str(score), str(score))

    def forfeit_score(self, world: World) -> int | None:
        """What a seat scores that broke a rule or ran out of time; None: what it has."""
        found: int | None = self.setup.forfeit_score(world.options) if hasattr(self.setup, "forfeit_score") else None
        return found

    def fallback(self, world: World, seat: int) -> int | None:
        """What a run-out clock plays, or None: the seat loses."""
        self._seated(world, seat)
        action = self._fallback(world.terms, world.rows, 0, seat)
        return None if action == contract.NO_FALLBACK else action

    def key(self, world: World) -> int:
        """A number for what counts of a position: searches know by it where they have been."""
        return self._key(world.terms, world.rows, 0)

    def view(self, world: World, seat: int) -> Observation:
        """What a seat, or PUBLIC, knows."""
        if seat != contract.PUBLIC:
            self._seated(world, seat)
        rows = self.gear.rows(contract.View, 1)
        self._observe(world.terms, world.rows, 0, seat, rows)
        return Observation(self, world.options, world.terms, rows, seat)

    def preview(self, world: World) -> Observation:
        """A start that belongs to no match is nobody's secret: where the public would see only fog, everything."""
        if not self.unveils:
            return self.view(world, contract.PUBLIC)
        state = self.state(self.clone(world))
        self.view_of.unveil(self._terms(world), state)
        return self.view(self.world(world.options, self._terms(world), state), 0)

    def imagine(self, observation: Observation, random: list[Random]) -> World:
        """A world that would look like this to that seat; what it does not know is drawn."""
        rows = self.gear.rows(contract.State, 1)
        self._imagine(observation.terms, observation.rows, observation.seat, random, rows, 0)
        return World(self, observation.options, observation.terms, rows)

    def random(self, seed: int) -> list[Random]:
        """A source of dice and draws; the same seed gives the same ones, in every gear."""
        if not -(2**63) <= seed < 2**63:
            raise expected(Words("une graine de 64 bits", "a seed of 64 bits"), seed)
        rows = self.gear.rows(Random, 1)
        self._seed(rows, seed)
        return rows

    def log(self, observer: int, *, silent: bool = False) -> list[contract.Log]:
        """Where the rules write what an observer sees happen; a silent one takes nothing."""
        rows = self.gear.rows(contract.Log, 1)
        self._address(rows, observer, LOUDEST if silent else 0)
        return rows

    def _address(self, rows: list[contract.Log], observer: int, count: int) -> None:
        self.memory.put(rows, "observer", observer)
        self.memory.put(rows, "count", count)

    # -- texts and pictures --------------------------------------------------------------------------------------

    def text(self, world: World, seat: int, action: int) -> str:
        """An action in its one canonical spelling."""
        return cast(str, self.notation.text(self._terms(world), self._glance(world), seat, action))

    def texts(self, world: World, seat: int, actions: Sequence[int]) -> list[str]:
        """Many at once: what they need of the state is unpacked once for all of them."""
        terms, state, text = self._terms(world), self._glance(world), self.notation.text
        return [text(terms, state, seat, action) for action in actions]

    def parse(self, world: World, seat: int, text: str) -> int:
        """The action that a text means for a seat; Refused if it means none. It may still be illegal: see `check`."""
        return cast(int, self.notation.parse(self._terms(world), self._glance(world), seat, text))

    def expand(self, world: World, seat: int, text: str) -> list[int]:
        """The actions of an order to several units (`move 3 military 4,5 east`) where a game knows such, or the one."""
        if not hasattr(self.notation, "expand"):
            return [self.parse(world, seat, text)]
        known = self._plain_view(self.view(world, seat))
        return cast(list[int], self.notation.expand(self._terms(world), known, seat, text))

    def position(self, world: World) -> str:
        """One line of text that `new(position=…)` reads back."""
        return cast(str, self.notation.position(self._terms(world), self._state(world)))

    def board(self, observation: Observation) -> Board:
        """What any client can draw, without knowing the game."""
        return cast(
            Board, self.view_of.board(self._terms(observation), self._plain_view(observation), observation.seat)
        )

    def show(self, observation: Observation) -> Any:
        """What a client of that seat is shown, as a typed struct."""
        return self.view_of.show(self._terms(observation), self._plain_view(observation), observation.seat)

    def ripple(self, before: World, after: World) -> Ripple | None:
        """Of the action between them; None: anything may have changed."""
        if self._ripple is None:
            return None
        told: Ripple | None = self._ripple(self._terms(before), self._state(before), self._state(after))
        return told

    def ending(self, world: World) -> Words:
        """Why a game that is over is over; a game that says nothing leaves it to the scores."""
        if hasattr(self.view_of, "ending"):
            return cast(Words, self.view_of.ending(self._terms(world), self._state(world)))
        return Words("Il ne reste rien à jouer.", "Nothing is left to play.")

    def tell(self, world: World | Observation, observer: int, events: list[int]) -> list[Event]:
        """What `apply_and_log` returned, as typed structs with words."""
        return cast(list[Event], self.view_of.tell(self._terms(world), observer, events))

    def apply_and_tell(
        self, world: World, seat: int, action: int, observer: int, played: int | None = None
    ) -> list[Event]:
        """Plays an action and tells `observer` what it sees of it; in a game that counts no turns itself, `played` is
        how many actions came before.

        Each event says in which turn it happened and whose doing it was, unless the game has said so itself: where one
        action ends a turn and begins the next."""
        turn = self.number(world, played or 0)
        by = contract.CHANCE if self.card.simultaneous else seat  # who seals last does no more than the others
        events = self.tell(world, observer, self.apply_and_log(world, seat, action, observer))
        return [event if event.turn else structs.replace(event, turn=turn, by=by) for event in events]

    def number(self, world: World, played: int) -> int:
        """Of the turn that is being played, from 1; in a game that counts none itself, of the action."""
        if self._counted is None:
            return played + 1
        field, together = self._counted
        return cast(int, self.memory.get(world.rows, field)) // together + 1
