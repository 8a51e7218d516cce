"""Studies: trees of variations; and what was played in the openings of public matches."""

import sqlalchemy as sa
from alembic import op

revision = "010"
down_revision = "009"


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("start", sa.Text, nullable=False),
        sa.Column("match", sa.Text),
        sa.Column("tree", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_studies_owner", "studies", ["owner"])
    op.create_table(
        "openings",
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("position", sa.Text, primary_key=True),
        sa.Column("action", sa.Text, primary_key=True),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("second", sa.Integer, nullable=False),
    )
    op.create_table("explored", sa.Column("match", sa.Text, primary_key=True))
