"""What clients write and read over REST. Everything has its bounds: `/schema` tells them, nothing longer is decoded."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from quincunx.core.board import Board
from quincunx.core.options import Value
from quincunx.match.clock import ClockRule
from quincunx.match.record import Outcome
from quincunx.store import SeatKind, Status
from quincunx.store.entrants import EntrantKind
from quincunx.tournament.plan import Admission, Format, Pacing

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


# -- contests -------------------------------------------------------------------------------------------------------


class ContestListed(Struct, frozen=True):
    id: str
    name: str
    game: str
    format: Format
    players: int
    played: int  # matches
    created: int
    finished: int | None


class NewArena(Struct, frozen=True, forbid_unknown_fields=True):
    """A standing contest for programs, and for players of this server that meet them."""

    game: GameId
    name: Annotated[str, Meta(max_length=60)] = ""
    preset: OptionName | None = None
    options: Options = {}
    setup: OptionName | None = None
    seats: Annotated[int, Meta(ge=0, le=MOST_SEATS, description="0: two, or what the options say")] = 0
    turn: Annotated[float, Meta(ge=0.05, le=3600, description="seconds of a turn")] = 5.0
    computers: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=20)] = ()
    pacing: Pacing = "free"
    admission: Admission = "open"


class ArenaMade(Struct, frozen=True):
    id: str


class Rated(Struct, frozen=True):
    """A rating in Elo above the mean of all, in an arena on a scale where who is new has 1500; and the interval that
    holds the true one in 95 of 100."""

    value: float
    low: float
    high: float


class ContestLine(Struct, frozen=True):
    """What one player has reached."""

    name: str
    place: int  # from 1; 0 in an arena: it has not played yet
    matches: int
    points: float
    wins: int
    draws: int
    losses: int
    think_time: float  # seconds for one choice
    troubles: dict[str, int]  # how often it left before the end, by the reason's code
    rating: Rated | None = None
    kind: EntrantKind | None = None  # in an arena: what it is,
    present: bool = False  # is it there now,
    accepted: bool = True  # and may it play?


class ContestMeeting(Struct, frozen=True):
    """A cell of the cross table."""

    one: str
    two: str
    points: float  # what `one` has made of `two`
    matches: int


class ContestResult(Struct, frozen=True):
    """A match that is over. Tuples are by seat."""

    pairing: int
    number: int
    players: tuple[str, ...]
    ranks: tuple[int, ...]  # 1 is the winner; equal ranks share
    reason: str
    start: str
    at: int
    troubles: tuple[str, ...]  # codes; empty if nobody left before the end


class ContestPairing(Struct, frozen=True):
    """Who will meet."""

    pairing: int
    round: int
    players: tuple[str, ...]
    played: int
    matches: int


class ContestMatch(Struct, frozen=True):
    """A match that is being played: who sits where, and nothing of what happens."""

    pairing: int
    number: int
    players: tuple[str, ...]
    match: str | None = None  # of an arena: it is one of this server's, and can be watched like any other


class ContestNews(Struct, frozen=True):
    """How a contest stands. On its socket, of lines and meetings only those that changed, of results those that are
    new; the last of them, if there are many."""

    seq: int  # how many results have been read
    played: int
    expected: int  # matches, as far as it is known how many there will be
    round: int
    rounds: int
    finished: int | None
    lines: tuple[ContestLine, ...]
    meetings: tuple[ContestMeeting, ...]  # none where players are too many for a table
    results: tuple[ContestResult, ...]  # the newest last
    playing: tuple[ContestMatch, ...]
    upcoming: tuple[ContestPairing, ...]


class ContestShown(Struct, frozen=True):
    id: str
    name: str
    game: str
    format: Format
    seats: int  # of a match
    created: int
    now: ContestNews
    turn: float = 0.0  # seconds that a program has for a turn
    admission: Admission = "open"  # of an arena: in a class, pupils enter from their page
