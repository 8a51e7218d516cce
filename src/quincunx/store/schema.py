"""The tables, the same in SQLite and PostgreSQL.

    matches ─┬─< seats     (match, number)      who sits where
             ├─< entries   (match, seq)         what happened: only ever added to
             └─< leases    (match, seat)        which process thinks for a computer's seat
    setups                 unique (game, owner, name)
    studies                trees of variations, each its owner's
    openings               (game, position, action)     what was played where, and how it ended
    explored               (match)                      whose matches are counted there
    contests ─┬─< results  (contest, pairing, number)   what came of each match: only ever added to, numbered by `seq`
              ├─< claims   (contest, runner)            who plays which matches now
              ├─< entrants (contest, name)              who takes part in an arena
              ├─< bouts    (contest, pairing)           matches of this server that belong to an arena
              ├─< presence (contest, runner)            who is connected to which server process
              ├─< rounds   (contest, number)            who was to meet whom, of a contest of a class
              └─< uploads  (contest, name)              source files that the server runs
    classrooms ─┬─< pupils          (classroom, name)   who has joined
                └─< class_contests  (contest)           which contests are theirs
    people ─┬─< ratings    (person, game)               how strong somebody is
            ├─< history    (person, match)              what came of their matches; stays when a match goes
            ├─< favourites (person, game, setup)
            ├─< friends    (person, friend)             both ways
            └─< seeks      (person)                     who looks for an opponent now
    remarks                (match, number)   what people at a table said to each other in the last minutes
    bans                   addresses that the server lets in no more
    interventions          what the administrator did, numbered: servers look for new ones

The key of `entries` is the arbiter: of two who want to write the same `seq` of a match, the database lets one. What is
written here must be what the migrations make; a test compares them.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
)

from quincunx.core.options import Value
from quincunx.match.clock import ClockRule
from quincunx.match.record import Entry, Outcome


class Json(TypeDecorator[Any]):
    """A struct in a column: written as JSON, read back as what it was."""

    impl = JSON
    cache_ok = True

    def __init__(self, kind: Any) -> None:
        super().__init__(none_as_null=True)
        self.kind = kind

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else msgspec.json.decode(value, type=self.kind)


def to_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


metadata = MetaData()

matches = Table(
    "matches",
    metadata,
    Column("id", Text, primary_key=True),
    Column("code", Text, unique=True),
    Column("game", Text, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("options", Json(dict[str, Value]), nullable=False),
    Column("start", Text, nullable=False),
    Column("start_digest", Text, nullable=False),
    Column("seed", BigInteger),
    Column("clock", Json(ClockRule), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),  # milliseconds since 1970, as all times but `at`
    Column("began", BigInteger),  # when the last seat was taken: entries count their `at` from here
    Column("status", Text, nullable=False),  # `deleted`: on its way out, and nobody's any more (deletion.py)
    Column("outcome", Json(Outcome)),
    Column("rematch_of", Text, ForeignKey("matches.id"), unique=True),
    Column("start_known", Boolean, nullable=False, server_default=false()),  # to whoever made it, under fog
    Column("rated", Boolean, nullable=False, server_default=false()),  # it counts for the ratings of its people
    Index("matches_by_status", "status", "created", "id"),
)

seats = Table(
    "seats",
    metadata,
    Column("match", Text, ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("token_hash", Text, index=True),
    Column("person", Text, index=True),  # whose it is, if it is somebody's of `people`: their key holds it
)

entries = Table(
    "entries",
    metadata,
    Column("match", Text, ForeignKey("matches.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("payload", Json(Entry), nullable=False),
    Column("at", BigInteger, nullable=False),  # milliseconds since the match began
    Column("client_move_id", Text),  # on the first entry of what a client asked for
    UniqueConstraint("match", "client_move_id", name="entries_once"),
)

leases = Table(
    "leases",
    metadata,
    Column("match", Text, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("worker", Text, nullable=False),
    Column("until", BigInteger, nullable=False),  # no time (as it once was): another number after each renewal
)

setups = Table(
    "setups",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("owner", Text, nullable=False),  # the hash of a word that its maker keeps; empty: nobody's
    Column("shared", Boolean, nullable=False),  # everybody may see it
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    UniqueConstraint("game", "owner", "name", name="setups_by_name"),
)

studies = Table(
    "studies",
    metadata,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False, index=True),  # the hash of a word that its maker keeps
    Column("game", Text, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("options", Json(dict[str, Value]), nullable=False),
    Column("start", Text, nullable=False),
    Column("match", Text),  # where it began, if that is kept: a study stands by itself
    Column("tree", Text, nullable=False),  # JSON; the server knows what it means
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
)

openings = Table(
    "openings",
    metadata,
    Column("game", Text, primary_key=True),
    Column("position", Text, primary_key=True),  # its digest
    Column("action", Text, primary_key=True),
    Column("first", Integer, nullable=False),  # matches that the first seat won,
    Column("drawn", Integer, nullable=False),
    Column("second", Integer, nullable=False),  # and the second
)

explored = Table(
    "explored",
    metadata,
    Column("match", Text, primary_key=True),  # whether or not it is still kept
)

contests = Table(
    "contests",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("plan", Text, nullable=False),  # JSON; those who run contests know what it means
    Column("created", BigInteger, nullable=False),
    Column("results", Integer, nullable=False),  # how many: the last `seq`
    Column("finished", BigInteger),
    Index("contests_by_time", "created", "id"),
)

results = Table(
    "results",
    metadata,
    Column("contest", Text, ForeignKey("contests.id"), primary_key=True),
    Column("pairing", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("result", Text, nullable=False),  # JSON
    Column("place", Text, nullable=False),  # where it was played
    Column("at", BigInteger, nullable=False),
    Column("record", LargeBinary),  # of the match, compressed
    UniqueConstraint("contest", "seq", name="results_in_order"),
)

claims = Table(
    "claims",
    metadata,
    Column("contest", Text, ForeignKey("contests.id"), primary_key=True),
    Column("runner", Text, primary_key=True),
    Column("matches", Text, nullable=False),  # JSON: pairings and numbers
    Column("renewal", BigInteger, nullable=False),  # another number whenever it is renewed
)

entrants = Table(
    "entrants",
    metadata,
    Column("contest", Text, ForeignKey("contests.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("player", Text, nullable=False),  # what the server seats; empty for those who come themselves
    Column("key_hash", Text),  # of what proves that somebody is this entrant, and holds its seats
    Column("accepted", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
)

bouts = Table(
    "bouts",
    metadata,
    Column("contest", Text, ForeignKey("contests.id"), primary_key=True),
    Column("pairing", Integer, primary_key=True),
    Column("match", Text, ForeignKey("matches.id"), nullable=False, unique=True),
    Column("players", Text, nullable=False),  # JSON: names by seat
    Column("round", Integer, nullable=False),  # 0: of no round
    Column("over", Boolean, nullable=False),  # its result is written, or there will be none
    Index("bouts_under_way", "contest", "over"),
)

presence = Table(
    "presence",
    metadata,
    Column("contest", Text, ForeignKey("contests.id"), primary_key=True),
    Column("runner", Text, primary_key=True),
    Column("names", Text, nullable=False),  # JSON: how many matches each takes at once
    Column("renewal", BigInteger, nullable=False),  # another number whenever it is renewed
)

classrooms = Table(
    "classrooms",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("code", Text, nullable=False, unique=True),
    Column("teacher_hash", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

pupils = Table(
    "pupils",
    metadata,
    Column("classroom", Text, ForeignKey("classrooms.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("key_hash", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

class_contests = Table(
    "class_contests",
    metadata,
    Column("contest", Text, ForeignKey("contests.id"), primary_key=True),
    Column("classroom", Text, ForeignKey("classrooms.id"), nullable=False, index=True),
    Column("format", Text, nullable=False),  # of its rounds
    Column("matches", Integer, nullable=False),  # of a pairing in a round
)

rounds = Table(
    "rounds",
    metadata,
    Column("contest", Text, ForeignKey("contests.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # from 1
    Column("meetings", Text, nullable=False),  # JSON: names
    Column("created", BigInteger, nullable=False),
)

uploads = Table(
    "uploads",
    metadata,
    Column("contest", Text, ForeignKey("contests.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("file", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("text", LargeBinary, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("notes", Text, nullable=False),  # the last that it wrote to stderr
)

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("folded", Text, nullable=False, unique=True),  # the name, as it is compared with others
    Column("key_hash", Text, nullable=False, unique=True),
    Column("friend_code", Text, nullable=False, unique=True),  # who has it becomes a friend
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),  # on which day they were last here
)

ratings = Table(
    "ratings",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("matches", Integer, nullable=False),
)

history = Table(
    "history",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("match", Text, primary_key=True),  # which may be gone
    Column("game", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("result", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("before", Float),  # the rating, if it was rated
    Column("rating", Float),  # and after it
    Column("at", BigInteger, nullable=False),
    Index("history_by_time", "person", "at", "match"),
)

favourites = Table(
    "favourites",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("setup", Text, primary_key=True),  # the name of one of the game's, or the id of one that somebody made
)

friends = Table(
    "friends",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("friend", Text, ForeignKey("people.id"), primary_key=True),
)

seeks = Table(
    "seeks",
    metadata,
    Column("person", Text, ForeignKey("people.id"), primary_key=True),
    Column("game", Text, nullable=False),
    Column("clock", Json(ClockRule), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("friend", Text),  # only this one will do
    Column("since", BigInteger, nullable=False),  # these two by the clock of the database
    Column("seen", BigInteger, nullable=False),
    Column("match", Text),  # that was found
)

remarks = Table(
    "remarks",
    metadata,
    Column("match", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("phrase", Text),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False, index=True),  # by the clock of the database
)

bans = Table(
    "bans",
    metadata,
    Column("address", Text, primary_key=True),  # or a network, in its one spelling
    Column("reason", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

interventions = Table(
    "interventions",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("what", Text, nullable=False),  # a match, or an address
    Column("at", BigInteger, nullable=False),
)
