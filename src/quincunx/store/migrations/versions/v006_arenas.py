"""Arenas: who takes part, which matches belong to one, and who is there."""

import sqlalchemy as sa
from alembic import op

revision = "006"
down_revision = "005"


def upgrade() -> None:
    op.create_table(
        "entrants",
        sa.Column("contest", sa.Text, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("key_hash", sa.Text),
        sa.Column("accepted", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "bouts",
        sa.Column("contest", sa.Text, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("pairing", sa.Integer, primary_key=True),
        sa.Column("match", sa.Text, sa.ForeignKey("matches.id"), nullable=False, unique=True),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
    )
    op.create_index("bouts_under_way", "bouts", ["contest", "over"])
    op.create_table(
        "presence",
        sa.Column("contest", sa.Text, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("runner", sa.Text, primary_key=True),
        sa.Column("names", sa.Text, nullable=False),
        sa.Column("renewal", sa.BigInteger, nullable=False),
    )
