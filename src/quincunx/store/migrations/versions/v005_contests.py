"""Contests: what was planned, what came of each match, and who plays which now."""

import sqlalchemy as sa
from alembic import op

revision = "005"
down_revision = "004"


def upgrade() -> None:
    op.create_table(
        "contests",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("results", sa.Integer, nullable=False),
        sa.Column("finished", sa.BigInteger),
    )
    op.create_index("contests_by_time", "contests", ["created", "id"])
    op.create_table(
        "results",
        sa.Column("contest", sa.Text, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("pairing", sa.Integer, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("record", sa.LargeBinary),
        sa.UniqueConstraint("contest", "seq", name="results_in_order"),
    )
    op.create_table(
        "claims",
        sa.Column("contest", sa.Text, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("runner", sa.Text, primary_key=True),
        sa.Column("matches", sa.Text, nullable=False),
        sa.Column("renewal", sa.BigInteger, nullable=False),
    )
