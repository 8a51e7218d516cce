"""People: names and keys, ratings, history, favourite setups, friends, who looks for an opponent, and what they say."""

import sqlalchemy as sa
from alembic import op

revision = "009"
down_revision = "008"


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("folded", sa.Text, nullable=False, unique=True),
        sa.Column("key_hash", sa.Text, nullable=False, unique=True),
        sa.Column("friend_code", sa.Text, nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
    )
    op.create_table(
        "history",
        sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("before", sa.Float),
        sa.Column("rating", sa.Float),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("history_by_time", "history", ["person", "at", "match"])
    op.create_table(
        "favourites",
        sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("setup", sa.Text, primary_key=True),
    )
    op.create_table(
        "friends",
        sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("friend", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    )
    op.create_table(
        "seeks",
        sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("clock", sa.JSON, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("friend", sa.Text),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("match", sa.Text),
    )
    op.create_table(
        "remarks",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("phrase", sa.Text),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_remarks_at", "remarks", ["at"])
    op.add_column("seats", sa.Column("person", sa.Text))
    op.create_index("ix_seats_person", "seats", ["person"])
    op.add_column("matches", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()))
