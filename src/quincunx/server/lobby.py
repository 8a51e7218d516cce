"""Making matches, joining them, and playing them again: as a rematch, or as a fork that keeps the first actions."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from quincunx.core.options import Value, settle
from quincunx.core.words import Refused, Words, expected
from quincunx.games import Game
from quincunx.match.clock import ClockRule
from quincunx.match.record import Entry
from quincunx.players import settings
from quincunx.players.programs.naming import is_program
from quincunx.server.budgets import charge
from quincunx.server.computers import MOST
from quincunx.server.fairness import (
    PERSON_WANTED,
    YOURSELF,
    check_rated,
    covered,
    is_computer,
    is_nobodys,
    known_start,
    plays_alone,
)
from quincunx.server.match_shapes import Fork, Held, Listed, Made, NewMatch, Start, WantedSeat
from quincunx.server.matches import LiveMatches
from quincunx.server.pickling import unpack
from quincunx.server.process_pool import run_here
from quincunx.server.programs import check_program
from quincunx.server.records import SHORT, first_actions, open_to_all
from quincunx.server.starting import new_seed
from quincunx.server.tasks import again, begin, begun, is_short
from quincunx.server.tokens import hash_of, new_code, new_id, new_token
from quincunx.store import Store, StoredMatch, StoredSeat
from quincunx.store.entrants import Booking

NAME = Words("un nom de 1 à 40 caractères", "a name of 1 to 40 characters")
NO_MATCH = Words("Cette partie n’existe pas.", "There is no such match.")
TAKEN = Words("Cette place est prise.", "This seat is taken.")
RUNNING = Words("La partie n’est pas finie.", "The match is not over.")
NOBODY = Words(
    "Votre adversaire n’est plus ici : cherchez-en un autre, ou jouez contre l’ordinateur.",
    "Your opponent is here no more: look for another, or play against the computer.",
)
NOT_YOURS = Words("Vous n’avez pas de place dans cette partie.", "You hold no seat in this match.")
HELPED = Words(
    "La partie n’est pas finie : pas d’essai d’une position contre une autre personne.",
    "The match is not over: no trying out of positions against another person.",
)
TRIES = 8  # codes that may be taken already


class NewStart(NamedTuple):
    """From where a match of an arena begins: what of it is not drawn."""

    game: str
    options: dict[str, Value]
    setup: str | None


class Sitter(NamedTuple):
    """Somebody who is known here, and holds their seats by their key."""

    id: str
    name: str
    key: str

    @property
    def seat(self) -> StoredSeat:
        return StoredSeat("person", self.name, "person", hash_of(self.key), self.id)


class Lobby:
    def __init__(self, store: Store, matches: LiveMatches) -> None:
        self.store = store
        self.matches = matches

    # -- new matches ---------------------------------------------------------------------------------------------

    async def make(self, wanted: NewMatch, here: bool = False, sitter: Sitter | None = None) -> Made:
        """`here`: for somebody at this computer, whose programs may sit down, too. `sitter`: who asks."""
        game = self.matches.game(wanted.game)
        options: dict[str, Any] = {**settle(game.options, game.presets, wanted.preset, wanted.options)}
        if wanted.rated:
            check_rated(wanted, game, options, sitter is not None)
            seats = tuple(secrets.SystemRandom().sample(wanted.seats, 2))  # nobody chooses who begins
            wanted = msgspec.structs.replace(wanted, seats=seats)
        known = known_start(game, wanted.seats, seeded=wanted.seed is not None, chosen=wanted.text is not None)
        seed = new_seed() if wanted.seed is None else wanted.seed
        start = Start(setup=wanted.setup, text=wanted.text, seed=seed)
        plan = StoredMatch("", wanted.game, game.card.version, options, "", "", (), 0, seed, start_known=known)
        plan = msgspec.structs.replace(plan, rated=wanted.rated)
        return await self._with_tokens(
            plan, wanted.seats, wanted.clock, public=wanted.public, start=start, here=here, sitter=sitter
        )

    async def arrange(
        self,
        start: NewStart,
        seats: Sequence[StoredSeat],
        clock: ClockRule,
        book: Callable[[str], Booking],
        *,
        rated: bool = False,
        public: bool = False,
    ) -> StoredMatch:
        """A match of an arena, or of two who looked for each other, booked in the moment in which it is made, from a
        start of its own that nobody has seen. Those of arenas are in no list of matches: there would soon be nothing
        else in it."""
        game, seed = self.matches.game(start.game), new_seed()
        seats = tuple(_awaited(seat, clock) for seat in seats)
        plan = StoredMatch(
            "", start.game, game.card.version, start.options, "", "", seats, 0, seed, clock, public=public, rated=rated
        )
        return await self._create(plan, Start(setup=start.setup, seed=seed), book=book)

    async def rematch(self, stored: StoredMatch, tokens: Sequence[str]) -> Made:
        """The same with the seats rotated, and the tokens with them. Asked again, it is the match that was made."""
        if not covered(stored, tokens) and not all(is_computer(seat) for seat in stored.seats):
            raise Refused("not_yours", NOT_YOURS)
        if stored.status != "over":
            raise Refused("running", RUNNING)
        made = await self.store.rematch_of(stored.id)
        if made is None:
            if any(is_nobodys(seat) for seat in stored.seats):
                raise Refused("nobody", NOBODY)
            start, seed = msgspec.json.decode(await self.matches.run(again, stored), type=tuple[str, int | None])
            seats = tuple(_awaited(seat, stored.clock) for seat in (*stored.seats[-1:], *stored.seats[:-1]))
            plan = msgspec.structs.replace(stored, start=start, seed=seed, seats=seats, rematch_of=stored.id)
            made = await self._create(plan)
            await self.matches.refresh(stored.id)
        theirs = {hash_of(token): token for token in tokens}
        held = [Held(n, theirs[s.token_hash]) for n, s in enumerate(made.seats) if s.token_hash in theirs]
        return Made(made.id, made.code or "", tuple(held))

    async def fork(self, stored: StoredMatch, wanted: Fork, here: bool = False) -> Made:
        """A new match from the same start, in which the first actions are played already."""
        open_to_all(stored)
        if stored.status != "over" and not plays_alone(stored, wanted.tokens):
            raise Refused("running", HELPED)
        entries = await self.store.entries_text(stored.id)
        charge(read=len(entries))
        kept = await (run_here if len(entries) < SHORT else self.matches.run)(first_actions, entries, wanted.at)
        again = msgspec.json.decode(kept, type=list[Entry])
        known = known_start(self.matches.game(stored.game), wanted.seats, chosen=True)
        plan = msgspec.structs.replace(stored, rematch_of=None, start_known=known, rated=False)
        return await self._with_tokens(plan, wanted.seats, wanted.clock, public=False, entries=again, here=here)

    async def _with_tokens(
        self,
        plan: StoredMatch,
        wanted: Sequence[WantedSeat],
        clock: ClockRule,
        *,
        public: bool,
        start: Start | None = None,
        entries: Sequence[Entry] = (),
        here: bool = False,
        sitter: Sitter | None = None,
    ) -> Made:
        clock.check()
        tokens = [new_token() if seat.kind in ("here", "program") else None for seat in wanted]
        seats = tuple(
            _sit(self.matches.game(plan.game), plan.options, seat, token, here)
            for seat, token in zip(wanted, tokens, strict=True)
        )
        mine = [n for n, seat in enumerate(wanted) if seat.kind == "here"]
        if sitter and len(mine) == 1:  # of several at one screen nobody knows who is who
            tokens[mine[0]] = sitter.key
            seats = (*seats[: mine[0]], sitter.seat, *seats[mine[0] + 1 :])
        seats = tuple(_awaited(seat, clock) if is_program(seat.player) else seat for seat in seats)
        plan = msgspec.structs.replace(plan, seats=seats, clock=clock, public=public)
        made = await self._create(plan, start, entries)
        held = tuple(Held(n, token) for n, token in enumerate(tokens) if token is not None)
        return Made(made.id, made.code or "", held)

    async def _create(
        self,
        plan: StoredMatch,
        start: Start | None = None,
        entries: Sequence[Entry] = (),
        book: Callable[[str], Booking | None] = lambda match: None,
    ) -> StoredMatch:
        """Stores a match with an id and a code that nobody has, and the dice that it waits for."""
        game = self.matches.game(plan.game)
        if is_short(plan, entries, start):
            referee, dice, position, digest = begun(game, plan, start, list(entries))
        else:
            data = await self.matches.run(begin, plan, start, msgspec.json.encode(entries))
            referee, dice, position, digest = unpack(data, game, list(entries))
        first = [*entries, *dice]
        plan = msgspec.structs.replace(
            plan, rules=game.card.version, start=position, start_digest=digest, created=now(), began=None,
            status="open", outcome=None,
        )  # fmt: skip
        for _ in range(TRIES):
            try:
                new = msgspec.structs.replace(plan, id=new_id(), code=new_code())
                made = await self.store.create(new, first, book(new.id))
                charge(entries=len(first))
                if not plan.rematch_of:  # of which another process may know already
                    self.matches.add(made, referee, first)
                return made
            except Refused as refused:
                if refused.code != "taken":
                    raise
                if plan.rematch_of and (other := await self.store.rematch_of(plan.rematch_of)):
                    return other  # both asked at once
        raise Refused("busy", Words("Plus de code libre : réessayez.", "No code is free: try again."))

    # -- matches that are there ----------------------------------------------------------------------------------

    async def join(self, id: str, seat: int | None, name: str, sitter: Sitter | None = None) -> Held:
        """Takes a seat that is open: the one that was asked for, or any. Who is known sits under their own name."""
        stored = await self.find(id)
        sits = sitter is not None and any(each.person == sitter.id for each in stored.seats)
        if stored.rated and (sitter is None or sits):
            raise Refused("yourself", YOURSELF) if sitter else Refused("no_person", PERSON_WANTED)
        if sits:
            sitter = None  # at one screen, perhaps, with somebody else
        token = sitter.key if sitter else new_token()
        name, person = (sitter.name, sitter.id) if sitter else (checked_name(name), None)
        free = [n for n, each in enumerate(stored.seats) if each.kind == "open" and seat in (None, n)]
        secrets.SystemRandom().shuffle(free)
        for number in free:
            if await self.store.claim_seat(stored.id, number, name, hash_of(token), person=person):
                await self.matches.refresh(stored.id)
                return Held(number, token)
        raise Refused("taken", TAKEN)

    async def find(self, id: str) -> StoredMatch:
        """By its id or its code."""
        code = id.upper()
        stored = await self.store.match(id) or (await self.store.by_code(code) if len(code) == 6 else None)
        if stored is None:
            raise Refused("no_such_match", NO_MATCH)
        return stored


def listed(stored: StoredMatch) -> Listed:
    return Listed(
        id=stored.id,
        game=stored.game,
        status=stored.status,
        names=tuple(seat.name for seat in stored.seats),
        kinds=tuple(seat.kind for seat in stored.seats),
        open_seats=tuple(n for n, seat in enumerate(stored.seats) if seat.kind == "open"),
        created=stored.created,
        outcome=stored.outcome,
        code=stored.code if stored.public else None,
        start_known=stored.start_known,
        rated=stored.rated,
        programs=tuple(n for n, seat in enumerate(stored.seats) if is_program(seat.player)),
    )


def usual_start(game: Game) -> NewStart:
    """What whoever does not choose plays, for two."""
    length = next((each for each in game.lengths if each.usual), None)
    setup = length.setup if length else None if game.card.drawn or not game.setups else game.setups[0].name
    return NewStart(game.card.id, settle(game.options, game.presets, None, length.options if length else {}), setup)


def checked_name(name: str) -> str:
    trimmed = name.strip()
    if not 1 <= len(trimmed) <= 40 or not trimmed.isprintable():
        raise expected(NAME, name, "name")
    return trimmed


def _sit(game: Game, options: Mapping[str, Value], seat: WantedSeat, token: str | None, here: bool) -> StoredSeat:
    if seat.kind == "computer" and is_program(seat.player):
        check_program(seat.player, game, options, here)
        return StoredSeat("computer", checked_name(seat.name or seat.player.removeprefix("bot:")), seat.player)
    if seat.kind == "computer":
        settings(seat.player, game, MOST)
        return StoredSeat("computer", checked_name(seat.name or seat.player[:40]), seat.player)
    if token is None:
        return StoredSeat("open", "")
    if seat.kind == "program":
        return StoredSeat("program", checked_name(seat.name), "program", hash_of(token))
    return StoredSeat("person", checked_name(seat.name), "person", hash_of(token))


def _awaited(seat: StoredSeat, clock: ClockRule) -> StoredSeat:
    """Nobody's clock runs before everybody has come, and every program has started."""
    comes = seat.kind == "person" or (is_program(seat.player) and clock.kind != "none")
    return msgspec.structs.replace(seat, kind="awaited") if comes else seat


def now() -> int:
    return time.time_ns() // 1_000_000
