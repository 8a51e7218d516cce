"""The words on the wire, named by direction, the same for pages, programs and tests; parsed once, at the door.

A client sees the numbers of its own messages (`n`), never those of the store, whose gaps would count what the other
side does out of sight.
"""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from quincunx.core import words
from quincunx.core.board import Board
from quincunx.core.options import Value
from quincunx.core.words import Words
from quincunx.match.clock import ClockRule
from quincunx.match.record import Outcome

MOVE_ID = re.compile(r"[A-Za-z0-9_-]{1,60}")
PROTOCOL = 1  # of these words; a program may say which it speaks, in `hello`, `play` and `enter`
OTHER_PROTOCOL = Words(
    "Ici se parle le protocole {}, et non {} : mettez Quincunx à jour.",
    "Protocol {} is spoken here, not {}: update Quincunx.",
).format(PROTOCOL, "{}")
MoveId = str  # chosen by the client, as above; a move that is sent again with the same id is played once


class _Word(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


# -- to the server --------------------------------------------------------------------------------------------------


class Hello(_Word, tag="hello", frozen=True, omit_defaults=True):
    """The first word of a client: the tokens of the seats that it holds; none to watch."""

    tokens: tuple[str, ...] = ()
    eye: int | None = None  # to watch through a seat's eyes, where that is allowed
    board: bool = False  # does it want the board that any client can draw, too?
    last: int | None = None  # the number of the last update that it has, if it comes back; 0: none, tell it everything
    ready: bool = True  # False: a seat that is kept for it is kept still; it says hello again when it is ready to play
    protocol: int = PROTOCOL


class Play(_Word, tag="play", frozen=True, omit_defaults=True):
    """A move; sent again with the same id, as after a lost connection, it is played once."""

    id: MoveId
    seat: int
    action: str
    protocol: int = PROTOCOL


class Try(_Word, tag="try", frozen=True):
    """What would this action do? It is not played."""

    id: MoveId
    seat: int
    action: str


class Ask(_Word, tag="ask", frozen=True):
    """Everything that is not a move."""

    seat: int
    what: Literal["resign", "draw", "decline_draw", "take_back", "allow_take_back", "refuse_take_back", "abort"]


class Look(_Word, tag="look", frozen=True):
    """This seat looks at the screen now (the hand-over of a shared computer); the last of its updates that it has."""

    seat: int
    last: int | None = None


class Ping(_Word, tag="ping", frozen=True):
    """Somebody is there."""


Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "nice_move", "oops", "one_moment", "sorry", "again", "bye"
]  # each reads them in their own language: the words are the pages'


class Say(_Word, tag="say", frozen=True):
    """To the others at the table: a phrase, or a text where the host allows it."""

    seat: int
    phrase: Phrase | None = None
    text: str = ""


ToServer = Hello | Play | Try | Ask | Look | Ping | Say


# -- to a client ----------------------------------------------------------------------------------------------------


class SeatShown(msgspec.Struct, frozen=True):
    """Who sits there, and whether they are."""

    name: str
    kind: str
    player: str
    present: bool


class Welcome(_Word, tag="welcome", frozen=True):
    """The first word to a client."""

    match: str
    game: str
    yours: tuple[int, ...]  # the seats that this client holds
    fog: bool
    options: dict[str, Value]
    clock: ClockRule
    computers_only: bool  # then any seat's view may be watched
    public: bool
    code: str | None  # to invite others: for those who sit here, or for all if the match is public
    rematch_of: str | None = None
    start_known: bool = False  # whoever made the match chose the start, and may know what the fog hides
    protocol: int = PROTOCOL
    lists_all: bool = True  # does `legal` list every action? Otherwise the notation has more
    chat: bool = False  # may people at the table write what they like? Otherwise there are phrases
    rated: bool = False  # it counts for its people: nothing is taken back, and it is not called off


class Update(_Word, tag="update", frozen=True):
    """What one observer sees now, and what it was told since its last update."""

    n: int  # of this observer's updates
    observer: int  # a seat, or -2 for the public
    shown: Any  # the game's own struct
    story: tuple[Any, ...]  # events of the game, with words
    legal: tuple[str, ...]
    to_act: tuple[int, ...]
    clocks: tuple[int | None, ...]  # milliseconds left
    seats: tuple[SeatShown, ...]
    draw_offers: tuple[int, ...] = ()
    draw_declined: int | None = None  # the seat that did not want the draw that was offered last
    take_back_asked: int | None = None
    take_back_declined: int | None = None  # the seat that did not want the action to be taken back
    outcome: Outcome | None = None
    why: Words | None = None  # it is over, in words
    rematch: str | None = None  # the match that follows this one
    board: Board | None = None  # for clients without a component of their own, who asked for it
    recap: bool = False  # the story is all that happened since this seat's last turn
    retold: bool = False  # the story replaces all that was told before: something was taken back, or nothing was there


