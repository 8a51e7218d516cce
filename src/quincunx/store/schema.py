"""The tables, the same in SQLite and PostgreSQL.

    matches ─┬─< seats     (match, number)      who sits where
             ├─< entries   (match, seq)         what happened: only ever added to
             └─< leases    (match, seat)        which process thinks for a computer's seat
    setups                 unique (game, owner, name)

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
    ForeignKey,
    Index,
    Integer,
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
    Column("status", Text, nullable=False),
    Column("outcome", Json(Outcome)),
    Column("rematch_of", Text, ForeignKey("matches.id"), unique=True),
    Column("start_known", Boolean, nullable=False, server_default=false()),  # to whoever made it, under fog
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
