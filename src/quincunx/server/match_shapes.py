"""What clients write and read about matches over REST, and what a page without a server asks of itself (offline/).
Everything has its bounds: `/schema` tells them, nothing longer is decoded."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from quincunx.core.board import Board
from quincunx.core.options import Value
from quincunx.match.clock import ClockRule
from quincunx.match.record import Outcome
from quincunx.store import SeatKind, Status

LARGEST = 2**53 - 1  # what every reader of JSON keeps exactly
LARGEST_NUMBER = 2**31 - 1  # of what a column of integers holds
MOST_SEATS = 100
LONGEST_SETUP = 64_000  # characters: a map of 200 × 200 with its line breaks, and much room
MOST_ENTRIES = 50_000  # of a match; the longest that games allow have some 30,000
MOST_ACTIONS = 1_000_000

GameId = Annotated[str, Meta(pattern="^[a-z0-9_]{1,40}$", description="such as khet")]
MatchId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$", description="its id or its six-letter code")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Name = Annotated[str, Meta(max_length=40)]
OptionName = Annotated[str, Meta(max_length=40)]
SetupText = Annotated[
    str, Meta(max_length=LONGEST_SETUP, description="a starting position or map, as the game writes it")
]
Seed = Annotated[int, Meta(ge=0, le=LARGEST)]
Token = Annotated[str, Meta(max_length=64)]
Tokens = Annotated[tuple[Token, ...], Meta(max_length=MOST_SEATS)]
Options = Annotated[dict[OptionName, Value], Meta(max_length=64)]


class WantedSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """`here`: held by whoever makes the match; `program`: the same, for a program that connects with the token; `open`:
    for whoever joins; `computer`: `player` says which."""

    kind: Literal["here", "open", "computer", "program"] = "open"
    name: Name = ""
    player: Annotated[str, Meta(max_length=100)] = ""


WantedSeats = Annotated[tuple[WantedSeat, ...], Meta(min_length=1, max_length=MOST_SEATS)]


class NewMatch(Struct, frozen=True, forbid_unknown_fields=True):
    game: GameId
    seats: WantedSeats
    preset: OptionName | None = None
    options: Options = {}
    setup: OptionName | None = None  # the name of one of the game's
    text: SetupText | None = None  # or one that somebody wrote
    clock: ClockRule = ClockRule()
    public: bool = False
    seed: Seed | None = None
    rated: bool = False  # it counts for both: two people with keys, a usual start, a clock; sides are drawn


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """A start that somebody thinks of."""

    preset: OptionName | None = None
    options: Options = {}
    setup: OptionName | None = None
    text: SetupText | None = None
    seed: Seed = 0


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    seat: SeatNumber | None = None  # None: any, drawn at random


class Found(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody has a token, and asks which seat it holds."""

    token: Token


class Again(Struct, frozen=True, forbid_unknown_fields=True):
    tokens: Tokens = ()


class Fork(Struct, frozen=True, forbid_unknown_fields=True):
    at: Annotated[int, Meta(ge=0, le=MOST_ACTIONS, description="how many of the actions that stand are kept")]
    seats: WantedSeats
    clock: ClockRule = ClockRule()
    tokens: Tokens = ()  # while a match runs, of all its seats but the computers': nobody is helped against another


class Plea(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody wants a hint."""

    tokens: Tokens
    seat: SeatNumber


class Study(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody wants an analysis, and has its first moves already."""

    have: Annotated[int, Meta(ge=0, le=MOST_ACTIONS)] = 0


# -- answers --------------------------------------------------------------------------------------------------------


class Held(Struct, frozen=True):
    seat: int
    token: str


class Seat(Struct, frozen=True):
    match: str
    seat: int


class Made(Struct, frozen=True):
    id: str
    code: str
    seats: tuple[Held, ...]  # the tokens of those that were wanted `here` or for a `program`


class Listed(Struct, frozen=True):
    """A match in a list: nothing but what is public."""

    id: str
    game: str
    status: Status
    names: tuple[str, ...]
    kinds: tuple[SeatKind, ...]
    open_seats: tuple[int, ...]
    created: int
    outcome: Outcome | None
    code: str | None  # of a public one
    programs: tuple[int, ...]  # the seats of programs, from elsewhere or of that computer
    start_known: bool = False  # whoever made it chose the start, and may know what the fog hides
    rated: bool = False  # for people with keys: nothing is taken back in it, and it is not called off


class Looked(Struct, frozen=True):
    """What the public sees, or a start that is nobody's secret."""

    seats: int
    shown: object  # the game's own struct
    board: Board


class Hinted(Struct, frozen=True):
    action: str
    line: tuple[str, ...]  # how it expects the game to go on


class Imported(Struct, frozen=True):
    id: str


class Frame(Struct, frozen=True):
    """The match after its first `n` actions; frame 0 is the start."""

    n: int
    seat: int | None  # who acted; -1: the dice
    action: str | None
    at: int
    shown: object
    story: tuple[object, ...]
    digest: str
    board: Board | None = None  # for clients without a component of their own, who asked for it


class Replayed(Struct, frozen=True):
    total: int  # frames
    names: tuple[str, ...]
    options: dict[str, Value]
    outcome: Outcome | None
    frames: tuple[Frame, ...]  # perhaps fewer than were asked for: large boards come in smaller portions
    eye: int  # through whose eyes; -2: the public's
