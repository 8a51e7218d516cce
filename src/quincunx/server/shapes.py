"""What clients write and read over REST about anything but matches, which are in match_shapes.py.
Everything has its bounds: `/schema` tells them, nothing longer is decoded."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from quincunx.server.match_shapes import MOST_SEATS, GameId, OptionName, Options
from quincunx.store.entrants import EntrantKind
from quincunx.tournament.plan import Admission, Format, Pacing

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
    points: float  # of matches and of rests
    wins: int
    draws: int
    losses: int
    think_time: float  # seconds for one choice
    troubles: dict[str, int]  # how often it left before the end, by the reason's code
    rating: Rated | None = None
    kind: EntrantKind | None = None  # in an arena: what it is,
    present: bool = False  # is it there now,
    accepted: bool = True  # and may it play?
    byes: int = 0  # points among them for Swiss rounds in which it rested: matches that count as won


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
