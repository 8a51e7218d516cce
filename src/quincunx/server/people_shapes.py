"""What people write and read over REST: their page, history, friends, what they look for. Bounds as in shapes.py."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from quincunx.match.clock import ClockRule
from quincunx.server.match_shapes import GameId, Held, OptionName
from quincunx.server.shapes import Rated
from quincunx.store import Status
from quincunx.store.ratings import Result

PersonName = Annotated[str, Meta(max_length=60)]
FriendCode = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8,64}$")]


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    name: PersonName


class Befriend(Struct, frozen=True, forbid_unknown_fields=True):
    code: FriendCode


class Unfriend(Struct, frozen=True, forbid_unknown_fields=True):
    name: PersonName


class Favour(Struct, frozen=True, forbid_unknown_fields=True):
    """A setup of a game's, by name, or one that somebody made, by id."""

    game: GameId
    setup: OptionName
    wanted: bool = True


class NewSeek(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody looks for an opponent. To be said again while they wait; who is silent has left."""

    game: GameId
    clock: ClockRule
    rated: bool = True
    friend: PersonName | None = None  # only this one


# -- answers --------------------------------------------------------------------------------------------------------


class Standing(Struct, frozen=True):
    """Somebody in one game. Without a rating: nothing rated was played."""

    game: str
    wins: int
    draws: int
    losses: int
    rating: Rated | None = None
    matches: int = 0  # rated ones


class MyMatch(Struct, frozen=True):
    """One that is not over."""

    match: str
    seat: int
    game: str
    status: Status


class MyFavourite(Struct, frozen=True):
    game: str
    setup: str
    name: str  # empty: the game knows how it is called
    there: bool = True  # somebody may have deleted theirs


class Me(Struct, frozen=True):
    name: str
    created: int
    standings: tuple[Standing, ...]
    playing: tuple[MyMatch, ...]
    friends: tuple[str, ...]
    friend_code: str
    favourites: tuple[MyFavourite, ...]


class HistoryLine(Struct, frozen=True):
    match: str
    game: str
    seat: int
    result: Result
    rated: bool
    at: int
    names: tuple[str, ...]  # by seat; none: the match is not kept any more
    before: float | None = None  # the rating
    rating: float | None = None


class Device(Struct, frozen=True):
    """How another device becomes this person. What stands after # is not sent to any server."""

    link: str
    qr: str  # the same as a picture, in SVG


class PersonShown(Struct, frozen=True):
    """What others may know."""

    name: str
    rating: Rated | None
    matches: int


class SeekShown(Struct, frozen=True):
    name: str
    game: str
    clock: ClockRule
    rated: bool
    rating: Rated | None
    mine: bool = False
    invites_me: bool = False  # a friend: nobody else sees it


class Found(Struct, frozen=True):
    """An opponent is there, and the match is made."""

    match: str
    game: str
    held: Held


class Sought(Struct, frozen=True):
    found: Found | None
    reach: int  # Elo by which an opponent may differ by now
    seeks: tuple[SeekShown, ...]  # who else looks for one
