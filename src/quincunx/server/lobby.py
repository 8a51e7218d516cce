"""Making matches and joining them."""

from __future__ import annotations

import secrets
import time
from typing import Any, Literal

import msgspec

from quincunx.core.options import settle
from quincunx.core.words import Refused, Words, expected
from quincunx.games import load
from quincunx.match import Match, MatchRecord, Outcome, Seat
from quincunx.match.clock import ClockRule
from quincunx.match.referee import Referee
from quincunx.players import make
from quincunx.server.tables import Tables, entropy
from quincunx.server.tokens import hash_of, new_code, new_id, new_token
from quincunx.store import Store, StoredMatch, StoredSeat

NAME = Words("un nom de 1 à 40 caractères", "a name of 1 to 40 characters")
NO_MATCH = Words("Cette partie n’existe pas.", "There is no such match.")
TAKEN = Words("Cette place est prise.", "This seat is taken.")
RUNNING = Words("La partie n’est pas finie.", "The match is not over.")


class WantedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`here`: held by whoever makes the match; `open`: for whoever joins; `computer`: `player` says which."""

    kind: Literal["here", "open", "computer"] = "open"
    name: str = ""
    player: str = ""


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    seats: tuple[WantedSeat, ...]
    preset: str | None = None
    options: dict[str, bool | int | str] = {}
    setup: str | None = None  # the name of one of the game's
    text: str | None = None  # or one that somebody wrote
    clock: ClockRule = ClockRule()
    public: bool = False
    seed: int | None = None


class Held(msgspec.Struct, frozen=True):
    seat: int
    token: str


class Made(msgspec.Struct, frozen=True):
    id: str
    code: str
    seats: tuple[Held, ...]  # the tokens of those that were wanted `here`


class Listed(msgspec.Struct, frozen=True):
    """A match in a list: nothing but what is public."""

    id: str
    game: str
    status: str
    names: tuple[str, ...]
    open_seats: tuple[int, ...]
    created: int
    outcome: Outcome | None


class Lobby:
    def __init__(self, store: Store, tables: Tables) -> None:
        self.store = store
        self.tables = tables

    async def make(self, wanted: NewMatch) -> Made:
        game = load(wanted.game)
        options: dict[str, Any] = {**settle(game.options, game.presets, wanted.preset, wanted.options)}
        wanted.clock.check()
        seed = secrets.randbits(32) if wanted.seed is None else wanted.seed
        if wanted.text is not None:
            world = game.from_setup(options, wanted.text, seed)
        else:
            world = game.new(setup=wanted.setup, seed=seed, **options)
        tokens = [new_token() if seat.kind == "here" else None for seat in wanted.seats]
        if len(wanted.seats) != game.seats(world):
            raise expected(Words("{} places", "{} seats").format(game.seats(world)), len(wanted.seats))
        for seat in wanted.seats:
            if seat.kind == "computer":
                make(seat.player, game)
        seats = tuple(_stored(seat, token) for seat, token in zip(wanted.seats, tokens, strict=True))
        start = game.position(world)
        match = Match.unplayed(game, start, [Seat(seat.name, seat.player) for seat in seats], seed, options)
        dice = Referee(match).first_dice(0, entropy)
        stored = StoredMatch(
            id=new_id(), game=wanted.game, rules=game.card.version, options=options, start=start,
            start_digest=game.checksum(match.world), seats=seats, created=time.time_ns() // 1_000_000, seed=seed,
            clock=wanted.clock, public=wanted.public, code=new_code(),
        )  # fmt: skip
        await self.store.create(stored, dice if isinstance(dice, list) else [])
        held = tuple(Held(n, token) for n, token in enumerate(tokens) if token is not None)
        return Made(stored.id, stored.code or "", held)

    async def join(self, id: str, seat: int | None, name: str) -> Held:
        """Takes a seat that is open: the one that was asked for, or any."""
        stored = await self.find(id)
        token = new_token()
        free = [n for n, each in enumerate(stored.seats) if each.kind == "open" and seat in (None, n)]
        secrets.SystemRandom().shuffle(free)
        for number in free:
            if await self.store.claim_seat(stored.id, number, _name(name), hash_of(token)):
                await self.tables.refresh(stored.id)
                return Held(number, token)
        raise Refused("taken", TAKEN)

    async def find(self, id: str) -> StoredMatch:
        """By its id or its code."""
        code = id.upper()
        stored = await self.store.match(id) or (await self.store.by_code(code) if len(code) == 6 else None)
        if stored is None:
            raise Refused("no_such_match", NO_MATCH)
        return stored

    async def record(self, id: str) -> MatchRecord:
        """Of a match that is over, or of one without secrets."""
        stored = await self.find(id)
        if stored.status != "over" and load(stored.game).card.fog:
            raise Refused("running", RUNNING)
        return stored.record(await self.store.entries(stored.id))


def listed(stored: StoredMatch) -> Listed:
    names = tuple(seat.name for seat in stored.seats)
    free = tuple(n for n, seat in enumerate(stored.seats) if seat.kind == "open")
    return Listed(stored.id, stored.game, stored.status, names, free, stored.created, stored.outcome)


def _name(name: str) -> str:
    trimmed = name.strip()
    if not 1 <= len(trimmed) <= 40 or not trimmed.isprintable():
        raise expected(NAME, name)
    return trimmed


def _stored(seat: WantedSeat, token: str | None) -> StoredSeat:
    if token is not None:
        return StoredSeat("person", _name(seat.name), "person", hash_of(token))
    if seat.kind == "computer":
        return StoredSeat("computer", seat.player, seat.player)
    return StoredSeat("open", "")
