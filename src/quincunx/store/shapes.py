"""What goes into the store and comes out of it, as types: no rows, no dictionaries."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

import msgspec

from quincunx.core.options import Value
from quincunx.core.words import Refused, Words, expected
from quincunx.match.clock import ClockRule
from quincunx.match.record import FORMAT, Entry, MatchRecord, Outcome, Seat

Status = Literal["open", "playing", "over"]  # open: a seat is free, or somebody has not come yet
SeatKind = Literal["person", "computer", "program", "open", "awaited"]  # awaited: kept for whoever is to come
WAITING: tuple[SeatKind, ...] = ("open", "awaited")  # while there is such a seat, the match has not begun

ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class StoredSeat(msgspec.Struct, frozen=True):
    kind: SeatKind
    name: str
    player: str = "person"  # or what the player was asked to be: alphabeta:depth=6
    token_hash: str | None = None
    person: str | None = None  # whose it is (people.py); the token is their key then


class StoredMatch(msgspec.Struct, frozen=True):
    """All of a match but what happened in it."""

    id: str
    game: str
    rules: int
    options: dict[str, Value]
    start: str
    start_digest: str
    seats: tuple[StoredSeat, ...]
    created: int
    seed: int | None = None
    clock: ClockRule = ClockRule()
    public: bool = False
    code: str | None = None
    rematch_of: str | None = None
    start_known: bool = False  # under fog, to whoever made it
    rated: bool = False  # it counts for the ratings of its people
    began: int | None = None  # this and the rest are the store's to fill in, unless a match comes in that is over
    status: Status = "open"
    outcome: Outcome | None = None

    def record(self, entries: list[Entry]) -> MatchRecord:
        return MatchRecord(
            format=FORMAT,
            game=self.game,
            rules=self.rules,
            options=self.options,
            start=self.start,
            start_digest=self.start_digest,
            seats=[Seat(seat.name, seat.player) for seat in self.seats],
            entries=entries,
            outcome=self.outcome,
            seed=self.seed,
        )


class Standing(NamedTuple):
    """How far a match has come, without its entries."""

    stored: StoredMatch
    last_seq: int
    rematch: str | None  # the one that followed
    remark: int  # the number of the last one; 0: nobody has said anything


class Stored(NamedTuple):
    seq: int
    entry: Entry
    client_move_id: str | None


class Appended(NamedTuple):
    """It is written, and survives a crash."""

    last_seq: int


class Conflict(NamedTuple):
    """Nothing was written: the match has gone on, or is not that far."""

    last_seq: int


class Duplicate(NamedTuple):
    """Nothing was written now: this move was written before."""

    seq: int


Answer = Appended | Conflict | Duplicate


class StoredSetup(msgspec.Struct, frozen=True):
    id: str
    game: str
    name: str
    text: str
    owner: str
    created: int
    changed: int
    shared: bool = False


class Unavailable(Exception):
    """The database does not answer. Whether it has written what it was asked to is not known: ask again, with the
    same `client_move_id`."""


def damaged(seq: object) -> Refused:
    """An entry that is missing, or not what was played."""
    words = Words(
        "Cette partie est abîmée dans la base de données (entrée {}) : elle ne peut pas continuer.",
        "This match is damaged in the database (entry {}): it cannot go on.",
    )
    return Refused("damaged", words.format(seq))


def check_id(id: str) -> str:
    if not ID.fullmatch(id):
        raise expected(Words("1 à 64 lettres, chiffres, - ou _", "1 to 64 letters, digits, - or _"), id)
    return id
