"""Positions of open games, one by one, as a board and an engine want them: worked out in pool processes.

A position is where a match stood, or a start, and what is played on from there; the rules check every action of it. An
engine in a page is given what the seat to act knows, as bytes in the layout of its game, and numbers of actions with
their texts: rules and notation are known here and in the engine, and nowhere else. No bytes of a position are ever
taken back in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from quincunx.core.contract import CHANCE, PUBLIC
from quincunx.core.options import Value, settle
from quincunx.core.words import Refused, Words
from quincunx.games import Game, World, load, package
from quincunx.match import Match, Played, Seat
from quincunx.match.record import Outcome
from quincunx.match.wire import write
from quincunx.players.fingerprint import sources
from quincunx.server.frames import read_entries, standing
from quincunx.server.match_shapes import Start
from quincunx.server.starting import OTHER_RULES, drawn

SECRET = Words(
    "Ce jeu a des secrets : ses positions ne s’étudient pas.", "This game has secrets: its positions are not studied."
)


class Base(Struct, frozen=True):
    """From where a position is reached: a start that is written, or one to be drawn, and the first actions of a match,
    whose entries are read where the position is worked out."""

    game: str
    rules: int
    options: dict[str, Value]
    start: str | Start
    entries: bytes = b"[]"
    at: int | None = None  # all of them

    @property
    def played(self) -> tuple[str, ...]:
        return tuple(entry.action for entry in standing(read_entries(self.entries))[: self.at])


class Offer(Struct, frozen=True):
    """An action that may be played, or an outcome of the dice."""

    action: str
    number: str  # of 64 bits, more than a number of JavaScript holds
    chance: float | None = None  # of dice,
    words: Words | None = None  # and what would be told of them


class Known(Struct, frozen=True):
    """What a seat knows, for an engine that was built from the same sources."""

    sources: str
    view: bytes  # the terms, then what it sees
    seat: int


class Placed(Struct, frozen=True):
    played: tuple[str, ...]  # actions that led there, each in its one spelling
    seat: int  # who is to act; -1: the dice, -3: nobody
    by: int | None  # who played the last one
    shown: object  # what the public sees
    story: tuple[object, ...]  # of the last action
    digest: str
    legal: tuple[Offer, ...]
    known: Known | None  # of the seat that is to act
    options: dict[str, Value]
    outcome: Outcome | None
    why: Words | None


class Before(Struct, frozen=True):
    """A move of a match, and what its seat knew when it made it."""

    n: int  # actions that stand after it
    seat: int
    action: str
    number: str
    view: bytes


class Befores(Struct, frozen=True):
    sources: str
    total: int  # actions of the match
    moves: tuple[Before, ...]


def expect_open(id: str) -> None:
    if not package(id).CARD.open:
        raise Refused("secret", SECRET)


def place(base: Base, line: Sequence[str]) -> bytes:
    """A position, all that a board shows of it, and what may be played there."""
    match = begun(base)
    game, texts = match.game, [*base.played, *line]
    story: tuple[object, ...] = ()
    by, played = None, list[str]()
    for seat, number, text in _followed(match, texts):
        played.append(text)
        if match.length == len(texts) - 1:
            by = seat
            story = tuple(game.apply_and_tell(game.clone(match.world), seat, number, PUBLIC, match.length))
    world, seat = match.world, match.turn
    placed = Placed(
        tuple(played), seat, by, game.show(game.view(world, PUBLIC)), story, game.position_digest(world),
        () if match.over else offers(game, world, seat), known(game, world, seat), world.options, match.outcome,
        match.why(),
    )  # fmt: skip
    return write(placed)


def in_words(base: Base, line: Sequence[str], numbers: Sequence[str]) -> bytes:
    """A line that an engine expects, as texts; it ends where the rules would refuse it. The dice go without saying."""
    match = begun(base)
    for _ in _followed(match, [*base.played, *line]):
        pass
    texts: list[str] = []
    game = match.game
    for number in map(int, numbers):
        seat = match.turn
        if match.over or game.check(match.world, seat, number) is not None:
            break
        text = game.text(match.world, seat, number)
        texts += [] if seat == CHANCE else [text]
        match.take(Played(seat, text, 0, ""))
    return write(texts)


def observed(base: Base, line: Sequence[str]) -> bytes:
    """What the seat to act knows, or null, and the options: for a thought in a worker process."""
    match = begun(base)
    for _ in _followed(match, [*base.played, *line]):
        pass
    return write((known(match.game, match.world, match.turn), match.world.options))


def befores(base: Base, first: int, count: int) -> bytes:
    """The moves of a match that came after its first `first` actions, `count` actions at most."""
    match, found, played = begun(base), list[Before](), base.played
    for seat, number, text in _followed(match, played[: first + count]):
        if match.length >= first and seat != CHANCE:
            seen = known(match.game, match.world, seat)
            assert seen is not None  # a seat acts
            found.append(Before(match.length + 1, seat, text, str(number), seen.view))
    return write(Befores(sources(base.game), len(played), tuple(found)))


def offers(game: Game, world: World, seat: int) -> tuple[Offer, ...]:
    if seat == CHANCE:
        return tuple(_outcome(game, world, action, chance) for action, chance in game.odds(world))
    actions = game.legal(world, seat)
    texts = game.texts(world, seat, actions)
    return tuple(Offer(text, str(action)) for text, action in zip(texts, actions, strict=True))


def _outcome(game: Game, world: World, action: int, chance: float) -> Offer:
    story = game.apply_and_tell(game.clone(world), CHANCE, action, PUBLIC)
    return Offer(game.text(world, CHANCE, action), str(action), chance, story[0].words if story else None)


def known(game: Game, world: World, seat: int) -> Known | None:
    """Only of games without secrets, where it is what everybody knows."""
    expect_open(game.card.id)
    if seat < 0:
        return None
    return Known(sources(game.card.id), game.observation_to_bytes(game.view(world, seat)), seat)


def begun(base: Base) -> Match:
    """A match that stands at its start; not even dice have fallen."""
    expect_open(base.game)
    game = load(base.game)
    if base.rules != game.card.version:
        raise Refused("other_rules", OTHER_RULES)
    start = base.start
    options: dict[str, Any] = {**base.options}
    if isinstance(start, Start):
        options = {**settle(game.options, game.presets, start.preset, start.options)}
        start = game.position(drawn(game, options, start))
    return Match.unplayed(game, start, _nobody(game, start, options), None, options)


def _nobody(game: Game, start: str, options: dict[str, Any]) -> list[Seat]:
    seats = game.seats(game.new(position=start, **options))
    return [Seat(game.card.seat_name(seat).en) for seat in range(seats)]


def _followed(match: Match, texts: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Plays one text after the other, the dice among them, and tells before each who acts, and what it is."""
    for text in texts:
        if match.over:
            raise Refused("over", Words("La partie est finie.", "The match is over."))
        game, world, seat = match.game, match.world, match.turn
        action = game.parse(world, seat, text)
        refusal = game.check(world, seat, action)
        if refusal:
            raise refusal
        entry = Played(seat, game.text(world, seat, action), 0, "")
        yield seat, action, entry.action
        match.take(entry)
