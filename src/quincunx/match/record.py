"""The record of a match, a JSON file.

It holds the complete starting position, not what it was drawn from: a changed map generator never changes an old
match. The seed is only a remark. After every action stands a digest of the state, so that a reader knows at once where
its rules, or an edited file, part from what was played.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from quincunx.core.options import Value
from quincunx.core.words import Refused, Words

FORMAT = 1

EventName = Literal[
    "resign", "time_out", "forfeit", "draw", "adjudicated", "take_back", "abort",
    "draw_offered", "draw_declined", "take_back_asked", "take_back_declined",
]  # fmt: skip
LEAVING = ("resign", "time_out", "forfeit")
Reason = Literal["played", "resign", "time_out", "forfeit", "draw", "adjudicated", "abort"]

Verdict = Literal["draw", "score"]  # how a match that goes on for too long is judged


class Seat(msgspec.Struct, forbid_unknown_fields=True):
    """Who sits there: a person's name, or a player and how it is made to repeat its choices."""

    name: str
    player: str = "person"  # or what the player was asked to be: alphabeta:depth=6
    seed: int | UnsetType = (
        UNSET  # what its choices were drawn from, if it is known: then it can be made to repeat them
    )
    after: int | UnsetType = UNSET  # so many entries were drawn at random before the players began


class Played(msgspec.Struct, tag_field="kind", tag="action", forbid_unknown_fields=True):
    """An action, and a digest of the position after it."""

    seat: int  # -1: the dice
    action: str
    at: int  # milliseconds since the match began
    digest: str  # of the state after it


class Happened(msgspec.Struct, tag_field="kind", tag="event", forbid_unknown_fields=True, omit_defaults=True):
    """Something that is not an action."""

    event: EventName
    at: int
    seat: int | None = None  # whom it concerns
    reason: str = ""  # a code (failures.py); in older records a sentence; adjudicated: draw, or score
    detail: tuple[str, ...] = ()  # what its sentence quotes
    notes: str = ""  # the last that a program wrote to stderr
    kept: int = 0  # take_back: how many actions stand


Entry = Played | Happened


class Outcome(msgspec.Struct, forbid_unknown_fields=True):
    """How it ended, and how it stands."""

    reason: Reason
    scores: list[int]
    ranks: list[int]  # 1 is the winner; equal ranks share


class MatchRecord(msgspec.Struct, forbid_unknown_fields=True):
    """All that is kept of a match."""

    format: int
    game: str
    rules: int  # version of the rules
    options: dict[str, Value]
    start: str  # the complete starting position
    start_digest: str
    seats: list[Seat]
    entries: list[Entry]
    outcome: Outcome | None = None  # None: it goes on
    seed: int | None = None  # a remark: what the start was drawn from


def encode(record: MatchRecord) -> bytes:
    """The record as a file, which `decode` reads."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def decode(data: bytes) -> MatchRecord:
    """The record in a file; Refused with one sentence if it is not one."""
    try:
        record = msgspec.json.decode(data, type=MatchRecord)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        words = Words(
            "Ce fichier n’est pas une partie enregistrée : {}.", "This file is not the record of a match: {}."
        )
        raise Refused("not_a_record", words.format(str(error).rstrip("."))) from None
    if record.format != FORMAT:
        words = Words("Il faut le format {}, et non {}.", "This needs format {}, not {}.")
        raise Refused("unknown_format", words.format(FORMAT, record.format))
    return record