class Changed(_Word, tag="changed", frozen=True, kw_only=True, omit_defaults=True):
    """What is otherwise than in this observer's update before, number `n - 1`: see changes.py. What is not said stays,
    but for the story, which is what was told since then."""

    n: int
    observer: int
    shown: dict[str, Any] | UnsetType = UNSET  # fields of the game's own struct
    story: tuple[Any, ...] = ()
    legal: tuple[str, ...] | UnsetType = UNSET
    acted: tuple[int, ...] = ()  # seats that are to act no more; no others are
    to_act: tuple[int, ...] | UnsetType = UNSET  # or, if others are, all of them
    clocks: dict[str, int | None] | UnsetType = UNSET  # of these seats: those of others run on, or stand
    seats: dict[str, SeatShown] | UnsetType = UNSET
    draw_offers: tuple[int, ...] | UnsetType = UNSET
    draw_declined: int | UnsetType | None = UNSET
    take_back_asked: int | UnsetType | None = UNSET
    take_back_declined: int | UnsetType | None = UNSET
    rematch: str | UnsetType | None = UNSET


class Accepted(_Word, tag="accepted", frozen=True):
    """The move is stored, and survives any crash."""

    id: MoveId


class Tried(_Word, tag="tried", frozen=True):
    """What an action would do, to who asked; nothing has changed."""

    id: MoveId
    shown: Any  # what the seat would be shown after it
    story: tuple[Any, ...]


class Refused(_Word, tag="refused", frozen=True):
    """What was asked is not done: why, as a stable code and in words; of a move, which one."""

    code: str
    words: Words
    id: MoveId | None = None


class Thinking(_Word, tag="thinking", frozen=True):
    """How a computer thinks; only for those who may see that seat's view."""

    seat: int
    depth: int
    nodes: int
    value: float | None
    line: tuple[str, ...]


class Waiting(_Word, tag="waiting", frozen=True):
    """A computer has not begun to think, for others are before it; or it has begun now."""

    seat: int
    waits: bool


class Said(_Word, tag="said", frozen=True):
    """Somebody at the table says something; not to programs."""

    seat: int
    phrase: str | None = None  # as in `say`
    text: str = ""


class Pong(_Word, tag="pong", frozen=True):
    """The server is there."""


ToClient = Welcome | Update | Changed | Accepted | Tried | Refused | Thinking | Waiting | Said | Pong


# -- in an arena: to the server, and to an entrant ------------------------------------------------------------------


class Enter(_Word, tag="enter", frozen=True):
    """The first word of an entrant: its name, and the key that it made for it, which it keeps to itself."""

    name: str
    key: str
    protocol: int = PROTOCOL


class Ready(_Word, tag="ready", frozen=True):
    """It would play now: so many matches at once, those that it plays included; 0: no more."""

    matches: int = 1


class Entered(_Word, tag="entered", frozen=True):
    """The first word to an entrant, and again when something of it changes."""

    contest: str
    game: str
    name: str
    accepted: bool  # may it play? In a classroom the teacher says so
    rating: float  # Elo; who is new has 1500
    error: float  # half of the interval: the true rating is in it in 89 to 99 cases of 100
    matches: int  # that count


class Sit(_Word, tag="sit", frozen=True):
    """A match waits for this entrant. It sits down as in any other: `/ws/{match}`, with the token."""

    match: str
    token: str
    players: tuple[str, ...]  # names by seat


class Scored(_Word, tag="scored", frozen=True):
    """What came of a match of this entrant."""

    match: str
    rank: int | None  # 1 is the winner; None: somebody did not come, and it does not count
    shared: bool  # by another seat, too
    players: tuple[str, ...]
    rating: float
    error: float
    matches: int
    place: int  # in the table, from 1
    of: int


ToArena = Enter | Ready | Ping
FromArena = Entered | Sit | Scored | Refused | Pong


def unknown_field(error: Exception) -> str | None:
    """The name of the field that a message has and should not have, if that was what is wrong with it."""
    found = re.search(r"unknown field `([A-Za-z0-9_-]{1,40})`", str(error))
    return found[1] if found else None


def check_protocol(word: object) -> None:
    """Refused where a message says that it is of another version."""
    if (spoken := getattr(word, "protocol", PROTOCOL)) != PROTOCOL:
        raise words.Refused("other_protocol", OTHER_PROTOCOL.format(spoken))


read = msgspec.json.Decoder(ToServer, strict=True).decode
read_to_arena = msgspec.json.Decoder(ToArena, strict=True).decode
write = msgspec.json.Encoder().encode
