"""The façade: a game in one gear, from Python. The same calls whether it is interpreted or compiled.

A `World` is the terms and the state of a match; an `Outlook` is what one seat knows of it, and all that a player is
given. Both hold rows that the rules of their gear take as they are, so that a call costs little.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import cache as once
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, TypeVar, cast

from msgspec import structs

from quincunx.core import by_row, contract, hints, layout, structure
from quincunx.core.board import Board, Event, Ripple
from quincunx.core.card import Card
from quincunx.core.compile.selftest import trouble
from quincunx.core.engine import Gear
from quincunx.core.levels import Level, by_kind, of_module
from quincunx.core.options import Length, Option, Preset, Setup, Value, find_setup, settle
from quincunx.core.random import Random
from quincunx.core.structure import Structure
from quincunx.core.words import Refused, Words, expected

R = TypeVar("R", bound=Structure)
Weights = tuple[tuple[str, int, int, int], ...]  # of the evaluation: name, value, lowest and highest to try

COMMON_REFUSALS = {
    contract.NOT_TO_ACT: ("not_to_act", Words("Ce n’est pas à ce joueur de jouer.", "It is not this player’s turn.")),
    contract.NONSENSE: ("nonsense", Words("Cette action n’existe pas dans ce jeu.", "This game has no such action.")),
}


MOST_READ = 2**20  # bytes of structures whose plain twins are kept, for those who only look
LOUDEST = structure.fields(contract.Log)[-1].shape[0]  # events of a log: a full one is silent


DOORS = [f for f in vars(by_row).values() if isinstance(f, FunctionType) and f.__module__ == by_row.__name__]


class World:
    """All of a match at one instant: its terms and its state."""

    __slots__ = ("game", "options", "rows", "terms")

    def __init__(self, game: Game, options: dict[str, Value], terms: list[Any], rows: list[Any]) -> None:
        self.game = game
        self.options = options
        self.terms = terms
        self.rows = rows

    def __str__(self) -> str:
        return self.game.picture(self)

    def __repr__(self) -> str:
        return f"<{self.game.card.id} {self.game.position(self)!r}>"


class Outlook:
    """What one seat, or the public, knows of a match."""

    __slots__ = ("game", "options", "rows", "seat", "terms")

    def __init__(self, game: Game, options: dict[str, Value], terms: list[Any], rows: list[Any], seat: int) -> None:
        self.game = game
        self.options = options
        self.terms = terms
        self.rows = rows
        self.seat = seat


class Refusal(NamedTuple):
    """Why an action is not taken: a value, not an exception."""

    code: str
    words: Words


class Game:
    """The rules of one game, bound to a gear; with other `weights` than its own, in their order, for a tuner."""

    def __init__(self, package: ModuleType, gear: str, weights: list[int] | None = None) -> None:
        self.card: Card = package.CARD
        self.rules, self.setup, self.notation, self.view_of = (
            import_module(f"{package.__name__}.{part}") for part in ("rules", "setup", "notation", "view")
        )
        self.options: Sequence[Option] = self.setup.OPTIONS
        self.presets: Sequence[Preset] = self.setup.PRESETS
        self.setups: Sequence[Setup] = self.setup.SETUPS
        self.lengths: Sequence[Length] = getattr(self.setup, "LENGTHS", ())
        self.alike: bool = getattr(self.view_of, "ALIKE", False)  # is every observer shown and told the same?
        self._counted: tuple[str, int] | None = getattr(self.view_of, "COUNTED", None)
        self._ripple = getattr(self.view_of, "ripple", None)
        evaluation = import_module(f"{package.__name__}.evaluate")
        self.weights: Weights = getattr(evaluation, "WEIGHTS", ())
        self.hints: hints.Hints = getattr(evaluation, "HINTS", hints.Hints())
        self.opponents: Mapping[str, tuple[Any, Words]] = _opponents(package)
        self.levels = levels_of(package)
        self.gear = gear_of(package, gear, weights)
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
        self._read: dict[tuple[type[Structure], bytes], Any] = {}  # plain twins of structures that were looked at last
        self._most_read = max(4, min(512, MOST_READ // layout.size(self.rules.State)))

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
        """A starting position: drawn from the seed, the setup of that name, or what `position` printed."""
        values = settle(self.options, self.presets, preset, options)
        if position is not None:
            return self.world(values, *self.notation.read(values, position))
        if setup is not None:
            return self.from_setup(values, find_setup(self.setups, setup).text, seed)
        return self.world(values, *self.setup.new(values, seed))

    def from_setup(self, options: dict[str, Value], text: str, seed: int = 0) -> World:
        """A match on a setup or map that somebody wrote; the game refuses one that its rules do not allow."""
        return self.world(options, *self.setup.load(options, text, seed))

    def world(self, options: dict[str, Value], terms: Structure, state: Structure) -> World:
        """Plain structures, as this gear wants them."""
        return World(self, options, self.rows(terms), self.rows(state))

    def clone(self, world: World) -> World:
        return World(self, world.options, world.terms, self.memory.copy(world.rows))

    def terms(self, world: World | Outlook) -> Any:
        """The terms as a plain structure, to read."""
        return self.plain(self.rules.Terms, world.terms)

    def state(self, world: World) -> Any:
        """The state as a plain structure, to read."""
        return self.plain(self.rules.State, world.rows)

    def to_bytes(self, world: World) -> bytes:
        return self.memory.to_bytes(world.terms) + self.memory.to_bytes(world.rows)

    def from_bytes(self, options: dict[str, Value], data: bytes) -> World:
        size = layout.size(self.rules.Terms)
        terms, state = layout.from_bytes(self.rules.Terms, data[:size]), data[size:]
        return self.world(options, terms, layout.from_bytes(self.rules.State, state))

    def outlook_to_bytes(self, outlook: Outlook) -> bytes:
        """What a seat knows, to travel to another process: the terms and the view, never the state."""
        return self.memory.to_bytes(outlook.terms) + self.memory.to_bytes(outlook.rows)

    def outlook_from_bytes(self, options: dict[str, Value], seat: int, data: bytes) -> Outlook:
        size = layout.size(self.rules.Terms)
        terms, view = layout.from_bytes(self.rules.Terms, data[:size]), layout.from_bytes(self.rules.View, data[size:])
        return Outlook(self, options, self.rows(terms), self.rows(view), seat)

    def digest(self, world: World | Outlook) -> str:
        """Of the bytes: quick, and equal in every gear, as long as the layout of the state stays the same."""
        return sha256(self.memory.to_bytes(world.rows)).hexdigest()[:16]

    def position_digest(self, world: World) -> str:
        """Of what the position says in words: the same for ever, whatever the layout. Match records carry it."""
        return sha256(self.position(world).encode()).hexdigest()[:16]

    # -- the rules -----------------------------------------------------------------------------------------------

    def seats(self, world: World | Outlook) -> int:
        return cast(int, self.memory.get(world.terms, "seats"))

    def turn(self, world: World) -> int:
        return self._turn(world.terms, world.rows, 0)

    def over(self, world: World) -> bool:
        return self.turn(world) == contract.NOBODY

    def to_act(self, world: World, seat: int) -> bool:
        return self._to_act(world.terms, world.rows, 0, seat)

    def legal(self, world: World, seat: int | None = None) -> list[int]:
        who = self.turn(world) if seat is None else seat
        if who < 0 or not self.to_act(world, who):
            return []
        return self.memory.numbers(self._out, self._legal(world.terms, world.rows, 0, who, self._out))

    def check(self, world: World, seat: int, action: int) -> Refusal | None:
        if not contract.CHANCE <= seat < self.seats(world):
            return Refusal(*COMMON_REFUSALS[contract.NOT_TO_ACT])
        if not 0 <= action < 2**63:
            return Refusal(*COMMON_REFUSALS[contract.NONSENSE])
        code = self._check(world.terms, world.rows, 0, seat, action)
        return self.refusal(code) if code else None

    def refusal(self, code: int) -> Refusal:
        return Refusal(*(self.notation.REFUSALS | COMMON_REFUSALS)[code])

    def apply(self, world: World, seat: int, action: int) -> None:
        """Plays an action that `check` accepts."""
        self._apply(world.terms, world.rows, 0, seat, action, self._silent)

    def story(self, world: World, seat: int, action: int, observer: int) -> list[int]:
        """Plays the action and returns what `observer` sees of it."""
        log = self._log
        self._address(log, observer, 0)
        self._apply(world.terms, world.rows, 0, seat, action, log)
        return cast(list[int], self.memory.get(log, "events")[: self.memory.get(log, "count")])

    def roll(self, world: World, random: list[Random]) -> int:
        """An action of CHANCE."""
        return self._roll(world.terms, world.rows, 0, random)

    def chance_outcome(self, world: World, action: int) -> int:
        return self._chance_outcome(world.terms, world.rows, 0, action)

    def score(self, world: World, seat: int) -> int:
        return self._score(world.terms, world.rows, 0, seat)

    def scores(self, world: World) -> list[int]:
        return [self.score(world, seat) for seat in range(self.seats(world))]

    def forfeit_score(self, world: World) -> int | None:
        """What a seat scores that broke a rule or ran out of time; None: what it has."""
        found: int | None = self.setup.forfeit_score(world.options) if hasattr(self.setup, "forfeit_score") else None
        return found

    def fallback(self, world: World, seat: int) -> int | None:
        """What a run-out clock plays, or None: the seat loses."""
        action = self._fallback(world.terms, world.rows, 0, seat)
        return None if action == contract.NO_FALLBACK else action

    def key(self, world: World) -> int:
        return self._key(world.terms, world.rows, 0)

    def view(self, world: World, seat: int) -> Outlook:
        rows = self.gear.rows(contract.View, 1)
        self._observe(world.terms, world.rows, 0, seat, rows)
        return Outlook(self, world.options, world.terms, rows, seat)

    def preview(self, world: World) -> Outlook:
        """A start that belongs to no match is nobody's secret: where the public would see only fog, everything."""
        if not hasattr(self.view_of, "unveil"):
            return self.view(world, contract.PUBLIC)
        state = self.state(self.clone(world))
        self.view_of.unveil(self._terms(world), state)
        return self.view(self.world(world.options, self._terms(world), state), 0)

    def imagine(self, outlook: Outlook, random: list[Random]) -> World:
        rows = self.gear.rows(contract.State, 1)
        self._imagine(outlook.terms, outlook.rows, outlook.seat, random, rows, 0)
        return World(self, outlook.options, outlook.terms, rows)

    def random(self, seed: int) -> list[Random]:
        if not -(2**63) <= seed < 2**63:
            raise expected(Words("une graine de 64 bits", "a seed of 64 bits"), seed)
        rows = self.gear.rows(Random, 1)
        self._seed(rows, seed)
        return rows

    def log(self, observer: int, *, silent: bool = False) -> list[contract.Log]:
        rows = self.gear.rows(contract.Log, 1)
        self._address(rows, observer, LOUDEST if silent else 0)
        return rows

    def _address(self, rows: list[contract.Log], observer: int, count: int) -> None:
        self.memory.put(rows, "observer", observer)
        self.memory.put(rows, "count", count)

    # -- texts and pictures --------------------------------------------------------------------------------------

    def text(self, world: World, seat: int, action: int) -> str:
        return cast(str, self.notation.text(self._terms(world), self._state(world), seat, action))

    def texts(self, world: World, seat: int, actions: Sequence[int]) -> list[str]:
        """Many at once: the state is unpacked once for all of them."""
        terms, state, text = self._terms(world), self._state(world), self.notation.text
        return [text(terms, state, seat, action) for action in actions]

    def parse(self, world: World, seat: int, text: str) -> int:
        """The action that a text means for a seat; Refused if it means none. It may still be illegal: see `check`."""
        return cast(int, self.notation.parse(self._terms(world), self._state(world), seat, text))

    def expand(self, world: World, seat: int, text: str) -> list[int]:
        """The actions of an order to several units (`move 3 military 4,5 east`) where a game knows such, or the one."""
        if not hasattr(self.notation, "expand"):
            return [self.parse(world, seat, text)]
        known = self._plain_view(self.view(world, seat))
        return cast(list[int], self.notation.expand(self._terms(world), known, seat, text))

    def position(self, world: World) -> str:
        return cast(str, self.notation.position(self._terms(world), self._state(world)))

    def board(self, outlook: Outlook) -> Board:
        return cast(Board, self.view_of.board(self._terms(outlook), self._plain_view(outlook), outlook.seat))

    def show(self, outlook: Outlook) -> Any:
        """What a client of that seat is shown, as a typed struct."""
        return self.view_of.show(self._terms(outlook), self._plain_view(outlook), outlook.seat)

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

    def tell(self, world: World | Outlook, observer: int, events: list[int]) -> list[Event]:
        """What `story` returned, as typed structs with words."""
        return cast(list[Event], self.view_of.tell(self._terms(world), observer, events))

    def told(self, world: World, seat: int, action: int, observer: int, played: int) -> list[Event]:
        """Plays the action, before which `played` others stood, and tells `observer` what it sees of it.

        Each event says in which turn it happened and whose doing it was, unless the game has said so itself: where one
        action ends a turn and begins the next."""
        turn = self.number(world, played)
        by = contract.CHANCE if self.card.simultaneous else seat  # who seals last does no more than the others
        events = self.tell(world, observer, self.story(world, seat, action, observer))
        return [event if event.turn else structs.replace(event, turn=turn, by=by) for event in events]

    def number(self, world: World, played: int) -> int:
        """Of the turn that is being played, from 1; in a game that counts none itself, of the action."""
        if self._counted is None:
            return played + 1
        field, together = self._counted
        return cast(int, self.memory.get(world.rows, field)) // together + 1

    def picture(self, world: World) -> str:
        """The board as lines of text, as seat 0 sees it."""
        board = self.view_of.board(self._terms(world), self._plain_view(self.view(world, 0)), 0)
        width = max(1, *(len(cell.text) for row in board.cells for cell in row)) + 1
        margin = max(len(name) for name in board.rows)
        lines = [" " * margin + "".join(name.rjust(width) for name in board.columns)]
        widest = max(len(row) for row in board.cells)
        for name, row in zip(board.rows, board.cells, strict=True):
            shift = " " * ((widest - len(row)) * width // 2)
            lines.append(name.rjust(margin) + shift + "".join((c.text or ".").rjust(width) for c in row))
        return "\n".join(lines)

    # -- rows ----------------------------------------------------------------------------------------------------

    def rows(self, plain: R) -> list[R]:
        """One plain structure as an array of one row, or as a list of one copy."""
        return self.memory.row(plain)

    def plain(self, kind: type[R], rows: list[R]) -> R:
        return self.memory.plain(kind, rows)

    def _terms(self, world: World | Outlook) -> Any:
        return self._look(self.rules.Terms, world.terms)

    def _state(self, world: World) -> Any:
        return self._look(self.rules.State, world.rows)

    def _plain_view(self, outlook: Outlook) -> Any:
        return self._look(self.rules.View, outlook.rows)

    def _look(self, kind: type[R], rows: list[R]) -> R:
        """As `plain`, for those who change nothing: one who looks again at the same bytes gets the same structure."""
        if not self.gear.compiled:
            return rows[0]
        key = kind, self.memory.to_bytes(rows)
        found = self._read.get(key)
        if found is None:
            if len(self._read) >= self._most_read:
                del self._read[next(iter(self._read))]
            found = self._read[key] = self.plain(kind, rows)
        return cast(R, found)


def _opponents(package: ModuleType) -> Mapping[str, tuple[Any, Words]]:
    """The computer players that only this game has, if it has any: a class with `choose(terms, view, seat)` each."""
    if find_spec(f"{package.__name__}.opponents") is None:
        return {}
    return cast(Mapping[str, tuple[Any, Words]], import_module(f"{package.__name__}.opponents").OPPONENTS)


def levels_of(package: ModuleType) -> tuple[Level, ...]:
    """Those that the game's folder brings, or those of its kind."""
    name = f"{package.__name__}.levels"
    return by_kind(package.CARD) if find_spec(name) is None else of_module(import_module(name))


def gear_of(package: ModuleType, gear: str, weights: list[int] | None = None) -> Gear:
    """The rules and the evaluation of a game in one gear: "compiled", "interpreted" or "checked"."""
    meaning: dict[Any, Any] = {}
    for part in ("rules", "evaluate"):
        meaning |= _meaning(import_module(f"{package.__name__}.{part}"))
    tables = None if weights is None else {"WEIGHT": weights}
    compiled = gear != "interpreted" and _compiles()
    return Gear(package.CARD.id, meaning, compiled=compiled, checked=gear == "checked", tables=tables)


@once
def _compiles() -> bool:
    """Where nothing can be compiled, games are played all the same; that is said once."""
    reason = trouble()
    if reason:
        warnings.warn(f"Games are interpreted here, which is slow: {reason}", RuntimeWarning, stacklevel=4)
    return not reason


def _meaning(rules: ModuleType) -> dict[Any, Any]:
    """What the rules put in the place of each name of the contract."""
    asked = [(part.__name__, n, v) for part in (contract, hints) for n, v in vars(part).items()]
    own = {n: v for part, n, v in asked if getattr(v, "__module__", "") == part}
    return {v: getattr(rules, n) for n, v in own.items() if getattr(rules, n, v) is not v}


def refuse(refusal: Refusal) -> Refused:
    return Refused(refusal.code, refusal.words)
