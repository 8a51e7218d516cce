"""What a classroom's pages write and read: the teacher's, with a token, and the pupils', with a name and a key.

Tokens and keys stand in bodies, never in addresses, which are logged and kept by browsers.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from quincunx.core.words import Language, Words
from quincunx.server.match_shapes import MOST_SEATS, GameId, Name, OptionName, Options
from quincunx.server.shapes import Rated
from quincunx.store.classrooms import RoundFormat, UploadKind
from quincunx.store.entrants import EntrantKind

LONGEST_UPLOAD = 256 * 1024  # bytes of a source file
MOST_MATCHES = 20  # of a pairing in a round
MOST_COMPUTERS = 20

Code = Annotated[str, Meta(max_length=16, description="the six letters of a class")]
Key = Annotated[str, Meta(max_length=64, description="what a pupil's browser or computer keeps: no password")]
TeacherToken = Annotated[str, Meta(max_length=64)]
ContestId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
FileName = Annotated[str, Meta(min_length=1, max_length=100)]
Source = Annotated[str, Meta(min_length=1, max_length=LONGEST_UPLOAD)]
Computer = Annotated[str, Meta(max_length=100, description="such as level:3")]


# -- pupils write ---------------------------------------------------------------------------------------------------


class JoinClass(Struct, frozen=True, forbid_unknown_fields=True):
    """`key`: of a pupil who joined before; one who is new may bring one of their own, or is given one."""

    code: Code
    name: Name
    key: Key = ""


class PupilKey(Struct, frozen=True, forbid_unknown_fields=True):
    """Who asks."""

    code: Code
    name: Name
    key: Key


class Upload(Struct, frozen=True, forbid_unknown_fields=True):
    """A pupil's source file for a contest: it takes the place of the one before with the next match."""

    code: Code
    name: Name
    key: Key
    contest: ContestId
    file: FileName
    text: Source
    kind: UploadKind = "program"


# -- the teacher writes ---------------------------------------------------------------------------------------------


class TeacherKey(Struct, frozen=True, forbid_unknown_fields=True):
    token: TeacherToken


class NewClassContest(Struct, frozen=True, forbid_unknown_fields=True):
    token: TeacherToken
    name: Annotated[str, Meta(max_length=60)]
    game: GameId
    preset: OptionName | None = None
    options: Options = {}
    seats: Annotated[int, Meta(ge=0, le=MOST_SEATS, description="of a match; 0: as the game or the options say")] = 0
    turn: Annotated[float, Meta(ge=0.05, le=600, description="seconds for one turn")] = 1.0
    format: RoundFormat = "round_robin"
    matches: Annotated[int, Meta(ge=0, le=MOST_MATCHES, description="of a pairing; 0: one from every chair")] = 0
    computers: Annotated[tuple[Computer, ...], Meta(max_length=MOST_COMPUTERS)] = ()


class Acceptance(Struct, frozen=True, forbid_unknown_fields=True):
    """May this entrant take part in the rounds to come?"""

    token: TeacherToken
    name: Name
    accepted: bool


class MarksWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """In French, a file for a French spreadsheet: semicolons and decimal commas."""

    token: TeacherToken
    language: Language = "en"


class Removal(Struct, frozen=True, forbid_unknown_fields=True):
    token: TeacherToken
    name: Name


# -- answers --------------------------------------------------------------------------------------------------------


class JoinedClass(Struct, frozen=True):
    classroom: str  # its name
    name: str  # of the pupil, as the class writes it
    key: str  # to be kept: nobody else may use the name


class MadeContest(Struct, frozen=True):
    id: str


class Mishap(Struct, frozen=True):
    """Why an entrant lost a match before its end."""

    code: str  # late, exited, flood, memory …
    words: Words
    at: int  # milliseconds since 1970


class RoundState(Struct, frozen=True):
    number: int  # 0: none was started
    played: int  # matches of it that are over
    wanted: int  # matches of it
    running: bool  # is something of it still to be played?


class MyEntrant(Struct, frozen=True):
    """What a pupil has in a contest. `notes` is for its author and the teacher only."""

    kind: EntrantKind
    accepted: bool
    present: bool  # it would play now: an upload always, a program while it is connected
    playing: bool
    matches: int
    points: float
    place: int | None  # from 1; None before its first match
    rating: Rated | None
    mishap: Mishap | None  # the latest
    notes: str  # the last that an upload wrote to stderr
    file: str  # the name of an upload
    uploaded: int | None  # when


class PupilContest(Struct, frozen=True):
    id: str
    name: str
    game: str
    format: RoundFormat
    seats: int
    turn: float  # seconds
    open: bool
    round: RoundState
    kinds: tuple[UploadKind, ...]  # what may be uploaded; none without isolation, or once it is closed
    mine: MyEntrant | None


class PupilPage(Struct, frozen=True):
    classroom: str
    name: str  # the pupil's
    uploads: bool  # does this server run files? It does where it can isolate them
    addresses: tuple[str, ...]  # of the server, for the command line; the first is the one to show
    contests: tuple[PupilContest, ...]  # the newest first


class ClassEntrant(Struct, frozen=True):
    """One line of a contest on the teacher's page."""

    name: str
    kind: EntrantKind
    accepted: bool
    present: bool
    playing: bool
    matches: int
    points: float
    place: int | None
    rating: Rated | None
    mishap: Mishap | None
    notes: str
    file: str


class ClassContest(Struct, frozen=True):
    id: str
    name: str
    game: str
    format: RoundFormat
    seats: int
    turn: float
    matches: int  # of a pairing
    open: bool
    created: int
    round: RoundState
    entrants: tuple[ClassEntrant, ...]  # by place, then by name


class ClassPupil(Struct, frozen=True):
    name: str
    here: bool  # looked at the page, or has a program connected, within the last seconds
    created: int


class TeacherPage(Struct, frozen=True):
    classroom: str
    code: str
    addresses: tuple[str, ...]  # for other computers; none while the server is not open to the network
    link: str  # that the QR code leads to: the pupils' page with the code filled in; empty without an address
    qr: str  # the picture of it, SVG; empty without an address
    isolation: bool  # are uploads taken?
    pupils: tuple[ClassPupil, ...]  # by name
    contests: tuple[ClassContest, ...]  # the newest first
